# SPDX-License-Identifier: Apache-2.0
"""Taking memory back from a tenant: whether it may be taken now, and whether that is civil."""

from __future__ import annotations

from dataclasses import dataclass

from models.ports import U1, U8, Build, Ports, count_up

__all__ = ["ENABLE", "PARAMETER", "Inputs", "Outputs", "State", "step"]

PARAMETER = "IMMEDIATE_RECLAIM"
ENABLE = "reclaim_req"


@dataclass(frozen=True)
class Inputs(Ports):
    """A reclaim request, the tenant's acknowledgement, and its notice in cycles."""

    reclaim_req: U1
    tenant_acked: U1
    notice_cycles: U8
    elapsed_cycles: U8


@dataclass(frozen=True)
class Outputs(Ports):
    """Whether the notice is over, memory may be taken, that is civil, and the abuse flag."""

    notice_expired: U1
    may_reclaim: U1
    graceful: U1
    abrupt_eviction_err: U1


@dataclass(frozen=True)
class State(Ports):
    """Counters since reset. ``n_reclaims`` counts requests, granted or not."""

    n_reclaims: U8 = 0
    n_forced: U8 = 0


def step(inputs: Inputs, state: State, build: Build) -> tuple[Outputs, State]:
    """Outputs of one cycle and the counters after its rising edge.

    The broken build always permits. A notice is over in the cycle in which the elapsed time equals
    its length, so a notice of zero is over at once.
    """
    expired = inputs.elapsed_cycles >= inputs.notice_cycles
    graceful = inputs.tenant_acked or expired
    may_reclaim = graceful or build is Build.BROKEN
    forced = inputs.reclaim_req and may_reclaim and not graceful
    outputs = Outputs(
        notice_expired=int(expired),
        may_reclaim=int(may_reclaim),
        graceful=int(graceful),
        abrupt_eviction_err=int(forced),
    )
    return outputs, State(
        n_reclaims=count_up(state.n_reclaims, inputs.reclaim_req),
        n_forced=count_up(state.n_forced, forced),
    )
