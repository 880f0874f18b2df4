# SPDX-License-Identifier: Apache-2.0
"""What a simulation leaves behind: checks, compared cycles and coverage, as files.

Written inside the simulator, read by tb/run.py. Where the files go comes in the environment; without
it (a bench run by other means) nothing is written.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cocotb_coverage.coverage import coverage_db

__all__ = ["RECORD_DIR_ENV", "RECORD_NAME", "Recorder", "write_atomically"]

RECORD_DIR_ENV = "TB_RECORD_DIR"
"""Environment variable: the folder for the record, the coverage and the progress file."""

RECORD_NAME = "record.json"


class Recorder:
    """Collects over all tests of one simulation; every :meth:`save` leaves a whole file."""

    def __init__(self) -> None:
        folder = os.environ.get(RECORD_DIR_ENV)
        self.folder = Path(folder) if folder else None
        self.checks: dict[str, dict[str, Any]] = {}
        self.compared: dict[str, int] = {}
        self.rows: dict[str, dict[str, Any]] = {}

    def save(self) -> None:
        """Write the record and the functional coverage so far."""
        if self.folder is None:
            return
        record = {"checks": self.checks, "compared": self.compared, "rows": self.rows}
        write_atomically(self.folder / RECORD_NAME, json.dumps(record, indent=1))
        if coverage_db:
            coverage_db.export_to_xml(str(self.folder / "coverage.xml"))

    def progress(self, test: str, done: int, of: int) -> None:
        """Say how far a long test is, for whoever is watching from outside."""
        if self.folder is not None:
            state: Mapping[str, Any] = {"test": test, "done": done, "of": of}
            write_atomically(self.folder / "progress.json", json.dumps(state))


def write_atomically(path: Path, text: str) -> None:
    """Write *text* so that a reader sees the old file or the new one, never half of it."""
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    partial.write_text(text, encoding="utf-8")
    partial.replace(path)
