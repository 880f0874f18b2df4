# SPDX-License-Identifier: Apache-2.0
"""The named mutations, the campaigns that plant them, and what is installed to do so."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest
from pyslang import ast, syntax

from tb.catalog import ROOT, find, modules
from tb.pair import pair_source
from tb.plan import load
from tb.run import PLAN_TEST, STANDARD

NAMED = {
    "M01": ("tenant_admission", "ADM11 ADM12 ADM17 ADM22"),
    "M02": ("tenant_admission", "ADM06 ADM07 ADM17"),
    "M03": ("tenant_admission", "ADM10 ADM17"),
    "M04": ("tenant_admission", "ADM17 ADM22"),
    "M05": ("tenant_admission", "ADM21"),
    "M06": ("oversubscription", "OVS15"),
    "M07": ("oversubscription", "OVS17"),
    "M08": ("oversubscription", "OVS10 OVS11 OVS13 OVS16 OVS20 OVS22 OVS23"),
    "M09": ("oversubscription", "OVS12 OVS14 OVS22"),
    "M10": ("oversubscription", "OVS14 OVS22"),
    "M11": ("bandwidth_share", "BWS13 BWS15 BWS23"),
    "M12": ("bandwidth_share", "BWS21 BWS23"),
    "M13": ("bandwidth_share", "BWS04 BWS05 BWS06 BWS07 BWS15"),
    "M14": ("bandwidth_share", "BWS20"),
    "M15": ("bandwidth_share", "BWS09 BWS17 BWS18 BWS19 BWS22 BWS23"),
    "M16": ("tenant_attribution", "ATT13"),
    "M17": ("tenant_attribution", "ATT12"),
    "M18": ("tenant_attribution", "ATT19 ATT20 ATT21"),
    "M19": ("tenant_attribution", "ATT03 ATT06 ATT07"),
    "M20": ("eviction_policy", "EVP07 EVP08 EVP09 EVP10 EVP16 EVP17 EVP18 EVP20 EVP23 EVP24"),
    "M21": ("eviction_policy", "EVP02 EVP08 EVP20"),
    "M22": ("eviction_policy", "EVP03 EVP12 EVP13 EVP18"),
    "M23": ("eviction_policy", "EVP13 EVP16 EVP17 EVP23"),
    "M24": ("eviction_policy", "EVP12 EVP18 EVP24"),
    "M25": ("failure_domain", "FDM02 FDM11 FDM15 FDM21"),
    "M26": ("failure_domain", "FDM05 FDM06 FDM07 FDM10 FDM11 FDM12 FDM13 FDM19"),
    "M27": ("failure_domain", "FDM09 FDM19"),
    "M28": ("failure_domain", "FDM14 FDM15 FDM25"),
    "M29": ("failure_domain", "FDM16"),
    "M30": ("rebind_sequence", "RBS17"),
    "M31": ("rebind_sequence", "RBS11 RBS12 RBS13"),
    "M32": ("rebind_sequence", "RBS13"),
    "M33": ("rebind_sequence", "RBS19"),
    "M34": ("rebind_sequence", "RBS14"),
    "M35": ("fair_scheduler", "FSH09 FSH10"),
    "M36": ("fair_scheduler", "FSH14 FSH15 FSH16 FSH24 FSH25"),
    "M37": ("fair_scheduler", "FSH11 FSH19 FSH25"),
    "M38": ("fair_scheduler", "FSH05 FSH19 FSH25"),
    "M39": ("policy_cost", "PCO22 PCO24"),
    "M40": ("policy_cost", "PCO01 PCO02 PCO03 PCO05 PCO06 PCO07 PCO08 PCO09 PCO15"),
    "M41": ("policy_cost", "PCO03 PCO07 PCO19"),
    "M42": ("policy_cost", "PCO10 PCO11 PCO12"),
    "M43": ("multi_tenant_model", "MTM09 MTM16"),
    "M44": ("multi_tenant_model", "MTM06 MTM12"),
    "M45": ("multi_tenant_model", "MTM03 MTM17 MTM24"),
    "M46": ("multi_tenant_model", "MTM16 MTM25"),
    "M47": ("multi_tenant_model", "MTM13 MTM14"),
}
"""The mutations as they were agreed, apart from the file: module, and all checks that must fail."""

MUTATIONS = ROOT / "tb" / "mutations"


def toml(path: str) -> dict[str, Any]:
    return tomllib.loads((ROOT / path).read_text(encoding="utf-8"))


ENTRIES: list[dict[str, Any]] = toml("tb/mutations/fleet.toml")["mutation"]
PROJECT = toml("pyproject.toml")
CAMPAIGNS: dict[str, dict[str, Any]] = {
    "pyproject": PROJECT["tool"]["cocotb-mutants"],
    "plan": toml("tb/mutations/plan_campaign.toml"),
    "weak": toml("tb/mutations/weak_campaign.toml"),
}

each_entry = pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["name"])
each_campaign = pytest.mark.parametrize("name", CAMPAIGNS)


def source(entry: dict[str, Any]) -> str:
    return (ROOT / str(entry["file"])).read_text(encoding="utf-8")


def planted(entry: dict[str, Any]) -> str:
    return source(entry).replace(str(entry["find"]), str(entry["replace"]))


def errors(module: str, rtl: str) -> list[str]:
    compilation = ast.Compilation()
    compilation.addSyntaxTree(syntax.SyntaxTree.fromText(rtl, module))
    compilation.addSyntaxTree(syntax.SyntaxTree.fromText(pair_source(find(module)), "pair"))
    return [str(each.code) for each in compilation.getAllDiagnostics() if each.isError()]


def test_the_mutations_are_the_47_that_were_agreed() -> None:
    found = {
        each["name"]: (
            each["file"].removeprefix("rtl/fleet/").removesuffix(".sv"),
            each["notes"]["checks"],
        )
        for each in ENTRIES
    }

    assert len(ENTRIES) == len(NAMED) == 47
    assert found == NAMED


@each_entry
def test_the_text_to_replace_is_in_the_rtl_once(entry: dict[str, Any]) -> None:
    assert source(entry).count(entry["find"]) == 1


@each_entry
def test_the_mutated_pair_elaborates(entry: dict[str, Any]) -> None:
    module, _ = NAMED[entry["name"]]

    assert errors(module, source(entry)) == []
    assert errors(module, planted(entry)) == []


def test_no_two_mutations_make_the_same_text_nor_the_original() -> None:
    texts = {planted(each) for each in ENTRIES} | {source(each) for each in ENTRIES}

    assert len(texts) == 47 + len({each["file"] for each in ENTRIES})


def test_verilator_sees_less_where_an_x_is_all_that_shows() -> None:
    # These three take the guard of a division away.
    less = {
        each["name"]: each["notes"]["verilator"] for each in ENTRIES if "verilator" in each["notes"]
    }

    assert less == {"M07": "", "M28": "FDM25", "M36": ""}


@each_entry
def test_the_checks_that_must_fail_are_in_the_plan(entry: dict[str, Any]) -> None:
    module, checks = NAMED[entry["name"]]

    assert set(checks.split()) <= {check.id for check in load(find(module)).checks}
    assert entry["reason"]


@each_campaign
def test_a_campaign_covers_every_module_without_naming_one(name: str) -> None:
    (target,) = CAMPAIGNS[name]["target"]
    named = {word for each in modules() for word in re.findall(each.name, str(target))}

    assert named == set()
    assert target["each"].removeprefix("sim_build/weak/") == "rtl/fleet/*.sv"
    assert {each.rtl for each in modules()} >= set(ROOT.glob("rtl/fleet/*.sv"))


@each_campaign
def test_a_campaign_makes_what_it_reads_first(name: str) -> None:
    made = ["{python}", "-m", "tb", "mutation-sources"]

    assert CAMPAIGNS[name]["prepare"] == ([*made, "--weak"] if name == "weak" else made)


@pytest.mark.parametrize("name", ["plan", "weak"])
def test_the_named_mutations_meet_the_plan_alone(name: str) -> None:
    campaign = CAMPAIGNS[name]

    assert campaign["only-mutations"] is True
    assert campaign["test-filter"] == PLAN_TEST
    assert STANDARD in campaign["target"][0]["test-modules"]
    assert (MUTATIONS / campaign["root"]).resolve() == ROOT


def test_campaigns_share_nothing_but_the_pairs() -> None:
    folders = [each.get("work-dir", "sim_build/mutants") for each in CAMPAIGNS.values()]

    assert len(set(folders)) == len(folders)


def test_the_weak_campaign_leaves_out_the_five_rows() -> None:
    assert CAMPAIGNS["weak"]["env"] == {"TB_LEAVE_OUT": "O5 OZ B5 T5 R6"}
    text = (MUTATIONS / "weak_campaign.toml").read_text(encoding="utf-8")
    assert re.findall(r"^#   (\w\w) ", text, re.MULTILINE) == ["O5", "OZ", "B5", "T5", "R6"]


def test_what_the_tool_needs_is_among_the_requirements() -> None:
    wanted = {re.split(r"[<>=]", each)[0] for each in PROJECT["project"]["dependencies"]}
    asked = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()

    assert wanted - set(asked) == set()
