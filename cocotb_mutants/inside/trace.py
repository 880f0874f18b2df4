# SPDX-License-Identifier: Apache-2.0
"""The settled values of the top's outputs over time, as a digest."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import Any

from cocotb import simulator

__all__ = ["OutputTrace", "inner", "now", "ports"]


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

    def __init__(
        self,
        signals: Iterable[tuple[str, Any]],
        listener: Callable[[int, list[str | float]], None] | None = None,
    ) -> None:
        self.length = 0
        self._listener = listener
        self._digest = hashlib.sha256()
        self._leaves = [leaf for _, leaf in signals]
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
            if self._listener is not None:
                self._listener(now(), values)
            self._digest.update(f"{now()} {values}\n".encode())


def ports(top: Any, names: Iterable[str]) -> list[tuple[str, Any]]:
    """Return the ports of the top with these names, each part of an array apart.

    Raises:
        LookupError: there is none of that name.
    """
    found = []
    for name in names:
        handle = top.get_handle_by_name(name)
        if handle is None:
            raise LookupError(f"the top has no port {name!r}")
        found += _parts(name, handle)
    return found


def inner(top: Any, names: Iterable[str]) -> list[tuple[str, Any]]:
    """Return those signals below the top, by hierarchical name, that the simulator knows."""
    found = []
    for name in names:
        handle: Any = top
        for part in name.split(".")[1:]:
            handle = handle and _child(handle, part)
        if handle is not None:
            found += _parts(name, handle)
    return found


def _child(handle: Any, part: str) -> Any:
    """Return what is called `part` below a handle: a name, with an index for each dimension."""
    found = handle.get_handle_by_name(part)
    if found is None and part.endswith("]"):
        base, *indexes = part.replace("]", "").split("[")
        found = handle.get_handle_by_name(base)
        for index in indexes:
            found = found and found.get_handle_by_index(int(index))
    return found


def _parts(name: str, handle: Any) -> list[tuple[str, Any]]:
    leaves = _leaves(handle)
    if len(leaves) == 1:
        return [(name, leaves[0])]
    return [(f"{name} ({leaf.get_name_string()})", leaf) for leaf in leaves]


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
