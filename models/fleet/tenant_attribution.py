# SPDX-License-Identifier: Apache-2.0
"""Tying events to tenants, and judging an operator's accusation."""

from __future__ import annotations

from dataclasses import dataclass

from models.ports import U1, U4, U8, Build, Ports, count_up

__all__ = ["ENABLE", "PARAMETER", "Inputs", "Outputs", "State", "step"]

PARAMETER = "AGGREGATE_ONLY"
ENABLE = "event_valid"


@dataclass(frozen=True)
class Inputs(Ports):
    """An event, the tenant that caused it and the tenant that is blamed (indices 0 to 15)."""

    event_valid: U1
    tenant_id: U4
    suspect_id: U4


@dataclass(frozen=True)
class Outputs(Ports):
    """Whether anybody can be named, whether the right one is, and the false-accusation flag."""

    attributable: U1
    correct_suspect: U1
    misattribution_err: U1


@dataclass(frozen=True)
class State(Ports):
    """Counters since reset. Tenants 2 to 15 have no counter of their own."""

    n_events: U8 = 0
    n_attributed: U8 = 0
    t0_events: U8 = 0
    t1_events: U8 = 0


def step(inputs: Inputs, state: State, build: Build) -> tuple[Outputs, State]:
    """Outputs of one cycle and the counters after its rising edge.

    The broken build has one total and names nobody. Credit follows the true cause, whoever is
    blamed. Not modelled: a count of false accusations.
    """
    attributable = build is Build.CORRECT
    right = attributable and inputs.suspect_id == inputs.tenant_id
    credited = inputs.event_valid and attributable
    outputs = Outputs(
        attributable=int(attributable),
        correct_suspect=int(right),
        misattribution_err=int(credited and not right),
    )
    return outputs, State(
        n_events=count_up(state.n_events, inputs.event_valid),
        n_attributed=count_up(state.n_attributed, credited),
        t0_events=count_up(state.t0_events, credited and inputs.tenant_id == 0),
        t1_events=count_up(state.t1_events, credited and inputs.tenant_id == 1),
    )
