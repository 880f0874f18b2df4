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

from cocotb_mutants.config import Config, Target, load
from cocotb_mutants.launch import environment
from cocotb_mutants.layout import include_folders
from cocotb_mutants.mutant import Mutant
from cocotb_mutants.population import Member, populate
from cocotb_mutants.schema import patched

ROOT = Path(__file__).resolve().parents[1]
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
    subprocess.run([sys.executable, "-m", "tb", "mutation-sources"], cwd=ROOT, check=True)
    overrides = {"simulator": options.sim, "test_filter": options.filter}
    config = load(ROOT / "pyproject.toml", overrides).expand().select([options.module])
    population = populate(config)
    (member,) = population.members
    mutants = population.of(member)
    sample = random.Random(1).sample(mutants, min(options.sample, len(mutants)))
    with tempfile.TemporaryDirectory(dir=ROOT / "sim_build") as name:
        folder = Path(name)
        ours, verdicts = _campaign(options, folder)
        cores = len(os.sched_getaffinity(0))
        started = time.monotonic()
        with ThreadPoolExecutor(cores) as pool:
            theirs = list(pool.map(lambda m: _alone(config, member, m, folder), sample))
        slow = (time.monotonic() - started) / len(sample) * len(mutants)
    print(f"{options.module}, {options.sim}, {len(mutants)} mutants, {cores} cores")
    print(f"campaign: {ours:.1f} s, all of it")
    print(f"one build and one process each: {slow:.1f} s, from {len(sample)} mutants")
    print(f"ratio: {slow / ours:.0f}")
    for mutant, killed in zip(sample, theirs, strict=True):
        if killed != (verdicts[mutant.name] == "Killed"):
            print(f"differs: {mutant.name}: {verdicts[mutant.name]}, alone killed: {killed}")


def _campaign(options: argparse.Namespace, folder: Path) -> tuple[float, dict[str, str]]:
    report = folder / "report.json"
    words = [sys.executable, "-m", "cocotb_mutants", "run", "--target", options.module]
    words += ["--sim", options.sim, "--work-dir", str(folder / "work"), "--json", str(report)]
    words += ["--test-filter", options.filter] if options.filter else []
    started = time.monotonic()
    subprocess.run(words, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    seconds = time.monotonic() - started
    files = json.loads(report.read_text())["files"].values()
    return seconds, {m["id"]: m["status"] for file in files for m in file["mutants"]}


def _alone(config: Config, member: Member, mutant: Mutant, folder: Path) -> bool:
    """Build and run one mutant as a script would; return whether a test failed."""
    target = member.target
    own = folder / mutant.name
    own.mkdir()
    texts = patched(member.design, mutant)
    sources = []
    for file in target.sources:
        path = config.root / file
        if file in texts:
            path = own / path.name
            path.write_bytes(texts[file])
        sources.append(str(path))
    request = _request(config, target, sources, own)
    request["includes"] = [str(each) for each in include_folders(member.design.sources)]
    (own / "request.json").write_text(json.dumps(request))
    subprocess.run(
        [sys.executable, "-c", SCRIPT, str(own / "request.json")],
        env={**environment(folder / "bin"), "PYTHONPATH": str(config.root)},
        cwd=config.root,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    results = own / "results.xml"
    killed = not results.is_file() or bool(ElementTree.parse(results).findall(".//failure"))
    shutil.rmtree(own)
    return killed


def _request(config: Config, target: Target, sources: list[str], own: Path) -> dict[str, object]:
    return {
        "sim": config.simulator,
        "sources": sources,
        "hdl_toplevel": target.top,
        "build_dir": str(own / "build"),
        "timescale": target.timescale.split("/"),
        "always": True,
        "test": {
            "test_module": ",".join(target.test_modules),
            "hdl_toplevel": target.top,
            "test_filter": target.test_filter or None,
            "build_dir": str(own / "build"),
            "results_xml": str(own / "results.xml"),
            "seed": config.seed,
        },
    }


if __name__ == "__main__":
    main()
