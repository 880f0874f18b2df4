# SPDX-License-Identifier: Apache-2.0
"""Which of the project's own files a bench reads, imported modules included."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

__all__ = ["FilesRead"]

_NOT_THE_PROJECTS = {"site-packages", "dist-packages", ".venv", "__pycache__"}
_PACKAGE = Path(__file__).resolve().parents[1]


class FilesRead:
    """Notes every file that is opened for reading from now on.

    Python has no way to take an audit hook away, so one stays for the life of the process;
    `stop` makes it do nothing.
    """

    def __init__(self) -> None:
        self._opened: set[str] = set()
        self._on = True
        sys.addaudithook(self._hook)

    def stop(self) -> None:
        """Note nothing from now on."""
        self._on = False

    def under(self, root: Path, ignored: Iterable[Path]) -> tuple[str, ...]:
        """Return the regular files below `root` that were read, relative to it and sorted.

        Installed packages, virtual environments, `ignored` folders and this package itself are
        left out; compiled Python counts as its source.
        """
        root, here = root.resolve(), Path.cwd()
        outside = [_PACKAGE, *(folder.resolve() for folder in ignored)]
        modules = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
        found = set()
        for name in {*self._opened, *filter(None, modules)}:
            path = Path(root, name)
            if path.is_relative_to(here):
                # The working directory shows the project, and holds copies of some of its files.
                path = root / path.relative_to(here)
            path = _source(path).resolve()
            if (
                path.is_relative_to(root)
                and not any(path.is_relative_to(folder) for folder in outside)
                and not _NOT_THE_PROJECTS.intersection(path.relative_to(root).parts)
                and path.is_file()
            ):
                found.add(path.relative_to(root).as_posix())
        return tuple(sorted(found))

    def _hook(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and self._on:
            path, mode, flags = arguments
            if _reads(mode, flags) and isinstance(path, str | bytes | os.PathLike):
                # A relative name means the folder of this moment.
                self._opened.add(os.path.abspath(os.fsdecode(path)))  # noqa: PTH100


def _reads(mode: str | None, flags: int) -> bool:
    if mode is None:
        return flags & os.O_ACCMODE != os.O_WRONLY
    return "r" in mode


def _source(path: Path) -> Path:
    if path.suffix != ".pyc":
        return path
    try:
        return Path(importlib.util.source_from_cache(str(path)))
    except ValueError:
        return path.with_suffix(".py")
