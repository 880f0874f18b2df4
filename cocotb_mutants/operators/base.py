# SPDX-License-Identifier: Apache-2.0
"""What an operator is: a rule that turns a site into replacements of text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from cocotb_mutants.sites import Kind, Site
from cocotb_mutants.source import Span

__all__ = ["Change", "Example", "Operator", "Replacement", "change"]


@dataclass(frozen=True)
class Change:
    """The bytes of `span` become `text`."""

    span: Span
    text: str


Replacement = tuple[Change, ...]
"""The changes that make one mutant; nearly always one."""


@dataclass(frozen=True)
class Example:
    """A line of SystemVerilog for the documentation, in the surroundings of `describe.MODULE`.

    `line` is what the operator is shown on. `also` is text of the module behind it.
    """

    line: str
    also: str = ""


@dataclass(frozen=True)
class Operator:
    """One rule.

    `name` is what the user selects it by, `title` one sentence on the fault it plants, and
    `kinds` the sites that `replacements` is asked about. One that is not `by_default` has to be
    asked for.
    """

    name: str
    family: str
    title: str
    examples: tuple[Example, ...]
    kinds: tuple[Kind, ...]
    replacements: Callable[[Site], Iterable[Replacement]]
    by_default: bool = True


def change(site: Site, text: str) -> Replacement:
    """Return the replacement of the whole text of `site`."""
    return (Change(site.span, text),)
