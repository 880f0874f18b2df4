# SPDX-License-Identifier: Apache-2.0
"""Moving memory from one tenant to another: who can reach it, and who should."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from models.ports import U1, U3, U8, Build, Ports, count_up

__all__ = ["ENABLE", "PARAMETER", "PRESCRIBED", "Inputs", "Outputs", "Phase", "State", "step"]

PARAMETER = "NO_INTERLOCK"
ENABLE = "step"


class Phase(enum.IntEnum):
    """Phases of a hand-over, in their order. Codes 5 to 7 mean nothing."""

    IDLE = 0
    QUIESCED = 1
    UNBOUND = 2
    SCRUBBED = 3
    BOUND = 4


PRESCRIBED = {
    Phase.IDLE: (1, 0),
    Phase.QUIESCED: (1, 0),
    Phase.UNBOUND: (0, 0),
    Phase.SCRUBBED: (0, 0),
    Phase.BOUND: (0, 1),
}
"""Who may reach the memory in each phase: (losing tenant, gaining tenant)."""


@dataclass(frozen=True)
class Inputs(Ports):
    """One step of a hand-over: its phase, and which tenant can really reach the memory."""

    step: U1
    phase: U3
    old_can_access: U1
    new_can_access: U1


@dataclass(frozen=True)
class Outputs(Ports):
    """Who can reach the memory, whether that is as prescribed, the verdict, and its failure."""

    both_can_access: U1
    neither_owns: U1
    phase_consistent: U1
    safe_phase: U1
    double_binding_err: U1


@dataclass(frozen=True)
class State(Ports):
    """Counters since reset. ``n_unsafe`` counts steps with two owners, whatever the verdict."""

    n_steps: U8 = 0
    n_unsafe: U8 = 0


def step(inputs: Inputs, state: State, build: Build) -> tuple[Outputs, State]:
    """Outputs of one cycle and the counters after its rising edge.

    The broken build calls every step safe. Not modelled: the order of phases, each is judged alone.
    """
    access = (inputs.old_can_access, inputs.new_can_access)
    consistent = PRESCRIBED.get(inputs.phase) == access  # type: ignore[call-overload]
    safe = consistent or build is Build.BROKEN
    both = access == (1, 1)
    outputs = Outputs(
        both_can_access=int(both),
        neither_owns=int(access == (0, 0)),
        phase_consistent=int(consistent),
        safe_phase=int(safe),
        double_binding_err=int(inputs.step and safe and both),
    )
    return outputs, State(
        n_steps=count_up(state.n_steps, inputs.step),
        n_unsafe=count_up(state.n_unsafe, inputs.step and both),
    )
