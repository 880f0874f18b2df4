# SPDX-License-Identifier: Apache-2.0
"""What passes between the run function and the simulation it starts: settings in, files out."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = [
    "COVERAGE_NAME",
    "CYCLES_ENV",
    "DEFAULT_CYCLES",
    "LEAVE_OUT_ENV",
    "PROGRESS_NAME",
    "RECORD_DIR_ENV",
    "RECORD_NAME",
    "write_atomically",
]

RECORD_DIR_ENV = "TB_RECORD_DIR"
"""Environment variable: the folder that the simulation writes its files into."""

CYCLES_ENV = "TB_CYCLES"
"""Environment variable: cycles of the random regression."""

LEAVE_OUT_ENV = "TB_LEAVE_OUT"
"""Environment variable: rows that are left out of the plans, with spaces between."""

DEFAULT_CYCLES = 300
"""Random cycles when nobody says otherwise: what CI runs."""

RECORD_NAME = "record.json"
COVERAGE_NAME = "coverage.xml"
PROGRESS_NAME = "progress.json"


def write_atomically(path: Path, text: str) -> None:
    """Write *text* so that a reader sees the old file or the new one, never half of it."""
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    partial.write_text(text, encoding="utf-8")
    partial.replace(path)
