# SPDX-License-Identifier: Apache-2.0
"""Random numbers of numpy are the same in every run, whenever numpy is imported."""

from __future__ import annotations

import subprocess
import sys

import pytest

BEFORE = "import numpy; from cocotb_mutants.inside.seeding import seed_numpy; seed_numpy({seed})"
AFTER = "from cocotb_mutants.inside.seeding import seed_numpy; seed_numpy({seed}); import numpy"
LATE = "from cocotb_mutants.inside.seeding import seed_numpy; seed_numpy({seed})"
DRAW = "; from numpy import random; print(random.randint(0, 1 << 30), random.random())"


def drawn(how: str, seed: int) -> str:
    code = how.format(seed=seed) + DRAW
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return run.stdout


@pytest.mark.parametrize("seed", [0, 7, (1 << 40) + 7])
def test_a_seed_gives_the_same_numbers_whenever_numpy_is_imported(seed: int) -> None:
    plain = "import numpy; numpy.random.seed({seed} & 0xFFFFFFFF)"
    assert {drawn(how, seed) for how in (BEFORE, AFTER, LATE)} == {drawn(plain, seed)}


def test_another_seed_gives_other_numbers() -> None:
    assert drawn(LATE, 1) != drawn(LATE, 2)


def test_other_modules_are_found_as_ever() -> None:
    code = LATE.format(seed=1) + "; import colorsys, numpy.linalg; print(numpy.linalg.__name__)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "numpy.linalg\n"
