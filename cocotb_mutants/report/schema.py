# SPDX-License-Identifier: Apache-2.0
"""The published mutation-testing report format, version 2, as types that check what we write."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from pydantic import BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

from cocotb_mutants.verdict import Published

__all__ = [
    "FileResult",
    "Framework",
    "Location",
    "MutantResult",
    "Performance",
    "Position",
    "Report",
    "TestDefinition",
    "TestFile",
    "Thresholds",
]

Percentage: TypeAlias = Annotated[int, Field(ge=0, le=100)]
FromOne: TypeAlias = Annotated[int, Field(ge=1)]


def _published_name(name: str) -> str:
    return "$schema" if name == "schema_" else to_camel(name)


class _Part(BaseModel):
    """Names are those of the format; a key that the format does not have is an error."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        strict=True,
        alias_generator=_published_name,
        validate_by_name=True,
        validate_by_alias=True,
    )


class Position(_Part):
    """A place in a file, both numbers from 1."""

    line: FromOne
    column: FromOne


class Location(_Part):
    """A piece of a file; `end` is the first place that does not belong to it."""

    start: Position
    end: Position


class MutantResult(_Part):
    """A mutant; `duration` is in milliseconds."""

    id: str
    mutator_name: str
    location: Location
    status: Published
    replacement: str | None = None
    description: str | None = None
    status_reason: str | None = None
    covered_by: list[str] | None = None
    killed_by: list[str] | None = None
    tests_completed: int | None = None
    duration: float | None = None
    static: bool | None = None


class FileResult(_Part):
    """A mutated file."""

    language: str
    source: str
    mutants: list[MutantResult]


class TestDefinition(_Part):
    """A test, by the id that mutants refer to."""

    id: str
    name: str


class TestFile(_Part):
    """The tests of one file."""

    tests: list[TestDefinition]
    source: str | None = None


class Thresholds(_Part):
    """Scores from which a page is green (`high`), and below which it is red (`low`)."""

    high: Percentage
    low: Percentage


class Performance(_Part):
    """Milliseconds by phase."""

    setup: float
    initial_run: float
    mutation: float


class Framework(_Part):
    """The tool that made the report, and the versions that it used."""

    name: str
    version: str | None = None
    dependencies: dict[str, str] | None = None


class Report(_Part):
    """A whole report; `files` are by path."""

    schema_: str | None = None
    schema_version: Annotated[str, Field(pattern=r"^2(\.\d+){0,2}$")] = "2"
    thresholds: Thresholds
    files: dict[str, FileResult]
    test_files: dict[str, TestFile] | None = None
    config: dict[str, Any] | None = None
    project_root: str | None = None
    performance: Performance | None = None
    framework: Framework | None = None
