# SPDX-License-Identifier: Apache-2.0
"""What one device failure costs a fleet of identical devices."""

from __future__ import annotations

from dataclasses import dataclass

from models.ports import U1, U8, Build, Ports, count_up

__all__ = ["ENABLE", "PARAMETER", "Inputs", "Outputs", "State", "step"]

PARAMETER = "PACK_DENSELY"
ENABLE = "fail"


@dataclass(frozen=True)
class Inputs(Ports):
    """A device failure and the size of the fleet: tenants and devices."""

    fail: U1
    tenants_total: U8
    devices_total: U8


@dataclass(frozen=True)
class Outputs(Ports):
    """Tenants on the fullest device, lost and surviving; the loss in percent, rounded down."""

    per_device: U8
    tenants_lost: U8
    survivors: U8
    loss_pct: U8
    majority_loss_err: U1


@dataclass(frozen=True)
class State(Ports):
    """Counters since reset."""

    n_failures: U8 = 0
    n_majority_loss: U8 = 0


def step(inputs: Inputs, state: State, build: Build) -> tuple[Outputs, State]:
    """Outputs of one cycle and the counters after its rising edge.

    The correct build spreads tenants evenly, so the fullest device holds the quotient rounded up;
    the broken build puts everybody on one device. Without devices nobody is placed or lost. A
    majority is more than half of the tenants, judged before any rounding.
    """
    tenants, devices = inputs.tenants_total, inputs.devices_total
    if devices == 0:
        per_device = 0
    elif build is Build.BROKEN:
        per_device = tenants
    else:
        per_device = -(-tenants // devices)
    lost = per_device if inputs.fail else 0
    majority = 2 * lost > tenants
    outputs = Outputs(
        per_device=per_device,
        tenants_lost=lost,
        survivors=tenants - lost,
        loss_pct=100 * lost // tenants if tenants else 0,
        majority_loss_err=int(majority),
    )
    return outputs, State(
        n_failures=count_up(state.n_failures, inputs.fail),
        n_majority_loss=count_up(state.n_majority_loss, majority),
    )
