# SPDX-License-Identifier: Apache-2.0
"""What is seen while a campaign runs, on a terminal and elsewhere."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from cocotb_mutants.console import Screen, Tally, duration
from cocotb_mutants.errors import UsageError
from cocotb_mutants.verdict import State


class Clock:
    """A clock that goes only when it is told to."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("COLORTERM", raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


@pytest.fixture
def clock() -> Clock:
    return Clock()


def screen(clock: Clock, *, terminal: bool) -> tuple[Screen, io.StringIO, io.StringIO]:
    out, log = io.StringIO(), io.StringIO()
    one, other = (
        Console(file=file, force_terminal=terminal, width=100, highlight=False)
        for file in (out, log)
    )
    return Screen(one, other, clock), out, log


def colours(text: str) -> list[str]:
    return re.findall(r"\x1b\[[\d;]*m", text)


def test_the_time_that_is_left_goes_by_what_was_judged_so_far(clock: Clock) -> None:
    tally = Tally(12, [State.KILLED, State.SURVIVED], clock)
    assert (tally.done, tally.left) == (2, None)

    clock.now += 8
    for state in (State.KILLED, State.KILLED, State.TIMEOUT, State.SURVIVED):
        tally.add(state)

    assert (tally.done, tally.elapsed, tally.left) == (6, 8.0, 12.0)
    assert str(tally) == "6/12: 3 killed, 2 survived, 1 timeout; 8 s, 12 s left"


def test_a_tally_of_nothing(clock: Clock) -> None:
    assert str(Tally(3, (), clock)) == "0/3; 0 s"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.4, "0 s"),
        (59.4, "59 s"),
        (59.6, "1 min 00 s"),
        (125, "2 min 05 s"),
        (3599, "59 min 59 s"),
        (3600, "1 h 00 min"),
        (3720, "1 h 02 min"),
        (90000, "25 h 00 min"),
    ],
)
def test_durations_are_written_as_people_write_them(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_a_pipe_gets_a_line_every_ten_seconds_and_one_at_the_end(clock: Clock) -> None:
    view, out, log = screen(clock, terminal=False)

    with view.running(5, [State.IGNORED]) as add:
        for _ in range(4):
            clock.now += 6
            add(State.KILLED)

    assert log.getvalue().splitlines() == [
        "3/5: 2 killed, 1 ignored; 12 s, 12 s left",
        "5/5: 4 killed, 1 ignored; 24 s, 0 s left",
        "5/5: 4 killed, 1 ignored; 24 s, 0 s left",
    ]
    assert out.getvalue() == ""


def test_a_line_comes_as_soon_as_ten_seconds_are_over(clock: Clock) -> None:
    view, _, log = screen(clock, terminal=False)

    with view.running(9) as add:
        for second in (9.5, 10, 19.5, 20):
            clock.now = 100 + second
            add(State.KILLED)
        assert [line.split(":")[0] for line in log.getvalue().splitlines()] == ["2/9", "4/9"]


def test_a_terminal_gets_a_bar_that_goes_away(clock: Clock) -> None:
    view, out, log = screen(clock, terminal=True)

    with view.running(2) as add:
        clock.now += 61
        add(State.KILLED)
        view.say("a word in between")
        add(State.FEWER_TESTS)

    text = log.getvalue()
    assert "a word in between" in text
    bare = re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", text)
    assert "0/2  0 s" in bare
    assert "2/2  1 killed  1 fewer tests  1 min 01 s  0 s left" in bare
    bars = re.findall(r"(\x1b\[[\d;]*m)━+", text)
    assert bars[0] != bars[-1], "an empty bar and a full one look the same"
    assert text.rstrip().endswith("\x1b[2K")
    assert out.getvalue() == ""


def test_the_bar_goes_away_after_an_error(clock: Clock) -> None:
    view, _, log = screen(clock, terminal=True)

    with pytest.raises(KeyError), view.running(2):
        raise KeyError

    assert log.getvalue().rstrip().endswith("\x1b[2K")


def test_a_dumb_terminal_gets_lines(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    view, _, log = screen(clock, terminal=True)

    with view.running(1) as add:
        add(State.KILLED)

    assert log.getvalue() == "1/1: 1 killed; 0 s, 0 s left\n"


def test_no_color_is_honoured(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    view, out, log = screen(clock, terminal=True)

    view.report("  - a\n  + b\n")
    view.error(UsageError("x"))
    with view.running(1) as add:
        add(State.KILLED)

    assert [
        each for each in colours(out.getvalue() + log.getvalue()) if re.search("3[0-9]", each)
    ] == []
    assert "1/1" in log.getvalue()


def test_changed_lines_are_in_colour(clock: Clock) -> None:
    view, out, _ = screen(clock, terminal=True)

    view.report("a.sv:1\n  - old\n  + new\n  survived\n")

    assert out.getvalue().splitlines() == [
        "a.sv:1",
        "\x1b[31m  - old\x1b[0m",
        "\x1b[32m  + new\x1b[0m",
        "  survived",
    ]


def test_an_error_and_its_hint_are_told_apart(clock: Clock) -> None:
    view, out, log = screen(clock, terminal=False)

    view.error(UsageError("no 'top'\nno 'sources'", hint="add them"))
    view.error(UsageError("x"))

    assert log.getvalue() == ("error: no 'top'\n       no 'sources'\nhint:  add them\nerror: x\n")
    assert out.getvalue() == ""


def test_what_is_printed_is_neither_markup_nor_wrapped_nor_steering(clock: Clock) -> None:
    view, out, log = screen(clock, terminal=False)
    long = "[red]x[/red] " * 30 + "end"

    view.report(long)
    view.say(long + "\x1b[2J")
    view.error(UsageError(long, hint=long))

    assert out.getvalue() == long + "\n"
    assert log.getvalue() == f"{long}\ufffd[2J\nerror: {long}\nhint:  {long}\n"


def test_without_consoles_reports_go_to_the_output_and_the_rest_beside_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    view = Screen()

    view.report("report")
    view.say("message")

    assert capsys.readouterr() == ("report\n", "message\n")
