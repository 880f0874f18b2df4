# SPDX-License-Identifier: Apache-2.0
"""Operators on declarations: values of parameters, widths of variables."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pyslang import ast, syntax

from cocotb_mutants.operators.base import Change, Example, Operator, Replacement, change
from cocotb_mutants.operators.literals import parse
from cocotb_mutants.operators.text import LONG, of_operator, precedence, put
from cocotb_mutants.sites import Kind, Site

__all__ = ["PARAMETER", "RANGE"]


def _parameter(site: Site) -> Iterator[Replacement]:
    kind = site.node.type
    value = _value(site.syntax)
    span = site.span_of(value)
    if kind.isEnum or not kind.isIntegral:
        return
    for text in _other_values(site.text_of(value), value, kind.bitWidth):
        if len(site.text) > LONG:
            yield (Change(span, text),)
        else:
            yield change(site, put(site, site.span, span, text))


def _value(own: Any) -> Any:
    return own.initializer.expr if isinstance(own, syntax.DeclaratorSyntax) else own.expr


def _other_values(text: str, value: Any, width: int) -> list[str]:
    unbased = {"'0": "'1", "'1": "'0"}
    if text in unbased:
        return [unbased[text]]
    literal = parse(text)
    if literal is None:
        return [f"{text} + 1" if precedence(value) >= of_operator("+") else f"({text}) + 1"]
    values = [literal.value + 1]
    if literal.value > 0 or literal.width:
        values.insert(0, literal.value - 1)
    distinct: dict[int, str] = {}
    for number in values:
        distinct.setdefault(number % (1 << width), literal.spelled(number))
    return list(distinct.values())


def _range(site: Site) -> Iterator[Replacement]:
    declared = site.node.type.canonicalType
    if not isinstance(declared, ast.PackedArrayType) or declared.range.left <= declared.range.right:
        return
    left = site.syntax.specifier.selector.left
    yield change(
        site, put(site, site.span, site.span_of(left), _one_less(site.text_of(left), left))
    )


def _one_less(text: str, value: Any) -> str:
    literal = parse(text)
    if literal is not None:
        return literal.spelled(literal.value - 1)
    if precedence(value) < of_operator("-"):
        return f"({text}) - 1"
    if ends := re.fullmatch(r"(.*[\w)]\s*-\s*)([0-9]+)", text, re.DOTALL):
        return f"{ends[1]}{int(ends[2]) + 1}"
    return f"{text} - 1"


PARAMETER = Operator(
    "parameter",
    "declaration",
    "The value of a parameter, or the one an instance gives to it, is off by one.",
    (Example("localparam int Limit = 3;"),),
    (Kind.PARAMETER,),
    _parameter,
)
RANGE = Operator(
    "range",
    "declaration",
    "A variable or net is declared one bit too narrow.",
    (Example("logic [7:0] count;"),),
    (Kind.RANGE,),
    _range,
    # Each is a build of its own, and a design has as many as it has declarations.
    by_default=False,
)
