# SPDX-License-Identifier: Apache-2.0
"""Writes merged functional coverage as UCIS XML, with pyucis.

pyucis reads cocotb-coverage's XML by itself, but its XML writer then drops every group that lies
inside another one. So the groups are laid out here as UCIS has them: one instance and one
covergroup a module.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping
from pathlib import Path
from xml.etree import ElementTree

import ucis
from ucis.mem.mem_factory import MemFactory
from ucis.scope_type_t import ScopeTypeT
from ucis.source_info import SourceInfo
from ucis.source_t import SourceT
from ucis.test_data import TestData
from ucis.xml import validate_ucis_xml
from ucis.xml.xml_factory import XmlFactory

from tb.catalog import ROOT, Module
from tb.plan import coverage_group

__all__ = ["export_ucis"]


def export_ucis(
    merged: Path, modules: Iterable[Module], crossed: Mapping[str, list[str]], target: Path
) -> None:
    """Write the groups of *modules* from a cocotb-coverage XML file to *target*.

    *crossed* gives for the path of every cross the paths of the points it crosses. The file is
    validated against the UCIS schema before this returns.
    """
    elements = {
        element.attrib["abs_name"].removeprefix("top."): element
        for element in ElementTree.parse(merged).getroot().iter()
    }
    db = MemFactory.create()
    history = db.createHistoryNode(None, "regression", target.name, ucis.UCIS_HISTORYNODE_TEST)
    now = datetime.datetime.now(datetime.UTC).strftime("%Y%m%d%H%M%S")
    history.setTestData(
        TestData(teststatus=ucis.UCIS_TESTSTATUS_OK, toolcategory="UCIS:simulator", date=now)
    )
    for module in dict.fromkeys(modules):
        group = coverage_group(module)
        if group in elements:
            _group(db, module, group, elements, crossed)
    XmlFactory.write(db, str(target))
    with target.open("rb") as file:
        validate_ucis_xml(file)


def _group(
    db: ucis.UCIS,
    module: Module,
    group: str,
    elements: Mapping[str, ElementTree.Element],
    crossed: Mapping[str, list[str]],
) -> None:
    file = db.createFileHandle(str(module.rtl.relative_to(ROOT)), None)
    source = SourceInfo(file, 1, 1)
    flags = ucis.UCIS_ENABLED_BRANCH | ucis.UCIS_INST_ONCE | ucis.UCIS_SCOPE_UNDER_DU
    unit = db.createScope(
        f"{module.chapter}.{module.name}", source, 1, SourceT.SV, ScopeTypeT.DU_MODULE, flags
    )
    instance = db.createInstance(
        module.name, source, 1, SourceT.SV, ScopeTypeT.INSTANCE, unit, ucis.UCIS_INST_ONCE
    )
    covergroup = instance.createCovergroup(group, source, 1, SourceT.SV)
    points = {}
    for element in elements[group]:
        path = element.attrib["abs_name"].removeprefix("top.")
        if path not in crossed:
            scope = covergroup.createCoverpoint(element.tag, source, 1, SourceT.SV)
            points[path] = scope
        else:
            of = [points[each] for each in crossed[path]]
            scope = covergroup.createCross(element.tag, source, 1, SourceT.SV, of)
        scope.setAtLeast(int(element.attrib["at_least"]))
        for each in element:
            scope.createBin(
                each.attrib["bin"], source, 1, int(each.attrib["hits"]), each.attrib["bin"]
            )
