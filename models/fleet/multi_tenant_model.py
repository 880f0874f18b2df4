# SPDX-License-Identifier: Apache-2.0
"""Verdict on a whole environment: six properties, and which of them are missing."""

from __future__ import annotations

from dataclasses import dataclass

from models.ports import U1, U6, U8, Build, Ports, count_up

__all__ = ["ENABLE", "PARAMETER", "PROPERTIES", "Inputs", "Outputs", "State", "step"]

PARAMETER = "ISOLATION_ONLY"
ENABLE = "evaluate"

PROPERTIES = (
    "tenants_isolated",
    "policy_admitted",
    "shares_enforced",
    "events_attributed",
    "reclaim_graceful",
    "blast_bounded",
)
"""The six properties; the place in this tuple is the bit in ``fail_mask``."""


@dataclass(frozen=True)
class Inputs(Ports):
    """The six properties as found, and whether the environment is judged in this cycle."""

    evaluate: U1
    tenants_isolated: U1
    policy_admitted: U1
    shares_enforced: U1
    events_attributed: U1
    reclaim_graceful: U1
    blast_bounded: U1


@dataclass(frozen=True)
class Outputs(Ports):
    """The verdict, a bit for each missing property, and the flag for a verdict that is wrong."""

    sound: U1
    fail_mask: U6
    false_soundness_err: U1


@dataclass(frozen=True)
class State(Ports):
    """Counters since reset."""

    n_eval: U8 = 0
    n_sound: U8 = 0


def step(inputs: Inputs, state: State, build: Build) -> tuple[Outputs, State]:
    """Outputs of one cycle and the counters after its rising edge.

    The broken build takes isolation for soundness.
    """
    missing = [not getattr(inputs, name) for name in PROPERTIES]
    sound = not (missing[0] if build is Build.BROKEN else any(missing))
    outputs = Outputs(
        sound=int(sound),
        fail_mask=sum(absent << bit for bit, absent in enumerate(missing)),
        false_soundness_err=int(inputs.evaluate and sound and any(missing)),
    )
    return outputs, State(
        n_eval=count_up(state.n_eval, inputs.evaluate),
        n_sound=count_up(state.n_sound, inputs.evaluate and sound),
    )
