# SPDX-License-Identifier: Apache-2.0
"""What is seen while a campaign runs: a moving bar on a terminal, plain lines anywhere else."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.text import Text

from cocotb_mutants.errors import MutantsError
from cocotb_mutants.report.source_text import harmless
from cocotb_mutants.verdict import State

__all__ = ["Screen", "Tally", "duration"]

_EVERY_S = 10.0
_COLOURS = {
    State.KILLED: "green",
    State.SURVIVED: "red",
    State.NOT_ACTIVATED: "red",
    State.TIMEOUT: "yellow",
    State.IGNORED: "dim",
}
_STYLES = {"  - ": "red", "  + ": "green"}


class Tally:
    """A running count of verdicts with the time that is left.

    `add` is called once for each verdict. `known` are the states that were found in the store:
    they are counted, and the time that is left is reckoned without them.
    """

    def __init__(
        self, total: int, known: Iterable[State] = (), clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.total = total
        self.counts = Counter(known)
        self._known = self.done
        self._clock = clock
        self._start = clock()

    def add(self, state: State) -> None:
        """Count one verdict."""
        self.counts[state] += 1

    @property
    def done(self) -> int:
        """How many verdicts there are, known ones included."""
        return self.counts.total()

    @property
    def elapsed(self) -> float:
        """Seconds since the first run was started."""
        return self._clock() - self._start

    @property
    def left(self) -> float | None:
        """Seconds that the rest will take if it goes on like this; None before the first."""
        judged = self.done - self._known
        return self.elapsed / judged * (self.total - self.done) if judged else None

    @property
    def words(self) -> str:
        """The counts in words: `12 killed, 3 survived`."""
        return ", ".join(f"{self.counts[state]} {state}" for state in State if self.counts[state])

    def __str__(self) -> str:
        left = "" if self.left is None else f", {duration(self.left)} left"
        words = f": {self.words}" if self.words else ""
        return f"{self.done}/{self.total}{words}; {duration(self.elapsed)}{left}"


class Screen:
    """The terminal, or whatever stands in for it.

    Messages and progress go to `log` (standard error), reports to `out`. A pipe or a file gets
    a plain line every ten seconds instead of a bar; rich itself honours NO_COLOR.
    """

    def __init__(
        self,
        out: Console | None = None,
        log: Console | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.out = out or Console()
        self.log = log or Console(stderr=True)
        self._clock = clock

    def say(self, message: str) -> None:
        """Print one line beside the report."""
        self.log.print(Text(harmless(message)), soft_wrap=True)

    def error(self, error: MutantsError) -> None:
        """Print what went wrong, and the next step."""
        for number, line in enumerate(error.message.splitlines()):
            words = Text("error: " if number == 0 else "       ", style="bold red")
            self.log.print(words.append(harmless(line), style="default not bold"), soft_wrap=True)
        if error.hint:
            words = Text("hint:  ", style="bold cyan")
            hint = words.append(harmless(error.hint), style="default not bold")
            self.log.print(hint, soft_wrap=True)

    def report(self, text: str) -> None:
        """Print a report, its removed and added lines in colour."""
        for line in text.splitlines():
            self.out.print(Text(line, style=_STYLES.get(line[:4], "")), soft_wrap=True)

    @contextmanager
    def running(self, total: int, known: Iterable[State] = ()) -> Iterator[Callable[[State], None]]:
        """Show the progress of `total` verdicts; call what this returns with each new one."""
        tally = Tally(total, known, self._clock)
        moving = self.log.is_terminal and not self.log.is_dumb_terminal
        with _Bar(self.log, tally) if moving else _Lines(self, tally) as shown:
            yield shown.add


class _Lines:
    """Progress for a file or a pipe."""

    def __init__(self, screen: Screen, tally: Tally) -> None:
        self._screen = screen
        self._tally = tally
        self._next = _EVERY_S

    def add(self, state: State) -> None:
        self._tally.add(state)
        if self._tally.elapsed >= self._next:
            self._screen.say(str(self._tally))
            self._next = self._tally.elapsed + _EVERY_S

    def __enter__(self) -> _Lines:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._screen.say(str(self._tally))


class _Bar:
    """Progress for a terminal."""

    def __init__(self, console: Console, tally: Tally) -> None:
        self._tally = tally
        self._progress = Progress(
            TextColumn("mutants"),
            BarColumn(bar_width=24),
            _TallyColumn(tally),
            console=console,
            transient=True,
        )
        self._task = self._progress.add_task("", total=tally.total, completed=tally.done)

    def add(self, state: State) -> None:
        self._tally.add(state)
        self._progress.update(self._task, completed=self._tally.done)

    def __enter__(self) -> _Bar:
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._progress.stop()


class _TallyColumn(ProgressColumn):
    def __init__(self, tally: Tally) -> None:
        super().__init__()
        self._tally = tally

    def render(self, task: Task) -> Text:
        tally = self._tally
        text = Text(f"{tally.done}/{tally.total}")
        for state in State:
            if tally.counts[state]:
                text.append(f"  {tally.counts[state]} {state}", _COLOURS.get(state, "magenta"))
        text.append(f"  {duration(tally.elapsed)}", "dim")
        if tally.left is not None:
            text.append(f"  {duration(tally.left)} left", "dim")
        return text


def duration(seconds: float) -> str:
    """Return `seconds` as people write them: `8 s`, `2 min 05 s`, `1 h 02 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02} min"
