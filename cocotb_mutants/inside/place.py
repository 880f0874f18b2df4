# SPDX-License-Identifier: Apache-2.0
"""A folder for each run: the project as seen through links, and room for what the run writes."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

__all__ = ["Place"]

_RESULTS = frozenset({".xml", ".log", ".vcd", ".fst", ".dat", ".db", ".ucis"})
_SMALL = 1 << 20


class Place:
    """The working directory of one run after the other.

    All that lies in the project's folder is there too, as links, so that relative names lead
    where they always do. New files stay here. Files that look like results of an earlier run are
    copied (or left out if they are large): two runs that write them do not meet, and the
    project's own stay as they are.
    """

    def __init__(self, root: Path, folder: Path) -> None:
        self._root = root
        self.folder = folder
        self._fresh: list[tuple[str, int, int]] = []

    def enter(self) -> None:
        """Make this folder the working directory."""
        os.chdir(self.folder)

    def prepare(self) -> None:
        """Make the folder as new, if it is not."""
        if self._fresh and self._state() == self._fresh:
            return
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        for entry in os.scandir(self._root):
            path = self.folder / entry.name
            if Path(entry.name).suffix not in _RESULTS or entry.is_dir():
                path.symlink_to(entry.path)
            elif entry.stat().st_size <= _SMALL:
                shutil.copy2(entry.path, path)
        self._fresh = self._state()

    def _state(self) -> list[tuple[str, int, int]]:
        if not self.folder.is_dir():
            return []
        entries = []
        for entry in os.scandir(self.folder):
            found = entry.stat(follow_symlinks=False)
            entries.append((entry.name, found.st_ino, found.st_mtime_ns))
        return sorted(entries)
