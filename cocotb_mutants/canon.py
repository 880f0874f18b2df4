# SPDX-License-Identifier: Apache-2.0
"""A form of elaborated code in which two texts are equal when they mean the same, node by node.

The form leaves out places, parentheses and what changes no value; it keeps operators, widths,
signs, names and structure. It is computed for one value of the selector: a conditional on the
selector stands for the branch that this value takes. Equal forms are equal code; unequal forms
prove nothing, they are merely not known to be equal.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

from pyslang import ast

from cocotb_mutants.markers import PACKAGE, SELECT

__all__ = ["NOTHING", "Canon", "Form", "is_on_selector", "is_wait"]

Form = Hashable
NOTHING: Form = ()
"""The form of a statement that does nothing."""


def is_on_selector(condition: Any) -> int | None:
    """Return the number that `condition` compares the selector with, None if it does not."""
    if not isinstance(condition, ast.BinaryExpression) or not _is_selector(condition.left):
        return None
    if condition.op is not ast.BinaryOperator.Equality:
        return None
    right = condition.right
    while isinstance(right, ast.ConversionExpression):
        right = right.operand
    return int(right.value) if isinstance(right, ast.IntegerLiteral) else None


def _is_selector(node: Any) -> bool:
    while isinstance(node, ast.ConversionExpression):
        node = node.operand
    symbol = getattr(node, "symbol", None)
    return symbol is not None and symbol.name == "sel" and symbol.hierarchicalPath == SELECT


def is_wait(form: Form) -> bool:
    """Tell whether `form` is what a statement with an event or a delay says itself."""
    return isinstance(form, tuple) and form[:1] == (_TIMED,)


_TIMED = "timed"


class Canon:
    """Forms of code with the selector at `number`; `text` gives the source of a node.

    The text stands in for nodes that have no form of their own here, so that unknown kinds are
    equal only when they are written the same, with the same type.
    """

    def __init__(self, number: int, text: Callable[[Any], str]) -> None:
        self._number = number
        self._text = text

    def expression(self, node: Any) -> Form:
        """Return the form of an expression."""
        if node is None:
            return NOTHING
        handler = _EXPRESSIONS.get(type(node))
        return handler(self, node) if handler else self._opaque(node)

    def own(self, node: Any) -> Form:
        """Return the form of what a statement says itself, without its inner statements."""
        handler = _OWN.get(type(node))
        return handler(self, node) if handler else self._opaque(node)

    def statement(self, node: Any) -> Form:
        """Return the form of a whole statement; nothing and an empty block are the same."""
        if node is None or isinstance(node, ast.EmptyStatement):
            return NOTHING
        if isinstance(node, ast.BlockStatement):
            return self._block(node)
        if isinstance(node, ast.StatementList):
            return _sequence(self.statement(each) for each in node.list)
        if isinstance(node, ast.ConditionalStatement):
            taken = self._taken(node)
            if taken is not _OPEN:
                return self.statement(taken)
        inner = _INNER.get(type(node))
        if inner is None:
            return self.own(node)
        return (self.own(node), *(self.statement(each) for each in inner(node)))

    def with_own(self, node: Any, own: Form) -> Form:
        """Return what `statement` would if `own` gave `own` for `node`, all else as it is."""
        inner = _INNER.get(type(node))
        return (own, *(self.statement(each) for each in inner(node))) if inner else own

    def _taken(self, node: Any) -> Any:
        """Return the branch that a conditional on the selector takes, or `_OPEN`."""
        conditions = node.conditions
        number = is_on_selector(conditions[0].expr) if len(conditions) == 1 else None
        if number is None:
            return _OPEN
        if number == 0:
            return None  # what watches activation does nothing to the design
        return node.ifTrue if number == self._number else node.ifFalse

    def _block(self, node: Any) -> Form:
        body = node.body
        statements = body.list if isinstance(body, ast.StatementList) else [body]
        forms = [self.statement(each) for each in statements]
        symbol = node.blockSymbol
        name = symbol.name if symbol is not None else ""
        if node.blockKind is not ast.StatementBlockKind.Sequential:
            # Each statement is a process: what is in one must stay in it.
            return ("block", str(node.blockKind), name, *forms)
        inner = _sequence(forms)
        declares = any(isinstance(each, ast.VariableDeclStatement) for each in statements)
        # What is declared in a block ends with it, so that its end must stay where it is.
        return ("block", name, inner) if name or declares else inner

    def _opaque(self, node: Any) -> Form:
        # What cannot be resolved must not be equal to anything; what is bad has no place either.
        bad = getattr(node, "bad", False)
        text = "" if bad else " ".join(self._text(node).split())
        if bad or PACKAGE in text:
            return ("unresolved", object())
        kind = _type(node.type) if isinstance(node, ast.Expression) else ""
        told = str(node.type.canonicalType) if isinstance(node, ast.Expression) else ""
        return ("opaque", type(node).__name__, kind, told, text)

    def _all(self, nodes: Iterable[Any]) -> Form:
        return tuple(self.expression(node) for node in nodes)


_OPEN = object()


def _sequence(forms: Iterable[Form]) -> Form:
    kept: list[Form] = []
    for form in forms:
        if form == NOTHING:
            continue
        if isinstance(form, tuple) and form and form[0] == "sequence":
            kept += form[1:]
        else:
            kept.append(form)
    return kept[0] if len(kept) == 1 else ("sequence", *kept) if kept else NOTHING


def _type(kind: Any) -> Form:
    """Return width and sign of an integral type, else the type's own text.

    Two-state and four-state are the same here: where it changes a value there is a conversion.
    """
    if kind.isIntegral:
        return (kind.bitWidth, kind.isSigned)
    return str(kind.canonicalType)


def _symbol(symbol: Any) -> Form:
    package, colons, _ = symbol.hierarchicalPath.rpartition("::")
    kind = str(symbol.type.canonicalType)
    value = str(symbol.value) if isinstance(symbol, _CONSTANTS) else ""
    return (package if colons else "", symbol.name, kind, value)


_CONSTANTS = (ast.ParameterSymbol, ast.EnumValueSymbol)


def _conversion(canon: Canon, node: Any) -> Form:
    inner = canon.expression(node.operand)
    here, there = node.type, node.operand.type
    if here.isIntegral and there.isIntegral:
        loses_x = there.isFourState and not here.isFourState
        if _type(here) == _type(there) and not loses_x:
            return inner
        # A conversion that comes from the context takes the sign before it extends the value.
        early = node.conversionKind is ast.ConversionKind.Propagated
        early = early and here.isSigned != there.isSigned
        return ("convert", _type(here), _type(there), loses_x, early, inner)
    return ("convert", _type(here), _type(there), inner)


def _conditional(canon: Canon, node: Any) -> Form:
    conditions = node.conditions
    if len(conditions) == 1:
        number = is_on_selector(conditions[0].expr)
        if number is not None:
            return canon.expression(node.left if number == canon._number else node.right)
    if any(condition.pattern is not None for condition in conditions):
        return canon._opaque(node)
    return (
        "conditional",
        _type(node.type),
        canon._all(condition.expr for condition in conditions),
        canon.expression(node.left),
        canon.expression(node.right),
    )


def _literal(_: Canon, node: Any) -> Form:
    return ("literal", _type(node.type), str(node.value))


def _string(_: Canon, node: Any) -> Form:
    return ("string", _type(node.type), node.value)


def _value(_: Canon, node: Any) -> Form:
    return ("value", _symbol(node.symbol))


def _unary(canon: Canon, node: Any) -> Form:
    return ("unary", node.op.name, _type(node.type), canon.expression(node.operand))


def _binary(canon: Canon, node: Any) -> Form:
    left, right = canon.expression(node.left), canon.expression(node.right)
    # By zero they give X, and so 0 if there are but two states.
    has_x = node.op in _MAY_GIVE_X and node.type.isFourState
    return ("binary", node.op.name, _type(node.type), has_x, left, right)


_MAY_GIVE_X = (ast.BinaryOperator.Divide, ast.BinaryOperator.Mod, ast.BinaryOperator.Power)


def _concatenation(canon: Canon, node: Any) -> Form:
    return ("concatenation", canon._all(node.operands))


def _replication(canon: Canon, node: Any) -> Form:
    return ("replication", canon.expression(node.count), canon.expression(node.concat))


def _element(canon: Canon, node: Any) -> Form:
    return ("element", canon.expression(node.value), canon.expression(node.selector))


def _range(canon: Canon, node: Any) -> Form:
    return (
        "range",
        node.selectionKind.name,
        _type(node.type),
        canon.expression(node.value),
        canon.expression(node.left),
        canon.expression(node.right),
    )


def _member(canon: Canon, node: Any) -> Form:
    return ("member", node.member.name, canon.expression(node.value))


def _call(canon: Canon, node: Any) -> Form:
    if node.isSystemCall and not node.subroutineName.startswith("$"):
        # An array method may hold an expression behind `with` that is not among its arguments.
        return canon._opaque(node)
    return (
        "call",
        node.subroutineName if node.isSystemCall else node.subroutine.hierarchicalPath,
        _type(node.type),
        canon.expression(node.thisClass),
        canon._all(node.arguments),
    )


def _assignment(canon: Canon, node: Any) -> Form:
    return (
        "assign",
        node.isNonBlocking,
        node.op.name if node.isCompound else "",
        canon.expression(node.left),
        canon.expression(node.right),
        canon._opaque(node.timingControl) if node.timingControl is not None else NOTHING,
    )


def _reference(_: Canon, node: Any) -> Form:
    return ("target", _type(node.type))


_EXPRESSIONS: dict[type[Any], Callable[[Canon, Any], Form]] = {
    ast.ConversionExpression: _conversion,
    ast.ConditionalExpression: _conditional,
    ast.IntegerLiteral: _literal,
    ast.UnbasedUnsizedIntegerLiteral: _literal,
    ast.StringLiteral: _string,
    ast.NamedValueExpression: _value,
    ast.UnaryExpression: _unary,
    ast.BinaryExpression: _binary,
    ast.ConcatenationExpression: _concatenation,
    ast.ReplicationExpression: _replication,
    ast.ElementSelectExpression: _element,
    ast.RangeSelectExpression: _range,
    ast.MemberAccessExpression: _member,
    ast.CallExpression: _call,
    ast.AssignmentExpression: _assignment,
    ast.LValueReferenceExpression: _reference,
}


def _if(canon: Canon, node: Any) -> Form:
    if any(condition.pattern is not None for condition in node.conditions):
        return canon._opaque(node)
    # That none of a `unique` chain holds is an error only where it has no `else`.
    last = node
    while node.check != _UNCHECKED and isinstance(last.ifFalse, ast.ConditionalStatement):
        last = last.ifFalse
    is_whole = node.check != _UNCHECKED and last.ifFalse is not None
    return ("if", str(node.check), is_whole, canon._all(each.expr for each in node.conditions))


_UNCHECKED = ast.UniquePriorityCheck(0)


def _case(canon: Canon, node: Any) -> Form:
    labels = tuple(canon._all(item.expressions) for item in node.items)
    kind = (str(node.condition), str(node.check), node.defaultCase is not None)
    return ("case", kind, canon.expression(node.expr), labels)


def _for(canon: Canon, node: Any) -> Form:
    return (
        "for",
        canon._all(node.initializers),
        tuple((_symbol(v), canon.expression(v.initializer)) for v in node.loopVars),
        canon.expression(node.stopExpr),
        canon._all(node.steps),
    )


def _declaration(canon: Canon, node: Any) -> Form:
    symbol = node.symbol
    told = (str(symbol.lifetime), str(symbol.flags))
    return ("declare", _symbol(symbol), told, canon.expression(symbol.initializer))


_OWN: dict[type[Any], Callable[[Canon, Any], Form]] = {
    ast.ExpressionStatement: lambda canon, node: canon.expression(node.expr),
    ast.ReturnStatement: lambda canon, node: ("return", canon.expression(node.expr)),
    ast.ConditionalStatement: _if,
    ast.CaseStatement: _case,
    ast.ForLoopStatement: _for,
    ast.RepeatLoopStatement: lambda canon, node: ("repeat", canon.expression(node.count)),
    ast.WhileLoopStatement: lambda canon, node: ("while", canon.expression(node.cond)),
    ast.DoWhileLoopStatement: lambda canon, node: ("do", canon.expression(node.cond)),
    ast.ForeverLoopStatement: lambda canon, node: ("forever",),
    ast.WaitStatement: lambda canon, node: ("wait", canon.expression(node.cond)),
    ast.TimedStatement: lambda canon, node: (_TIMED, canon._opaque(node.timing)),
    ast.VariableDeclStatement: _declaration,
}
_INNER: dict[type[Any], Callable[[Any], list[Any]]] = {
    ast.ConditionalStatement: lambda node: [node.ifTrue, node.ifFalse],
    ast.CaseStatement: lambda node: [*(item.stmt for item in node.items), node.defaultCase],
    ast.ForLoopStatement: lambda node: [node.body],
    ast.RepeatLoopStatement: lambda node: [node.body],
    ast.WhileLoopStatement: lambda node: [node.body],
    ast.DoWhileLoopStatement: lambda node: [node.body],
    ast.ForeverLoopStatement: lambda node: [node.body],
    ast.WaitStatement: lambda node: [node.stmt],
    ast.TimedStatement: lambda node: [node.stmt],
}
