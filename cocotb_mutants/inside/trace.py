# SPDX-License-Identifier: Apache-2.0
"""The settled values of the top's outputs over time, as a digest."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

from cocotb import simulator

__all__ = ["OutputTrace", "now"]


def now() -> int:
    """Return the simulated time in steps."""
    high, low = simulator.get_sim_time()
    return high << 32 | low


class OutputTrace:
    """Watches outputs and takes in their values at the end of each time step that changed one.

    Only what is settled counts: a pulse within a time step leaves no mark. Nothing is written
    and no simulated time is asked for, so the simulation goes on as it would unwatched.

    Attributes:
        length: the number of time steps taken in.
    """

    def __init__(self, top: Any, names: Iterable[str]) -> None:
        self.length = 0
        self._digest = hashlib.sha256()
        self._leaves = [leaf for name in names for leaf in _leaves(_child(top, name))]
        self._values: list[str | float] | None = None
        self._fired = set(range(len(self._leaves)))
        simulator.register_readonly_callback(self._sample)

    def digest(self) -> str:
        """Return the digest of all that was taken in so far."""
        return self._digest.hexdigest()

    def _changed(self, index: int) -> None:
        if not self._fired:
            simulator.register_readonly_callback(self._sample)
        self._fired.add(index)

    def _sample(self) -> None:
        # A callback comes once; until here no other change of the same output would say more.
        for index in self._fired:
            simulator.register_value_change_callback(
                self._leaves[index], self._changed, simulator.VALUE_CHANGE, index
            )
        self._fired = set()
        values = [_value(leaf) for leaf in self._leaves]
        if values != self._values:
            self._values = values
            self.length += 1
            self._digest.update(f"{now()} {values}\n".encode())


def _child(top: Any, name: str) -> Any:
    handle = top.get_handle_by_name(name)
    if handle is None:
        raise LookupError(f"the top has no port {name!r}")
    return handle


def _leaves(handle: Any) -> list[Any]:
    kind = handle.get_type()
    if kind in (simulator.NETARRAY, simulator.GENARRAY) or _is_memory(handle):
        left, right, _ = handle.get_range()
        indexes = range(left, right + 1) if left <= right else range(left, right - 1, -1)
        elements = [handle.get_handle_by_index(index) for index in indexes]
        return [leaf for element in elements if element is not None for leaf in _leaves(element)]
    if kind == simulator.STRUCTURE:
        return [
            leaf for member in handle.iterate(simulator.OBJECTS) or () for leaf in _leaves(member)
        ]
    return [handle]


def _is_memory(handle: Any) -> bool:
    return bool(handle.get_type() == getattr(simulator, "MEMORY", None))


def _value(leaf: Any) -> str | float:
    kind = leaf.get_type()
    if kind == simulator.REAL:
        return float(leaf.get_signal_val_real())
    if kind == simulator.STRING:
        return repr(leaf.get_signal_val_str())
    return str(leaf.get_signal_val_binstr())
