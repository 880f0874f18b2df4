# SPDX-License-Identifier: Apache-2.0
"""What is read from a port. Drivers and monitors need a simulator: see the acceptance tests."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from cocotb.types import Logic, LogicArray

from models.fleet.eviction_policy import Inputs
from tb.agent import Stimulus, Value, _value


@pytest.mark.parametrize(
    ("held", "read"),
    [
        (Logic(1), 1),
        (LogicArray("00001010"), 10),
        (LogicArray("11111111"), 255),
        # X and Z are told apart from every number, and from one another
        (Logic("X"), "X"),
        (Logic("Z"), "Z"),
        # one unknown bit makes the whole value unknown; its other bits are kept for the message
        (LogicArray("0000X010"), "0000X010"),
    ],
)
def test_a_port_reads_as_its_number_or_as_text_when_a_bit_is_unknown(
    held: Logic | LogicArray, read: Value
) -> None:
    seen = _value(SimpleNamespace(value=held))
    assert (type(seen), seen) == (type(read), read)


def test_a_stimulus_is_outside_reset_unless_it_says_so() -> None:
    assert Stimulus(Inputs(0, 0, 0, 0)).rst_n == 1
