# SPDX-License-Identifier: Apache-2.0
"""Check plans: those that are there, and every way in which one can be wrong."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from models.ports import Build
from tb.catalog import Module, modules
from tb.errors import BenchBroken, PlanError
from tb.plan import Plan, load
from tests.unit.support import EVICTION, PLAN, plant

CHECKS = {
    "front": {"ADM": 22, "OVS": 23, "BWS": 23, "ATT": 21, "EVP": 25},
    "back": {"FDM": 25, "RBS": 24, "FSH": 25, "PCO": 24, "MTM": 25},
}
"""Checks of the ten modules of the fleet, by the prefix of their ids: 114 front, 123 back."""

SIDES = [(side, prefix, count) for side, each in CHECKS.items() for prefix, count in each.items()]

FILE = "tb/fleet/eviction_policy.toml"


def plan_of(prefix: str) -> Plan:
    [found] = [plan for plan in map(load, modules()) if plan.prefix == prefix]
    return found


def changed(old: str, new: str) -> Module:
    """The module, its plan being PLAN with one text replaced."""
    assert old in PLAN, "the test would change nothing"
    return plant(PLAN.replace(old, new, 1))


@pytest.mark.parametrize("module", modules(), ids=lambda module: module.name)
def test_the_plan_of_every_module_loads(module: Module) -> None:
    assert load(module).checks


@pytest.mark.parametrize(("side", "prefix", "count"), SIDES)
def test_a_plan_has_the_checks_that_were_agreed(side: str, prefix: str, count: int) -> None:
    plan = plan_of(prefix)
    assert (plan.side, len(plan.checks)) == (side, count)


@pytest.mark.parametrize(("side", "total"), [("front", 114), ("back", 123)])
def test_the_sides_of_the_fleet_add_up(side: str, total: int) -> None:
    assert sum(len(plan_of(prefix).checks) for prefix in CHECKS[side]) == total


@pytest.mark.parametrize("module", modules(), ids=lambda module: module.name)
def test_the_checks_of_a_plan_are_numbered_from_one(module: Module) -> None:
    plan = load(module)
    numbers = range(1, len(plan.checks) + 1)
    assert [check.id for check in plan.checks] == [f"{plan.prefix}{n:02}" for n in numbers]


def test_no_two_plans_share_a_prefix() -> None:
    # Ids of checks and groups of coverage are told apart by it.
    prefixes = [load(module).prefix for module in modules()]
    assert len(set(prefixes)) == len(prefixes)


def test_no_two_plans_of_a_chapter_share_a_number() -> None:
    places = [(module.chapter, load(module).number) for module in modules()]
    assert len(set(places)) == len(places)


@pytest.mark.parametrize("module", modules(), ids=lambda module: module.name)
def test_a_count_can_be_reached_by_the_rows(module: Module) -> None:
    plan = load(module)
    rows = len(plan.of_kind("step"))
    assert [check.id for check in plan.checks if check.at == "count" and check.expect > rows] == []


def test_rows_and_checks_are_read_in_order(checkout: Path) -> None:
    plant()
    plan = load(EVICTION)
    assert [row.id for row in plan.rows] == ["E1", "EP", "W0", "W1"]
    assert [check.id for check in plan.checks] == ["EVP01", "EVP02", "EVP03", "EVP04"]
    assert plan.rows[1].inputs == {"tenant_acked": 1, "elapsed_cycles": 255}
    assert plan.constant == {"notice_cycles": 10}


def test_rows_are_picked_by_kind_in_the_order_of_the_plan(checkout: Path) -> None:
    plant()
    assert [row.id for row in load(EVICTION).of_kind("wave", "step")] == ["E1", "W0", "W1"]


def test_constants_may_be_left_out(checkout: Path) -> None:
    text = PLAN.replace("constant = { notice_cycles = 10 }\n", "")
    plant(text.replace("in = {", "in = { notice_cycles = 1,"))
    assert load(EVICTION).constant == {}


def test_a_check_names_the_build_that_it_looks_at(checkout: Path) -> None:
    plant()
    assert [check.of for check in load(EVICTION).checks[:2]] == [Build.CORRECT, Build.BROKEN]


def test_a_check_says_in_words_what_it_reads(checkout: Path) -> None:
    plant()
    assert [str(check) for check in load(EVICTION).checks] == [
        "EVP01 row E1 correct graceful",
        "EVP02 row W0+ broken n_forced",
        "EVP03 after the last row broken n_reclaims",
        "EVP04 over the step rows broken may_reclaim",
    ]


@pytest.mark.parametrize("file", ["rtl", "model_file", "bench_file", "plan_file"])
def test_a_module_that_lacks_one_of_its_files_is_broken(checkout: Path, file: str) -> None:
    path: Path = getattr(plant(), file)
    path.unlink()
    with pytest.raises(BenchBroken) as caught:
        load(EVICTION)
    assert str(caught.value) == f"module eviction_policy has no {path.relative_to(checkout)}"


E1 = 'id = "E1", kind = "step", in = { tenant_acked = 0, elapsed_cycles = 9 }'

OUR_WORDS = {
    "two rows of one id": (
        'id = "EP"',
        'id = "E1"',
        "row E1 stands there more than once",
    ),
    "two checks of one id": (
        "EVP04",
        "EVP01",
        "check EVP01 stands there more than once",
    ),
    "the prefix of another module": (
        "EVP03",
        "ADM03",
        "ADM03 does not begin with the prefix EVP",
    ),
    "a row that there is not": (
        'at = "E1"',
        'at = "E2"',
        "EVP01 reads row E2, which does not exist",
    ),
    "the end of a row that there is not": (
        'at = "W0+"',
        'at = "W7+"',
        "EVP02 reads row W7+, which does not exist",
    ),
    "a signal that no port has": (
        'signal = "graceful"',
        'signal = "gracefull"',
        "EVP01: 'gracefull' cannot be read at 'E1'; possible are "
        "notice_expired, may_reclaim, graceful, abrupt_eviction_err",
    ),
    "an input, which is no result": (
        'signal = "graceful"',
        'signal = "tenant_acked"',
        "EVP01: 'tenant_acked' cannot be read at 'E1'; possible are "
        "notice_expired, may_reclaim, graceful, abrupt_eviction_err",
    ),
    "a counter before the edge, where it does not know of the row": (
        'at = "W0+"',
        'at = "W0"',
        "EVP02: 'n_forced' cannot be read at 'W0'; possible are "
        "notice_expired, may_reclaim, graceful, abrupt_eviction_err",
    ),
    "an output after the edge, where the next row may drive it": (
        'at = "E1"',
        'at = "E1+"',
        "EVP01: 'graceful' cannot be read at 'E1+'; possible are n_reclaims, n_forced",
    ),
    "an output at the end, when no row drives it": (
        'at = "E1"',
        'at = "final"',
        "EVP01: 'graceful' cannot be read at 'final'; possible are n_reclaims, n_forced",
    ),
    "a counter, which is no flag to count": (
        'at = "final"',
        'at = "count"',
        "EVP03: 'n_reclaims' cannot be read at 'count'; possible are "
        "notice_expired, may_reclaim, graceful, abrupt_eviction_err",
    ),
    "a value too large for the signal": (
        'signal = "graceful", expect = 0',
        'signal = "graceful", expect = 2',
        "EVP01 = 2 does not fit into 1 bit",
    ),
    "a value too large for the counter": (
        'signal = "n_reclaims", expect = 1',
        'signal = "n_reclaims", expect = 256',
        "EVP03 = 256 does not fit into 8 bit",
    ),
    "an input too large for its port": (
        "elapsed_cycles = 255",
        "elapsed_cycles = 256",
        "row EP: elapsed_cycles = 256 does not fit into 8 bit",
    ),
    "an input below zero": (
        "elapsed_cycles = 255",
        "elapsed_cycles = -1",
        "row EP: elapsed_cycles = -1 does not fit into 8 bit",
    ),
    "a constant too large for its port": (
        "notice_cycles = 10",
        "notice_cycles = 300",
        "row E1: notice_cycles = 300 does not fit into 8 bit",
    ),
    "an input that is not given": (
        E1,
        E1.replace(", elapsed_cycles = 9", ""),
        "row E1: inputs missing or unknown: elapsed_cycles",
    ),
    "an input that there is not, so that another one is missing too": (
        E1,
        E1.replace("tenant_acked", "tenant_ackd"),
        "row E1: inputs missing or unknown: tenant_ackd, tenant_acked",
    ),
    "the enable, which follows from the kind of the row": (
        E1,
        E1.replace("tenant_acked = 0", "tenant_acked = 0, reclaim_req = 1"),
        "row E1: inputs missing or unknown: reclaim_req",
    ),
    "a constant that there is not": (
        "{ notice_cycles = 10",
        "{ notice_cycles = 10, notice_cycle = 10",
        "row E1: inputs missing or unknown: notice_cycle",
    ),
}


@pytest.mark.parametrize(("old", "new", "reason"), OUR_WORDS.values(), ids=OUR_WORDS.keys())
def test_a_plan_that_contradicts_itself_or_its_model_is_refused(
    checkout: Path, old: str, new: str, reason: str
) -> None:
    module = changed(old, new)
    with pytest.raises(PlanError) as caught:
        load(module)
    assert str(caught.value) == f"{FILE}: {reason}"


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        # a key of a check that there is not
        ("means = ", "meaning = ", "checks.0.means"),
        # the same in a row
        ('note = "wait"', 'note = "wait", why = "x"', "rows.0.why"),
        # the same in the plan
        ("number = 5", "number = 5\nnumbers = 6", "numbers"),
        # a key that is not given
        ("number = 5\n", "", "number"),
        # a kind of row that there is not
        ('kind = "probe"', 'kind = "peek"', "rows.1.kind"),
        # a build that there is not
        ('build = "broken", at = "W0+"', 'build = "wrong", at = "W0+"', "checks.1.build"),
        # a side that there is not
        ('side = "front"', 'side = "left"', "side"),
        # a row's id in small letters, which could be mistaken for "final"
        ('id = "W0"', 'id = "w0"', "rows.2.id"),
        # a row's id with the mark for "after the edge"
        ('id = "W0"', 'id = "W0+"', "rows.2.id"),
        # a check's id with one digit
        ('id = "EVP02"', 'id = "EVP2"', "checks.1.id"),
        # a prefix with two letters
        ('prefix = "EVP"', 'prefix = "EV"', "prefix"),
        # a moment that there is not
        ('at = "final"', 'at = "finally"', "checks.2.at"),
        # "final" has no edge after it
        ('at = "final"', 'at = "final+"', "checks.2.at"),
        # a value below zero
        ("expect = 0", "expect = -1", "checks.0.expect"),
        # a value that is no number
        ("expect = 0", 'expect = "X"', "checks.0.expect"),
        # half a value
        ("elapsed_cycles = 255", "elapsed_cycles = 2.5", "rows.1.in.elapsed_cycles"),
    ],
)
def test_a_plan_of_the_wrong_form_is_refused_with_the_key(
    checkout: Path, old: str, new: str, key: str
) -> None:
    module = changed(old, new)
    with pytest.raises(PlanError, match=rf"^{re.escape(f'{FILE}: {key}: ')}\w.+"):
        load(module)


@pytest.mark.parametrize(("key", "what"), [("rows", "rows"), ("checks", "checks")])
def test_a_plan_without_rows_or_checks_is_refused(checkout: Path, key: str, what: str) -> None:
    plant(re.sub(rf"{key} = \[.*?^\]", f"{key} = []", PLAN, flags=re.M | re.S))
    with pytest.raises(PlanError, match=rf"^{re.escape(FILE)}: {what}: "):
        load(EVICTION)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # a bracket that is not closed
        ("checks = [", "checks = [["),
        # a text without quotes
        ('side = "front"', "side = front"),
        # the same key twice
        ("number = 5", "number = 5\nnumber = 6"),
    ],
)
def test_a_file_that_is_not_toml_is_refused_with_the_place(
    checkout: Path, old: str, new: str
) -> None:
    module = changed(old, new)
    with pytest.raises(PlanError, match=rf"^{re.escape(FILE)}: .+ \(at (line \d+|end of)"):
        load(module)


def test_a_file_that_is_not_utf_8_is_refused(checkout: Path) -> None:
    plant().plan_file.write_bytes(PLAN.replace("wait", "würde").encode("latin-1"))
    with pytest.raises(PlanError, match=rf"^{re.escape(FILE)}: "):
        load(EVICTION)


def test_a_row_that_gives_a_constant_again_is_refused(checkout: Path) -> None:
    # The bench would get the same input twice, and the whole plan would fail.
    module = changed(E1, E1.replace("{ ", "{ notice_cycles = 10, "))
    with pytest.raises(PlanError, match=rf"^{re.escape(FILE)}: row E1: .*notice_cycles"):
        load(module)


def test_the_largest_values_that_fit_are_taken(checkout: Path) -> None:
    text = PLAN.replace('signal = "n_reclaims", expect = 1', 'signal = "n_reclaims", expect = 255')
    plant(text.replace('signal = "graceful", expect = 0', 'signal = "graceful", expect = 1'))
    assert [check.expect for check in load(EVICTION).checks] == [1, 1, 255, 1]


def test_a_count_may_exceed_the_width_of_the_flag(checkout: Path) -> None:
    module = changed('signal = "may_reclaim", expect = 1', 'signal = "may_reclaim", expect = 4')
    assert load(module).checks[3].expect == 4
