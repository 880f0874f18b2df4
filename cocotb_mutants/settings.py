# SPDX-License-Identifier: Apache-2.0
"""Every key a configuration may hold, with its type, its default and what it is for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field

from cocotb_mutants.verdict import DEFAULT_DETECTED, Detection

__all__ = ["SIMULATORS", "CampaignKeys", "FileKeys", "TableKeys", "TargetKeys"]

SIMULATORS = (
    "icarus",
    "verilator",
    "activehdl",
    "dsim",
    "questa",
    "questa-qisqrun",
    "riviera",
    "vcs",
    "xcelium",
)
"""The names of cocotb's runners, those that read VHDL alone left out."""

_TIMESCALE = re.compile(r"(1|10|100)(s|ms|us|ns|ps|fs)/(1|10|100)(s|ms|us|ns|ps|fs)")
_KEYS = ConfigDict(extra="forbid", alias_generator=lambda name: name.replace("_", "-"))


def _regex(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"it is no regular expression: {error}") from None
    return text


def _timescale(text: str) -> str:
    if not _TIMESCALE.fullmatch(text):
        raise ValueError("it must look like 1ns/1ps")
    return text


def _simulator(name: str) -> str:
    if name != "auto" and name not in SIMULATORS:
        raise ValueError(f"it must be auto or one of {', '.join(SIMULATORS)}")
    return name


def _value(value: object) -> object:
    """Let truth values stand for one bit, as SystemVerilog has no word for them."""
    value = int(value) if isinstance(value, bool) else value
    if not isinstance(value, int | float | str):
        raise ValueError("it must be a number, a text or a truth value")
    return value


def _word(value: object) -> str:
    return str(_value(value))


Words: TypeAlias = tuple[str, ...]
Number: TypeAlias = Annotated[int, Field(strict=True)]
Whole: TypeAlias = Annotated[int, Field(strict=True, ge=0)]
Count: TypeAlias = Annotated[int, Field(strict=True, gt=0)]
Amount: TypeAlias = Annotated[float, Field(strict=True, gt=0, allow_inf_nan=False)]
Flag: TypeAlias = Annotated[bool, Field(strict=True)]
Value: TypeAlias = Annotated[Any, BeforeValidator(_value)]
Word: TypeAlias = Annotated[str, BeforeValidator(_word)]


@dataclass(frozen=True, kw_only=True)
class TargetKeys:
    """What is simulated and by which tests. These keys stand at the top or in a target."""

    __pydantic_config__ = _KEYS

    name: str = ""
    sources: Words = ()
    mutate: Words = ()
    includes: Words = ()
    defines: Mapping[str, Word] = field(default_factory=dict)
    parameters: Mapping[str, Value] = field(default_factory=dict)
    parameter_sets: tuple[Mapping[str, Value], ...] = ()
    top: str = ""
    test_modules: Words = ()
    test_filter: Annotated[str, AfterValidator(_regex)] = ""
    timescale: Annotated[str, AfterValidator(_timescale)] = "1ns/1ps"
    build_args: Words = ()
    test_args: Words = ()
    plusargs: Words = ()
    env: Mapping[str, Word] = field(default_factory=dict)
    python_path: Words = (".",)


@dataclass(frozen=True, kw_only=True)
class TableKeys(TargetKeys):
    """One `[[target]]`; with `each`, a target for every file that the pattern matches."""

    each: str = ""


@dataclass(frozen=True, kw_only=True)
class CampaignKeys:
    """How the whole campaign is run. These keys stand at the top only.

    Times are in seconds, `sim_time_limit` in time steps of the simulator, memory and output in
    MiB. `jobs` 0 means a worker per core.
    """

    __pydantic_config__ = _KEYS

    simulator: Annotated[str, AfterValidator(_simulator)] = "auto"
    seed: Number = 1
    jobs: Whole = 0
    operators: Words = ()
    mutations: Words = ()
    only_mutations: Flag = False
    accepted: Words = ()
    sample: Count | None = None
    sample_seed: Number = 0
    detected: frozenset[Detection] = DEFAULT_DETECTED
    fail_under: Annotated[float, Field(strict=True, ge=0, le=100)] | None = None
    timeout_factor: Annotated[float, Field(strict=True, ge=1, allow_inf_nan=False)] = 10.0
    cpu_limit: Amount | None = None
    wall_limit: Amount | None = None
    sim_time_limit: Count | None = None
    memory_limit: Amount | None = None
    output_limit: Amount | None = None
    schema: Flag = True
    fork: Literal["auto", "never"] = "auto"
    run_all: Flag = False
    all_tests: Flag = False
    explain: Flag = False
    work_dir: str = "sim_build/mutants"
    prepare: Words = ()


@dataclass(frozen=True, kw_only=True)
class FileKeys(CampaignKeys, TargetKeys):
    """Everything that may stand at the top of a configuration file.

    `root` is the project's folder, relative to the file's.
    """

    root: str = "."
    target: tuple[TableKeys, ...] = ()
