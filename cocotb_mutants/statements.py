# SPDX-License-Identifier: Apache-2.0
"""What a process is: its events, its first target, the branch that resets it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pyslang import ast

from cocotb_mutants.sites import unwrap
from cocotb_mutants.source import Design

__all__ = [
    "assignments",
    "first_target",
    "is_clocked",
    "listed_events",
    "only_statement",
    "reset_branch",
]

Event = tuple[Any, str]
_RESET = re.compile("rst|reset", re.IGNORECASE)
_EDGES = {
    ast.EdgeKind.PosEdge: "pos",
    ast.EdgeKind.NegEdge: "neg",
    ast.EdgeKind.BothEdges: "both",
}
_INVERSIONS = (ast.UnaryOperator.LogicalNot, ast.UnaryOperator.BitwiseNot)


def first_target(statement: Any) -> Any:
    """Return the target of the first assignment (or increment) in `statement`, or None."""
    found: list[Any] = []

    def step(node: Any) -> object:
        if isinstance(node, ast.AssignmentExpression):
            found.append(node.left)
        elif isinstance(node, ast.UnaryExpression) and "crement" in node.op.name:
            found.append(node.operand)
        elif isinstance(node, ast.ForLoopStatement):
            # the loop's own variable says less than what its body does
            node.body.visit(step)
            return ast.VisitAction.Interrupt if found else ast.VisitAction.Skip
        return ast.VisitAction.Interrupt if found else ast.VisitAction.Advance

    statement.visit(step)
    return found[0] if found else None


def assignments(statement: Any) -> list[Any]:
    """Return all assignments in `statement`."""
    found: list[Any] = []

    def step(node: Any) -> None:
        if isinstance(node, ast.AssignmentExpression):
            found.append(node)

    statement.visit(step)
    return found


def listed_events(timing: Any) -> list[Event]:
    """Return the signals of an explicit event list, each with `pos`, `neg`, `both` or ``."""
    events = timing.events if isinstance(timing, ast.EventListControl) else [timing]
    return [
        (getattr(unwrap(event.expr), "symbol", None), _EDGES.get(event.edge, ""))
        for event in events
        if isinstance(event, ast.SignalEventControl)
    ]


def is_clocked(body: Any) -> bool:
    """Tell whether a process waits for an edge."""
    return isinstance(body, ast.TimedStatement) and any(e for _, e in listed_events(body.timing))


def only_statement(statement: Any) -> Any:
    """Return the one statement that `statement` comes down to, or None if it holds several."""
    while True:
        if isinstance(statement, ast.BlockStatement):
            statement = statement.body
        elif isinstance(statement, ast.StatementList):
            return None
        else:
            return statement


def reset_branch(design: Design, statement: Any, events: list[Event]) -> Any:
    """Return the branch of a clocked process that resets it, or None.

    With an asynchronous reset it is the branch taken at the level its edge leads to. A
    synchronous one is recognised by a branch of an `if` that assigns nothing but constants,
    where the condition is one signal, or names one that is called a reset.
    """
    edges = {symbol: edge for symbol, edge in events if symbol is not None}
    for candidate in _top_level(statement):
        if not isinstance(candidate, ast.ConditionalStatement):
            continue
        symbol, active_low = _tested(design, candidate.conditions[0].expr)
        if len(edges) > 1 and symbol in edges:
            first = active_low == (edges[symbol] == "neg")
            return candidate.ifTrue if first else candidate.ifFalse
        if candidate.ifFalse is not None and _may_reset(candidate.conditions[0].expr, symbol):
            for branch in (candidate.ifTrue, candidate.ifFalse):
                if _only_constants(design, branch):
                    return branch
    return None


def _top_level(statement: Any) -> Iterator[Any]:
    if isinstance(statement, ast.BlockStatement):
        yield from _top_level(statement.body)
    elif isinstance(statement, ast.StatementList):
        for child in statement.list:
            yield from _top_level(child)
    else:
        yield statement


def _tested(design: Design, condition: Any) -> tuple[Any, bool]:
    """Return the signal a condition tests, and whether it asks for it to be low."""
    node, low = unwrap(condition), False
    while isinstance(node, ast.UnaryExpression) and node.op in _INVERSIONS:
        node, low = unwrap(node.operand), not low
    if isinstance(node, ast.BinaryExpression) and node.op == ast.BinaryOperator.Equality:
        low ^= unwrap(node.right).eval(ast.EvalContext(design.root)).isFalse()
        node = unwrap(node.left)
    return getattr(node, "symbol", None), low


def _may_reset(condition: Any, symbol: Any) -> bool:
    names: list[str] = []

    def step(node: Any) -> None:
        if isinstance(node, ast.NamedValueExpression):
            names.append(node.symbol.name)

    condition.visit(step)
    alone = isinstance(symbol, ast.VariableSymbol | ast.NetSymbol)
    return alone or any(_RESET.search(name) for name in names)


def _only_constants(design: Design, branch: Any) -> bool:
    found = assignments(branch)
    context = ast.EvalContext(design.root)
    return bool(found) and all(not a.isCompound and a.right.eval(context) for a in found)
