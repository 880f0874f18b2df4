# SPDX-License-Identifier: Apache-2.0
"""Terms that hold all mutants, and what is left of them when one is chosen."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from cocotb_mutants.proofs.terms import Terms

__all__ = ["Choice"]


class Choice:
    """Folds terms for one value of their selectors after the other.

    A selector is only ever compared with constants, so a value makes one comparison of each
    selector true. What does not depend on that is the same as in the original, and is kept.

    Raises:
        ValueError: a selector is used otherwise.
    """

    def __init__(self, terms: Terms, selectors: Iterable[int], roots: Sequence[int]) -> None:
        self._terms = terms
        self._kept: dict[int, int] = {}
        self._users: dict[int, list[int]] = {}
        self._tests: dict[int, list[int]] = {}
        chosen = set(selectors)
        for number in terms.cone(roots):
            for each in terms[number].args:
                self._users.setdefault(each, []).append(number)
        zero = terms.const(1, 0)
        for selector in chosen:
            for user in self._users.get(selector, ()):
                value = self._compared(user, selector)
                if value is None:
                    raise ValueError("a selector is used in another way than to choose")
                self._tests.setdefault(value, []).append(user)
                self._kept[user] = zero

    @property
    def values(self) -> Collection[int]:
        """What the selectors are compared with."""
        return self._tests.keys()

    def fold(self, roots: Sequence[int], value: int) -> list[int]:
        """Return `roots` with all selectors at `value`; 0 is compared with nowhere."""
        terms, own = self._terms, self._above(value)
        todo = list(reversed(roots))
        while todo:
            number = todo[-1]
            if self._value(number, own) is not None:
                todo.pop()
                continue
            term = terms[number]
            needed = self._needed(number, own)
            missing = [each for each in needed if self._value(each, own) is None]
            if missing:
                todo += missing
                continue
            todo.pop()
            args = tuple(self._value(each, own) for each in needed)
            if len(needed) < len(term.args):
                found = args[-1]
            elif args == term.args:
                found = number
            else:
                found = terms.make(term.op, term.width, args, term.value)  # type: ignore[arg-type]
            (own if number in own else self._kept)[number] = found  # type: ignore[assignment]
        return [self._value(each, own) for each in roots]  # type: ignore[misc]

    def _above(self, value: int) -> dict[int, int | None]:
        """Return the comparisons that are true, and None for all that is made of them."""
        tests = self._tests.get(value, [])
        found: dict[int, int | None] = {}
        todo = [user for test in tests for user in self._users.get(test, ())]
        while todo:
            number = todo.pop()
            if number not in found:
                found[number] = None
                todo += self._users.get(number, ())
        one = self._terms.const(1, 1)
        return {**found, **dict.fromkeys(tests, one)}

    def _value(self, number: int, own: dict[int, int | None]) -> int | None:
        return own[number] if number in own else self._kept.get(number)

    def _needed(self, number: int, own: dict[int, int | None]) -> tuple[int, ...]:
        """Return the arguments that must be known: of a choice that is made, one arm only."""
        term = self._terms[number]
        if term.op != "ite":
            return term.args
        chosen, yes, no = term.args
        known = self._value(chosen, own)
        if known is None:
            return (chosen,)
        value = self._terms.constant(known)
        return term.args if value is None else (chosen, yes if value else no)

    def _compared(self, user: int, selector: int) -> int | None:
        term = self._terms[user]
        if term.op != "eq":
            return None
        other = term.args[0] if term.args[1] == selector else term.args[1]
        return self._terms.constant(other)
