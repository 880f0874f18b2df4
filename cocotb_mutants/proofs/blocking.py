# SPDX-License-Identifier: Apache-2.0
"""Whether it matters that an assignment of a clocked process takes effect at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pyslang import ast

from cocotb_mutants.mutant import Mutant
from cocotb_mutants.proofs.decide import Decision
from cocotb_mutants.proofs.model import Model
from cocotb_mutants.source import Design, Span
from cocotb_mutants.statements import is_clocked

__all__ = ["effects", "takes_effect_alike"]

_HOW = (
    "nothing that runs at the same edge reads the variable after the assignment, so between two "
    "edges it is all one whether that takes effect at once"
)


def effects(design: Design) -> set[tuple[str, bool]]:
    """Return each variable that is assigned, with whether that takes effect later."""
    found: set[tuple[str, bool]] = set()

    def step(node: Any) -> None:
        if isinstance(node, ast.AssignmentExpression):
            for name in _named(node.left):
                found.add((name, node.isNonBlocking))

    design.visit(step)
    return found


def _named(node: Any) -> list[str]:
    found: list[str] = []

    def step(each: Any) -> None:
        if isinstance(each, ast.NamedValueExpression):
            found.append(str(each.symbol.hierarchicalPath))

    node.visit(step)
    return found


def takes_effect_alike(design: Design, mutant: Mutant, model: Model) -> Decision:
    """Decide about a mutant that has `=` in place of `<=` in a clocked process, or the reverse.

    The two are the same to whoever looks between edges, if the process does not read the variable
    after the assignment, if no other assignment to it is on the same way through the process,
    and if no register of another process gets a value that depends on it: that process might
    run later at the same edge.
    """
    if not all(_only_swaps(each.original, each.replacement) for each in mutant.edits):
        return Decision("unknown", "it changes when an assignment takes effect")
    edit = mutant.edits[0]
    found = list(_assignments_at(design, Span(edit.file, edit.start, edit.end)))
    if not found:
        return Decision("unknown", "it changes when an assignment takes effect")
    for body, process, paths, assignment in found:
        if not isinstance(assignment.left, ast.NamedValueExpression):
            return Decision("unknown", "it changes when a part of a variable takes effect")
        symbol = assignment.left.symbol
        if _is_met_again(process.body.stmt, assignment, symbol) or not is_clocked(process.body):
            return Decision("unknown", f"{symbol.name} is read or written again at the same edge")
        inner = {_inside(each, body) for each in _written(process.body.stmt)}
        for path in paths:
            top = path.partition(".")[2]
            own = {".".join(filter(None, [top, name])) for name in inner}
            if not _is_private(model, ".".join(filter(None, [top, _inside(symbol, body)])), own):
                return Decision("unknown", f"another process reads {symbol.name} at the same edge")
    return Decision("equivalent", _HOW)


def _only_swaps(original: str, replacement: str) -> bool:
    """Tell whether an edit changes the kind of an assignment and nothing else."""
    one, other = ("".join(text.split()) for text in (original, replacement))
    if {one, other} == {"", "<"}:
        return True
    return one.replace("<=", "=", 1) == other or other.replace("<=", "=", 1) == one


def _assignments_at(design: Design, where: Span) -> Iterator[tuple[Any, Any, list[str], Any]]:
    """Yield each elaborated assignment around `where`, with its module, process and instances."""
    for body, paths in design.bodies:
        processes: list[Any] = []

        def note(node: Any, body: Any = body, processes: list[Any] = processes) -> object:
            if isinstance(node, ast.InstanceBodySymbol) and node is not body:
                return ast.VisitAction.Skip
            if isinstance(node, ast.ProceduralBlockSymbol):
                processes.append(node)
            return None

        body.visit(note)
        for process in processes:
            for assignment in _assigned(process.body):
                span = design.span(assignment.sourceRange)
                if span is not None and span.holds(where):
                    yield body, process, paths, assignment


def _assigned(statement: Any) -> list[Any]:
    found: list[Any] = []

    def step(node: Any) -> None:
        if isinstance(node, ast.AssignmentExpression):
            found.append(node)

    statement.visit(step)
    return found


def _written(statement: Any) -> list[Any]:
    return [
        each.left.symbol
        for each in _assigned(statement)
        if isinstance(each.left, ast.NamedValueExpression)
    ]


def _inside(symbol: Any, body: Any) -> str:
    """Return the name of a variable inside its module, as the netlist has it."""
    return str(symbol.hierarchicalPath).removeprefix(body.hierarchicalPath).lstrip(".")


def _is_met_again(statement: Any, assignment: Any, symbol: Any) -> bool:
    """Tell whether a way through `statement` writes `symbol` before or meets it after."""
    for way in _ways(statement):
        if assignment in way:
            at = way.index(assignment)
            before = [each.left for each in way[:at] if isinstance(each, ast.AssignmentExpression)]
            if any(_names(each, symbol) for each in (*before, *way[at + 1 :])):
                return True
    return False


def _ways(statement: Any) -> list[list[Any]]:
    """Return what is met on each way through a statement, in order."""
    if isinstance(statement, ast.BlockStatement):
        return _ways(statement.body)
    if isinstance(statement, ast.StatementList):
        ways: list[list[Any]] = [[]]
        for each in statement.list:
            ways = [before + after for before in ways for after in _ways(each)]
        return ways
    if isinstance(statement, ast.ConditionalStatement):
        conditions = [each.expr for each in statement.conditions]
        arms = _ways(statement.ifTrue)
        arms = arms + (_ways(statement.ifFalse) if statement.ifFalse is not None else [[]])
        return [conditions + arm for arm in arms]
    if isinstance(statement, ast.ExpressionStatement):
        return [[statement.expr]]
    return [[statement]]


def _names(node: Any, symbol: Any) -> bool:
    found: list[Any] = []

    def step(each: Any) -> None:
        if isinstance(each, ast.NamedValueExpression) and each.symbol == symbol:
            found.append(each)

    node.visit(step)
    return bool(found)


def _is_private(model: Model, name: str, own: set[str]) -> bool:
    """Tell whether no register but those named `own` depends on the one called `name`."""
    number = next((n for n, known in model.states.items() if name in known), None)
    if number is None:
        return False
    return all(
        known & own or number not in model.terms.cone([model.original.next[state]])
        for state, known in model.states.items()
    )
