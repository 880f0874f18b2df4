# SPDX-License-Identifier: Apache-2.0
"""Verdicts on disk: one SQLite file, written as they arrive, and one campaign at a time."""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from cocotb_mutants.errors import StoreLocked, StoreUnreadable, UsageError
from cocotb_mutants.verdict import State, Verdict

__all__ = ["FILE", "FORMAT", "LOCK", "CampaignRecord", "Store"]

FILE = "store.sqlite"
LOCK = "lock"
FORMAT = 2
"""The version of the tables. A file of an older version is put aside, a newer one refused."""

_APPLICATION = 0x636D7574  # "cmut", in the file's header: tells our files from anybody else's
_TABLES = """
CREATE TABLE verdict (
    number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT UNIQUE NOT NULL, mutant TEXT NOT NULL,
    target TEXT NOT NULL, state TEXT NOT NULL, test TEXT NOT NULL, verdict TEXT NOT NULL
);
CREATE INDEX by_mutant ON verdict (mutant);
CREATE INDEX by_test ON verdict (target, state, test);
CREATE TABLE campaign (
    id INTEGER PRIMARY KEY AUTOINCREMENT, started TEXT NOT NULL, finished TEXT,
    meta TEXT NOT NULL, totals TEXT
);
CREATE TABLE manifest (key TEXT PRIMARY KEY, files TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE explanation (key TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
"""


@dataclass(frozen=True)
class CampaignRecord:
    """One campaign of the past. `finished` and `totals` are None where it was cut short."""

    id: int
    started: str
    finished: str | None
    meta: Mapping[str, Any]
    totals: Mapping[str, Any] | None


class Store:
    """The file `store.sqlite` of a work folder, opened by `Store.open` or `Store.read`.

    Each `put` is on disk when it returns, so that a killed campaign loses what was in flight and
    nothing else. `notice` is a sentence for the user, or empty.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, notice: str = "") -> None:
        self.path = path
        self.notice = notice
        self._connection = connection

    @classmethod
    @contextmanager
    def open(cls, work_dir: Path) -> Iterator[Store]:
        """Open the store of `work_dir` for a campaign; make both if they are not there.

        The lock is let go of at the end, also by the death of the process.

        Raises:
            StoreLocked: another campaign has it open.
            StoreUnreadable: the file is damaged, foreign, or cannot be written.
        """
        path = work_dir / FILE
        try:
            work_dir.mkdir(parents=True, exist_ok=True)
            lock = (work_dir / LOCK).open("a+", encoding="ascii")
        except OSError as error:
            raise StoreUnreadable(f"cannot write in {work_dir}: {error.strerror}") from None
        with lock:
            _take(lock, work_dir)
            notice = _put_aside_if_old(path)
            with _explained(path), closing(_connect(path, "rwc")) as connection:
                # Readers go on while a campaign writes, and a commit does not wait for the disk.
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = NORMAL")
                _make_or_check(path, connection)
                yield cls(path, connection, notice)

    @classmethod
    @contextmanager
    def read(cls, work_dir: Path) -> Iterator[Store]:
        """Open the store of `work_dir` to look only; a campaign may be running.

        Raises:
            UsageError: no campaign was run there, or an older version of the tool ran it.
            StoreUnreadable: the file is damaged or foreign.
        """
        path = work_dir / FILE
        if not path.is_file():
            raise UsageError(f"no campaign was run in {work_dir}", hint="run one first")
        with _explained(path), closing(_connect(path, "rw")) as connection:
            connection.execute("PRAGMA query_only = ON")
            found = _version(path, connection)
            if found != FORMAT:
                raise UsageError(f"{path} holds no campaign of this version", hint="run one first")
            yield cls(path, connection)

    def get(self, key: str) -> Verdict | None:
        """Return the verdict under `key`, or None.

        One that is a fault of the tool itself is not returned: that mutant is run again.
        """
        row = self._one("SELECT verdict FROM verdict WHERE key = ?", key)
        verdict = _verdict(row[0]) if row else None
        return verdict if verdict and verdict.state.is_of_the_mutant else None

    def put(self, key: str, mutant: str, target: str, verdict: Verdict) -> None:
        """Keep the verdict of `mutant` in `target` under `key`, in place of an older one."""
        self._connection.execute(
            "INSERT OR REPLACE INTO verdict (key, mutant, target, state, test, verdict)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (
                key,
                mutant,
                target,
                verdict.state.value,
                verdict.test,
                json.dumps(verdict.to_json()),
            ),
        )

    def forget(self) -> None:
        """Drop verdicts, explanations and lists of files; the history of campaigns stays."""
        self._connection.execute("DELETE FROM verdict")
        self._connection.execute("DELETE FROM manifest")
        self._connection.execute("DELETE FROM explanation")

    def last(self, mutant: str, target: str) -> Verdict | None:
        """Return the verdict of `mutant` in `target` that was put last, under any key."""
        return self.latest(mutant).get(target)

    def latest(self, mutant: str) -> dict[str, Verdict]:
        """Return the last verdict of `mutant` in each target, by the target's name."""
        rows = self._connection.execute(
            "SELECT target, verdict FROM verdict WHERE mutant = ? ORDER BY number", (mutant,)
        )
        return {target: _verdict(text) for target, text in rows}

    def kills_by_test(self, target: str) -> Counter[str]:
        """Return how many mutants each test has killed in `target`, over all that is kept."""
        rows = self._connection.execute(
            "SELECT test, count(DISTINCT mutant) FROM verdict"
            " WHERE target = ? AND state = ? AND test != '' GROUP BY test",
            (target, State.KILLED.value),
        )
        return Counter(dict(rows.fetchall()))

    def begin_campaign(self, meta: Mapping[str, Any]) -> int:
        """Note that a campaign began, with what identifies it, and return its number."""
        cursor = self._connection.execute(
            "INSERT INTO campaign (started, meta) VALUES (?, ?)", (_now(), json.dumps({**meta}))
        )
        assert cursor.lastrowid is not None
        return cursor.lastrowid

    def finish_campaign(self, campaign: int, totals: Mapping[str, Any]) -> None:
        """Note that the campaign reached its end, and what came out."""
        self._connection.execute(
            "UPDATE campaign SET finished = ?, totals = ? WHERE id = ?",
            (_now(), json.dumps({**totals}), campaign),
        )

    def campaigns(self) -> list[CampaignRecord]:
        """Return all campaigns, the oldest first."""
        rows = self._connection.execute(
            "SELECT id, started, finished, meta, totals FROM campaign ORDER BY id"
        )
        return [
            CampaignRecord(number, begun, ended, json.loads(meta), json.loads(totals or "null"))
            for number, begun, ended, meta, totals in rows
        ]

    def manifest(self, key: str) -> tuple[str, ...] | None:
        """Return the files that the bench under `key` opened when it was last run, or None."""
        row = self._one("SELECT files FROM manifest WHERE key = ?", key)
        return tuple(json.loads(row[0])) if row else None

    def put_manifest(self, key: str, files: tuple[str, ...]) -> None:
        """Keep the list of files that the bench under `key` opened."""
        self._connection.execute(
            "INSERT OR REPLACE INTO manifest VALUES (?, ?)", (key, json.dumps(files))
        )

    def explanation(self, key: str) -> Any:
        """Return what was kept under `key` about survivors, as plain values, or None."""
        row = self._one("SELECT text FROM explanation WHERE key = ?", key)
        return json.loads(row[0]) if row else None

    def put_explanation(self, key: str, values: Mapping[str, Any]) -> None:
        """Keep plain values about survivors."""
        self._connection.execute(
            "INSERT OR REPLACE INTO explanation VALUES (?, ?)", (key, json.dumps({**values}))
        )

    def _one(self, query: str, key: str) -> Any:
        return self._connection.execute(query, (key,)).fetchone()


def _verdict(text: str) -> Verdict:
    return Verdict.from_json(json.loads(text))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _take(lock: IO[str], work_dir: Path) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        holder = lock.read().strip()
        who = f"process {holder}" if holder else "another process"
        raise StoreLocked(
            f"a campaign is already running in {work_dir}: {who}",
            hint="wait for it, or give this one another work-dir",
        ) from None
    except OSError as error:
        raise StoreUnreadable(
            f"cannot lock {work_dir / LOCK}: {error.strerror}",
            hint="choose a work-dir on a disk of this machine",
        ) from None
    lock.truncate(0)
    lock.write(str(os.getpid()))
    lock.flush()


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    address = f"{path.absolute().as_uri()}?mode={mode}"
    # Without an isolation level each statement is a transaction of its own.
    return sqlite3.connect(address, uri=True, isolation_level=None)


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Turn what SQLite says into our error; what the campaign itself raises goes through."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise StoreUnreadable(
            f"the saved verdicts in {path} cannot be used: {error}",
            hint="make room or look at its permissions; where the file is damaged, remove it, and "
            "all mutants are run again",
        ) from None


def _version(path: Path, connection: sqlite3.Connection) -> int:
    """Return the version of the tables, 0 for a file that has none yet.

    Raises:
        StoreUnreadable: the file is damaged, another program's, or of a newer version.
    """
    (found,) = connection.execute("PRAGMA user_version").fetchone()
    (program,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if tables and program != _APPLICATION:
        raise StoreUnreadable(
            f"{path} was not written by cocotb-mutants",
            hint="give another work-dir, or move that file away",
        )
    if found > FORMAT:
        raise StoreUnreadable(
            f"{path} was written by a newer cocotb-mutants (format {found}, ours is {FORMAT})",
            hint="update this one, or give another work-dir",
        )
    (state,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    if state != "ok":
        raise sqlite3.DatabaseError(state.replace("\n", " "))
    return int(found)


def _put_aside_if_old(path: Path) -> str:
    """Move a file of an older version out of the way and say so; the lock is held."""
    if not path.is_file():
        return ""
    with _explained(path), closing(_connect(path, "rw")) as connection:
        found = _version(path, connection)
    if found in (0, FORMAT):
        return ""
    kept = path.with_suffix(f".format{found}.sqlite")
    path.replace(kept)
    return f"the verdicts of an older version were put aside as {kept.name}: all mutants run again"


def _make_or_check(path: Path, connection: sqlite3.Connection) -> None:
    if _version(path, connection) == FORMAT:
        return
    # All in one transaction: a file that exists is either empty or complete.
    connection.executescript(
        f"BEGIN IMMEDIATE; {_TABLES} PRAGMA application_id = {_APPLICATION};"
        f" PRAGMA user_version = {FORMAT}; COMMIT;"
    )
