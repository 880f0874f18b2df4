# SPDX-License-Identifier: Apache-2.0
"""Starts a module: a working set of files under a new name, to be turned into the real thing."""

from __future__ import annotations

import keyword
import re
from pathlib import Path
from string import Template

from tb.catalog import ROOT, Module, modules
from tb.errors import UsageError
from tb.plan import load

__all__ = ["new_module"]

TEMPLATES = ROOT / "tb" / "templates"


def new_module(name: str, chapter: str) -> list[Path]:
    """Write RTL, model, bench, plan and model test of *name*; the result lists the files.

    Raises:
        UsageError: the name is taken or cannot be a module's name, or the chapter does not exist.
    """
    legal = re.fullmatch(r"[a-z][a-z0-9_]{2,30}", name) and "__" not in name
    if not legal or keyword.iskeyword(name):
        raise UsageError(
            f"MODULE={name} cannot name a module: use 3 to 31 lower-case letters, digits and _"
        )
    chapters = sorted({module.chapter for module in modules()})
    if chapter not in chapters:
        raise UsageError(f"there is no chapter {chapter!r}; there are {', '.join(chapters)}")
    if any(module.name == name for module in modules()):
        raise UsageError(f"there is a module {name!r} already")
    plans = [load(module) for module in modules()]
    module = Module(chapter, name)
    words = {
        "module": name,
        "chapter": chapter,
        "number": str(max(plan.number for plan in plans) + 1),
        "prefix": _prefix(name, {plan.prefix for plan in plans}),
    }
    files = {
        "module.sv.in": module.rtl,
        "model.py.in": module.model_file,
        "plan.toml.in": module.plan_file,
        "bench.py.in": module.bench_file,
        "test_model.py.in": ROOT / "tests" / "models" / chapter / f"test_{name}.py",
    }
    for template, target in files.items():
        text = (TEMPLATES / template).read_text(encoding="utf-8")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(Template(text).substitute(words), encoding="utf-8")
    modules.cache_clear()
    return list(files.values())


def _prefix(name: str, taken: set[str]) -> str:
    """Three letters for the ids of checks: the first ones of the name that are still free."""
    letters = re.sub(r"[^a-z]", "", name).upper().ljust(3, "X")
    for second in range(1, len(letters)):
        for third in range(second + 1, len(letters)):
            prefix = letters[0] + letters[second] + letters[third]
            if prefix not in taken:
                return prefix
    raise UsageError(f"every three-letter prefix of {name} is taken: choose another name")
