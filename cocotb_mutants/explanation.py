# SPDX-License-Identifier: Apache-2.0
"""What is said of a survivor, as it is kept and shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from cocotb_mutants.config import Config

__all__ = ["Explanation", "Kind", "test_file"]

Kind = Literal["equivalent", "distinguishable", "undetermined", "bounded", "unknown"]


@dataclass(frozen=True)
class Explanation:
    """What was found out of one survivor in one target.

    `kind` and `how` are those of the proof's `Decision`. `output` is where the witness shows it,
    after `steps` steps. `test` is the test that kills it, in the file `file`; it has passed on the
    original and failed on the mutant in the target's own simulator. With a witness and without
    a `test` the simulator did not agree, and nothing is claimed. `group` is the test that kills
    it in the smallest set of tests for all.
    """

    kind: Kind
    how: str = ""
    steps: int = 0
    output: str = ""
    original: int = 0
    mutant: int | None = 0
    test: str = ""
    group: str = ""
    file: str = ""
    seconds: float = 0.0

    def to_json(self) -> dict[str, Any]:
        """Return plain values that `from_json` takes."""
        return asdict(self)

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Explanation:
        """Return the explanation that `to_json` wrote."""
        return cls(**values)

    @property
    def story(self) -> str:
        """It in one sentence."""
        if self.kind == "equivalent":
            return f"equivalent: {self.how}"
        found = "undetermined" if self.mutant is None else self.mutant
        shows = f"{self.output} is {found} instead of {self.original}"
        steps = f"after {self.steps} step{'s' if self.steps > 1 else ''}"
        after = steps if self.steps else "at once"
        if self.test:
            why = f" ({self.how})" if self.how else ""
            return f"{shows} {after}{why}: {self.group or self.test} in {self.file} kills it"
        if self.kind == "distinguishable":
            return f"the proof says that {shows} {after}, which the simulator does not confirm"
        if self.kind == "undetermined":
            return f"differs only by what nothing determines: {self.how}"
        if self.kind == "bounded":
            return f"not proved: {self.how}"
        return f"not decided: {self.how}"


def test_file(config: Config, target: str) -> Path:
    """Return where the tests for the survivors of a target are written."""
    name = "".join(c if c.isascii() and c.isalnum() else "_" for c in target)
    return config.root / config.work_dir / "witnesses" / f"test_survivors_of_{name}.py"
