# SPDX-License-Identifier: Apache-2.0
"""Verilator's run-time library, compiled once and given to every build with the same settings."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from cocotb_mutants.launch import call

__all__ = ["FOLDER", "locked", "prepare"]

_CACHE = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")  # noqa: PTH111
FOLDER = Path(os.environ.get("COCOTB_MUTANTS_CACHE") or f"{_CACHE}/cocotb-mutants").absolute()
"""Where libraries are kept: they are the same for all projects of a user."""

OPTIMISE_DESIGN = "-O0"

_COMMON = "cocotb_mutants_common.h"
_COMMON_TEXT = """\
#include <libgen.h>
#include <cstdio>
#include <memory>
#include <string>
#include "verilated.h"
#include "verilated_dpi.h"
#include "verilated_vpi.h"
"""
# What simulation time goes into is optimised as Verilator does it by itself, the rest is not.
_RULES = f"""\
verilated.o verilated_dpi.o verilated_threads.o: OPT_GLOBAL = -O0
{_COMMON}.gch: {_COMMON}
\t$(CXX) {OPTIMISE_DESIGN} $(CXXFLAGS) $(CPPFLAGS) -x c++-header -o $@ $<
cocotb-mutants-runtime: $(VK_GLOBAL_OBJS) {_COMMON}.gch
"""
_KINDS = ("VM_CLASSES_FAST", "VM_SUPPORT_FAST", "VM_CLASSES_SLOW", "VM_SUPPORT_SLOW")
# All settings that the library's objects can depend on; lists of the design's files do not count.
_SETTING = re.compile(
    r"^(VM_(?!CLASSES|SUPPORT|USER_DIR|USER_CLASSES)\w+) \+?= ((?:.*\\\n)*.*)", re.MULTILINE
)
_LIST = re.compile(r"^(VM_\w+) \+?= \\\n((?:  .*\\\n)*)", re.MULTILINE)


def prepare(
    folder: Path, main: str, cache: Path, version: str, env: Mapping[str, str]
) -> list[str]:
    """Put the compiled library into `folder`, where Verilator has written its C++.

    Also lets all of the design's C++ be one file, with cocotb's program `main`: what takes time is
    to read the headers, and they are compiled beforehand.

    Returns:
        What to add to the `make` command; nothing if this build is not of the usual kind.
    """
    makefile = (folder / "Vtop.mk").read_text()
    classes = (folder / "Vtop_classes.mk").read_text()
    if "VM_PARALLEL_BUILDS = 0" not in classes:
        return []
    text = makefile + classes
    settings = [version, _COMMON_TEXT, _RULES, *map(str, _SETTING.findall(text))]
    key = hashlib.sha256("\n".join(settings).encode()).hexdigest()[:16]
    ready = cache / key
    with locked(cache / f"{key}.lock"):
        if not ready.is_dir():
            _compile(folder, ready, env)
    if not ready.is_dir():
        return []
    for file in ready.iterdir():
        (folder / file.name).symlink_to(file.resolve())
    lists = {name: words.replace("\\\n", " ").split() for name, words in _LIST.findall(text)}
    parts = [f"{name}.cpp" for kind in _KINDS for name in lists.get(kind, [])]
    (folder / "Vtop__ALL.cpp").write_text("".join(f'#include "{p}"\n' for p in [*parts, main]))
    others = [name for name in lists.get("VM_USER_CLASSES", []) if name != "verilator"]
    fast = f"{OPTIMISE_DESIGN} -include {_COMMON}"
    # A link is as new as it is itself, not as what it points to (-L).
    words = f"VM_USER_CLASSES={' '.join(others)}"
    return ["-L", f"OPT_FAST={fast}", f"OPT_SLOW={fast}", words]


@contextlib.contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock `path`, against other threads and other processes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _compile(folder: Path, ready: Path, env: Mapping[str, str]) -> None:
    (folder / _COMMON).write_text(_COMMON_TEXT)
    (folder / "cocotb_mutants.mk").write_text(_RULES)
    words = ["make", "-j", str(os.cpu_count()), "-f", "Vtop.mk", "-f", "cocotb_mutants.mk"]
    words.append("cocotb-mutants-runtime")
    if call(words, folder, env, folder / "runtime.log") != 0:
        return
    partial = ready.with_name(f"{ready.name}.{os.getpid()}")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir()
    for file in [*folder.glob("verilated*.o"), *folder.glob(f"{_COMMON}*")]:
        file.rename(partial / file.name)
    partial.rename(ready)
