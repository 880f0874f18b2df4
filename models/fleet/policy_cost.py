# SPDX-License-Identifier: Apache-2.0
"""Latency that a policy engine adds to an allocation, against a budget."""

from __future__ import annotations

from dataclasses import dataclass

from models.ports import U1, U8, U16, Build, Ports, count_up

__all__ = ["ENABLE", "PARAMETER", "Inputs", "Outputs", "State", "step"]

PARAMETER = "SERIAL_CHECKS"
ENABLE = "alloc"

TOTAL_MAX = 65535
"""Largest total that can be shown, in microseconds."""


@dataclass(frozen=True)
class Inputs(Ports):
    """Number of checks on the path; times in microseconds."""

    alloc: U1
    n_checks: U8
    per_check_us: U8
    base_alloc_us: U16
    budget_us: U16


@dataclass(frozen=True)
class Outputs(Ports):
    """Policy and total latency in microseconds, the policy's part in percent, the verdict."""

    policy_us: U16
    total_us: U16
    overhead_pct: U16
    budget_met: U1
    budget_miss_err: U1


@dataclass(frozen=True)
class State(Ports):
    """Counters since reset."""

    n_allocs: U8 = 0
    n_over_budget: U8 = 0


def step(inputs: Inputs, state: State, build: Build) -> tuple[Outputs, State]:
    """Outputs of one cycle and the counters after its rising edge.

    The correct build runs its checks side by side, so any number of them takes the time of one;
    the broken build runs them in turn. The overhead is relative to the total, rounded down, and
    both it and the verdict use the true total even where the shown one stops at 65535.
    """
    if build is Build.BROKEN:
        policy = inputs.n_checks * inputs.per_check_us
    else:
        policy = inputs.per_check_us if inputs.n_checks else 0
    total = inputs.base_alloc_us + policy
    met = total <= inputs.budget_us
    outputs = Outputs(
        policy_us=policy,
        total_us=min(total, TOTAL_MAX),
        overhead_pct=100 * policy // total if total else 0,
        budget_met=int(met),
        budget_miss_err=int(inputs.alloc and not met),
    )
    return outputs, State(
        n_allocs=count_up(state.n_allocs, inputs.alloc),
        n_over_budget=count_up(state.n_over_budget, inputs.alloc and not met),
    )
