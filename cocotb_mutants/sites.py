# SPDX-License-Identifier: Apache-2.0
"""A place in the user's text that can be mutated, and all that an operator may ask about it."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field, replace
from typing import Any

import pyslang
from pyslang import ast, syntax

from cocotb_mutants.source import Design, Span

__all__ = [
    "Context",
    "Elsewhere",
    "Facts",
    "Kind",
    "Process",
    "Role",
    "Site",
    "bare",
    "base_name",
    "unwrap",
]


class Elsewhere(Exception):
    """A piece of a site has no text in a listed file: part of it came out of an include."""


class Kind(enum.Enum):
    """What sort of place a site is; each operator looks at some of them."""

    EXPRESSION = enum.auto()
    """A value or target; `node` is its expression without implicit conversions."""
    CONDITION = enum.auto()
    """What an `if` or a loop tests; `parent` is that statement."""
    STATEMENT = enum.auto()
    """A procedural assignment or the call of a task."""
    CASE_ITEM = enum.auto()
    """What one item of a case statement does; `parent` is the case statement."""
    EVENTS = enum.auto()
    """The event list of an `always` process; `node` is its timing control."""
    DRIVER = enum.auto()
    """A continuous assignment, or the initialiser of a net; `node` is its right-hand side."""
    INSTANCE = enum.auto()
    """An instance of a module, with its connections."""
    PORT = enum.auto()
    """An input port of the module."""
    PARAMETER = enum.auto()
    """A value given to a parameter; `syntax` is the declaration or the override."""
    RANGE = enum.auto()
    """The declared packed range of a variable or net; `syntax` is `[msb:lsb]`."""
    GENERATE_IF = enum.auto()
    """The condition of a generate block; `node` is the condition."""
    GENERATE_LOOP = enum.auto()
    """The stop condition of a generate loop; `syntax` is that expression."""


class Role(enum.Enum):
    """How the surroundings use an expression."""

    VALUE = enum.auto()
    CONDITION = enum.auto()
    PREDICATE = enum.auto()
    INDEX = enum.auto()
    TARGET = enum.auto()


class Process(enum.Enum):
    """What sort of code a site stands in."""

    NONE = enum.auto()
    CLOCKED = enum.auto()
    COMBINATIONAL = enum.auto()
    INITIAL = enum.auto()
    SUBROUTINE = enum.auto()


@dataclass
class Facts:
    """What is known of one elaborated module once all of it has been walked.

    `registers` are the variables that nonblocking assignments write, `events` the signals whose
    edges processes wait for. `harmless` is kept by the operator `neighbour`.
    """

    body: Any = None
    inputs: list[Any] = field(default_factory=list)
    registers: dict[Any, None] = field(default_factory=dict)
    events: set[Any] = field(default_factory=set)
    harmless: list[tuple[int, Any]] | None = None


@dataclass(frozen=True, eq=False)
class Context:
    """Where a site stands.

    `anchor` is the statement, header or item around it: a mutant is named by its text, so that
    edits elsewhere do not rename it. `label` is the name that this text assigns or declares.
    """

    module: str
    facts: Facts
    scope: Any
    label: str = ""
    anchor: Span | None = None
    process: Process = Process.NONE
    in_reset: bool = False

    def at(self, label: str, anchor: Span | None) -> Context:
        """Return the same place with another anchor."""
        return replace(self, label=label, anchor=anchor)


@dataclass(frozen=True, eq=False)
class Site:
    """One place that operators look at.

    `node` is of the elaborated tree, `syntax` the text it was read from without parentheses
    around it (None where the tree has none), `parent` what `node` is an operand or part of, and
    `outer` the same value after the implicit conversions that its surroundings ask for.
    """

    design: Design
    kind: Kind
    node: Any
    syntax: Any
    span: Span
    context: Context
    role: Role = Role.VALUE
    parent: Any = None
    outer: Any = None

    @property
    def text(self) -> str:
        """The text of the site."""
        return self.design.text(self.span)

    def span_of(self, piece: Any) -> Span:
        """Return the bytes of a syntax node or token.

        Raises:
            Elsewhere: they are not in a listed file, or there is no such piece.
        """
        if piece is None:
            raise Elsewhere
        where = piece.sourceRange if isinstance(piece, syntax.SyntaxNode) else piece.range
        span = self.design.span(where)
        if span is None:
            raise Elsewhere
        return span

    def text_of(self, piece: Any) -> str:
        """Return the text of a syntax node or token; raise as `span_of` does."""
        return self.design.text(self.span_of(piece))

    def start_of(self, symbol: Any) -> Span | None:
        """Return where the name of a declared symbol begins, None outside the listed files."""
        return self.design.span(pyslang.SourceRange(symbol.location, symbol.location))

    def value(self, node: Any) -> Any:
        """Return the constant that `node` always has, or None."""
        result = node.eval(ast.EvalContext(self.design.root))
        return result.value if result else None


def unwrap(node: Any) -> Any:
    """Return an expression without the implicit conversions around it."""
    while isinstance(node, ast.ConversionExpression) and node.isImplicit:
        node = node.operand
    return node


def bare(node: Any) -> Any:
    """Return a syntax node without the parentheses around it."""
    while isinstance(node, syntax.ParenthesizedExpressionSyntax):
        node = node.expression
    return node


def base_name(node: Any) -> str:
    """Return the name of the variable that an assignment's target stands for."""
    node = unwrap(node)
    while True:
        if isinstance(node, ast.ConcatenationExpression) and len(node.operands):
            node = unwrap(node.operands[0])
        elif hasattr(node, "value") and isinstance(
            node,
            ast.ElementSelectExpression | ast.RangeSelectExpression | ast.MemberAccessExpression,
        ):
            node = unwrap(node.value)
        else:
            break
    return str(node.symbol.name) if hasattr(node, "symbol") else ""
