# SPDX-License-Identifier: Apache-2.0
"""The JSON report is what the published format says, whatever names and texts it holds."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from pydantic import ValidationError

from cocotb_mutants.errors import MutantsError
from cocotb_mutants.mutant import Mutant
from cocotb_mutants.protocol import TestResult
from cocotb_mutants.report.files import write
from cocotb_mutants.report.json_report import build, render
from cocotb_mutants.report.results import Outcome, Results
from cocotb_mutants.report.schema import Report
from cocotb_mutants.verdict import State, Verdict
from tests.mutants.unit.samples import failed, mutant, outcome, passed

HOSTILE = "</script><b>\"&'\n\r\t\\é漢\U0001f600\udc80\x00\x1b[31m\u2028"
TEXT = b"\xef\xbb\xbfmodule a; // \xb5 <&>\"'\r\n  assign y = a + b;\r\nendmodule\r\n"

PUBLISHED: dict[str, Any] = {
    "required": ["schemaVersion", "thresholds", "files"],
    "properties": {
        "schemaVersion": {"type": "string", "pattern": r"^([1-2]\d*|0)(\.(([1-9]\d*)|0)){0,2}$"},
        "thresholds": {
            "required": ["high", "low"],
            "additionalProperties": {"type": "integer", "minimum": 0, "maximum": 100},
        },
        "files": {
            "type": "object",
            "additionalProperties": {
                "required": ["language", "source", "mutants"],
                "properties": {
                    "language": {"type": "string"},
                    "source": {"type": "string"},
                    "mutants": {
                        "type": "array",
                        "uniqueItems": True,
                        "items": {"$ref": "#/definitions/mutant"},
                    },
                },
            },
        },
        "testFiles": {
            "type": "object",
            "additionalProperties": {
                "required": ["tests"],
                "properties": {
                    "source": {"type": "string"},
                    "tests": {
                        "type": "array",
                        "items": {
                            "required": ["id", "name"],
                            "additionalProperties": {"type": "string"},
                        },
                    },
                },
            },
        },
        "config": {"type": "object"},
        "projectRoot": {"type": "string"},
        "performance": {
            "required": ["setup", "initialRun", "mutation"],
            "additionalProperties": {"type": "number"},
        },
        "framework": {
            "required": ["name"],
            "properties": {
                "name": {"type": "string"},
                "version": {"type": "string"},
                "dependencies": {"additionalProperties": {"type": "string"}},
            },
        },
    },
    "definitions": {
        "mutant": {
            "type": "object",
            "required": ["id", "mutatorName", "location", "status"],
            "properties": {
                **{
                    name: {"type": "string"}
                    for name in ("id", "mutatorName", "replacement", "description", "statusReason")
                },
                **{
                    name: {"type": "array", "items": {"type": "string"}}
                    for name in ("coveredBy", "killedBy")
                },
                "duration": {"type": "number"},
                "testsCompleted": {"type": "number"},
                "static": {"type": "boolean"},
                "status": {
                    "enum": [
                        "Killed",
                        "Survived",
                        "NoCoverage",
                        "CompileError",
                        "RuntimeError",
                        "Timeout",
                        "Ignored",
                        "Pending",
                    ]
                },
                "location": {
                    "required": ["start", "end"],
                    "additionalProperties": {
                        "required": ["line", "column"],
                        "additionalProperties": {"type": "integer", "minimum": 1},
                    },
                },
            },
        }
    },
}
"""The facts of the published format, kept apart from our types so that both must agree."""


SKIPPED = TestResult("t.later", "skipped")


def killed(each: Mutant, **other: Any) -> Outcome:
    verdict = Verdict(
        State.KILLED, "t.one failed: 1 != 2", target="a", test="t.one", message="1 != 2", **other
    )
    return Outcome(each, verdict, {"a": verdict})


def results(*outcomes: Outcome, **other: Any) -> Results:
    return Results(outcomes, {"rtl/a.sv": TEXT}, **other)


def hostile() -> Results:
    each = mutant(TEXT, "a + b", HOSTILE, name=HOSTILE, reason=HOSTILE)
    verdict = Verdict(State.KILLED, HOSTILE, HOSTILE, HOSTILE, HOSTILE, "assertion")
    return results(
        Outcome(each, verdict, {HOSTILE: verdict}, {HOSTILE: (HOSTILE,)}),
        tests={HOSTILE: (HOSTILE,)},
        test_sources={HOSTILE: HOSTILE, "": HOSTILE},
        config={HOSTILE: [HOSTILE, Path("x"), {"b", "a"}, None, 1.5, True]},
        tools={"cocotb-mutants": "0.1", "cocotb": "2.1"},
        timing={"setup": 1.0, "golden": 0.5, "mutants": 2.0},
    )


def published(found: Results) -> dict[str, Any]:
    """The report as a viewer reads it, after it was found to be as published."""
    text = render(found)
    text.encode()
    data: dict[str, Any] = json.loads(text)
    jsonschema.Draft7Validator(PUBLISHED).validate(data)
    return data


def only_mutant(found: Results) -> dict[str, Any]:
    (file,) = published(found)["files"].values()
    (each,) = file["mutants"]
    assert isinstance(each, dict)
    return each


@pytest.mark.parametrize("found", [results(), hostile()], ids=["empty", "hostile"])
def test_a_report_is_valid_by_the_published_format_and_by_our_types(found: Results) -> None:
    data = published(found)

    jsonschema.validate(data, Report.model_json_schema(by_alias=True))
    assert Report.model_validate_json(render(found)) == build(found)


@pytest.mark.parametrize("state", State)
def test_every_state_has_its_published_word(state: State) -> None:
    found = results(outcome(mutant(TEXT, "+", "-"), state))

    assert only_mutant(found)["status"] == state.published


def test_our_types_have_every_required_name_of_the_published_format() -> None:
    ours = Report.model_json_schema(by_alias=True)

    assert set(ours["properties"]) == {"$schema", *PUBLISHED["properties"]}
    assert set(ours["$defs"]["MutantResult"]["properties"]) == set(
        PUBLISHED["definitions"]["mutant"]["properties"]
    )


@pytest.mark.parametrize(
    "change",
    [
        {"extra": 1},
        {"schemaVersion": "3"},
        {"thresholds": {"high": 101, "low": 0}},
        {"thresholds": {"high": 80}},
        {"files": {"x": {"language": "systemverilog", "source": ""}}},
    ],
    ids=str,
)
def test_a_key_or_a_value_that_the_format_does_not_have_is_an_error(change: Any) -> None:
    data = {**json.loads(render(results())), **change}

    with pytest.raises(ValidationError):
        Report.model_validate(data)


def test_hostile_names_come_back_as_they_were_but_for_broken_characters() -> None:
    data = published(hostile())
    each = data["files"]["rtl/a.sv"]["mutants"][0]
    sane = HOSTILE.replace("\udc80", "\ufffd")

    assert each["id"] == each["replacement"] == sane
    assert each["description"].endswith(sane)
    assert each["killedBy"] == each["coveredBy"] == [f"{sane}: {sane}"]
    (file,) = data["testFiles"].values()
    assert file["tests"] == [{"id": f"{sane}: {sane}", "name": f"{sane} [{sane}]"}]
    assert data["config"] == {sane: [sane, "x", ["a", "b"], None, 1.5, True]}


def test_a_source_stands_in_the_report_as_it_is_read() -> None:
    file = published(results(outcome(mutant(TEXT, "+", "-"), State.SURVIVED)))["files"]["rtl/a.sv"]

    assert file["language"] == "systemverilog"
    assert file["source"].startswith("module a; // \ufffd <&>\"'\r\n")
    (each,) = file["mutants"]
    assert each["location"] == {
        "start": {"line": 2, "column": 16},
        "end": {"line": 2, "column": 17},
    }
    line = file["source"].splitlines()[1]
    assert line[15:16] == "+"


def test_a_mutant_says_what_it_is_and_what_became_of_it() -> None:
    each = mutant(TEXT, "+", "-", name="a-1", reason="sums matter")

    assert only_mutant(
        results(killed(each, wall_s=0.25, tests=(passed("t.zero"), failed("t.one"))))
    )["killedBy"] == ["a: t.one"]
    found = only_mutant(results(outcome(each, State.SURVIVED, "2 tests ran", wall_s=0.25)))
    assert found == {
        "id": "a-1",
        "mutatorName": "arithmetic",
        "location": {"start": {"line": 2, "column": 16}, "end": {"line": 2, "column": 17}},
        "status": "Survived",
        "replacement": "-",
        "description": "+ -> -: sums matter",
        "statusReason": "survived: 2 tests ran",
        "testsCompleted": 0,
        "duration": 250.0,
    }


def test_a_mutant_belongs_to_its_file() -> None:
    other = mutant(b"x = y;", "y", "z", file="rtl/b.sv")
    found = Results(
        (outcome(mutant(TEXT, "+", "-"), State.KILLED), outcome(other, State.KILLED)),
        {"rtl/a.sv": TEXT, "rtl/b.sv": b"x = y;", "rtl/c.sv": b""},
    )

    files = published(found)["files"]

    assert [len(file["mutants"]) for file in files.values()] == [1, 1, 0]
    assert files["rtl/b.sv"]["mutants"][0]["replacement"] == "z"


def test_the_reason_of_a_kill_holds_the_whole_message_once() -> None:
    each = mutant(TEXT, "+", "-")
    verdict = Verdict(State.KILLED, "t.one failed: 1 != 2", "a", "t.one", "1 != 2\nat time 3")

    assert only_mutant(results(killed(each)))["statusReason"] == "killed: t.one failed: 1 != 2"
    assert only_mutant(results(Outcome(each, verdict, {"a": verdict})))["statusReason"] == (
        "killed: t.one failed: 1 != 2\n1 != 2\nat time 3"
    )


def test_several_targets_each_say_why() -> None:
    survived = Verdict(State.SURVIVED, "1 test ran", target="a")
    idle = Verdict(State.NOT_ACTIVATED, "never differed", target="b")
    each = Outcome(mutant(TEXT, "+", "-"), survived, {"a": survived, "b": idle})

    assert only_mutant(results(each))["statusReason"] == (
        "survived: a: 1 test ran; b: never differed"
    )


def test_a_kill_in_one_of_several_targets_is_told_alone() -> None:
    one = killed(mutant(TEXT, "+", "-"), tests=(passed("t.zero"), failed("t.one")))
    each = Outcome(
        one.mutant,
        one.verdict,
        {
            **one.by_target,
            "b": Verdict(State.SURVIVED, "1 test ran", tests=(passed("t.one"), SKIPPED)),
        },
        {"a": ("t.zero", "t.one"), "b": ("t.one",)},
    )

    found = only_mutant(results(each))

    assert found["statusReason"] == "killed: t.one failed: 1 != 2"
    assert found["killedBy"] == ["a: t.one"]
    assert found["coveredBy"] == ["a: t.zero", "a: t.one", "b: t.one"]
    assert found["testsCompleted"] == 3


def test_tests_are_listed_by_module_once_for_each_target() -> None:
    found = results(
        tests={"a[W=4]": ("tb.t.one", "tb.t.two/x=1.5"), "a[W=8]": ("tb.t.one",)},
        test_sources={"tb.t": "import cocotb\n"},
    )

    assert published(found)["testFiles"] == {
        "tb.t": {
            "tests": [
                {"id": "a[W=4]: tb.t.one", "name": "tb.t.one [a[W=4]]"},
                {"id": "a[W=4]: tb.t.two/x=1.5", "name": "tb.t.two/x=1.5 [a[W=4]]"},
                {"id": "a[W=8]: tb.t.one", "name": "tb.t.one [a[W=8]]"},
            ],
            "source": "import cocotb\n",
        }
    }


@pytest.mark.parametrize(
    ("fail_under", "thresholds"),
    [
        (None, {"high": 80, "low": 60}),
        (70.5, {"high": 80, "low": 70}),
        (95.0, {"high": 95, "low": 95}),
        (0.0, {"high": 80, "low": 0}),
    ],
)
def test_the_threshold_is_the_one_that_was_asked_for(
    fail_under: float | None, thresholds: dict[str, int]
) -> None:
    assert published(results(fail_under=fail_under))["thresholds"] == thresholds


def test_tools_and_times_are_in_the_report() -> None:
    data = published(hostile())

    assert data["framework"] == {
        "name": "cocotb-mutants",
        "version": "0.1",
        "dependencies": {"cocotb": "2.1"},
    }
    assert data["performance"] == {"setup": 1000.0, "initialRun": 500.0, "mutation": 2000.0}
    assert "performance" not in published(results())
    for name, published_name in (
        ("setup", "setup"),
        ("golden", "initialRun"),
        ("mutants", "mutation"),
    ):
        times = published(results(timing={name: 1.0}))["performance"]
        assert times == {"setup": 0.0, "initialRun": 0.0, "mutation": 0.0, published_name: 1000.0}


def test_a_report_is_written_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "very" / "deep" / "report.json"
    replace, seen = Path.replace, []

    def spied(self: Path, target: Path) -> Path:
        seen.append(self.read_text(encoding="utf-8"))
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", spied)

    write(path, "é\n")
    write(path, "new\n")

    assert seen == ["é\n", "new\n"]
    assert path.read_bytes() == b"new\n"
    assert os.listdir(path.parent) == ["report.json"]  # noqa: PTH208
    assert path.stat().st_mode & 0o777 == 0o644


def test_a_report_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    write(path, "old\n")

    with pytest.raises(UnicodeEncodeError):
        write(path, "\udc80")

    assert path.read_text(encoding="utf-8") == "old\n"
    assert os.listdir(tmp_path) == ["report.json"]  # noqa: PTH208


def test_a_report_with_no_place_to_go_is_named(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.mkdir()

    with pytest.raises(MutantsError, match=r"cannot write .*report.json: Is a directory"):
        write(path, "x")

    assert os.listdir(tmp_path) == ["report.json"]  # noqa: PTH208
