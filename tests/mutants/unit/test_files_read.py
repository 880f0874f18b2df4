# SPDX-License-Identifier: Apache-2.0
"""Which files count as read by a bench."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cocotb_mutants import inside

PACKAGE = Path(inside.__file__).parents[2]
# Audit hooks stay for the life of a process, so each test has one of its own.
SCRIPT = """
import sys
from pathlib import Path
from cocotb_mutants.inside.files import FilesRead
files = FilesRead()
{action}
print(*files.under(Path("."), [Path("work")]), sep="\\n")
"""
IN_A_PLACE = """
from pathlib import Path
from cocotb_mutants.inside.files import FilesRead
files = FilesRead()
open("data.txt")
root = Path({root!r})
print(*files.under(root, [root / "work"]), sep="\\n")
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("data.txt", "work/own.txt", ".venv/lib.py", "x/site-packages/lib.py", "mod.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    return tmp_path


@pytest.mark.parametrize(
    ("action", "found"),
    [
        ("open('data.txt')", ["data.txt"]),
        ("Path('data.txt').read_bytes()", ["data.txt"]),
        ("open(b'data.txt', 'r+')", ["data.txt"]),
        ("import os; os.open('data.txt', os.O_RDONLY)", ["data.txt"]),
        ("import os; os.open('data.txt', os.O_WRONLY)", []),
        ("open('data.txt', 'w')", []),
        ("open('new.txt', 'x')", []),
        ("open('data.txt', 'a')", []),
        ("import os; os.chdir('x'); open('../data.txt'); os.chdir('..')", ["data.txt"]),
        ("files.stop(); open('data.txt')", []),
        ("open('work/own.txt'); open('.venv/lib.py'); open('x/site-packages/lib.py')", []),
        ("import os; open(os.devnull); open(os.open('data.txt', os.O_WRONLY))", []),
        ("sys.path.insert(0, ''); import mod", ["mod.py"]),
        ("sys.path.insert(0, ''); import mod; del sys.modules['mod']; files.stop()", ["mod.py"]),
        ("import os; os.mkdir('d'); os.open('d', os.O_RDONLY)", []),
        ("files._opened.add('old.pyc'); Path('old.py').touch()", ["old.py"]),
    ],
)
def test_a_file_counts_if_it_is_the_projects_and_is_read(
    project: Path, action: str, found: list[str]
) -> None:
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT.format(action=action)],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(PACKAGE)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.split() == found


def test_a_copy_in_the_working_directory_counts_as_what_it_was_copied_from(project: Path) -> None:
    place = project / "work" / "slot"
    place.mkdir()
    (place / "data.txt").write_text("")
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", IN_A_PLACE.format(root=str(project))],
        cwd=place,
        env={**os.environ, "PYTHONPATH": str(PACKAGE)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.split() == ["data.txt"]


def test_this_package_does_not_count(project: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(action="").replace('Path(".")', f'Path("{PACKAGE}")')],
        env={**os.environ, "PYTHONPATH": str(PACKAGE)},
        cwd=project,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "cocotb_mutants" not in run.stdout
