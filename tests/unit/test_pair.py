# SPDX-License-Identifier: Apache-2.0
"""The pair: generated text that elaborates, and RTL whose ports are those of its model.

Elaboration is done by slang, a library, so that no simulator is needed.
"""

from __future__ import annotations

from functools import cache

import pytest
from pyslang import ast, syntax

from models.ports import Build
from tb.catalog import Module, modules
from tb.pair import _range, pair_source

every_module = pytest.mark.parametrize("module", modules(), ids=lambda module: module.name)

Port = tuple[str, str, int]
"""Name, direction and width."""


@cache
def elaborated(module: Module) -> ast.Compilation:
    compilation = ast.Compilation()
    compilation.addSyntaxTree(syntax.SyntaxTree.fromFile(str(module.rtl)))
    compilation.addSyntaxTree(syntax.SyntaxTree.fromText(pair_source(module), "pair"))
    return compilation


def pair_of(module: Module) -> ast.InstanceSymbol:
    top: ast.InstanceSymbol
    [top] = elaborated(module).getRoot().topInstances
    return top


def ports(instance: ast.InstanceSymbol) -> list[Port]:
    found = []
    for port in instance.body.portList:
        assert isinstance(port, ast.PortSymbol)
        found.append((port.name, port.direction.name, port.type.bitWidth))
    return found


def parameter(instance: ast.InstanceSymbol, name: str) -> str:
    """The value of the parameter called *name*, in decimal."""
    [found] = [each for each in instance.body.parameters if each.name == name]
    assert isinstance(found, ast.ParameterSymbol)
    assert found.isPortParam
    return str(found.value.convertToInt())


def instances(module: Module) -> dict[str, ast.InstanceSymbol]:
    return {
        each.name: each for each in pair_of(module).body if isinstance(each, ast.InstanceSymbol)
    }


def rtl_ports(module: Module) -> list[Port]:
    return ports(instances(module)["u_correct"])


@every_module
def test_the_pair_elaborates_without_a_diagnostic(module: Module) -> None:
    compilation = elaborated(module)
    found = [
        f"{each.code}: {' '.join(map(str, each.args))}" for each in compilation.getAllDiagnostics()
    ]
    assert found == []


@every_module
def test_the_pair_is_the_only_top_and_named_after_its_module(module: Module) -> None:
    assert pair_of(module).name == module.top == f"{module.name}_pair"


@every_module
def test_the_pair_holds_one_instance_of_each_build(module: Module) -> None:
    selects = module.model().PARAMETER
    assert {
        name: (each.definition.name, parameter(each, selects))
        for name, each in instances(module).items()
    } == {
        "u_correct": (module.name, f"{Build.CORRECT.value}"),
        "u_broken": (module.name, f"{Build.BROKEN.value}"),
    }


@every_module
def test_the_ports_of_the_rtl_are_those_of_the_model(module: Module) -> None:
    model = module.model()
    expected = {("clk", "In", 1), ("rst_n", "In", 1)}
    expected |= {(name, "In", bits) for name, bits in model.Inputs.widths().items()}
    expected |= {(name, "Out", bits) for name, bits in model.Outputs.widths().items()}
    expected |= {(name, "Out", bits) for name, bits in model.State.widths().items()}
    assert set(rtl_ports(module)) == expected
    assert len(rtl_ports(module)) == len(expected)


@every_module
def test_clock_and_reset_are_the_first_ports_of_the_rtl(module: Module) -> None:
    assert [name for name, _, _ in rtl_ports(module)[:2]] == ["clk", "rst_n"]


@every_module
def test_the_rtl_is_the_correct_build_when_its_parameter_is_left_alone(module: Module) -> None:
    compilation = ast.Compilation()
    compilation.addSyntaxTree(syntax.SyntaxTree.fromFile(str(module.rtl)))
    [top] = compilation.getRoot().topInstances
    assert parameter(top, module.model().PARAMETER) == f"{Build.CORRECT.value}"


@every_module
def test_the_pair_passes_inputs_through_and_prefixes_outputs(module: Module) -> None:
    inputs = [port for port in rtl_ports(module) if port[1] == "In"]
    outputs = [port for port in rtl_ports(module) if port[1] == "Out"]
    expected = {
        *inputs,
        *((f"correct_{name}", *rest) for name, *rest in outputs),
        *((f"broken_{name}", *rest) for name, *rest in outputs),
    }
    assert set(ports(pair_of(module))) == expected
    assert [name for name, _, _ in ports(pair_of(module))[:2]] == ["clk", "rst_n"]


@every_module
def test_every_output_of_the_pair_is_driven_by_the_build_in_its_name(module: Module) -> None:
    for build in Build:
        which = build.name.lower()
        joined = {}
        for connection in instances(module)[f"u_{which}"].portConnections:
            expression = connection.expression
            # An output is the left side of an assignment that slang makes up.
            if isinstance(expression, ast.AssignmentExpression):
                expression = expression.left
            assert isinstance(expression, ast.NamedValueExpression)
            joined[connection.port.name] = expression.symbol.name
        assert joined == {
            name: name if direction == "In" else f"{which}_{name}"
            for name, direction, _ in rtl_ports(module)
        }


@every_module
def test_the_text_says_where_it_comes_from(module: Module) -> None:
    source = f"models/{module.chapter}/{module.name}.py"
    first = pair_source(module).splitlines()[0]
    assert first == f"// Written by tb/pair.py from {source}: do not edit."


@every_module
def test_a_misspelt_name_in_the_text_cannot_become_a_net(module: Module) -> None:
    text = pair_source(module)
    assert "`default_nettype none" in text.partition(f"module {module.top}")[0]
    assert text.endswith("`default_nettype wire\n")


@pytest.mark.parametrize(("bits", "text"), [(1, ""), (2, "[1:0] "), (16, "[15:0] ")])
def test_only_a_single_bit_has_no_range(bits: int, text: str) -> None:
    assert _range(bits) == text
