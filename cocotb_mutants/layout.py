# SPDX-License-Identifier: Apache-2.0
"""Put mutated texts on disk beside nothing of the user's: one folder for each content."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from cocotb_mutants.source import Sources

__all__ = ["include_folders", "lay_out", "write_whole"]


def lay_out(
    sources: Sources, texts: Mapping[str, bytes], select: bytes, folder: Path
) -> tuple[Path, ...]:
    """Write what differs from the user's files below `folder` and return the files to compile.

    The first is the selector package `select`, then come all of `sources.files` in order, each
    either the user's own file or, where `texts` has another content for it, a copy. A copy's
    folder is named by path and content, so two files of one name do not meet and nothing is
    ever rewritten with something else.
    """
    paths = [_place(folder, "", "cocotb_mutants_select.sv", select)]
    for file in sources.files:
        original = sources.root / file
        text = texts.get(file)
        if text is None or text == sources.texts[file]:
            paths.append(original)
        else:
            paths.append(_place(folder, file, original.name, text))
    return tuple(paths)


def include_folders(sources: Sources) -> tuple[Path, ...]:
    """Return the include folders, then each source's own, which a moved copy would else miss."""
    own = (str(Path(file).parent) for file in sources.files)
    return tuple(sources.root / folder for folder in dict.fromkeys([*sources.includes, *own]))


def write_whole(path: Path, content: bytes) -> None:
    """Write `content` to `path` so that the file is either there whole or as it was before."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _place(folder: Path, file: str, name: str, content: bytes) -> Path:
    key = hashlib.sha256(file.encode("utf-8", "surrogateescape") + b"\0" + content).hexdigest()
    path = folder / key[:20] / name
    if not path.exists():
        write_whole(path, content)
    return path
