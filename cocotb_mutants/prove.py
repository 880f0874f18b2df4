# SPDX-License-Identifier: Apache-2.0
"""What each mutant is by itself, elaborated: the measure that the schema is held to."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

from pyslang import ast

from cocotb_mutants.canon import Canon
from cocotb_mutants.mutant import Edit, Mutant, apply
from cocotb_mutants.source import Design, Problem, elaborate
from cocotb_mutants.units import Key, Units, collect

__all__ = ["Alone", "Analysis", "Screening", "analyse", "own_form", "screen", "whole_form"]

Form = Hashable
Forms = tuple[Form, ...]
_GONE: Form = ()
_TOLD_BY = ("type", "value", "direction", "returnType")
# Symbols that are what their name, type and value say, and what is inside of them.
_TOLD_BY_PARTS = (
    ast.CompilationUnitSymbol,
    ast.EnumValueSymbol,
    ast.FormalArgumentSymbol,
    ast.GenerateBlockArraySymbol,
    ast.GenerateBlockSymbol,
    ast.GenvarSymbol,
    ast.InstanceBodySymbol,
    ast.PackageSymbol,
    ast.ParameterSymbol,
    ast.PortSymbol,
    ast.StatementBlockSymbol,
    ast.TransparentMemberSymbol,
    ast.TypeAliasType,
)


@dataclass(frozen=True)
class Alone:
    """A mutant by itself.

    `parts` are the units that it changes with its edits in each; None where it changes something
    that is no unit: a declaration, a parameter, a range, an event list; `is_same` then says that
    the whole design elaborates to what it is without the mutant. `invalid` is what the front end
    says if it refuses it. `own` and `whole` are the forms of each part in every
    parameterisation, without and with inner statements.
    """

    mutant: Mutant
    parts: Mapping[Key, tuple[Edit, ...]] | None
    invalid: str = ""
    is_same: bool = False
    own: Mapping[Key, Forms] = field(default_factory=dict)
    whole: Mapping[Key, Forms] = field(default_factory=dict)


@dataclass(frozen=True)
class Screening:
    """Mutants, by name, that are not worth running; see `generate.Screening`."""

    invalid: dict[str, str]
    identical: frozenset[str]
    duplicates: dict[str, str]


class Analysis:
    """The units of a design, and its mutants by themselves as far as they were asked for."""

    def __init__(self, design: Design) -> None:
        self.design = design
        self.units = collect(design)
        self._known: dict[str, tuple[Mutant, Alone]] = {}
        self.originals: dict[Key, tuple[Forms, Forms]] = {}

    def alone(self, mutants: Sequence[Mutant]) -> list[Alone]:
        """Return each of `mutants` by itself.

        Many of them share one elaboration, as long as they change different statements: what a
        statement means does not depend on its neighbours.
        """
        new = [m for m in mutants if self._known.get(m.name, (None,))[0] != m]
        for found in _Rounds(self, new).run():
            self._known[found.mutant.name] = (found.mutant, found)
        return [self._known[mutant.name][1] for mutant in mutants]

    @cached_property
    def form(self) -> Form:
        """The form of the whole design."""
        return design_form(self.design)

    def parts(self, mutant: Mutant) -> dict[Key, tuple[Edit, ...]] | None:
        """Return the units that `mutant` changes; None if it changes something else."""
        parts: dict[Key, list[Edit]] = {}
        for edit in mutant.edits:
            unit = self.units.smallest(edit)
            if unit is None or unit.key[2] == "TimedStatement":
                return None
            parts.setdefault(unit.key, []).append(edit)
        return {key: tuple(edits) for key, edits in parts.items()}

    def original(self, key: Key) -> tuple[Forms, Forms]:
        """Return the forms of a unit as it is."""
        if key not in self.originals:
            nodes = self.units.by_key[key].nodes
            self.originals[key] = (
                own_forms(self.design, nodes, 0),
                whole_forms(self.design, nodes, 0),
            )
        return self.originals[key]


_analyses: WeakKeyDictionary[Design, Analysis] = WeakKeyDictionary()


def analyse(design: Design) -> Analysis:
    """Return the analysis of `design`, the same one each time."""
    if design not in _analyses:
        _analyses[design] = Analysis(design)
    return _analyses[design]


def screen(design: Design, mutants: Sequence[Mutant]) -> Screening:
    """Find mutants that do not compile, that change nothing, or that repeat an earlier one."""
    invalid: dict[str, str] = {}
    identical: set[str] = set()
    duplicates: dict[str, str] = {}
    seen: dict[Form, str] = {}
    analysis = analyse(design)
    for alone in analysis.alone(mutants):
        name = alone.mutant.name
        if alone.invalid:
            invalid[name] = alone.invalid
        elif alone.is_same:
            identical.add(name)
        elif alone.parts is not None:
            forms = frozenset(alone.whole.items())
            if all(analysis.original(key)[1] == form for key, form in forms):
                identical.add(name)
            elif forms in seen:
                duplicates[name] = seen[forms]
            else:
                seen[forms] = name
    return Screening(invalid, frozenset(identical), duplicates)


def own_forms(design: Design, nodes: Iterable[Any], number: int) -> Forms:
    """Return the forms of units without their inner statements, selector at `number`."""
    canon = Canon(number, _text(design))
    return tuple(own_form(canon, node) for node in nodes)


def whole_forms(design: Design, nodes: Iterable[Any], number: int) -> Forms:
    """Return the forms of units with their inner statements, selector at `number`."""
    canon = Canon(number, _text(design))
    return tuple(whole_form(canon, node) for node in nodes)


def own_form(canon: Canon, node: Any) -> Form:
    """Return the form of one unit without its inner statements."""
    return canon.own(node) if isinstance(node, ast.Statement) else canon.expression(node)


def whole_form(canon: Canon, node: Any) -> Form:
    """Return the form of one unit with its inner statements."""
    return canon.statement(node) if isinstance(node, ast.Statement) else canon.expression(node)


def design_form(design: Design) -> Form:
    """Return a form of everything in the elaborated design that its behaviour depends on.

    A parameter counts by its value, so that a default which every instance overrides does not.
    """
    text = _text(design)
    canon = Canon(0, text)
    found: list[Form] = []

    def note(node: Any) -> object:
        if not isinstance(node, ast.Symbol):
            return None
        form: list[Form] = [type(node).__name__, node.name]
        form += [str(getattr(node, name, "")) for name in _TOLD_BY]
        if isinstance(node, ast.ProceduralBlockSymbol | ast.SubroutineSymbol):
            form.append(canon.statement(node.body))
        elif isinstance(node, ast.ContinuousAssignSymbol):
            form += [canon.expression(node.assignment), str(node.delay is not None)]
        elif isinstance(node, ast.InstanceSymbol):
            form += [node.definition.name]
            form += [(p.name, str(getattr(p, "value", ""))) for p in node.body.parameters]
            form += [canon.expression(each.expression) for each in node.portConnections]
        elif isinstance(node, ast.VariableSymbol | ast.NetSymbol):
            form.append(canon.expression(node.initializer))
            form.append(str(getattr(node, "delay", None) is not None))
        elif not isinstance(node, _TOLD_BY_PARTS) and node.syntax is not None:
            # The name of a primitive stands once before all its instances.
            form += [text(node.syntax), text(node.syntax.parent or node.syntax)]
        found.append(tuple(form))
        return None

    design.visit(note)
    return tuple(found)


def _text(design: Design) -> Any:
    def text(node: Any) -> str:
        # The range of the call of a method is only what it is called on; its syntax is all of it.
        written = getattr(node, "syntax", None) or node
        span = design.span(written.sourceRange)
        return design.text(span) if span is not None else str(node.sourceRange)

    return text


class _Rounds:
    """Elaborates mutants by themselves, as many at once as do not meet."""

    def __init__(self, analysis: Analysis, mutants: Sequence[Mutant]) -> None:
        self._analysis = analysis
        self._mutants = [(mutant, analysis.parts(mutant)) for mutant in mutants]

    def run(self) -> list[Alone]:
        rounds: list[tuple[list[tuple[str, int, int]], list[tuple[Mutant, Any]]]] = []
        found = []
        for mutant, parts in self._mutants:
            if parts is None:
                found += self._round([(mutant, parts)])
                continue
            regions = [self._region(key) for key in parts]
            for taken, members in rounds:
                if not any(_meet(one, other) for one in regions for other in taken):
                    taken += regions
                    members.append((mutant, parts))
                    break
            else:
                rounds.append((regions, [(mutant, parts)]))
        for _, members in rounds:
            found += self._round(members)
        return found

    def _region(self, key: Key) -> tuple[str, int, int]:
        unit = self._analysis.units.by_key[key]
        return (unit.span.file, unit.span.start, unit.span.end)

    def _round(self, members: list[tuple[Mutant, Any]]) -> list[Alone]:
        design = self._analysis.design
        edits: dict[str, list[Edit]] = {}
        for mutant, _ in members:
            for edit in mutant.edits:
                edits.setdefault(edit.file, []).append(edit)
        texts = {file: apply(design.texts[file], each) for file, each in edits.items()}
        mutated = elaborate(design.sources, texts)
        if mutated.errors:
            return self._blame(members, mutated.errors, edits)
        if members[0][1] is None:
            same = design_form(mutated) == self._analysis.form
            return [Alone(mutant, None, is_same=same) for mutant, _ in members]
        units = collect(mutated)
        return [self._found(mutant, parts, mutated, units, edits) for mutant, parts in members]

    def _blame(
        self,
        members: list[tuple[Mutant, Any]],
        errors: Sequence[Problem],
        edits: Mapping[str, list[Edit]],
    ) -> list[Alone]:
        if len(members) == 1:
            (mutant, parts) = members[0]
            return [Alone(mutant, parts, invalid=errors[0].message)]
        guilty: dict[str, str] = {}
        for error in errors:
            for mutant, parts in members:
                for key in parts:
                    unit = self._analysis.units.by_key[key]
                    start = moved(unit.span.start, edits.get(unit.span.file, ()))
                    end = moved(unit.span.end, edits.get(unit.span.file, ()), after=True)
                    if error.file == unit.span.file and start <= error.offset <= end:
                        guilty.setdefault(mutant.name, error.message)
        innocent = [each for each in members if each[0].name not in guilty]
        if not guilty or not innocent:
            return [each for member in members for each in self._round([member])]
        suspects = [each for each in members if each[0].name in guilty]
        return [
            *(each for member in suspects for each in self._round([member])),
            *self._round(innocent),
        ]

    def _found(
        self,
        mutant: Mutant,
        parts: Mapping[Key, tuple[Edit, ...]],
        mutated: Design,
        units: Units,
        edits: Mapping[str, list[Edit]],
    ) -> Alone:
        own: dict[Key, Forms] = {}
        whole: dict[Key, Forms] = {}
        for key in parts:
            file, start, kind = key
            there = moved(start, edits[file])
            unit = units.by_key.get((file, there, kind))
            original = self._analysis.units.by_key[key]
            if unit is not None:
                own[key] = own_forms(mutated, unit.nodes, 0)
                whole[key] = whole_forms(mutated, unit.nodes, 0)
            elif original.process is not None:
                nodes = units.statements.get((file, there), [])
                whole[key] = whole_forms(mutated, nodes, 0) or (_GONE,) * len(original.nodes)
            else:
                return Alone(mutant, None)
        return Alone(mutant, parts, own=own, whole=whole)


def moved(offset: int, edits: Iterable[Edit], *, after: bool = False) -> int:
    """Return where `offset` is once `edits` of its file are done.

    What is put in at `offset` itself stands behind it, or before it if `after`.
    """
    shift = 0
    for edit in edits:
        before = edit.end <= offset if after else (edit.end <= offset and edit.start < offset)
        if before:
            new = len(edit.replacement.encode("utf-8", "surrogateescape"))
            shift += new - (edit.end - edit.start)
    return offset + shift


def _meet(one: tuple[str, int, int], other: tuple[str, int, int]) -> bool:
    return one[0] == other[0] and one[1] < other[2] and other[1] < one[2]
