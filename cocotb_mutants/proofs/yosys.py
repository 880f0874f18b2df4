# SPDX-License-Identifier: Apache-2.0
"""Run as a program of its own: read a design with Yosys and write it down as BTOR2.

Arguments: a JSON file with `words` for `read_slang`, the largest `memory_bits`, and the paths
`btor` and `cells` to write. What Yosys has to say goes to standard output.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

_READ = ("hierarchy -check", "proc", "flatten", "opt_clean", "memory_collect", "delete */t:$print")
_WRITE = ("memory_map", "opt_clean", "cutpoint -blackbox", "dffunmap", "opt_clean")


def main(path: str) -> int:
    """Translate, and return 0, or 3 if a memory is too large."""
    from pyosys import libyosys

    job = json.loads(Path(path).read_text(encoding="utf-8"))
    design = libyosys.Design()

    def run(*commands: str) -> None:
        for command in commands:
            libyosys.run_pass(command, design)

    run("read_slang " + " ".join(job["words"]), *_READ)
    run(f"write_json {job['cells']}")
    if (
        _memory_bits(json.loads(Path(job["cells"]).read_text(encoding="utf-8")))
        > job["memory_bits"]
    ):
        print("a memory is too large")
        return 3
    run(*_WRITE, f"write_json {job['cells']}", f"write_btor -s {job['btor']}")
    return 0


def _memory_bits(netlist: Any) -> int:
    return max(
        (
            int(cell["parameters"]["SIZE"], 2) * int(cell["parameters"]["WIDTH"], 2)
            for module in netlist["modules"].values()
            for cell in module["cells"].values()
            if cell["type"] == "$mem_v2"
        ),
        default=0,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
