# SPDX-License-Identifier: Apache-2.0
"""The propagations of a campaign's survivors: taken from the store, or run for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from cocotb_mutants import schema
from cocotb_mutants.build import BuildFailed
from cocotb_mutants.config import Config
from cocotb_mutants.keys import digest
from cocotb_mutants.lab import Lab
from cocotb_mutants.mutant import Mutant
from cocotb_mutants.population import Member
from cocotb_mutants.propagation import Propagation, compare, module_outputs, record
from cocotb_mutants.store import Store

__all__ = ["Propagations"]


class Propagations:
    """How far survivors came, target by target. Each has one more run, which is compared."""

    def __init__(self, config: Config, store: Store, lab: Lab, slots: int) -> None:
        self._config = config
        self._store = store
        self._lab = lab
        self._slots = slots

    def of(
        self, member: Member, survivors: Mapping[str, str], everything: Sequence[Mutant]
    ) -> dict[str, Propagation]:
        """Return the propagation of each of `survivors`, whose verdicts' keys they map to."""
        keys = {name: digest(["propagation", key]) for name, key in survivors.items()}
        kept = {name: self._store.explanation(key) for name, key in keys.items()}
        found = {name: Propagation.from_json(values) for name, values in kept.items() if values}
        missing = [mutant for mutant in everything if mutant.name in keys.keys() - found.keys()]
        for name, each in self._run(member, missing, everything) if missing else ():
            found[name] = each
            self._store.put_explanation(keys[name], each.to_json())
        return found

    def _run(
        self, member: Member, missing: Sequence[Mutant], everything: Sequence[Mutant]
    ) -> Iterator[tuple[str, Propagation]]:
        """Run those in the schema in forks of one simulation, the others in builds of their own."""
        plan = schema.plan(member.design, everything, apart=not self._config.schema)
        watched = module_outputs(member.design, {mutant.module for mutant in missing})
        numbers = {plan.numbers[m.name]: m.name for m in missing if m.name not in plan.apart}
        path = self._config.root / self._config.work_dir / "runs" / "original.jsonl"
        try:
            try:
                build = self._lab.build(member, plan.texts, schema.select_package(None))
            except BuildFailed:
                numbers = {}
            if numbers:
                with self._lab.simulation(member, build, watched=watched) as simulation:
                    golden = record(self._config, simulation, path)
                    found = compare(self._config, simulation, [*numbers], golden, path, self._slots)
                    for number, each in found:
                        yield numbers[number], each
            apart = [mutant for mutant in missing if mutant.name not in numbers.values()]
            yield from self._apart(member, apart, watched, path)
        finally:
            path.unlink(missing_ok=True)

    def _apart(
        self, member: Member, mutants: Sequence[Mutant], watched: Sequence[str], path: Path
    ) -> Iterator[tuple[str, Propagation]]:
        if not mutants:
            return
        build = self._lab.build(member, {}, schema.select_package(0))
        with self._lab.simulation(member, build, alone=True, watched=watched) as simulation:
            golden = record(self._config, simulation, path)
        for mutant in mutants:
            texts = schema.patched(member.design, mutant)
            build = self._lab.build(member, texts, schema.select_package(1))
            with self._lab.simulation(member, build, alone=True, watched=watched) as simulation:
                for _, each in compare(self._config, simulation, [1], golden, path, 1):
                    yield mutant.name, each
