# SPDX-License-Identifier: Apache-2.0
"""Admission of one tenant to one device: whether there is room, and whether its class may come."""

from __future__ import annotations

from dataclasses import dataclass

from models.ports import U1, U4, U8, U16, Build, Ports, count_up

__all__ = ["ENABLE", "PARAMETER", "Inputs", "Outputs", "State", "step"]

PARAMETER = "CAPACITY_ONLY"
ENABLE = "request"


@dataclass(frozen=True)
class Inputs(Ports):
    """One candidate placement. Memory in GB; ``dev_class_mask`` bit k stands for class k."""

    request: U1
    want_gb: U16
    dev_free_gb: U16
    tenant_class: U4
    dev_class_mask: U4


@dataclass(frozen=True)
class Outputs(Ports):
    """The two answers, the decision, and the flag for a placement against the class rule."""

    fits: U1
    class_allowed: U1
    admitted: U1
    policy_violation_err: U1


@dataclass(frozen=True)
class State(Ports):
    """Counters since reset."""

    n_requests: U8 = 0
    n_rejected: U8 = 0


def step(inputs: Inputs, state: State, build: Build) -> tuple[Outputs, State]:
    """Outputs of one cycle and the counters after its rising edge.

    The broken build admits on size alone. Class codes 4 to 15 have no mask bit, so no device
    accepts them. Not modelled: reservation, a second request sees the same free memory.
    """
    fits = inputs.want_gb <= inputs.dev_free_gb
    class_allowed = inputs.dev_class_mask >> inputs.tenant_class & 1
    admitted = inputs.request and fits and (class_allowed or build is Build.BROKEN)
    outputs = Outputs(
        fits=int(fits),
        class_allowed=class_allowed,
        admitted=int(admitted),
        policy_violation_err=int(admitted and not class_allowed),
    )
    return outputs, State(
        n_requests=count_up(state.n_requests, inputs.request),
        n_rejected=count_up(state.n_rejected, inputs.request and not admitted),
    )
