# SPDX-License-Identifier: Apache-2.0
"""What the real lab asks of builds and simulations, and the versions that a verdict rests on."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from cocotb_mutants import build as builds
from cocotb_mutants import launch, versions, worker
from cocotb_mutants.build import Build, BuildRequest
from cocotb_mutants.lab import RealLab
from tests.mutants.unit.fakelab import CONFIG, prepared, write_project

MORE = """
defines = { D = 1 }
plusargs = ["+p"]
build-args = ["-b"]
seed = 7
"""


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, Path]]:
    requests: list[tuple[Any, Path]] = []

    def build(request: BuildRequest, folder: Path) -> Build:
        requests.append((request, folder))
        return Build("icarus", "gate", folder)

    monkeypatch.setattr(builds, "build", build)
    return requests


def test_a_build_is_of_the_mutated_text_and_all_settings(
    tmp_path: Path, asked: list[tuple[Any, Path]]
) -> None:
    config, population = prepared(write_project(tmp_path, config=CONFIG + MORE))
    (member,) = population.members

    RealLab(config).build(member, {"gate.sv": b"// mutated"}, b"// select")
    RealLab(config).build_with_waves(member, {}, b"// select")

    (request, folder), (waves, same) = asked
    assert [path.read_bytes() for path in request.sources] == [b"// select", b"// mutated"]
    assert waves.sources[1] == tmp_path / "gate.sv"
    assert (request.waves, waves.waves) == (False, True)
    assert folder == same == tmp_path / "sim_build/mutants/cache"
    assert (request.top, request.defines, request.build_args) == ("gate", {"D": "1"}, ("-b",))


@pytest.mark.parametrize(
    ("options", "how", "mode", "writes"),
    [
        ({}, {}, "auto", True),
        ({"fork": "never"}, {}, "process", True),
        ({}, {"alone": True}, "process", False),
        ({}, {"waves": Path("a.fst")}, "process", True),
    ],
)
def test_a_simulation_forks_unless_something_speaks_against_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: dict[str, str],
    how: dict[str, Any],
    mode: str,
    writes: bool,
) -> None:
    begun: list[tuple[tuple[Any, ...], dict[str, Any]]] = []
    monkeypatch.setattr(worker, "Simulation", lambda *a, **k: begun.append((a, k)))
    config, population = prepared(write_project(tmp_path, config=CONFIG + MORE), **options)
    lab = RealLab(config)

    for _ in range(2):
        lab.simulation(population.members[0], Build("icarus", "gate", tmp_path), **how)

    (_, bench, first), (_, _, second) = (given for given, _ in begun)
    settings = begun[0][1]
    assert (settings["mode"], settings["write_selector"]) == (mode, writes)
    assert settings["outputs"] == population.members[0].design.outputs
    assert first != second
    assert (bench.seed, bench.plusargs, bench.root) == (7, ("+p",), tmp_path)


def test_versions_name_everything_that_a_verdict_rests_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "require", lambda *_: None)
    monkeypatch.setattr(launch, "version", lambda *_: "11.0")

    found = versions.of("icarus")

    assert found["icarus"] == "11.0"
    assert found["cocotb-mutants"].startswith(f"{versions.VERSION}+")
    assert found.keys() >= {"cocotb", "pyslang", "python", "platform"}


def test_an_edit_of_the_tool_is_another_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(versions, "_PACKAGE", tmp_path)
    (tmp_path / "a.py").write_text("1")
    before = versions._own_code()
    (tmp_path / "a.py").write_text("2")

    assert versions._own_code() != before


def test_the_version_is_that_of_the_package() -> None:
    project = Path(__file__).parents[3] / "pyproject.toml"

    assert tomllib.loads(project.read_text())["project"]["version"] == versions.VERSION
