# SPDX-License-Identifier: Apache-2.0
"""The store: nothing that was put is lost, and a file that is not ours is never touched."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from cocotb_mutants.errors import StoreLocked, StoreUnreadable, UsageError
from cocotb_mutants.store import FILE, FORMAT, LOCK, Store
from cocotb_mutants.verdict import State, Verdict
from tests.mutants.unit.samples import failed, passed

KILLED = Verdict(
    State.KILLED,
    "t.one failed: 1 != 2",
    target="a",
    test="t.one",
    message="é \udc80 <&>",
    kind="assertion",
    cpu_s=0.25,
    tests=(passed("t.zero", sim_end=5), failed("t.one")),
)
SURVIVED = Verdict(State.SURVIVED, "2 tests ran and none failed", target="a")

_CAMPAIGN = """
import sys
from pathlib import Path
from cocotb_mutants.store import Store
from cocotb_mutants.verdict import State, Verdict

with Store.open(Path(sys.argv[1])) as store:
    store.begin_campaign({})
    for number in range(1_000_000):
        store.put(f"k{number}", f"m{number}", "a", Verdict(State.SURVIVED, "none failed"))
        print(number, flush=True)
"""


def campaign(work_dir: Path) -> subprocess.Popen[str]:
    """Another process that puts one verdict after the other and prints each number once it has."""
    return subprocess.Popen(
        [sys.executable, "-c", _CAMPAIGN, str(work_dir)], stdout=subprocess.PIPE, text=True
    )


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(statement)


def made(work_dir: Path) -> Path:
    with Store.open(work_dir) as store:
        store.put("k", "m", "a", KILLED)
    return work_dir / FILE


def opened(work_dir: Path, how: Any) -> None:
    with how(work_dir):
        pass


def test_a_verdict_comes_back_as_it_was(tmp_path: Path) -> None:
    with Store.open(tmp_path / "new" / "work") as store:
        store.put("k", "m", "a", KILLED)
        assert store.get("k") == KILLED
        assert store.get("other") is None
        assert store.notice == ""


def test_verdicts_are_there_the_next_time(tmp_path: Path) -> None:
    made(tmp_path)

    with Store.open(tmp_path) as store:
        assert store.get("k") == KILLED


def test_each_verdict_is_written_at_once(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store, Store.read(tmp_path) as other:
        store.put("k", "m", "a", KILLED)
        assert other.get("k") == KILLED


def test_a_killed_campaign_keeps_all_that_it_had_put(tmp_path: Path) -> None:
    process = campaign(tmp_path)
    assert process.stdout is not None
    for _ in range(100):
        process.stdout.readline()
    process.send_signal(signal.SIGKILL)
    rest = process.stdout.read().splitlines(keepends=True)
    process.stdout.close()
    process.wait()

    printed = 100 + sum(line.endswith("\n") for line in rest)
    with Store.open(tmp_path) as store:
        assert all(store.get(f"k{number}") for number in range(printed))
        (record,) = store.campaigns()
    assert (record.finished, record.totals) == (None, None)


@pytest.mark.parametrize("state", [State.UNREADABLE, State.WRONG_MUTANT])
def test_a_fault_of_the_tool_is_judged_anew(tmp_path: Path, state: State) -> None:
    with Store.open(tmp_path) as store:
        store.put("k", "m", "a", Verdict(state, "?"))
        assert store.get("k") is None
        last = store.last("m", "a")
        assert last is not None
        assert last.state is state


def test_a_later_verdict_takes_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.put("k", "m", "a", SURVIVED)
        store.put("k", "m", "a", KILLED)
        assert store.get("k") == KILLED


def test_the_last_verdict_of_a_mutant_is_found_in_each_target(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.put("k1", "m", "a", KILLED)
        store.put("k2", "m", "a", SURVIVED)
        store.put("k3", "m", "b", KILLED)
        store.put("k4", "n", "a", KILLED)
        assert store.latest("m") == {"a": SURVIVED, "b": KILLED}
        assert store.last("m", "a") == SURVIVED
        assert store.last("m", "c") is None
        store.put("k1", "m", "a", KILLED)
        assert store.last("m", "a") == KILLED


def test_kills_are_counted_by_test_and_mutant(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        for key, mutant, target, verdict in (
            ("1", "m", "a", KILLED),
            ("2", "m", "a", KILLED),
            ("3", "n", "a", KILLED),
            ("4", "o", "b", KILLED),
            ("5", "p", "a", SURVIVED),
            ("6", "q", "a", Verdict(State.KILLED, "?", test="t.two")),
            ("7", "r", "a", Verdict(State.KILLED, "an error of the design")),
        ):
            store.put(key, mutant, target, verdict)
        assert store.kills_by_test("a") == Counter({"t.one": 2, "t.two": 1})
        assert store.kills_by_test("none") == Counter()


def test_campaigns_are_remembered_with_what_came_out(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        first = store.begin_campaign({"seed": 1})
        second = store.begin_campaign({"seed": 2})
        store.finish_campaign(second, {"killed": 3})
        one, two = store.campaigns()

    assert (one.id, one.meta, one.finished, one.totals) == (first, {"seed": 1}, None, None)
    assert (two.id, two.meta, two.totals) == (second, {"seed": 2}, {"killed": 3})
    assert two.finished is not None
    assert two.started.endswith("+00:00")
    assert two.started <= two.finished


def test_the_store_can_be_told_to_forget(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        store.begin_campaign({})
        store.put("k", "m", "a", KILLED)
        store.put_manifest("k", ("a.py",))
        store.forget()
        assert (store.get("k"), store.latest("m"), store.manifest("k")) == (None, {}, None)
        assert store.kills_by_test("a") == Counter()
        assert len(store.campaigns()) == 1


def test_the_file_is_marked_as_ours_and_written_ahead(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        pragmas = [
            store._connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("application_id", "user_version", "journal_mode", "synchronous")
        ]

    assert pragmas == [int.from_bytes(b"cmut", "big"), FORMAT, "wal", 1]


def test_manifests_are_kept(tmp_path: Path) -> None:
    with Store.open(tmp_path) as store:
        assert store.manifest("k") is None
        store.put_manifest("k", ("a.py", "b.py"))
        store.put_manifest("k", ("a.py",))
        assert store.manifest("k") == ("a.py",)


def test_a_second_campaign_is_told_who_has_the_store(tmp_path: Path) -> None:
    process = campaign(tmp_path)
    assert process.stdout is not None
    process.stdout.readline()
    try:
        with pytest.raises(StoreLocked) as caught, Store.open(tmp_path):
            pass
        with Store.read(tmp_path) as store:
            assert store.get("k0") is not None
    finally:
        process.kill()
        process.stdout.close()
        process.wait()

    assert caught.value.message == (
        f"a campaign is already running in {tmp_path}: process {process.pid}"
    )
    with Store.open(tmp_path):
        assert (tmp_path / LOCK).read_text(encoding="ascii") == str(os.getpid())


def test_a_holder_that_has_not_said_who_it_is_is_another_process(tmp_path: Path) -> None:
    with (tmp_path / LOCK).open("w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(StoreLocked, match=r": another process$"), Store.open(tmp_path):
            pass


def test_the_lock_is_free_after_an_error(tmp_path: Path) -> None:
    with pytest.raises(KeyError), Store.open(tmp_path):
        raise KeyError

    with Store.open(tmp_path):
        pass


def test_a_disk_without_locks_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_locks(*_: Any) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", no_locks)

    with pytest.raises(StoreUnreadable, match=r"cannot lock .*: No locks available"):
        opened(tmp_path, Store.open)


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="ascii")

    with pytest.raises(StoreUnreadable, match=r"cannot write in .*: Not a directory"):
        opened(tmp_path / "file" / "work", Store.open)


BOTH = pytest.mark.parametrize("how", [Store.open, Store.read], ids=["open", "read"])


@BOTH
def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path, how: Any) -> None:
    path = tmp_path / FILE
    path.write_bytes(b"these are my notes " * 100)

    with pytest.raises(StoreUnreadable, match="cannot be used: file is not a database"):
        opened(tmp_path, how)

    assert path.read_bytes() == b"these are my notes " * 100


@BOTH
def test_a_database_of_another_program_is_left_alone(tmp_path: Path, how: Any) -> None:
    change(tmp_path / FILE, "CREATE TABLE mine (x)")

    with pytest.raises(StoreUnreadable, match="was not written by cocotb-mutants"):
        opened(tmp_path, how)


@BOTH
def test_a_file_of_a_newer_version_is_left_alone(tmp_path: Path, how: Any) -> None:
    change(made(tmp_path), f"PRAGMA user_version = {FORMAT + 1}")

    with pytest.raises(StoreUnreadable, match=r"newer cocotb-mutants \(format 3, ours is 2\)"):
        opened(tmp_path, how)


@BOTH
def test_a_half_written_file_is_named(tmp_path: Path, how: Any) -> None:
    path = made(tmp_path)
    path.write_bytes(path.read_bytes()[:-4096])

    with pytest.raises(StoreUnreadable, match="cannot be used: ") as caught:
        opened(tmp_path, how)

    assert "\n" not in caught.value.message


@BOTH
def test_a_file_with_a_damaged_page_is_named(tmp_path: Path, how: Any) -> None:
    path = made(tmp_path)
    content = bytearray(path.read_bytes())
    content[4096:4200] = b"\xff" * 104
    path.write_bytes(content)

    with pytest.raises(StoreUnreadable, match="cannot be used: ") as caught:
        opened(tmp_path, how)

    assert "\n" not in caught.value.message


def test_a_file_of_an_older_version_is_put_aside_with_a_word(tmp_path: Path) -> None:
    old = made(tmp_path)
    change(old, "PRAGMA user_version = 1000000000")
    before = old.read_bytes()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cocotb_mutants.store.FORMAT", 1000000001)
        with pytest.raises(UsageError, match="holds no campaign of this version"):
            opened(tmp_path, Store.read)
        with Store.open(tmp_path) as store:
            assert store.get("k") is None
            assert "put aside as store.format1000000000.sqlite" in store.notice

    assert (tmp_path / "store.format1000000000.sqlite").read_bytes() == before


@pytest.mark.parametrize("content", [None, b""], ids=["no file", "an empty file"])
def test_a_store_that_was_never_filled_is_made(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / FILE).write_bytes(content)
    with pytest.raises(UsageError):
        opened(tmp_path, Store.read)

    with Store.open(tmp_path) as store:
        assert store.campaigns() == []


def test_who_only_looks_cannot_write(tmp_path: Path) -> None:
    made(tmp_path)

    with pytest.raises(StoreUnreadable, match="readonly"), Store.read(tmp_path) as store:
        store.put("k", "m", "a", KILLED)


def test_a_full_disk_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreUnreadable, match="database or disk is full"), filling(tmp_path) as s:
        s.put("k", "m", "a", Verdict(State.SURVIVED, "x" * 100_000))


@contextmanager
def filling(work_dir: Path) -> Iterator[Store]:
    """A store on a disk that is all but full."""
    with Store.open(work_dir) as store:
        store._connection.execute("PRAGMA max_page_count = 8")
        yield store
