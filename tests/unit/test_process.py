# SPDX-License-Identifier: Apache-2.0
"""Commands that run as a group, and end as one.

Whether a child is gone is seen at a named pipe that it holds open for writing: reading from it
finds the end of the file once nobody holds it any more, and nothing to read while somebody does.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tb import process

GRANDCHILD = (
    '(echo started; exec sleep 30) > "$PIPE" & while ! [ -e "$PIPE.seen" ]; do sleep 0.01; done'
)
"""Shell text that leaves a process in the background, and goes on once the test has seen it."""

PATIENCE = 10
"""Seconds after which a test gives up on something that ought to happen at once."""


def shell(script: str, folder: Path, *, seconds: float = PATIENCE, **env: str) -> int | None:
    return process.run(
        ["/bin/sh", "-c", script],
        cwd=folder,
        env={"PATH": os.environ["PATH"], **env},
        log=folder / "log.txt",
        seconds=seconds,
    )


class Watched:
    """The reading end of a pipe whose writing end a grandchild holds."""

    def __init__(self, path: Path) -> None:
        self.path = path
        os.mkfifo(path)
        self.end = os.open(path, os.O_RDONLY | os.O_NONBLOCK)

    def wait_for_start(self) -> None:
        self._until(lambda: self._read() == b"started\n")
        self.path.with_name(f"{self.path.name}.seen").touch()

    def wait_for_end(self) -> None:
        self._until(lambda: self._read() == b"")

    def _read(self) -> bytes | None:
        try:
            return os.read(self.end, 100)
        except BlockingIOError:
            return None

    def _until(self, reached: object) -> None:
        assert callable(reached)
        limit = time.monotonic() + PATIENCE
        while not reached():
            assert time.monotonic() < limit, "the grandchild is still there, or never came"
            time.sleep(0.01)


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[Watched]:
    watched = Watched(tmp_path / "pipe")
    yield watched
    os.close(watched.end)


@pytest.fixture
def typed() -> Iterator[None]:
    """Put a line on the standard input of the test itself."""
    kept = os.dup(0)
    reading, writing = os.pipe()
    os.write(writing, b"something\n")
    os.dup2(reading, 0)
    yield
    os.dup2(kept, 0)
    for end in (kept, reading, writing):
        os.close(end)


@contextmanager
def aside(target: object) -> Iterator[threading.Thread]:
    assert callable(target)
    thread = threading.Thread(target=target)
    thread.start()
    yield thread
    thread.join(PATIENCE)
    assert not thread.is_alive()


@pytest.mark.parametrize("code", [0, 1, 77])
def test_the_exit_code_is_that_of_the_command(tmp_path: Path, code: int) -> None:
    assert shell(f"exit {code}", tmp_path) == code


def test_a_command_that_a_signal_ended_has_a_negative_code(tmp_path: Path) -> None:
    assert shell("kill -TERM $$", tmp_path) == -15


def test_both_outputs_land_in_the_log_in_their_order(tmp_path: Path) -> None:
    shell("echo one; echo two >&2; echo three", tmp_path)
    assert (tmp_path / "log.txt").read_text() == "one\ntwo\nthree\n"


def test_an_older_log_is_replaced(tmp_path: Path) -> None:
    shell("echo a long line", tmp_path)
    shell("echo new", tmp_path)
    assert (tmp_path / "log.txt").read_text() == "new\n"


def test_the_command_sees_its_folder_and_no_environment_but_its_own(tmp_path: Path) -> None:
    os.environ["TB_NOT_HANDED_ON"] = "1"
    try:
        shell('echo "$PWD ${TB_NOT_HANDED_ON-unset} $GIVEN"', tmp_path, GIVEN="yes")
    finally:
        del os.environ["TB_NOT_HANDED_ON"]
    assert (tmp_path / "log.txt").read_text() == f"{tmp_path} unset yes\n"


def test_the_command_does_not_read_what_is_typed(tmp_path: Path, typed: None) -> None:
    assert shell("read line", tmp_path) == 1


def test_a_command_out_of_time_has_no_exit_code(tmp_path: Path) -> None:
    began = time.monotonic()
    assert shell("sleep 30", tmp_path, seconds=0.1) is None
    assert time.monotonic() - began < PATIENCE


def test_what_was_written_before_time_ran_out_is_in_the_log(tmp_path: Path) -> None:
    shell("echo begun; sleep 30", tmp_path, seconds=1)
    assert (tmp_path / "log.txt").read_text() == "begun\n"


def test_out_of_time_ends_what_the_command_started_too(tmp_path: Path, pipe: Watched) -> None:
    with aside(lambda: shell(f"{GRANDCHILD}; wait", tmp_path, seconds=2, PIPE=str(pipe.path))):
        pipe.wait_for_start()
    pipe.wait_for_end()


def test_nothing_that_the_command_left_behind_goes_on(tmp_path: Path, pipe: Watched) -> None:
    with aside(lambda: shell(f"{GRANDCHILD}; exit 0", tmp_path, PIPE=str(pipe.path))):
        pipe.wait_for_start()
    pipe.wait_for_end()


def test_end_all_ends_every_group_that_runs(tmp_path: Path, pipe: Watched) -> None:
    codes: list[int | None] = []
    with aside(lambda: codes.append(shell(f"{GRANDCHILD}; wait", tmp_path, PIPE=str(pipe.path)))):
        pipe.wait_for_start()
        process.end_all()
    assert codes == [-9]
    pipe.wait_for_end()


def test_end_all_has_nothing_to_end_once_a_command_is_over(tmp_path: Path) -> None:
    shell("exit 0", tmp_path)
    process.end_all()
    assert process._running == set()


def test_a_program_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no_such_program"):
        process.run(["no_such_program"], cwd=tmp_path, env={}, log=tmp_path / "log.txt", seconds=1)
