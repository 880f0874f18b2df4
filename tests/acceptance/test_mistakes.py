# SPDX-License-Identifier: Apache-2.0
"""Every mistake is answered with one clear message and an exit code of its own."""

from __future__ import annotations

import subprocess

import pytest

from tests.acceptance.conftest import Checkout

MODULE = "policy_cost"
BENCH = f"tb/fleet/test_{MODULE}.py"


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


def test_a_row_that_does_not_exist_cannot_be_drawn(checkout: Checkout) -> None:
    done = checkout.tb("wavedrom", "eviction_policy", "--rows", "W0-W9", "-o", "notice.svg")

    assert done.returncode == 2
    (line,) = error_lines(done)
    assert "eviction_policy has no row 'W9'; its rows are E1, E2" in line
    assert not (checkout.root / "notice.svg").exists()
