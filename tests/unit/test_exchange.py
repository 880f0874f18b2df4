# SPDX-License-Identifier: Apache-2.0
"""Files that pass between the run function and the simulation."""

from __future__ import annotations

from pathlib import Path

import pytest

from tb.exchange import write_atomically


def test_the_text_is_written_as_utf_8(tmp_path: Path) -> None:
    write_atomically(tmp_path / "record.json", "größer")
    assert (tmp_path / "record.json").read_bytes() == "größer".encode()


def test_nothing_else_is_left_in_the_folder(tmp_path: Path) -> None:
    write_atomically(tmp_path / "record.json", "{}")
    assert [path.name for path in tmp_path.iterdir()] == ["record.json"]


def test_a_reader_that_has_the_old_file_open_goes_on_reading_it(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    write_atomically(path, "old")
    with path.open() as reader:
        write_atomically(path, "new")
        assert reader.read() == "old"
    assert path.read_text() == "new"


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    write_atomically(path, "old")
    # A lone surrogate cannot be encoded, so the write breaks off.
    with pytest.raises(UnicodeEncodeError):
        write_atomically(path, "half \udcff")
    assert path.read_text() == "old"
