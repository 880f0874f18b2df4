# SPDX-License-Identifier: Apache-2.0
"""Print a page of the documentation that is made from the code: `python -m cocotb_mutants.docs`.

A page is one entry here and a file of the same name in `docs/`; a test holds the two together.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from typing import cast

__all__ = ["PAGES", "main", "page"]

PAGES = {
    "operators": "cocotb_mutants.operators_page:page",
    "verdicts": "cocotb_mutants.verdicts_page:page",
}
"""By the name of the page, the function that returns its text: imported only when asked for."""


def page(name: str) -> str:
    """Return the text of a page, ending with a line end."""
    module, _, function = PAGES[name].partition(":")
    return cast(Callable[[], str], getattr(importlib.import_module(module), function))()


def main(arguments: Sequence[str]) -> int:
    """Print the page that `arguments` name, or say which there are."""
    if len(arguments) != 1 or arguments[0] not in PAGES:
        sys.stderr.write(f"usage: python -m cocotb_mutants.docs {'|'.join(sorted(PAGES))}\n")
        return 2
    sys.stdout.write(page(arguments[0]))
    return 0


if __name__ == "__main__":  # pragma: no cover (a test runs it, in a process of its own)
    sys.exit(main(sys.argv[1:]))
