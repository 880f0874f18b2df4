# SPDX-License-Identifier: Apache-2.0
"""What a campaign on a real processor core takes: planning, builds, and sampled mutants.

The whole schema is built first; the campaign then has a smaller one, of its own mutants.

    python -m benchmarks.real_core picorv32 --sim verilator --sample 500
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from benchmarks.campaigns import MeasuredLab, drawn, measure, peak
from benchmarks.cores import CORES, ROOT, project
from cocotb_mutants.build import BuildFailed
from cocotb_mutants.config import Config, load
from cocotb_mutants.mutant import Mutant
from cocotb_mutants.population import Member, Population, populate
from cocotb_mutants.schema import Schema, blame, plan, select_package, without


def main() -> None:
    """Print the figures as they come."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("core", choices=sorted(CORES))
    parser.add_argument("--sim", default="icarus")
    parser.add_argument("--sample", type=int, default=500, help="mutants of the campaign; 0: none")
    parser.add_argument(
        "--schema-only", action="store_true", help="leave out what needs a build of its own"
    )
    options = parser.parse_args()
    (ROOT / "sim_build").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=ROOT / "sim_build") as name:
        config = load(project(options.core, Path(name), options.sim)).expand()
        print(f"{options.core}, {options.sim}", flush=True)
        population, schema = _planned(config)
        schema = _built(config, population.members[0], schema)
        if options.sample:
            among = {m.name for m in schema.in_schema} if options.schema_only else None
            _campaign(config, drawn(population, options.sample, among))


def _planned(config: Config) -> tuple[Population, Schema]:
    started = time.monotonic()
    population = populate(config)
    (member,) = population.members
    mutants = population.of(member)
    found = time.monotonic()
    schema = plan(member.design, mutants)
    planned = time.monotonic()
    there = member.found
    lines = sum(member.design.texts[file].count(b"\n") for file in member.target.mutate)
    print(f"{lines} lines, {sum(there.sites.values())} sites, {len(mutants)} mutants")
    print(f"  left out: {there.in_macro} places in macros, {there.dropped_invalid} not legal,")
    print(f"  {there.dropped_identical} without effect, {there.dropped_duplicate} like another")
    print(f"in the schema: {len(schema.in_schema)}, of which {len(schema.tracked)} are watched")
    print(f"a build of their own: {len(schema.apart)}")
    for reason, count in Counter(schema.apart.values()).most_common():
        print(f"  {count}: {reason}")
        print(f"    {_by_operator(m for m in mutants if schema.apart.get(m.name) == reason)}")
    print(f"found in {found - started:.1f} s, planned in {planned - found:.1f} s")
    print(f"peak memory so far: {peak():.0f} MiB", flush=True)
    return population, schema


def _by_operator(mutants: Iterable[Mutant]) -> str:
    counted = Counter(mutant.operator for mutant in mutants)
    return ", ".join(f"{name} {count}" for name, count in counted.most_common())


def _built(config: Config, member: Member, schema: Schema) -> Schema:
    """Build the original and the schema; what the simulator refuses is left out, and counted."""
    lab = MeasuredLab(config)
    try:
        lab.build(member, {}, select_package(0))
    except BuildFailed as failure:
        raise SystemExit(f"{config.simulator} refuses the original: {_said(failure)}") from None
    print(f"the original is built in {lab.seconds[-1]:.1f} s", flush=True)
    while True:
        size = sum(len(text) for text in schema.texts.values())
        try:
            lab.build(member, schema.texts, select_package(None))
        except BuildFailed as failure:
            names = {
                name
                for problem in failure.problems
                for name in blame(schema, _content(problem.file), problem.line)
            }
            print(f"{config.simulator} refuses {len(names)} in the schema: {_said(failure)}")
            if not names:
                raise SystemExit("and nobody is to blame") from None
            schema = without(schema, names, "refused")
        else:
            print(f"the schema, {size / 1024:.0f} KiB, is built in {lab.seconds[-1]:.1f} s")
            return schema


def _content(file: str) -> bytes:
    return Path(file).read_bytes() if Path(file).is_file() else b""


def _said(failure: BuildFailed) -> str:
    more = len(failure.problems) - 1
    return f"{failure}" + (f" (and {more} more)" if more > 0 else "")


def _campaign(config: Config, population: Population) -> None:
    started = time.monotonic()
    found = measure(config, population)
    seconds = time.monotonic() - started
    tally = ", ".join(f"{count} {state}" for state, count in found.tally.items())
    print(f"campaign: {found.mutants} mutants, {found.apart} of them in builds of their own")
    print(f"  {seconds:.1f} s, of which {found.ready_s:.1f} s to plan, build and check, and")
    print(f"  {found.run_s:.1f} s for the mutants: {found.per_second:.1f} a second")
    print(f"  {tally}")
    print(f"peak memory: {found.tool_mib:.0f} MiB, of a run {found.run_mib:.0f} MiB")


if __name__ == "__main__":
    main()
