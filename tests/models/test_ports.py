# SPDX-License-Identifier: Apache-2.0
"""Ports, counters, and the rules that every model of the fleet chapter keeps."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
import re
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import models.fleet
from models.ports import COUNTER_MAX, U1, U3, U4, U6, U8, U16, Build, Ports, count_up
from tests.models.strategies import BUILDS, ports, unsigned

RTL = Path(__file__).parents[2] / "rtl" / "fleet"

MODELS = [
    importlib.import_module(f"models.fleet.{found.name}")
    for found in pkgutil.iter_modules(models.fleet.__path__)
]

GATED = {
    "tenant_admission": {"admitted"},
    "failure_domain": {"tenants_lost", "survivors", "loss_pct"},
}
"""Outputs other than the error flag that look at the enable; the modules not named have none."""


@dataclass(frozen=True)
class Record(Ports):
    flag: U1
    code: U3
    amount: U16 = 7


@dataclass(frozen=True)
class Every(Ports):
    one: U1
    three: U3
    four: U4
    six: U6
    eight: U8
    sixteen: U16


def name_of(model: ModuleType) -> str:
    return model.__name__.rpartition(".")[2]


every_model = pytest.mark.parametrize("model", MODELS, ids=name_of)


def test_widths_are_those_annotated_in_declaration_order() -> None:
    assert list(Record.widths().items()) == [("flag", 1), ("code", 3), ("amount", 16)]


def test_an_alias_names_its_number_of_bits() -> None:
    assert list(Every.widths().values()) == [1, 3, 4, 6, 8, 16]


def test_values_are_the_fields_in_declaration_order() -> None:
    assert list(Record(1, 5).values().items()) == [("flag", 1), ("code", 5), ("amount", 7)]


def test_text_of_a_record_shows_every_field_and_value() -> None:
    assert str(Record(1, 5, 65535)) == "flag=1 code=5 amount=65535"


@pytest.mark.parametrize(("name", "bits"), Every.widths().items())
def test_the_largest_and_the_smallest_value_of_a_width_are_accepted(name: str, bits: int) -> None:
    zeros = dict.fromkeys(Every.widths(), 0)
    assert Every(**zeros).values() == zeros
    assert Every(**zeros | {name: 2**bits - 1}).values()[name] == 2**bits - 1


@pytest.mark.parametrize(("name", "bits"), Every.widths().items())
def test_one_above_the_largest_value_is_refused(name: str, bits: int) -> None:
    with pytest.raises(ValueError, match=rf"\.{name} is {2**bits}, "):
        Every(**dict.fromkeys(Every.widths(), 0) | {name: 2**bits})


@pytest.mark.parametrize("name", Every.widths())
def test_a_negative_value_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=rf"\.{name} is -1, "):
        Every(**dict.fromkeys(Every.widths(), 0) | {name: -1})


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(1.0, id="float"),  # what a division with / would leave
        pytest.param("1", id="text"),  # what a field of a CSV file would be
        pytest.param(None, id="none"),
    ],
)
def test_a_value_that_is_not_an_integer_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match=re.escape(f".flag is {value!r}, not an integer")):
        Record(flag=value, code=0)  # type: ignore[arg-type]  # the mistake under test


def test_a_refusal_names_record_field_value_and_range() -> None:
    expected = f"{__name__}.Record.code is 8, not an integer from 0 to 7 (3 bit)"
    with pytest.raises(ValueError, match=f"^{re.escape(expected)}$"):
        Record(flag=0, code=8)


def test_replacing_a_field_checks_its_width_again() -> None:
    with pytest.raises(ValueError, match=r"\.flag is 2, "):
        dataclasses.replace(Record(0, 0), flag=2)


def test_a_record_cannot_be_changed() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Record(0, 0).flag = 1  # type: ignore[misc]  # the mistake under test


def test_builds_are_the_two_values_of_the_module_parameter() -> None:
    assert {build.name: build.value for build in Build} == {"CORRECT": 0, "BROKEN": 1}


def test_a_counter_has_eight_bits() -> None:
    assert COUNTER_MAX == 2**8 - 1


@given(st.lists(st.booleans(), max_size=20))
def test_a_counter_counts_what_happened(history: list[bool]) -> None:
    count = 0
    for happened in history:
        count = count_up(count, happened)
    assert count == history.count(True)


@pytest.mark.parametrize(("events", "shown"), [(254, 254), (255, 255), (256, 255), (600, 255)])
def test_a_counter_stops_at_255_and_never_wraps(events: int, shown: int) -> None:
    count = 0
    for _ in range(events):
        count = count_up(count, True)
    assert count == shown


@pytest.mark.parametrize("happened", [2, 128, "yes", [0]])
def test_anything_true_counts_once(happened: object) -> None:
    assert count_up(41, happened) == 42


@pytest.mark.parametrize("happened", [False, 0, None, ""])
def test_anything_false_does_not_count(happened: object) -> None:
    assert count_up(41, happened) == 41


def test_every_rtl_module_has_a_model_and_the_other_way_round() -> None:
    assert {name_of(model) for model in MODELS} == {source.stem for source in RTL.glob("*.sv")}


@every_model
def test_a_model_has_the_ports_of_its_rtl(model: ModuleType) -> None:
    source = (RTL / f"{name_of(model)}.sv").read_text(encoding="utf-8")
    declared: dict[str, dict[str, int]] = {"input": {}, "output": {}}
    for way, msb, name in re.findall(
        r"^ +(input|output) +logic(?: +\[(\d+):0\])? +(\w+)", source, re.MULTILINE
    ):
        declared[way][name] = int(msb or 0) + 1
    assert declared["input"] == {"clk": 1, "rst_n": 1} | model.Inputs.widths()
    assert declared["output"] == model.Outputs.widths() | model.State.widths()


@every_model
def test_a_model_names_the_parameter_and_the_enable_of_its_rtl(model: ModuleType) -> None:
    source = (RTL / f"{name_of(model)}.sv").read_text(encoding="utf-8")
    assert re.findall(r"parameter int (\w+) = 0", source) == [model.PARAMETER]
    assert re.findall(r"^// +enable +`(\w+)`", source, re.MULTILINE) == [model.ENABLE]


@every_model
def test_reset_leaves_every_counter_at_zero(model: ModuleType) -> None:
    assert set(model.State().values().values()) == {0}


@every_model
@settings(max_examples=30)
@given(data=st.data(), build=BUILDS)
def test_without_the_enable_no_counter_moves(
    model: ModuleType, data: st.DataObject, build: Build
) -> None:
    inputs = data.draw(ports(model.Inputs, **{model.ENABLE: 0}))
    state = data.draw(ports(model.State))
    assert model.step(inputs, state, build)[1] == state


@every_model
@settings(max_examples=30)
@given(data=st.data(), build=BUILDS)
def test_without_the_enable_no_error_flag_rises(
    model: ModuleType, data: st.DataObject, build: Build
) -> None:
    inputs = data.draw(ports(model.Inputs, **{model.ENABLE: 0}))
    outputs = model.step(inputs, model.State(), build)[0].values()
    assert [value for name, value in outputs.items() if name.endswith("_err")] == [0]


@every_model
@settings(max_examples=30)
@given(data=st.data(), build=BUILDS)
def test_only_error_flags_and_gated_outputs_look_at_the_enable(
    model: ModuleType, data: st.DataObject, build: Build
) -> None:
    inputs = data.draw(ports(model.Inputs))
    off, on = (
        model.step(dataclasses.replace(inputs, **{model.ENABLE: enable}), model.State(), build)[0]
        for enable in (0, 1)
    )
    looking = {name for name, value in on.values().items() if value != getattr(off, name)}
    gated = GATED.get(name_of(model), set())
    assert {name for name in looking if not name.endswith("_err")} <= gated


@every_model
@settings(max_examples=30)
@given(data=st.data(), build=BUILDS)
def test_outputs_do_not_depend_on_the_counters(
    model: ModuleType, data: st.DataObject, build: Build
) -> None:
    inputs, state = data.draw(ports(model.Inputs)), data.draw(ports(model.State))
    assert model.step(inputs, state, build)[0] == model.step(inputs, model.State(), build)[0]


@every_model
@settings(max_examples=30)
@given(data=st.data(), build=BUILDS)
def test_a_cycle_adds_nothing_or_one_to_a_counter_whatever_the_counts(
    model: ModuleType, data: st.DataObject, build: Build
) -> None:
    inputs = data.draw(ports(model.Inputs))
    below_the_end = dict.fromkeys(model.State.widths(), st.integers(0, 254))
    state = data.draw(ports(model.State, **below_the_end))
    fresh = model.step(inputs, model.State(), build)[1].values()
    after = model.step(inputs, state, build)[1].values()
    assert {name: after[name] - before for name, before in state.values().items()} == fresh
    assert set(fresh.values()) <= {0, 1}


@every_model
@settings(max_examples=30)
@given(data=st.data(), build=BUILDS)
def test_a_full_counter_stays_full(model: ModuleType, data: st.DataObject, build: Build) -> None:
    state = data.draw(
        ports(model.State, **{name: st.just(255) | unsigned(8) for name in model.State.widths()})
    )
    after = model.step(data.draw(ports(model.Inputs)), state, build)[1]
    full = [name for name, count in state.values().items() if count == 255]
    assert [getattr(after, name) for name in full] == [255] * len(full)


@every_model
@settings(max_examples=30)
@given(data=st.data(), build=BUILDS)
def test_the_first_counter_counts_every_enabled_cycle(
    model: ModuleType, data: st.DataObject, build: Build
) -> None:
    inputs = data.draw(ports(model.Inputs, **{model.ENABLE: 1}))
    after = model.step(inputs, model.State(), build)[1].values()
    assert next(iter(after.values())) == 1
