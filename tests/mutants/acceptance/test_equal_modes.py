# SPDX-License-Identifier: Apache-2.0
"""Another way to run the same mutants gives the same verdicts."""

from __future__ import annotations

import pytest

from tests.conftest import simulators
from tests.mutants.acceptance.conftest import (
    Campaign,
    Expected,
    Run,
    detected,
    grouped,
    names,
)

MODES = {
    "--no-schema": (
        "generate_blocks",
        "hangs_in_zero_time",
        "initial_blocks",
        "macros",
        "packages",
        "parameters_matter",
        "two_clocks",
        "x_values",
    ),
    "--no-fork": (
        "bench_timeout",
        "calls_finish",
        "cocotb_coverage_bench",
        "crashes",
        "eats_memory",
        "floods",
        "hangs_in_simulated_time",
        "hangs_in_zero_time",
        "order_dependent",
        "pyuvm_bench",
        "raises_exception",
        "rtl_assertion",
        "runs_out_of_events",
        "skipped_and_xfail",
    ),
    "--run-all": (
        "calls_finish",
        "cocotb_coverage_bench",
        "floods",
        "generate_blocks",
        "include_dirs",
        "order_dependent",
        "pyuvm_bench",
        "same_basename",
        "several_tops",
    ),
    "--all-tests": ("calls_finish", "order_dependent", "skipped_and_xfail", "well_tested"),
    "--jobs=1": ("crashes", "hangs_in_zero_time", "order_dependent"),
}
"""The projects in which a mode could make a difference."""

DIFFERENT = {
    "mutants_that_wont_compile": {"icarus-refuses"},  # Icarus 11 has no `inside`
}
"""Mutants that do not mean the same to both simulators, and why."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Pair modes with projects, and take those projects for both simulators that have both."""
    if "mode" in metafunc.fixturenames:
        pairs = [grouped(name, mode) for mode, group in MODES.items() for name in group]
        metafunc.parametrize(("name", "mode"), pairs)
    elif "name" in metafunc.fixturenames:
        both = set(simulators(metafunc.config)) >= {"icarus", "verilator"}
        chosen = [name for name in names() if len(Expected.of(name, "icarus").simulators) > 1]
        metafunc.parametrize("name", [grouped(name) for name in chosen if both])


def verdicts(run: Run) -> dict[str, str]:
    """The states; whether one that survives was run at all does not count."""
    return {name: detected(state) for name, state in run.states.items()}


def test_a_mode_changes_no_verdict(name: str, mode: str, campaign: Campaign, fastest: str) -> None:
    usual, other = campaign(name, fastest), campaign(name, fastest, mode)

    assert usual.mutants, usual.output
    assert other.mutants, other.output
    assert verdicts(other) == verdicts(usual)
    assert other.code == usual.code


def test_both_simulators_agree(name: str, campaign: Campaign) -> None:
    icarus, verilator = campaign(name, "icarus"), campaign(name, "verilator")

    left, right = verdicts(icarus), verdicts(verilator)
    assert {each for each in left if left[each] != right[each]} == DIFFERENT.get(name, set())
    assert left.keys() == right.keys() != set()


def test_a_mutant_that_was_not_activated_is_run_on_demand(campaign: Campaign, fastest: str) -> None:
    usual = campaign("floods", fastest)
    run_all = campaign("floods", fastest, "--run-all")

    assert usual.states["writes-at-fourteen"] == "not activated"
    assert usual.mutants["writes-at-fourteen"].values["testsCompleted"] == 0
    assert run_all.mutants["writes-at-fourteen"].values["testsCompleted"] == 1


def test_all_tests_of_a_mutant_are_in_the_kill_matrix(campaign: Campaign, fastest: str) -> None:
    usual = campaign("well_tested", fastest)
    matrix = campaign("well_tested", fastest, "--all-tests")

    assert all(len(found.killers) == 1 for found in usual.mutants.values())
    small = "saturate: bench.small_sums_are_exact"
    large = "saturate: bench.large_sums_stop_at_the_largest"
    assert {name: set(found.killers) for name, found in matrix.mutants.items()} == {
        "subtracts": {small, large},
        "full-at-fifteen": {small},
        "stops-below": {large},
        "never-full": {large},
        "wraps": {large},
        "ignores-b": {small, large},
    }
