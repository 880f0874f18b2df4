# SPDX-License-Identifier: Apache-2.0
"""Builds: one for each content, whatever the time of its files, and not too many of them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cocotb_tools.config
import pytest

from tb import process, tools
from tb.build import KEPT, _arguments, _complaint, _key, _prune, build
from tb.catalog import Module
from tb.errors import BuildFailed
from tests.unit.support import EVICTION, write

Compiler = Callable[[Path], int | None]

OPTIONS = {"build_args": ["-O0"], "waves": False}


def key(**changed: Any) -> str:
    arguments: dict[str, Any] = {
        "rtl": b"module a; endmodule",
        "pair": "module a_pair; endmodule",
        "simulator": "icarus",
        "arguments": OPTIONS,
    }
    return _key(**{**arguments, **changed})


@pytest.fixture
def version(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Set the version that every simulator says it has; 1.0 unless another is set."""

    def set_version(text: str) -> None:
        monkeypatch.setattr(tools, "version", lambda simulator: f"{simulator} {text}")

    set_version("1.0")
    return set_version


def test_the_same_content_has_the_same_key(version: Callable[[str], None]) -> None:
    assert key() == key()
    assert re.fullmatch(r"[0-9a-f]{12}", key())


@pytest.mark.parametrize(
    "changed",
    [
        {"rtl": b"module a;  endmodule"},
        {"pair": "module a_pair ; endmodule"},
        {"simulator": "verilator"},
        {"arguments": {**OPTIONS, "waves": True}},
        {"arguments": {**OPTIONS, "build_args": ["-O0", "--coverage"]}},
        # a byte moved from the RTL to the pair
        {"rtl": b"module a; endmodul", "pair": "emodule a_pair; endmodule"},
    ],
)
def test_whatever_goes_into_a_build_changes_its_key(
    version: Callable[[str], None], changed: dict[str, Any]
) -> None:
    assert key(**changed) != key()


def test_another_version_of_the_simulator_changes_the_key(version: Callable[[str], None]) -> None:
    before = key()
    version("1.1")
    assert key() != before


def test_another_cocotb_changes_the_key(
    version: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = key()
    monkeypatch.setattr(cocotb_tools.config, "libs_dir", Path("/elsewhere"))
    assert key() != before


@pytest.mark.parametrize(
    ("waves", "flag", "other"),
    [(False, "--coverage", "--trace-fst"), (True, "--trace-fst", "--coverage")],
)
def test_verilator_counts_coverage_or_traces(
    monkeypatch: pytest.MonkeyPatch, waves: bool, flag: str, other: str
) -> None:
    monkeypatch.setattr(tools, "fst_from_verilator", lambda: True)
    arguments = _arguments("verilator", waves=waves)
    assert flag in arguments["build_args"]
    assert other not in arguments["build_args"]
    assert arguments["waves"] is waves


def test_icarus_warns_of_all_but_time_units() -> None:
    assert _arguments("icarus", waves=False)["build_args"] == ["-Wall", "-Wno-timescale"]


@pytest.mark.parametrize("simulator_of_build", ["icarus", "verilator"])
def test_a_time_unit_is_always_given(simulator_of_build: str) -> None:
    # Without one every test fails in its clock.
    assert _arguments(simulator_of_build, waves=False)["timescale"] == ["1ns", "1ps"]


@pytest.mark.parametrize(
    ("log", "complaint"),
    [
        # of Icarus: the first of several
        ("a.sv:44: syntax error\na.sv:44: error: Invalid\n2 error(s)\n", "a.sv:44: syntax error"),
        # of Verilator, below a banner
        (
            "- V e r i l a t i o n\n%Error: a.sv:1:2: Dup\n%Error: Exiting\n",
            "%Error: a.sv:1:2: Dup",
        ),
        # a warning that ends the build
        ("- Banner\n%Warning-WIDTH: a.sv:1:2: off\n... note\n", "%Warning-WIDTH: a.sv:1:2: off"),
        # of the C++ compiler
        ("g++ -c a.cpp\na.cpp:1:1: fatal: no file\nmake: stop\n", "a.cpp:1:1: fatal: no file"),
        # in capitals
        ("one\n  FATAL: two\nthree\n", "FATAL: two"),
        # without any such word: the last line
        ("one\ntwo\n\n", "two"),
        # nothing at all
        ("", ""),
    ],
)
def test_the_complaint_is_the_first_line_that_looks_like_an_error(
    tmp_path: Path, log: str, complaint: str
) -> None:
    assert _complaint(write(tmp_path / "build.log", log)) == complaint


def test_a_complaint_names_files_from_the_root_of_the_checkout(checkout: Path) -> None:
    log = write(checkout / "build.log", f"%Error: {checkout}/rtl/fleet/a.sv:1: odd\n")
    assert _complaint(log) == "%Error: rtl/fleet/a.sv:1: odd"


def test_a_log_that_is_not_utf_8_can_be_read(tmp_path: Path) -> None:
    log = tmp_path / "build.log"
    log.write_bytes(b"a.sv:1: error: w\xfcrde\n")
    assert _complaint(log).startswith("a.sv:1: error: w")


def built(home: Path, *names: str) -> None:
    """Build folders, oldest first."""
    for age, name in enumerate(names):
        write(home / name / "sim.vvp", "")
        os.utime(home / name, (1000 + age, 1000 + age))


def names(home: Path) -> set[str]:
    return {path.name for path in home.iterdir()}


def test_the_newest_builds_of_a_module_are_kept(tmp_path: Path) -> None:
    # The older a build, the later its key in the alphabet.
    keys = [f"x-{9 - age}" for age in range(KEPT + 2)]
    built(tmp_path, *keys)
    _prune(tmp_path, tmp_path / keys[-1])
    assert names(tmp_path) == set(keys[2:])


def test_as_many_builds_as_are_kept_are_left_alone(tmp_path: Path) -> None:
    keys = [f"x-{age}" for age in range(KEPT)]
    built(tmp_path, *keys)
    _prune(tmp_path, tmp_path / keys[-1])
    assert names(tmp_path) == set(keys)


@pytest.mark.parametrize(
    "other",
    [
        # builds with waves of the same module
        "x-waves",
        # a module whose name begins the same
        "xy",
        "x_y",
        # one whose name ends the same
        "y_x",
    ],
)
def test_builds_of_anything_else_are_never_removed(tmp_path: Path, other: str) -> None:
    others = [f"{other}-{age}" for age in range(KEPT + 2)]
    own = [f"x-{age}" for age in range(KEPT + 1)]
    built(tmp_path, *others, *own)
    _prune(tmp_path, tmp_path / own[-1])
    assert names(tmp_path) == {*others, *own[1:]}


def test_builds_with_waves_are_counted_by_themselves(tmp_path: Path) -> None:
    own = [f"x-waves-{age}" for age in range(KEPT + 1)]
    built(tmp_path, "x-1", *own)
    _prune(tmp_path, tmp_path / own[-1])
    assert names(tmp_path) == {"x-1", *own[1:]}


@pytest.fixture
def compiled(
    checkout: Path, version: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> Callable[[Compiler], list[Any]]:
    """Put a function in the place of the compiler; the calls that it gets are listed."""
    write(EVICTION.rtl, "module eviction_policy; endmodule\n")
    calls: list[Any] = []

    def compiled(stand_in: Compiler) -> list[Any]:
        def started(command: list[str], **options: Any) -> int | None:
            call = json.loads(command[-1])
            calls.append((call, options))
            return stand_in(Path(call["arguments"]["build_dir"]))

        monkeypatch.setattr(process, "run", started)
        return calls

    return compiled


def compiles(folder: Path) -> int:
    write(folder / "sim.vvp", "")
    return 0


def test_a_build_holds_the_pair_and_what_was_compiled(
    checkout: Path, compiled: Callable[[Compiler], list[Any]]
) -> None:
    calls = compiled(compiles)
    folder = build(EVICTION, "icarus")
    assert folder.parent == checkout / "sim_build/build/icarus"
    assert names(folder) == {"eviction_policy.sv", "eviction_policy_pair.sv", "sim.vvp"}
    [(call, _)] = calls
    sources = [Path(source) for source in call["arguments"]["sources"]]
    assert [source.name for source in sources] == ["eviction_policy.sv", "eviction_policy_pair.sv"]
    assert (folder / "eviction_policy.sv").read_bytes() == EVICTION.rtl.read_bytes()
    assert call["arguments"]["hdl_toplevel"] == "eviction_policy_pair"


def test_the_same_content_is_built_once(compiled: Callable[[Compiler], list[Any]]) -> None:
    calls = compiled(compiles)
    assert build(EVICTION, "icarus") == build(EVICTION, "icarus")
    assert len(calls) == 1


@pytest.mark.parametrize("moved", [-3600, 3600])
def test_the_time_of_a_file_plays_no_part(
    compiled: Callable[[Compiler], list[Any]], moved: float
) -> None:
    calls = compiled(compiles)
    before = build(EVICTION, "icarus")
    time = EVICTION.rtl.stat().st_mtime + moved
    os.utime(EVICTION.rtl, (time, time))
    assert build(EVICTION, "icarus") == before
    assert len(calls) == 1


def test_changed_rtl_is_built_again_even_if_its_file_is_older(
    compiled: Callable[[Compiler], list[Any]],
) -> None:
    calls = compiled(compiles)
    before = build(EVICTION, "icarus")
    write(EVICTION.rtl, "module eviction_policy; wire a; endmodule\n")
    os.utime(EVICTION.rtl, (1000, 1000))
    assert build(EVICTION, "icarus") != before
    assert len(calls) == 2


def test_a_build_with_waves_is_another_one(compiled: Callable[[Compiler], list[Any]]) -> None:
    compiled(compiles)
    plain, waves = build(EVICTION, "icarus"), build(EVICTION, "icarus", waves=True)
    assert plain.name.startswith("eviction_policy-")
    assert waves.name.startswith("eviction_policy-waves-")


def test_old_builds_are_removed(checkout: Path, compiled: Callable[[Compiler], list[Any]]) -> None:
    compiled(compiles)
    for number in range(KEPT + 2):
        write(EVICTION.rtl, f"// {number}\n")
        folder = build(EVICTION, "icarus")
        os.utime(folder, (1000 + number, 1000 + number))
    assert len(names(checkout / "sim_build/build/icarus")) == KEPT
    assert folder.is_dir()


def test_rtl_that_does_not_compile_is_told_with_its_first_complaint(
    checkout: Path, compiled: Callable[[Compiler], list[Any]]
) -> None:
    def refuses(folder: Path) -> int:
        write(folder / "compiler.log", f"{EVICTION.rtl}:1: syntax error\nI give up.\n")
        return 2

    compiled(refuses)
    with pytest.raises(BuildFailed) as caught:
        build(EVICTION, "icarus")
    kept = "sim_build/build/icarus/eviction_policy.failed.log"
    assert str(caught.value) == (
        "rtl/fleet/eviction_policy.sv does not compile under icarus: "
        f"rtl/fleet/eviction_policy.sv:1: syntax error (all of it in {kept})"
    )
    assert (checkout / kept).read_text().endswith("I give up.\n")


def test_a_compiler_that_wrote_no_log_is_told_from_the_log_of_the_build(
    compiled: Callable[[Compiler], list[Any]],
) -> None:
    def refuses(folder: Path) -> int:
        write(folder / "build.log", "Traceback\nerror: no compiler\n")
        return 1

    compiled(refuses)
    with pytest.raises(BuildFailed, match="error: no compiler"):
        build(EVICTION, "icarus")


def test_a_failed_build_is_never_taken_for_a_good_one(
    checkout: Path, compiled: Callable[[Compiler], list[Any]]
) -> None:
    def refuses(folder: Path) -> int:
        write(folder / "build.log", "error\n")
        return 1

    calls = compiled(refuses)
    for _ in range(2):
        with pytest.raises(BuildFailed):
            build(EVICTION, "icarus")
    assert len(calls) == 2
    assert names(checkout / "sim_build/build/icarus") == {"eviction_policy.failed.log"}


def test_an_interrupted_build_is_begun_anew(
    checkout: Path, compiled: Callable[[Compiler], list[Any]]
) -> None:
    def interrupted(folder: Path) -> int:
        write(folder / "half.o", "")
        raise KeyboardInterrupt

    compiled(interrupted)
    with pytest.raises(KeyboardInterrupt):
        build(EVICTION, "icarus")
    compiled(compiles)
    folder = build(EVICTION, "icarus")
    assert names(folder) == {"eviction_policy.sv", "eviction_policy_pair.sv", "sim.vvp"}
    assert names(folder.parent) == {folder.name}


def test_a_build_that_takes_too_long_has_failed(
    compiled: Callable[[Compiler], list[Any]],
) -> None:
    calls = compiled(lambda folder: None)
    with pytest.raises(BuildFailed, match=r"^eviction_policy: icarus did not finish within 300 s$"):
        build(EVICTION, "icarus")
    assert calls[0][1]["seconds"] == 300


def test_each_module_has_builds_of_its_own(
    compiled: Callable[[Compiler], list[Any]],
) -> None:
    other = Module("fleet", "policy_cost")
    write(other.rtl, EVICTION.rtl.read_text())
    compiled(compiles)
    assert build(EVICTION, "icarus").name != build(other, "icarus").name
