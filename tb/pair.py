# SPDX-License-Identifier: Apache-2.0
"""The design that is simulated: both builds of a module side by side, on one stimulus.

Inputs keep their names. Outputs get the build as a prefix (``correct_fits``, ``broken_fits``), so
that each build's outputs are one bus for cocotb-bus. The ports come from the model's records.
"""

from __future__ import annotations

from models.ports import Build
from tb.catalog import Module

__all__ = ["pair_source"]


def pair_source(module: Module) -> str:
    """SystemVerilog text of ``<module>_pair``."""
    model = module.model()
    inputs: dict[str, int] = {"clk": 1, "rst_n": 1} | model.Inputs.widths()
    outputs: dict[str, int] = model.Outputs.widths() | model.State.widths()
    builds = [build.name.lower() for build in Build]

    ports = [f"  input  logic {_range(bits)}{name}" for name, bits in inputs.items()]
    ports += [
        f"  output logic {_range(bits)}{build}_{name}"
        for build in builds
        for name, bits in outputs.items()
    ]
    instances = []
    for build in Build:
        prefix = build.name.lower()
        pins = [f"    .{name}({name})" for name in inputs]
        pins += [f"    .{name}({prefix}_{name})" for name in outputs]
        instances.append(
            f"  {module.name} #(.{model.PARAMETER}({build.value})) u_{prefix} (\n"
            + ",\n".join(pins)
            + "\n  );\n"
        )
    return (
        f"// Written by tb/pair.py from models/{module.chapter}/{module.name}.py: do not edit.\n"
        f"`default_nettype none\n"
        f"module {module.top} (\n"
        + ",\n".join(ports)
        + "\n);\n"
        + "".join(instances)
        + "endmodule\n`default_nettype wire\n"
    )


def _range(bits: int) -> str:
    return f"[{bits - 1}:0] " if bits > 1 else ""
