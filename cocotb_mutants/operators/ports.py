# SPDX-License-Identifier: Apache-2.0
"""All reads of an input port in its module, with constants in their place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pyslang import syntax

from cocotb_mutants.operators.base import Change, Replacement
from cocotb_mutants.sites import Site

__all__ = ["reads_stuck"]

_NAMES = (syntax.IdentifierNameSyntax, syntax.IdentifierSelectNameSyntax)


def reads_stuck(site: Site) -> Iterator[Replacement]:
    """Yield the replacements that tie all reads of a port to zero and to one.

    The reads are those of the text, generate branches that are not elaborated included, so that
    one port gives the same mutant under any parameters.
    """
    port = site.node
    if port.internalSymbol in site.context.facts.events or not port.type.isIntegral:
        return
    reads = _reads(site)
    if not reads or port.type.isEnum or _planted_elsewhere(reads):
        return
    for bit in "01":
        changes = [_tied(site, read, bit) for read in reads]
        yield tuple(sorted(changes, key=lambda change: change.span))


def _reads(site: Site) -> list[Any]:
    """Return the syntax of every read, or nothing if some of them cannot be replaced."""
    name = site.node.name
    found: list[Any] = []
    hidden: list[Any] = []

    def step(node: Any) -> None:
        if isinstance(node, _NAMES) and node.identifier.valueText == name:
            if not _is_key(node):
                found.append(_whole(node))
        elif isinstance(node, syntax.DeclaratorSyntax) and node.name.valueText == name:
            hidden.append(node)
        elif isinstance(node, syntax.WildcardPortConnectionSyntax) or (
            isinstance(node, syntax.NamedPortConnectionSyntax)
            and node.name.valueText == name
            and not node.openParen
        ):
            # a connection by name alone has no text that could be replaced
            hidden.extend([node, node])

    site.context.facts.body.definition.syntax.visit(step)
    if len(hidden) > 1 or not all(site.design.literal(read.sourceRange) for read in found):
        return []
    return found


def _whole(node: Any) -> Any:
    """Return the name with the members that are selected from it."""
    while isinstance(node.parent, syntax.ScopedNameSyntax):
        node = node.parent
    return node


def _is_key(node: Any) -> bool:
    """Tell whether a name is no read of the port: a member, or a key of a pattern."""
    parent = node.parent
    if isinstance(parent, syntax.ScopedNameSyntax):
        return bool(parent.right.sourceRange == node.sourceRange)
    if isinstance(parent, syntax.AssignmentPatternItemSyntax):
        return bool(parent.key.sourceRange == node.sourceRange)
    return False


def _planted_elsewhere(reads: list[Any]) -> bool:
    """Tell whether the only read is a whole condition or a whole right-hand side."""
    if len(reads) > 1:
        return False
    node = reads[0]
    while isinstance(node.parent, syntax.ParenthesizedExpressionSyntax) or (
        isinstance(node.parent, syntax.PrefixUnaryExpressionSyntax)
        and node.parent.operatorToken.rawText in ("!", "~")
    ):
        node = node.parent
    parent = node.parent
    if isinstance(parent, syntax.ConditionalPatternSyntax | syntax.EqualsValueClauseSyntax):
        return True
    return isinstance(parent, syntax.BinaryExpressionSyntax) and isinstance(
        parent.parent, syntax.ContinuousAssignSyntax
    )


def _tied(site: Site, read: Any, bit: str) -> Change:
    text = site.text_of(read)
    signed = site.node.type.isSigned and text == site.node.name
    value = _constant(site, read, text, bit)
    return Change(site.span_of(read), f"$signed({value})" if signed else value)


def _constant(site: Site, read: Any, text: str, bit: str) -> str:
    """Return a constant as wide as the read: its width is written out where the text shows it."""
    declared = _dimensions(site.node)
    selectors = list(read.selectors) if isinstance(read, _NAMES[1]) else []
    if declared is not None and isinstance(read, _NAMES):
        if not declared and not selectors:
            return f"1'b{bit}"
        bits = selectors or declared
        if len(declared) == 1 and len(bits) == 1:
            width = _width(site, bits[0])
            if width == 1:
                return f"1'b{bit}"
            if width:
                return f"{width}'h" + ("0" if bit == "0" else f"{(1 << width) - 1:X}")
    return f"{{$bits({text}){{1'b{bit}}}}}"


def _dimensions(port: Any) -> list[Any] | None:
    """Return the packed dimensions of a port that are declared with it; None for a named type."""
    declarator = port.syntax
    kind = _declared_type(declarator.parent)
    if not isinstance(kind, syntax.IntegerTypeSyntax | syntax.ImplicitTypeSyntax):
        return None
    if len(declarator.dimensions) or port.type.isPredefinedInteger:
        return None
    return list(kind.dimensions)


def _declared_type(own: Any) -> Any:
    """Return the type of an ANSI port; in `input [7:0] a, b` that of b is that of a."""
    if not isinstance(own, syntax.ImplicitAnsiPortSyntax):
        return None
    ports: Any = own.parent
    upto = own.sourceRange.start.offset
    own_types = (
        getattr(port.header, "dataType", None)
        for port in reversed(list(ports.ports))
        if isinstance(port, syntax.ImplicitAnsiPortSyntax)
        and port.sourceRange.start.offset <= upto
        and not _inherits(port.header)
    )
    return next(own_types, None)


def _inherits(header: Any) -> bool:
    declared = getattr(header, "dataType", None)
    return isinstance(declared, syntax.ImplicitTypeSyntax) and not (
        header.direction or len(declared.dimensions) or declared.signing
    )


def _width(site: Site, dimension: Any) -> int:
    """Return the width that a range or select shows by itself, else 0."""
    if isinstance(getattr(dimension, "selector", None), syntax.BitSelectSyntax):
        return 1
    found = re.fullmatch(r"\[\s*(\d+)\s*:\s*(\d+)\s*\]", site.text_of(dimension))
    return abs(int(found[1]) - int(found[2])) + 1 if found else 0
