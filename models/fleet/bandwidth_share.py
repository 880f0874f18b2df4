# SPDX-License-Identifier: Apache-2.0
"""One link, two tenants, one entitlement: who is served what, and whom to blame."""

from __future__ import annotations

from dataclasses import dataclass

from models.ports import U1, U8, U16, Build, Ports, count_up

__all__ = ["ENABLE", "PARAMETER", "Inputs", "Outputs", "State", "step"]

PARAMETER = "NO_ARBITER"
ENABLE = "cycle_en"


@dataclass(frozen=True)
class Inputs(Ports):
    """Demands and link in Gbps; A's share in percent, where more than 100 means all of it."""

    cycle_en: U1
    a_demand: U16
    b_demand: U16
    link_gbps: U16
    a_share_pct: U8


@dataclass(frozen=True)
class Outputs(Ports):
    """A's entitlement (rounded down), what each is served and B's shortfall, all in Gbps."""

    a_cap: U16
    a_served: U16
    b_served: U16
    b_starved_by: U16
    starvation_err: U1


@dataclass(frozen=True)
class State(Ports):
    """Counters since reset."""

    n_cycles: U8 = 0
    n_starved: U8 = 0


def step(inputs: Inputs, state: State, build: Build) -> tuple[Outputs, State]:
    """Outputs of one cycle and the counters after its rising edge.

    The broken build holds A only to the link. Starvation needs both: B short of its demand, and A
    above its entitlement. The entitlement is a ceiling even while B is silent.
    """
    link = inputs.link_gbps
    a_cap = min(link * inputs.a_share_pct // 100, link)
    a_served = min(inputs.a_demand, link if build is Build.BROKEN else a_cap)
    b_served = min(inputs.b_demand, link - a_served)
    starved = b_served < inputs.b_demand and a_served > a_cap
    outputs = Outputs(
        a_cap=a_cap,
        a_served=a_served,
        b_served=b_served,
        b_starved_by=inputs.b_demand - b_served,
        starvation_err=int(inputs.cycle_en and starved),
    )
    return outputs, State(
        n_cycles=count_up(state.n_cycles, inputs.cycle_en),
        n_starved=count_up(state.n_starved, inputs.cycle_en and starved),
    )
