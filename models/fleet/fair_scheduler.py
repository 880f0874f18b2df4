# SPDX-License-Identifier: Apache-2.0
"""Weighted split of a budget between two requesters."""

from __future__ import annotations

from dataclasses import dataclass

from models.ports import U1, U8, U16, Build, Ports, count_up

__all__ = ["ENABLE", "PARAMETER", "Inputs", "Outputs", "State", "step"]

PARAMETER = "FIRST_COME"
ENABLE = "arb_en"


@dataclass(frozen=True)
class Inputs(Ports):
    """Two weights (relative), two requests and a budget (units)."""

    arb_en: U1
    a_weight: U8
    b_weight: U8
    a_req: U16
    b_req: U16
    budget: U16


@dataclass(frozen=True)
class Outputs(Ports):
    """A's weighted part (rounded down), both grants, and the two judgements on them."""

    a_entitled: U16
    a_grant: U16
    b_grant: U16
    a_over_entitlement: U1
    unfairness_err: U1


@dataclass(frozen=True)
class State(Ports):
    """Counters since reset."""

    n_arb: U8 = 0
    n_unfair: U8 = 0


def step(inputs: Inputs, state: State, build: Build) -> tuple[Outputs, State]:
    """Outputs of one cycle and the counters after its rising edge.

    In the correct build A may have its part or what B does not ask for, whichever is more; the
    broken build serves A up to the budget. Both weights 0 entitle A to nothing. Not modelled: a
    remainder carried to the next arbitration, and a flag for A's side.
    """
    weights = inputs.a_weight + inputs.b_weight
    entitled = inputs.budget * inputs.a_weight // weights if weights else 0
    a_limit = max(entitled, inputs.budget - inputs.b_req)
    if build is Build.BROKEN:
        a_limit = inputs.budget
    a_grant = min(inputs.a_req, a_limit)
    b_grant = min(inputs.b_req, inputs.budget - a_grant)
    unfair = a_grant > entitled and b_grant < inputs.b_req
    outputs = Outputs(
        a_entitled=entitled,
        a_grant=a_grant,
        b_grant=b_grant,
        a_over_entitlement=int(a_grant > entitled),
        unfairness_err=int(inputs.arb_en and unfair),
    )
    return outputs, State(
        n_arb=count_up(state.n_arb, inputs.arb_en),
        n_unfair=count_up(state.n_unfair, inputs.arb_en and unfair),
    )
