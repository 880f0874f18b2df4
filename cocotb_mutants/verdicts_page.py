# SPDX-License-Identifier: Apache-2.0
"""The page `docs/verdicts.md`, made from the states, the judge's order and the exit codes."""

from __future__ import annotations

from collections.abc import Iterable

from cocotb_mutants.errors import ExitCode
from cocotb_mutants.verdict import DEFAULT_DETECTED, DETECTIONS, ORDER, Detection, State

__all__ = ["page"]

_NOT = {
    State.KILLED: "that the check which failed is the one you would have written for this fault",
    State.SURVIVED: "that the fault is harmless; it may be, and then it needs a written reason",
    State.NOT_ACTIVATED: "that the fault cannot show; only that these tests never get there",
    State.TIMEOUT: "that a check noticed; the run was cut off",
    State.COMPILE_ERROR: "anything about the bench",
    State.CRASHED: "that a check noticed; look at the log",
    State.ENDED_EARLY: "that a check noticed; nobody was left to check",
    State.OUT_OF_MEMORY: "that a check noticed; the run was cut off",
    State.FLOODED: "that a check noticed; the run was cut off",
    State.TEST_ERROR: "that a check noticed; the bench stumbled",
    State.FEWER_TESTS: "that the tests which did run missed it",
    State.UNREADABLE: "anything about the mutant; it is run again next time",
    State.WRONG_MUTANT: "anything about the mutant; it is run again next time, and the campaign "
    "ends with exit code 8",
    State.IGNORED: "that the reason is right",
}
_COUNTS = {
    "Killed": "valid, detected",
    "Timeout": "valid, detected unless `detected` leaves `timeout` out",
    "Survived": "valid, undetected",
    "NoCoverage": "valid, undetected",
    "CompileError": "no",
    "RuntimeError": "no",
    "Ignored": "no",
}
_WAYS: dict[Detection, tuple[str, str]] = {
    "assertion": (
        "an `assert` of the bench failed, or a test that expects a failure had none",
        "Killed",
    ),
    "unresolved": ("the bench needed a number where the design had an X or a Z", "Killed"),
    "bench-timeout": ("a timeout that the bench itself set ran out", "Killed"),
    "rtl-assertion": ("an assertion, `$error` or `$fatal` in the RTL spoke up", "Killed"),
    "exception": ("any other exception ended a test", "Killed"),
    "timeout": ("our own limit cut the run off", "Timeout"),
}
_HEAD = """\
<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Made by `python -m cocotb_mutants.docs verdicts`; do not edit. -->
# Verdicts, score and exit codes

Every mutant ends in one of these states. Nothing that is not understood is a kill or a survivor.
The published words are those of the mutation-testing report format, in which the JSON report is
written; its eighth, `Pending`, is never used.
"""
_DETECTION = """\
## What counts as detection

The key `detected` (or `--detected`) lists what counts. A test that does not pass on the original
cannot detect anything.
"""
_DETECTION_AFTER = """\
A failure of a kind that does not count leaves the mutant in the state `test error`. An exception
that is no check does not count by default: a bench that stumbles over a value it never expected
has found the fault by luck, and the next fault may not make it stumble.

A kill stands whatever came after it in the same run, so that stopping at the first kill and
running all tests (`all-tests`) have one verdict. Otherwise the first of these decides: a limit,
a signal, the end of the simulation before that of the tests, a test error, a missing test.
"""
_SCORE = """\
## The score

`score = detected / valid`, in per cent, by the formula of the published format: detected are
`Killed` and `Timeout`, valid are those together with `Survived` and `NoCoverage`. What does not
compile, crashes or is ignored is outside. It is cut after one decimal and not rounded, so that
100.0 % means all. Without a valid mutant it is `n/a`, which is not 100 and fails any
`fail-under`. Where `detected` leaves `timeout` out, a viewer of the JSON report still counts
`Timeout` as detected, because the format says so; the score that we print does not.

The summary of hand-written mutants alone counts those that were not activated among the
survivors: either way no test noticed the fault.
"""
_TARGETS = """\
## Several targets

A mutant that is judged in several targets (tops or parameter sets) has one verdict: the first
of this list that it has in any of them. The report names the target, and the test in it.
"""
_CONTROLS = """\
## Controls

Before any verdict of a target is believed:

- **The original passes.** Every test that is not skipped passes on the unchanged design, which
  reports no error of its own.
- **The schema is the original.** The build that holds all mutants, with none selected, has the
  same tests with the same results at the same simulated times, and the same values at all
  outputs over time.
- **A failure is seen.** A test that is made to fail comes back as a kill.
- **A gross fault dies.** With a constant in place of every assignment a test fails. If no test
  minded, the bench checks nothing of what is mutated: the campaign goes on, and says
  so in its exit code.
- **Each run says which mutant it had.** The selector is read back from the simulator at the
  start and at the end of each run; another number is the state `wrong mutant`.
"""
_REACHED = """\
## How far a survivor came

With `explain` each survivor is run once more with all tests, and its outputs are compared with
the original's at the end of each time step. A run that ends otherwise than before tells nothing.
"""
_REACHES = (
    (
        "no output ever differed",
        "the fault was there and its effect was lost: a stimulus is missing that carries it on",
        "that no stimulus can",
    ),
    (
        "... and no output of the top differed",
        "an output of an instance of its module had another value, and what is around it hid that",
        "that the place of the difference is the best one to look at",
    ),
    (
        "... and no check noticed",
        "an output of the top had another value in a test that passed: a check is missing",
        "that a check there would be right at that moment: it may be one that does not matter",
    ),
    (
        "how far it came cannot be told",
        "the tests did not end as they had: the bench is not repeatable",
        "anything of the mutant",
    ),
)
_EXPLAINED = """\
## Survivors that are explained

With `explain` each mutant that no test noticed is also compared with the original as a netlist,
which Yosys makes of the design's top with the parameters of the target. Both get the same
inputs.
"""
_EXPLAINED_AFTER = """\
A step of this model is one edge of the clock, or a reset that becomes active by itself. Registers
start with the value that the design gives them, or with any; so does each division by zero and
each X in the source. A witness holds whatever those values are, and counts only after the
simulator has run it. Outputs are compared before each edge: what a design prints, or does between
two edges without showing it at an output of its top, is not looked at.

Not covered, and called *not decided*: several clocks or both edges of one, latches, memories of
more than 4096 bits, clocks that are not inputs of the top, ports that are input and output at
once, mutants that change what wakes a process or which ports there are, and what Yosys cannot
read.
"""
_KINDS = (
    (
        "equivalent",
        "no stimulus of any length shows a difference at an output: the terms are the same, or "
        "outputs and next states agree from every state, or by induction from every state that a "
        "reset leads to",
        "that it is so with other parameters, or for somebody who looks inside or between edges",
    ),
    (
        "... is ... instead of ... after N steps",
        "a stimulus tells the two apart, and a test with it has passed on the original and failed "
        "on the mutant in the target's simulator",
        "that it is the shortest there is, or that the bench could not have another",
    ),
    (
        "differs only by what nothing determines",
        "the outputs differ for some values of a register that no reset sets, of a division by "
        "zero, or of an X; the target's simulator shows no difference",
        "that another simulator, or silicon, shows none",
    ),
    (
        "not proved",
        "no stimulus of up to N steps after a reset shows a difference, and longer random runs "
        "have found none",
        "that it is equivalent",
    ),
    (
        "not decided",
        "a limit was hit, or the design or the mutant is outside of what is proved",
        "anything else",
    ),
)
_CODES = "## Exit codes\n"


def page() -> str:
    """Return the page as Markdown."""
    parts = [
        _HEAD,
        _rows(
            ("state", "published", "in the score", "means", "does not mean"),
            [
                (
                    f"**{state}**",
                    state.published,
                    _COUNTS[state.published],
                    state.meaning,
                    _NOT[state],
                )
                for state in State
            ],
        ),
        _DETECTION,
        _rows(
            ("name", "by default", "seen when", "published"),
            [
                (f"`{way}`", "yes" if way in DEFAULT_DETECTED else "no", *_WAYS[way])
                for way in DETECTIONS
            ],
        ),
        _DETECTION_AFTER,
        _SCORE,
        _TARGETS,
        "".join(f"{number}. {state}\n" for number, state in enumerate(ORDER, 1)),
        _REACHED,
        _rows(("words", "means", "does not mean"), list(_REACHES)),
        _EXPLAINED,
        _rows(("words", "means", "does not mean"), list(_KINDS)),
        _EXPLAINED_AFTER,
        _CONTROLS,
        _CODES,
        _rows(("code", "meaning"), [(str(int(code)), code.meaning) for code in ExitCode]),
    ]
    return "\n".join(parts)


def _rows(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
