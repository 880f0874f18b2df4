# SPDX-License-Identifier: Apache-2.0
"""The text that is proved about: mutants chosen by a signal, and one kind of event for all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pyslang import ast

from cocotb_mutants.compose import Alternative, Composed, Overlap, Wrap, compose
from cocotb_mutants.markers import SELECT
from cocotb_mutants.mutant import Edit, apply
from cocotb_mutants.proofs.btor import Unsupported
from cocotb_mutants.schema import Schema
from cocotb_mutants.sites import unwrap
from cocotb_mutants.source import Design, Span
from cocotb_mutants.statements import listed_events

__all__ = ["SELECTOR", "SOURCE", "Clocking", "SchemaText", "clocking", "schema_texts", "stepped"]

SELECTOR = "cocotb_mutants_sel"
SOURCE = b"""(* blackbox *) module cocotb_mutants_source(output wire [31:0] sel);
endmodule
"""
"""A module that Yosys knows nothing about: what it drives becomes an input."""

_DECLARATION = (
    f" wire [31:0] {SELECTOR}; cocotb_mutants_source cocotb_mutants_source_of(.sel({SELECTOR})); "
).encode()
_RESET = re.compile("(^|_)[ans]?rst|reset", re.IGNORECASE)
_CLEAR = re.compile("clear|clr|init", re.IGNORECASE)
_LOW = re.compile(r"(_n|_ni|_b|_l|n)$", re.IGNORECASE)


@dataclass(frozen=True)
class Clocking:
    """What the clocked processes of a design wait for.

    `edits` leave the clock alone in each event list: the process then runs in each step of a
    model in which a step is any event, and a reset is one of the values that are read there.
    `resets` holds the inputs of the top that are resets or are called so, with their active value,
    `waking` those that wake processes, as the clock does.
    `asynchronous` are variables of processes that a reset wakes, by hierarchical name. `events`
    is what each process waits for, in order: a mutant that changes it is another model, not to
    be compared with this one.
    """

    edits: tuple[Edit, ...]
    resets: Mapping[str, int]
    waking: frozenset[str]
    asynchronous: frozenset[str]
    events: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class SchemaText:
    """Texts of a design with a selector, and the mutants that it chooses between, by name."""

    texts: Mapping[str, bytes]
    held: frozenset[str]
    _composed: Mapping[str, Composed]
    _names: Mapping[int, str]

    def blame(self, file: str, line: int) -> set[str]:
        """Return the mutants that stand on a line (from 1)."""
        composed = self._composed.get(file)
        numbers = composed.numbers_on_line(line) if composed else set()
        return {self._names[number] for number in numbers if number in self._names}


def clocking(design: Design) -> Clocking:
    """Find out how the processes of `design` are clocked and reset.

    Raises:
        Unsupported: that cannot be told, or what a simulator does is not what is synthesised.
    """
    found = _Clocks(design)
    for body, paths in design.bodies:
        body.visit(lambda node, body=body, paths=paths: found.note(node, body, paths))
    edits = {(edit.file, edit.start): edit for edit in found.edits}
    return Clocking(
        tuple(edits[key] for key in sorted(edits)),
        found.resets(),
        frozenset(found.levels),
        frozenset(found.asynchronous),
        tuple(found.events),
    )


def stepped(texts: Mapping[str, bytes], edits: Iterable[Edit]) -> dict[str, bytes]:
    """Return `texts` with the event lists of `edits` cut down to the clock."""
    by_file: dict[str, list[Edit]] = {}
    for edit in edits:
        by_file.setdefault(edit.file, []).append(edit)
    return {file: apply(text, by_file.get(file, [])) for file, text in texts.items()}


def schema_texts(
    schema: Schema, clocks: Clocking, left_out: frozenset[str] = frozenset()
) -> SchemaText:
    """Return all texts of the design with a selector in each module.

    Left out are those that a signal cannot choose: mutants of event lists, and of text outside
    of any module.
    """
    design = schema.design
    heads = _heads(design)
    wraps: dict[tuple[Span, bool], Wrap] = {}
    held = set()
    for fit in schema.fits:
        places = list(fit.texts(design))
        inside = all(_is_inside(span, heads) for _, span, _, _ in places)
        if fit.mutant.name in left_out or not inside:
            continue
        held.add(fit.mutant.name)
        number = schema.numbers[fit.mutant.name]
        for _, span, is_statement, text in places:
            wrap = wraps.setdefault((span, is_statement), Wrap(span, is_statement))
            wrap.alternatives.append(Alternative(number, text))
    for head, _ in heads:
        at = Span(head.file, head.end, head.end)
        wraps[at, True] = Wrap(at, True, before=[(_DECLARATION, 0)])
    return _composed(design, wraps, clocks, frozenset(held), schema.numbers)


def _composed(
    design: Design,
    wraps: Mapping[tuple[Span, bool], Wrap],
    clocks: Clocking,
    held: frozenset[str],
    numbers: Mapping[str, int],
) -> SchemaText:
    texts, every = {}, {}
    for file, text in design.texts.items():
        own = [wrap for (span, _), wrap in wraps.items() if span.file == file]
        try:
            composed = compose(text, own)
        except Overlap:
            texts[file] = text
            continue
        every[file] = composed
        moved = [
            replace(e, start=composed.moved(e.start), end=composed.moved(e.end))
            for e in clocks.edits
            if e.file == file
        ]
        texts[file] = apply(composed.text, moved).replace(SELECT.encode(), SELECTOR.encode())
    return SchemaText(texts, held, every, {numbers[name]: name for name in held})


def _heads(design: Design) -> list[tuple[Span, Span]]:
    """Return the head of each module of a listed file, and the whole of it."""
    found = {}
    for body, _ in design.bodies:
        written = body.definition.syntax
        head = design.span(written.header.sourceRange)
        whole = design.span(written.sourceRange)
        if head is not None and whole is not None:
            found[head] = whole
    return list(found.items())


def _is_inside(span: Span, heads: Sequence[tuple[Span, Span]]) -> bool:
    return any(whole.holds(span) and span.start >= head.end for head, whole in heads)


class _Clocks:
    def __init__(self, design: Design) -> None:
        self._design = design
        self._instances = _instances(design)
        self.levels: dict[str, int] = {}
        self.edits: list[Edit] = []
        self.events: list[tuple[str, ...]] = []
        self.asynchronous: set[str] = set()

    def note(self, node: Any, body: Any, paths: Sequence[str]) -> object:
        if isinstance(node, ast.InstanceBodySymbol) and node is not body:
            return ast.VisitAction.Skip
        if not isinstance(node, ast.ProceduralBlockSymbol):
            return None
        if not isinstance(node.body, ast.TimedStatement):
            return None
        listed = listed_events(node.body.timing)
        read = _read_in(node.body.stmt)
        self.events.append(tuple(f"{edge} {getattr(s, 'name', '?')}" for s, edge in listed))
        if listed and not any(edge for _, edge in listed):
            waited = {getattr(symbol, "name", "") for symbol, _ in listed}
            if {each.name for each in read} - waited:
                raise Unsupported("a process that does not wait for all that it reads")
        events = [(symbol, edge) for symbol, edge in listed if edge]
        if len(events) < 2:
            return None
        clocks = [i for i, (symbol, _) in enumerate(events) if symbol not in read]
        span = self._design.span(node.body.timing.syntax.sourceRange)
        if len(clocks) != 1 or span is None:
            raise Unsupported("a process whose clock cannot be told from its resets")
        for symbol, edge in events:
            if symbol in read:
                for path in paths:
                    self.levels[self._at_top(path, symbol.name)] = int(edge == "pos")
        symbol, edge = events[clocks[0]]
        original = self._design.text(span)
        # No line moves, so that a message of Yosys leads back to a mutant.
        text = f"@({edge}edge {symbol.name})" + "\n" * original.count("\n")
        self.edits.append(Edit(span.file, span.start, span.end, original, text))
        for target in _written_in(node.body.stmt):
            inner = target.hierarchicalPath.removeprefix(body.hierarchicalPath)
            self.asynchronous.update(path + inner for path in paths)
        return None

    def resets(self) -> dict[str, int]:
        """Return those that wake, and those that are called resets, or else what clears."""
        names = [
            port.name
            for instance in self._design.root.topInstances
            for port in instance.body.portList
            if isinstance(port, ast.PortSymbol)
            and port.direction == ast.ArgumentDirection.In
            and port.type.bitWidth == 1
        ]
        for pattern in (_RESET, _CLEAR):
            called = {n: int(not _LOW.search(n)) for n in names if pattern.search(n)}
            if called or self.levels:
                return {**called, **self.levels}
        return {}

    def _at_top(self, path: str, name: str) -> str:
        """Return the input of the top that is connected to a signal of an instance."""
        while "." in path:
            given = {
                connection.port.name: connection.expression
                for connection in self._instances[path].portConnections
            }
            symbol = getattr(unwrap(given.get(name)), "symbol", None)
            if symbol is None:
                raise Unsupported("an asynchronous reset that is not an input of the top")
            path, name = path.rpartition(".")[0], symbol.name
            while path not in self._instances:  # in a generate block
                path = path.rpartition(".")[0]
        return name


def _instances(design: Design) -> dict[str, Any]:
    found: dict[str, Any] = {}

    def step(node: Any) -> None:
        if isinstance(node, ast.InstanceSymbol):
            found[node.hierarchicalPath] = node

    for instance in design.root.topInstances:
        instance.visit(step)
    return found


def _read_in(statement: Any) -> list[Any]:
    found: list[Any] = []

    def step(node: Any) -> None:
        if isinstance(node, ast.NamedValueExpression):
            found.append(node.symbol)

    statement.visit(step)
    return found


def _written_in(statement: Any) -> list[Any]:
    found: dict[str, Any] = {}

    def step(node: Any) -> None:
        if isinstance(node, ast.AssignmentExpression):
            for symbol in _read_in(node.left):
                found.setdefault(symbol.name, symbol)

    statement.visit(step)
    return list(found.values())
