# SPDX-License-Identifier: Apache-2.0
"""The explanations of a campaign: taken from the store, or made, and held against the verdicts."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from cocotb_mutants.config import Config
from cocotb_mutants.digest import design_digest, mutant_digest
from cocotb_mutants.errors import UsageError
from cocotb_mutants.explanation import Explanation, test_file
from cocotb_mutants.keys import digest
from cocotb_mutants.lab import Lab
from cocotb_mutants.layout import write_whole
from cocotb_mutants.mutant import Mutant
from cocotb_mutants.population import Member
from cocotb_mutants.store import Store
from cocotb_mutants.tokens import tokenise

if TYPE_CHECKING:
    from cocotb_mutants.explain import Explained

__all__ = ["Explanations"]

_NEEDED = ("bitwuzla", "numpy", "pyosys")


class Explanations:
    """What is known of survivors, target by target.

    All survivors of a target are explained together, since few tests are to kill many of them:
    where one is new, all are.
    """

    def __init__(
        self,
        config: Config,
        store: Store,
        lab: Lab,
        tools: Mapping[str, str],
        say: Callable[[str], None],
    ) -> None:
        self._config = config
        self._store = store
        self._lab = lab
        self._tools = json.dumps({**tools}, sort_keys=True)
        self._say = say

    def of(
        self, member: Member, survivors: Sequence[Mutant], everything: Sequence[Mutant]
    ) -> dict[str, Explanation]:
        """Return the explanation of each of `survivors`, by name, and write their tests."""
        if not survivors:
            test_file(self._config, member.target.name).unlink(missing_ok=True)
            return {}
        keys = self._keys(member, survivors)
        together = digest(["explanations", *sorted(keys.values())])
        kept = self._store.explanation(together)
        if kept is None:
            found = self._make(member, survivors, everything)
            kept = {
                "tests": found.tests,
                "explanations": {name: e.to_json() for name, e in found.explanations.items()},
            }
            self._store.put_explanation(together, kept)
            for name, each in found.explanations.items():
                self._store.put_explanation(keys[name], each.to_json())
        path = test_file(self._config, member.target.name)
        if kept["tests"]:
            write_whole(path, kept["tests"].encode())
        else:
            path.unlink(missing_ok=True)
        return {name: Explanation.from_json(e) for name, e in kept["explanations"].items()}

    def contradictions(self, member: Member, killed: Iterable[Mutant]) -> list[tuple[str, str]]:
        """Return which of `killed` an earlier campaign has proved equivalent, and how."""
        killed = list(killed)
        found = []
        for name, key in self._keys(member, killed).items() if killed else ():
            kept = self._store.explanation(key)
            if kept is not None and kept["kind"] == "equivalent":
                found.append((name, Explanation.from_json(kept).how))
        return found

    def _make(
        self, member: Member, survivors: Sequence[Mutant], everything: Sequence[Mutant]
    ) -> Explained:
        missing = [name for name in _NEEDED if importlib.util.find_spec(name) is None]
        if missing:
            raise UsageError(
                f"to explain survivors {' and '.join(missing)} must be installed",
                hint="pip install 'cocotb-mutants[prove]', or run with --no-explain",
            )
        from cocotb_mutants.explain import explain

        self._say(f"{member.target.name}: explaining {len(survivors)} that no test noticed")
        return explain(self._config, member, survivors, everything, self._lab)

    def _keys(self, member: Member, mutants: Sequence[Mutant]) -> dict[str, str]:
        """Return, by name, a digest of everything that an explanation depends on but the others."""
        target, design = member.target, member.design
        tokens = {file: tokenise(text) for file, text in design.texts.items()}
        settings = [target.top, dict(target.parameters), dict(target.defines), target.timescale]
        common = [self._tools, json.dumps(settings, sort_keys=True), design_digest(design)]
        return {
            mutant.name: digest(["explanation", *common, mutant_digest(mutant, tokens)])
            for mutant in mutants
        }
