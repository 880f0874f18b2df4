# SPDX-License-Identifier: Apache-2.0
"""Random port values: always in range, and biased to where behaviour changes."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tb.draw import near, number

BITS = st.integers(1, 16)
SEEDS = st.integers(0, 2**32)

reproducible = settings(deadline=None, max_examples=200, derandomize=True)


@reproducible
@given(seed=SEEDS, bits=BITS)
def test_a_number_fits_into_its_bits(seed: int, bits: int) -> None:
    rng = Random(seed)
    assert all(0 <= number(rng, bits) < 1 << bits for _ in range(20))


@reproducible
@given(seed=SEEDS, bits=BITS, data=st.data())
def test_a_value_near_another_fits_into_its_bits(seed: int, bits: int, data: st.DataObject) -> None:
    value = data.draw(st.integers(0, (1 << bits) - 1))
    rng = Random(seed)
    assert all(0 <= near(rng, value, bits) < 1 << bits for _ in range(20))


@pytest.mark.parametrize(
    ("value", "hit"),
    [
        # both neighbours and itself
        (100, {99, 100, 101}),
        # at the ends there is one neighbour
        (0, {0, 1}),
        (255, {254, 255}),
    ],
)
def test_the_value_and_its_neighbours_come_up_again_and_again(value: int, hit: set[int]) -> None:
    rng = Random(1)
    seen = Counter(near(rng, value, 8) for _ in range(400))
    assert all(seen[each] > 40 for each in hit)


def test_something_else_than_a_neighbour_comes_up_now_and_then() -> None:
    rng = Random(1)
    others = sum(abs(near(rng, 100, 8) - 100) > 1 for _ in range(400))
    assert 50 < others < 150


@pytest.mark.parametrize("extreme", [0, 65535])
def test_the_extremes_come_up_often(extreme: int) -> None:
    rng = Random(1)
    assert sum(number(rng, 16) == extreme for _ in range(800)) > 60


def test_small_numbers_come_up_often() -> None:
    rng = Random(1)
    assert sum(1 <= number(rng, 16) <= 20 for _ in range(800)) > 200


def test_numbers_between_come_up_too() -> None:
    rng = Random(1)
    assert sum(20 < number(rng, 16) < 65535 for _ in range(800)) > 200


def test_every_value_of_a_narrow_port_comes_up() -> None:
    rng = Random(1)
    assert {number(rng, 3) for _ in range(200)} == set(range(8))


def test_the_same_seed_draws_the_same_numbers() -> None:
    first, second = Random(7), Random(7)
    assert [number(first, 16) for _ in range(50)] == [number(second, 16) for _ in range(50)]
