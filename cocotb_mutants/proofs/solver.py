# SPDX-License-Identifier: Apache-2.0
"""The solver behind the proofs: bitwuzla, asked incrementally."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import bitwuzla  # type: ignore[import-not-found]

from cocotb_mutants.proofs.terms import DIVISIONS, Term, Terms, bits

__all__ = ["Solver"]

_KIND = bitwuzla.Kind
_KINDS = {
    "not": _KIND.BV_NOT,
    "and": _KIND.BV_AND,
    "or": _KIND.BV_OR,
    "xor": _KIND.BV_XOR,
    "add": _KIND.BV_ADD,
    "sub": _KIND.BV_SUB,
    "mul": _KIND.BV_MUL,
    "udiv": _KIND.BV_UDIV,
    "urem": _KIND.BV_UREM,
    "sdiv": _KIND.BV_SDIV,
    "srem": _KIND.BV_SREM,
    "smod": _KIND.BV_SMOD,
    "concat": _KIND.BV_CONCAT,
    "redxor": _KIND.BV_REDXOR,
}
_SHIFTS = {"shl": _KIND.BV_SHL, "lshr": _KIND.BV_SHR, "ashr": _KIND.BV_ASHR}
_TESTS = {"eq": _KIND.EQUAL, "ult": _KIND.BV_ULT, "slt": _KIND.BV_SLT}


class Solver:
    """Answers whether bits can be 1 at the same time.

    With `abstract` a division or a product of two variables may be anything, though always the
    same for the same arguments: what cannot be then, cannot be at all, and it takes no time.
    """

    def __init__(self, terms: Terms, seconds: float, *, abstract: bool = False) -> None:
        self._terms = terms
        self._abstract = abstract
        self._manager = bitwuzla.TermManager()
        options = bitwuzla.Options()
        options.set(bitwuzla.Option.PRODUCE_MODELS, True)
        options.set(bitwuzla.Option.TIME_LIMIT_PER, int(seconds * 1000))
        self._solver = bitwuzla.Bitwuzla(self._manager, options)
        self._made: dict[int, Any] = {}
        self._one = self._manager.mk_bv_value(self._manager.mk_bv_sort(1), 1)
        self._zero = self._manager.mk_bv_value(self._manager.mk_bv_sort(1), 0)

    def can_be(self, bits: Iterable[int]) -> bool | None:
        """Tell whether all `bits` can be 1 at once; None if that took too long."""
        wanted = [self._manager.mk_term(_KIND.EQUAL, [self._term(b), self._one]) for b in bits]
        answer = self._solver.check_sat(*wanted)
        if answer == bitwuzla.Result.SAT:
            return True
        return False if answer == bitwuzla.Result.UNSAT else None

    def value(self, number: int) -> int:
        """Return what a term was in the last answer that something can be."""
        return int(self._solver.get_value(self._term(number)).value(2), 2)

    def _term(self, number: int) -> Any:
        if number not in self._made:
            for each in self._missing(number):
                self._made[each] = self._lowered(each, self._terms[each])
        return self._made[number]

    def _missing(self, root: int) -> list[int]:
        seen: set[int] = set()
        todo = [root]
        while todo:
            number = todo.pop()
            if number not in seen and number not in self._made:
                seen.add(number)
                if not self._is_free(self._terms[number]):
                    todo += self._terms[number].args
        return sorted(seen)

    def _is_free(self, term: Term) -> bool:
        if term.op in ("input", "state", "fresh"):
            return True
        if not self._abstract:
            return False
        return term.op in DIVISIONS or (
            term.op == "mul" and all(self._terms.constant(each) is None for each in term.args)
        )

    def _lowered(self, number: int, term: Term) -> Any:
        make, sort = self._manager.mk_term, self._manager.mk_bv_sort(term.width)
        if term.op == "const":
            return self._manager.mk_bv_value(sort, term.value)
        if self._is_free(term):
            return self._manager.mk_const(sort, f"t{number}")
        args = [self._made[each] for each in term.args]
        if term.op in _TESTS:
            return make(_KIND.ITE, [make(_TESTS[term.op], args), self._one, self._zero])
        if term.op == "ite":
            return make(_KIND.ITE, [make(_KIND.EQUAL, [args[0], self._one]), *args[1:]])
        if term.op == "slice":
            high, low = bits(term)
            return make(_KIND.BV_EXTRACT, [args[0]], [high, low])
        if term.op == "sext":
            return make(_KIND.BV_SIGN_EXTEND, args, [term.width - self._terms.width(term.args[0])])
        if term.op in _SHIFTS:
            return self._shift(term, args)
        return make(_KINDS[term.op], args)

    def _shift(self, term: Term, args: list[Any]) -> Any:
        """Shift, where the solver wants both operands to have one width."""
        make = self._manager.mk_term
        width, by = (self._terms.width(each) for each in term.args)
        if by < width:
            args[1] = make(_KIND.BV_ZERO_EXTEND, [args[1]], [width - by])
        if by <= width:
            return make(_SHIFTS[term.op], args)
        extend = _KIND.BV_SIGN_EXTEND if term.op == "ashr" else _KIND.BV_ZERO_EXTEND
        wide = make(_SHIFTS[term.op], [make(extend, [args[0]], [by - width]), args[1]])
        return make(_KIND.BV_EXTRACT, [wide], [width - 1, 0])
