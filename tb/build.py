# SPDX-License-Identifier: Apache-2.0
"""Builds the simulation of a pair, once for each content.

A build lives in a folder named after a hash of everything that went into it: the RTL, the pair,
the tools and the options. File times play no part. A build is made beside its place and moved there
when it is whole, so that one which was interrupted is never taken for a good one.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import cocotb_tools.config

from tb import process, tools
from tb.catalog import ROOT, Module
from tb.errors import BuildFailed
from tb.pair import pair_source
from tb.paths import SIM_BUILD, lock

__all__ = ["build"]

SECONDS = 300
"""Time limit of one build."""

KEPT = 4
"""Builds of one module that are kept, newest first, so that going back and forth costs nothing."""

ERROR_LINE = re.compile(r"error|warning|syntax|fatal", re.IGNORECASE)


def build(module: Module, simulator: str, *, waves: bool = False) -> Path:
    """The folder of the built pair; it is built now unless the same content was built before.

    Verilator builds count line, branch and toggle coverage, except for wave builds.

    Raises:
        BuildFailed: the RTL does not compile; the message is the simulator's first complaint.
    """
    pair = pair_source(module)
    rtl = module.rtl.read_bytes()
    arguments = _arguments(simulator, waves=waves)
    key = _key(rtl, pair, simulator, arguments)
    home = SIM_BUILD / "build" / simulator
    folder = home / f"{module.name}{'-waves' if waves else ''}-{key}"
    if folder.is_dir():
        return folder
    # One build at a time: each uses all cores, and the first compiles the runtime for the rest.
    with lock(f"build-{simulator}"):
        if folder.is_dir():
            return folder
        partial = home / f".{folder.name}"
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        # What was hashed is what is compiled, even if the user saves the file again meanwhile.
        rtl_file, pair_file = partial / module.rtl.name, partial / f"{module.top}.sv"
        rtl_file.write_bytes(rtl)
        pair_file.write_text(pair, encoding="utf-8")
        _run(module, simulator, partial, [rtl_file, pair_file], arguments)
        partial.rename(folder)
        _prune(home, folder)
    return folder


def _arguments(simulator: str, *, waves: bool) -> dict[str, Any]:
    if simulator == "icarus":
        flags = ["-Wall", "-Wno-timescale"]
    else:
        flags = []
        # Nearly all of the time goes into Python: the model need not be fast but compile fast.
        flags += ["-CFLAGS", "-O0"]
        if waves:
            flags += ["--trace-fst"] if tools.fst_from_verilator() else []
        else:
            flags += ["--coverage"]
    return {"build_args": flags, "waves": waves, "timescale": ["1ns", "1ps"]}


def _key(rtl: bytes, pair: str, simulator: str, arguments: dict[str, Any]) -> str:
    tools_used = [
        tools.version(simulator),
        tools.compiler() if simulator == "verilator" else "",
        importlib.metadata.version("cocotb"),
        str(cocotb_tools.config.libs_dir),
    ]
    rest = json.dumps([pair, simulator, arguments, tools_used])
    return hashlib.sha256(rtl + b"\0" + rest.encode()).hexdigest()[:12]


def _run(
    module: Module, simulator: str, folder: Path, sources: list[Path], arguments: dict[str, Any]
) -> None:
    if simulator == "verilator":
        tools.verilator_command()
    compiler_log = folder / "compiler.log"
    call = {
        "simulator": simulator,
        "method": "build",
        "arguments": {
            **arguments,
            "sources": [str(source) for source in sources],
            "hdl_toplevel": module.top,
            "build_dir": str(folder),
            "always": True,
            "log_file": str(compiler_log),
        },
    }
    code = process.run(
        [sys.executable, "-m", "tb.simulate", json.dumps(call)],
        cwd=ROOT,
        env=tools.environment(),
        log=folder / "build.log",
        seconds=SECONDS,
    )
    if code is None:
        raise BuildFailed(f"{module.name}: {simulator} did not finish within {SECONDS} s")
    log = compiler_log if compiler_log.is_file() else folder / "build.log"
    # Icarus only warns where ports of different widths meet or an input is left open.
    if code != 0 or (simulator == "icarus" and _complains(log)):
        # Kept outside the partial folder, which the next attempt removes.
        kept = SIM_BUILD / "build" / simulator / f"{module.name}.failed.log"
        shutil.copyfile(log, kept)
        shutil.rmtree(folder)
        rtl, complaint = str(module.rtl.relative_to(ROOT)), _complaint(kept)
        complaint = complaint.replace(f"{folder.relative_to(ROOT)}/{module.rtl.name}", rtl)
        what = f"{rtl} does not compile under {simulator}"
        if f"{module.top}.sv" in complaint:
            model = module.model_file.relative_to(ROOT)
            what = f"{rtl} and {model} disagree on ports or parameter"
            complaint = complaint.replace(f"{folder.relative_to(ROOT)}/", "")
        raise BuildFailed(f"{what}: {complaint} (all of it in {kept.relative_to(ROOT)})")


def _complains(log: Path) -> bool:
    return log.is_file() and "warning:" in log.read_text(errors="replace")


def _complaint(log: Path) -> str:
    lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()]
    first = next((line for line in lines if ERROR_LINE.search(line)), lines[-1] if lines else "")
    return first.replace(f"{ROOT}/", "")


def _prune(home: Path, newest: Path) -> None:
    stem = newest.name.rsplit("-", 1)[0]
    siblings = [path for path in home.glob(f"{stem}-*") if path.name.rsplit("-", 1)[0] == stem]
    siblings.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    for old in siblings[KEPT:]:
        shutil.rmtree(old, ignore_errors=True)
