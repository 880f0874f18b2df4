# SPDX-License-Identifier: Apache-2.0
"""What the command says, to those who use it well and to those who make a mistake."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.mutants.acceptance.conftest import WORK, Project, Run

Copy = Callable[[str], Project]

MISFIT = 'wide > 5\'d15"\nreplace = "wide >='
SATURATE = '[[mutation]]\nname = "one"\nfile = "rtl/saturate.sv"\nreason = "a test"\n'


def refused(run: Run, code: int, *pieces: str) -> None:
    """Hold that a mistake was answered with one message, its exit code, and nothing else."""
    assert run.code == code, run.output
    assert [piece for piece in pieces if piece not in run.output] == [], run.output
    assert "Traceback" not in run.output
    starts = [line for line in run.output.splitlines() if line.lower().startswith("error: ")]
    assert len(starts) == 1, run.output
    assert run.report == {}


@pytest.mark.parametrize(
    ("file", "old", "new", "code", "pieces"),
    [
        # a key that is misspelt
        ("pyproject.toml", "sources =", "surces =", 2, ("'surces'", "did you mean 'sources'?")),
        # a key that is missing
        ("pyproject.toml", 'top = "saturate"', "", 2, ("no 'top'", 'top = "counter"')),
        # a source that is not there
        ("pyproject.toml", "rtl/saturate.sv", "rtl/saturated.sv", 2, ("rtl/saturated.sv",)),
        # a pattern that matches nothing
        ("pyproject.toml", "rtl/saturate.sv", "hdl/*.sv", 2, ("hdl/*.sv",)),
        # a top that is not in the sources
        ("pyproject.toml", 'top = "saturate"', 'top = "saturation"', 4, ("saturation",)),
        # a bench that is not there
        ("pyproject.toml", '["bench"]', '["benches"]', 5, ("benches",)),
        # a file that is no TOML
        ("pyproject.toml", '["bench"]', '["bench"', 2, ("pyproject.toml", "TOML")),
        # mutations that are not there, or do not fit
        ("pyproject.toml", "mutants.toml", "mutations.toml", 2, ("mutations.toml",)),
        ("mutants.toml", MISFIT, MISFIT.replace("15", "16", 1), 4, ("full-at-fifteen", "byte")),
        ("mutants.toml", 'name = "wraps"', 'name = "subtracts"', 4, ("'subtracts'", "another")),
        ("mutants.toml", 'name = "wraps"', 'nmae = "wraps"', 4, ("'nmae'", "name")),
        # RTL that is wrong, and a bench that is
        ("rtl/saturate.sv", "endmodule", "", 4, ("rtl/saturate.sv:",)),
        ("bench.py", "== (15, 1)", "== (15, 0)", 5, ("bench.large_sums_stop_at_the_largest",)),
        ("bench.py", "import cocotb\n", "import cocotb\nimport saturation\n", 5, ("saturation",)),
    ],
)  # fmt: skip
def test_a_mistake_in_the_project_is_named(
    file: str, old: str, new: str, code: int, pieces: tuple[str, ...], project: Copy, fastest: str
) -> None:
    copied = project("well_tested")
    copied.edit(file, old, new)

    refused(copied.run("--sim", fastest), code, *pieces)


@pytest.mark.parametrize(
    ("arguments", "code", "pieces"),
    [
        (("run", "--operators", "arithmetics"), 2, ("'arithmetics'", "arithmetic")),
        (("run", "--sim", "icarius"), 2, ("icarius", "icarus")),
        (("run", "--sim", "questa"), 3, ("questa",)),
        (("run", "--target", "saturat"), 2, ("saturat", "saturate")),
        (("run", "--config", "mutants.ini"), 2, ("mutants.ini",)),
        (("run", "--jobs", "-1"), 2, ("jobs",)),
        (("run", "--fail-under", "101"), 2, ("101",)),
        (("run", "--mutations", "other.toml"), 2, ("other.toml",)),
        (("show", "subtrcts"), 2, ("subtrcts", "subtracts")),
        (("report",), 2, ("run",)),
    ],
)
def test_a_mistake_on_the_command_line_is_named(
    arguments: tuple[str, ...], code: int, pieces: tuple[str, ...], project: Copy
) -> None:
    refused(project("well_tested").command(*arguments), code, *pieces)


def test_a_campaign_without_mutants_is_refused(project: Copy) -> None:
    copied = project("well_tested")
    copied.edit("pyproject.toml", 'mutations = ["mutants.toml"]', "")

    refused(copied.command("run", "--operators", "case_item"), 7, "no mutant")


def test_an_unknown_option_is_answered_with_the_nearest(project: Copy) -> None:
    run = project("well_tested").command("run", "--only-mutation")

    assert run.code == 2
    assert "--only-mutations" in run.output


def test_a_folder_without_a_configuration_is_told_what_to_write(project: Copy) -> None:
    copied = project("well_tested")
    copied.edit("pyproject.toml", "[tool.cocotb-mutants]", "[tool.something-else]")

    refused(copied.command("run"), 2, "sources", "[tool.cocotb-mutants]")


@pytest.mark.parametrize("sim", ["icarus", "verilator"])
def test_a_missing_simulator_is_told_how_to_be_had(sim: str, project: Copy, tmp_path: Path) -> None:
    tools = tmp_path / "bin"
    tools.mkdir()
    for tool in ("sh", "env", "ar", "xargs"):
        (tools / tool).symlink_to(str(shutil.which(tool)))

    run = project("well_tested").run("--sim", sim, env={"PATH": str(tools)})

    refused(run, 3, sim, "install")


def test_a_text_that_stands_twice_is_not_replaced_once(project: Copy) -> None:
    copied = project("well_tested")
    more = copied.root / "more.toml"
    more.write_text(SATURATE + 'find = "full_o"\nreplace = "sum_o"\n', encoding="utf-8")
    copied.before["more.toml"] = more.read_bytes()

    refused(copied.run("--mutations", "more.toml"), 4, "'one'", "lines 9, 14, 15")


@pytest.mark.parametrize(("least", "code"), [("80", 0), ("80.1", 1)])
def test_a_score_below_the_threshold_has_an_exit_code(
    least: str, code: int, project: Copy, fastest: str
) -> None:
    run = project("include_dirs").run("--sim", fastest, "--only-mutations", "--fail-under", least)

    assert run.code == code, run.output
    assert len(run.mutants) == 5
    assert "4 killed, 1 survived: at-the-floor" in run.output.splitlines()[-1]


def test_survivors_come_with_place_and_change(project: Copy, fastest: str) -> None:
    run = project("same_basename").run("--sim", fastest, "--only-mutations")

    lines = run.output.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("rtl/right/lane.sv:7:"))
    assert "right-" in lines[at]
    block = "\n".join(lines[at : at + 5])
    assert "- " + "  assign value_o = value_i == 4'd15 ? value_i : value_i + 4'd1;" in block
    assert "survived: 2 tests ran and none failed" in block
    assert not any(line.startswith("rtl/left/lane.sv") for line in lines)


def test_what_is_no_terminal_gets_plain_lines(project: Copy, fastest: str) -> None:
    run = project("same_basename").run("--sim", fastest, "--only-mutations")

    assert "\x1b" not in run.output
    assert "\r" not in run.output


def test_list_shows_every_mutant_and_runs_none(project: Copy) -> None:
    copied = project("well_tested")

    run = copied.command("list", "--only-mutations")

    assert run.code == 0, run.output
    for name in ("subtracts", "full-at-fifteen", "stops-below", "never-full", "wraps", "ignores-b"):
        assert name in run.output
    assert "rtl/saturate.sv:14" in run.output
    assert copied.verdicts() == {}


def test_a_sample_is_drawn_by_its_seed(project: Copy) -> None:
    copied = project("well_tested")

    first, again, other = (
        copied.command("list", "--sample", "5", "--sample-seed", seed).output
        for seed in ("1", "1", "2")
    )

    assert first == again != other


def test_operators_are_chosen_and_taken_away(project: Copy) -> None:
    copied = project("well_tested")
    everything = copied.command("list").output
    chosen = copied.command("list", "--operators", "arithmetic").output
    taken = copied.command("list", "--operators=-arithmetic").output

    assert "arithmetic" in everything
    assert "arithmetic" in chosen
    assert len(chosen.splitlines()) < len(taken.splitlines()) < len(everything.splitlines())


def test_operators_are_listed_with_an_example(project: Copy) -> None:
    run = project("well_tested").command("operators")

    assert run.code == 0
    assert "relational" in run.output


def test_show_tells_what_became_of_a_mutant(project: Copy, fastest: str) -> None:
    copied = project("well_tested")
    copied.run("--sim", fastest, "--only-mutations")

    run = copied.command("show", "full-at-fifteen")

    assert run.code == 0, run.output
    assert "-   assign full_o = wide > 5'd15;" in run.output
    assert "+   assign full_o = wide >= 5'd15;" in run.output
    assert "bench.small_sums_are_exact" in run.output
    assert "assert (15, 1) == (15, 0)" in run.output
    assert "0 + 15 is not full" in run.output


def test_show_waves_leaves_two_waveforms(project: Copy, fastest: str) -> None:
    copied = project("well_tested")
    copied.run("--sim", fastest, "--only-mutations")

    run = copied.command("show", "full-at-fifteen", "--waves")

    assert run.code == 0, run.output
    waves = sorted((copied.root / WORK).rglob("*.fst"))
    assert len(waves) == 2
    assert all(wave.stat().st_size > 100 for wave in waves)
    assert all(wave.name in run.output for wave in waves)


def test_report_says_it_again_without_a_run(project: Copy, fastest: str) -> None:
    copied = project("same_basename")
    first = copied.run("--sim", fastest, "--only-mutations")

    again = copied.command("report")

    assert again.code == 0, again.output
    assert again.output.splitlines()[-1] == first.output.splitlines()[-1]


def test_a_file_that_cannot_be_written_is_named(project: Copy, fastest: str) -> None:
    copied = project("well_tested")

    run = copied.command(
        "run", "--sim", fastest, "--only-mutations", "--json", "rtl/saturate.sv/report.json"
    )

    assert run.code == 70, run.output
    assert "rtl/saturate.sv/report.json" in run.output
    assert "Traceback" not in run.output


@pytest.mark.parametrize("command", ["run", "list", "show", "operators", "report"])
def test_every_command_explains_itself(command: str, project: Copy) -> None:
    run = project("no_tests").command(command, "--help")

    assert run.code == 0
    assert run.output.startswith("Usage: ")


def test_help_names_the_commands_and_the_exit_codes(project: Copy) -> None:
    run = project("no_tests").command("--help")

    assert run.code == 0
    assert [each for each in ("run", "list", "show", "report") if each not in run.output] == []
    assert "130" in run.output
    assert os.fspath(Path.home()) not in run.output


def test_a_bench_in_another_folder_is_run_from_anywhere(project: Copy, fastest: str) -> None:
    copied = project("well_tested")
    inside = Project(copied.root / "rtl", {})

    process = inside.start("run", "--sim", fastest, "--only-mutations")
    output, _ = process.communicate(timeout=60)

    assert process.returncode == 0, output
    assert output.splitlines()[-1] == "6 injected, 6 killed, 0 survived"
