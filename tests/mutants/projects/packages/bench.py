# SPDX-License-Identifier: Apache-2.0
"""Each shape."""

from __future__ import annotations

from typing import Any

import cocotb
from cocotb.triggers import Timer


@cocotb.test()
async def corners_are_known(dut: Any) -> None:
    for shape, corners in ((0, 0), (1, 3), (2, 4)):
        dut.shape_i.value = shape
        await Timer(1, "ns")
        assert int(dut.corners_o.value) == corners
        assert int(dut.missing_o.value) == 12 - corners
