# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of the configuration: a small project without one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutants.unit.configs import Write


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for name in ("rtl/b.sv", "rtl/a.sv", "rtl/deep/c.sv", "bench/test_a.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", encoding="utf-8")
    return tmp_path


@pytest.fixture
def pyproject(project: Path) -> Write:
    def write(*lines: str) -> Path:
        path = project / "pyproject.toml"
        path.write_text("[tool.cocotb-mutants]\n" + "\n".join(lines) + "\n", encoding="utf-8")
        return path

    return write
