# SPDX-License-Identifier: Apache-2.0
"""How a campaign compares with avl-core's mutation testing of the same module by the same bench.

avl-core writes a copy of the source for each mutant and then runs one command for each, one after
the other. It leaves that command to its user. Here it gets the fastest that there is: the two
programs that cocotb's runner would start, from a shell script, without make and without another
Python. Its equivalence step is off. `--shares 2` helps it further than it can help itself: its list
of mutants is dealt to two of its processes. It is installed in an environment of its own below
sim_build.

    python -m benchmarks.against_avl bandwidth_share --filter every_check
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import avl
from benchmarks.common import ROOT, Campaign, Subject, campaign, first_line, subject
from cocotb_mutants.mutant import Mutant
from cocotb_mutants.schema import patched

SIMULATOR = "icarus"
SEED = 1
_DETECTED = ("Killed", "Timeout")


def main() -> None:
    """Print seconds per mutant of both, the ratio, both tallies, and verdicts that differ."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("module", nargs="?", default="bandwidth_share")
    parser.add_argument("--sample", type=int, help="mutants that avl-core runs; all if not given")
    parser.add_argument("--filter", default="", help="only tests whose name matches")
    parser.add_argument("--cores", type=int, default=2, help="for each of the two tools")
    parser.add_argument(
        "--shares", type=int, default=1, help="processes of avl-core, which has one"
    )
    options = parser.parse_args()
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: options.cores])
    cores = len(os.sched_getaffinity(0))
    given = subject(options.module, SIMULATOR, options.filter)
    program = avl.install(ROOT / "sim_build" / "avl")
    with tempfile.TemporaryDirectory(dir=ROOT / "sim_build") as name:
        folder = Path(name)
        ours = campaign(options.module, SIMULATOR, folder, options.filter)
        generated = avl.generate(program, given, folder / "avl")
        sites = generated.sites
        if options.sample is not None and options.sample < len(sites):
            sites = tuple(random.Random(SEED).sample(sites, options.sample))
        graded = avl.grade(program, given, generated, sites, options.shares)
    tests = options.filter or " and ".join(given.member.target.test_modules)
    print(f"{options.module}, {SIMULATOR}, {cores} cores, the tests {tests}")
    _print_times(ours, generated, graded)
    print(f"cocotb-mutants: {_tally(_state(m) for m in ours.verdicts.values())}")
    print(f"avl-core: {_tally(_word(run) for run in graded.runs)}")
    _print_differences(given, ours.verdicts, graded.runs)


def _print_times(ours: Campaign, generated: avl.Generated, graded: avl.Graded) -> None:
    """Print what a mutant costs; work that is done once is shared out among all mutants."""
    mine = sum(m["status"] != "Ignored" for m in ours.verdicts.values())
    every, run = len(generated.sites), len(graded.runs)
    once = generated.seconds + graded.golden
    theirs = (once + graded.mutants * every / run) / every
    how = f"all {every}" if run == every else f"{run} of {every}, drawn with seed {SEED}"
    print(
        f"cocotb-mutants: {ours.seconds / mine:.3f} s per mutant "
        f"({ours.seconds:.1f} s for all {mine}, everything included)"
    )
    print(
        f"avl-core {avl.VERSION}: {theirs:.3f} s per mutant ({graded.mutants:.1f} s for {how}; "
        f"{once:.1f} s to write them and to run the original)"
    )
    print(f"ratio: {theirs / (ours.seconds / mine):.0f}")


def _print_differences(
    given: Subject, verdicts: Mapping[str, Mapping[str, Any]], runs: Sequence[avl.Run]
) -> None:
    pairs = list(_pairs(given, runs))
    both = _tally(f"{_state(verdicts[m.name])} and {_word(run)}" for m, run in pairs)
    print(f"planted by both, and run by avl-core: {len(pairs)}" + (f" ({both})" if both else ""))
    differing = 0
    for mutant, run in pairs:
        verdict = verdicts[mutant.name]
        if (verdict["status"] in _DETECTED) == run.detected:
            continue
        differing += 1
        print(f"differs: {mutant.name} (avl-core's {run.number}): {mutant.description}")
        print(f"  cocotb-mutants {_state(verdict)}, avl-core {_word(run)}: {_why(verdict, run)}")
    print(f"verdicts that differ: {differing}")


def _pairs(given: Subject, runs: Sequence[avl.Run]) -> Iterator[tuple[Mutant, avl.Run]]:
    """Yield what both tools planted: the whole text is the same but for white space."""
    by_text = {run.text: run for run in runs}
    for mutant in given.mutants:
        for content in patched(given.member.design, mutant).values():
            run = by_text.get(avl.bare(content.decode()))
            if run is not None:
                yield mutant, run


def _why(verdict: Mapping[str, Any], run: avl.Run) -> str:
    reason = first_line(verdict["statusReason"]).removeprefix(f"{_state(verdict)}: ")
    if not run.detected:
        return f"with avl-core every test passed; with cocotb-mutants: {reason}"
    if not run.has_result:
        return "avl-core counts a run without a result as killed"
    return f"with avl-core {run.reason}; with cocotb-mutants: {reason}"


def _state(verdict: Mapping[str, Any]) -> str:
    """Return our own word, of which the report's reason begins with; the published are fewer."""
    return str(verdict["statusReason"]).partition(":")[0]


def _word(run: avl.Run) -> str:
    if not run.detected:
        return "survived"
    return "killed" if run.has_result else f"killed without a result ({run.reason})"


def _tally(words: Iterable[str]) -> str:
    return ", ".join(f"{number} {word}" for word, number in Counter(words).most_common())


if __name__ == "__main__":
    main()
