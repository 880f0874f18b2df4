# SPDX-License-Identifier: Apache-2.0
"""Explanations in a campaign: asked for once, kept, shown, and held against the verdicts."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from cocotb_mutants import cli, versions
from cocotb_mutants.errors import ExitCode, UsageError
from cocotb_mutants.explain import Explained, _fewest
from cocotb_mutants.explanation import Explanation
from cocotb_mutants.mutant import Mutant
from cocotb_mutants.protocol import Job, RunReport
from cocotb_mutants.report import text
from cocotb_mutants.verdict import State
from tests.mutants.unit.fakelab import FIRST, FakeLab, campaign, killed, result, write_project

SAME = Explanation("equivalent", "it folds to the same terms")
OTHER = Explanation(
    "distinguishable",
    steps=3,
    output="q",
    original=1,
    mutant=0,
    test="kills_x",
    group="kills_x",
    file="tests.py",
)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(versions, "of", lambda simulator: {"cocotb-mutants": "1"})
    return write_project(tmp_path)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The survivors of each call; the first is the same design, the others are not."""
    calls: list[list[str]] = []

    def explain(
        _: object,
        __: object,
        survivors: Sequence[Mutant],
        every: Sequence[Mutant],
        ___: object,
    ) -> Explained:
        names = [mutant.name for mutant in survivors]
        assert set(names) <= {mutant.name for mutant in every}
        calls.append(names)
        found = {name: SAME if name == names[0] else OTHER for name in names}
        return Explained(found, "async def kills_x(dut): ...\n")

    monkeypatch.setattr("cocotb_mutants.explain.explain", explain)
    return calls


def test_what_is_proved_equivalent_is_ignored_and_the_rest_is_told(
    project: Path, asked: list[list[str]]
) -> None:
    results, _ = campaign(project, FakeLab(), explain=True)

    ((same, *others),) = asked
    by_name = {each.mutant.name: each for each in results.outcomes}
    assert by_name[same].verdict.state is State.IGNORED
    assert by_name[same].verdict.reason == "equivalent: it folds to the same terms"
    assert {by_name[name].verdict.state for name in others} == {State.SURVIVED}
    assert by_name[others[0]].explanations == {"gate": OTHER}
    assert results.timing["explain"] > 0
    (path,) = project.rglob("test_survivors_of_gate.py")
    assert path.read_text() == "async def kills_x(dut): ...\n"


def test_nothing_is_explained_unless_asked_for(project: Path, asked: list[list[str]]) -> None:
    results, _ = campaign(project, FakeLab())

    assert asked == []
    assert State.IGNORED not in {each.verdict.state for each in results.outcomes}


def test_explanations_are_kept_as_long_as_the_survivors_are_the_same(
    project: Path, asked: list[list[str]]
) -> None:
    first, _ = campaign(project, FakeLab(), explain=True)
    (path,) = project.rglob("test_survivors_of_gate.py")
    path.unlink()
    again, _ = campaign(project, FakeLab(), explain=True)

    assert len(asked) == 1
    assert [each.verdict.state for each in first.outcomes] == [
        each.verdict.state for each in again.outcomes
    ]
    assert path.exists()

    (project / "bench.py").write_text("# another bench, which kills nothing either\n")
    campaign(project, FakeLab(), explain=True)
    assert len(asked) == 1

    (rtl,) = project.rglob("*.sv")
    rtl.write_text(rtl.read_text().replace("a && b", "a && b && 1'b1"))
    campaign(project, FakeLab(), explain=True)
    assert len(asked) == 2


def test_without_survivors_there_is_no_file_of_tests(project: Path, asked: list[list[str]]) -> None:
    campaign(project, FakeLab(), explain=True)
    (path,) = project.rglob("test_survivors_of_gate.py")
    (project / "bench.py").write_text("# a better bench\n")

    campaign(project, FakeLab(killed), explain=True)

    assert len(asked) == 1
    assert not path.exists()


def test_a_kill_of_what_was_proved_equivalent_is_a_contradiction(
    project: Path, asked: list[list[str]]
) -> None:
    campaign(project, FakeLab(), explain=True)
    (project / "bench.py").write_text("# a bench that sees more than outputs\n")

    _, run = campaign(project, FakeLab(killed))

    assert run.refuted == [(asked[0][0], "it folds to the same terms")]


def test_an_accepted_survivor_that_a_test_kills_is_a_contradiction(
    project: Path, asked: list[list[str]]
) -> None:
    (project / "accepted.toml").write_text(
        '[[accepted]]\nmutants = ["*"]\nreason = "nobody can see it"\n'
    )

    results, run = campaign(project, FakeLab(), explain=True, accepted=["accepted.toml"])

    assert {each.verdict.state for each in results.outcomes} == {State.IGNORED}
    told = dict(run.contradictions())
    assert set(told) == set(asked[0][1:])
    assert set(told.values()) == {"is accepted, though kills_x in tests.py kills it"}


def test_only_what_no_test_noticed_is_explained(project: Path, asked: list[list[str]]) -> None:
    def script(_: str, job: Job, report: RunReport) -> RunReport:
        if job.selector == 1:
            return replace(report, tests=(result(FIRST, fails=True),))
        return report

    results, _ = campaign(project, FakeLab(script, inert=frozenset({2})), explain=True)

    assert len(asked[0]) == len(results.outcomes) - 1


def test_a_missing_package_is_told(
    project: Path, asked: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(
        "importlib.util.find_spec", lambda name: None if name == "pyosys" else find(name)
    )
    with pytest.raises(UsageError, match="pyosys must be installed") as error:
        campaign(project, FakeLab(), explain=True)
    assert "cocotb-mutants[prove]" in (error.value.hint or "")
    assert asked == []


def test_nothing_of_the_proofs_is_imported_without_need() -> None:
    needed = {"numpy", "bitwuzla", "pyosys"}
    code = "import sys, cocotb_mutants.cli; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert needed & set(run.stdout.split()) == set()


@pytest.mark.parametrize(
    ("explanation", "story"),
    [
        (SAME, "equivalent: it folds to the same terms"),
        (OTHER, "q is 0 instead of 1 after 3 steps: kills_x in tests.py kills it"),
        (replace(OTHER, steps=1), "q is 0 instead of 1 after 1 step: kills_x in tests.py kills it"),
        (replace(OTHER, steps=0), "q is 0 instead of 1 at once: kills_x in tests.py kills it"),
        (
            replace(OTHER, group="kills_y"),
            "q is 0 instead of 1 after 3 steps: kills_y in tests.py kills it",
        ),
        (
            replace(OTHER, test="", group=""),
            "the proof says that q is 0 instead of 1 after 3 steps, which the simulator does not "
            "confirm",
        ),
        (
            replace(OTHER, kind="undetermined", mutant=None, how="a division by zero"),
            "q is undetermined instead of 1 after 3 steps (a division by zero): kills_x in "
            "tests.py kills it",
        ),
        (
            Explanation("undetermined", "a division by zero"),
            "differs only by what nothing determines: a division by zero",
        ),
        (Explanation("bounded", "none in 8 steps"), "not proved: none in 8 steps"),
        (Explanation("unknown", "a latch"), "not decided: a latch"),
    ],
)
def test_a_story_is_one_sentence(explanation: Explanation, story: str) -> None:
    assert explanation.story == story
    assert Explanation.from_json(explanation.to_json()) == explanation


def test_the_report_shows_together_what_one_test_kills(
    project: Path,
    asked: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(cli, "RealLab", lambda _: FakeLab())
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("NO_COLOR", "1")
    config = project / "mutants.toml"

    code = cli._run(["run", "--config", str(config), "--explain"])

    out = capsys.readouterr().out
    assert code == ExitCode.OK
    others = len(asked[0]) - 1
    assert out.startswith(f"one test kills the next {others}: kills_x in tests.py\n\n")
    assert out.count("q is 0 instead of 1 after 3 steps") == others
    assert "ignored, 1: equivalent: it folds to the same terms" in out


def test_what_no_test_kills_is_shown_by_the_line_it_stands_on(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def explain(_: object, __: object, survivors: Sequence[Mutant], *___: object) -> Explained:
        return Explained({m.name: Explanation("unknown", "a latch") for m in survivors}, "")

    monkeypatch.setattr("cocotb_mutants.explain.explain", explain)
    lab = FakeLab()
    results, _ = campaign(project, lab, explain=True)

    shown = text.render(results)
    lines = Counter(each.mutant.line for each in results.outcomes)
    (most, count), *_ = lines.most_common()
    first = f"no test is known for the next {count}, which are on one line: gate.sv:{most}\n"
    assert shown.startswith(first)
    assert shown.count("not decided: a latch") == len(results.outcomes)
    assert any(re.fullmatch(r"explained in \d+\.\d s", each) for each in lab.said)


def test_explain_tells_of_one_mutant_and_writes_the_tests(
    project: Path,
    asked: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(cli, "RealLab", lambda _: FakeLab())
    monkeypatch.setenv("COLUMNS", "200")
    words = ["explain", "--config", str(project / "mutants.toml")]

    assert cli._run(words) == ExitCode.OK
    everything = capsys.readouterr().out
    assert everything.count("q is 0 instead of 1 after 3 steps") == len(asked[0]) - 1

    name = asked[0][1]
    folder = project / "more tests"
    assert cli._run([*words, name, "--write-tests", str(folder)]) == ExitCode.OK
    told = capsys.readouterr()
    assert name in told.out
    assert told.out.count("q is 0 instead of 1 after 3 steps") == 1
    path = folder / "test_survivors_of_gate.py"
    assert path.read_text() == "async def kills_x(dut): ...\n"
    assert "test_survivors_of_gate.py" in told.err
    assert len(asked) == 1

    assert cli._run([*words, name + "x"]) == ExitCode.USAGE
    assert f"no mutant is called '{name}x'" in capsys.readouterr().err


def test_a_contradiction_has_an_exit_code(
    project: Path,
    asked: list[list[str]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    config = project / "mutants.toml"
    monkeypatch.setattr(cli, "RealLab", lambda _: FakeLab())
    cli._run(["run", "--config", str(config), "--explain"])
    (project / "bench.py").write_text("# another one\n")
    monkeypatch.setattr(cli, "RealLab", lambda _: FakeLab(killed))

    code = cli._run(["run", "--config", str(config)])

    assert code == ExitCode.CONTROL_FAILED
    told = f"CONTRADICTION: {asked[0][0]} was killed, and is proved equivalent"
    assert told in capsys.readouterr().err.replace("\n", " ")


def test_few_tests_are_chosen_that_kill_all() -> None:
    killed = {
        "a": ("kills_a", "kills_c"),
        "b": ("kills_b", "kills_c"),
        "c": ("kills_c",),
        "d": ("kills_d",),
        # Its own test does not kill it: nothing is claimed.
        "e": ("kills_d",),
    }
    own = {name: f"kills_{name}" for name in killed}
    assert _fewest(killed, own) == {"kills_c": {"a", "b", "c"}, "kills_d": {"d"}}
    assert _fewest({}, {}) == {}
