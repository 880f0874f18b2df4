# SPDX-License-Identifier: Apache-2.0
"""The campaign: what is known already, what must run, and everything written as it comes."""

from __future__ import annotations

import dataclasses
import os
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cocotb_mutants import versions
from cocotb_mutants.config import Config, Target
from cocotb_mutants.digest import design_digest, mutant_digest
from cocotb_mutants.explanation import Explanation
from cocotb_mutants.explanations import Explanations
from cocotb_mutants.keys import bench_digest, manifest_key, run_settings, verdict_key
from cocotb_mutants.lab import Lab
from cocotb_mutants.mutant import Mutant
from cocotb_mutants.population import Member, Population
from cocotb_mutants.propagation import Propagation
from cocotb_mutants.propagations import Propagations
from cocotb_mutants.report.results import Outcome, Results
from cocotb_mutants.settings import CampaignKeys
from cocotb_mutants.store import Store
from cocotb_mutants.target_run import Controls, TargetRun
from cocotb_mutants.tokens import tokenise
from cocotb_mutants.verdict import State, Verdict, combine

__all__ = ["Campaign", "slots"]

CONTROLS = "(controls)"
"""In place of a mutant's name: under it the store keeps whether a target's bench is blind."""

_UNNOTICED = (State.SURVIVED, State.NOT_ACTIVATED)

_AHEAD = 2
"""How many targets are prepared while one runs: their simulations wait in memory."""


@dataclass
class _Part:
    """What a campaign knows of one target while it runs."""

    member: Member
    todo: list[Mutant]
    keys: dict[str, str]
    known: dict[str, Verdict]
    controls: Verdict | None = None
    tests: tuple[str, ...] = ()
    covered_by: dict[str, tuple[str, ...]] = field(default_factory=dict)
    explained: dict[str, Explanation] = field(default_factory=dict)
    propagated: dict[str, Propagation] = field(default_factory=dict)

    def tests_known(self) -> tuple[str, ...]:
        """The tests of the golden run, or as far as kept verdicts tell."""
        told = (test.name for verdict in self.known.values() for test in verdict.tests)
        return self.tests or tuple(dict.fromkeys(told))


class Campaign:
    """One run over a population of mutants.

    `judged` is called with each new verdict, `say` with sentences for the user. `setup_s` is
    what it took to find the population, in seconds, for the report. After `run` `controls`
    holds what the controls found, by target, and `refuted` the mutants that a test killed
    although they were proved equivalent, and how.
    """

    def __init__(
        self,
        config: Config,
        population: Population,
        store: Store,
        lab: Lab,
        say: Callable[[str], None] = lambda _: None,
        setup_s: float = 0.0,
    ) -> None:
        self._config = config
        self._population = population
        self._store = store
        self._lab = lab
        self._say = say
        self._tools = versions.of(config.simulator)
        self._parts = [self._part(member) for member in population.members]
        self._homes = Counter(m.name for part in self._parts for m in population.of(part.member))
        self._seconds = {"setup": setup_s, "golden": 0.0, "mutants": 0.0, "explain": 0.0}
        self._explanations = Explanations(config, store, lab, self._tools, say)
        self._propagations = Propagations(config, store, lab, slots(config))
        self.controls: dict[str, Controls] = {}
        self.refuted: list[tuple[str, str]] = []

    @property
    def blind(self) -> list[str]:
        """The targets whose bench checks nothing."""
        return [
            part.member.target.name
            for part in self._parts
            if part.controls is not None and part.controls.state is State.SURVIVED
        ]

    @property
    def known(self) -> list[State]:
        """The states of mutants that need no run: told by the store, or silenced."""
        done = [name for name in self._population.mutants if not self._open(name)]
        return [self._verdict(name).state for name in done]

    def run(self, judged: Callable[[State], None] = lambda _: None) -> Results:
        """Run what must be run, and return all verdicts.

        Raises:
            BaselineFailed, NoTests, ControlFailed: no verdict could be believed.
        """
        number = self._store.begin_campaign(
            {"targets": [part.member.target.name for part in self._parts], "tools": self._tools}
        )
        self._run(ThreadPoolExecutor(slots(self._config)), judged)
        if self._config.explain:
            self._explain()
        self.refuted = self._refuted()
        results = self._results()
        counts = results.score.counts
        self._store.finish_campaign(
            number,
            {
                "states": {state.value: count for state, count in counts.items() if count},
                "score": results.score.percent,
            },
        )
        return results

    def _run(self, pool: ThreadPoolExecutor, judged: Callable[[State], None]) -> None:
        runs = [(part, self._target_run(part, pool)) for part in self._parts if self._due(part)]
        with ExitStack() as stack:
            for _, run in runs:
                stack.callback(run.close)
            # What was not begun by then need not be.
            stack.callback(pool.shutdown, wait=False, cancel_futures=True)
            try:
                for index, (part, run) in enumerate(runs):
                    for _, later in runs[index : index + _AHEAD + 1]:
                        later.start()
                    self._run_target(part, run, judged)
            except KeyboardInterrupt:
                # To close means to wait for builds; all processes end with this one anyhow.
                stack.pop_all()
                raise

    def _run_target(self, part: _Part, run: TargetRun, judged: Callable[[State], None]) -> None:
        name = part.member.target.name
        kills = self._store.kills_by_test(name)
        started = time.monotonic()
        run.control(slots(self._config))
        self._learn(part, run)
        self._seconds["golden"] += time.monotonic() - started
        started = time.monotonic()
        with closing(run.results(kills, slots(self._config), self._open)) as results:
            for mutant, verdict in results:
                part.known[mutant.name] = verdict
                self._store.put(part.keys[mutant.name], mutant.name, name, verdict)
                if not self._open(mutant.name):
                    judged(self._verdict(mutant.name).state)
        self._seconds["mutants"] += time.monotonic() - started

    def _target_run(self, part: _Part, pool: ThreadPoolExecutor) -> TargetRun:
        # With nothing left to judge the controls still need a schema to be made on.
        mutants = part.todo or self._population.of(part.member)
        return TargetRun(self._config, part.member, mutants, self._lab, pool, self._say)

    def _due(self, part: _Part) -> bool:
        """Tell whether a target is run: a verdict of its own is missing, or its controls are."""
        return any(self._open(mutant.name) for mutant in part.todo) or (
            part.controls is None and bool(self._population.of(part.member))
        )

    def _part(self, member: Member) -> _Part:
        """Look up what the store knows of a target's mutants."""
        mutants = self._population.of(member)
        part = _Part(member, list(mutants), {}, {})
        files = self._store.manifest(manifest_key(member.target, self._config))
        if files is None:
            return part
        part.keys = self._keys(member, files)
        kept = self._store.get(part.keys[CONTROLS])
        if kept is not None and not (self._config.schema and kept.state is State.NOT_ACTIVATED):
            part.controls = kept
        for mutant in mutants:
            verdict = self._store.get(part.keys[mutant.name])
            if verdict is not None and self._final(verdict):
                part.known[mutant.name] = verdict
        part.todo = [mutant for mutant in mutants if mutant.name not in part.known]
        return part

    def _final(self, verdict: Verdict) -> bool:
        """Tell whether a kept verdict answers this campaign's question too."""
        return not (self._config.run_all and verdict.state is State.NOT_ACTIVATED)

    def _learn(self, part: _Part, run: TargetRun) -> None:
        """Take from the controls what the report needs, and which files the bench read.

        Verdicts are kept under the contents of those files.
        """
        member, controls = part.member, run.controls
        assert controls is not None, "controls come before any verdict"
        self.controls[member.target.name] = controls
        part.covered_by = dict(controls.covered_by)
        part.tests = tuple(test.name for test in controls.golden.tests)
        self._store.put_manifest(manifest_key(member.target, self._config), controls.golden.files)
        part.keys = self._keys(member, controls.golden.files)
        state = State.SURVIVED if controls.blind else State.KILLED
        if not self._config.schema:
            state = State.NOT_ACTIVATED  # without a schema no gross fault is planted
        part.controls = Verdict(
            state, "every assignment was made a constant", target=member.target.name
        )
        self._store.put(part.keys[CONTROLS], CONTROLS, member.target.name, part.controls)

    def _keys(self, member: Member, files: Sequence[str]) -> dict[str, str]:
        root = self._config.root
        contents = {name: _content(root / name) for name in (*files, *_named(root, member.target))}
        design = design_digest(member.design)
        bench = bench_digest(contents)
        settings = run_settings(self._config, member.target, self._config.detected)
        tokens = {file: tokenise(text) for file, text in member.design.texts.items()}
        digests = {m.name: mutant_digest(m, tokens) for m in self._population.of(member)}
        digests[CONTROLS] = CONTROLS
        return {
            name: verdict_key(
                design=design, mutant=mutant, bench=bench, settings=settings, tools=self._tools
            )
            for name, mutant in digests.items()
        }

    def _explain(self) -> None:
        """Explain what no test noticed, in each target that has it."""
        started = time.monotonic()
        for part in self._parts:
            mutants = self._population.of(part.member)
            survivors = [mutant for mutant in mutants if self._is_unnoticed(mutant.name)]
            part.explained = self._explanations.of(part.member, survivors, mutants)
            part.propagated = self._propagations.of(
                part.member,
                {
                    mutant.name: part.keys[mutant.name]
                    for mutant in survivors
                    if part.known[mutant.name].state is State.SURVIVED
                    and part.explained[mutant.name].kind != "equivalent"
                },
                mutants,
            )
        self._seconds["explain"] = time.monotonic() - started
        if any(part.explained for part in self._parts):
            self._say(f"explained in {self._seconds['explain']:.1f} s")

    def _is_unnoticed(self, name: str) -> bool:
        return combine(self._by_target(name)).state in _UNNOTICED

    def contradictions(self) -> list[tuple[str, str]]:
        """Return the mutants that are judged in two ways, and which those are."""
        found = [
            (name, f"was killed, though it is accepted as: {reason}")
            for name, reason in self._population.accepted.items()
            if name in self._population.mutants and self._verdict(name).state is State.KILLED
        ]
        for part in self._parts:
            found += [
                (name, f"is accepted, though {each.group} in {each.file} kills it")
                for name, each in part.explained.items()
                if each.test and name in self._population.accepted
            ]
        return found

    def _refuted(self) -> list[tuple[str, str]]:
        found: list[tuple[str, str]] = []
        for part in self._parts:
            killed = [
                mutant
                for mutant in self._population.of(part.member)
                if mutant.name in part.known and part.known[mutant.name].state is State.KILLED
            ]
            found += self._explanations.contradictions(part.member, killed)
        return found

    def _open(self, name: str) -> bool:
        """Tell whether a verdict that can still change the whole is missing."""
        if name in self._population.ignored:
            return False
        verdicts = self._by_target(name)
        if any(each.state is State.KILLED for each in verdicts.values()):
            return self._config.all_tests and len(verdicts) < self._homes[name]
        return len(verdicts) < self._homes[name]

    def _by_target(self, name: str) -> dict[str, Verdict]:
        return {
            part.member.target.name: part.known[name] for part in self._parts if name in part.known
        }

    def _verdict(self, name: str) -> Verdict:
        if name in self._population.ignored:
            return Verdict(State.IGNORED, self._population.ignored[name])
        verdict = combine(self._by_target(name))
        if verdict.state in _UNNOTICED and (how := self._is_same(name)):
            return dataclasses.replace(verdict, state=State.IGNORED, reason=f"equivalent: {how}")
        return self._as_accepted(name, verdict)

    def _is_same(self, name: str) -> str:
        """Return how a mutant is proved to be the same design in each of its targets, or ""."""
        found = [part.explained[name] for part in self._parts if name in part.explained]
        if len(found) < self._homes[name] or any(each.kind != "equivalent" for each in found):
            return ""
        return found[0].how

    def _as_accepted(self, name: str, verdict: Verdict) -> Verdict:
        """Return the verdict, or that the mutant is ignored if somebody judged that it may live."""
        reason = self._population.accepted.get(name)
        if reason is not None and verdict.state in _UNNOTICED:
            return dataclasses.replace(verdict, state=State.IGNORED, reason=reason)
        return verdict

    def _results(self) -> Results:
        config, members = self._config, self._population.members
        outcomes = tuple(
            Outcome(
                mutant,
                self._verdict(name),
                {
                    target: self._as_accepted(name, verdict)
                    for target, verdict in self._by_target(name).items()
                },
                self._covered(name),
                self._explained(name),
                self._propagated(name),
            )
            for name, mutant in self._population.mutants.items()
        )
        return Results(
            outcomes=outcomes,
            texts={f: m.design.texts[f] for m in members for f in m.target.mutate},
            tests={part.member.target.name: part.tests_known() for part in self._parts},
            detected=config.detected,
            hand_written=config.only_mutations,
            fail_under=config.fail_under,
            config=_settings(config),
            tools=self._tools,
            timing=self._seconds,
        )

    def _explained(self, name: str) -> Mapping[str, Explanation]:
        return {
            part.member.target.name: part.explained[name]
            for part in self._parts
            if name in part.explained
        }

    def _propagated(self, name: str) -> Mapping[str, Propagation]:
        return {
            part.member.target.name: part.propagated[name]
            for part in self._parts
            if name in part.propagated
        }

    def _covered(self, name: str) -> Mapping[str, tuple[str, ...]]:
        return {
            part.member.target.name: part.covered_by[name]
            for part in self._parts
            if name in part.covered_by
        }


def slots(config: Config) -> int:
    """Return how many runs go on at once: as told, or one for each core that we may use."""
    return config.jobs or len(os.sched_getaffinity(0))


def _named(root: Path, target: Target) -> list[str]:
    """Return the files that settings of the target name, as in `+image=boot.hex`."""
    words = [*target.build_args, *target.test_args, *target.plusargs, *target.env.values()]
    names = {word.rpartition("=")[2].strip('"') for word in words}
    return sorted(name for name in names if _content(root / name) is not None)


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except (OSError, ValueError):  # a setting may hold anything, and be no name at all
        return None


def _settings(config: Config) -> dict[str, Any]:
    """Return the settings of the whole campaign, for the record."""
    return {
        each.name.replace("_", "-"): getattr(config, each.name)
        for each in dataclasses.fields(CampaignKeys)
    }
