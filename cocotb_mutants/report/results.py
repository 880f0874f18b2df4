# SPDX-License-Identifier: Apache-2.0
"""What every report is made of: all mutants of a campaign with their verdicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from cocotb_mutants.explanation import Explanation
from cocotb_mutants.mutant import Mutant
from cocotb_mutants.propagation import Propagation
from cocotb_mutants.verdict import DEFAULT_DETECTED, Detection, Score, Verdict, score

__all__ = ["Outcome", "Results"]


@dataclass(frozen=True)
class Outcome:
    """A mutant, its verdict in each target, and the one verdict that comes of them.

    `covered_by` are, by target, the full names of the tests that activated it; `explanations`
    say, by target, what a survivor is, and `propagations` how far it came.
    """

    mutant: Mutant
    verdict: Verdict
    by_target: Mapping[str, Verdict] = field(default_factory=dict)
    covered_by: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    explanations: Mapping[str, Explanation] = field(default_factory=dict)
    propagations: Mapping[str, Propagation] = field(default_factory=dict)

    def stories(self) -> dict[str, list[str]]:
        """What is known of it beyond its verdict, by target: how far it came, then what it is."""
        found: dict[str, list[str]] = {}
        for kept in (self.propagations, self.explanations):
            for target, each in kept.items():
                if each.story not in self.verdict.reason:
                    found.setdefault(target, []).append(each.story)
        return found


@dataclass(frozen=True)
class Results:
    """A campaign.

    Attributes:
        outcomes: in the order of the files.
        texts: the original bytes of every mutated file.
        tests: by target, the full names of the tests of the golden run.
        test_sources: the text of each test module, by its dotted name, as far as known.
        detected: what counts as detection.
        hand_written: the campaign held hand-written mutants alone: its summary is worded so.
        fail_under: the score that was asked for.
        config: the settings, for the record.
        tools: versions, `cocotb-mutants` among them.
        timing: seconds by phase: setup, golden, mutants, explain.
    """

    outcomes: tuple[Outcome, ...]
    texts: Mapping[str, bytes]
    tests: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    test_sources: Mapping[str, str] = field(default_factory=dict)
    detected: frozenset[Detection] = DEFAULT_DETECTED
    hand_written: bool = False
    fail_under: float | None = None
    config: Mapping[str, Any] = field(default_factory=dict)
    tools: Mapping[str, str] = field(default_factory=dict)
    timing: Mapping[str, float] = field(default_factory=dict)

    @cached_property
    def score(self) -> Score:
        """The score over all mutants."""
        return score((each.verdict.state for each in self.outcomes), self.detected)

    @cached_property
    def score_by_target(self) -> dict[str, Score]:
        """The score of each target's own verdicts, in the order in which targets appear."""
        names = dict.fromkeys([*self.tests, *(n for each in self.outcomes for n in each.by_target)])
        return {
            name: score(
                Counter(
                    each.by_target[name].state for each in self.outcomes if name in each.by_target
                ).elements(),
                self.detected,
            )
            for name in names
        }
