# SPDX-License-Identifier: Apache-2.0
"""Shared by the model tests: random port values, and two ways to run a model."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from models.ports import Build, Ports

__all__ = ["BUILDS", "differing", "ports", "run", "unsigned"]

In = TypeVar("In", bound=Ports)
Out = TypeVar("Out", bound=Ports)
Reg = TypeVar("Reg", bound=Ports)
Step = Callable[[In, Reg, Build], tuple[Out, Reg]]

BUILDS = st.sampled_from(Build)
"""Either build: for what holds in both."""


def unsigned(bits: int) -> SearchStrategy[int]:
    """Every value of an unsigned port.

    Hypothesis itself draws both ends and their neighbours, and equal values for two ports, far
    more often than chance would; a choice between "ends" and "anything" only made it slower.
    """
    return st.integers(0, (1 << bits) - 1)


def ports(cls: type[In], **fixed: int | SearchStrategy[int]) -> SearchStrategy[In]:
    """Records of *cls* with every field drawn from its width, save for those in *fixed*."""
    drawn = {name: unsigned(bits) for name, bits in cls.widths().items()}
    for name, value in fixed.items():
        drawn[name] = st.just(value) if isinstance(value, int) else value
    return st.builds(cls, **drawn)


def run(step: Step[In, Reg, Out], cycles: Iterable[In], state: Reg, build: Build) -> Reg:
    """Counters after clocking *cycles* through the model, beginning with *state*."""
    for inputs in cycles:
        _, state = step(inputs, state, build)
    return state


def differing(step: Step[In, Reg, Out], inputs: In, state: Reg) -> set[str]:
    """Names of the outputs and counters in which the two builds differ after one cycle."""
    correct, broken = (
        outputs.values() | after.values()
        for outputs, after in (step(inputs, state, build) for build in Build)
    )
    return {name for name in correct if correct[name] != broken[name]}
