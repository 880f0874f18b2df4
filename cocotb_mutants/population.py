# SPDX-License-Identifier: Apache-2.0
"""All mutants of a campaign: what each target offers, put together under one name each."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from cocotb_mutants import prove
from cocotb_mutants.accepted import idle, load_accepted, reasons
from cocotb_mutants.config import Config, Target
from cocotb_mutants.errors import NoMutants, SourceError, UsageError
from cocotb_mutants.generate import MutantSet, Request, generate
from cocotb_mutants.handwritten import load_mutations
from cocotb_mutants.mutant import Mutant
from cocotb_mutants.naming import suggest
from cocotb_mutants.source import Design, Sources, elaborate

__all__ = ["Member", "Population", "populate"]


@dataclass(frozen=True)
class Member:
    """One target with its elaborated design and the mutants that can be planted in it."""

    target: Target
    design: Design
    found: MutantSet


@dataclass(frozen=True)
class Population:
    """The targets of a campaign and its mutants, in the order of the files.

    `ignored` holds, by name, mutants that a comment beside the code silences, with its reason;
    they are part of `mutants` and are never run. `accepted` holds the reasons of those that may
    survive. `idle` are judgements that no mutant's name matches. `sampled_from` is the number of
    mutants that the sample was drawn out of, 0 where there was no sample.
    """

    members: tuple[Member, ...]
    mutants: dict[str, Mutant]
    ignored: dict[str, str]
    accepted: dict[str, str]
    idle: tuple[tuple[str, str], ...] = ()
    sampled_from: int = 0

    def of(self, member: Member) -> tuple[Mutant, ...]:
        """Return the mutants of `member` that are to be judged."""
        return tuple(
            mutant
            for mutant in member.found.mutants
            if mutant.name in self.mutants and mutant.name not in self.ignored
        )

    def find(self, name: str) -> Mutant:
        """Return the mutant called `name`.

        Raises:
            UsageError: there is none, with the closest names as a hint.
        """
        if name not in self.mutants:
            raise UsageError(
                f"no mutant is called {name!r}",
                hint=suggest(name, self.mutants) or "'cocotb-mutants list' shows their names",
            )
        return self.mutants[name]


def read(config: Config, target: Target) -> Design:
    """Elaborate the design of `target`.

    Raises:
        SourceError: it cannot be read, or is not legal SystemVerilog.
    """
    sources = Sources(
        root=config.root,
        files=target.sources,
        top=target.top,
        includes=target.includes,
        defines=target.defines,
        parameters=target.parameters,
    )
    try:
        design = elaborate(sources)
    except OSError as error:
        raise SourceError(f"cannot read {error.filename}: {error.strerror}") from None
    if design.errors:
        more = len(design.errors) - 1
        raise SourceError(
            f"{design.errors[0]}" + (f" (and {more} more)" if more else ""),
            hint=f"target {target.name}: {len(target.sources)} sources, top {target.top}",
        )
    return design


def populate(config: Config) -> Population:
    """Find all mutants of all targets of `config`.

    Raises:
        SourceError: a design or a mutations file cannot be used.
        UsageError: an operator is unknown.
        NoMutants: there is nothing to run.
    """
    hand_written = load_mutations(config.root, config.mutations)
    request = Request(
        operators=config.operators,
        hand_written=hand_written,
        only_hand_written=config.only_mutations,
    )
    members = []
    for target in config.targets:
        design = read(config, target)
        members.append(
            Member(target, design, generate(design, target.mutate, request, prove.screen))
        )
    everything = {m.name: m for member in members for m in _in_order(member)}
    ignored = {mutant.name: reason for member in members for mutant, reason in member.found.ignored}
    if not everything.keys() - ignored.keys():
        raise NoMutants(_nothing(members, bool(ignored)))
    judged = load_accepted(config.root, config.accepted)
    population = Population(
        tuple(members),
        everything,
        ignored,
        reasons(judged, everything),
        # With operators left out it is no wonder that some names are missing.
        () if config.operators or config.only_mutations else tuple(idle(judged, everything)),
    )
    return _sampled(population, config)


def _in_order(member: Member) -> list[Mutant]:
    """Return all mutants of `member`, those set aside among the others."""
    files = list(member.design.texts)

    def place(mutant: Mutant) -> tuple[int, int]:
        return files.index(mutant.file), mutant.edits[0].start

    return sorted([*member.found.mutants, *(m for m, _ in member.found.ignored)], key=place)


def _sampled(population: Population, config: Config) -> Population:
    runnable = sorted(population.mutants.keys() - population.ignored.keys())
    if config.sample is None or config.sample >= len(runnable):
        return population
    kept = set(random.Random(config.sample_seed).sample(runnable, config.sample))
    return replace(
        population,
        mutants={name: m for name, m in population.mutants.items() if name in kept},
        ignored={},
        sampled_from=len(runnable),
    )


def _nothing(members: Sequence[Member], ignored: bool) -> str:
    files = ", ".join(dict.fromkeys(file for member in members for file in member.target.mutate))
    if ignored:
        return f"every mutant of {files} is switched off beside the code"
    return f"there is no mutant in {files}"
