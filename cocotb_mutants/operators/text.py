# SPDX-License-Identifier: Apache-2.0
"""Put pieces of expressions together again: parentheses where the language needs them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pyslang import syntax

from cocotb_mutants.operators.base import Change, Replacement
from cocotb_mutants.sites import Site
from cocotb_mutants.source import Span

__all__ = [
    "ATOM",
    "CONDITIONAL",
    "LONG",
    "UNARY",
    "binary",
    "fit",
    "of_operator",
    "precedence",
    "put",
    "required",
    "retoken",
]

ATOM = 20
UNARY = 19
CONDITIONAL = 7
_LEVELS = {
    "**": 18,
    "* / %": 17,
    "+ -": 16,
    "<< >> <<< >>>": 15,
    "< <= > >=": 14,
    "== != === !== ==? !=?": 13,
    "&": 12,
    "^ ~^ ^~": 11,
    "|": 10,
    "&&": 9,
    "||": 8,
    "-> <->": 6,
}
_OF_OPERATOR = {name: level for names, level in _LEVELS.items() for name in names.split()}
_INSIDE = 14
LONG = 72
"""Beyond this many characters only the operator is replaced, not the expression around it."""


def of_operator(name: str) -> int:
    """Return how tightly a binary operator binds; assignments bind least."""
    return _OF_OPERATOR.get(name, 1)


def precedence(node: Any) -> int:
    """Return how tightly the outermost operator of a piece of syntax binds."""
    match node:
        case syntax.BinaryExpressionSyntax():
            return of_operator(node.operatorToken.rawText)
        case syntax.ConditionalExpressionSyntax():
            return CONDITIONAL
        case syntax.InsideExpressionSyntax():
            return _INSIDE
        case syntax.PrefixUnaryExpressionSyntax() | syntax.PostfixUnaryExpressionSyntax():
            return UNARY
        case _:
            return ATOM


def required(node: Any) -> int:
    """Return how tightly a text must bind to stand at the place of `node` without parentheses."""
    parent = node.parent
    match parent:
        case syntax.BinaryExpressionSyntax() if not _assigns(parent):
            level = of_operator(parent.operatorToken.rawText)
            return level if _same(parent.left, node) else level + 1
        case syntax.PrefixUnaryExpressionSyntax() | syntax.PostfixUnaryExpressionSyntax():
            return ATOM
        case syntax.ConditionalPatternSyntax() if _in_conditional(parent):
            return CONDITIONAL + 1
        case syntax.ConditionalExpressionSyntax():
            return CONDITIONAL
        case syntax.InsideExpressionSyntax():
            return _INSIDE + 1
        case _:
            return 0


def fit(site: Site, text: str, level: int) -> str:
    """Return `text`, in parentheses if it binds too loosely for the place of `site`."""
    return f"({text})" if site.syntax is not None and level < required(site.syntax) else text


def retoken(site: Site, piece: Any, token: Any, name: str) -> Iterator[Replacement]:
    """Yield `piece`, an expression in or around `site`, with `name` in place of its `token`."""
    whole, span = site.span_of(piece), site.span_of(token)
    if not site.design.literal(token.range):
        return
    if span.end - whole.start > LONG or whole.end - span.start > LONG:
        yield (Change(span, name),)
    else:
        yield (Change(whole, put(site, whole, span, name)),)


def put(site: Site, whole: Span, span: Span, text: str) -> str:
    """Return the text of `whole` with `text` in place of the bytes of `span`."""
    before = site.design.text(Span(whole.file, whole.start, span.start))
    return before + text + site.design.text(Span(whole.file, span.end, whole.end))


def binary(site: Site, operator: str, *, swapped: bool = False) -> Iterator[Replacement]:
    """Yield `site`, a binary expression, with another operator or its operands exchanged."""
    own = site.syntax
    left, right = own.left, own.right
    first, token, last = (site.span_of(piece) for piece in (left, own.operatorToken, right))
    level = of_operator(operator)
    before = site.design.text(Span(site.span.file, first.end, token.start))
    after = site.design.text(Span(site.span.file, token.end, last.start))
    if swapped:
        left, right = right, left
    start, end = _operand(site, left, level), _operand(site, right, level + 1)
    whole = fit(site, f"{start}{before}{operator}{after}{end}", level)
    if len(whole) > LONG and whole == put(site, site.span, token, operator):
        yield (Change(token, operator),)
    else:
        yield (Change(site.span, whole),)


def _operand(site: Site, piece: Any, level: int) -> str:
    text = site.text_of(piece)
    return f"({text})" if precedence(piece) < level else text


def _assigns(node: Any) -> bool:
    return str(node.kind.name).endswith("AssignmentExpression")


def _in_conditional(pattern: Any) -> bool:
    predicate = pattern.parent
    return isinstance(predicate.parent, syntax.ConditionalExpressionSyntax)


def _same(one: Any, other: Any) -> bool:
    return bool(one.sourceRange == other.sourceRange)
