# SPDX-License-Identifier: Apache-2.0
"""The configuration: what it may say, what wins, and what it says where it is wrong."""

from __future__ import annotations

import dataclasses
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cocotb_tools.runner import SUPPORTED_RUNNERS

from cocotb_mutants.config import Config, load
from cocotb_mutants.errors import UsageError
from cocotb_mutants.settings import SIMULATORS, CampaignKeys

LEAST = 'sources = ["rtl/*.sv"]\ntop = "counter"\ntest-modules = ["test_counter"]\n'
Write = Callable[..., Path]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("rtl/b.sv", "rtl/a.sv", "rtl/deep/c.sv", "bench/test_a.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", encoding="utf-8")
    return tmp_path


@pytest.fixture
def pyproject(project: Path) -> Write:
    def write(*lines: str) -> Path:
        path = project / "pyproject.toml"
        path.write_text("[tool.cocotb-mutants]\n" + "\n".join(lines) + "\n", encoding="utf-8")
        return path

    return write


def expanded(path: Path, **overrides: object) -> Config:
    return load(path, overrides).expand()


def complaint(path: Path, **overrides: object) -> str:
    with pytest.raises(UsageError) as caught:
        expanded(path, **overrides)
    return caught.value.message


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
    assert (config.seed, config.schema, config.fork, config.prepare) == (1, True, "auto", ())


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


def test_mutations_files_are_found(pyproject: Write, project: Path) -> None:
    (project / "m.toml").write_text("", encoding="utf-8")

    config = expanded(pyproject(LEAST, 'mutations = ["m.toml"]', "only-mutations = true"))

    assert (config.mutations, config.only_mutations) == (("m.toml",), True)


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
        "work_dir": "out",
        "prepare": ("true",),
    }

    config = expanded(pyproject(LEAST), **given)

    assert set(given) | {"mutations", "only_mutations"} == {
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


OURS = "[tool.cocotb-mutants]"
FIRST = "[[tool.cocotb-mutants.target]], number 1"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('surces = ["x"]', f"unknown key 'surces' in {OURS}; did you mean 'sources'?"),
        (
            "test_modules = []",
            f"unknown key 'test_modules' in {OURS}; did you mean 'test-modules'?",
        ),
        ("xyzzy = 1", f"unknown key 'xyzzy' in {OURS}"),
        (
            "[[tool.cocotb-mutants.target]]\ntpo = 'x'",
            f"unknown key 'tpo' in {FIRST}; did you mean 'top'?",
        ),
        (
            "[[tool.cocotb-mutants.target]]\nseed = 1",
            f"key 'seed' in {FIRST} belongs to the whole campaign: it stands in {OURS}",
        ),
        (
            "[[tool.cocotb-mutants.target]]\nplusargs = [3]",
            f"key 'plusargs[0]' in {FIRST} is 3: it must be a text",
        ),
        (
            "[tool.cocotb-mutants.target]\ntop = 'x'",
            f"key 'target' in {OURS} is {{'top': 'x'}}: each target begins with a line "
            "[[tool.cocotb-mutants.target]]",
        ),
        ("target = [3]", f"key 'target[0]' in {OURS} is 3: it must be a table"),
        ("seed = true", f"key 'seed' in {OURS} is True: it must be a whole number"),
        ("seed = 'x'", f"key 'seed' in {OURS} is 'x': it must be a whole number"),
        ("jobs = -1", f"key 'jobs' in {OURS} is -1: it must be greater than or equal to 0"),
        ("sample = 0", f"key 'sample' in {OURS} is 0: it must be greater than 0"),
        ("schema = 1", f"key 'schema' in {OURS} is 1: it must be true or false"),
        ("cpu-limit = 'x'", f"key 'cpu-limit' in {OURS} is 'x': it must be a number"),
        ("cpu-limit = inf", f"key 'cpu-limit' in {OURS} is inf: it must be a finite number"),
        (
            "fail-under = 101",
            f"key 'fail-under' in {OURS} is 101: it must be less than or equal to 100",
        ),
        ("sources = 'x'", f"key 'sources' in {OURS} is 'x': it must be a list"),
        ("detected = 'x'", f"key 'detected' in {OURS} is 'x': it must be a list"),
        ("defines = 3", f"key 'defines' in {OURS} is 3: it must be a table"),
        (
            "parameters = {W = [1]}",
            f"key 'parameters.W' in {OURS} is [1]: it must be a number, a text or a truth value",
        ),
        ("timescale = '1ns'", f"key 'timescale' in {OURS} is '1ns': it must look like 1ns/1ps"),
        ("fork = 'x'", f"key 'fork' in {OURS} is 'x': it must be 'auto' or 'never'"),
        (
            "detected = ['luck']",
            f"key 'detected[0]' in {OURS} is 'luck': it must be 'assertion', 'unresolved', "
            "'bench-timeout', 'rtl-assertion', 'exception' or 'timeout'",
        ),
        (
            "test-filter = '('",
            f"key 'test-filter' in {OURS} is '(': it is no regular expression: missing ), "
            "unterminated subpattern at position 0",
        ),
        (
            "simulator = 'ghdl'",
            f"key 'simulator' in {OURS} is 'ghdl': it must be auto or one of "
            f"{', '.join(SIMULATORS)}",
        ),
        ("only-mutations = true", "only-mutations is set, but no mutations file is named"),
    ],
)
def test_a_wrong_key_is_named_with_its_place(pyproject: Write, text: str, message: str) -> None:
    assert complaint(pyproject(text)) == message


def test_all_wrong_keys_are_named(pyproject: Write) -> None:
    message = complaint(pyproject("seed = 'x'\njobs = 'x'"))

    assert [line.split("'")[1] for line in message.splitlines()] == ["seed", "jobs"]


def test_a_long_wrong_value_is_shortened(pyproject: Write) -> None:
    assert len(complaint(pyproject(f"seed = '{'x' * 1000}'"))) < 120


def test_a_wrong_option_is_named_as_one(pyproject: Write) -> None:
    message = complaint(pyproject(LEAST), timescale="x")

    assert message == "key 'timescale' in the command line is 'x': it must look like 1ns/1ps"


@pytest.mark.parametrize("key", ["sources", "top", "test-modules"])
def test_a_missing_key_is_named_with_an_example(pyproject: Write, key: str) -> None:
    lines = [line for line in LEAST.splitlines() if not line.startswith(key)]

    with pytest.raises(UsageError, match=rf"^no '{key}' in \[tool.cocotb-mutants\]$") as caught:
        load(pyproject(*lines))

    assert caught.value.hint.startswith(f"for example: {key} = ")


def test_a_missing_key_of_a_target_is_named_with_the_target(pyproject: Write) -> None:
    path = pyproject(
        'sources = ["rtl/a.sv"]\ntest-modules = ["t"]',
        '[[tool.cocotb-mutants.target]]\ntop = "a"',
        "[[tool.cocotb-mutants.target]]",
    )

    assert complaint(path) == "no 'top' in [[tool.cocotb-mutants.target]], number 2"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('sources = ["rtl/x.sv"]', f"'rtl/x.sv' of 'sources' in {OURS} does not exist in {{root}}"),
        ('sources = ["rtl/*.v"]', f"'rtl/*.v' of 'sources' in {OURS} matches no file in {{root}}"),
        (
            'sources = ["rtl/*ee*"]',
            f"'rtl/*ee*' of 'sources' in {OURS} matches no file in {{root}}",
        ),
        ('sources = ["rtl"]', f"'rtl' of 'sources' in {OURS} is a folder"),
        ('mutate = ["rtl/x.sv"]', f"'rtl/x.sv' of 'mutate' in {OURS} does not exist in {{root}}"),
        ('mutate = ["bench/*"]', f"no file of 'mutate' in {OURS} is one of its sources"),
        ('includes = ["inc"]', f"'inc' of 'includes' in {OURS} is no folder in {{root}}"),
        ('python-path = ["x"]', f"'x' of 'python-path' in {OURS} is no folder in {{root}}"),
        ('mutations = ["m"]', "'m' of 'mutations' does not exist in {root}"),
        ("parameter-sets = [{A=1}, {A=1}]", "2 targets are called 'counter[A=1]'"),
    ],
)
def test_what_leads_nowhere_is_named(
    pyproject: Write, project: Path, text: str, message: str
) -> None:
    key = text.split(" ", 1)[0]
    lines = [line for line in LEAST.splitlines() if not line.startswith(key)]

    assert complaint(pyproject(*lines, text)) == message.format(root=project)


def test_an_each_that_matches_nothing_is_named(pyproject: Write, project: Path) -> None:
    path = pyproject(LEAST, '[[tool.cocotb-mutants.target]]\neach = "x/*.sv"')

    assert complaint(path) == f"'x/*.sv' of 'each' in {FIRST} matches no file in {project}"


def test_a_file_name_that_no_report_can_hold_is_refused(pyproject: Write, project: Path) -> None:
    (project / "rtl" / "x\udc80.sv").write_text("", encoding="utf-8")

    assert complaint(pyproject(LEAST)).endswith("is not UTF-8, or holds a control character")


def test_a_file_that_is_not_there_is_named(project: Path) -> None:
    path = project / "none.toml"

    assert complaint(path) == f"cannot read {path}: No such file or directory"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a = \xff", "{path} is not UTF-8 at byte 4"),
        (b"a = ", "{path} is not TOML: Invalid value (at end of document)"),
        (b"a = 1", "{path} has no table [tool.cocotb-mutants]"),
        (b"tool = 1", "{path} has no table [tool.cocotb-mutants]"),
        (b"[tool]\ncocotb-mutants = 1", "{path} has no table [tool.cocotb-mutants]"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(project: Path, content: bytes, message: str) -> None:
    path = project / "pyproject.toml"
    path.write_bytes(content)

    assert complaint(path) == message.format(path=path)
