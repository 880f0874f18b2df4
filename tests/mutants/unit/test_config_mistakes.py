# SPDX-License-Identifier: Apache-2.0
"""A wrong configuration is told in one sentence a mistake, with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from cocotb_mutants.config import load
from cocotb_mutants.errors import UsageError
from cocotb_mutants.settings import SIMULATORS
from tests.mutants.unit.configs import LEAST, Write, complaint

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
        ("jobs = true", f"key 'jobs' in {OURS} is True: it must be a whole number"),
        ("sample = true", f"key 'sample' in {OURS} is True: it must be a whole number"),
        ("cpu-limit = true", f"key 'cpu-limit' in {OURS} is True: it must be a number"),
        ("fail-under = true", f"key 'fail-under' in {OURS} is True: it must be a number"),
        (
            "fail-under = -0.5",
            f"key 'fail-under' in {OURS} is -0.5: it must be greater than or equal to 0",
        ),
        ("timeout-factor = '3'", f"key 'timeout-factor' in {OURS} is '3': it must be a number"),
        (
            "timeout-factor = inf",
            f"key 'timeout-factor' in {OURS} is inf: it must be a finite number",
        ),
        (
            "timeout-factor = 0.9",
            f"key 'timeout-factor' in {OURS} is 0.9: it must be greater than or equal to 1",
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
