# SPDX-License-Identifier: Apache-2.0
"""Check plans: the rows that drive a module and the exact values expected of both builds.

A plan is one TOML file a module. It is read here into frozen records and held against the ports of
the module's model, so that a misspelt signal, a value that a port cannot carry, or a check on a row
that does not exist is an error before any simulator starts.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from functools import cache
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictInt, ValidationError, model_validator

from models.ports import Build
from tb.catalog import ROOT, Module
from tb.errors import BenchBroken, PlanError

__all__ = ["Check", "Kind", "Plan", "Row", "coverage_group", "in_plan_order", "load"]

Kind = Literal["step", "probe", "wave"]
"""*step*: enabled, counted. *probe*: not enabled. *wave*: enabled, in a run of its own after a
second reset."""


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Row(_Record):
    """One clock cycle of stimulus; ``inputs`` leaves out the enable and what is constant."""

    id: Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9]*$")]
    kind: Kind
    inputs: Annotated[dict[str, StrictInt], Field(alias="in")]
    note: str


class Check(_Record):
    """One exact-value comparison.

    ``at`` says when the signal is read: a row's id, just before the rising edge that ends the row;
    a row's id and ``+``, just after that edge; ``final``, after all steps and probes; ``count``,
    the number of step rows in which the signal was 1.
    """

    id: Annotated[str, Field(pattern=r"^[A-Z]{3}\d{2}$")]
    build: Literal["correct", "broken"]
    at: Annotated[str, Field(pattern=r"^(final|count|[A-Z][A-Z0-9]*\+?)$")]
    signal: str
    expect: Annotated[StrictInt, Field(ge=0)]
    means: str

    @property
    def of(self) -> Build:
        """The build that is looked at."""
        return Build[self.build.upper()]

    def __str__(self) -> str:
        where = {"final": "after the last row", "count": "over the step rows"}
        return f"{self.id} {where.get(self.at, f'row {self.at}')} {self.build} {self.signal}"


class Plan(_Record):
    """The plan of one module: ``number`` is its place in the chapter, ``side`` its half of it."""

    number: StrictInt
    title: str
    side: Literal["front", "back"]
    prefix: Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
    constant: dict[str, StrictInt] = {}
    rows: Annotated[tuple[Row, ...], Field(min_length=1)]
    checks: Annotated[tuple[Check, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _agrees_with_itself(self) -> Plan:
        for what, ids in (
            ("row", [row.id for row in self.rows]),
            ("check", [check.id for check in self.checks]),
        ):
            twice = sorted({each for each in ids if ids.count(each) > 1})
            if twice:
                raise ValueError(f"{what} {', '.join(twice)} stands there more than once")
        known = {row.id for row in self.rows} | {"final", "count"}
        for check in self.checks:
            if not check.id.startswith(self.prefix):
                raise ValueError(f"{check.id} does not begin with the prefix {self.prefix}")
            if check.at.removesuffix("+") not in known:
                raise ValueError(f"{check.id} reads row {check.at}, which does not exist")
        return self

    def of_kind(self, *kinds: Kind) -> list[Row]:
        """The rows of these kinds, in the order of the plan."""
        return [row for row in self.rows if row.kind in kinds]


@cache
def load(module: Module) -> Plan:
    """Read and check the plan of *module*.

    Raises:
        BenchBroken: one of the module's four files is missing.
        PlanError: the file is not TOML, misses or misspells a key, or names a signal
            or a value that the model's ports do not have.
    """
    path = f"tb/{module.chapter}/{module.plan_file.name}"
    for missing in module.missing():
        raise BenchBroken(f"module {module.name} has no {missing.relative_to(ROOT)}")
    try:
        plan = Plan.model_validate(tomllib.loads(module.plan_file.read_text(encoding="utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise PlanError(f"{path}: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        reason = first["msg"].removeprefix("Value error, ")
        plain = isinstance(first["input"], str | int | float)
        given = f", not {first['input']!r}" if plain else ""
        raise PlanError(f"{path}: {f'{where}: ' if where else ''}{reason}{given}") from error
    _agrees_with_model(plan, module, path)
    return plan


def _agrees_with_model(plan: Plan, module: Module, path: str) -> None:
    model = module.model()
    inputs: dict[str, int] = model.Inputs.widths()
    counters: dict[str, int] = model.State.widths()
    flags: dict[str, int] = model.Outputs.widths()
    for row in plan.rows:
        twice = sorted(plan.constant.keys() & row.inputs.keys())
        if twice:
            raise PlanError(f"{path}: row {row.id}: {', '.join(twice)} is constant already")
        given = plan.constant | row.inputs
        if given.keys() != inputs.keys() - {model.ENABLE}:
            off = sorted(given.keys() ^ (inputs.keys() - {model.ENABLE}))
            raise PlanError(f"{path}: row {row.id}: inputs missing or unknown: {', '.join(off)}")
        for name, value in given.items():
            _fits(f"{path}: row {row.id}: {name}", value, inputs[name])
    for check in plan.checks:
        readable = counters if check.at == "final" or check.at.endswith("+") else flags
        if check.signal not in readable:
            raise PlanError(
                f"{path}: {check.id}: {check.signal!r} cannot be read at {check.at!r}; "
                f"possible are {', '.join(readable)}"
            )
        if check.at != "count":
            _fits(f"{path}: {check.id}", check.expect, readable[check.signal])


def _fits(what: str, value: int, bits: int) -> None:
    if not 0 <= value < 1 << bits:
        raise PlanError(f"{what} = {value} does not fit into {bits} bit")


def coverage_group(module: Module) -> str:
    """Where the functional coverage of *module* is filed, such as ``fleet.adm``."""
    return f"{module.chapter}.{load(module).prefix.lower()}"


def in_plan_order(modules: Iterable[Module]) -> list[Module]:
    """Modules by chapter and by their number in it, each once."""
    return sorted(dict.fromkeys(modules), key=lambda each: (each.chapter, load(each).number))
