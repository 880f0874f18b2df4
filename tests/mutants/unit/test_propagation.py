# SPDX-License-Identifier: Apache-2.0
"""How far a fault came: comparing two runs signal by signal, and the sentence about it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cocotb_mutants.inside.differences import Comparer, Recorder, load
from cocotb_mutants.propagation import Propagation, _propagation, module_outputs
from cocotb_mutants.protocol import Difference, RunReport, TestResult
from cocotb_mutants.source import Sources, elaborate

Samples = list[tuple[int, list[str]]]


def compared(
    tmp_path: Path,
    original: Samples,
    mutant: Samples,
    end: int,
    tests: tuple[tuple[int, str], ...] = ((0, "one"), (7, "two"), (50, "three")),
) -> list[Difference]:
    """The differences of two runs with signals a, b, ..., of which the first is an output."""
    path = tmp_path / "original"
    names = "abcdef"[: len(original[0][1])]
    recorder = Recorder(str(path), names)
    for time, values in original:
        recorder.sample(time, list(values))
    recorder.finish(0)
    load.cache_clear()
    comparer = Comparer(load(str(path)), names, outputs="a")
    for start, test in tests:
        comparer.begin(start, test)
    for time, values in mutant:
        comparer.sample(time, list(values))
    return list(comparer.finish(end + 1))


def test_equal_runs_do_not_differ(tmp_path: Path) -> None:
    run: Samples = [(0, ["0", "x"]), (5, ["1", "x"]), (9, ["1", "1"])]
    assert compared(tmp_path, run, run, 20) == []


@pytest.mark.parametrize(
    ("mutant", "end", "expected"),
    [
        ([(0, ["0"]), (5, ["0"]), (9, ["0"])], 20, (5, "1", "0")),  # a change that is missing
        ([(0, ["0"]), (5, ["1"]), (9, ["1"])], 20, (9, "0", "1")),  # the last one is missing
        ([(0, ["0"]), (5, ["2"])], 20, (5, "1", "2")),  # another value
        ([(0, ["0"]), (3, ["1"])], 20, (3, "0", "1")),  # too early
        ([(0, ["0"]), (6, ["1"])], 20, (5, "1", "0")),  # too late
        ([(0, ["1"])], 20, (0, "0", "1")),  # from the beginning
        ([(0, ["0"]), (5, ["1"])], 8, None),  # the run ended before the original's next change
        ([(0, ["0"]), (5, ["1"]), (9, ["0"]), (12, ["1"])], 20, (12, "0", "1")),  # one too many
    ],
)
def test_the_first_difference_has_its_time_and_values(
    tmp_path: Path, mutant: Samples, end: int, expected: tuple[int, str, str] | None
) -> None:
    original: Samples = [(0, ["0"]), (5, ["1"]), (9, ["0"])]
    found = [(d.time, d.original, d.mutant) for d in compared(tmp_path, original, mutant, end)]
    assert found == ([expected] if expected else [])


def test_each_signal_has_its_own_first_difference_the_earliest_first(tmp_path: Path) -> None:
    original: Samples = [(0, ["0", "0"]), (5, ["0", "1"])]
    mutant: Samples = [(0, ["0", "0"]), (2, ["0", "1"]), (7, ["1", "1"]), (8, ["0", "0"])]
    found = compared(tmp_path, original, mutant, 20)
    assert [(d.signal, d.is_output, d.time, d.test) for d in found] == [
        ("b", False, 2, "one"),
        ("a", True, 7, "two"),
    ]


def test_a_missed_pulse_belongs_to_the_test_in_which_it_was(tmp_path: Path) -> None:
    original: Samples = [(0, ["0"]), (3, ["1"]), (4, ["0"]), (60, ["1"])]
    mutant: Samples = [(0, ["0"]), (60, ["1"])]
    (found,) = compared(tmp_path, original, mutant, 90)
    assert (found.time, found.test, found.original, found.mutant) == (3, "one", "1", "0")


def test_signals_are_compared_by_their_names(tmp_path: Path) -> None:
    path = tmp_path / "original"
    recorder = Recorder(str(path), ["a", "b"])
    recorder.sample(0, ["0", "1"])
    recorder.finish(0)
    load.cache_clear()
    comparer = Comparer(load(str(path)), ["b", "new", "a"], outputs=["b"])
    comparer.sample(0, ["1", "7", "0"])
    comparer.sample(5, ["1", "8", "1"])
    assert [(d.signal, d.is_output) for d in comparer.finish(9)] == [("a", False)]


runs = st.lists(st.tuples(st.integers(0, 30), st.sampled_from("01")), max_size=8)


@settings(max_examples=300, deadline=None)
@given(runs, runs, st.integers(0, 35))
def test_it_is_the_first_time_step_at_which_two_signals_differ(
    tmp_path_factory: pytest.TempPathFactory,
    left: list[tuple[int, str]],
    right: list[tuple[int, str]],
    end: int,
) -> None:
    def samples(changes: list[tuple[int, str]], until: int) -> Samples:
        found: Samples = [(-1, ["0"])]
        for time, value in sorted(dict(changes).items()):
            if time <= until and value != found[-1][1][0]:
                found.append((time, [value]))
        return found

    def at(run: Samples, time: int) -> str:
        return [values[0] for when, values in run if when <= time][-1]

    original, mutant = samples(left, 99), samples(right, end)
    wanted = next((t for t in range(end + 1) if at(original, t) != at(mutant, t)), None)
    found = compared(tmp_path_factory.mktemp("r"), original, mutant, end)
    assert [d.time for d in found] == ([] if wanted is None else [wanted])
    for each in found:
        assert (each.original, each.mutant) == (at(original, each.time), at(mutant, each.time))


ENDED = TestResult("bench.a", "passed")
GOLDEN = RunReport(0, tests=(ENDED,), complete=True)
INNER = Difference("t.u.q", False, 1500, "bench.a", "0", "1")
OUTER = Difference("full", True, 20000, "bench.a", "00", "x1")
LATER = Difference("empty", True, 30000, "bench.a", "1", "0")


def of(*differences: Difference, precision: int = -12, **changes: object) -> Propagation:
    report = replace(GOLDEN, differences=differences, precision=precision)
    return _propagation(replace(report, **changes), GOLDEN)  # type: ignore[arg-type]


def test_how_far_it_came() -> None:
    assert of().reach == "nowhere"
    assert of(INNER).reach == "module"
    assert of(INNER, OUTER, LATER).reach == "top"
    assert of(OUTER, complete=False).reach == "unsteady"
    assert of(OUTER, tests=(replace(ENDED, status="failed"),)).reach == "unsteady"


@pytest.mark.parametrize(
    ("found", "story"),
    [
        (
            of(),
            "no output ever differed, neither its module's nor the top's: a stimulus is missing",
        ),
        (
            of(unseen=("t.u.q", "t.u.r")),
            "no output ever differed, neither its module's nor the top's (t.u.q, t.u.r could not "
            "be watched): a stimulus is missing",
        ),
        (
            of(INNER),
            "t.u.q was 1 instead of 0, first at 1500 ps in bench.a, and no output of the top "
            "differed: a stimulus is missing",
        ),
        (
            of(INNER, OUTER, LATER),
            "full was x1 instead of 00, first at 20 ns in bench.a (then empty), and no check "
            "noticed: a check is missing",
        ),
        (
            of(OUTER, complete=False),
            "how far it came cannot be told: the tests did not end as they had before",
        ),
    ],
)
def test_a_story_names_the_output_and_the_test(found: Propagation, story: str) -> None:
    assert found.story == story
    assert Propagation.from_json(found.to_json()) == found


@pytest.mark.parametrize(
    ("steps", "precision", "time"),
    [
        (0, -12, "0 ps"),
        (1, -9, "1 ns"),
        (1000, -9, "1 us"),
        (1500, -9, "1500 ns"),
        (10, -15, "10 fs"),
        (20, -10, "2 ns"),
        (3, -10, "300 ps"),
        (5, 0, "5 s"),
    ],
)
def test_times_are_whole_numbers_with_a_unit(steps: int, precision: int, time: str) -> None:
    assert of(replace(OUTER, time=steps), precision=precision).time == time


def test_outputs_of_instances_are_found_by_their_module(tmp_path: Path) -> None:
    (tmp_path / "t.sv").write_text(
        "module s(input logic a, output logic q, inout wire w); assign q = a; endmodule\n"
        "module other(input logic a, output logic q); assign q = a; endmodule\n"
        "module t(input logic a, output logic x, y, z, inout wire w, v);\n"
        "s u1(.a(a), .q(x), .w(w)); for (genvar i = 0; i < 1; i++) begin : g\n"
        "s u2(.a(a), .q(y), .w(v)); end\nother u3(.a(a), .q(z)); endmodule\n"
    )
    design = elaborate(Sources(tmp_path, ("t.sv",), "t"))
    assert design.errors == ()
    assert module_outputs(design, {"s"}) == ("t.u1.q", "t.u1.w", "t.g[0].u2.q", "t.g[0].u2.w")
    assert module_outputs(design, {"t"}) == ()
