# SPDX-License-Identifier: Apache-2.0
"""Operators on wires: values that are stuck, the wrong neighbour, exchanged connections."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from pyslang import ast, syntax

from cocotb_mutants.operators.base import Change, Example, Operator, Replacement, change
from cocotb_mutants.operators.ports import reads_stuck
from cocotb_mutants.sites import Kind, Process, Role, Site, unwrap
from cocotb_mutants.source import Span

__all__ = ["NEIGHBOUR", "PORT_SWAP", "STUCK_AT"]

_MOST = 2


def _stuck_at(site: Site) -> Iterator[Replacement]:
    if site.kind is Kind.PORT:
        yield from reads_stuck(site)
        return
    target = site.outer
    if not target.isIntegral or target.isEnum or isinstance(site.node, _LITERALS):
        return
    known = {_bits(site, site.node, target)} | _arms(site, target)
    ones = (1 << target.bitWidth) - 1
    for text, value in (("'0", 0), ("'1", ones)):
        if value not in known:
            yield change(site, text)


_LITERALS = (ast.IntegerLiteral, ast.UnbasedUnsizedIntegerLiteral)


def _arms(site: Site, target: Any) -> set[int | None]:
    """Return the constants that the operator `ternary` already drives."""
    if not isinstance(site.node, ast.ConditionalExpression):
        return set()
    return {_bits(site, arm, target) for arm in (site.node.left, site.node.right)}


def _bits(site: Site, node: Any, target: Any) -> int | None:
    value = site.value(node)
    try:
        return int(value) % (1 << int(target.bitWidth))
    except (TypeError, ValueError):
        return None


def _neighbour(site: Site) -> Iterator[Replacement]:
    node = site.node
    if not isinstance(node, ast.NamedValueExpression) or site.role is Role.TARGET:
        return
    symbol = node.symbol
    context = site.context
    if context.process in (Process.SUBROUTINE, Process.INITIAL) or site.text != symbol.name:
        return
    if not isinstance(symbol, ast.VariableSymbol | ast.NetSymbol):
        return
    for other in _nearest(site, symbol):
        yield change(site, other.name)


def _nearest(site: Site, symbol: Any) -> list[Any]:
    """Return the nearest declared variables of the same type that cannot close a loop.

    Only inputs and registers qualify: whatever they replace, no combinational path from the
    replaced value back to itself appears.
    """
    home = site.start_of(symbol)
    if home is None or home.file != site.span.file:
        return []
    beside = _beside(site)
    candidates = [
        (abs(start - home.start), start, other)
        for start, other in _harmless(site)
        if start < site.span.start and other != symbol and other not in beside
    ]
    fitting = (
        other
        for _, _, other in sorted(candidates, key=lambda entry: entry[:2])
        if other.type.isMatching(symbol.type)
        and _has_bits(other) == _has_bits(symbol)
        and _visible(site, other)
    )
    return list(itertools.islice(fitting, _MOST))


def _has_bits(symbol: Any) -> bool:
    """Tell whether a bit can be selected: `logic [0:0]` matches `logic`, which has none."""
    return not isinstance(symbol.type.canonicalType, ast.ScalarType)


def _harmless(site: Site) -> list[tuple[int, Any]]:
    """Return the inputs and registers that are no clocks or resets, with where they begin."""
    facts = site.context.facts
    if facts.harmless is None:
        inputs = [port.internalSymbol for port in facts.inputs]
        facts.harmless = [
            (place.start, symbol)
            for symbol in dict.fromkeys([*inputs, *facts.registers])
            if symbol not in facts.events
            and (place := site.start_of(symbol)) is not None
            and place.file == site.span.file
        ]
    return facts.harmless


def _beside(site: Site) -> set[Any]:
    """Return the variables that are other operands: `a && a` is what `logical` leaves."""
    parent = site.parent
    if not isinstance(parent, ast.BinaryExpression | ast.ConditionalExpression):
        return set()
    operands = (unwrap(parent.left), unwrap(parent.right))
    return {node.symbol for node in operands if isinstance(node, ast.NamedValueExpression)}


def _visible(site: Site, symbol: Any) -> bool:
    seen = site.context.scope.lookupName(symbol.name)
    return seen is not None and bool(seen == symbol)


def _port_swap(site: Site) -> Iterator[Replacement]:
    pieces = _connections(site)
    inputs = [
        (connection.port, pieces[connection.port.name])
        for connection in site.node.portConnections
        if isinstance(connection.port, ast.PortSymbol)
        and connection.port.direction == ast.ArgumentDirection.In
        and connection.port.name in pieces
    ]
    for index, (port, (first, text)) in enumerate(inputs):
        for other, (second, other_text) in inputs[index + 1 :]:
            if port.type.isMatching(other.type):
                if text != other_text:
                    yield tuple(
                        sorted(
                            (
                                Change(first, _written(site, first, port, other_text)),
                                Change(second, _written(site, second, other, text)),
                            ),
                            key=lambda each: each.span,
                        )
                    )
                break


def _written(site: Site, span: Span, port: Any, text: str) -> str:
    """Return a connection's new text; `.name` alone must be written out."""
    return f".{port.name}({text})" if site.design.text(span).startswith(".") else text


def _connections(site: Site) -> dict[str, tuple[Span, str]]:
    """Return where each connected port's expression stands, and its text."""
    found: dict[str, tuple[Span, str]] = {}
    ordered = iter(site.node.body.portList)
    for connection in site.syntax.connections:
        match connection:
            case syntax.NamedPortConnectionSyntax() if connection.openParen:
                if connection.expr is not None:
                    piece = connection.expr
                    found[connection.name.valueText] = (site.span_of(piece), site.text_of(piece))
            case syntax.NamedPortConnectionSyntax():
                name = connection.name.valueText
                found[name] = (site.span_of(connection), name)
            case syntax.OrderedPortConnectionSyntax():
                piece = connection.expr
                found[next(ordered).name] = (site.span_of(piece), site.text_of(piece))
            case syntax.EmptyPortConnectionSyntax():
                next(ordered, None)
            case _:
                continue
    return found


STUCK_AT = Operator(
    "stuck_at",
    "connection",
    "A wire, or an input port wherever the module reads it, is stuck at all zeros or all ones.",
    (Example("assign y = a & b;"),),
    (Kind.DRIVER, Kind.PORT),
    _stuck_at,
)
NEIGHBOUR = Operator(
    "neighbour",
    "connection",
    "A variable is read in place of another: an input or register of exactly the same type.",
    (Example("assign y = a & 8'h0F;"),),
    (Kind.EXPRESSION,),
    _neighbour,
)
PORT_SWAP = Operator(
    "port_swap",
    "connection",
    "Two inputs of an instance that have the same type are exchanged.",
    (Example("sub u (.x(a), .z(b), .y(y));"),),
    (Kind.INSTANCE,),
    _port_swap,
)
