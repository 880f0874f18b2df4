# SPDX-License-Identifier: Apache-2.0
"""Mutants of event lists in a schema: their process once more, waiting for what they wait for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pyslang import ast

from cocotb_mutants.alone import DIRECTIVE, Alone
from cocotb_mutants.canon import Form
from cocotb_mutants.compose import Wrap, can_be_copied
from cocotb_mutants.markers import SELECT
from cocotb_mutants.mutant import Mutant, apply
from cocotb_mutants.prove import Analysis
from cocotb_mutants.source import Span
from cocotb_mutants.units import Process

__all__ = ["Copy", "copies_of", "weave"]

_FF = b"always_ff"


@dataclass(frozen=True)
class Copy:
    """A mutant's process beside the original's: each of the two runs for its own selector.

    An event cannot be chosen at run time without a spurious one at the moment of the choice, and
    without a detour that lets other processes run first. With a process of its own each event
    arrives as it does in the mutant by itself. `text` is the new process but for its condition,
    `form` what the whole design is with the mutant.
    """

    mutant: Mutant
    process: Process
    events: Span
    text: tuple[bytes, bytes]
    form: tuple[Form, ...]


def copies_of(analysis: Analysis, mutants: Iterable[Alone]) -> list[Copy]:
    """Return those of `mutants` that only change what a clocked process waits for."""
    processes: dict[Span, Process] = {}
    for unit in analysis.units.by_key.values():
        if unit.process is not None and unit.process.kind in ("Always", "AlwaysFF"):
            span = _events(analysis, unit.process)
            if span is not None:
                processes[span] = unit.process
    found = []
    for alone in mutants:
        if alone.form is None:
            continue
        for span, process in processes.items():
            if all(span.holds(Span(e.file, e.start, e.end)) for e in alone.mutant.edits):
                found.append(_copy(analysis, alone.mutant, process, span, alone.form))
    return found


def _events(analysis: Analysis, process: Process) -> Span | None:
    """Return the event list that a process begins with, None if it cannot have a copy."""
    (body, *_) = process.bodies
    design = analysis.design
    if not isinstance(body, ast.TimedStatement) or process.member is None:
        return None
    whole = design.texts[process.span.file][process.span.start : process.span.end]
    span = design.span(body.timing.syntax.sourceRange)
    if span is None or not whole.startswith(b"always"):
        return None
    if DIRECTIVE.search(whole) or not can_be_copied(whole):
        return None
    return None if _names_a_block(body) else span


def _names_a_block(body: Any) -> bool:
    """Tell whether there is a name in `body` that cannot be there twice."""
    names: list[str] = []

    def note(node: Any) -> None:
        if isinstance(node, ast.BlockStatement) and node.blockSymbol is not None:
            names.append(node.blockSymbol.name)

    body.visit(note)
    return any(names)


def _copy(
    analysis: Analysis, mutant: Mutant, process: Process, events: Span, form: tuple[Form, ...]
) -> Copy:
    text = analysis.design.texts[events.file]
    edits = [
        replace(edit, start=edit.start - events.start, end=edit.end - events.start)
        for edit in mutant.edits
    ]
    waits = apply(text[events.start : events.end], edits)
    body = text[events.end : process.span.end]
    return Copy(mutant, process, events, (b"\nalways " + waits, body + b"\n"), form)


def weave(
    copies: Iterable[Copy], numbers: Mapping[str, int], wraps: dict[tuple[Span, bool], Wrap]
) -> None:
    """Add the processes to `wraps`, and to the originals that they do nothing instead."""
    by_process: dict[Span, list[Copy]] = {}
    for copy in copies:
        by_process.setdefault(copy.process.span, []).append(copy)
    for span, each in by_process.items():
        process, events, file = each[0].process, each[0].events, span.file
        assert process.member is not None
        if process.kind == "AlwaysFF":
            # Two processes write to the same variables, which only plain ones may.
            _at(wraps, file, span.start).before.append((b"/* ", 0))
            _at(wraps, file, span.start + len(_FF)).before.append((b" */ always ", 0))
        for copy in each:
            number = numbers[copy.mutant.name]
            chosen = b"if (%s == 32'd%d) " % (SELECT.encode(), number)
            _at(wraps, file, events.end).before.append((b"\n" + chosen + b"; else ", 0))
            before, after = copy.text
            text = before + b" " + chosen + after
            _at(wraps, file, process.member.end).before.append((text, number))


def _at(wraps: dict[tuple[Span, bool], Wrap], file: str, offset: int) -> Wrap:
    span = Span(file, offset, offset)
    return wraps.setdefault((span, True), Wrap(span, True))
