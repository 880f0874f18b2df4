# SPDX-License-Identifier: Apache-2.0
"""Pictures: how values become lanes, which rows are drawn, and what is written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import tb.wavedrom
from models.ports import Build
from tb.errors import SimulationDied, UsageError
from tb.run import Job
from tb.wavedrom import _lane, _wanted, draw_rows
from tests.unit.support import EVICTION, PLAN, plant, result, write

JOB = Job(EVICTION, "icarus")


@pytest.mark.parametrize(
    ("values", "wave"),
    [
        ([0], "0"),
        ([0, 1, 0], "010"),
        # a level that stays is not drawn again
        ([1, 1, 0, 0, 0, 1], "1.0..1"),
        # an unknown bit, and one that stays unknown
        (["X", "X", 1], "x.1"),
        (["Z", 0], "x0"),
        # unknown in another way is another value
        (["X", "Z"], "xx"),
    ],
)
def test_a_single_bit_is_drawn_as_a_level(values: list[int | str], wave: str) -> None:
    assert _lane("flag", values, 1) == {"name": "flag", "wave": wave}


@pytest.mark.parametrize(
    ("values", "wave", "data"),
    [
        ([7], "=", ["7"]),
        ([7, 8, 9], "===", ["7", "8", "9"]),
        # a number that stays is written once
        ([7, 7, 8, 8, 8, 7], "=.=..=", ["7", "8", "7"]),
        # an unknown number takes no box, and the boxes after it keep their own numbers
        (["0000000X", 5], "x=", ["5"]),
        ([3, "XXXXXXXX", "XXXXXXXX", 3], "=x.=", ["3", "3"]),
        # 0 and 1 are numbers here, not levels
        ([0, 1], "==", ["0", "1"]),
    ],
)
def test_more_bits_are_drawn_as_boxes_with_numbers(
    values: list[int | str], wave: str, data: list[str]
) -> None:
    assert _lane("count", values, 8) == {"name": "count", "wave": wave, "data": data}


@pytest.mark.parametrize(
    ("rows", "wanted"),
    [
        # nothing asked for: the rows that are there to be drawn
        (None, ["W0", "W1"]),
        ("W0-W1", ["W0", "W1"]),
        ("E1-W0", ["E1", "EP", "W0"]),
        # a single row
        ("EP", ["EP"]),
        ("EP-EP", ["EP"]),
    ],
)
def test_rows_are_taken_from_first_to_last(
    checkout: Path, rows: str | None, wanted: list[str]
) -> None:
    plant()
    assert _wanted(JOB, rows) == wanted


def test_all_rows_are_drawn_where_none_is_there_to_be_drawn(checkout: Path) -> None:
    text = PLAN.replace('kind = "wave"', 'kind = "step"').replace('at = "W0+"', 'at = "E1+"')
    plant(text)
    assert _wanted(JOB, None) == ["E1", "EP", "W0", "W1"]


@pytest.mark.parametrize(
    ("rows", "wrong"),
    [
        # no such row
        ("E9", "E9"),
        # no such last row
        ("E1-E9", "E9"),
        # no such first row
        ("E9-E1", "E9"),
        # small letters
        ("w0", "w0"),
        # no first row
        ("-W1", ""),
        # an empty text is no row
        ("", ""),
        # a comma instead of a dash
        ("W0,W1", "W0,W1"),
    ],
)
def test_an_unknown_row_is_refused_with_the_known_ones(
    checkout: Path, rows: str, wrong: str
) -> None:
    plant()
    with pytest.raises(UsageError) as caught:
        _wanted(JOB, rows)
    assert str(caught.value) == (
        f"eviction_policy has no row {wrong!r}; its rows are E1, EP, W0, W1"
    )


def test_rows_from_last_to_first_are_refused(checkout: Path) -> None:
    # There would be nothing to draw.
    plant()
    with pytest.raises(UsageError, match="W1"):
        _wanted(JOB, "W1-W0")


def recorded(*rows: str) -> dict[str, Any]:
    """What a simulation leaves of these rows; the first counter counts them."""
    outputs = {
        build.name.lower(): {
            "notice_expired": 0,
            "may_reclaim": build.value,
            "graceful": 0,
            "abrupt_eviction_err": "X",
        }
        for build in Build
    }
    return {
        "rows": {
            row: {
                "inputs": {
                    "reclaim_req": 1,
                    "tenant_acked": 0,
                    "notice_cycles": 10,
                    "elapsed_cycles": 9 + count,
                },
                "outputs": outputs,
                "after": {
                    build.name.lower(): {"n_reclaims": count, "n_forced": 10 * build.value}
                    for build in Build
                },
            }
            for count, row in enumerate(rows, 1)
        }
    }


@pytest.fixture
def simulated(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> list[Job]:
    """A simulation that drives the two wave rows; the jobs it was asked for are listed."""
    plant()
    jobs: list[Job] = []

    def run(job: Job) -> object:
        jobs.append(job)
        write(job.folder / "record.json", json.dumps(recorded("W0", "W1")))
        return result(failure="reset is stuck")

    monkeypatch.setattr(tb.wavedrom, "run", run)
    return jobs


def lanes(source: Path) -> dict[str, Any]:
    """Signals of the picture in their order, without headings."""
    found: dict[str, Any] = {}
    build = ""
    for lane in json.loads(source.read_text())["signal"]:
        if "wave" in lane:
            found[f"{build}{lane['name']}"] = (lane["wave"], lane.get("data"))
        elif lane:
            build = f"{lane['name'].split()[0].lower()}."
    return found


def test_the_picture_shows_inputs_outputs_and_counters_of_both_builds(
    checkout: Path, simulated: list[Job]
) -> None:
    svg = draw_rows(JOB, None, None)
    shown = lanes(svg.with_suffix(".json"))
    assert shown["clk"][0] == "n."
    assert shown["row"] == ("==", ["W0", "W1"])
    assert shown["elapsed_cycles"] == ("==", ["10", "11"])
    assert shown["notice_cycles"] == ("=.", ["10"])
    assert shown["correct.may_reclaim"] == ("0.", None)
    assert shown["broken.may_reclaim"] == ("1.", None)
    assert shown["broken.abrupt_eviction_err"] == ("x.", None)
    assert shown["correct.n_reclaims+"] == ("==", ["1", "2"])
    assert shown["correct.n_forced+"] == ("=.", ["0"])
    assert shown["broken.n_forced+"] == ("=.", ["10"])


def test_every_port_of_the_model_has_a_lane(checkout: Path, simulated: list[Job]) -> None:
    model = EVICTION.model()
    each = [*model.Outputs.widths(), *(f"{name}+" for name in model.State.widths())]
    assert list(lanes(draw_rows(JOB, None, None).with_suffix(".json"))) == [
        "clk",
        "row",
        *model.Inputs.widths(),
        *(f"correct.{name}" for name in each),
        *(f"broken.{name}" for name in each),
    ]


def test_the_picture_is_an_svg_named_after_its_rows(checkout: Path, simulated: list[Job]) -> None:
    svg = draw_rows(JOB, "W1", None)
    assert svg == checkout / "sim_build/waves/eviction_policy-W1-W1.svg"
    assert ElementTree.parse(svg).getroot().tag.endswith("svg")


def test_the_picture_goes_where_it_is_asked_for(checkout: Path, simulated: list[Job]) -> None:
    target = checkout / "docs" / "notice.svg"
    assert draw_rows(JOB, None, target) == target
    assert {path.name for path in target.parent.iterdir()} == {"notice.svg", "notice.json"}


def test_the_picture_says_what_it_shows(checkout: Path, simulated: list[Job]) -> None:
    source = json.loads(draw_rows(JOB, None, None).with_suffix(".json").read_text())
    assert source["head"]["text"] == "eviction_policy, rows W0 to W1"
    assert "Some Simulator 1.0" in source["foot"]["text"]


def test_only_the_plan_is_simulated(checkout: Path, simulated: list[Job]) -> None:
    draw_rows(Job(EVICTION, "icarus", seed=4), None, None)
    [job] = simulated
    assert job.only == "^tb.standard.every_check_of_the_plan_holds$"
    assert (job.module, job.simulator, job.seed) == (EVICTION, "icarus", 4)


def test_an_unknown_row_is_refused_before_anything_is_simulated(
    checkout: Path, simulated: list[Job]
) -> None:
    with pytest.raises(UsageError):
        draw_rows(JOB, "E9", None)
    assert simulated == []


def test_a_row_that_was_never_driven_is_told_with_the_reason(
    checkout: Path, simulated: list[Job]
) -> None:
    with pytest.raises(SimulationDied, match=r"row E1 was never driven: .*reset is stuck"):
        draw_rows(JOB, "E1-W0", None)
