# SPDX-License-Identifier: Apache-2.0
"""The options of the command, and the keys of the configuration that they stand for."""

from __future__ import annotations

import click

from cocotb_mutants import cli
from cocotb_mutants.config import _names
from cocotb_mutants.settings import FileKeys


def test_defines_and_parameters_are_pairs() -> None:
    parameters = {each.name: each for each in cli.run.params}
    context = click.Context(cli.run)

    def read(name: str, *words: str) -> dict[str, str]:
        return cli._pairs(context, parameters[name], words)

    assert read("defines", "A", "B=", "C=1=2") == {"A": "1", "B": "", "C": "1=2"}
    assert read("parameters", "W=8") == {"W": "8"}


def test_the_options_are_keys_of_the_configuration() -> None:
    own = {"config", "targets", "json_file", "fresh"}
    given = {each.name for each in cli.run.params if each.name} - own

    assert {name.replace("_", "-") for name in given} <= _names(FileKeys)
    assert [each.name for each in cli.run.params if not getattr(each, "help", "")] == []
