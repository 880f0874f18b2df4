# SPDX-License-Identifier: Apache-2.0
"""The configuration: what it may say, what wins, and what it says where it is wrong."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path
from typing import Any

import pytest
from cocotb_tools.runner import SUPPORTED_RUNNERS

from cocotb_mutants.config import load
from cocotb_mutants.errors import UsageError
from cocotb_mutants.settings import SIMULATORS, CampaignKeys
from cocotb_mutants.verdict import DEFAULT_DETECTED
from tests.mutants.unit.configs import LEAST, Write, complaint, expanded


def test_three_keys_are_enough(pyproject: Write, project: Path) -> None:
    config = expanded(pyproject(LEAST))

    (target,) = config.targets
    assert config.root == project
    assert (target.name, target.top, target.test_modules) == (
        "counter",
        "counter",
        ("test_counter",),
    )
    assert target.sources == target.mutate == ("rtl/a.sv", "rtl/b.sv")
    assert (target.python_path, target.timescale) == ((".",), "1ns/1ps")
    assert {
        each.name: getattr(config, each.name)
        for each in dataclasses.fields(CampaignKeys)
        if each.name != "simulator"
    } == {
        "seed": 1,
        "jobs": 0,
        "operators": (),
        "mutations": (),
        "only_mutations": False,
        "accepted": (),
        "sample": None,
        "sample_seed": 0,
        "detected": DEFAULT_DETECTED,
        "fail_under": None,
        "timeout_factor": 10.0,
        "cpu_limit": None,
        "wall_limit": None,
        "sim_time_limit": None,
        "memory_limit": None,
        "output_limit": None,
        "schema": True,
        "fork": "auto",
        "run_all": False,
        "all_tests": False,
        "explain": False,
        "work_dir": "sim_build/mutants",
        "prepare": (),
    }


def test_any_other_toml_file_has_the_keys_at_its_top(project: Path) -> None:
    path = project / "mutants.toml"
    path.write_text("\ufeff" + LEAST + 'surces = ["x"]', encoding="utf-8")

    assert complaint(path) == "unknown key 'surces' in mutants.toml; did you mean 'sources'?"


def test_the_nearest_pyproject_with_our_table_is_taken(
    pyproject: Write, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pyproject(LEAST)
    (project / "rtl" / "pyproject.toml").write_text("[tool.other]", encoding="utf-8")
    monkeypatch.chdir(project / "rtl" / "deep")

    assert load().expand().root == project


def test_the_command_line_alone_can_say_everything(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)

    config = load(
        None, {"sources": ("rtl/a.sv",), "top": "a", "test_modules": ("test_a",)}
    ).expand()

    assert (config.root, config.targets[0].sources) == (project, ("rtl/a.sv",))


def test_the_root_is_absolute(
    pyproject: Write, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pyproject(LEAST)
    monkeypatch.chdir(project)

    assert expanded(Path("pyproject.toml")).root == project


def test_the_command_line_wins_in_every_target(pyproject: Write) -> None:
    path = pyproject(
        LEAST,
        "seed = 3",
        '[[tool.cocotb-mutants.target]]\nname = "x"\ntop = "x"',
        '[[tool.cocotb-mutants.target]]\nname = "y"\ntimescale = "1ps/1fs"',
    )

    config = expanded(path, seed=9, timescale="10ns/1ns", top="z", sample=None, operators=())

    assert config.seed == 9
    assert {(each.top, each.timescale) for each in config.targets} == {("z", "10ns/1ns")}
    assert (config.sample, config.operators) == (None, ())


def test_targets_inherit_lists_are_replaced_and_tables_joined(pyproject: Write) -> None:
    path = pyproject(
        LEAST,
        "defines = {A = 1, B = true}",
        "plusargs = ['+x']",
        '[[tool.cocotb-mutants.target]]\nname = "x"\ndefines = {B = 3}\nplusargs = []',
        '[[tool.cocotb-mutants.target]]\nname = "y"\nsources = ["rtl/a.sv"]',
    )

    x, y = expanded(path, defines={"C": ""}).targets

    assert x.defines == {"A": "1", "B": "3", "C": ""}
    assert y.defines == {"A": "1", "B": "1", "C": ""}
    assert (x.plusargs, y.plusargs) == ((), ("+x",))
    assert (x.sources, y.sources) == (("rtl/a.sv", "rtl/b.sv"), ("rtl/a.sv",))


def test_each_makes_a_target_of_every_file_in_order(pyproject: Write) -> None:
    path = pyproject(
        'test-modules = ["tb.test_{stem}"]\ntop = "{stem}"\nenv = {WHAT = "{path}", N = 3}',
        '[[tool.cocotb-mutants.target]]\neach = "rtl/*.sv"\nsources = ["{path}"]',
        "parameter-sets = [{W = 8}, {W = 4, BROKEN = true}]",
    )

    targets = expanded(path).targets

    assert [each.name for each in targets] == [
        "a[W=8]",
        "a[W=4,BROKEN=1]",
        "b[W=8]",
        "b[W=4,BROKEN=1]",
    ]
    assert [each.top for each in targets] == ["a", "a", "b", "b"]
    assert targets[3].parameters == {"W": 4, "BROKEN": 1}
    assert targets[3].test_modules == ("tb.test_b",)
    assert targets[3].env == {"WHAT": "rtl/b.sv", "N": "3"}
    assert targets[3].sources == ("rtl/b.sv",)


def test_each_may_name_its_targets(pyproject: Write) -> None:
    path = pyproject(LEAST, '[[tool.cocotb-mutants.target]]\nname = "my {stem}"\neach = "rtl/*.sv"')

    assert [each.name for each in expanded(path).targets] == ["my a", "my b"]


def test_files_that_prepare_makes_are_found_after_it(pyproject: Write, project: Path) -> None:
    path = pyproject(
        'prepare = ["make", "rtl"]',
        'sources = ["made/x.sv"]\ntop = "x"\ntest-modules = ["t"]',
    )

    draft = load(path)
    assert (draft.prepare, draft.root) == (("make", "rtl"), project)
    (project / "made").mkdir()
    (project / "made" / "x.sv").write_text("", encoding="utf-8")

    assert draft.expand().targets[0].sources == ("made/x.sv",)


def test_a_parameter_set_wins_over_the_parameters(pyproject: Write) -> None:
    path = pyproject(LEAST, "parameters = {W = 2, X = 'a'}", "parameter-sets = [{W = 8}]")

    assert expanded(path).targets[0].parameters == {"W": 8, "X": "a"}


def test_a_pattern_means_files_and_no_folders(pyproject: Write) -> None:
    path = pyproject('sources = ["rtl/*"]\ntop = "x"\ntest-modules = ["t"]')

    assert expanded(path).targets[0].sources == ("rtl/a.sv", "rtl/b.sv")


def test_sources_keep_the_compile_order_and_come_once(pyproject: Write) -> None:
    path = pyproject(
        'sources = ["./rtl/b.sv", "rtl/**/*.sv"]\ntop = "x"\ntest-modules = ["t"]\n'
        'mutate = ["rtl/deep/*.sv", "rtl/b.sv", "bench/*"]'
    )

    (target,) = expanded(path).targets

    assert target.sources == ("rtl/b.sv", "rtl/a.sv", "rtl/deep/c.sv")
    assert target.mutate == ("rtl/b.sv", "rtl/deep/c.sv")


@pytest.mark.parametrize("name", ["a b.sv", "größe.sv", "[x].sv", "{y}.sv", "a'b.sv"])
def test_a_file_that_exists_is_meant_as_it_stands(
    pyproject: Write, project: Path, name: str
) -> None:
    (project / name).write_text("", encoding="utf-8")
    path = pyproject(f'sources = ["{name}"]\ntop = "x"\ntest-modules = ["t"]')

    assert expanded(path).targets[0].sources == (name,)


def test_a_file_outside_the_project_keeps_its_name(
    pyproject: Write, project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("other") / "o.sv"
    outside.write_text("", encoding="utf-8")
    above = f"../{outside.parent.name}/o.sv"
    path = pyproject('top = "x"\ntest-modules = ["t"]')

    config = expanded(path, sources=(str(outside), str(project / "rtl" / "a.sv"), above))

    assert config.targets[0].sources == (str(outside), "rtl/a.sv", above)


def test_folders_are_relative_to_the_project(pyproject: Write, project: Path) -> None:
    path = pyproject(LEAST, 'includes = ["rtl/", "./rtl/deep"]', 'python-path = [".", "bench"]')

    (target,) = expanded(path, python_path=(str(project / "bench"),)).targets

    assert (target.includes, target.python_path) == (("rtl", "rtl/deep"), ("bench",))


def test_the_other_words_of_a_target_are_kept_as_they_are(pyproject: Write) -> None:
    path = pyproject(
        LEAST,
        "test-filter = 'fast.*'\nbuild-args = ['-g2012']\ntest-args = ['-v']\nplusargs = ['+x=1']",
    )

    (target,) = expanded(path).targets

    assert (target.test_filter, target.build_args) == ("fast.*", ("-g2012",))
    assert (target.test_args, target.plusargs) == (("-v",), ("+x=1",))


def test_simulator_auto_is_icarus_where_it_is_installed(
    pyproject: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = pyproject(LEAST)

    for found, name in (("/usr/bin/iverilog", "icarus"), (None, "verilator")):
        monkeypatch.setattr(shutil, "which", lambda program, found=found: found)
        assert expanded(path).simulator == name
    assert expanded(path, simulator="questa").simulator == "questa"


def test_the_simulators_are_those_of_cocotb_that_read_our_language() -> None:
    assert set(SIMULATORS) == set(SUPPORTED_RUNNERS) - {"ghdl", "nvc"}


def test_files_of_mutants_and_of_names_are_found(pyproject: Write, project: Path) -> None:
    for name in ("m.toml", "a1.toml", "a2.toml"):
        (project / name).write_text("", encoding="utf-8")

    config = expanded(
        pyproject(
            LEAST, 'mutations = ["m.toml"]', "only-mutations = true", 'accepted = ["a*.toml"]'
        )
    )

    assert (config.mutations, config.only_mutations) == (("m.toml",), True)
    assert config.accepted == ("a1.toml", "a2.toml")


def test_the_root_may_be_another_folder_than_that_of_the_file(
    pyproject: Write, project: Path
) -> None:
    path = project / "bench" / "mutants.toml"
    path.write_text('root = ".."\n' + LEAST, encoding="utf-8")

    config = expanded(path)

    assert (config.root, config.targets[0].sources) == (project, ("rtl/a.sv", "rtl/b.sv"))
    path.write_text('root = "none"\n' + LEAST, encoding="utf-8")
    assert complaint(path) == (
        f"'root' in mutants.toml is 'none', and {project}/bench/none is no folder"
    )


def test_options_that_were_not_given_do_not_win(pyproject: Write) -> None:
    path = pyproject(LEAST, "seed = 3", 'operators = ["shift"]', 'work-dir = "x"', "run-all = true")

    config = expanded(path, seed=None, operators=(), work_dir="", run_all=False, defines={})

    assert (config.seed, config.operators, config.work_dir) == (3, ("shift",), "x")
    assert config.run_all is False


def test_every_setting_of_the_campaign_reaches_it(pyproject: Write) -> None:
    given: dict[str, Any] = {
        "simulator": "verilator",
        "seed": -5,
        "jobs": 3,
        "operators": ("arithmetic", "-shift"),
        "sample": 10,
        "sample_seed": 4,
        "detected": ("assertion", "exception"),
        "fail_under": 90,
        "timeout_factor": 3,
        "cpu_limit": 1.5,
        "wall_limit": 2.5,
        "sim_time_limit": 1000,
        "memory_limit": 512.0,
        "output_limit": 8,
        "schema": False,
        "fork": "never",
        "run_all": True,
        "all_tests": True,
        "explain": True,
        "work_dir": "out",
        "prepare": ("true",),
    }

    config = expanded(pyproject(LEAST), **given)

    assert set(given) | {"mutations", "only_mutations", "accepted"} == {
        each.name for each in dataclasses.fields(CampaignKeys)
    }
    for name, value in given.items():
        found = getattr(config, name)
        assert (set(found) if name == "detected" else found) == (
            set(value) if name == "detected" else value
        ), name


def test_targets_are_selected_by_name_or_by_what_stands_before_the_set(pyproject: Write) -> None:
    config = expanded(
        pyproject(
            LEAST,
            '[[tool.cocotb-mutants.target]]\nname = "x"\nparameter-sets = [{W=1}, {W=2}]',
            '[[tool.cocotb-mutants.target]]\nname = "y"',
        )
    )

    def names(*wanted: str) -> list[str]:
        return [each.name for each in config.select(wanted).targets]

    assert names() == ["x[W=1]", "x[W=2]", "y"]
    assert names("x") == ["x[W=1]", "x[W=2]"]
    assert names("y", "x[W=2]") == ["x[W=2]", "y"]
    with pytest.raises(UsageError, match=r"^unknown target 'x\[W=3\]'; did you mean 'x\[W=") as e:
        names("x[W=3]")
    assert e.value.hint == "the targets are x[W=1], x[W=2], y"
    with pytest.raises(UsageError, match=r"^unknown target 'nothing'$"):
        names("nothing")
