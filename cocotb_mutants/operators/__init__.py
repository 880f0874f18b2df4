# SPDX-License-Identifier: Apache-2.0
"""The registry of operators, in the order in which the first of two equal mutants is kept."""

from __future__ import annotations

from cocotb_mutants.operators.arithmetic import ARITHMETIC, OPERAND_SWAP, SHIFT
from cocotb_mutants.operators.base import Change, Example, Operator, Replacement
from cocotb_mutants.operators.connect import NEIGHBOUR, PORT_SWAP, STUCK_AT
from cocotb_mutants.operators.constant import CONSTANT, RESET_VALUE
from cocotb_mutants.operators.control import CASE_ITEM, CLOCK_ENABLE, CONDITION, TERNARY
from cocotb_mutants.operators.declared import PARAMETER, RANGE
from cocotb_mutants.operators.logic import BITWISE, LOGICAL, REDUCTION, RELATIONAL
from cocotb_mutants.operators.process import BLOCKING, DELETE, EDGE, NONBLOCKING, SENSITIVITY
from cocotb_mutants.operators.select import CAST, CONCAT, SELECT

__all__ = ["OPERATORS", "Change", "Example", "Operator", "Replacement"]

OPERATORS: dict[str, Operator] = {
    operator.name: operator
    for operator in (
        ARITHMETIC,
        SHIFT,
        OPERAND_SWAP,
        RELATIONAL,
        LOGICAL,
        BITWISE,
        REDUCTION,
        CLOCK_ENABLE,
        CONDITION,
        TERNARY,
        CASE_ITEM,
        RESET_VALUE,
        CONSTANT,
        PARAMETER,
        RANGE,
        SELECT,
        CONCAT,
        CAST,
        DELETE,
        BLOCKING,
        NONBLOCKING,
        EDGE,
        SENSITIVITY,
        STUCK_AT,
        PORT_SWAP,
        NEIGHBOUR,
    )
}
"""Every operator by its name."""
