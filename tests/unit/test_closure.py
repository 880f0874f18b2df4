# SPDX-License-Identifier: Apache-2.0
"""Coverage closure: reading, merging, exporting, and the goals."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from cocotb_coverage.coverage import coverage_db
from rich.console import Console

from tb.closure import (
    GOAL_PCT,
    Figures,
    Point,
    Ratio,
    _figures,
    _lcov,
    _line_counts,
    _lines,
    _merge_code,
    _of_kind,
    _ratio,
    close,
    read_verilator_coverage,
)
from tb.coverage import CROSSED, Points
from tb.errors import ExitCode
from tb.run import Job
from tests.unit.support import EVICTION, plant, printed, write

RTL = "rtl/fleet/eviction_policy.sv"


def record(count: int, **keys: str | int) -> str:
    """A line of a Verilator coverage file."""
    pairs = "".join(f"\x01{key}\x02{value}" for key, value in keys.items())
    return f"C '{pairs}' {count}\n"


def point(
    line: int = 1, kind: str = "line", label: str = "block", lines: str = "1", file: str = RTL
) -> Point:
    return Point(file, line, 3, kind, label, lines)


def read(path: Path, text: str) -> list[tuple[dict[str, str], int]]:
    return list(read_verilator_coverage(write(path / "coverage.dat", text)))


def test_a_point_is_read_with_its_keys_and_count(tmp_path: Path) -> None:
    text = "# SystemC::Coverage-3\n" + record(12, f="a.sv", l=7, n=3, t="line", o="block", S="7-9")
    assert read(tmp_path, text) == [
        ({"f": "a.sv", "l": "7", "n": "3", "t": "line", "o": "block", "S": "7-9"}, 12)
    ]


def test_points_are_read_in_their_order_and_blank_lines_skipped(tmp_path: Path) -> None:
    text = record(0, o="one") + "\n" + record(1, o="two") + "# a comment\n" + record(2, o="three")
    assert [(keys["o"], count) for keys, count in read(tmp_path, text)] == [
        ("one", 0),
        ("two", 1),
        ("three", 2),
    ]


@pytest.mark.parametrize(
    "label",
    [
        # a sized constant
        "if (state == 3'd0)",
        # the end of a record, inside a label
        "x' 5",
        # the sign between a key and its value
        "a\x02b",
        # spaces and other signs
        'a && !b ? "c" : d',
        # empty
        "",
    ],
)
def test_a_label_may_hold_anything(tmp_path: Path, label: str) -> None:
    [(keys, count)] = read(tmp_path, record(3, o=label, h="top.u_correct"))
    assert (keys, count) == ({"o": label, "h": "top.u_correct"}, 3)


def test_a_count_at_the_end_of_a_file_without_a_line_end_is_read(tmp_path: Path) -> None:
    assert read(tmp_path, record(12345, o="x").rstrip("\n")) == [({"o": "x"}, 12345)]


@pytest.mark.parametrize(
    "line",
    [
        # another kind of file
        "DA:1,2",
        # the count is missing
        "C '\x01f\x02a.sv' \n",
        # the count is no number
        "C '\x01f\x02a.sv' many\n",
        # something after the count
        "C '\x01f\x02a.sv' 1 2\n",
        # the quote is not closed
        "C '\x01f\x02a.sv 1\n",
        # a key without a value
        "C '\x01f' 1\n",
    ],
)
def test_a_line_of_another_form_is_an_error_with_its_place(tmp_path: Path, line: str) -> None:
    with pytest.raises(ValueError, match=r"coverage\.dat:2 is not a coverage point: "):
        read(tmp_path, record(1, o="good") + line)


@pytest.mark.parametrize(
    ("ranges", "lines"),
    [
        ("61", [61]),
        ("61-63", [61, 62, 63]),
        ("61-63,70", [61, 62, 63, 70]),
        ("5,7-8,10", [5, 7, 8, 10]),
        ("4-4", [4]),
        # a point that speaks for no line
        ("", []),
    ],
)
def test_line_ranges_are_spelt_out(ranges: str, lines: list[int]) -> None:
    assert _lines(ranges) == lines


def test_a_line_ran_as_often_as_the_busiest_point_on_it() -> None:
    counts = {
        point(61, "line", "block", "61-63"): 5,
        point(62, "branch", "if", "62"): 9,
        point(63, "branch", "else", "63"): 0,
        point(70, "line", "block", "70"): 0,
    }
    assert _line_counts(counts, RTL) == {61: 5, 62: 9, 63: 5, 70: 0}


@pytest.mark.parametrize(
    "other",
    [
        # a toggle says nothing about lines
        point(8, "toggle", "clk:0->1", "8"),
        # a line of another file
        point(8, "line", "block", "8", file="rtl/fleet/other.sv"),
    ],
)
def test_other_points_say_nothing_about_the_lines_of_a_file(other: Point) -> None:
    assert _line_counts({point(1): 1, other: 1}, RTL) == {1: 1}


def test_points_of_a_kind_come_in_the_order_of_the_file() -> None:
    counts = {
        point(9, "branch", "else"): 1,
        point(3, "branch", "if"): 2,
        point(2, "toggle", "a"): 3,
        point(1, "branch", "if", file="rtl/fleet/other.sv"): 4,
    }
    found = _of_kind(counts, RTL, "branch")
    assert [(each.line, count) for each, count in found.items()] == [(3, 2), (9, 1)]


def test_a_ratio_is_told_in_percent_and_in_numbers() -> None:
    assert str(Ratio(2, 3)) == "66.7 % (2/3)"
    assert _ratio([0, 7, 1, 0]) == Ratio(2, 4)


def test_the_lcov_file_of_one_branch_and_two_lines() -> None:
    counts = {
        point(4, "line", "block", "4"): 2,
        point(5, "branch", "if", "5-6"): 2,
        point(5, "branch", "else", "7"): 0,
        point(1, "toggle", "clk:0->1", ""): 8,
    }
    assert _lcov(counts) == (
        "TN:\n"
        "SF:rtl/fleet/eviction_policy.sv\n"
        "BRDA:5,3,0,0\n"
        "BRDA:5,3,1,2\n"
        "BRF:2\n"
        "BRH:1\n"
        "DA:4,2\n"
        "DA:5,2\n"
        "DA:6,2\n"
        "DA:7,0\n"
        "LF:4\n"
        "LH:3\n"
        "end_of_record\n"
    )


def test_the_lcov_file_has_a_record_for_each_source() -> None:
    counts = {point(file="rtl/b.sv"): 1, point(file="rtl/a.sv"): 0}
    text = _lcov(counts)
    assert text.count("end_of_record\n") == 2
    assert text.index("SF:rtl/a.sv") < text.index("LF:1\nLH:0") < text.index("SF:rtl/b.sv")
    assert text.endswith("LF:1\nLH:1\nend_of_record\n")


def test_nothing_covered_is_an_empty_lcov_file() -> None:
    assert _lcov({}) == ""


FULL = Ratio(100, 100)


def figures(
    functional: Ratio = FULL, line: Ratio = FULL, branch: Ratio = FULL, toggle: Ratio = FULL
) -> Figures:
    return Figures(functional, line, branch, toggle, missed=(), untoggled=())


def test_full_figures_are_not_below_their_goals() -> None:
    assert figures().below_goal() == []


@pytest.mark.parametrize(
    ("reached", "short"),
    [
        # functional coverage has to be complete
        (figures(functional=Ratio(99, 100)), ["functional 99.0 % (99/100)"]),
        # code coverage has a goal: reached, and one point below
        (figures(line=Ratio(GOAL_PCT, 100)), []),
        (figures(line=Ratio(GOAL_PCT - 1, 100)), ["line 97.0 % (97/100)"]),
        (figures(branch=Ratio(GOAL_PCT, 100)), []),
        (figures(branch=Ratio(0, 100)), ["branch 0.0 % (0/100)"]),
        # toggles have no goal
        (figures(toggle=Ratio(0, 100)), []),
        # nothing to cover means that a file is broken
        (figures(functional=Ratio(0, 0)), ["functional 100.0 % (0/0)"]),
        (figures(line=Ratio(0, 0)), ["line 100.0 % (0/0)"]),
        (figures(branch=Ratio(0, 0)), ["branch 100.0 % (0/0)"]),
        # several at once
        (
            figures(functional=Ratio(0, 1), branch=Ratio(1, 2)),
            ["functional 0.0 % (0/1)", "branch 50.0 % (1/2)"],
        ),
    ],
)
def test_what_falls_short_of_its_goal_is_named(reached: Figures, short: list[str]) -> None:
    assert reached.below_goal() == short


def code(rtl: Path, instance: str, *, taken: int, other: int, toggled: int = 1) -> str:
    """What Verilator counts in one instance of a tiny module."""
    at = {"f": str(rtl), "h": f"pair.{instance}"}
    return (
        record(taken + other, **at, l=4, n=3, t="line", o="block", S="4")
        + record(taken, **at, l=5, n=3, t="branch", o="if", S="5-6")
        + record(other, **at, l=5, n=4, t="branch", o="else", S="8")
        + record(toggled, **at, l=1, n=9, t="toggle", o="clk:0->1")
        + record(
            9, **{**at, "f": f"{rtl.parent}/eviction_policy_pair.sv"}, l=1, n=1, t="line", o="x"
        )
    )


def ran(job: Job, text: str) -> Job:
    """Leave *text* as the code coverage of *job*."""
    write(job.folder / "coverage.dat", f"# SystemC::Coverage-3\n{text}")
    return job


ICARUS, VERILATOR = Job(EVICTION, "icarus"), Job(EVICTION, "verilator")


def test_points_of_two_instances_are_merged(checkout: Path) -> None:
    rtl = plant().rtl
    job = ran(
        VERILATOR,
        code(rtl, "u_correct", taken=3, other=0, toggled=2)
        + code(rtl, "u_broken", taken=1, other=5, toggled=0),
    )
    assert {
        (each.line, each.kind, each.label, each.lines): count
        for each, count in _merge_code([job]).items()
    } == {
        (4, "line", "block", "4"): 9,
        (5, "branch", "if", "5-6"): 4,
        (5, "branch", "else", "8"): 5,
        (1, "toggle", "clk:0->1", ""): 2,
    }


def test_files_are_named_from_the_root_of_the_checkout(checkout: Path) -> None:
    rtl = plant().rtl
    job = ran(VERILATOR, code(rtl, "u_correct", taken=1, other=1))
    assert {each.file for each in _merge_code([job])} == {RTL}


def test_only_verilator_counts_code(checkout: Path) -> None:
    plant()
    assert _merge_code([ICARUS]) == {}


def covered(job: Job, levels: list[int]) -> Job:
    """Leave the functional coverage of a run that saw these levels."""
    coverage_db.clear()
    CROSSED.clear()
    points = Points(EVICTION)
    points.values("level", lambda v: v.level, [0, 1])
    points.values("odd", lambda v: v.level % 2, [0, 1])
    points.cross("both", "level", "odd", never=[(0, 1), (1, 0)])
    sample = points.sampler()
    for level in levels:
        sample(SimpleNamespace(level=level))
    job.folder.mkdir(parents=True, exist_ok=True)
    coverage_db.export_to_xml(str(job.folder / "coverage.xml"))
    write(job.folder / "record.json", json.dumps({"crossed": CROSSED}))
    return job


@pytest.mark.usefixtures("fresh_coverage")
class TestClose:
    def test_full_coverage_reaches_its_goals(self, checkout: Path, console: Console) -> None:
        rtl = plant().rtl
        job = covered(ran(VERILATOR, code(rtl, "u_correct", taken=1, other=1)), [0, 1])
        assert close([job], console) is ExitCode.OK
        assert "missed" not in printed(console)
        assert "below its goal" not in printed(console)

    def test_all_four_files_are_written_and_named(self, checkout: Path, console: Console) -> None:
        rtl = plant().rtl
        close([covered(ran(VERILATOR, code(rtl, "u_correct", taken=1, other=1)), [0])], console)
        files = {"functional.xml", "functional.ucis.xml", "code.info", "summary.json"}
        assert {path.name for path in (checkout / "sim_build/coverage").iterdir()} == files
        for name in files:
            assert f"wrote sim_build/coverage/{name}" in printed(console).splitlines()

    def test_what_was_missed_is_listed_by_place(self, checkout: Path, console: Console) -> None:
        rtl = plant().rtl
        job = covered(ran(VERILATOR, code(rtl, "u_correct", taken=1, other=0)), [0])
        assert close([job], console) is ExitCode.GOAL_MISSED
        assert [line for line in printed(console).splitlines() if line.startswith("missed: ")] == [
            f"missed: {RTL}:8 never ran",
            f"missed: {RTL}:5 else never taken",
            "missed: bin fleet.evp.level[1] never hit",
            "missed: bin fleet.evp.odd[1] never hit",
            "missed: bin fleet.evp.both[(1, 1)] never hit",
        ]
        assert [line for line in printed(console).splitlines() if line.startswith("below")] == [
            "below its goal: eviction_policy: functional 50.0 % (3/6)",
            "below its goal: eviction_policy: line 75.0 % (3/4)",
            "below its goal: eviction_policy: branch 50.0 % (1/2)",
        ]

    def test_what_one_run_missed_another_may_have_hit(
        self, checkout: Path, console: Console
    ) -> None:
        rtl = plant().rtl
        jobs = [
            covered(ran(VERILATOR, code(rtl, "u_correct", taken=1, other=1)), [0]),
            covered(ICARUS, [1]),
        ]
        assert close(jobs, console) is ExitCode.OK

    def test_the_summary_holds_the_figures_of_each_module(
        self, checkout: Path, console: Console
    ) -> None:
        rtl = plant().rtl
        close([covered(ran(VERILATOR, code(rtl, "u_correct", taken=1, other=0)), [0, 1])], console)
        summary = json.loads((checkout / "sim_build/coverage/summary.json").read_text())
        assert summary == {
            "eviction_policy": {
                "functional": {"hit": 6, "of": 6},
                "line": {"hit": 3, "of": 4},
                "branch": {"hit": 1, "of": 2},
                "toggle": {"hit": 1, "of": 1},
                "missed": [f"{RTL}:8 never ran", f"{RTL}:5 else never taken"],
                "untoggled": [],
            }
        }

    def test_a_module_without_code_coverage_is_below_its_goal(
        self, checkout: Path, console: Console
    ) -> None:
        plant()
        job = covered(ran(VERILATOR, ""), [0, 1])
        assert close([job], console) is ExitCode.GOAL_MISSED
        assert "below its goal: eviction_policy: line 100.0 % (0/0)" in printed(console)

    def test_a_cross_is_exported_as_such(self, checkout: Path, console: Console) -> None:
        rtl = plant().rtl
        close([covered(ran(VERILATOR, code(rtl, "u_correct", taken=1, other=1)), [0])], console)
        ucis = (checkout / "sim_build/coverage/functional.ucis.xml").read_text()
        assert '<cross name="both"' in ucis
        assert '<coverpoint name="both"' not in ucis

    def test_files_of_an_older_closure_are_removed(self, checkout: Path, console: Console) -> None:
        rtl = plant().rtl
        old = write(checkout / "sim_build/coverage/old.xml", "")
        close([covered(ran(VERILATOR, code(rtl, "u_correct", taken=1, other=1)), [0])], console)
        assert not old.exists()


def test_the_figures_of_a_module_leave_out_those_of_others(checkout: Path) -> None:
    plant()
    xml = write(
        checkout / "functional.xml",
        '<top abs_name="top" size="9" coverage="1"><fleet abs_name="top.fleet" size="9" '
        'coverage="1"><evp abs_name="top.fleet.evp" size="1" coverage="1"/>'
        '<evpx abs_name="top.fleet.evpx" size="8" coverage="0">'
        '<p abs_name="top.fleet.evpx.p" size="8" coverage="0" at_least="1">'
        '<bin0 abs_name="top.fleet.evpx.p.bin0" bin="0" hits="0"/></p></evpx></fleet></top>',
    )
    counts = {point(1, "line", "x", "1", file="rtl/fleet/other.sv"): 0, point(): 1}
    assert _figures(EVICTION, xml, counts) == Figures(
        functional=Ratio(1, 1),
        line=Ratio(1, 1),
        branch=Ratio(0, 0),
        toggle=Ratio(0, 0),
        missed=(),
        untoggled=(),
    )


def test_a_module_that_is_not_in_the_file_has_no_functional_coverage(checkout: Path) -> None:
    plant()
    xml = write(checkout / "functional.xml", '<top abs_name="top" size="0" coverage="0"/>')
    assert _figures(EVICTION, xml, {}).functional == Ratio(0, 0)
