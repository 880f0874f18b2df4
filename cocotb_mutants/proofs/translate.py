# SPDX-License-Identifier: Apache-2.0
"""From the text of a design to terms: Yosys in a process of its own, and what it may not hold."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cocotb_mutants.layout import include_folders
from cocotb_mutants.proofs.btor import Netlist, Unsupported, parse
from cocotb_mutants.proofs.terms import Terms
from cocotb_mutants.proofs.text import SELECTOR, SOURCE
from cocotb_mutants.source import Design

__all__ = ["Refused", "Translation", "translate"]

MEMORY_BITS = 4096
"""The largest memory that is turned into registers, in bits."""

_SECONDS = 120
_PROGRAM = "cocotb_mutants.proofs.yosys"
_PLACE = re.compile(r"^(.*?):(\d+)(?::\d+)?: ERROR: (.*)$", re.MULTILINE)
_ASSERTION = re.compile(r"\$(check|assert|assume|cover|live|fair)$")
_ADVICE = re.compile(r" (\(ignore with '--[^)]*\)|\[--[^\]]*\])$")
_STORING = re.compile(r"dff|latch|\$sr$|\$mem|\$tribuf")


class Refused(Exception):
    """Yosys did not take the text. `places` are file, line (from 1) and message."""

    def __init__(self, printed: str, places: tuple[tuple[str, int, str], ...]) -> None:
        lines = [line.partition("ERROR: ")[2] for line in printed.splitlines() if "ERROR" in line]
        said = [f"{file}:{line}: {message}" for file, line, message in places] or lines
        # The options that Yosys advises are none of ours.
        what = _ADVICE.sub("", said[0]) if said else "it said nothing"
        super().__init__(f"Yosys cannot read it: {what}")
        self.places = places


@dataclass(frozen=True)
class Translation:
    """A design in terms, `clock` being the input that all of its registers wait for, if any.

    `edge` is the value of the clock after their edge. `selectors` are the terms that say which
    mutant is on, `inputs` those of the top's ports but for the clock.
    """

    netlist: Netlist
    clock: str
    edge: int
    selectors: tuple[int, ...]
    inputs: Mapping[str, int]
    widths: Mapping[str, int]


def translate(design: Design, texts: Mapping[str, bytes], terms: Terms) -> Translation:
    """Read `texts` in place of the design's files.

    Raises:
        Refused: they are no design that Yosys can read.
        Unsupported: they are one that is outside of what is proved here.
    """
    with tempfile.TemporaryDirectory(prefix="cocotb_mutants_") as name:
        folder = Path(name)
        words = _words(design, texts, folder)
        job = {
            "words": words,
            "memory_bits": MEMORY_BITS,
            "btor": str(folder / "design.btor"),
            "cells": str(folder / "cells.json"),
        }
        (folder / "job.json").write_text(json.dumps(job), encoding="utf-8")
        try:
            _run(folder, design.sources.files)
        except Refused:
            if (folder / "cells.json").exists():
                # Perhaps there is a plainer word for it.
                _clock(_cells(folder)["modules"][design.sources.top])
            raise
        cells = _cells(folder)
        text = (folder / "design.btor").read_text(encoding="utf-8")
    top = cells["modules"][design.sources.top]
    clock, edge = _clock(top)
    netlist = parse(text, terms)
    ports = {name: port for name, port in top["ports"].items() if port["direction"] != "output"}
    if any(port["direction"] == "inout" for port in ports.values()):
        raise Unsupported("a port that is input and output at once")
    return Translation(
        netlist,
        clock,
        edge,
        tuple(n for name, n in netlist.inputs.items() if name.split(".")[-1] == SELECTOR),
        {name: netlist.inputs[name] for name in ports if name in netlist.inputs and name != clock},
        {name: len(port["bits"]) for name, port in ports.items()},
    )


def _cells(folder: Path) -> Any:
    return json.loads((folder / "cells.json").read_text(encoding="utf-8"))


def _words(design: Design, texts: Mapping[str, bytes], folder: Path) -> list[str]:
    sources, files = design.sources, []
    for number, file in enumerate(sources.files):
        path = folder / f"{number}.sv"
        path.write_bytes(texts[file])
        files.append(path.name)
    (folder / "source.sv").write_bytes(SOURCE)
    words = ["--std", "1800-2017", "--top", sources.top]
    words += [f"-D{name}={value}" for name, value in sources.defines.items()]
    words += [f"-G{name}={value}" for name, value in sources.parameters.items()]
    for number, include in enumerate(include_folders(sources)):
        # A path may hold spaces, which a command of Yosys may not.
        link = folder / f"include{number}"
        link.symlink_to(include.resolve(), target_is_directory=True)
        words.append(f"-I{link.name}")
    return [*words, "source.sv", *files]


def _run(folder: Path, files: tuple[str, ...]) -> None:
    try:
        run = subprocess.run(
            [sys.executable, "-m", _PROGRAM, "job.json"],
            cwd=folder,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_SECONDS,
            check=False,
            env=_environment(),
        )
    except subprocess.TimeoutExpired:
        raise Unsupported(f"a design that Yosys does not read within {_SECONDS} s") from None
    if run.returncode == 3:
        raise Unsupported(run.stdout.strip().splitlines()[-1])
    if run.returncode or not (folder / "design.btor").exists():
        printed = run.stdout + run.stderr
        names = {f"{number}.sv": file for number, file in enumerate(files)}
        places = tuple((names.get(m[1], m[1]), int(m[2]), m[3]) for m in _PLACE.finditer(printed))
        raise Refused(printed, places)


def _environment() -> dict[str, str]:
    root = str(Path(__file__).resolve().parents[2])
    return {**os.environ, "PYTHONPATH": root, "PYTHONSAFEPATH": "1"}


def _clock(top: Mapping[str, Any]) -> tuple[str, int]:
    """Return the input that is the clock of all registers, "" if there is no register.

    The number is the value that it has after the edge they wait for.
    """
    clocks = set()
    for cell in top["cells"].values():
        if cell["type"] == "$dff":
            clocks.add((cell["connections"]["CLK"][0], cell["parameters"]["CLK_POLARITY"]))
        elif _ASSERTION.match(cell["type"]):
            raise Unsupported("an assertion in the design, which may fail where outputs agree")
        elif _STORING.search(cell["type"]):
            raise Unsupported(f"a latch or another cell that stores ({cell['type']})")
        elif not cell["type"].startswith("$"):
            raise Unsupported(f"a module without a body ({cell['type']})")
    if not clocks:
        return "", 1
    bits = {port["bits"][0]: name for name, port in top["ports"].items() if len(port["bits"]) == 1}
    if len(clocks) > 1:
        raise Unsupported("more than one clock, or both edges of one")
    ((bit, edge),) = clocks
    if bit not in bits or top["ports"][bits[bit]]["direction"] != "input":
        raise Unsupported("a clock that is not an input")
    return str(bits[bit]), int(edge, 2)
