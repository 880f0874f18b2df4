# SPDX-License-Identifier: Apache-2.0
"""What a build would start, and what is known of it beforehand."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from cocotb_mutants import build, launch, runtime
from cocotb_mutants.build import BuildRequest

REQUEST = BuildRequest("verilator", (Path("/src/a file.sv"), Path("/src/b.inc")), "top")


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """An environment with programs by the names of simulators in it."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("verilator", "iverilog", "vvp", "c++", "make", "ar"):
        (folder / name).symlink_to(shutil.which("true") or "/bin/true")
    return {"PATH": str(folder)}


def command(request: BuildRequest, folder: Path, env: dict[str, str]) -> tuple[str, ...]:
    return build._plan(request, build._waves(request, env), folder, env).commands[0]


def test_verilator_is_asked_for_one_file_and_for_warnings_that_end_nothing(
    tmp_path: Path, env: dict[str, str]
) -> None:
    words = command(replace(REQUEST, build_args=("-Wall",)), tmp_path, env)
    assert "/src/a file.sv" in words
    assert "/src/b.inc" in words  # whatever its name ends in
    assert words.index("-Wno-fatal") < words.index("-Wall")
    assert words[words.index("--output-split") + 1] == "0"
    assert "-std=c++20" not in words
    assert "--trace" not in words


def test_delays_need_a_newer_language(tmp_path: Path, env: dict[str, str]) -> None:
    timing = replace(REQUEST, build_args=("--timing",))
    assert "-std=c++20" in command(timing, tmp_path, env)
    own = replace(timing, build_args=("--timing", "-CFLAGS", "-std=c++23"))
    assert "-std=c++20" not in command(own, tmp_path, env)


def test_waves_are_fst_where_verilator_can_write_it(tmp_path: Path, env: dict[str, str]) -> None:
    waves = replace(REQUEST, waves=True)
    assert build._waves(waves, env) == "fst"
    assert "--trace-fst" in command(waves, tmp_path, env)
    compiler = tmp_path / "bin" / "c++"
    compiler.unlink()
    compiler.symlink_to(shutil.which("false") or "/bin/false")
    assert build._waves(waves, env) == "vcd"
    assert "--trace-fst" not in command(waves, tmp_path, env)
    assert "--trace" in command(waves, tmp_path, env)


def test_icarus_writes_fst(tmp_path: Path, env: dict[str, str]) -> None:
    icarus = replace(REQUEST, simulator="icarus", waves=True, timescale="1ns/1ps")
    assert build._waves(icarus, env) == "fst"
    words = command(icarus, tmp_path, env)
    assert words[0] == "iverilog"
    assert "-Wno-fatal" not in words
    assert (tmp_path / "cmds.f").read_text() == "+timescale+1ns/1ps\n"


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (REQUEST, ""),
        (replace(REQUEST, simulator="icarus"), ""),
        (replace(REQUEST, build_args=("--threads", "2")), "--threads"),
        (replace(REQUEST, simulator="questa"), "questa"),
    ],
)
def test_what_cannot_fork_is_known_beforehand(request_: BuildRequest, reason: str) -> None:
    found = build._cannot_fork(request_)
    assert bool(found) == bool(reason)
    assert reason in found


def test_whatever_a_build_depends_on_is_in_its_key() -> None:
    requests = [
        REQUEST,
        replace(REQUEST, simulator="icarus"),
        replace(REQUEST, top="other"),
        replace(REQUEST, timescale="1ns/1ps"),
        replace(REQUEST, build_args=("-Wall",)),
        replace(REQUEST, env={"A": "1"}),
        replace(REQUEST, defines={"A": 1}),
        replace(REQUEST, parameters={"A": 1}),
        replace(REQUEST, includes=(Path("/src/inc"),)),
        replace(REQUEST, sources=REQUEST.sources[:1]),
        replace(REQUEST, sources=REQUEST.sources[::-1]),
    ]
    keys = {build._key(each, "tools", "") for each in requests}
    keys |= {build._key(REQUEST, "other tools", ""), build._key(REQUEST, "tools", "fst")}
    assert len(keys) == len(requests) + 2


MAKEFILE = """\
VM_USER_CLASSES = \\
  verilator \\
  dpi \\

VM_USER_CFLAGS = \\
{flags}
CXX = true
VK_GLOBAL_OBJS = verilated.o
verilated.o:
\t{recipe}
default: verilated.o
"""
CLASSES = """\
VM_PARALLEL_BUILDS = {parallel}
VM_CLASSES_FAST += \\
  Vtop \\
  Vtop_a \\

VM_SUPPORT_SLOW += \\
  Vtop__Syms \\

"""


def folder(path: Path, *, parallel: int = 0, flags: str = "", recipe: str = "touch $@") -> Path:
    path.mkdir()
    (path / "Vtop.mk").write_text(MAKEFILE.format(flags=flags, recipe=recipe))
    (path / "Vtop_classes.mk").write_text(CLASSES.format(parallel=parallel))
    return path


def prepared(path: Path, cache: Path) -> list[str]:
    return runtime.prepare(path, "/cocotb/verilator.cpp", cache, "1", launch.environment(cache))


def test_the_runtime_is_compiled_once_for_all_builds_with_the_same_settings(
    tmp_path: Path,
) -> None:
    cache = tmp_path / "cache"
    first, second = folder(tmp_path / "first"), folder(tmp_path / "second", recipe="false")
    words = prepared(first, cache)
    assert prepared(second, cache) == words
    for each in (first, second):
        assert (each / "verilated.o").is_symlink()
        assert (each / "Vtop__ALL.cpp").read_text() == (
            '#include "Vtop.cpp"\n#include "Vtop_a.cpp"\n#include "Vtop__Syms.cpp"\n'
            '#include "/cocotb/verilator.cpp"\n'
        )
    assert "VM_USER_CLASSES=dpi" in words
    assert "-L" in words
    assert prepared(folder(tmp_path / "third", flags="  -O2 \\\n"), cache) == words
    assert len([path for path in cache.iterdir() if path.is_dir() and path.name != "bin"]) == 2


def test_what_cannot_be_prepared_is_left_to_make(tmp_path: Path) -> None:
    assert prepared(folder(tmp_path / "parallel", parallel=1), tmp_path / "cache") == []
    assert prepared(folder(tmp_path / "broken", recipe="false"), tmp_path / "cache") == []


def test_what_icarus_is_sorry_for_but_does_is_no_problem(tmp_path: Path) -> None:
    log = tmp_path / "build.log"
    log.write_text(
        "t.sv:3: sorry: constant selects in always_* processes are not currently supported "
        "(all bits will be included).\n"
        "t.sv:7: sorry: Assignment to a concatenation is not supported.\n"
        "t.sv:9: error: can not select part of scalar: r\n"
    )
    assert [each.line for each in build._problems("icarus", log)] == [7, 9]
