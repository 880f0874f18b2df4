# SPDX-License-Identifier: Apache-2.0
"""The guide names every key, and the keys that it names exist."""

from __future__ import annotations

import dataclasses
import re

import pytest

from cocotb_mutants.settings import FileKeys, TableKeys
from tb.catalog import ROOT

GUIDE = (ROOT / "docs" / "mutants.md").read_text(encoding="utf-8")


def documented() -> set[str]:
    table = GUIDE.partition("## All keys")[2].partition("## Good to know")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    return {key for row in rows for key in re.findall(r"`([a-z-]+)`", row)}


def test_the_table_of_keys_is_complete() -> None:
    keys = {
        f.name.replace("_", "-") for each in (FileKeys, TableKeys) for f in dataclasses.fields(each)
    }

    assert documented() == keys


@pytest.mark.parametrize("page", sorted(set(re.findall(r"\]\(([a-z.]+)\)", GUIDE))))
def test_every_page_it_points_to_is_there(page: str) -> None:
    assert (ROOT / "docs" / page).is_file()
