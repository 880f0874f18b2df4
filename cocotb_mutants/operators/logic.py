# SPDX-License-Identifier: Apache-2.0
"""Operators on truth and bits: comparisons, logical, bitwise and reduction operators."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pyslang import ast, syntax

from cocotb_mutants.operators.base import Example, Operator, Replacement, change
from cocotb_mutants.operators.text import UNARY, binary, fit, precedence, retoken
from cocotb_mutants.sites import Kind, Role, Site

__all__ = ["BITWISE", "LOGICAL", "NEGATED", "REDUCTION", "RELATIONAL"]

_RELATIONAL = {
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "==": ("!=",),
    "!=": ("==",),
    "===": ("!==",),
    "!==": ("===",),
    "==?": ("!=?",),
    "!=?": ("==?",),
}
NEGATED = {name: others[-1] for name, others in _RELATIONAL.items()}
"""The comparison that holds exactly where the other does not."""

_LOGICAL = {"&&": "||", "||": "&&"}
_BITWISE = {"&": ("|",), "|": ("&",), "^": ("&", "~^"), "~^": ("^",), "^~": ("^",)}
_COMPOUND = {"&=": "|=", "|=": "&=", "^=": "&="}
_REDUCTION = {
    "&": ("|", "~&"),
    "|": ("&", "~|"),
    "^": ("~^",),
    "~&": ("~|", "&"),
    "~|": ("~&", "|"),
    "~^": ("^",),
    "^~": ("^",),
}
# what `&` becomes on one bit: the other operator would be the same again
_ON_ONE_BIT = {"&": ("~",), "|": ("~",), "^": ("~",), "~&": ("",), "~|": ("",), "~^": ("",)}


def _relational(site: Site) -> Iterator[Replacement]:
    name = _binary_operator(site)
    others = _RELATIONAL.get(name, ())
    if others and site.value(site.node) is not None:
        # between constants, all that a comparison can do is turn round
        others = others[-1:]
    for other in others:
        if not _always_true(site, other):
            yield from binary(site, other)


def _logical(site: Site) -> Iterator[Replacement]:
    name = _binary_operator(site)
    if name in _LOGICAL:
        yield from binary(site, _LOGICAL[name])
        yield from _operands(site)
    elif _is_unary(site, ast.UnaryOperator.LogicalNot):
        yield from _without(site)


def _bitwise(site: Site) -> Iterator[Replacement]:
    if isinstance(site.node, ast.AssignmentExpression):
        token = site.syntax.operatorToken
        if token.rawText in _COMPOUND:
            yield from retoken(site, site.syntax, token, _COMPOUND[token.rawText])
    elif _is_unary(site, ast.UnaryOperator.BitwiseNot):
        yield from _without(site)
    else:
        for other in _BITWISE.get(_binary_operator(site), ()):
            yield from binary(site, other)


def _reduction(site: Site) -> Iterator[Replacement]:
    node, own = site.node, site.syntax
    if not isinstance(node, ast.UnaryExpression) or not isinstance(
        own, syntax.PrefixUnaryExpressionSyntax
    ):
        return
    table = _ON_ONE_BIT if node.operand.type.bitWidth == 1 else _REDUCTION
    operand = site.text_of(own.operand)
    for other in table.get(own.operatorToken.rawText, ()):
        level = UNARY if other else precedence(own.operand)
        yield change(site, fit(site, f"{other}{operand}", level))


def _binary_operator(site: Site) -> str:
    if isinstance(site.node, ast.BinaryExpression) and site.syntax is not None:
        return str(site.syntax.operatorToken.rawText)
    return ""


def _is_unary(site: Site, operator: Any) -> bool:
    return isinstance(site.node, ast.UnaryExpression) and site.node.op == operator


def _operands(site: Site) -> Iterator[Replacement]:
    """Yield each operand alone."""
    own = site.syntax
    if not own.left.isEquivalentTo(own.right):
        for operand in (own.right, own.left):
            yield change(site, fit(site, site.text_of(operand), precedence(operand)))


def _without(site: Site) -> Iterator[Replacement]:
    """Yield the operand of a unary operator, without it."""
    operand = site.syntax.operand
    yield change(site, fit(site, site.text_of(operand), precedence(operand)))


def _always_true(site: Site, name: str) -> bool:
    """Tell whether a comparison cannot fail, where another operator plants the constant."""
    decided = site.role in (Role.CONDITION, Role.PREDICATE) or (
        isinstance(site.parent, ast.BinaryExpression)
        and site.parent.op in (ast.BinaryOperator.LogicalAnd, ast.BinaryOperator.LogicalOr)
    )
    operands = {">=": site.node.right, "<=": site.node.left}
    if not decided or name not in operands or site.node.left.type.isSigned:
        return False
    return bool(site.value(operands[name]) == 0)


RELATIONAL = Operator(
    "relational",
    "logic",
    "A comparison is moved by one at its boundary, or becomes its opposite.",
    (Example("assign f = a < b;"), Example("assign f = a == b;")),
    (Kind.EXPRESSION,),
    _relational,
)
LOGICAL = Operator(
    "logical",
    "logic",
    "A logical operator is replaced, one of its operands is lost, or a `!` is lost.",
    (Example("assign f = en && g;"), Example("assign f = !en;")),
    (Kind.EXPRESSION,),
    _logical,
)
BITWISE = Operator(
    "bitwise",
    "logic",
    "A bitwise operator is replaced, or a `~` is lost.",
    (Example("assign y = a & b;"), Example("assign y = a ^ b;"), Example("assign y = ~a;")),
    (Kind.EXPRESSION,),
    _bitwise,
)
REDUCTION = Operator(
    "reduction",
    "logic",
    "A reduction operator is replaced or inverted.",
    (Example("assign f = &a;"), Example("assign f = ^a;")),
    (Kind.EXPRESSION,),
    _reduction,
)
