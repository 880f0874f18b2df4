# SPDX-License-Identifier: Apache-2.0
"""Say of each survivor what it is: the same design, or one that this stimulus tells apart."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cocotb_mutants import schema
from cocotb_mutants.build import BuildFailed
from cocotb_mutants.config import Config
from cocotb_mutants.errors import BaselineFailed
from cocotb_mutants.explanation import Explanation, test_file
from cocotb_mutants.lab import Lab, Simulation
from cocotb_mutants.layout import write_whole
from cocotb_mutants.limits import golden_limits
from cocotb_mutants.mutant import Mutant
from cocotb_mutants.population import Member
from cocotb_mutants.proofs.model import Model, Witness
from cocotb_mutants.proofs.prover import Proved, Prover
from cocotb_mutants.proofs.shrink import shrunk
from cocotb_mutants.protocol import Job, Limits
from cocotb_mutants.witness_tests import WitnessTest, identifiers, render

__all__ = ["Explained", "explain"]

SHRINK_SECONDS = 1.0
"""How long a witness is made simpler."""


@dataclass(frozen=True)
class Explained:
    """The explanations of a target's survivors by name, and the text of tests that kill them."""

    explanations: Mapping[str, Explanation]
    tests: str


def explain(
    config: Config,
    member: Member,
    survivors: Sequence[Mutant],
    everything: Sequence[Mutant],
    lab: Lab,
) -> Explained:
    """Explain `survivors` of a target, whose mutants are `everything`."""
    proved = {mutant.name: found for mutant, found in Prover(member.design, survivors).all()}
    tests = {name: _simplified(found) for name, found in proved.items() if found.decision.witness}
    own = identifiers(tests)
    path = test_file(config, member.target.name)
    replay = _Replay(config, member, everything, lab, proved, tests, own, path)
    killed = replay.killed() if tests else {}
    chosen = _fewest(killed, own)
    shown = _relative(path, config.root)
    explanations = {
        name: _explanation(found, tests.get(name), killed.get(name, ()), chosen, name, own, shown)
        for name, found in proved.items()
    }
    text = _tests(member, proved, tests, chosen, own, survivors) if chosen else ""
    return Explained(explanations, text)


def _simplified(found: Proved) -> Witness:
    witness = found.decision.witness
    assert witness is not None
    assert found.model is not None
    assert found.mutant is not None
    return shrunk(found.model, found.mutant, witness, SHRINK_SECONDS)


def _explanation(
    found: Proved,
    witness: Witness | None,
    killers: Collection[str],
    chosen: Mapping[str, Collection[str]],
    name: str,
    tests: Mapping[str, str],
    file: str,
) -> Explanation:
    decision = found.decision
    plain = Explanation(decision.kind, decision.how, decision.depth, seconds=decision.seconds)
    if witness is None:
        return plain
    plain = replace(
        plain,
        steps=len(witness.steps) - 1,
        output=witness.output,
        original=witness.original,
        mutant=witness.mutant,
    )
    own = tests[name]
    if own not in killers:
        return plain
    group = own if own in chosen else next(test for test in chosen if name in chosen[test])
    return replace(plain, test=own, group=group, file=file)


@dataclass(frozen=True)
class _Replay:
    """Runs the witnesses' tests on the original and on each mutant, in the target's simulator."""

    config: Config
    member: Member
    everything: Sequence[Mutant]
    lab: Lab
    proved: Mapping[str, Proved]
    witnesses: Mapping[str, Witness]
    names: Mapping[str, str]
    path: Path

    def killed(self) -> dict[str, tuple[str, ...]]:
        """Return the tests that kill each mutant; what fails on the original is not among them."""
        tests = [
            WitnessTest(self.names[name], witness, ((name, ""),))
            for name, witness in self.witnesses.items()
        ]
        path = self.path.with_name(f"candidates_{self.path.stem}.py")
        write_whole(path, _rendered(self.proved, "Candidates", tests).encode())
        try:
            return self._run(path)
        except BaselineFailed:
            return {}  # a bench of ours that does not run confirms nothing
        finally:
            path.unlink()

    def _run(self, path: Path) -> dict[str, tuple[str, ...]]:
        target = replace(
            self.member.target,
            test_modules=(path.stem,),
            test_filter="",
            python_path=(str(path.parent),),
            test_args=(),
        )
        bench = replace(self.member, target=target)
        plan = schema.plan(self.member.design, self.everything)
        inside = {mutant.name for mutant in plan.in_schema} & self.witnesses.keys()
        found: dict[str, tuple[str, ...]] = {}
        try:
            build = self.lab.build(self.member, plan.texts, schema.select_package(None))
        except BuildFailed:
            inside = set()
        else:
            with self.lab.simulation(bench, build) as simulation:
                numbers = {plan.numbers[name]: name for name in inside}
                found |= _failing(simulation, numbers, golden_limits(self.config))
        by_name = {mutant.name: mutant for mutant in self.everything}
        for name in self.witnesses.keys() - inside:
            found |= self._alone(bench, by_name[name])
        return found

    def _alone(self, bench: Member, mutant: Mutant) -> dict[str, tuple[str, ...]]:
        failing = []
        for texts, number in (({}, 0), (schema.patched(bench.design, mutant), 1)):
            try:
                build = self.lab.build(bench, texts, schema.select_package(number))
            except BuildFailed:
                return {}
            with self.lab.simulation(bench, build, alone=True) as simulation:
                (report,) = simulation.run([_job(number, golden_limits(self.config))])
            failing.append({_function(t.name) for t in report.tests if t.status == "failed"})
        return {mutant.name: tuple(sorted(failing[1] - failing[0]))}


def _job(number: int, limits: Limits) -> Job:
    return Job(number, number, stop_at_first=False, limits=limits)


def _failing(
    simulation: Simulation, numbers: Mapping[int, str], limits: Limits
) -> dict[str, tuple[str, ...]]:
    jobs = [_job(number, limits) for number in (0, *numbers)]
    failed = {}
    for report in simulation.run(jobs, 1):
        failed[report.job] = {_function(t.name) for t in report.tests if t.status == "failed"}
    return {name: tuple(sorted(failed[number] - failed[0])) for number, name in numbers.items()}


def _function(test: str) -> str:
    return test.rpartition(".")[2]


def _fewest(killed: Mapping[str, Collection[str]], own: Mapping[str, str]) -> dict[str, set[str]]:
    """Return few tests that kill all that can be killed, with what each kills: the greedy choice.

    Only mutants that their own test kills count, so that each story holds.
    """
    left = {name for name, tests in killed.items() if own[name] in tests}
    by_test: dict[str, set[str]] = {}
    for name in left:
        for test in killed[name]:
            by_test.setdefault(test, set()).add(name)
    chosen: dict[str, set[str]] = {}
    while left:
        best = max(sorted(by_test), key=lambda test: len(by_test[test] & left))
        chosen[best] = by_test[best]
        left -= by_test[best]
    return chosen


def _tests(
    member: Member,
    proved: Mapping[str, Proved],
    witnesses: Mapping[str, Witness],
    chosen: Mapping[str, Collection[str]],
    names: Mapping[str, str],
    survivors: Iterable[Mutant],
) -> str:
    by_name = {mutant.name: mutant for mutant in survivors}
    own = {test: name for name, test in names.items()}
    tests = [
        WitnessTest(
            test,
            witnesses[own[test]],
            tuple((name, by_name[name].description) for name in sorted(kills)),
        )
        for test, kills in chosen.items()
    ]
    title = f"Tests that kill the surviving mutants of {member.target.name}."
    return _rendered(proved, title, tests)


def _rendered(proved: Mapping[str, Proved], title: str, tests: Sequence[WitnessTest]) -> str:
    model: Model = next(each.model for each in proved.values() if each.model is not None)
    clock = model.translation
    return render(clock.clock, clock.edge, title, tests)


def _relative(path: Path, root: Path) -> str:
    return str(path.relative_to(root)) if path.is_relative_to(root) else str(path)
