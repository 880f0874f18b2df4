# SPDX-License-Identifier: Apache-2.0
"""Every cocotb test of every bench as a pytest test, under every simulator."""

from __future__ import annotations

import importlib
from functools import cache

import pytest

from tb.bench import REGISTERED
from tb.catalog import find, modules
from tb.plan import load
from tb.results import RunResult
from tb.run import STANDARD, Job, run
from tests.conftest import simulators


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each cocotb test; those of one simulation stay in one worker."""
    importlib.import_module(STANDARD)
    cases = []
    for simulator in simulators(metafunc.config):
        for module in modules():
            importlib.import_module(module.bench)
            group = pytest.mark.xdist_group(f"{simulator}-{module.name}")
            if "bench_test" in metafunc.fixturenames:
                for bench in (STANDARD, module.bench):
                    cases += [
                        pytest.param(
                            simulator,
                            module.name,
                            f"{bench}.{name}",
                            id=f"{simulator}-{module.name}-{name}",
                            marks=group,
                        )
                        for name in REGISTERED[bench]
                    ]
            else:
                name = f"{simulator}-{module.name}"
                cases.append(pytest.param(simulator, module.name, id=name, marks=group))
    names = ["simulator", "module"]
    names += ["bench_test"] if "bench_test" in metafunc.fixturenames else []
    metafunc.parametrize(names, cases)


@cache
def result_of(simulator: str, module: str) -> RunResult:
    """Simulate once; all tests of the module read the one result."""
    return run(Job(find(module), simulator))


def test_bench(simulator: str, module: str, bench_test: str) -> None:
    result = result_of(simulator, module)
    outcomes = {f"{test.bench}.{test.name}": test for test in result.tests}
    assert bench_test in outcomes, "the simulation did not run this test"
    assert not outcomes[bench_test].message, outcomes[bench_test].message


def test_the_simulation_passed_and_ran_every_registered_test(simulator: str, module: str) -> None:
    result = result_of(simulator, module)
    registered = [
        (bench, name) for bench in (STANDARD, find(module).bench) for name in REGISTERED[bench]
    ]
    # Also a test under plain @cocotb.test, which has no pytest test of its own.
    assert result.failures() == []
    assert result.passed
    assert set(registered) <= {(test.bench, test.name) for test in result.tests}


def test_every_check_is_reached_and_holds(simulator: str, module: str) -> None:
    result = result_of(simulator, module)
    planned = [check.id for check in load(find(module)).checks]
    assert [check.id for check in result.checks] == planned
    assert [check for check in result.checks if not check.passed] == []


def test_random_cycles_are_compared_with_the_model(simulator: str, module: str) -> None:
    assert result_of(simulator, module).compared == 300


def test_functional_coverage_is_complete(simulator: str, module: str) -> None:
    coverage = result_of(simulator, module).coverage
    assert coverage.size > 0
    assert coverage.missed == ()
