# SPDX-License-Identifier: Apache-2.0
"""Read BTOR2, as Yosys writes it, into terms.

The format is described in Niemetz, Preiner, Wolf, Biere: "BTOR2, BtorMC and Boolector 3.0" (2018).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from cocotb_mutants.proofs.terms import DIVISIONS, Terms

__all__ = ["Netlist", "Unsupported", "parse"]

_SAME = ("not", "and", "or", "xor", "add", "sub", "mul", "concat", "ite", "redxor")
_SHIFTS = {"sll": "shl", "srl": "lshr", "sra": "ashr"}
_NEGATED = {"xnor": "xor", "nand": "and", "nor": "or"}
_ORDERS = {
    # The order, whether its operands change places, whether it is the opposite.
    "ult": ("ult", False, False),
    "ugt": ("ult", True, False),
    "ulte": ("ult", True, True),
    "ugte": ("ult", False, True),
    "slt": ("slt", False, False),
    "sgt": ("slt", True, False),
    "slte": ("slt", True, True),
    "sgte": ("slt", False, True),
}


class Unsupported(Exception):
    """A design, or a mutant of it, is outside of what is proved here; the text says why."""


@dataclass
class Netlist:
    """A design between two clock edges.

    All numbers are those of `terms`. `inputs` and `outputs` are by name, `states` by number with
    all names that the design has for them, `next` says what becomes of each state at an edge,
    `start` what it is in the beginning, if that is said. `unknown` are inputs that no name was
    given to: what the front end left undefined.
    """

    terms: Terms
    inputs: dict[str, int] = field(default_factory=dict)
    unknown: list[int] = field(default_factory=list)
    states: dict[int, frozenset[str]] = field(default_factory=dict)
    next: dict[int, int] = field(default_factory=dict)
    start: dict[int, int] = field(default_factory=dict)
    outputs: dict[str, int] = field(default_factory=dict)


def parse(text: str, terms: Terms) -> Netlist:
    """Return the design that `text` describes.

    Raises:
        Unsupported: it holds something that has no bit-vector term.
    """
    reader = _Reader(terms)
    for line in text.splitlines():
        words = line.partition(";")[0].split()
        if words:
            reader.line(words)
    return reader.netlist()


class _Reader:
    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        # What has no name is another thing in each design that is read.
        self._design = len(terms.all)
        self._widths: dict[str, int] = {}
        self._nodes: dict[str, int] = {}
        self._names: dict[int, set[str]] = {}
        self._leaves: list[tuple[str, int]] = []
        self._found = Netlist(terms)

    def netlist(self) -> Netlist:
        """Return what was read; what has a name is the same term in every design that is read."""
        terms, read, found = self._terms, self._found, Netlist(self._terms)
        by, taken = {}, set()
        for kind, number in self._leaves:
            kind = "state" if number in read.next else "input"
            # Deepest in the hierarchy is the variable itself, at the top what drives it.
            best = max if kind == "state" else min
            name = best(self._names.get(number, {""}), key=lambda each: (each.count("."), each))
            if name and name not in taken:
                taken.add(name)
                by[number] = terms.leaf(kind, terms.width(number), name)
            if number in read.next:
                found.states[by.get(number, number)] = frozenset(self._names.get(number, ()))
            elif name:
                found.inputs[name] = by.get(number, number)
            else:
                found.unknown.append(number)
        for table, given in ((found.next, read.next), (found.start, read.start)):
            values = terms.replaced(list(given.values()), by)
            table.update(zip((by.get(each, each) for each in given), values, strict=True))
        values = terms.replaced(list(read.outputs.values()), by)
        found.outputs.update(zip(read.outputs, values, strict=True))
        return found

    def line(self, words: list[str]) -> None:
        number, kind, *rest = words
        if kind == "sort":
            if rest[0] != "bitvec":
                raise Unsupported("a memory that is not made of registers")
            self._widths[number] = int(rest[1])
        elif kind in ("input", "state"):
            self._leaf(number, kind, rest)
        elif kind == "output":
            name = rest[1] if len(rest) > 1 else number
            self._found.outputs[name] = self._node(rest[0])
            # A register that is an output has no other name.
            self._name(self._node(rest[0]), name)
        elif kind in ("next", "init"):
            table = self._found.next if kind == "next" else self._found.start
            table[self._node(rest[1])] = self._node(rest[2])
        elif kind in ("bad", "constraint", "fair", "justice"):
            raise Unsupported("an assertion or assumption in the design")
        else:
            self._nodes[number] = self._operation(kind, rest)

    def _leaf(self, number: str, kind: str, rest: list[str]) -> None:
        leaf = self._terms.leaf(kind, self._widths[rest[0]], (kind, number, self._design))
        self._nodes[number] = leaf
        self._leaves.append((kind, leaf))
        if len(rest) > 1:
            self._name(leaf, rest[1])

    def _name(self, number: int, name: str) -> None:
        self._names.setdefault(number, set()).add(name)

    def _operation(self, kind: str, rest: list[str]) -> int:
        terms, width = self._terms, self._widths[rest[0]]
        if kind in ("const", "constd", "consth", "zero", "one", "ones"):
            return _constant(terms, kind, width, rest)
        if kind in ("uext", "slice", "sext"):
            return self._resized(kind, width, rest)
        args = [self._node(each) for each in rest[1:] if each.lstrip("-").isdigit()]
        if kind in ("read", "write"):
            raise Unsupported("a memory that is not made of registers")
        return _make(terms, kind, width, args)

    def _resized(self, kind: str, width: int, rest: list[str]) -> int:
        terms, inner = self._terms, self._node(rest[1])
        if kind == "slice":
            return terms.make("slice", width, (inner,), (int(rest[2]), int(rest[3])))
        if len(rest) > 3 and int(rest[2]) == 0:
            # How Yosys gives a second name to a wire.
            self._name(inner, rest[3])
            return inner
        more = int(rest[2])
        if more == 0:
            return inner
        if kind == "sext":
            return terms.make("sext", width, (inner,))
        return terms.make("concat", width, (terms.const(more, 0), inner))

    def _node(self, word: str) -> int:
        if word.startswith("-"):
            return self._terms.inverse(self._nodes[word[1:]])
        return self._nodes[word]


def _constant(terms: Terms, kind: str, width: int, rest: list[str]) -> int:
    bases = {"const": 2, "constd": 10, "consth": 16}
    if kind in bases:
        return terms.const(width, int(rest[1], bases[kind]))
    return terms.const(width, {"zero": 0, "one": 1, "ones": -1}[kind])


def _make(terms: Terms, kind: str, width: int, args: list[int]) -> int:
    if kind in DIVISIONS:
        return _divided(terms, kind, width, args)
    if kind in _SAME:
        return terms.make(kind, width, args)
    if kind in _SHIFTS:
        return terms.make(_SHIFTS[kind], width, args)
    if kind in _NEGATED:
        return terms.inverse(terms.make(_NEGATED[kind], width, args))
    if kind in _ORDERS:
        order, swapped, opposite = _ORDERS[kind]
        found = terms.make(order, 1, args[::-1] if swapped else args)
        return terms.inverse(found) if opposite else found
    rule = _OTHERS.get(kind)
    if rule is None:
        raise Unsupported(f"the operation {kind}")
    return rule(terms, width, args)


def _divided(terms: Terms, kind: str, width: int, args: list[int]) -> int:
    """Divide; by zero gives anything, since it is an X in one simulator and 0 in another."""
    by_zero = terms.make("eq", 1, (args[1], _zero(terms, args[1])))
    anything = terms.make("fresh", width, args, kind)
    return terms.make("ite", width, (by_zero, anything, terms.make(kind, width, args)))


def _zero(terms: Terms, number: int) -> int:
    return terms.const(terms.width(number), 0)


_OTHERS: Mapping[str, Callable[[Terms, int, list[int]], int]] = {
    "eq": lambda terms, _, a: terms.make("eq", 1, a),
    "iff": lambda terms, _, a: terms.make("eq", 1, a),
    "neq": lambda terms, _, a: terms.differ(a[0], a[1]),
    "implies": lambda terms, _, a: terms.make("or", 1, (terms.inverse(a[0]), a[1])),
    "redor": lambda terms, _, a: terms.differ(a[0], _zero(terms, a[0])),
    "redand": lambda terms, _, a: terms.make("eq", 1, (a[0], terms.const(terms.width(a[0]), -1))),
    "neg": lambda terms, w, a: terms.make("sub", w, (_zero(terms, a[0]), a[0])),
    "inc": lambda terms, w, a: terms.make("add", w, (a[0], terms.const(w, 1))),
    "dec": lambda terms, w, a: terms.make("add", w, (a[0], terms.const(w, -1))),
}
