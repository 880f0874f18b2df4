# SPDX-License-Identifier: Apache-2.0
"""The versions of everything that a verdict can depend on."""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import platform
import tempfile
from pathlib import Path

from cocotb_mutants import launch

__all__ = ["VERSION", "of"]

_PACKAGE = Path(__file__).parent

VERSION = "0.1.0"


def of(simulator: str) -> dict[str, str]:
    """Return, by name, the versions of this package, the simulator, cocotb, pyslang and Python.

    Raises:
        ToolMissing: the simulator is not on this machine.
    """
    with tempfile.TemporaryDirectory() as folder:
        env = launch.environment(Path(folder))
        launch.require(simulator, env)
        found = launch.version(simulator, env["PATH"])
    return {
        "cocotb-mutants": f"{VERSION}+{_own_code()}",
        simulator: found,
        "cocotb": importlib.metadata.version("cocotb"),
        "pyslang": importlib.metadata.version("pyslang"),
        "python": platform.python_version(),
        "platform": f"{os.uname().sysname} {os.uname().machine}",
    }


def _own_code() -> str:
    """Return a digest of this package: a version under development changes without a number."""
    digest = hashlib.sha256()
    for path in sorted(_PACKAGE.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:8]
