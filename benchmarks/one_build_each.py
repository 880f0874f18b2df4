# SPDX-License-Identifier: Apache-2.0
"""How much faster a campaign is than one build and one process for each mutant.

Both sides get the same RTL, bench, mutants and cores. The slow side is what a script around
cocotb's runner does: write the mutated file, `build`, `test`, read the results; it runs on a
sample, and its time is multiplied up. Verdicts of the sample are compared.

    python -m benchmarks.one_build_each bandwidth_share --sim verilator --filter every_check
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.common import ROOT, Subject, campaign, request, subject
from cocotb_mutants.launch import environment
from cocotb_mutants.mutant import Mutant
from cocotb_mutants.schema import patched

SCRIPT = """
import json, sys
from cocotb_tools.runner import get_runner
request = json.load(open(sys.argv[1]))
runner = get_runner(request.pop("sim"))
test = request.pop("test")
runner.build(**request)
runner.test(**test)
"""


def main() -> None:
    """Print both times, the ratio, and each verdict that differs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("module")
    parser.add_argument("--sim", default="icarus")
    parser.add_argument("--sample", type=int, default=12, help="mutants on the slow side")
    parser.add_argument("--filter", default="", help="only tests whose name matches")
    options = parser.parse_args()
    given = subject(options.module, options.sim, options.filter)
    mutants = given.mutants
    sample = random.Random(1).sample(mutants, min(options.sample, len(mutants)))
    with tempfile.TemporaryDirectory(dir=ROOT / "sim_build") as name:
        folder = Path(name)
        ours = campaign(options.module, options.sim, folder, options.filter)
        cores = len(os.sched_getaffinity(0))
        started = time.monotonic()
        with ThreadPoolExecutor(cores) as pool:
            theirs = list(pool.map(lambda m: _alone(given, m, folder), sample))
        slow = (time.monotonic() - started) / len(sample) * len(mutants)
    print(f"{options.module}, {options.sim}, {len(mutants)} mutants, {cores} cores")
    print(f"campaign: {ours.seconds:.1f} s, all of it")
    print(f"one build and one process each: {slow:.1f} s, from {len(sample)} mutants")
    print(f"ratio: {slow / ours.seconds:.0f}")
    for mutant, killed in zip(sample, theirs, strict=True):
        status = ours.verdicts[mutant.name]["status"]
        if killed != (status == "Killed"):
            print(f"differs: {mutant.name}: {status}, alone killed: {killed}")


def _alone(given: Subject, mutant: Mutant, folder: Path) -> bool:
    """Build and run one mutant as a script would; return whether a test failed."""
    root = given.config.root
    own = folder / mutant.name
    own.mkdir()
    texts = patched(given.member.design, mutant)
    sources = []
    for file in given.member.target.sources:
        path = root / file
        if file in texts:
            path = own / path.name
            path.write_bytes(texts[file])
        sources.append(path)
    (own / "request.json").write_text(json.dumps(request(given, sources, own)))
    subprocess.run(
        [sys.executable, "-c", SCRIPT, str(own / "request.json")],
        env={**environment(folder / "bin"), "PYTHONPATH": str(root)},
        cwd=root,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    results = own / "results.xml"
    killed = not results.is_file() or bool(ElementTree.parse(results).findall(".//failure"))
    shutil.rmtree(own)
    return killed


if __name__ == "__main__":
    main()
