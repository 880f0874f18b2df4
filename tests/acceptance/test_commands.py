# SPDX-License-Identifier: Apache-2.0
"""What a user meets at the command line: results, pictures, one clear message a mistake."""

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
BENCH = f"tb/fleet/test_{MODULE}.py"
FIRST_TEN = {each.name for each in modules() if load(each).number <= 10}


def error_lines(done: subprocess.CompletedProcess[str]) -> list[str]:
    """The messages, wherever they were printed."""
    lines = (done.stdout + done.stderr).splitlines()
    assert not any("Traceback" in line for line in lines), done.stderr
    return [line for line in lines if line.startswith("error: ")]


def test_an_unknown_module_is_answered_with_the_nearest_name(checkout: Checkout) -> None:
    done = checkout.tb("sim", "policy_coast")

    assert done.returncode == 2
    (line,) = error_lines(done)
    assert "no module 'policy_coast': did you mean policy_cost?" in line


def test_no_module_is_answered_with_all_names(checkout: Checkout) -> None:
    done = checkout.tb("sim", "")

    assert done.returncode == 2
    (line,) = error_lines(done)
    assert "MODULE=" in line
    assert "tenant_admission" in line


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--sim", "questa"), "SIM=questa is not a simulator of this suite"),
        (("--seed", "soon"), "SEED=soon is not a whole number"),
        (("--cycles", "0"), "0 is not in the range x>=1"),
    ],
)
def test_a_bad_option_is_a_usage_error(
    checkout: Checkout, arguments: tuple[str, ...], expected: str
) -> None:
    done = checkout.tb("regress", *arguments)

    assert done.returncode == 2
    assert expected in done.stderr
    assert "Traceback" not in done.stderr


def test_an_impossible_test_filter_is_a_usage_error(checkout: Checkout) -> None:
    done = checkout.tb("sim", MODULE, "--only", "d0(")

    assert done.returncode == 2
    (line,) = error_lines(done)
    assert "ONLY=d0( is not a regular expression" in line


def test_a_missing_simulator_is_named_with_what_to_install(checkout: Checkout) -> None:
    empty = checkout.root / "empty"
    empty.mkdir()

    for simulator, advice in (
        ("icarus", "apt-get install iverilog"),
        ("verilator", "apt-get install g++ make"),
    ):
        done = checkout.tb("sim", MODULE, "--sim", simulator, PATH=str(empty))

        assert done.returncode == 3
        (line,) = error_lines(done)
        assert f"{simulator} cannot run here" in line
        assert advice in line


def test_rtl_that_does_not_compile_is_one_message(checkout: Checkout, simulator: str) -> None:
    checkout.edit(f"rtl/fleet/{MODULE}.sv", "assign serial_us   = ", "assign serial_us   = = ")

    done = checkout.tb("sim", MODULE, "--sim", simulator, "--quiet")

    assert done.returncode == 4
    (line,) = error_lines(done)
    assert line.startswith(f"error: rtl/fleet/{MODULE}.sv does not compile under {simulator}: ")
    text = (checkout.root / f"rtl/fleet/{MODULE}.sv").read_text(encoding="utf-8")
    number = text[: text.index("= = ")].count("\n") + 1
    assert f"rtl/fleet/{MODULE}.sv:{number}" in line
    log = checkout.root / line.rpartition("all of it in ")[2].rstrip(")")
    assert f"{MODULE}.sv" in log.read_text(encoding="utf-8")


def test_rtl_that_does_not_compile_leaves_no_build_behind(checkout: Checkout) -> None:
    broken = "assign serial_us   = = "
    checkout.edit(f"rtl/fleet/{MODULE}.sv", "assign serial_us   = ", broken)
    assert checkout.tb("sim", MODULE, "--quiet").returncode == 4

    checkout.edit(f"rtl/fleet/{MODULE}.sv", broken, "assign serial_us   = ")
    done = checkout.tb("sim", MODULE, "--quiet")

    assert done.returncode == 0, done.stdout
    assert not list(checkout.root.glob("sim_build/build/*/.*"))


def test_a_bench_without_a_test_is_refused(checkout: Checkout) -> None:
    text = (checkout.root / BENCH).read_text(encoding="utf-8").replace("@bench_test\n", "")
    (checkout.root / BENCH).write_text(text, encoding="utf-8")

    done = checkout.tb("sim", MODULE, "--quiet")

    assert done.returncode == 5
    (line,) = error_lines(done)
    assert f"{BENCH} contains no test" in line


def test_a_bench_that_cannot_be_imported_is_named_with_its_error(
    checkout: Checkout, simulator: str
) -> None:
    with (checkout.root / BENCH).open("a", encoding="utf-8") as file:
        file.write("\nimport no_such_package\n")

    done = checkout.tb("sim", MODULE, "--sim", simulator, "--quiet")

    assert done.returncode == 5
    (line,) = error_lines(done)
    assert "bench cannot be loaded: ModuleNotFoundError: No module named 'no_such_package'" in line


def test_a_simulator_that_dies_is_not_a_result(checkout: Checkout, simulator: str) -> None:
    with (checkout.root / BENCH).open("a", encoding="utf-8") as file:
        file.write("\n\n@bench_test\nasync def dies(bench):\n    import os\n    os._exit(3)\n")

    done = checkout.tb("sim", MODULE, "--sim", simulator, "--quiet")

    assert done.returncode == 6
    (line,) = error_lines(done)
    assert f"{MODULE}: {simulator} ended with code" in line
    assert not list(checkout.root.glob("sim_build/run/*/*/result.json"))


@pytest.mark.parametrize("raised", ['$error("odd")', "$stop", '$fatal(1, "odd")'])
def test_rtl_that_raises_an_error_of_its_own_is_not_a_pass(
    checkout: Checkout, simulator: str, raised: str
) -> None:
    checkout.edit(
        f"rtl/fleet/{MODULE}.sv",
        "  always_ff @",
        f"  always @(posedge clk) if (n_allocs == 8'd3) {raised};\n  always_ff @",
    )

    done = checkout.tb("sim", MODULE, "--sim", simulator, "--quiet")

    assert done.returncode == 6, done.stdout
    (line,) = error_lines(done)
    assert f"{MODULE}: " in line


def test_a_skipped_test_is_not_a_pass(checkout: Checkout) -> None:
    with (checkout.root / BENCH).open("a", encoding="utf-8") as file:
        file.write(
            "\n\nimport cocotb\n\n\n@cocotb.test(skip=True)\nasync def left_out(dut):\n    pass\n"
        )

    done = checkout.tb("sim", MODULE, "--quiet")

    assert done.returncode == 1
    assert "left_out: skipped, which is not a pass" in done.stdout


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        (f"models/fleet/{MODULE}.py", "policy_us: U16", "policy_us: U15"),
        (f"models/fleet/{MODULE}.py", '"SERIAL_CHECKS"', '"SERIAL"'),
        (f"rtl/fleet/{MODULE}.sv", "  input  logic        alloc,", "  input  logic alloc, more,"),
    ],
    ids=["width", "parameter", "extra input"],
)
def test_rtl_and_model_that_disagree_are_told_so(
    checkout: Checkout, simulator: str, path: str, old: str, new: str
) -> None:
    checkout.edit(path, old, new)
    checkout.edit(f"models/fleet/{MODULE}.py", "U1, U8, U16,", "U1, U8, U15, U16,")

    done = checkout.tb("sim", MODULE, "--sim", simulator, "--quiet")

    assert done.returncode == 4, done.stdout
    (line,) = error_lines(done)
    model = f"models/fleet/{MODULE}.py"
    assert f"rtl/fleet/{MODULE}.sv and {model} disagree on ports or parameter: " in line


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("from dataclasses import", "from dataclass import", "ModuleNotFoundError"),
        ('ENABLE = "alloc"', 'ENABLE = "alloce"', "names alloce as its enable"),
        ("def step(", "def stop(", "has no attribute 'step'"),
        ("budget_us: U16", "budget_us: int", "__metadata__"),
    ],
)
def test_a_model_that_cannot_be_used_is_named(
    checkout: Checkout, old: str, new: str, reason: str
) -> None:
    checkout.edit(f"models/fleet/{MODULE}.py", old, new)

    for command in (("sim", MODULE), ("list",)):
        done = checkout.tb(*command)

        assert done.returncode == 5
        (line,) = error_lines(done)
        assert f"models/fleet/{MODULE}.py" in line
        assert reason in line


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


@pytest.mark.parametrize(
    "path",
    [
        f"rtl/fleet/{MODULE}.sv",
        f"models/fleet/{MODULE}.py",
        f"tb/fleet/test_{MODULE}.py",
        f"tb/fleet/{MODULE}.toml",
    ],
)
def test_a_module_without_one_of_its_files_is_an_error_not_a_crash(
    checkout: Checkout, path: str
) -> None:
    (checkout.root / path).unlink()

    for command in (("sim", MODULE, "--quiet"), ("regress",)):
        done = checkout.tb(*command)

        assert done.returncode == 5
        (line,) = error_lines(done)
        assert f"module {MODULE} has no {path}" in line


def test_a_check_that_is_never_reached_is_a_failure(checkout: Checkout) -> None:
    checkout.edit("tb/planrun.py", "for check in plan.checks:", "for check in plan.checks[:-1]:")

    done = checkout.tb("sim", MODULE, "--quiet")

    assert done.returncode == 1
    assert f"failed: {MODULE}" in done.stdout
    assert "never reached: PCO24" in done.stdout


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


def test_a_row_that_does_not_exist_cannot_be_drawn(checkout: Checkout) -> None:
    done = checkout.tb("wavedrom", "eviction_policy", "--rows", "W0-W9", "-o", "notice.svg")

    assert done.returncode == 2
    (line,) = error_lines(done)
    assert "eviction_policy has no row 'W9'; its rows are E1, E2" in line
    assert not (checkout.root / "notice.svg").exists()


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
