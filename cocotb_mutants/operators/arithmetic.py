# SPDX-License-Identifier: Apache-2.0
"""Operators on numbers: arithmetic, shifts, and operands the wrong way round."""

from __future__ import annotations

from collections.abc import Iterator

from pyslang import ast

from cocotb_mutants.operators.base import Example, Operator, Replacement, change
from cocotb_mutants.operators.text import binary, fit, precedence, retoken
from cocotb_mutants.sites import Kind, Site

__all__ = ["ARITHMETIC", "OPERAND_SWAP", "SHIFT"]

_ARITHMETIC = {"+": "-", "-": "+", "*": "+", "/": "*", "%": "*", "**": "*"}
_SHIFT = {"<<": ">>", ">>": "<<", "<<<": ">>>", ">>>": "<<<"}
_STEP = {"++": "--", "--": "++"}
_ONE_WAY = {"-", "/", "%", "**", "<<", ">>", "<<<", ">>>"}


def _arithmetic(site: Site) -> Iterator[Replacement]:
    node, own = site.node, site.syntax
    match node:
        case ast.AssignmentExpression():
            yield from _compound(site, _ARITHMETIC)
        case ast.BinaryExpression() if own.operatorToken.rawText in _ARITHMETIC:
            if not _changes_nothing(site):
                yield from binary(site, _ARITHMETIC[own.operatorToken.rawText])
        case ast.UnaryExpression() if own.operatorToken.rawText in _STEP:
            name = _STEP[own.operatorToken.rawText]
            yield from retoken(site, own, own.operatorToken, name)
        case ast.UnaryExpression() if node.op == ast.UnaryOperator.Minus:
            if site.value(node) is None:
                text = site.text_of(own.operand)
                yield change(site, fit(site, text, precedence(own.operand)))
        case _:
            return


def _shift(site: Site) -> Iterator[Replacement]:
    if isinstance(site.node, ast.AssignmentExpression):
        yield from _compound(site, _SHIFT)
    elif isinstance(site.node, ast.BinaryExpression):
        name = site.syntax.operatorToken.rawText
        if name in _SHIFT and site.value(site.node.right) != 0:
            if name == ">>>" and site.node.type.isSigned:
                yield from binary(site, ">>")
            else:
                yield from binary(site, _SHIFT[name])


def _operand_swap(site: Site) -> Iterator[Replacement]:
    if isinstance(site.node, ast.BinaryExpression):
        own = site.syntax
        name = own.operatorToken.rawText
        if name in _ONE_WAY and not own.left.isEquivalentTo(own.right):
            yield from binary(site, name, swapped=True)


def _compound(site: Site, table: dict[str, str]) -> Iterator[Replacement]:
    token = site.syntax.operatorToken
    name = token.rawText.removesuffix("=")
    if name in table:
        yield from retoken(site, site.syntax, token, f"{table[name]}=")


def _changes_nothing(site: Site) -> bool:
    """Tell whether `+` for `-`, or `*` for `/`, is known to give the same value."""
    node = site.node
    name = site.syntax.operatorToken.rawText
    right = site.value(node.right)
    if right is None:
        # in one bit, adding and subtracting are the same
        return name in "+-" and node.type.isIntegral and node.type.bitWidth == 1
    return bool(right == {"+": 0, "-": 0, "/": 1}.get(name))


ARITHMETIC = Operator(
    "arithmetic",
    "arithmetic",
    "An arithmetic operator is replaced by another; a minus sign is lost.",
    (Example("assign y = a + b;"), Example("assign y = a * b;"), Example("assign y = a % b;")),
    (Kind.EXPRESSION,),
    _arithmetic,
)
SHIFT = Operator(
    "shift",
    "arithmetic",
    "A shift goes the other way, or no longer keeps the sign.",
    (Example("assign y = a << 2;"), Example("assign t = s >>> 1;")),
    (Kind.EXPRESSION,),
    _shift,
)
OPERAND_SWAP = Operator(
    "operand_swap",
    "arithmetic",
    "The operands of an operator that is not commutative are exchanged.",
    (Example("assign y = a - b;"), Example("assign y = a >> b;")),
    (Kind.EXPRESSION,),
    _operand_swap,
)
