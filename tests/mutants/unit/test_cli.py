# SPDX-License-Identifier: Apache-2.0
"""The command on a fake lab: what it prints, and what it ends with."""

from __future__ import annotations

import io
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import click
import pytest

from cocotb_mutants import cli, versions
from cocotb_mutants.errors import ExitCode
from cocotb_mutants.markers import GROSS
from cocotb_mutants.operators import OPERATORS
from cocotb_mutants.population import populate
from cocotb_mutants.protocol import Job, RunReport
from tests.mutants.unit.fakelab import CONFIG, FIRST, RTL, FakeLab, killed, result, write_project

OFF = "a && b; // mutants: off logical it is the same"
Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(versions, "of", lambda simulator: {"cocotb-mutants": "1"})
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.chdir(write_project(tmp_path))
    return tmp_path


@pytest.fixture
def command(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Command:
    """A function that runs the command with a lab and returns its code, output and messages."""

    def run(*arguments: str, lab: FakeLab | None = None) -> tuple[int, str, str]:
        monkeypatch.setattr(cli, "RealLab", lambda _: lab or FakeLab())
        config = (
            ()
            if arguments[0] in ("operators", "--help")
            else ("--config", str(project / "mutants.toml"))
        )
        code = cli._run([arguments[0], *config, *arguments[1:]])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def first_name(command: Command) -> str:
    return command("list")[1].splitlines()[0].split(": ")[2]


def half(_: str, job: Job, report: RunReport) -> RunReport:
    return killed(_, job, report) if job.selector <= 2 else report


def blind(_: str, job: Job, report: RunReport) -> RunReport:
    tests = (result(FIRST), replace(report.tests[-1], status="passed", kind=""))
    return replace(report, tests=tests) if job.selector in GROSS else report


def wrong(_: str, job: Job, report: RunReport) -> RunReport:
    return replace(report, selector_at_end=9) if job.selector == 1 else report


def test_the_report_says_how_long_each_phase_took(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slowly(config: Any) -> Any:
        time.sleep(0.02)
        return populate(config)

    monkeypatch.setattr(cli, "populate", slowly)
    command("run", "--json", str(tmp_path / "report.json"))
    times = json.loads((tmp_path / "report.json").read_text())["performance"]
    assert times["setup"] >= 20
    assert times["initialRun"] > 0
    assert times["mutation"] > 0


def test_a_campaign_says_what_it_does_and_what_came_out(command: Command, project: Path) -> None:
    code, out, err = command("run", lab=FakeLab(half))

    assert code == 0
    assert err.splitlines() == [
        "5 mutants in 1 target, icarus, seed 1",
        "5/5: 2 killed, 3 survived; 0 s, 0 s left",
        "gate: 5 mutants in one build; fork",
        "report: sim_build/mutants/report.json",
    ]
    assert out.splitlines()[-1].startswith("5 mutants: 2 killed, 3 survived, 0 not activated")
    assert (project / "sim_build/mutants/report.json").is_file()
    assert command("report") == (0, out, "")


@pytest.mark.parametrize(
    ("script", "options", "code", "words"),
    [
        (half, ("--fail-under", "40"), ExitCode.OK, ""),
        (half, ("--fail-under", "40.1"), ExitCode.SCORE_BELOW, "the score 40.0 % is below 40.1 %"),
        (blind, ("--fail-under", "90"), ExitCode.BENCH_BLIND, "the bench of gate checks nothing"),
        (wrong, (), ExitCode.CONTROL_FAILED, "1 run simulated another mutant than asked for"),
    ],
)
def test_the_exit_code_says_what_is_wrong(
    command: Command, script: Any, options: tuple[str, ...], code: ExitCode, words: str
) -> None:
    found, out, err = command("run", *options, lab=FakeLab(script))

    assert found == code
    assert words in err
    assert out.splitlines()[-1].startswith("5 mutants: ")


def test_a_score_is_not_cut_before_it_is_compared(command: Command, project: Path) -> None:
    (project / "gate.sv").write_text(RTL.replace("a ^ b", "a"))

    def two(_: str, job: Job, report: RunReport) -> RunReport:
        return killed(_, job, report) if job.selector <= 2 else report

    code, _, err = command("run", "--fail-under", "66.65", lab=FakeLab(two))

    assert "3 mutants in 1 target" in err
    assert code == ExitCode.OK


def test_fresh_runs_everything_again(command: Command) -> None:
    command("run")
    same, fresh = FakeLab(), FakeLab()

    command("run", lab=same)
    command("run", "--fresh", lab=fresh)

    assert same.ran == []
    assert fresh.ran != []


def test_the_report_goes_where_it_is_asked_to(command: Command, project: Path) -> None:
    other = project.parent / f"{project.name}-other.json"

    _, _, err = command("run", "--json", str(other))

    assert f"report: {other}" in err
    assert other.is_file()


def test_list_says_what_is_silenced_and_how_many_there_are(command: Command, project: Path) -> None:
    (project / "gate.sv").write_text(RTL.replace("a && b;", OFF))

    code, out, err = command("list")

    assert code == 0
    assert err == "5 mutants in 1 target\n"
    first, *_, last = out.splitlines()
    assert first.startswith("gate.sv:2:14: logical: gate.y.logical-")
    assert first.endswith(" (ignored: it is the same)")
    assert last.endswith(": a ^ b -> a ~^ b")
    assert command("list", "--sample", "1")[2] == "1 mutant sampled from 2 in 1 target\n"


def test_show_tells_what_changes_and_which_test_killed_it(command: Command) -> None:
    name = first_name(command)
    command("run", lab=FakeLab(killed))

    code, out, _ = command("show", name)

    assert code == 0
    assert out.splitlines() == [
        f"gate.sv:2:14: logical: {name}",
        "  -   assign y = a && b;",
        "  +   assign y = a;",
        f"  killed: {FIRST} failed: it is wrong",
        f"  killed by {FIRST} of gate, which said:",
        "    it is wrong",
    ]


def test_show_gives_the_reason_of_what_may_live(command: Command, project: Path) -> None:
    name = first_name(command)
    (project / "accepted.toml").write_text(
        f'[[accepted]]\nmutants = ["{name}", "gone"]\nreason = "nobody can see it"\n'
    )
    (project / "mutants.toml").write_text(
        CONFIG.replace('operators = ["logical", "bitwise"]', 'accepted = ["accepted.toml"]')
    )

    _, _, err = command("run")
    _, out, _ = command("show", name)

    assert "accepted.toml: gone is the name of no mutant" in err
    assert "gone" not in command("run", "--target", "gate")[2]
    assert out.splitlines()[-2:] == [
        "  survived: 2 tests ran and none failed",
        "  accepted as: nobody can see it",
    ]
    _, _, err = command("run", "--fresh", lab=FakeLab(killed))
    assert f"{name} was killed, though it is accepted as: nobody can see it" in err


def test_show_gives_the_reason_of_what_is_silenced(command: Command, project: Path) -> None:
    (project / "gate.sv").write_text(RTL.replace("a && b;", OFF))

    code, out, _ = command("show", first_name(command))

    assert code == 0
    assert out.splitlines()[-1] == "  ignored: it is the same"


def test_show_of_what_was_never_run_says_so(command: Command) -> None:
    name = first_name(command)
    before = command("show", name)
    command("run", "--operators", "bitwise")

    code, _, err = command("show", name)

    assert before[0] == code == ExitCode.USAGE
    assert "no campaign was run in " in before[2]
    assert err == f"error: {name} has not been run\nhint:  run a campaign first\n"


def test_show_with_waves_says_where_they_are(
    command: Command, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cocotb_mutants import waves

    files = (project / "original.fst", project / "mutant.fst")
    monkeypatch.setattr(waves, "record", lambda *_: files)
    command("run")

    _, out, _ = command("show", first_name(command), "--waves")

    assert out.splitlines()[-2:] == ["waves: original.fst", "waves: mutant.fst"]


def test_what_cannot_be_mutated_is_counted(command: Command, project: Path) -> None:
    (project / "gate.sv").write_text(
        "`define BOTH(x, y) (x && y)\n"
        + RTL.replace("a && b", "`BOTH(a, b)").replace("a ^ b;", "a ^ b; // mutants: off shift why")
    )

    _, _, err = command("run", "--operators", "all")

    assert "gate: not mutated: " in err
    assert " places in macros" in err
    assert "gate.sv:4: 'mutants: off' silences nothing" in err


def test_an_older_store_is_put_aside_and_said(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cocotb_mutants import store

    command("run")
    monkeypatch.setattr(store, "FORMAT", store.FORMAT + 1)

    assert "the verdicts of an older version were put aside" in command("run")[2]


@pytest.mark.parametrize(
    ("prepare", "code", "words"),
    [
        (["{python}", "-c", "open('made', 'w')"], ExitCode.OK, ""),
        (["{python}", "-c", "raise SystemExit('no such chip')"], ExitCode.USAGE, "no such chip"),
        (["{python}", "-c", "raise SystemExit(3)"], ExitCode.USAGE, "ended with exit code 3"),
        (["{python}", "-c", "raise SystemExit(3)"], ExitCode.USAGE, "it said nothing"),
        (["./missing"], ExitCode.USAGE, "'prepare' cannot be run: ./missing: No such file"),
    ],
)
def test_prepare_runs_in_the_projects_folder(
    command: Command,
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    prepare: list[str],
    code: ExitCode,
    words: str,
) -> None:
    monkeypatch.chdir(project.parent)
    (project / "mutants.toml").write_text(f"{CONFIG}prepare = {prepare}\n")

    found, _, err = command("list")

    assert (found, (project / "made").exists()) == (code, code is ExitCode.OK)
    assert words in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("run", "--define", "=3"), "error: '=3' is not NAME=VALUE\nhint:  see --define"),
        (("run", "--parameter", "W"), "error: 'W' is not NAME=VALUE\nhint:  see --parameter"),
        (("run", "--sample", "0"), "must be greater than 0"),
        (("run", "--target", "gat"), "unknown target 'gat'; did you mean 'gate'?"),
        (("run", "--only-mutation"), "'--only-mutations'"),
        (("show",), "Missing argument 'NAME'"),
        (("report",), "no campaign was run in "),
    ],
)
def test_a_mistake_is_named(command: Command, arguments: tuple[str, ...], words: str) -> None:
    code, out, err = command(*arguments)

    assert (code, out) == (ExitCode.USAGE, "")
    assert words in err


def test_operators_are_listed_with_what_they_do(command: Command) -> None:
    code, out, _ = command("operators")

    assert code == 0
    assert [line.split()[0] for line in out.splitlines()] == list(OPERATORS)
    assert out.count("(on request)") == sum(not o.by_default for o in OPERATORS.values())


def test_help_lists_every_exit_code(command: Command) -> None:
    code, out, _ = command("--help")

    assert code == 0
    for each in ExitCode:
        assert f"{each.value:<4}{each.meaning}" in out


def raising(error: BaseException) -> Callable[..., NoReturn]:
    def fail(*_: Any, **__: Any) -> NoReturn:
        raise error

    return fail


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (KeyboardInterrupt(), ExitCode.INTERRUPTED, "hint:  run it again to go on"),
        (click.Abort(), ExitCode.INTERRUPTED, "error: interrupted"),
        (OSError(28, "No space left", "x"), ExitCode.INTERNAL, "error: No space left x"),
        (OSError("odd"), ExitCode.INTERNAL, "error: odd"),
        (ZeroDivisionError("odd"), ExitCode.INTERNAL, "a fault of cocotb-mutants itself"),
    ],
)
def test_whatever_happens_ends_in_one_message(
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
    code: ExitCode,
    words: str,
) -> None:
    monkeypatch.setattr(cli, "populate", raising(error))

    found, _, err = command("list")

    assert found == code
    assert words in err
    assert ("Traceback" in err) == isinstance(error, ZeroDivisionError)


@pytest.mark.parametrize("error", [BrokenPipeError(32, "Broken pipe"), SystemExit(1)])
def test_an_output_that_nobody_reads_is_not_a_low_score(
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
) -> None:
    monkeypatch.setattr(cli, "populate", raising(error))
    with Path("out").open("w") as out:
        monkeypatch.setattr(sys, "stdout", out)
        code = cli._run(["list", "--config", "mutants.toml"])
        print("nobody reads this", file=out)

    assert code == ExitCode.INTERNAL
    assert Path("out").read_text() == ""


@pytest.fixture
def left(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    codes: list[int] = []
    monkeypatch.setattr(os, "_exit", codes.append)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    return codes


def test_the_process_leaves_with_the_code(left: list[int], capsys: Any) -> None:
    cli.main(["operators"])

    assert left == [0]


def test_the_process_leaves_although_its_output_is_gone(
    left: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Gone(io.StringIO):
        def flush(self) -> None:
            raise BrokenPipeError(32, "Broken pipe")

    monkeypatch.setattr(cli, "_run", lambda _: 0)
    monkeypatch.setattr(sys, "stdout", Gone())
    cli.main(["operators"])

    assert left == [ExitCode.INTERNAL]
