# SPDX-License-Identifier: Apache-2.0
"""Each choice once."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.triggers import Timer


@cocotb.test()
async def the_right_number_is_chosen(dut: Any) -> None:
    dut.a_i.value, dut.b_i.value = 5, 10
    for which, expected in ((0, 0), (1, 5), (2, 10)):
        dut.which_i.value = which
        await Timer(1, "ns")
        assert int(dut.chosen_o.value) == expected
