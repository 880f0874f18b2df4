# SPDX-License-Identifier: Apache-2.0
"""Options and fixtures of the whole test suite."""

from __future__ import annotations

import os

import pytest

from tb import tools
from tb.catalog import ROOT

# Commands under test find Verilator's compiled library where `make mutate` keeps it.
os.environ.setdefault("COCOTB_MUTANTS_CACHE", str(ROOT / "sim_build" / "cache"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let the simulators be chosen: ``pytest --sim verilator``."""
    parser.addoption(
        "--sim",
        default=os.environ.get("SIM", ""),
        help="icarus, verilator, both with a comma, or all; default: those that are installed, "
        "and all of them where CI is set",
    )


def simulators(config: pytest.Config) -> list[str]:
    """The simulators that benches run under. In CI a missing one is an error, not a skip."""
    chosen = config.getoption("--sim")
    if chosen or os.environ.get("CI"):
        return tools.requested(chosen or "all")
    return [name for name in tools.SIMULATORS if tools.available(name)]


def pytest_report_header(config: pytest.Config) -> list[str]:
    """Say under which simulators the benches run."""
    chosen = simulators(config)
    lines = [f"simulators: {', '.join(tools.version(name) for name in chosen)}"]
    for name in set(tools.SIMULATORS) - set(chosen):
        lines.append(f"NOT under {name}: {tools.SIMULATORS[name].advice}")
    return lines


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for a simulator once under each."""
    if "simulator" in metafunc.fixturenames and "module" not in metafunc.fixturenames:
        metafunc.parametrize("simulator", simulators(metafunc.config))
