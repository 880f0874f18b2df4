# SPDX-License-Identifier: Apache-2.0
"""Bit-vector terms, each stored once and simplified as it is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

__all__ = ["DIVISIONS", "Term", "Terms", "bits", "evaluate", "mask", "signed"]

DIVISIONS = ("udiv", "urem", "sdiv", "srem", "smod")
_COMMUTATIVE = ("and", "or", "xor", "add", "mul", "eq")


class Term(NamedTuple):
    """One operation.

    `op` is `const`, `input`, `state`, `fresh` or an operation of SMT-LIB's bit vectors: `not and or
    xor add sub mul udiv urem sdiv srem smod shl lshr ashr eq ult slt concat slice ite redxor
    sext`; a `fresh` one may be anything, but the same for the same arguments. `width` is in bits,
    `args` are numbers of other terms. `value` is the number of a constant, the name of an input
    or state, what a fresh value stands for, or the high and low bit of a slice.
    """

    op: str
    width: int
    args: tuple[int, ...] = ()
    value: object = None


def mask(width: int) -> int:
    """Return the largest number of `width` bits."""
    return (1 << width) - 1


def signed(number: int, width: int) -> int:
    """Return what `number` is in two's complement."""
    return number - (1 << width) if number >> (width - 1) else number


def _truncated(number: int, by: int) -> int:
    return abs(number) // abs(by) * (-1 if (number < 0) != (by < 0) else 1)


def evaluate(term: Term, widths: Sequence[int], values: Sequence[int]) -> int:
    """Return what an operation gives for numbers, `widths` being those of its arguments.

    A division by zero is as in SMT-LIB: all ones, the remainder the dividend; signed ones
    accordingly.
    """
    op, width = term.op, term.width
    if op == "slice":
        return values[0] >> bits(term)[1] & mask(width)
    if op == "sext":
        return signed(values[0], widths[0]) & mask(width)
    if op == "concat":
        return values[0] << widths[1] | values[1]
    if op in DIVISIONS:
        return _divided(op, width, values)
    return _PLAIN[op](values, widths[0]) & mask(width)


def _divided(op: str, width: int, values: Sequence[int]) -> int:
    left, right = values
    if op in ("udiv", "urem"):
        if right == 0:
            return mask(width) if op == "udiv" else left
        return left // right if op == "udiv" else left % right
    a, b = signed(left, width), signed(right, width)
    if b == 0:
        return left if op != "sdiv" else (1 if a < 0 else mask(width))
    if op == "sdiv":
        return _truncated(a, b) & mask(width)
    if op == "srem":
        return (a - _truncated(a, b) * b) & mask(width)
    return a % b & mask(width)


_PLAIN: Mapping[str, Callable[[Sequence[int], int], int]] = {
    "not": lambda v, _: ~v[0],
    "and": lambda v, _: v[0] & v[1],
    "or": lambda v, _: v[0] | v[1],
    "xor": lambda v, _: v[0] ^ v[1],
    "add": lambda v, _: v[0] + v[1],
    "sub": lambda v, _: v[0] - v[1],
    "mul": lambda v, _: v[0] * v[1],
    "shl": lambda v, w: v[0] << v[1] if v[1] < w else 0,
    "lshr": lambda v, w: v[0] >> v[1] if v[1] < w else 0,
    "ashr": lambda v, w: signed(v[0], w) >> min(v[1], w - 1),
    "eq": lambda v, _: v[0] == v[1],
    "ult": lambda v, _: v[0] < v[1],
    "slt": lambda v, w: signed(v[0], w) < signed(v[1], w),
    "ite": lambda v, _: v[1] if v[0] else v[2],
    "redxor": lambda v, _: v[0].bit_count() & 1,
}


def bits(term: Term) -> tuple[int, int]:
    """Return the high and the low bit of a slice."""
    assert isinstance(term.value, tuple)
    high, low = term.value
    return int(high), int(low)


class Terms:
    """All terms of a design and its mutants; equal ones have one number."""

    def __init__(self) -> None:
        self.all: list[Term] = []
        self._known: dict[Term, int] = {}

    def __getitem__(self, number: int) -> Term:
        return self.all[number]

    def width(self, number: int) -> int:
        """Return the width of a term in bits."""
        return self.all[number].width

    def const(self, width: int, value: int) -> int:
        """Return a constant."""
        return self._store(Term("const", width, (), value & mask(width)))

    def leaf(self, op: str, width: int, name: object) -> int:
        """Return an input or a state."""
        return self._store(Term(op, width, (), name))

    def make(self, op: str, width: int, args: Iterable[int], value: object = None) -> int:
        """Return an operation in its simplest known form."""
        args = tuple(args)
        if op in _COMMUTATIVE and args[0] > args[1]:
            args = (args[1], args[0])
        given = [self.all[each] for each in args]
        if op != "fresh" and all(each.op == "const" for each in given):
            numbers = [each.value for each in given]
            widths = [each.width for each in given]
            return self.const(width, evaluate(Term(op, width, args, value), widths, numbers))  # type: ignore[arg-type]
        simpler = _SIMPLER.get(op)
        if simpler is not None:
            found = simpler(self, width, args, value)
            if found is not None:
                return found
        return self._store(Term(op, width, args, value))

    def cone(self, roots: Iterable[int]) -> list[int]:
        """Return all terms that `roots` are made of, arguments before what is made of them."""
        seen: set[int] = set()
        todo = list(roots)
        while todo:
            number = todo.pop()
            if number not in seen:
                seen.add(number)
                todo += self.all[number].args
        return sorted(seen)

    def replaced(
        self, roots: Sequence[int], by: Mapping[int, int], known: dict[int, int] | None = None
    ) -> list[int]:
        """Return `roots` with terms replaced, and everything above them simplified anew.

        `known` may hold what earlier calls with the same `by` have found.
        """
        done = {} if known is None else known
        done.update(by)
        todo = list(reversed(roots))
        while todo:
            number = todo[-1]
            if number in done:
                todo.pop()
                continue
            term = self.all[number]
            needed = self._needed(term, done)
            missing = [each for each in needed if each not in done]
            if missing:
                # A choice asks for what it chooses by, and is looked at again.
                todo += missing
                continue
            todo.pop()
            args = tuple(done[each] for each in needed)
            if len(needed) < len(term.args):
                done[number] = args[-1]
            elif args == term.args:
                done[number] = number
            else:
                done[number] = self.make(term.op, term.width, args, term.value)
        return [done[each] for each in roots]

    def _needed(self, term: Term, done: Mapping[int, int]) -> tuple[int, ...]:
        """Return the arguments that must be known: of a choice that is made, one arm only."""
        if term.op != "ite":
            return term.args
        chosen, yes, no = term.args
        if chosen not in done:
            return (chosen,)
        value = self.constant(done[chosen])
        if value is None:
            return term.args
        return (chosen, yes if value else no)

    def constant(self, number: int) -> int | None:
        """Return the value of a constant, None for any other term."""
        term = self.all[number]
        return term.value if term.op == "const" else None  # type: ignore[return-value]

    def inverse(self, number: int) -> int:
        """Return the complement of a term."""
        return self.make("not", self.width(number), (number,))

    def any_of(self, numbers: Iterable[int]) -> int:
        """Return whether any of some single bits is 1."""
        found = self.const(1, 0)
        for each in numbers:
            found = self.make("or", 1, (found, each))
        return found

    def differ(self, left: int, right: int) -> int:
        """Return, as one bit, whether two terms of the same width differ."""
        return self.inverse(self.make("eq", 1, (left, right)))

    def _store(self, term: Term) -> int:
        number = self._known.get(term)
        if number is None:
            number = self._known[term] = len(self.all)
            self.all.append(term)
        return number


Simpler = Callable[[Terms, int, tuple[int, ...], object], int | None]


def _not(terms: Terms, width: int, args: tuple[int, ...], _: object) -> int | None:
    inner = terms[args[0]]
    return inner.args[0] if inner.op == "not" else None


def _and(terms: Terms, width: int, args: tuple[int, ...], _: object) -> int | None:
    return _lattice(terms, width, args, zero=0, one=mask(width))


def _or(terms: Terms, width: int, args: tuple[int, ...], _: object) -> int | None:
    return _lattice(terms, width, args, zero=mask(width), one=0)


def _lattice(terms: Terms, width: int, args: tuple[int, ...], *, zero: int, one: int) -> int | None:
    left, right = args
    if left == right:
        return left
    for this, other in ((left, right), (right, left)):
        value = terms.constant(this)
        if value is not None and value == zero:
            return this
        if value is not None and value == one:
            return other
    if terms.inverse(left) == right:
        return terms.const(width, zero)
    return None


def _xor(terms: Terms, width: int, args: tuple[int, ...], _: object) -> int | None:
    left, right = args
    if left == right:
        return terms.const(width, 0)
    for this, other in ((left, right), (right, left)):
        value = terms.constant(this)
        if value == 0:
            return other
        if value == mask(width):
            return terms.inverse(other)
    return None


def _add(terms: Terms, width: int, args: tuple[int, ...], _: object) -> int | None:
    left, right = args
    if terms.constant(left) == 0:
        return right
    return left if terms.constant(right) == 0 else None


def _sub(terms: Terms, width: int, args: tuple[int, ...], _: object) -> int | None:
    left, right = args
    if left == right:
        return terms.const(width, 0)
    number = terms.constant(right)
    # One form for both, so that x - 1 and x + 255 meet.
    return None if number is None else terms.make("add", width, (left, terms.const(width, -number)))


def _mul(terms: Terms, width: int, args: tuple[int, ...], _: object) -> int | None:
    for this, other in (args, args[::-1]):
        if terms.constant(this) == 0:
            return this
        if terms.constant(this) == 1:
            return other
    return None


def _shift(terms: Terms, width: int, args: tuple[int, ...], _: object) -> int | None:
    return args[0] if terms.constant(args[1]) == 0 else None


def _eq(terms: Terms, width: int, args: tuple[int, ...], _: object) -> int | None:
    left, right = args
    if left == right:
        return terms.const(1, 1)
    for this, other in (args, args[::-1]):
        number = terms.constant(this)
        term = terms[other]
        if number is None:
            continue
        if term.width == 1:
            return other if number else terms.inverse(other)
        if term.op == "ite" and all(terms.constant(each) is not None for each in term.args[1:]):
            arms = [terms.make("eq", 1, (this, each)) for each in term.args[1:]]
            return terms.make("ite", 1, (term.args[0], *arms))
        if term.op == "concat" and terms.constant(term.args[0]) is not None:
            low = terms.width(term.args[1])
            if terms.constant(term.args[0]) != number >> low:
                return terms.const(1, 0)
            return terms.make("eq", 1, (terms.const(low, number), term.args[1]))
    return terms.const(1, 0) if terms.inverse(left) == right else None


def _ult(terms: Terms, width: int, args: tuple[int, ...], _: object) -> int | None:
    left, right = args
    if left == right or terms.constant(right) == 0:
        return terms.const(1, 0)
    most = mask(terms.width(left))
    if terms.constant(left) == most:
        return terms.const(1, 0)
    if terms.constant(right) == 1:
        return terms.make("eq", 1, (left, terms.const(terms.width(left), 0)))
    if terms.constant(left) == 0:
        return terms.inverse(terms.make("eq", 1, (right, left)))
    if terms.constant(right) == most:
        return terms.inverse(terms.make("eq", 1, (left, right)))
    return None


def _slt(terms: Terms, width: int, args: tuple[int, ...], _: object) -> int | None:
    return terms.const(1, 0) if args[0] == args[1] else None


def _ite(terms: Terms, width: int, args: tuple[int, ...], _: object) -> int | None:
    chosen, yes, no = args
    value = terms.constant(chosen)
    if value is not None:
        return yes if value else no
    if yes == no:
        return yes
    if terms[chosen].op == "not":
        return terms.make("ite", width, (terms[chosen].args[0], no, yes))
    # The same choice again inside of its own arm.
    if terms[yes].op == "ite" and terms[yes].args[0] == chosen:
        return terms.make("ite", width, (chosen, terms[yes].args[1], no))
    if terms[no].op == "ite" and terms[no].args[0] == chosen:
        return terms.make("ite", width, (chosen, yes, terms[no].args[2]))
    if width == 1:
        return _bit_choice(terms, chosen, yes, no)
    return None


def _bit_choice(terms: Terms, chosen: int, yes: int, no: int) -> int | None:
    one, zero = terms.constant(yes), terms.constant(no)
    if one is not None:
        other = chosen if one else terms.inverse(chosen)
        return terms.make("or" if one else "and", 1, (other, no))
    if zero is not None:
        other = terms.inverse(chosen) if zero else chosen
        return terms.make("or" if zero else "and", 1, (other, yes))
    if yes == chosen:
        return terms.make("or", 1, (chosen, no))
    if no == chosen:
        return terms.make("and", 1, (chosen, yes))
    return None


def _slice(terms: Terms, width: int, args: tuple[int, ...], value: object) -> int | None:
    high, low = bits(Term("slice", width, args, value))
    inner = terms[args[0]]
    if width == inner.width:
        return args[0]
    if inner.op == "slice":
        base = bits(inner)[1]
        return terms.make("slice", width, inner.args, (high + base, low + base))
    if inner.op == "concat":
        border = terms.width(inner.args[1])
        if high < border:
            return terms.make("slice", width, inner.args[1:], (high, low))
        if low >= border:
            return terms.make("slice", width, inner.args[:1], (high - border, low - border))
    return None


def _concat(terms: Terms, width: int, args: tuple[int, ...], _: object) -> int | None:
    left, right = (terms[each] for each in args)
    if left.op == right.op == "slice" and left.args == right.args:
        (high, middle), (below, low) = bits(left), bits(right)
        if middle == below + 1:
            return terms.make("slice", width, left.args, (high, low))
    return None


def _sext(terms: Terms, width: int, args: tuple[int, ...], _: object) -> int | None:
    return args[0] if terms.width(args[0]) == width else None


_SIMPLER: Mapping[str, Simpler] = {
    "not": _not,
    "and": _and,
    "or": _or,
    "xor": _xor,
    "add": _add,
    "sub": _sub,
    "mul": _mul,
    "shl": _shift,
    "lshr": _shift,
    "ashr": _shift,
    "eq": _eq,
    "ult": _ult,
    "slt": _slt,
    "ite": _ite,
    "slice": _slice,
    "concat": _concat,
    "sext": _sext,
}
