# SPDX-License-Identifier: Apache-2.0
"""Variables are found by the names that the simulator gives them."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from cocotb_mutants.inside import vpi


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """What the simulator knows."""
    known: set[str] = set()

    def look_up(name: bytes, _: object) -> int | None:
        return 1 + sorted(known).index(name.decode()) if name.decode() in known else None

    library = SimpleNamespace(vpi_handle_by_name=look_up, vpi_put_value=lambda *_: None)
    monkeypatch.setattr(vpi, "_library", library)
    return known


def test_a_variable_is_found_in_a_generate_block_that_the_simulator_numbers_differently(
    names: set[str],
) -> None:
    names |= {"top.genblk2", "top.genblk5", "top.genblk5.hit_3", "top.hit"}
    assert vpi.find("top.genblk3.hit_3", 1) is not None
    assert vpi.find("top.hit", 1) is not None
    assert vpi.find("top.genblk3.hit_4", 1) is None
    assert vpi.find("top.other", 1) is None


def test_the_index_in_a_loop_and_the_blocks_inside_are_kept(names: set[str]) -> None:
    names |= {"top.genblk6[2]", "top.genblk6[2].genblk4", "top.genblk6[2].genblk4.hit_1"}
    assert vpi.find("top.genblk1[2].genblk1.hit_1", 1) is not None
    assert vpi.find("top.genblk1[3].genblk1.hit_1", 1) is None


def test_a_simulator_without_names_knows_no_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vpi, "_library", SimpleNamespace())
    assert vpi.find("top.hit", 1) is None
