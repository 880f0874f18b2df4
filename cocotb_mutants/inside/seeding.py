# SPDX-License-Identifier: Apache-2.0
"""Give numpy's global random numbers a seed, as cocotb gives one to Python's own."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any

__all__ = ["seed_numpy"]

_NAME = "numpy.random"


def seed_numpy(seed: int) -> None:
    """Seed numpy's global generator now, or as soon as the bench imports it.

    Without that no two runs of a bench that uses it are alike, and libraries use it unasked where
    numpy happens to be installed.
    """
    seed &= 0xFFFF_FFFF
    loaded = sys.modules.get(_NAME)
    if loaded is not None:
        loaded.seed(seed)
    else:
        sys.meta_path.insert(0, _Finder(seed))


class _Finder(MetaPathFinder):
    """Lets the others find the module, once, and seeds it when it is loaded."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the specification of `numpy.random` with our loader around its own."""
        del path, target
        if name != _NAME:
            return None
        sys.meta_path.remove(self)
        spec = find_spec(name)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader, self._seed)
        return spec


class _Loader(Loader):
    def __init__(self, loader: Any, seed: int) -> None:
        self._loader = loader
        self._seed = seed

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Create the module as its own loader does."""
        created: ModuleType | None = self._loader.create_module(spec)
        return created

    def exec_module(self, module: ModuleType) -> None:
        """Load the module, then seed it."""
        self._loader.exec_module(module)
        module.seed(self._seed)
