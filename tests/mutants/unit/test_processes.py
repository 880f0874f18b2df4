# SPDX-License-Identifier: Apache-2.0
"""Simulator processes, with a few lines of Python in the simulator's place."""

from __future__ import annotations

import os
import select
import sys
from pathlib import Path

import pytest

from cocotb_mutants.build import Build
from cocotb_mutants.errors import BaselineFailed, UsageError
from cocotb_mutants.launch import Plan, environment
from cocotb_mutants.processes import Process, Server, patience
from cocotb_mutants.protocol import Job, Limits, RunReport, WorkerSpec
from cocotb_mutants.worker import BenchRequest, Simulation

HEAD = """
import json, os, socket, sys, time
spec = json.loads(open(os.environ["COCOTB_MUTANTS_SPEC"]).read())
def record(*values):
    with open(spec["channel"], "a") as file:
        file.write(json.dumps(values) + "\\n")
"""


def plan(script: str, *before: tuple[str, ...]) -> Plan:
    return Plan((*before, (sys.executable, "-c", HEAD + script)), dict(os.environ))


def process(tmp_path: Path, script: str, limits: Limits | None = None) -> Process:
    spec = WorkerSpec("single", "", str(tmp_path), str(tmp_path))
    return Process(plan(script), spec, Job(4, 2, limits=limits or Limits()), tmp_path)


def finish(started: Process) -> RunReport:
    poll = select.poll()
    poll.register(started.pidfd, select.POLLIN)
    try:
        while not poll.poll(patience([started])):
            started.kill_if_late()
        return started.report()
    finally:
        started.clean()


def test_all_commands_of_a_plan_are_run_in_their_order(tmp_path: Path) -> None:
    planned = plan("print(open('made').read())", ("sh", "-c", "echo by sh; echo text > made"))
    spec = WorkerSpec("single", "", str(tmp_path), str(tmp_path))
    started = Process(planned, spec, Job(0, 0, keep_log=True), tmp_path)
    report = finish(started)
    assert Path(report.log).read_text().split() == ["by", "sh", "text"]


def test_a_process_that_ends_without_a_word_is_not_complete(tmp_path: Path) -> None:
    started = process(tmp_path, "print('no'); sys.exit(3)")
    report = finish(started)
    assert (report.job, report.complete, report.exit_code) == (4, False, 3)
    assert Path(report.log).read_text() == "no\n"
    assert [path.name for path in tmp_path.iterdir()] == ["4-2.log"]


def test_loading_counts_neither_as_time_of_the_processor_nor_on_the_clock(tmp_path: Path) -> None:
    script = """
began = time.process_time()
while time.process_time() < began + 0.3: pass
record("begun", [time.time(), time.process_time()])
record("end", {"limit": ""})
"""
    started = process(tmp_path, script, Limits(wall_s=0.2))
    report = finish(started)
    assert report.complete
    assert report.cpu_s < 0.2
    assert report.wall_s < 0.2


def test_a_run_that_takes_too_long_is_killed(tmp_path: Path) -> None:
    script = 'record("begun", [time.time(), 0.0]); record("running", "bench.a"); time.sleep(60)'
    started = process(tmp_path, script, Limits(wall_s=0.2))
    report = finish(started)
    assert (report.limit, report.running, report.log) == ("wall", "bench.a", "")


def test_a_bench_that_cannot_be_loaded_is_told_from_either_kind(tmp_path: Path) -> None:
    error = {"tests": [], "cannot_fork": "", "error": "Traceback\\nImportError: no"}
    started = process(tmp_path, f'record("hello", {error})')
    with pytest.raises(BaselineFailed, match="ImportError: no"):
        finish(started)
    script = f"""
socket.socket(fileno=int(spec["channel"])).sendall(json.dumps({error}).encode() + b"\\n")
"""
    spec = WorkerSpec("fork", "", str(tmp_path), str(tmp_path))
    server = Server(plan(script), spec, tmp_path)
    with pytest.raises(BaselineFailed, match="ImportError: no"):
        server.greeting()
    server.stop()


def test_a_server_that_does_not_go_by_itself_is_killed(tmp_path: Path) -> None:
    spec = WorkerSpec("fork", "", str(tmp_path), str(tmp_path))
    server = Server(plan("time.sleep(60)"), spec, tmp_path)
    assert server.stop() == -9


def test_the_waves_of_a_run_go_where_they_are_wanted(tmp_path: Path) -> None:
    bench = BenchRequest("top", ("bench",), tmp_path)
    for simulator, word in (("icarus", "+dumpfile_path=/w.fst"), ("verilator", "/w.fst")):
        found = Build(simulator, "top", tmp_path, "fst", env=environment(tmp_path))
        simulation = Simulation(found, bench, tmp_path, mode="process", waves=Path("/w.fst"))
        assert word in simulation.plan.commands[0]
        assert ("-n" in simulation.plan.commands[0]) == (simulator == "icarus")


def test_the_bench_is_imported_from_where_the_user_says(tmp_path: Path) -> None:
    found = Build("verilator", "top", tmp_path, env=environment(tmp_path, {"OMP_NUM_THREADS": "3"}))
    bench = BenchRequest(
        "top",
        ("one", "two"),
        tmp_path,
        python_path=("tb", "."),
        env={"PYTHONPATH": "/more"},
        test_filter="only",
        seed=7,
        plusargs=("+a=1",),
        test_args=("-v",),
    )
    planned = Simulation(found, bench, tmp_path).plan
    path = planned.env["PYTHONPATH"].split(os.pathsep)
    assert path[:3] == [str(tmp_path / "tb"), str(tmp_path), "/more"]
    assert planned.env["COCOTB_TEST_MODULES"] == "one,two"
    assert planned.env["COCOTB_TEST_FILTER"] == "only"
    assert planned.env["COCOTB_RANDOM_SEED"] == "7"
    assert planned.env["OMP_NUM_THREADS"] == "3"
    assert planned.env["PYTHONHASHSEED"] == "0"
    assert planned.commands[0][1:] == ("-v", "+a=1")
    assert planned.env["PYGPI_USERS"].endswith(",cocotb_mutants.inside.entry:serve")


def test_entry_points_of_the_users_own_stay(tmp_path: Path) -> None:
    found = Build("verilator", "top", tmp_path, env=environment(tmp_path))
    own = "mine:start,cocotb.regression:_run_regression"
    bench = BenchRequest("top", ("bench",), tmp_path, env={"PYGPI_USERS": own})
    users = Simulation(found, bench, tmp_path).plan.env["PYGPI_USERS"]
    assert users == "mine:start,cocotb_mutants.inside.entry:serve"
    other = BenchRequest("top", ("bench",), tmp_path, env={"PYGPI_USERS": "a.b:run"})
    with pytest.raises(UsageError, match=r"ends with a\.b:run"):
        assert Simulation(found, other, tmp_path).plan
