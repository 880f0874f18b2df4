# SPDX-License-Identifier: Apache-2.0
"""Promised, used and available memory of a shared pool, told apart."""

from __future__ import annotations

from dataclasses import dataclass

from models.ports import U1, U8, U16, Build, Ports, count_up

__all__ = ["ENABLE", "PARAMETER", "Inputs", "Outputs", "State", "step"]

PARAMETER = "PROMISE_ALL"
ENABLE = "step"

RATIO_MAX = 65535
"""Largest commitment ratio that can be shown, in percent."""


@dataclass(frozen=True)
class Inputs(Ports):
    """Totals of the pool in GB: its size, the quotas handed out, the use on record."""

    step: U1
    pool_gb: U16
    sum_quota_gb: U16
    sum_used_gb: U16


@dataclass(frozen=True)
class Outputs(Ports):
    """Flags, amounts in GB, and the commitment ratio in percent (rounded down, at most 65535)."""

    oversubscribed: U1
    pool_exhausted: U1
    can_promise_more: U1
    committed_gb: U16
    free_gb: U16
    ratio_x100: U16
    broken_promise_err: U1


@dataclass(frozen=True)
class State(Ports):
    """Counters since reset."""

    n_steps: U8 = 0
    n_exhausted: U8 = 0


def step(inputs: Inputs, state: State, build: Build) -> tuple[Outputs, State]:
    """Outputs of one cycle and the counters after its rising edge.

    The broken build always promises more. The ratio of an empty pool reads 0. Not modelled: who
    holds which quota; one tenant above its quota can lock another out without any flag.
    """
    pool, quota, used = inputs.pool_gb, inputs.sum_quota_gb, inputs.sum_used_gb
    oversubscribed = quota > pool
    exhausted = used >= pool
    room_for_a_promise = quota < pool and used < pool
    outputs = Outputs(
        oversubscribed=int(oversubscribed),
        pool_exhausted=int(exhausted),
        can_promise_more=int(room_for_a_promise or build is Build.BROKEN),
        committed_gb=quota,
        free_gb=max(pool - used, 0),
        ratio_x100=min(100 * quota // pool, RATIO_MAX) if pool else 0,
        broken_promise_err=int(inputs.step and exhausted and oversubscribed),
    )
    return outputs, State(
        n_steps=count_up(state.n_steps, inputs.step),
        n_exhausted=count_up(state.n_exhausted, inputs.step and exhausted),
    )
