# SPDX-License-Identifier: Apache-2.0
"""Which modules there are: one word found in three trees, never listed by hand."""

from __future__ import annotations

import difflib
import importlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

from tb.errors import BenchBroken, UnknownModule

__all__ = ["ROOT", "Module", "find", "modules"]

ROOT = Path(__file__).resolve().parents[1]
"""The checkout that this file lies in."""


@dataclass(frozen=True, order=True)
class Module:
    """One RTL module: the same name in ``rtl/``, ``models/`` and ``tb/`` of its chapter."""

    chapter: str
    name: str

    @property
    def rtl(self) -> Path:
        """The SystemVerilog file."""
        return ROOT / "rtl" / self.chapter / f"{self.name}.sv"

    @property
    def model_file(self) -> Path:
        """The reference model."""
        return ROOT / "models" / self.chapter / f"{self.name}.py"

    @property
    def bench_file(self) -> Path:
        """The cocotb bench."""
        return ROOT / "tb" / self.chapter / f"test_{self.name}.py"

    @property
    def plan_file(self) -> Path:
        """The rows and checks of the exact-value plan."""
        return ROOT / "tb" / self.chapter / f"{self.name}.toml"

    @property
    def bench(self) -> str:
        """The bench as cocotb imports it."""
        return f"tb.{self.chapter}.test_{self.name}"

    @property
    def top(self) -> str:
        """The design that is simulated: both builds side by side."""
        return f"{self.name}_pair"

    def model(self) -> ModuleType:
        """The reference model, imported.

        Raises:
            BenchBroken: it cannot be imported, or lacks one of the names that benches go by.
        """
        path = self.model_file.relative_to(ROOT)
        try:
            model = importlib.import_module(f"models.{self.chapter}.{self.name}")
            for ports in (model.Inputs, model.Outputs, model.State):
                ports.widths()
            names = (model.step, model.PARAMETER, model.ENABLE)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}"
            raise BenchBroken(f"{path} cannot be used as a model: {reason}") from error
        if names[2] not in model.Inputs.widths():
            raise BenchBroken(f"{path} names {names[2]} as its enable, which is not an input")
        return model

    def missing(self) -> list[Path]:
        """Those of the module's four files that do not exist."""
        files = (self.rtl, self.model_file, self.bench_file, self.plan_file)
        return [path for path in files if not path.is_file()]


@cache
def modules() -> tuple[Module, ...]:
    """Every module that any of the trees knows, by chapter and name."""
    rtl = {(path.parent.name, path.stem) for path in ROOT.glob("rtl/*/*.sv")}
    models = {
        (path.parent.name, path.stem)
        for path in ROOT.glob("models/*/*.py")
        if path.stem != "__init__"
    }
    benches = {
        (path.parent.name, path.stem.removeprefix("test_")) for path in ROOT.glob("tb/*/test_*.py")
    }
    return tuple(sorted(Module(*found) for found in rtl | models | benches))


def find(name: str) -> Module:
    """The module called *name*.

    Raises:
        UnknownModule: no tree has such a module; the message names the nearest ones.
    """
    known = {module.name: module for module in modules()}
    if name in known:
        return known[name]
    near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}?" if near else f"known are {', '.join(known)}"
    raise UnknownModule(f"there is no module {name!r}: {hint}")
