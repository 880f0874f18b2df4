# SPDX-License-Identifier: Apache-2.0
"""What a simulation leaves behind: checks, compared cycles and coverage, as files.

Written inside the simulator, read by tb/run.py. Where the files go comes in the environment; when a
bench is run by other means, nothing is written.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cocotb_coverage.coverage import coverage_db

from tb.coverage import CROSSED
from tb.exchange import (
    COVERAGE_NAME,
    PROGRESS_NAME,
    RECORD_DIR_ENV,
    RECORD_NAME,
    write_atomically,
)

__all__ = ["Recorder"]


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
        record = {
            "checks": self.checks,
            "compared": self.compared,
            "rows": self.rows,
            "crossed": CROSSED,
        }
        write_atomically(self.folder / RECORD_NAME, json.dumps(record, indent=1))
        if coverage_db:
            coverage_db.export_to_xml(str(self.folder / COVERAGE_NAME))

    def progress(self, test: str, done: int, of: int) -> None:
        """Say how far a long test is, for whoever is watching from outside."""
        if self.folder is not None:
            state: Mapping[str, Any] = {"test": test, "done": done, "of": of}
            write_atomically(self.folder / PROGRESS_NAME, json.dumps(state))
