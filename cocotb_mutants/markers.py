# SPDX-License-Identifier: Apache-2.0
"""The names that the tool puts into a design, so that a leak of them is easy to find."""

from __future__ import annotations

__all__ = ["GROSS", "HIT", "PACKAGE", "SELECT", "select_package"]

PACKAGE = "cocotb_mutants_select"
SELECT = f"{PACKAGE}::sel"
"""The selector: which mutant is on; 0 is the original."""

HIT = "cocotb_mutants_hit_"
"""What the names of registers begin with whose bits say that a mutant was activated."""

GROSS = {0xFFFF_FFFF: "'0", 0xFFFF_FFFE: "'1"}
"""Values of the selector at which every assignment assigns the same constant.

Two of them: with outputs at a constant already one of the two might show nothing. A complement
would not do, since two in a row cancel.
"""


def select_package(number: int | None = None) -> bytes:
    """Return the source of the package that holds the selector.

    With `number` it starts with that value, for builds that hold one mutant or none. Without it
    has no initial value, which would be given to it after the first callbacks of a simulation.
    """
    start = "" if number is None else f" = 32'd{number}"
    return (
        f"package {PACKAGE};\n"
        f"  int unsigned sel /* verilator public_flat_rw */{start};\n"
        f"endpackage\n"
    ).encode()
