# SPDX-License-Identifier: Apache-2.0
"""Operators on decisions: conditions, the arms of `?:`, the items of a case."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pyslang import ast, syntax

from cocotb_mutants.operators.base import Example, Operator, Replacement, change
from cocotb_mutants.operators.logic import NEGATED
from cocotb_mutants.operators.text import CONDITIONAL, UNARY, binary, fit, precedence
from cocotb_mutants.sites import Kind, Process, Site, bare, unwrap
from cocotb_mutants.statements import assignments, only_statement

__all__ = ["CASE_ITEM", "CLOCK_ENABLE", "CONDITION", "TERNARY"]


def _condition(site: Site) -> Iterator[Replacement]:
    if site.kind is Kind.GENERATE_IF:
        yield from _generate_condition(site)
        return
    if site.kind is Kind.GENERATE_LOOP:
        yield from _generate_bound(site)
        return
    owner = site.parent
    if not _has_opposite(site.node):
        yield change(site, f"!{_operand(site)}")
    if site.value(site.node) is not None:
        return
    if isinstance(owner, ast.ConditionalStatement):
        # `clock_enable` comes first and keeps those that hold registers back
        yield change(site, "1'b1")
        # without an else, a lone statement that is skipped is one that is deleted
        if owner.ifFalse is not None or not _deletable(only_statement(owner.ifTrue)):
            yield change(site, "1'b0")
    elif isinstance(owner, ast.WhileLoopStatement):
        yield change(site, "1'b0")


def _clock_enable(site: Site) -> Iterator[Replacement]:
    if _enables(site):
        yield change(site, "1'b1")


def _ternary(site: Site) -> Iterator[Replacement]:
    own = site.syntax
    if not isinstance(site.node, ast.ConditionalExpression) or own.left.isEquivalentTo(own.right):
        return
    constant = all(site.value(test.expr) is not None for test in site.node.conditions)
    for arm in () if constant else (own.left, own.right):
        yield change(site, fit(site, site.text_of(arm), precedence(arm)))
    if len(site.node.conditions) == 1 and _has_opposite(unwrap(site.node.conditions[0].expr)):
        return
    first, second = site.text_of(own.left), site.text_of(own.right)
    if precedence(own.right) <= CONDITIONAL:
        second = f"({second})"
    head = site.text_of(own.predicate)
    yield change(site, fit(site, f"{head} ? {second} : {first}", CONDITIONAL))


def _case_item(site: Site) -> Iterator[Replacement]:
    case = site.parent
    default = case.defaultCase
    if default is not None and default.sourceRange == site.node.sourceRange:
        if not isinstance(site.node, ast.EmptyStatement) and not _deletable(
            only_statement(site.node)
        ):
            yield change(site, ";")
        return
    text = site.text_of(default.syntax) if default is not None and default.syntax else ";"
    if re.search(r"\b(begin|fork)\s*:", text) or text == site.text:
        return
    if text == ";" and _deletable(only_statement(site.node)):
        return
    yield change(site, text)


def _generate_condition(site: Site) -> Iterator[Replacement]:
    own = site.syntax
    name = own.operatorToken.rawText if isinstance(own, syntax.BinaryExpressionSyntax) else ""
    if name in NEGATED:
        yield from binary(site, NEGATED[name])
    else:
        yield change(site, f"!{_operand(site)}")


def _generate_bound(site: Site) -> Iterator[Replacement]:
    own = site.syntax
    boundary = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
    name = own.operatorToken.rawText if isinstance(own, syntax.BinaryExpressionSyntax) else ""
    if name in boundary:
        yield from binary(site, boundary[name])


def _has_opposite(node: Any) -> bool:
    """Tell whether another operator already plants the negation of `node`."""
    if isinstance(node, ast.UnaryExpression):
        return bool(node.op == ast.UnaryOperator.LogicalNot)
    if isinstance(node, ast.BinaryExpression):
        return bare(node.syntax).operatorToken.rawText in NEGATED
    return False


def _operand(site: Site) -> str:
    level = precedence(site.syntax) if site.syntax is not None else 0
    return site.text if level > UNARY else f"({site.text})"


def _enables(site: Site) -> bool:
    """Tell whether an `if` holds registers back: in a clocked process, without an else."""
    owner = site.parent
    return (
        isinstance(owner, ast.ConditionalStatement)
        and site.context.process is Process.CLOCKED
        and not site.context.in_reset
        and owner.ifFalse is None
        and site.value(site.node) is None
        and bool(assignments(owner.ifTrue))
    )


def _deletable(statement: Any) -> bool:
    """Tell whether `statement` is one that the operator `delete` deletes."""
    return isinstance(statement, ast.ExpressionStatement) and not (
        isinstance(statement.expr, ast.CallExpression) and statement.expr.isSystemCall
    )


CONDITION = Operator(
    "condition",
    "control",
    "The condition of an `if`, a loop or a generate block is negated, or always or never holds; "
    "a generate loop runs once more or less.",
    (
        Example("always_comb if (en) y = a; else y = b;"),
        Example("if (N > 2) assign y = a; else assign y = b;"),
        Example("for (genvar i = 0; i < N; i++) assign y[i] = a[i];"),
    ),
    (Kind.CONDITION, Kind.GENERATE_IF, Kind.GENERATE_LOOP),
    _condition,
)
CLOCK_ENABLE = Operator(
    "clock_enable",
    "control",
    "What holds registers back is lost: an `if` without `else` in a clocked process always holds.",
    (Example("always_ff @(posedge clk) if (en) q <= a;"),),
    (Kind.CONDITION,),
    _clock_enable,
)
TERNARY = Operator(
    "ternary",
    "control",
    "`?:` always takes its first arm, always its second, or takes the wrong one.",
    (Example("assign y = en ? a : b;"),),
    (Kind.EXPRESSION,),
    _ternary,
)
CASE_ITEM = Operator(
    "case_item",
    "control",
    "An item of a case is lost and its values do what the default does, or nothing.",
    (Example("always_comb case (a[1:0]) 0: y = a; 1: y = b; default: y = 0; endcase"),),
    (Kind.CASE_ITEM,),
    _case_item,
)
