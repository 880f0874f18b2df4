# SPDX-License-Identifier: Apache-2.0
"""Functional coverage of one module: a short way to say what cocotb-coverage should count.

Points live under ``<chapter>.<check prefix>`` (``fleet.adm``), not under the module's name, because
cocotb-coverage 2.0 takes every XML element with "bin" in its name for a bin when it merges files,
and would choke on ``rebind_sequence``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import SimpleNamespace
from typing import Any

from cocotb_coverage.coverage import CoverCross, CoverPoint, coverage_db, coverage_section

from models.ports import COUNTER_MAX, Build
from tb.agent import Cycle
from tb.catalog import Module
from tb.plan import coverage_group

__all__ = ["CROSSED", "Points", "View", "view_of"]

CROSSED: dict[str, list[str]] = {}
"""Every cross that was defined, by its path, and the paths of the points it crosses."""

View = Any
"""What a point looks at: inputs by name, and ``correct`` and ``broken`` with that build's outputs
and its counters before the edge (``v.want_gb``, ``v.broken.admitted``)."""


def view_of(cycle: Cycle) -> View:
    """The attributes that points read, from one cycle."""
    builds = {
        build.name.lower(): SimpleNamespace(**cycle.outputs[build], **cycle.before[build])
        for build in Build
    }
    return SimpleNamespace(**cycle.inputs, **builds)


class Points:
    """The coverage of one module, built up point by point and then sampled once a cycle."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self.root = coverage_group(module)
        self._items: list[CoverPoint | CoverCross] = []

    def values(self, name: str, of: Callable[[View], Any], bins: Iterable[Any]) -> None:
        """One bin for each of *bins*; other values of *of* count nowhere."""
        self._items.append(CoverPoint(self._new(name), xf=of, bins=list(bins)))

    def seen(self, name: str, when: Callable[[View], Any]) -> None:
        """A single bin: *when* was true at least once."""
        self._items.append(CoverPoint(self._new(name), xf=lambda v: bool(when(v)), bins=[True]))

    def classes(self, name: str, rules: Mapping[str, Callable[[View], Any]]) -> None:
        """One bin for each named rule; the first rule that is true takes the cycle."""

        def first(view: View) -> str | None:
            return next((label for label, rule in rules.items() if rule(view)), None)

        self.values(name, first, rules)

    def boundary(
        self,
        name: str,
        difference: Callable[[View], int],
        when: Callable[[View], Any] = lambda _: True,
    ) -> None:
        """Both sides of a comparison, near and far, and the boundary itself."""

        def side(view: View) -> str | None:
            if not when(view):
                return None
            off = difference(view)
            near = {-1: "one below", 0: "equal", 1: "one above"}
            return near.get(off, "below" if off < 0 else "above")

        self.values(name, side, ["below", "one below", "equal", "one above", "above"])

    def cross(self, name: str, *points: str, never: Iterable[tuple[Any, ...]] = ()) -> None:
        """Every combination of the bins of *points*, without those that cannot be.

        In *never*, ``None`` stands for any bin.
        """
        paths = [self._path(point) for point in points]
        path = self._new(name)
        CROSSED[path] = paths
        self._items.append(CoverCross(path, items=paths, ign_bins=list(never)))

    def counters(self) -> None:
        """Every counter of the model at zero, on its way, and full, in whichever build."""
        for counter in self._module.model().State.widths():
            self.values(counter, _fill_of(counter), ["at zero", "counting", "full"])

    def sampler(self) -> Callable[[View], None]:
        """The function to call with every cycle's :data:`View`."""

        @coverage_section(*self._items)
        def sample(view: View) -> None:
            """Nothing to do: the decorators count."""

        return sample  # type: ignore[no-any-return]

    def _new(self, name: str) -> str:
        """Path of a point that is about to be defined; cocotb-coverage would drop a second one."""
        path = self._path(name)
        if path in coverage_db:
            raise ValueError(f"coverage point {path} is defined twice")
        return path

    def _path(self, name: str) -> str:
        return f"{self.root}.{name}"


def _fill_of(counter: str) -> Callable[[View], str]:
    def fill(view: View) -> str:
        count = max(getattr(build, counter) for build in (view.correct, view.broken))
        return {0: "at zero", COUNTER_MAX: "full"}.get(count, "counting")

    return fill
