# SPDX-License-Identifier: Apache-2.0
"""Survivors that may live: names, patterns, reasons, and what is wrong with a file of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from cocotb_mutants.accepted import idle, load_accepted, reasons
from cocotb_mutants.errors import SourceError

FILE = "accepted.toml"


def write(folder: Path, text: str) -> tuple[str, ...]:
    (folder / FILE).write_text(text)
    return (FILE,)


def test_the_first_entry_that_matches_gives_the_reason(tmp_path: Path) -> None:
    files = write(
        tmp_path,
        '[[accepted]]\nmutants = ["a.x-1", "b.*"]\nreason = """\n one\n line"""\n'
        '[[accepted]]\nmutants = ["b.y-2", "gone"]\nreason = "two"\n',
    )
    accepted = load_accepted(tmp_path, files)
    names = ["a.x-1", "a.x-2", "b.y-2"]

    assert reasons(accepted, names) == {"a.x-1": "one line", "b.y-2": "one line"}
    assert list(idle(accepted, names)) == [(FILE, "gone")]


def test_nothing_but_a_star_is_special(tmp_path: Path) -> None:
    accepted = load_accepted(
        tmp_path, write(tmp_path, '[[accepted]]\nmutants = ["g[0].*-1", "?"]\nreason = "why"\n')
    )

    assert reasons(accepted, ["g[0].y-1", "g0.y-1", "g[0].y-12", "x"]) == {"g[0].y-1": "why"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[[accepted]]\nmutants = ["a"]\n', "entry 1 needs 'mutants', a list of names, and"),
        ('[[accepted]]\nmutants = ["a"]\nreason = " "\n', "and a 'reason'"),
        ('[[accepted]]\nmutants = []\nreason = "r"\n', "entry 1 needs"),
        ('[[accepted]]\nmutants = "a"\nreason = "r"\n', "entry 1 needs"),
        ('[[accepted]]\nmutants = [1]\nreason = "r"\n', "entry 1 needs"),
        ("accepted = [1]\n", "entry 1 needs"),
        ('[[accepted]]\nmutants = ["a"]\nreason = "r"\nwho = "me"\n', "unknown key 'who'"),
        ('[accepted]\nmutants = ["a"]\n', "[[accepted]], and nothing else"),
        ('[[other]]\nmutants = ["a"]\n', "[[accepted]], and nothing else"),
        ("accepted = ", "accepted.toml is not TOML"),
    ],
)
def test_a_wrong_file_is_one_clear_message(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(SourceError) as error:
        load_accepted(tmp_path, write(tmp_path, text))

    assert words in error.value.message


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"cannot read none\.toml"):
        load_accepted(tmp_path, ("none.toml",))
