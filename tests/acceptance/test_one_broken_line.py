# SPDX-License-Identifier: Apache-2.0
"""One broken line of RTL fails the checks that it must, with a message that helps."""

from __future__ import annotations

import json
import re

import pytest

from tb.run import PLAN_TEST
from tests.acceptance.conftest import Checkout

# Module, text, replacement, and the ids of all checks that must fail.
BREAKS = [
    ("tenant_admission", "want_gb <= dev", "want_gb < dev", "ADM11 ADM12 ADM17 ADM22"),
    ("oversubscription", "sum_quota_gb > pool_gb", "sum_quota_gb >= pool_gb", "OVS12 OVS14 OVS22"),
    ("bandwidth_share", "link_gbps - a_served", "link_gbps - a_cap",
     "BWS09 BWS17 BWS18 BWS19 BWS22 BWS23"),
    ("tenant_attribution", "tenant_id == 4'd1 &&", "tenant_id == 4'd0 &&", "ATT13"),
    ("eviction_policy", "elapsed_cycles >= notice", "elapsed_cycles > notice",
     "EVP07 EVP08 EVP09 EVP10 EVP16 EVP17 EVP18 EVP20 EVP23 EVP24"),
    ("failure_domain", "{tenants_lost, 1'b0} > {", "{tenants_lost, 1'b0} >= {", "FDM09 FDM19"),
    ("rebind_sequence", "new_prescribed && !old_can_access", "new_prescribed", "RBS17"),
    ("fair_scheduler", "(b_leaves > a_entitled) ? b_leaves : a_entitled", "a_entitled",
     "FSH09 FSH10"),
    ("policy_cost", "total <= 17'(budget_us)", "total < 17'(budget_us)", "PCO22 PCO24"),
    ("multi_tenant_model", "if (sound && n_sound", "if (n_sound", "MTM16 MTM25"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("module", "old", "new", "failing"), BREAKS, ids=[each[0] for each in BREAKS]
)
def test_a_broken_line_fails_its_checks(
    checkout: Checkout, module: str, old: str, new: str, failing: str
) -> None:
    checkout.edit(f"rtl/fleet/{module}.sv", old, new)

    done = checkout.tb("sim", module, "--quiet", "--only", PLAN_TEST)

    assert done.returncode == 1, done.stdout + done.stderr
    (record,) = checkout.root.glob(f"sim_build/run/*/{module}/result.json")
    checks = json.loads(record.read_text(encoding="utf-8"))["checks"]
    assert [check["id"] for check in checks if not check["passed"]] == failing.split()
    # One line that names them all, for those that keep no more than one.
    first = f"{PLAN_TEST}: {len(failing.split())} of {len(checks)} checks failed: {failing}\n"
    assert first in done.stdout
    for name in failing.split():
        line = rf"^{name} (row \w+\+?|after the last row|over the step rows) (correct|broken) \w+: "
        line += r"expected \d+, seen \d+ \(.+\)$"
        assert re.search(line, done.stdout, re.MULTILINE), done.stdout


def test_the_random_regression_alone_finds_a_broken_line(checkout: Checkout) -> None:
    checkout.edit("rtl/fleet/fair_scheduler.sv", "budget - b_req : 16'd0", "budget : 16'd0")

    done = checkout.tb("sim", "fair_scheduler", "--quiet", "--only", "random_traffic")

    assert done.returncode == 1
    assert "differences from the model in 300 cycles" in done.stdout
    assert re.search(
        r"cycle \d+ at \d+ ns: correct a_grant: expected \d+, seen \d+ \[rst_n=1 ", done.stdout
    )


def test_a_reset_that_waits_for_the_clock_is_found(checkout: Checkout) -> None:
    checkout.edit("rtl/fleet/policy_cost.sv", "posedge clk or negedge rst_n", "posedge clk")

    done = checkout.tb("sim", "policy_cost", "--quiet", "--only", "reset_clears")

    assert done.returncode == 1
    assert "correct build: reset leaves {'n_allocs': 1" in done.stdout


def test_a_counter_that_wraps_is_found(checkout: Checkout) -> None:
    checkout.edit("rtl/fleet/policy_cost.sv", "if (n_allocs != 8'hFF) n_allocs", "n_allocs")

    done = checkout.tb("sim", "policy_cost", "--quiet", "--only", "counters_stop")

    assert done.returncode == 1
    assert "n_allocs after the edge: expected 255, seen 0" in done.stdout


@pytest.mark.parametrize(
    ("module", "old", "new"),
    [
        # The second counter goes by the first one's end.
        (
            "tenant_admission",
            "!admitted && n_rejected != 8'hFF",
            "!admitted && n_requests != 8'hFF",
        ),
        # The first counter goes by the second one's end, and wraps.
        ("rebind_sequence", "if (n_steps != 8'hFF)", "if (n_unsafe != 8'hFF)"),
        # All counters stop when the first one is full.
        ("bandwidth_share", "else if (cycle_en)", "else if (cycle_en && n_cycles != 8'hFF)"),
        ("tenant_attribution", "&& t0_events != 8'hFF", "&& n_events != 8'hFF"),
    ],
)
def test_a_counter_that_goes_by_another_ones_end_is_found(
    checkout: Checkout, module: str, old: str, new: str
) -> None:
    checkout.edit(f"rtl/fleet/{module}.sv", old, new)

    assert checkout.tb("sim", module, "--quiet", "--only", "counters_stop").returncode == 1


def test_an_output_that_reset_holds_down_is_found(checkout: Checkout) -> None:
    checkout.edit(
        "rtl/fleet/oversubscription.sv",
        "broken_promise_err = step",
        "broken_promise_err = rst_n && step",
    )

    done = checkout.tb("sim", "oversubscription", "--quiet", "--only", "reset_leaves_everything")

    assert done.returncode == 1
    assert "correct broken_promise_err: expected 1, seen 0 [rst_n=0 " in done.stdout


@pytest.mark.parametrize("bits", [17, 18, 19, 20, 21, 22])
def test_a_product_that_is_too_narrow_is_found(checkout: Checkout, bits: int) -> None:
    product = "32'd100 * 32'(sum_quota_gb)"
    narrow = f"({product} & 32'd{(1 << bits) - 1})"
    checkout.edit("rtl/fleet/oversubscription.sv", product, narrow)

    assert checkout.tb("sim", "oversubscription", "--quiet", "--only", "corner").returncode == 1


def test_the_same_seed_replays_the_same_stimulus(checkout: Checkout) -> None:
    checkout.edit("rtl/fleet/fair_scheduler.sv", "budget - b_req : 16'd0", "budget : 16'd0")
    command = ("sim", "fair_scheduler", "--quiet", "--only", "random_traffic", "--seed")

    first, again, other = (checkout.tb(*command, seed).stdout for seed in ("7", "7", "8"))

    def mismatches(text: str) -> list[str]:
        return [line for line in text.splitlines() if line.startswith("cycle ")]

    assert mismatches(first)
    assert mismatches(first) == mismatches(again)
    assert mismatches(first) != mismatches(other)
