# SPDX-License-Identifier: Apache-2.0
"""What the commands leave behind: builds that are reused, pictures, records, coverage."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tb import tools
from tb.catalog import modules
from tb.plan import in_plan_order, load
from tests.acceptance.conftest import Checkout

MODULE = "policy_cost"
FIRST_TEN = {each.name for each in modules() if load(each).number <= 10}


def test_what_is_saved_while_a_build_waits_does_not_poison_the_cache(checkout: Checkout) -> None:
    rtl = f"rtl/fleet/{MODULE}.sv"
    lock = checkout.root / "sim_build/lock/build-icarus"
    lock.parent.mkdir(parents=True)
    other = checkout.root / "sim_build/lock/build-verilator"
    with lock.open("w") as held, other.open("w") as also_held:
        fcntl.flock(held, fcntl.LOCK_EX)
        fcntl.flock(also_held, fcntl.LOCK_EX)
        process = subprocess.Popen(
            [sys.executable, "-m", "tb", "sim", MODULE, "--quiet"],
            cwd=checkout.root,
            env=checkout.environment(),
            stdout=subprocess.DEVNULL,
        )
        time.sleep(5)  # long enough to have read the RTL and to be waiting for the lock
        checkout.edit(rtl, "total <= 17'(budget_us)", "total < 17'(budget_us)")
    assert process.wait(timeout=120) == 0, "what was compiled is not what was hashed"

    assert checkout.tb("sim", MODULE, "--quiet").returncode == 1
    checkout.edit(rtl, "total < 17'(budget_us)", "total <= 17'(budget_us)")
    assert checkout.tb("sim", MODULE, "--quiet").returncode == 0


def test_a_second_run_builds_nothing(checkout: Checkout, simulator: str) -> None:
    assert checkout.tb("sim", MODULE, "--sim", simulator, "--quiet").returncode == 0
    (build,) = (checkout.root / "sim_build/build" / simulator).glob(f"{MODULE}-*")
    before = {path: path.stat().st_mtime_ns for path in build.rglob("*")}
    # A newer file time with the same content must not count as a change.
    os.utime(checkout.root / f"rtl/fleet/{MODULE}.sv")

    assert checkout.tb("sim", MODULE, "--sim", simulator, "--quiet").returncode == 0

    assert {path: path.stat().st_mtime_ns for path in build.rglob("*")} == before


def test_going_back_to_older_rtl_runs_the_older_rtl(checkout: Checkout) -> None:
    rtl = f"rtl/fleet/{MODULE}.sv"
    assert checkout.tb("sim", MODULE, "--quiet").returncode == 0
    saved = checkout.root / "saved.sv"
    shutil.copy2(checkout.root / rtl, saved)
    checkout.edit(rtl, "total <= 17'(budget_us)", "total < 17'(budget_us)")
    assert checkout.tb("sim", MODULE, "--quiet").returncode == 1

    shutil.copy2(saved, checkout.root / rtl)

    assert checkout.tb("sim", MODULE, "--quiet").returncode == 0


def test_waves_are_written_as_fst(checkout: Checkout, simulator: str) -> None:
    done = checkout.tb("sim", MODULE, "--sim", simulator, "--quiet", "--waves")

    assert done.returncode == 0
    folder = checkout.root / "sim_build/run" / simulator / MODULE
    if simulator == "icarus" or tools.fst_from_verilator():
        assert f"waves: sim_build/run/{simulator}/{MODULE}/waves.fst" in done.stdout
        # An FST file begins with a header block: type 0, then its length, 329.
        assert (folder / "waves.fst").read_bytes()[:9] == bytes([0]) + (329).to_bytes(8)
    else:
        assert "VCD instead of FST" in done.stdout
        assert (folder / "waves.vcd").read_text(encoding="utf-8").startswith("$version")


def test_the_notice_run_is_drawn_with_the_forced_count_at_rest_on_six(checkout: Checkout) -> None:
    done = checkout.tb("wavedrom", "eviction_policy", "--rows", "W0-W7", "-o", "notice.svg")

    assert done.returncode == 0, done.stdout + done.stderr
    svg = (checkout.root / "notice.svg").read_text(encoding="utf-8")
    assert svg.startswith("<svg ")
    source = json.loads((checkout.root / "notice.json").read_text(encoding="utf-8"))
    lanes = [lane for lane in source["signal"] if lane.get("name") == "n_forced+"]
    assert [(lane["wave"], lane["data"]) for lane in lanes] == [
        ("=.......", ["0"]),
        ("======..", ["1", "2", "3", "4", "5", "6"]),
    ]


def test_the_regression_records_its_totals(checkout: Checkout, simulator: str) -> None:
    in_order = in_plan_order(modules())
    plans = [load(module) for module in in_order]

    done = checkout.tb("regress", "--sim", simulator, "--cycles", "20")

    assert done.returncode == 0, done.stdout + done.stderr
    summary = json.loads(
        (checkout.root / f"sim_build/summary/{simulator}.json").read_text(encoding="utf-8")
    )
    planned = {
        side: sum(len(plan.checks) for plan in plans if side in (plan.side, "all"))
        for side in ("front", "back", "all")
    }
    assert summary["checks"] == {
        side: {"passed": count, "planned": count} for side, count in planned.items()
    }
    totals = ", ".join(f"{side} {count} of {count}" for side, count in planned.items())
    assert f"checks passed: {totals}" in done.stdout
    assert list(summary["modules"]) == [module.name for module in in_order]
    assert {module["compared"] for module in summary["modules"].values()} == {20}
    assert summary["seed"] == 1


def test_coverage_reaches_its_goals_and_is_exported(checkout: Checkout) -> None:
    done = checkout.tb("coverage")

    assert done.returncode == 0, done.stdout + done.stderr
    folder = checkout.root / "sim_build/coverage"
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    assert set(summary) == {module.name for module in modules()}
    for module, figures in summary.items():
        for kind in ("functional", "line", "branch"):
            assert figures[kind]["hit"] == figures[kind]["of"] > 0, (module, kind)
        assert figures["missed"] == []
    # The bits that docs/coverage.md says cannot move, and no others.
    still = {
        (module, label.partition(":")[0])
        for module, figures in summary.items()
        for label in figures["untoggled"]
    }
    assert {each for each in still if each[0] in FIRST_TEN} == {
        *(("tenant_admission", f"accepts[{bit}]") for bit in range(4, 16)),
        *(("oversubscription", f"ratio[{bit}]") for bit in range(23, 32)),
        ("bandwidth_share", "share_pct[7]"),
        ("tenant_attribution", "attributable"),
        ("failure_domain", "loss_pct[7]"),
        *(("policy_cost", f"overhead_pct[{bit}]") for bit in range(7, 16)),
        *(("policy_cost", f"parallel_us[{bit}]") for bit in range(8, 16)),
    }
    info = (folder / "code.info").read_text(encoding="utf-8").splitlines()
    assert info.count("end_of_record") == len(modules())
    assert "SF:rtl/fleet/policy_cost.sv" in info
    from ucis.xml.xml_factory import XmlFactory

    assert XmlFactory.read(str(folder / "functional.ucis.xml")) is not None


def test_a_corner_that_is_never_driven_is_a_missed_goal(checkout: Checkout) -> None:
    longest = "            (255, 254),\n            (255, 255),\n"
    checkout.edit("tb/fleet/test_eviction_policy.py", longest, "")

    done = checkout.tb("coverage", "eviction_policy", "--cycles", "1")

    assert done.returncode == 7, done.stdout
    assert "missed: bin fleet.evp.notice[longest] never hit" in done.stdout
    assert "below its goal: eviction_policy: functional" in done.stdout


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM], ids=lambda sent: sent.name)
def test_an_interruption_ends_everything_and_leaves_nothing_half_written(
    checkout: Checkout, sent: signal.Signals
) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "tb", "sim", MODULE, "--cycles", "1000000", "--quiet"],
        cwd=checkout.root,
        env=checkout.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    run = checkout.root / "sim_build/run"
    with process:
        deadline = time.monotonic() + 120
        while not list(run.glob("*/*/progress.json")) and time.monotonic() < deadline:
            time.sleep(0.1)
        process.send_signal(sent)
        try:
            _, messages = process.communicate(timeout=30)
        finally:
            process.kill()

    assert process.returncode == 130
    assert messages.strip() == "interrupted"
    assert not list(run.glob("*/*/result.json"))
    assert not _processes_in(checkout.root)


def _processes_in(folder: Path) -> list[str]:
    """Command lines of processes whose working directory lies in *folder*."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (process / "cwd").resolve().is_relative_to(folder):
                found.append((process / "cmdline").read_text(encoding="utf-8"))
        except (FileNotFoundError, PermissionError, ProcessLookupError):
            continue
    return found
