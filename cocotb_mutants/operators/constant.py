# SPDX-License-Identifier: Apache-2.0
"""Operators on constants in expressions: literals, enumeration members, named constants."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pyslang import ast, syntax

from cocotb_mutants.operators.base import Example, Operator, Replacement, change
from cocotb_mutants.operators.literals import parse
from cocotb_mutants.sites import Kind, Role, Site

__all__ = ["CONSTANT", "RESET_VALUE"]

_COMPARISONS = (
    ast.BinaryOperator.Equality,
    ast.BinaryOperator.Inequality,
    ast.BinaryOperator.LessThan,
    ast.BinaryOperator.LessThanEqual,
    ast.BinaryOperator.GreaterThan,
    ast.BinaryOperator.GreaterThanEqual,
)


def _constant(site: Site) -> Iterator[Replacement]:
    if not _is_reset_value(site) and site.role is not Role.INDEX:
        yield from _other_values(site)


def _reset_value(site: Site) -> Iterator[Replacement]:
    if _is_reset_value(site):
        yield from _other_values(site)


def _is_reset_value(site: Site) -> bool:
    return site.context.in_reset and isinstance(site.parent, ast.AssignmentExpression)


def _other_values(site: Site) -> Iterator[Replacement]:
    node = site.node
    match node:
        case ast.IntegerLiteral():
            yield from _numbers(site)
        case ast.UnbasedUnsizedIntegerLiteral():
            other = {"'0": "'1", "'1": "'0"}.get(site.text)
            if other is not None:
                yield change(site, other)
        case ast.NamedValueExpression():
            if isinstance(node.symbol, ast.EnumValueSymbol):
                yield from _named(site, _members(node.symbol))
            elif isinstance(node.symbol, ast.ParameterSymbol):
                yield from _named(site, _constants_beside(node.symbol))
        case _:
            return


def _numbers(site: Site) -> Iterator[Replacement]:
    """Yield the neighbours of a literal that differ in the bits that its surroundings keep."""
    literal = parse(site.text)
    if literal is None or _is_settled(site):
        return
    width = site.outer.type.bitWidth or site.node.type.bitWidth
    seen = {literal.value % (1 << width)}
    if _is_term(site) and site.parent.type.bitWidth == width == literal.width:
        # adding what is left to a full turn is subtracting, which `arithmetic` plants
        seen.add(-literal.value % (1 << width))
    for value in literal.neighbours():
        bits = value % (1 << width)
        if bits not in seen:
            seen.add(bits)
            text = literal.spelled(value)
            yield change(site, f"({text})" if value < 0 else text)


def _is_settled(site: Site) -> bool:
    """Tell whether a literal is compared with a constant: `relational` plants the other result."""
    return isinstance(site.parent, ast.BinaryExpression) and (
        site.parent.op in _COMPARISONS and site.value(site.parent) is not None
    )


def _is_term(site: Site) -> bool:
    return isinstance(site.parent, ast.BinaryExpression) and site.parent.op in (
        ast.BinaryOperator.Add,
        ast.BinaryOperator.Subtract,
    )


def _members(symbol: Any) -> list[Any]:
    return [member for member in symbol.type.canonicalType if member.kind == symbol.kind]


def _constants_beside(symbol: Any) -> list[Any]:
    """Return the local constants of exactly the same sized type in the same scope.

    Constants of one type that has a width are usually codes of one thing: states, commands.
    """
    declarator = symbol.syntax
    if not symbol.isLocalParam or not isinstance(declarator, syntax.DeclaratorSyntax):
        return []
    if not symbol.type.isIntegral or symbol.type.isPredefinedInteger:
        return []
    return [
        other
        for other in symbol.parentScope
        if isinstance(other, ast.ParameterSymbol)
        and other.isLocalParam
        and isinstance(other.syntax, syntax.DeclaratorSyntax)
        and other.type.isMatching(symbol.type)
    ]


def _named(site: Site, group: list[Any]) -> Iterator[Replacement]:
    """Yield the next of the group that has another value, by the name the site uses."""
    symbol = site.node.symbol
    if symbol not in group or not site.text.endswith(symbol.name):
        return
    at = group.index(symbol)
    for other in group[at + 1 :] + group[:at]:
        if str(other.value) != str(symbol.value):
            yield change(site, site.text.removesuffix(symbol.name) + other.name)
            return


CONSTANT = Operator(
    "constant",
    "constant",
    "A constant is one more, one less, zero or all ones; a named one becomes another of its group.",
    (
        Example("assign y = a + 8'h10;"),
        Example("assign y = '0;"),
        Example("always_comb state = RUN;"),
    ),
    (Kind.EXPRESSION,),
    _constant,
)
RESET_VALUE = Operator(
    "reset_value",
    "constant",
    "A register comes out of reset with another value.",
    (Example("always_ff @(posedge clk or negedge rst_n) if (!rst_n) q <= 8'd0; else q <= a;"),),
    (Kind.EXPRESSION,),
    _reset_value,
)
