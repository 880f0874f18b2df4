# SPDX-License-Identifier: Apache-2.0
"""Write a report so that nobody ever sees half of one."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from cocotb_mutants.errors import MutantsError

__all__ = ["write"]


def write(path: Path, text: str) -> None:
    """Put `text` into `path`, all at once; what was there before stays until then.

    Raises:
        MutantsError: it cannot be written; nothing is left behind.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            "w",
            encoding="utf-8",
            newline="\n",
            dir=path.parent,
            prefix=f".{path.name}.",
            delete=False,
        ) as file:
            try:
                file.write(text)
                file.flush()
                os.fchmod(file.fileno(), 0o644)
                Path(file.name).replace(path)
            except BaseException:
                Path(file.name).unlink()
                raise
    except OSError as error:
        raise MutantsError(f"cannot write {path}: {error.strerror}") from None
