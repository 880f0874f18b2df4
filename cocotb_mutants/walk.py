# SPDX-License-Identifier: Apache-2.0
"""Walk the elaborated design and list the sites, each once however often it is elaborated."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import pyslang
from pyslang import ast, syntax

from cocotb_mutants.expressions import ExpressionWalker
from cocotb_mutants.sites import Context, Facts, Kind, Process, Role, Site, bare, base_name, unwrap
from cocotb_mutants.source import Design, Span
from cocotb_mutants.statements import first_target, is_clocked, listed_events, reset_branch

__all__ = ["Found", "collect"]

_OVERRIDES = (syntax.NamedParamAssignmentSyntax, syntax.OrderedParamAssignmentSyntax)
_DECLARATIONS = (
    syntax.DataDeclarationSyntax,
    syntax.NetDeclarationSyntax,
    syntax.ImplicitAnsiPortSyntax,
)


@dataclass(frozen=True)
class Found:
    """The sites in the order they were met, and how many places could not be sites.

    `in_macro` counts operators, constants and statements whose text came out of a macro,
    `in_included` those in files that are included but not listed.
    """

    sites: tuple[Site, ...]
    in_macro: int
    in_included: int


def collect(design: Design) -> Found:
    """Return all sites of the listed files of `design`."""
    walker = _Walker(design)
    for scope in design.scopes:
        walker.enter(scope)
    return Found(tuple(walker.sites.values()), len(walker.in_macro), len(walker.in_included))


class _Walker(ExpressionWalker):
    def enter(self, scope: Any) -> None:
        """Walk a file scope, a package or a module body."""
        if isinstance(scope, ast.InstanceBodySymbol):
            context = Context(scope.definition.name, Facts(scope), scope)
        elif isinstance(scope, ast.PackageSymbol):
            context = Context(scope.name, Facts(scope), scope)
        else:
            context = Context("$unit", Facts(scope), scope)
        self.members(scope, context)

    def members(self, scope: Iterable[Any], context: Context) -> None:
        for member in scope:
            match member:
                case ast.GenerateBlockArraySymbol():
                    self.generate_loop(member, context)
                case ast.GenerateBlockSymbol():
                    self.generate_block(member, context)
                case ast.ProceduralBlockSymbol():
                    self.process(member, context)
                case ast.SubroutineSymbol():
                    inside = replace(
                        context, process=Process.SUBROUTINE, scope=member, label=member.name
                    )
                    self.statement(member.body, inside)
                case ast.ContinuousAssignSymbol():
                    self.continuous(member, context)
                case ast.PortSymbol():
                    self.port(member, context)
                case ast.NetSymbol() | ast.VariableSymbol():
                    self.declaration(member, context)
                case ast.ParameterSymbol():
                    self.parameter(member, context)
                case ast.InstanceSymbol():
                    self.instance(member, context)
                case ast.InstanceArraySymbol():
                    self.members(member.elements, context)
                case _:
                    continue

    def generate_loop(self, loop: Any, context: Context) -> None:
        stop = bare(loop.syntax.stopExpr)
        here = context.at(loop.name, self._from(loop.syntax, loop.syntax.closeParen))
        self.add(Kind.GENERATE_LOOP, loop, stop, here, token=stop)
        for block in loop.entries:
            self.members(block, replace(context, scope=block))

    def generate_block(self, block: Any, context: Context) -> None:
        parent = block.syntax.parent
        if isinstance(parent, syntax.ElseClauseSyntax):
            parent = parent.parent
        if isinstance(parent, syntax.IfGenerateSyntax):
            here = context.at("generate", self._from(parent, parent.closeParen))
            condition = bare(parent.condition)
            self.add(Kind.GENERATE_IF, block, condition, here, token=condition)
        if not block.isUninstantiated:
            self.members(block, replace(context, scope=block))

    def continuous(self, symbol: Any, context: Context) -> None:
        assignment = symbol.assignment
        here = context.at(base_name(assignment.left), self._span(assignment.sourceRange))
        self.driver(assignment, assignment.left.type, assignment.right, here)
        self.expression(assignment.left, Role.TARGET, assignment, here)

    def driver(self, parent: Any, target_type: Any, value: Any, context: Context) -> None:
        self.add(
            Kind.DRIVER, unwrap(value), bare(unwrap(value).syntax), context,
            parent=parent, outer=target_type, span=self._span(value.sourceRange),
        )  # fmt: skip
        self.expression(value, Role.VALUE, parent, context)

    def declaration(self, symbol: Any, context: Context) -> None:
        declarator = symbol.syntax
        if not isinstance(declarator, syntax.DeclaratorSyntax):
            return
        here = context.at(symbol.name, self._span(declarator.sourceRange))
        self.packed_range(symbol, declarator.parent, here)
        if symbol.initializer is None or declarator.initializer is None:
            return
        if isinstance(symbol, ast.NetSymbol):
            self.driver(symbol, symbol.type, symbol.initializer, here)
        else:
            self.expression(symbol.initializer, Role.VALUE, symbol, here)

    def packed_range(self, symbol: Any, owner: Any, context: Context) -> None:
        if not isinstance(owner, _DECLARATIONS):
            return
        header = getattr(owner, "header", None)
        kind = getattr(owner, "type", None) or getattr(header, "dataType", None)
        inputs = {port.internalSymbol for port in context.facts.inputs}
        if kind is None or not hasattr(kind, "dimensions") or symbol in inputs:
            return
        for dimension in list(kind.dimensions)[:1]:
            selector = dimension.specifier.selector
            self.add(Kind.RANGE, symbol, dimension, context, token=selector)

    def port(self, port: Any, context: Context) -> None:
        if port.direction != ast.ArgumentDirection.In or port.internalSymbol is None:
            return
        context.facts.inputs.append(port)
        name = self.design.span(pyslang.SourceRange(port.location, port.location))
        if name is not None and self.design.literal(port.location):
            name = Span(name.file, name.start, name.end + len(port.name.encode()))
            here = context.at(port.name, name)
            self.sites.setdefault(
                (Kind.PORT, name), Site(self.design, Kind.PORT, port, port.syntax, name, here)
            )

    def parameter(self, symbol: Any, context: Context) -> None:
        declarator = symbol.syntax
        if isinstance(declarator, syntax.DeclaratorSyntax) and declarator.initializer is not None:
            here = context.at(symbol.name, self._span(declarator.sourceRange))
            value = declarator.initializer.expr
            self.add(Kind.PARAMETER, symbol, declarator, here, token=value)

    def instance(self, symbol: Any, context: Context) -> None:
        owner = symbol.syntax
        here = context.at(symbol.name or symbol.arrayName, self._span(owner.sourceRange))
        self.add(Kind.INSTANCE, symbol, owner, here, token=owner.openParen)
        values = getattr(owner.parent, "parameters", None)
        given = list(values.parameters) if values is not None else []
        for index, value in enumerate(each for each in given if isinstance(each, _OVERRIDES)):
            self.override(symbol, index, value, context)
        for connection in symbol.portConnections:
            self.connection(connection, here)

    def override(self, symbol: Any, index: int, value: Any, context: Context) -> None:
        """List the value that an instantiation gives to a parameter."""
        if isinstance(value, syntax.NamedParamAssignmentSyntax):
            found = [p for p in symbol.body.parameters if p.name == value.name.valueText]
        else:
            found = [p for p in symbol.body.parameters if p.isPortParam][index : index + 1]
        if found and isinstance(found[0], ast.ParameterSymbol) and value.expr is not None:
            here = context.at(f"{symbol.name}.{found[0].name}", self._span(value.sourceRange))
            self.add(Kind.PARAMETER, found[0], value, here, token=value.expr)

    def connection(self, connection: Any, context: Context) -> None:
        expression = connection.expression
        if expression is None:
            return
        role = Role.VALUE
        if isinstance(expression, ast.AssignmentExpression):
            expression, role = expression.left, Role.TARGET
        # `.name` and `.*` have no text of their own that could be replaced
        if unwrap(expression).syntax is not None:
            self.expression(expression, role, connection, context)

    def process(self, block: Any, context: Context) -> None:
        body = block.body
        kind = block.procedureKind
        inside = replace(context, process=Process.COMBINATIONAL)
        if kind in (ast.ProceduralBlockKind.Initial, ast.ProceduralBlockKind.Final):
            inside = replace(context, process=Process.INITIAL)
        elif isinstance(body, ast.TimedStatement):
            target = first_target(body)
            here = context.at(base_name(target) if target else "", self._header(block.syntax, body))
            events = listed_events(body.timing)
            context.facts.events.update(symbol for symbol, edge in events if edge)
            if is_clocked(body):
                inside = replace(context, process=Process.CLOCKED)
            if events:
                self.add(Kind.EVENTS, body.timing, body.timing.syntax, here, token=body.timing)
            self.statement(body.stmt, inside, reset_branch(self.design, body.stmt, events))
            return
        self.statement(body, inside)

    def statement(self, node: Any, context: Context, reset: Any = None) -> None:
        """Walk one statement; `reset` is the statement of the process that resets, if any."""
        if reset is not None and node.sourceRange == reset.sourceRange:
            context, reset = replace(context, in_reset=True), None
        match node:
            case ast.StatementList():
                for child in node.list:
                    self.statement(child, context, reset)
            case ast.BlockStatement() | ast.ForeverLoopStatement() | ast.ForeachLoopStatement():
                self.statement(node.body, context, reset)
            case ast.TimedStatement():
                self.statement(node.stmt, context, reset)
            case ast.ExpressionStatement():
                self.effect(node, context)
            case ast.ConditionalStatement():
                self.conditional(node, context, reset)
            case ast.CaseStatement() | ast.PatternCaseStatement():
                self.case(node, context, reset)
            case ast.ForLoopStatement():
                self.for_loop(node, context)
            case ast.WhileLoopStatement() | ast.DoWhileLoopStatement():
                self.condition(node.cond, node, context)
                self.statement(node.body, context)
            case ast.RepeatLoopStatement():
                here = context.at(*self._headline(node, context))
                self.expression(node.count, Role.VALUE, node, here)
                self.statement(node.body, context)
            case ast.ReturnStatement() if node.expr is not None:
                here = context.at(context.label, self._span(node.sourceRange))
                self.expression(node.expr, Role.VALUE, node, here)
            case ast.VariableDeclStatement() if node.symbol.initializer is not None:
                declared = node.symbol.syntax
                anchor = self._span(declared.sourceRange) if declared is not None else None
                here = context.at(node.symbol.name, anchor)
                self.expression(node.symbol.initializer, Role.VALUE, node, here)
            case ast.WaitStatement():
                here = context.at(*self._headline(node, context))
                self.expression(node.cond, Role.VALUE, node, here)
                self.statement(node.stmt, context)
            case ast.ProceduralAssignStatement():
                self.effect(node, context)
            case _:
                return

    def effect(self, node: Any, context: Context) -> None:
        """Walk an assignment, an increment, or a call."""
        expression = node.assignment if hasattr(node, "assignment") else node.expr
        name = base_name(getattr(expression, "left", getattr(expression, "operand", expression)))
        if isinstance(expression, ast.CallExpression):
            name = expression.subroutineName
        here = context.at(name, self._span(expression.sourceRange))
        self.add(Kind.STATEMENT, node, node.syntax, here, parent=expression)
        if not (isinstance(expression, ast.CallExpression) and expression.isSystemCall):
            self.expression(expression, Role.VALUE, node, here)

    def conditional(self, node: Any, context: Context, reset: Any) -> None:
        conditions = list(node.conditions)
        if len(conditions) == 1 and conditions[0].pattern is None:
            self.condition(conditions[0].expr, node, context)
        else:
            here = context.at(*self._headline(node, context))
            for condition in conditions:
                self.expression(condition.expr, Role.PREDICATE, node, here)
        self.statement(node.ifTrue, context, reset)
        if node.ifFalse is not None:
            self.statement(node.ifFalse, context, reset)

    def condition(self, expression: Any, owner: Any, context: Context) -> None:
        here = context.at(*self._headline(owner, context))
        node = unwrap(expression)
        self.add(
            Kind.CONDITION, node, bare(node.syntax), here,
            role=Role.CONDITION, parent=owner, outer=expression,
        )  # fmt: skip
        self.expression(expression, Role.CONDITION, owner, here)

    def for_loop(self, node: Any, context: Context) -> None:
        here = context.at(*self._headline(node, context))
        for variable in node.loopVars:
            self.expression(variable.initializer, Role.VALUE, node, here)
        for expression in [*node.initializers, *node.steps]:
            self.expression(expression, Role.VALUE, node, here)
        if node.stopExpr is not None:
            self.expression(node.stopExpr, Role.CONDITION, node, here)
        self.statement(node.body, context)

    def case(self, node: Any, context: Context, reset: Any) -> None:
        name, header = self._headline(node, context)
        self.expression(node.expr, Role.VALUE, node, context.at(name, header))
        for item in node.items:
            for label in getattr(item, "expressions", ()):
                if not label.eval(ast.EvalContext(self.design.root)):
                    here = context.at(name, self._span(label.sourceRange))
                    self.expression(label, Role.VALUE, node, here)
            self.case_item(item.stmt, node, context)
            self.statement(item.stmt, context, reset)
        if node.defaultCase is not None:
            self.case_item(node.defaultCase, node, context)
            self.statement(node.defaultCase, context, reset)

    def case_item(self, body: Any, node: Any, context: Context) -> None:
        if body.syntax is None or isinstance(node, ast.PatternCaseStatement):
            return
        target = first_target(body)
        item = body.syntax.parent
        here = context.at(
            base_name(target) if target else context.label, self._span(item.sourceRange)
        )
        self.add(Kind.CASE_ITEM, body, body.syntax, here, parent=node, token=item)
