# SPDX-License-Identifier: Apache-2.0
"""Forms of parts of a design and of all of it, to tell whether two designs are the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from pyslang import ast, syntax

from cocotb_mutants.canon import NOTHING, Canon, Form, is_wait
from cocotb_mutants.markers import HIT, PACKAGE, SELECT
from cocotb_mutants.source import Design

__all__ = ["Forms", "canon_of", "design_form", "has_form", "own_forms", "whole_forms"]

Forms = tuple[Form, ...]
"""One form for each parameterisation and generate iteration."""

_TOLD_BY = ("value", "direction")
_TYPED_BY = ("type", "returnType", "targetType")
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
    ast.TransparentMemberSymbol,
    ast.TypeAliasType,
)
_OURS = re.compile(f"{re.escape(HIT)}|{re.escape(SELECT)}")
_STRONG = (syntax.ContinuousAssignSyntax, syntax.NetDeclarationSyntax, syntax.MemberSyntax)


def own_forms(design: Design, nodes: Iterable[Any], number: int) -> Forms:
    """Return the forms of units without their inner statements, selector at `number`."""
    canon = canon_of(design, number)
    return tuple(
        canon.own(node) if isinstance(node, ast.Statement) else canon.expression(node)
        for node in nodes
    )


def whole_forms(design: Design, nodes: Iterable[Any], number: int) -> Forms:
    """Return the forms of units with their inner statements, selector at `number`."""
    canon = canon_of(design, number)
    return tuple(
        canon.statement(node) if isinstance(node, ast.Statement) else canon.expression(node)
        for node in nodes
    )


def design_form(design: Design, number: int = 0) -> tuple[Form, ...]:
    """Return a form of everything in the elaborated design that its behaviour depends on.

    A parameter counts by its value, so that a default which every instance overrides does not.
    In a schema the selector is at `number`; a process that then only waits, and what records
    activation, does not count.
    """
    found: list[Form] = []

    def add(form: Form) -> bool:
        found.append(form)
        return True

    _each_form(design, number, add)
    return tuple(found)


def has_form(design: Design, form: tuple[Form, ...], number: int = 0) -> bool:
    """Tell whether `design_form` would give `form`, looking no further than it has to."""
    at = 0

    def compare(found: Form) -> bool:
        nonlocal at
        at += 1
        return at <= len(form) and form[at - 1] == found

    return _each_form(design, number, compare) and at == len(form)


def _each_form(design: Design, number: int, take: Callable[[Form], bool]) -> bool:
    """Call `take` with the form of each symbol until it returns False; tell whether it never did.

    The order is always the same.
    """
    canon, text = canon_of(design, number), _text(design)
    goes_on = True

    def note(node: Any) -> object:
        nonlocal goes_on
        if not goes_on:
            return ast.VisitAction.Interrupt
        if not isinstance(node, ast.Symbol):
            return None
        if isinstance(node, ast.PackageSymbol) and node.name == PACKAGE:
            return ast.VisitAction.Skip
        if isinstance(node, ast.StatementBlockSymbol):
            return ast.VisitAction.Skip  # it is in the form of the statements around it
        if isinstance(node, ast.VariableSymbol) and node.name.startswith(HIT):
            return None
        form: list[Form] = [type(node).__name__, node.name]
        form += [str(getattr(node, name, "")) for name in _TOLD_BY]
        form += [_type(getattr(node, name, None)) for name in _TYPED_BY]
        if isinstance(node, ast.ProceduralBlockSymbol | ast.SubroutineSymbol):
            body = canon.statement(node.body)
            if _is_idle(body) and node.syntax is not None and _OURS.search(text(node.syntax)):
                return ast.VisitAction.Skip
            form += [_kind(node), body]
        elif isinstance(node, ast.ContinuousAssignSymbol):
            form += [canon.expression(node.assignment), _delay(node, text)]
        elif isinstance(node, ast.InstanceSymbol):
            form += [node.definition.name]
            form += [(p.name, str(getattr(p, "value", ""))) for p in node.body.parameters]
            form += [canon.expression(each.expression) for each in node.portConnections]
        elif isinstance(node, ast.VariableSymbol | ast.NetSymbol):
            form += [canon.expression(node.initializer), _delay(node, text), _kind(node)]
        elif not isinstance(node, _TOLD_BY_PARTS) and node.syntax is not None:
            # The name of a primitive stands once before all its instances.
            form += [text(node.syntax), text(node.syntax.parent or node.syntax)]
        goes_on = take(tuple(form))
        return None

    design.visit(note)
    return goes_on


def canon_of(design: Design, number: int) -> Canon:
    """Return what gives forms of nodes of `design`, with the selector at `number`."""
    return Canon(number, _text(design))


def _text(design: Design) -> Callable[[Any], str]:
    def text(node: Any) -> str:
        # The range of the call of a method is only what it is called on; its syntax is all of it.
        written = getattr(node, "syntax", None) or node
        span = design.span(written.sourceRange)
        return design.text(span) if span is not None else str(node.sourceRange)

    return text


def _type(kind: Any) -> str:
    kind = getattr(kind, "type", kind)  # that of an alias is only declared
    return str(kind.canonicalType) if hasattr(kind, "canonicalType") else ""


def _is_idle(body: Form) -> bool:
    """Tell whether a process with this body does nothing, ever or whenever it wakes."""
    if body == NOTHING:
        return True
    assert isinstance(body, tuple)
    return is_wait(body[0]) and body[1] == NOTHING


def _kind(node: Any) -> tuple[str, ...]:
    told = ("lifetime", "defaultLifetime", "subroutineKind")
    net = getattr(getattr(node, "netType", None), "name", "")
    kind = getattr(node, "procedureKind", None)
    if kind is ast.ProceduralBlockKind.AlwaysFF:
        kind = ast.ProceduralBlockKind.Always  # which it is, with rules for its text
    return (net, str(kind), *(str(getattr(node, name, "")) for name in told))


def _delay(node: Any, text: Callable[[Any], str]) -> str:
    """Return what is written of delay and strength, which stands once before all its targets."""
    delay = getattr(node, "delay", None)
    item = node.syntax
    while item is not None and not isinstance(item, _STRONG):
        item = item.parent
    strength = getattr(item, "strength", None)
    return " ".join(text(each) for each in (strength, delay) if each is not None)
