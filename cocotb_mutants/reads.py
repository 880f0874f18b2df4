# SPDX-License-Identifier: Apache-2.0
"""What the code of a form reads, and what it writes later: what wakes a combinational process."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from cocotb_mutants.canon import Form

__all__ = ["read_by", "written_late_by"]

_WORD = re.compile(r"[A-Za-z_$][\w$]*|\\\S+")


def read_by(form: Form) -> Counter[str]:
    """Return the names of what the code of `form` reads, and how often.

    Words of code that has no form count as names.
    """
    return Counter(_read(form))


def _read(form: Form) -> Iterator[str]:
    if not isinstance(form, tuple) or not form:
        return
    if form[0] == "value":
        _, name, _, constant = form[1]
        if not constant:
            yield name
    elif form[0] == "opaque":
        yield from _WORD.findall(form[-1])
    elif form[0] == "assign":
        _, _, compound, left, right, timing = form
        yield from _read((right, timing))
        yield from _read(left) if compound else _read_by_target(left)
    else:
        for each in form:
            yield from _read(each)


def _read_by_target(form: Form) -> Iterator[str]:
    """Yield what is read to know which part of a variable is assigned to."""
    assert isinstance(form, tuple)
    if form[0] in ("element", "range", "member"):
        # ("element", value, index), ("range", kind, type, value, left, right), ("member", ...)
        at = {"element": 1, "range": 3, "member": 2}[form[0]]
        yield from _read_by_target(form[at])
        yield from _read(form[at + 1 :])
    elif form[0] == "concatenation":
        for each in form[1]:
            yield from _read_by_target(each)
    elif form[0] != "value":
        yield from _read(form)


def written_late_by(form: Form) -> set[str]:
    """Return the names of what nonblocking assignments in the code of `form` write to."""
    found: set[str] = set()
    if isinstance(form, tuple) and form:
        if form[0] == "assign" and form[1]:
            found |= set(_read(form[3]))
        for each in form:
            found |= written_late_by(each)
    return found
