# SPDX-License-Identifier: Apache-2.0
"""The command `cocotb-mutants`: run a campaign, explain survivors, list and show mutants."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import click

from cocotb_mutants.campaign import Campaign
from cocotb_mutants.config import Config, load
from cocotb_mutants.console import Screen
from cocotb_mutants.errors import ExitCode, Interrupted, MutantsError, UsageError
from cocotb_mutants.explanation import test_file
from cocotb_mutants.lab import RealLab
from cocotb_mutants.launch import end_all
from cocotb_mutants.naming import suggest
from cocotb_mutants.operators import OPERATORS
from cocotb_mutants.population import Population, populate
from cocotb_mutants.report import json_report, text
from cocotb_mutants.report.files import write
from cocotb_mutants.report.results import Outcome, Results
from cocotb_mutants.store import Store
from cocotb_mutants.verdict import DETECTIONS, State, Verdict
from cocotb_mutants.versions import VERSION

__all__ = ["main"]

REPORT = "report.json"
LAST = "report.txt"
EXIT_CODES = "\n".join(f"  {code.value:<4}{code.meaning}" for code in ExitCode)


def _words(_: click.Context, __: click.Parameter, value: str | None) -> tuple[str, ...]:
    return tuple(word for word in (value or "").replace(",", " ").split() if word)


def _pairs(_: click.Context, parameter: click.Parameter, value: tuple[str, ...]) -> dict[str, str]:
    """Read `NAME=VALUE`; a name alone is a define without a value, which counts as 1."""
    pairs = {}
    for word in value:
        name, equals, text = word.partition("=")
        if not name or (not equals and parameter.name != "defines"):
            raise UsageError(f"{word!r} is not NAME=VALUE", hint=f"see {parameter.opts[0]}")
        pairs[name] = text if equals else "1"
    return pairs


def _set(*names: str, **more: Any) -> Callable[[Any], Any]:
    """Return an option that is a key of the configuration too."""
    return click.option(*names, default=None, **more)


_CONFIG = click.option(
    "--config",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The TOML file to read (default: the nearest pyproject.toml).",
)
_WORK_DIR = _set("--work-dir", metavar="DIR", help="Where builds and verdicts are kept.")
_COMMON = (
    _CONFIG,
    click.option("--target", "targets", multiple=True, metavar="NAME", help="Only this target."),
    _set("--simulator", "--sim", metavar="NAME", help="icarus, verilator, ... (default: auto)."),
    _set("--source", "sources", multiple=True, metavar="FILE", help="RTL, in compile order."),
    _set("--mutate", multiple=True, metavar="GLOB", help="Sources to mutate (default: all)."),
    _set("--include", "includes", multiple=True, metavar="DIR", help="A folder with headers."),
    _set("--define", "defines", multiple=True, callback=_pairs, metavar="N=V", help="A macro."),
    _set(
        "--parameter",
        "parameters",
        multiple=True,
        callback=_pairs,
        metavar="N=V",
        help="A parameter of the top module.",
    ),
    _set("--top", metavar="NAME", help="The top module."),
    _set("--test-module", "test_modules", multiple=True, metavar="NAME", help="A bench to import."),
    _set("--test-filter", metavar="REGEX", help="Only tests whose name matches."),
    _set("--timescale", metavar="U/P", help="Unit and precision (default: 1ns/1ps)."),
    _set("--plusarg", "plusargs", multiple=True, metavar="ARG", help="Passed to the simulator."),
    _set("--env", multiple=True, callback=_pairs, metavar="N=V", help="A variable for the bench."),
    _set("--python-path", multiple=True, metavar="DIR", help="A folder to import benches from."),
    _set("--operators", callback=_words, metavar="A,B", help="Only these; =-A leaves one out."),
    _set("--mutations", multiple=True, metavar="FILE", help="Hand-written mutants (TOML)."),
    _set("--only-mutations", is_flag=True, flag_value=True, help="Hand-written mutants alone."),
    _set("--sample", type=int, metavar="N", help="Only N mutants, drawn at random."),
    _set("--sample-seed", type=int, metavar="S", help="What the draw depends on (default: 0)."),
    _WORK_DIR,
)
_RUN = (
    _set("--seed", type=int, metavar="N", help="The benches' random seed (default: 1)."),
    _set("--jobs", type=int, metavar="N", help="Runs at a time (default: one per core)."),
    _set("--no-schema", "schema", is_flag=True, flag_value=False, help="A build per mutant."),
    _set("--no-fork", "fork", is_flag=True, flag_value="never", help="A process per mutant."),
    _set("--run-all", is_flag=True, flag_value=True, help="Also run what was not activated."),
    _set(
        "--explain/--no-explain",
        help="Prove survivors equivalent, or write a test that kills them.",
    ),
    _set("--all-tests", is_flag=True, flag_value=True, help="Do not stop at the first kill."),
    _set(
        "--detected",
        callback=_words,
        metavar="A,B",
        help=f"What counts as detected, of {', '.join(DETECTIONS)} (default: all but exception).",
    ),
    _set("--fail-under", type=float, metavar="SCORE", help="Exit with 1 below this score."),
    _set(
        "--timeout-factor",
        type=float,
        metavar="X",
        help="A run may take X times as long as that of the original (default: 10).",
    ),
    _set("--cpu-limit", type=float, metavar="S", help="Processor seconds that a run may take."),
    _set("--wall-limit", type=float, metavar="S", help="Seconds that a run may take."),
    _set("--sim-time-limit", type=int, metavar="N", help="Time steps that a run may simulate."),
    _set("--memory-limit", type=float, metavar="MIB", help="Memory that a run may use."),
    _set("--output-limit", type=float, metavar="MIB", help="What a run may print or write."),
)


def _with(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def add(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return add


@click.group(
    epilog=f"\b\nExit codes:\n{EXIT_CODES}",
    context_settings={"max_content_width": 100, "help_option_names": ["-h", "--help"]},
)
@click.version_option(VERSION, prog_name="cocotb-mutants")
def cli() -> None:
    """Plant faults in the RTL, run the project's own cocotb tests, and say which go unnoticed."""


@cli.command()
@_with(*_COMMON, *_RUN)
@click.option(
    "--json",
    "json_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Where the report goes (default: report.json in the work folder).",
)
@click.option("--fresh", is_flag=True, help="Forget what earlier campaigns found out.")
def run(
    config: Path | None,
    targets: tuple[str, ...],
    json_file: Path | None,
    fresh: bool,
    **overrides: Any,
) -> int:
    """Run a campaign and print what no test noticed."""
    screen = Screen()
    settings = _settings(config, targets, overrides)
    work = settings.root / settings.work_dir
    path = (json_file or work / REPORT).absolute()
    campaign, results = _campaign(screen, settings, path, fresh=fresh, whole=not targets)
    screen.say(f"report: {_short(path)}")
    code = ExitCode.CONTROL_FAILED if campaign.refuted else _code(screen, results, campaign.blind)
    shown = text.render(results)
    write(work / LAST, shown)
    screen.report(shown)
    return code


@cli.command()
@_with(*_COMMON, *_RUN)
@click.option(
    "--write-tests",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Put the tests that kill survivors there.",
)
@click.argument("name", required=False)
def explain(
    name: str | None,
    folder: Path | None,
    config: Path | None,
    targets: tuple[str, ...],
    **overrides: Any,
) -> int:
    """Say of all survivors, or of the mutant NAME, how far it came and what it is.

    Mutants that have no verdict yet are run first.
    """
    screen = Screen()
    settings = replace(_settings(config, targets, overrides), explain=True)
    path = settings.root / settings.work_dir / REPORT
    campaign, results = _campaign(screen, settings, path, fresh=False, whole=not targets)
    if name is None:
        screen.report(text.render(results))
    else:
        outcome = next((each for each in results.outcomes if each.mutant.name == name), None)
        if outcome is None:
            names = [each.mutant.name for each in results.outcomes]
            raise UsageError(f"no mutant is called {name!r}", hint=suggest(name, names))
        click.echo(text.detail(results, outcome))
    for member in settings.targets if folder else ():
        found = test_file(settings, member.name)
        if found.is_file() and folder is not None:
            write(folder / found.name, found.read_text(encoding="utf-8"))
            screen.say(f"tests: {_short((folder / found.name).absolute())}")
    return ExitCode.CONTROL_FAILED if campaign.refuted else ExitCode.OK


def _campaign(
    screen: Screen, settings: Config, path: Path, *, fresh: bool, whole: bool
) -> tuple[Campaign, Results]:
    """Run a campaign, write the JSON report to `path`, and say what is not part of a report."""
    started = time.monotonic()
    with Store.open(settings.root / settings.work_dir) as store:
        if store.notice:
            screen.say(store.notice)
        if fresh:
            store.forget()
        population = populate(settings)
        _say_what_is_there(screen, settings, population)
        if whole:
            _say_idle(screen, population)
        setup_s = time.monotonic() - started
        campaign = Campaign(settings, population, store, RealLab(settings), screen.say, setup_s)
        with screen.running(len(population.mutants), campaign.known) as judged:
            results = campaign.run(judged)
        write(path, json_report.render(results))
    _say_what_ran(screen, campaign)
    for name, how in campaign.refuted:
        screen.say(f"CONTRADICTION: {name} was killed, and is proved equivalent: {how}")
    for name, reason in campaign.contradictions():
        screen.say(f"{name} {reason}")
    return campaign, results


@cli.command(name="list")
@_with(*_COMMON)
def list_mutants(config: Path | None, targets: tuple[str, ...], **overrides: Any) -> int:
    """List the mutants without running anything."""
    population = populate(_settings(config, targets, overrides))
    for name, mutant in population.mutants.items():
        silenced = population.ignored.get(name)
        click.echo(
            f"{mutant.file}:{mutant.line}:{mutant.column}: {mutant.operator}: {name}: "
            f"{mutant.description}" + (f" (ignored: {silenced})" if silenced else "")
        )
    click.echo(_counted(population), err=True)
    return ExitCode.OK


@cli.command()
@_with(*_COMMON)
@click.option("--waves", is_flag=True, help="Record the original and the mutant, for a viewer.")
@click.argument("name")
def show(
    name: str, waves: bool, config: Path | None, targets: tuple[str, ...], **overrides: Any
) -> int:
    """Show one mutant: what changes, and what became of it."""
    settings = _settings(config, targets, overrides)
    population = populate(settings)
    mutant = population.find(name)
    texts = {f: m.design.texts[f] for m in population.members for f in m.design.texts}
    verdicts: dict[str, Verdict] = {}
    shown = verdicts
    if name in population.ignored:
        # It is never run; what an earlier campaign found has no weight any more.
        shown = {"": Verdict(State.IGNORED, population.ignored[name])}
    else:
        with Store.read(settings.root / settings.work_dir) as store:
            verdicts = shown = store.latest(name)
        if not verdicts:
            raise UsageError(f"{name} has not been run", hint="run a campaign first")
    results = Results((), texts)
    for target, verdict in shown.items():
        click.echo(text.detail(results, Outcome(mutant, verdict, {target: verdict})))
        if verdict.test:
            click.echo(f"  killed by {verdict.test} of {target}, which said:")
            click.echo("".join(f"    {line}\n" for line in verdict.message.splitlines()), nl=False)
    if name in population.accepted:
        click.echo(f"  accepted as: {population.accepted[name]}")
    if waves:
        from cocotb_mutants.waves import record

        for path in record(settings, population, mutant, verdicts):
            click.echo(f"waves: {_short(path)}")
    return ExitCode.OK


@cli.command()
@_with(_CONFIG, _WORK_DIR)
def report(config: Path | None, work_dir: str | None) -> int:
    """Print the report of the last campaign again."""
    draft = load(config, {"work_dir": work_dir})
    path = draft.root / draft.campaign.work_dir / LAST
    if not path.is_file():
        raise UsageError(f"no campaign was run in {path.parent}", hint="cocotb-mutants run")
    Screen().report(path.read_text(encoding="utf-8"))
    return ExitCode.OK


@cli.command()
def operators() -> int:
    """List the operators."""
    width = max(map(len, OPERATORS))
    for operator in OPERATORS.values():
        asked = "" if operator.by_default else " (on request)"
        click.echo(f"{operator.name.ljust(width)}  {operator.title}{asked}")
    return ExitCode.OK


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the command and leave with its documented exit code."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    code = _run(arguments)
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        code = ExitCode.INTERNAL
    end_all()
    # Threads that wait for a build would keep the interpreter from ending.
    os._exit(code)


def _run(arguments: list[str] | None) -> int:
    screen = Screen()
    try:
        return int(cli.main(arguments, prog_name="cocotb-mutants", standalone_mode=False) or 0)
    except MutantsError as error:
        screen.error(error)
        return error.code
    except click.ClickException as error:
        error.show()
        return ExitCode.USAGE
    except (click.Abort, KeyboardInterrupt):
        screen.error(
            Interrupted("interrupted", hint="run it again to go on: what was judged is kept")
        )
        return ExitCode.INTERRUPTED
    except SystemExit:
        # Whoever read our output has gone: click and rich would leave with our code of a low score.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.INTERNAL
    except OSError as error:
        where = f" {error.filename}" if error.filename else ""
        screen.error(MutantsError(f"{error.strerror or error}{where}"))
        return ExitCode.INTERNAL
    except Exception:
        traceback.print_exc()
        screen.error(MutantsError("a fault of cocotb-mutants itself", hint="please report it"))
        return ExitCode.INTERNAL


def _settings(
    config: Path | None, targets: tuple[str, ...], overrides: Mapping[str, Any]
) -> Config:
    draft = load(config, overrides)
    if draft.prepare:
        _prepare(draft.prepare, draft.root)
    return draft.expand().select(targets)


def _prepare(command: tuple[str, ...], root: Path) -> None:
    shown = " ".join(command)
    words = [word.replace("{python}", sys.executable) for word in command]
    try:
        run = subprocess.run(
            words, cwd=root, capture_output=True, text=True, errors="replace", check=False
        )
    except OSError as error:
        raise UsageError(f"'prepare' cannot be run: {shown}: {error.strerror}") from None
    if run.returncode != 0:
        said = (run.stderr or run.stdout).strip() or "it said nothing"
        raise UsageError(f"'prepare' ended with exit code {run.returncode}: {shown}", hint=said)


def _say_what_is_there(screen: Screen, settings: Config, population: Population) -> None:
    screen.say(f"{_counted(population)}, {settings.simulator}, seed {settings.seed}")
    for member in population.members:
        found = member.found
        notes = [
            f"{count} {what}"
            for count, what in (
                (found.in_macro, "places in macros"),
                (found.in_included, "places in included files"),
            )
            if count
        ]
        if notes:
            screen.say(f"{member.target.name}: not mutated: {', '.join(notes)}")
        for comment in found.idle:
            screen.say(f"{comment.file}:{comment.line}: 'mutants: off' silences nothing")


def _say_idle(screen: Screen, population: Population) -> None:
    for file, pattern in population.idle:
        screen.say(f"{file}: {pattern} is the name of no mutant")


def _say_what_ran(screen: Screen, campaign: Campaign) -> None:
    for name, controls in campaign.controls.items():
        apart = f", {len(controls.apart)} in builds of their own" if controls.apart else ""
        screen.say(f"{name}: {controls.in_schema} mutants in one build{apart}; {controls.mode}")


def _counted(population: Population) -> str:
    mutants, targets = len(population.mutants), len(population.members)
    words = f"{mutants} mutant{'' if mutants == 1 else 's'}"
    if population.sampled_from:
        words += f" sampled from {population.sampled_from}"
    return f"{words} in {targets} target{'' if targets == 1 else 's'}"


def _code(screen: Screen, results: Results, blind: list[str]) -> ExitCode:
    wanted = results.fail_under
    if wrong := results.score.counts[State.WRONG_MUTANT]:
        screen.say(
            f"{wrong} run{'' if wrong == 1 else 's'} simulated another mutant than asked for: "
            "no verdict can be trusted"
        )
        return ExitCode.CONTROL_FAILED
    if blind:
        screen.say(
            f"the bench of {', '.join(blind)} checks nothing: every assignment was made a "
            "constant, and no test failed"
        )
        return ExitCode.BENCH_BLIND
    if wanted is not None and not results.score.reaches(wanted):
        screen.say(f"the score {results.score} is below {wanted:g} %")
        return ExitCode.SCORE_BELOW
    return ExitCode.OK


def _short(path: Path) -> str:
    """Return `path` as seen from here, if it is below."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)
