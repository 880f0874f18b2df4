# SPDX-License-Identifier: Apache-2.0
"""The weakened plan: which checks go, which values change, and what cannot be left out."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from models.ports import Build
from tb.catalog import ROOT, Module, find, modules
from tb.errors import PlanError
from tb.plan import Check, Plan, Row, load
from tb.weak import counted, planned, without
from tests.unit.support import EVICTION, plant

ROWS = ["O5", "OZ", "B5", "T5", "R6"]

GONE = {"OVS15", "OVS17", "BWS10", "BWS11", "BWS12", "BWS13", "RBS17", "RBS23"}

CHANGED = {
    "OVS19": (8, 7),
    "OVS20": (6, 5),
    "OVS22": (4, 3),
    "OVS23": (6, 5),
    "BWS14": (5, 4),
    "ATT10": (5, 4),
    "ATT11": (5, 4),
    "ATT12": (3, 2),
    "ATT18": (5, 4),
    "RBS18": (6, 5),
    "RBS19": (2, 1),
    "RBS24": (2, 1),
}
"""Checks that are expected to see another value when those five rows are left out."""

FLEET = [each for each in modules() if load(each).number <= 10]

every_module = pytest.mark.parametrize("module", modules(), ids=lambda module: module.name)


def checks_of(plans: list[Plan]) -> dict[str, Check]:
    return {check.id: check for plan in plans for check in plan.checks}


def weakened(*rows: str) -> Plan:
    return without(load(EVICTION), rows, EVICTION.model())


@pytest.fixture
def five_rows_less(monkeypatch: pytest.MonkeyPatch) -> dict[str, Check]:
    """All checks of the fleet that are left when the five rows are left out."""
    monkeypatch.setenv("TB_LEAVE_OUT", " ".join(ROWS))
    return checks_of([planned(each) for each in FLEET])


def test_exactly_the_checks_on_rows_that_are_left_out_go(five_rows_less: dict[str, Check]) -> None:
    assert checks_of([load(each) for each in FLEET]).keys() - five_rows_less.keys() == GONE


def test_229_checks_are_left_of_the_fleet(
    five_rows_less: dict[str, Check], monkeypatch: pytest.MonkeyPatch
) -> None:
    sides = {load(each).prefix: load(each).side for each in FLEET}
    left = Counter(sides[check[:3]] for check in five_rows_less)
    assert left == {"front": 108, "back": 121}


def test_exactly_the_counts_over_those_rows_change(five_rows_less: dict[str, Check]) -> None:
    whole = checks_of([load(each) for each in FLEET])
    changed = {
        name: (whole[name].expect, check.expect)
        for name, check in five_rows_less.items()
        if check.expect != whole[name].expect
    }
    assert changed == CHANGED


def test_nothing_but_the_value_and_its_meaning_changes(five_rows_less: dict[str, Check]) -> None:
    for name, check in checks_of([load(each) for each in FLEET]).items():
        if name in five_rows_less:
            value = {"expect": check.expect, "means": check.means}
            assert five_rows_less[name].model_copy(update=value) == check


def test_a_changed_value_says_what_it_was(five_rows_less: dict[str, Check]) -> None:
    assert five_rows_less["OVS19"].means == ("in the whole plan 8: eight steps, probes left out")


def test_the_rows_that_stay_are_those_of_the_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TB_LEAVE_OUT", " ".join(ROWS))
    for module in FLEET:
        stay = tuple(row for row in load(module).rows if row.id not in ROWS)
        assert planned(module).rows == stay


@every_module
def test_the_model_counts_in_a_whole_plan_what_is_written_there(module: Module) -> None:
    plan = load(module)
    seen = counted(plan.rows, plan.constant, module.model())
    written = [check for check in plan.checks if (check.of, check.at) in seen]
    assert [
        check.id for check in written if seen[check.of, check.at][check.signal] != check.expect
    ] == []
    assert {check.at for check in plan.checks} - {row.id for row in plan.rows} == {
        check.at for check in written
    }


def test_without_the_variable_the_plan_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TB_LEAVE_OUT", raising=False)
    assert planned(find("oversubscription")) is load(find("oversubscription"))


@pytest.mark.parametrize("value", ["", "  "])
def test_an_empty_variable_leaves_nothing_out(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("TB_LEAVE_OUT", value)
    assert planned(find("oversubscription")) == load(find("oversubscription"))


def test_rows_of_other_modules_leave_a_plan_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TB_LEAVE_OUT", "O5 R6")
    assert planned(find("bandwidth_share")) == load(find("bandwidth_share"))


@pytest.mark.parametrize(
    ("value", "row"),
    [
        # a zero instead of the letter
        ("O5 05", "05"),
        # small letters
        ("o5", "o5"),
        # commas
        ("O5,OZ", "O5,OZ"),
        # a check
        ("OVS15", "OVS15"),
    ],
)
def test_a_row_that_no_plan_has_is_refused(
    monkeypatch: pytest.MonkeyPatch, value: str, row: str
) -> None:
    monkeypatch.setenv("TB_LEAVE_OUT", value)
    # Also in a plan that none of the rows is meant for.
    with pytest.raises(PlanError) as caught:
        planned(find("policy_cost"))
    assert str(caught.value) == (
        f"TB_LEAVE_OUT names {row}, which is a row of no plan: "
        "rows stand in tb/<chapter>/<module>.toml, names are divided by spaces"
    )


def test_a_plan_cannot_lose_all_its_rows(checkout: Path) -> None:
    plant()
    with pytest.raises(PlanError, match=r"^TB_LEAVE_OUT leaves no row .* prefix EVP$"):
        weakened("E1", "EP", "W0", "W1")


def test_a_check_after_the_edge_of_a_row_goes_with_the_row(checkout: Path) -> None:
    plant()
    assert [check.id for check in weakened("W0").checks] == ["EVP01", "EVP03", "EVP04"]


def test_a_counter_after_a_later_edge_is_counted_anew(checkout: Path) -> None:
    plant()
    check = load(EVICTION).checks[1].model_copy(update={"at": "W1+"})
    plan = load(EVICTION).model_copy(update={"checks": (check,)})
    assert [each.expect for each in without(plan, ["E1"], EVICTION.model()).checks] == [1]
    assert [each.expect for each in without(plan, ["W0"], EVICTION.model()).checks] == [0]


def test_a_probe_counts_nothing_and_a_wave_starts_from_zero(checkout: Path) -> None:
    plant()
    seen = counted(load(EVICTION).rows, {"notice_cycles": 10}, EVICTION.model())
    requests = [
        seen[Build.BROKEN, at]["n_reclaims"] for at in ("E1+", "EP+", "final", "W0+", "W1+")
    ]
    assert requests == [1, 1, 1, 1, 2]
    assert seen[Build.BROKEN, "count"]["may_reclaim"] == 1


def test_a_count_is_of_the_rows_in_which_a_signal_was_1() -> None:
    module = find("failure_domain")
    rows = [
        Row(id=f"F{lost}", kind="step", inputs={"tenants_total": lost, "devices_total": 1}, note="")
        for lost in (0, 1, 2)
    ]
    assert counted(rows, {}, module.model())[Build.CORRECT, "count"]["tenants_lost"] == 1


def test_make_hands_on_no_variable_that_weakens_a_bench() -> None:
    show = "show:; @echo [$$TB_LEAVE_OUT$$TB_CYCLES$$TB_RECORD_DIR]"
    done = subprocess.run(
        ["make", "--no-print-directory", "--eval", show, "show"],
        cwd=ROOT,
        env=os.environ | {"TB_LEAVE_OUT": "O5", "TB_CYCLES": "1", "TB_RECORD_DIR": "."},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "[]\n"
