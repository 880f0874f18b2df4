# SPDX-License-Identifier: Apache-2.0
"""The proofs on this suite: every mutant is decided, and the six survivors get the right story."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest

from benchmarks.common import subject
from cocotb_mutants.proofs.prover import Prover
from tb.catalog import ROOT
from tests.mutants.acceptance.test_suite_campaigns import WEAK, Project, project

__all__ = ["project"]

WEAKENED = (
    "oversubscription",
    "bandwidth_share",
    "tenant_attribution",
    "rebind_sequence",
    "failure_domain",
    "fair_scheduler",
)
README = (ROOT / "README.md").read_text(encoding="utf-8")
IGNORED = {
    row[1]: int(row[2])
    for row in re.finditer(r"^(\w+) +\d+ +\d+ +\d+ +(\d+) +100\.0 %$", README, re.MULTILINE)
}
X = {"a division by zero", "a register that no reset sets", "an X"}
EVENTS = "it changes what wakes a process"


def test_the_readme_has_a_row_for_each_module() -> None:
    assert len(IGNORED) == 10


@pytest.mark.parametrize("module", sorted(IGNORED))
def test_every_mutant_is_decided_and_none_that_a_test_kills_is_called_equivalent(
    module: str,
) -> None:
    given = subject(module, "icarus")

    found = {
        m.name: proved.decision for m, proved in Prover(given.member.design, given.mutants).all()
    }

    kinds = Counter(each.kind for each in found.values())
    # Those that the whole bench lets live, by the campaign whose table the README shows.
    assert kinds["equivalent"] == IGNORED[module]
    assert kinds["bounded"] == 0
    undecided = {name: each.how for name, each in found.items() if each.kind == "unknown"}
    assert set(undecided.values()) <= {EVENTS}
    assert all(re.search(r"\.(edge|sensitivity)-", name) for name in undecided)
    assert {each.how for each in found.values() if each.kind == "undetermined"} <= X
    assert sum(kinds.values()) == len(given.mutants)


def test_the_survivors_of_the_weak_plan_have_their_stories(
    project: Project,
    simulator: str,
) -> None:
    report = project.checkout.root / "report.json"
    targets = [word for name in WEAKENED for word in ("--target", name)]
    options = ("--simulator", simulator, "--explain", "--json", str(report))
    project.run("--config", WEAK, *options, *targets)

    files = json.loads(report.read_text(encoding="utf-8"))["files"].values()
    told = {m["id"]: m["statusReason"] for file in files for m in file["mutants"]}
    survived = {name: text for name, text in told.items() if not text.startswith("killed")}
    assert survived.pop("M25").startswith("ignored: equivalent: ")
    divisions = {name: survived.pop(name) for name in ("M07", "M36") if name in survived}
    assert survived.keys() == {"M06", "M11", "M16", "M30"}
    assert all(re.search(r"kills_M\d+ in \S+ kills it$", text) for text in survived.values())
    if simulator == "icarus":
        assert divisions.keys() == {"M07"}
        assert re.search(r"ratio_x100 is undetermined instead of 0 .* kills it$", divisions["M07"])
    else:
        said = "differs only by what nothing determines: a division by zero"
        assert all(text.endswith(said) for text in divisions.values())
        assert divisions.keys() == {"M07", "M36"}
