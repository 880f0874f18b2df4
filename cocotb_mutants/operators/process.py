# SPDX-License-Identifier: Apache-2.0
"""Operators on processes: statements, assignments, events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pyslang import ast, syntax

from cocotb_mutants.operators.base import Change, Example, Operator, Replacement, change
from cocotb_mutants.operators.text import retoken
from cocotb_mutants.sites import Kind, Process, Site, unwrap
from cocotb_mutants.source import Span

__all__ = ["BLOCKING", "DELETE", "EDGE", "NONBLOCKING", "SENSITIVITY"]

_EDGES = {"posedge": "negedge", "negedge": "posedge"}
# the language asks for a statement here, and `;` is none
_NEVER_EMPTY = (syntax.ForeachLoopStatementSyntax, syntax.ProceduralBlockSyntax)
_WITH_EFFECT = {"$readmemh", "$readmemb"}


def _delete(site: Site) -> Iterator[Replacement]:
    call = site.parent
    system = isinstance(call, ast.CallExpression) and call.isSystemCall
    if not system or call.subroutineName in _WITH_EFFECT:
        demanded = isinstance(site.syntax.parent, _NEVER_EMPTY)
        yield change(site, "begin end" if demanded else ";")


def _timing(site: Site, process: Process) -> Iterator[Replacement]:
    node = site.parent
    if not isinstance(node, ast.AssignmentExpression) or node.isCompound:
        return
    if site.context.process is not process:
        return
    own = node.syntax
    if not isinstance(own, syntax.BinaryExpressionSyntax) or not _static(node.left):
        return
    yield from retoken(site, own, own.operatorToken, "=" if node.isNonBlocking else "<=")


def _blocking(site: Site) -> Iterator[Replacement]:
    return _timing(site, Process.CLOCKED)


def _nonblocking(site: Site) -> Iterator[Replacement]:
    return _timing(site, Process.COMBINATIONAL)


def _static(target: Any) -> bool:
    """Tell whether a target may be assigned without blocking: no local of a block."""
    target = unwrap(target)
    if isinstance(target, ast.ConcatenationExpression):
        return all(_static(operand) for operand in target.operands)
    while hasattr(target, "value") and not isinstance(target, ast.ValueExpressionBase):
        target = unwrap(target.value)
    symbol = getattr(target, "symbol", None)
    return getattr(symbol, "lifetime", None) != ast.VariableLifetime.Automatic


def _edge(site: Site) -> Iterator[Replacement]:
    for event in _signals(site.syntax):
        token = event.edge
        if token and token.rawText in _EDGES and site.design.literal(token.range):
            span, whole = site.span_of(token), site.span_of(event)
            rest = site.design.text(Span(whole.file, span.end, whole.end))
            yield (Change(whole, _EDGES[token.rawText] + rest),)


def _sensitivity(site: Site) -> Iterator[Replacement]:
    known = [site.span_of(event) for event in _signals(site.syntax)]
    if len(known) < 2:
        return
    whole = Span(known[0].file, known[0].start, known[-1].end)
    for index in range(len(known)):
        if index == 0:
            cut = Span(whole.file, known[0].start, known[1].start)
        else:
            cut = Span(whole.file, known[index - 1].end, known[index].end)
        before = site.design.text(Span(whole.file, whole.start, cut.start))
        yield (Change(whole, before + site.design.text(Span(whole.file, cut.end, whole.end))),)


def _signals(node: Any) -> list[Any]:
    """Return the events of an event list, in order."""
    match node:
        case syntax.EventControlWithExpressionSyntax():
            return _signals(node.expr)
        case syntax.ParenthesizedEventExpressionSyntax():
            return _signals(node.expr)
        case syntax.BinaryEventExpressionSyntax():
            return [*_signals(node.left), *_signals(node.right)]
        case syntax.SignalEventExpressionSyntax():
            return [node]
        case _:
            return []


DELETE = Operator(
    "delete",
    "process",
    "A procedural assignment or the call of a task is deleted.",
    (Example("always_ff @(posedge clk) q <= a;"),),
    (Kind.STATEMENT,),
    _delete,
)
BLOCKING = Operator(
    "blocking",
    "process",
    "In a clocked process a nonblocking assignment blocks, or a blocking one does not.",
    (Example("always_ff @(posedge clk) q <= a;"),),
    (Kind.STATEMENT,),
    _blocking,
)
NONBLOCKING = Operator(
    "nonblocking",
    "process",
    "In a combinational process a blocking assignment does not block.",
    (Example("always_comb y = a;"),),
    (Kind.STATEMENT,),
    _nonblocking,
    by_default=False,
)
EDGE = Operator(
    "edge",
    "process",
    "A process waits for the other edge.",
    (Example("always_ff @(posedge clk) q <= a;"),),
    (Kind.EVENTS,),
    _edge,
)
SENSITIVITY = Operator(
    "sensitivity",
    "process",
    "One event is missing in an explicit list.",
    (Example("always @(posedge clk or negedge rst_n) if (!rst_n) q <= 0; else q <= a;"),),
    (Kind.EVENTS,),
    _sensitivity,
)
