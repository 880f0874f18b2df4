# SPDX-License-Identifier: Apache-2.0
"""One target's part of a campaign: builds, controls, then a verdict for each of its mutants."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, as_completed
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from cocotb_mutants import controls, order, schema
from cocotb_mutants.build import Build, BuildFailed
from cocotb_mutants.config import Config
from cocotb_mutants.errors import BaselineFailed
from cocotb_mutants.jobs import Jobs
from cocotb_mutants.lab import Lab, Simulation
from cocotb_mutants.limits import golden_limits, mutant_limits
from cocotb_mutants.markers import GROSS
from cocotb_mutants.mutant import Mutant
from cocotb_mutants.population import Member
from cocotb_mutants.protocol import RunReport
from cocotb_mutants.schema_run import SchemaRun
from cocotb_mutants.verdict import State, Verdict

__all__ = ["Controls", "TargetRun"]

Judged = tuple[Mutant, Verdict]


@dataclass(frozen=True)
class Controls:
    """What the controls of a target found, for the report.

    `golden` is the run of the original, `apart` are the mutants that need a build of their own,
    with the reason, `covered_by` holds, by mutant, the tests that activate it, and `mode` is how
    mutants are run. `blind` says that no test minded a gross fault that did reach the outputs.
    """

    golden: RunReport
    in_schema: int
    apart: Mapping[str, str]
    covered_by: Mapping[str, tuple[str, ...]]
    mode: str
    blind: bool


@dataclass(frozen=True)
class _Ready:
    """The schema with its simulation and the run with nothing selected, if there is a schema.

    `stack` ends the simulation.
    """

    plan: schema.Schema
    stack: ExitStack
    simulation: Simulation | None = None
    golden: RunReport | None = None


class TargetRun:
    """The runs of one target's mutants.

    `start` begins what can be done in the background; `control` waits for it and does the
    controls, then `results` yields verdicts as they come. `close` is called at the end, whatever
    happened.
    """

    def __init__(
        self,
        config: Config,
        member: Member,
        mutants: Sequence[Mutant],
        lab: Lab,
        pool: Executor,
        say: Callable[[str], None],
    ) -> None:
        self._config = config
        self._member = member
        self._mutants = tuple(mutants)
        self._lab = lab
        self._pool = pool
        self._say = say
        self._name = member.target.name
        self._jobs = Jobs(config, self._name)
        # Numbers of mutants in builds of their own; any will do that the schema does not use.
        self._numbers = {mutant.name: i + 1 for i, mutant in enumerate(self._mutants)}
        self._original: Future[RunReport] | None = None
        self._schema: Future[_Ready] | None = None
        self._closed = False
        self.controls: Controls | None = None

    def start(self) -> None:
        """Begin to build the original and the schema, and to run the tests on both."""
        if self._schema is None:
            self._schema = self._pool.submit(self._prepare_schema)
            self._original = self._pool.submit(self._run_original)

    def close(self) -> None:
        """End the simulation of the schema, if it was ever begun."""
        self._closed = True
        if self._schema is not None and not self._schema.cancel():
            with contextlib.suppress(Exception):  # whoever asked for the result has it already
                self._schema.result().stack.close()

    def control(self, slots: int) -> None:
        """Wait for what `start` began and do the controls; what they found is in `controls`.

        Raises:
            BaselineFailed, NoTests, ControlFailed: no verdict could be believed.
        """
        self.start()
        assert self._original is not None
        assert self._schema is not None
        original = self._original.result()
        ready = self._schema.result()
        plan = ready.plan
        if ready.simulation is None or ready.golden is None:
            mode = "a build and a process each"
            self.controls = Controls(original, 0, plan.apart, {}, mode, blind=False)
            return
        simulation, golden = ready.simulation, ready.golden
        if simulation.cannot_fork:
            self._say(f"{self._name}: a process per mutant: {simulation.cannot_fork}")
        controls.check_schema_runs(self._name, golden)
        controls.check_schema_is_original(self._name, original, golden)
        self.controls = Controls(
            golden,
            len(plan.in_schema),
            plan.apart,
            _covered(plan, order.activated(golden)),
            simulation.mode,
            blind=not self._check(simulation, golden, plan, slots),
        )

    def results(
        self, kills: Mapping[str, int], slots: int, wanted: Callable[[str], bool]
    ) -> Generator[Judged, None, None]:
        """Yield each mutant with its verdict, as they are reached, `slots` runs at a time.

        Call `control` first. `kills` counts, by test, what earlier campaigns saw each test kill.
        `wanted` is asked for the name of a mutant before it is run: another target may have
        killed it by now.
        """
        assert self._original is not None, "controls come before any verdict"
        assert self._schema is not None, "controls come before any verdict"
        ready = self._schema.result()
        if ready.simulation is not None and ready.golden is not None:
            with ready.stack:
                run = SchemaRun(
                    self._config, self._name, ready.plan, ready.simulation, ready.golden, slots
                )
                yield from run.results(kills, wanted)
        yield from self._apart(ready.plan, self._original.result(), wanted)

    def _prepare_schema(self) -> _Ready:
        plan = schema.plan(self._member.design, self._mutants, apart=not self._config.schema)
        while plan.in_schema and not self._closed:
            try:
                build = self._build(plan.texts, None)
            except BuildFailed as failure:
                if not self._builds({}, 0):
                    break  # `_run_original` says so; no mutant is to blame
                plan = self._demoted(plan, failure)
            else:
                return self._begin(plan, build)
        return _Ready(plan, ExitStack())

    def _begin(self, plan: schema.Schema, build: Build) -> _Ready:
        """Load the bench once, and run it with nothing selected."""
        job = self._jobs.job(0, 0, golden_limits(self._config), trace=True, hits=True, golden=True)
        with ExitStack() as stack:
            simulation = stack.enter_context(self._lab.simulation(self._member, build, plan.hits))
            (golden,) = simulation.run([job], 1)
            return _Ready(plan, stack.pop_all(), simulation, golden)

    def _demoted(self, plan: schema.Schema, failure: BuildFailed) -> schema.Schema:
        """Take out of the schema what the simulator refused, and as little else as possible."""
        names = {
            name
            for problem in failure.problems
            for name in schema.blame(plan, _content(Path(problem.file)), problem.line)
        }
        if not names:
            names = self._guilty(plan, [mutant.name for mutant in plan.in_schema])
        why = failure.problems[0].message if failure.problems else "the build failed"
        return schema.without(plan, names, f"refused in the schema: {why}")

    def _guilty(self, plan: schema.Schema, names: list[str]) -> set[str]:
        """Find one mutant, by halves, without which the build fails no more on its account.

        Where another one alone is refused too, it is the schema as such that is: all are guilty.
        """
        everything = set(names)
        while len(names) > 1 and not self._closed:
            half = names[: len(names) // 2]
            names = names[len(half) :] if self._builds_with(plan, half) else half
        others = sorted(everything - set(names))
        if others and not self._builds_with(plan, others[:1]):
            return everything
        return set(names)

    def _builds_with(self, plan: schema.Schema, names: Sequence[str]) -> bool:
        gone = {mutant.name for mutant in plan.in_schema} - set(names)
        return self._builds(schema.without(plan, gone, "looking for a fault").texts, None)

    def _builds(self, texts: Mapping[str, bytes], number: int | None) -> bool:
        try:
            self._build(texts, number)
        except BuildFailed:
            return False
        return True

    def _build(self, texts: Mapping[str, bytes], number: int | None) -> Build:
        return self._lab.build(self._member, texts, schema.select_package(number))

    def _run_original(self) -> RunReport:
        try:
            build = self._build({}, 0)
        except BuildFailed as failure:
            first = failure.problems[0] if failure.problems else failure
            raise BaselineFailed(
                f"{self._name}: the original does not build: {first}",
                hint=f"the log is {failure.log}",
            ) from None
        job = self._jobs.job(0, 0, golden_limits(self._config), trace=True, golden=True)
        with self._lab.simulation(self._member, build, alone=True) as simulation:
            (report,) = simulation.run([job], 1)
        controls.check_baseline(self._name, report, 0)
        return report

    def _check(
        self, simulation: Simulation, golden: RunReport, plan: schema.Schema, slots: int
    ) -> bool:
        """Do the two controls that plant something; tell whether the bench sees anything."""
        limits = mutant_limits(self._config, golden)
        forced = self._jobs.job(0, 0, limits, stop=True, force_failure=True)
        gross = {
            number: self._jobs.job(number, number, limits, stop=True, trace=True)
            for number in GROSS
            if plan.gross
        }
        jobs = [forced, *gross.values()]
        reports = {each.job: each for each in simulation.run(jobs, slots)}
        controls.check_forced_failure(self._name, self._jobs.judge(reports[0], golden, 0))
        runs = [(self._jobs.judge(reports[n], golden, n), reports[n]) for n in gross]
        return not runs or controls.check_gross_fault(self._name, runs, golden)

    def _apart(
        self, plan: schema.Schema, golden: RunReport, wanted: Callable[[str], bool]
    ) -> Iterator[Judged]:
        mutants = [m for m in self._mutants if m.name in plan.apart and wanted(m.name)]
        futures = {self._pool.submit(self._alone, mutant, golden): mutant for mutant in mutants}
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        finally:
            for future in futures:
                future.cancel()

    def _alone(self, mutant: Mutant, golden: RunReport) -> Verdict:
        number = self._numbers[mutant.name]
        try:
            build = self._build(schema.patched(self._member.design, mutant), number)
        except BuildFailed as failure:
            said = failure.problems[0] if failure.problems else failure
            return Verdict(State.COMPILE_ERROR, str(said), target=self._name)
        with self._lab.simulation(self._member, build, alone=True) as simulation:
            (report,) = self._jobs.run_all(simulation, [number], golden, 1)
        return self._jobs.judge(report, golden, number)


def _content(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


def _covered(
    plan: schema.Schema, activated: Mapping[int, tuple[str, ...]]
) -> dict[str, tuple[str, ...]]:
    return {
        mutant.name: activated[plan.numbers[mutant.name]]
        for mutant in plan.in_schema
        if plan.numbers[mutant.name] in activated
    }
