# SPDX-License-Identifier: Apache-2.0
"""Writes what campaigns read and nobody keeps: the pairs, and the base of the weak campaign."""

from __future__ import annotations

import tomllib
from pathlib import Path

from tb.catalog import ROOT, modules
from tb.errors import BenchBroken
from tb.exchange import write_atomically
from tb.pair import pair_source
from tb.paths import SIM_BUILD

__all__ = ["write_pairs", "write_weak"]


def write_pairs() -> None:
    """Write the pair of every module to ``sim_build/pairs``."""
    for module in modules():
        _write(SIM_BUILD / "pairs" / f"{module.top}.sv", pair_source(module))


def write_weak() -> None:
    """Write the base of the weak campaign to ``sim_build/weak``.

    It is the RTL with each mutation of ``weak.toml`` undone in it, so that the campaign can do it
    again. Both files of mutations lie beside it, with the paths of that RTL.

    Raises:
        BenchBroken: the text that such a mutation leaves behind does not stand in the RTL once.
    """
    weak, mutations = SIM_BUILD / "weak", ROOT / "tb" / "mutations"
    texts = {
        str(module.rtl.relative_to(ROOT)): module.rtl.read_text(encoding="utf-8")
        for module in modules()
        if module.rtl.is_file()
    }
    file = mutations / "weak.toml"
    for each in tomllib.loads(file.read_text(encoding="utf-8"))["mutation"]:
        path, text = each["file"], texts.get(each["file"], "")
        if text.count(each["replace"]) != 1:
            raise BenchBroken(
                f"{file.relative_to(ROOT)}: {each['name']}: its replacement stands "
                f"{text.count(each['replace'])} times in {path}: {each['replace']}"
            )
        texts[path] = text.replace(each["replace"], each["find"])
    for old in {*weak.glob("rtl/*/*.sv")} - {weak / path for path in texts}:
        old.unlink()
    for path, text in texts.items():
        _write(weak / path, text)
    base = weak.relative_to(ROOT).as_posix()
    for file in (mutations / "fleet.toml", mutations / "weak.toml"):
        text = file.read_text(encoding="utf-8")
        _write(weak / file.name, text.replace('\nfile = "rtl/', f'\nfile = "{base}/rtl/'))


def _write(path: Path, text: str) -> None:
    """Write *text*, unless the file has it already: whatever goes by file times sees no change."""
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, text)
