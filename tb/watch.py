# SPDX-License-Identifier: Apache-2.0
"""Shows a regression while it runs: a live line on a terminal, plain lines elsewhere."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence

from rich.console import Console
from rich.live import Live
from rich.text import Text

from tb.exchange import PROGRESS_NAME
from tb.results import RunResult
from tb.run import Job

__all__ = ["Watch"]

QUIET_SECONDS = 10
"""Without a terminal, say after so long that something is still running."""


class Watch:
    """What is running, how far it is, and what came of what is done."""

    def __init__(self, console: Console, jobs: Sequence[Job], *, follow: bool) -> None:
        self.console = console
        self.follow = follow
        self.shown: dict[Job, int] = dict.fromkeys(jobs, 0)
        self.stages: dict[Job, str] = {}
        self.done = 0
        self.of = len(jobs)
        self.clock = time.monotonic()
        self.spoke = self.clock
        self.live = Live(console=console, refresh_per_second=5, transient=True)

    def __enter__(self) -> Watch:
        if self.console.is_terminal:
            self.live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.console.is_terminal:
            self.live.stop()

    def stage_of(self, job: Job) -> Callable[[str], None]:
        """The callback that *job* reports its stage to."""

        def stage(name: str) -> None:
            self.stages[job] = name

        return stage

    def finished(self, job: Job, result: RunResult | None) -> None:
        """One more job is done."""
        if self.follow and self.stages.pop(job, None) == "running":
            self._show_log(job)
        self.stages.pop(job, None)
        self.done += 1
        if result is None and self.of == 1:
            return  # the error that follows says it all
        if result is None:
            outcome = "[red]no result[/]"
        else:
            counted, what = (result.checks, "checks") if result.checks else (result.tests, "tests")
            held = sum(each.passed for each in counted)
            colour = "green" if result.passed else "red"
            outcome = f"[{colour}]{held} of {len(counted)} {what} passed[/]"
        self.console.print(
            f"[{self.done}/{self.of}] {job.module.name} on {job.simulator}: {outcome}",
            highlight=False,
        )
        self.spoke = time.monotonic()

    def tick(self) -> None:
        """Show what is going on, now and then."""
        now = time.monotonic()
        if not self.stages:
            return
        if self.follow:
            for job, stage in list(self.stages.items()):
                if stage == "running":
                    self._show_log(job)
        line = f"{self.done}/{self.of} done, {now - self.clock:.0f} s: " + ", ".join(
            f"{stage} {job.module.name}{_progress(job) if stage == 'running' else ''}"
            for job, stage in list(self.stages.items())
        )
        if self.console.is_terminal:
            self.live.update(Text(line, overflow="ellipsis", no_wrap=True))
        elif now - self.spoke > QUIET_SECONDS:
            self.console.print(line, highlight=False)
            self.spoke = now

    def _show_log(self, job: Job) -> None:
        try:
            text = (job.folder / "log.txt").read_text(errors="replace")
        except FileNotFoundError:
            return
        whole = text[: text.rfind("\n") + 1]
        if len(whole) > self.shown[job]:
            new = whole[self.shown[job] : -1]
            self.console.print(new, markup=False, highlight=False, soft_wrap=True)
            self.shown[job] = len(whole)
            self.spoke = time.monotonic()


def _progress(job: Job) -> str:
    try:
        state = json.loads((job.folder / PROGRESS_NAME).read_text(encoding="utf-8"))
    except (FileNotFoundError, json.JSONDecodeError):
        return ""
    return f" ({state['done']}/{state['of']} cycles)"
