# SPDX-License-Identifier: Apache-2.0
"""The commands: simulate a module, run the regression, close coverage, draw rows, list modules."""

from __future__ import annotations

import random
import re
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from tb import process, tools
from tb.catalog import ROOT, Module, find, modules
from tb.errors import ExitCode, SuiteError, UsageError
from tb.exchange import DEFAULT_CYCLES
from tb.mutation_sources import write_pairs, write_weak
from tb.new import new_module
from tb.plan import in_plan_order, load
from tb.regress import regress
from tb.run import Job

__all__ = ["main"]

CONSOLE = Console(width=None if sys.stdout.isatty() else 110, soft_wrap=not sys.stdout.isatty())

EXIT_CODES = "\n".join(f"  {code.value:<4}{code.meaning}" for code in ExitCode)


def _seed(_: click.Context, __: click.Parameter, value: str) -> int:
    if value == "random":
        return random.SystemRandom().randrange(1, 2**31)
    try:
        return int(value)
    except ValueError:
        raise UsageError(f"SEED={value} is not a whole number, nor the word random") from None


def _regex(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    try:
        re.compile(value or "")
    except re.error as error:
        raise UsageError(f"ONLY={value} is not a regular expression: {error}") from None
    return value


def _options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (
        click.option(
            "--sim", default="", metavar="SIM", help="icarus, verilator, both with a comma, or all."
        ),
        click.option(
            "--seed", default="1", callback=_seed, metavar="N", help="A number, or random."
        ),
        click.option(
            "--cycles",
            default=DEFAULT_CYCLES,
            type=click.IntRange(1),
            metavar="N",
            show_default=True,
            help="Random cycles for each module.",
        ),
    ):
        command = option(command)
    return command


@click.group(epilog=f"\b\nExit codes:\n{EXIT_CODES}", context_settings={"max_content_width": 100})
def cli() -> None:
    """Run the benches of this suite."""


@cli.command()
@click.argument("module")
@_options
@click.option("--waves", is_flag=True, help="Also write waves.fst.")
@click.option(
    "--only",
    metavar="REGEX",
    callback=_regex,
    help="Run the tests whose name matches, and no others.",
)
@click.option("--quiet", is_flag=True, help="Leave the simulator's log in its file.")
def sim(
    module: str, sim: str, seed: int, cycles: int, waves: bool, only: str | None, quiet: bool
) -> int:
    """Simulate one MODULE and show its log."""
    if not module:
        names = ", ".join(each.name for each in modules())
        raise UsageError(f"name a module, MODULE=...; there are {names}")
    found = find(module)
    jobs = [Job(found, each, seed, cycles, waves=waves, only=only) for each in tools.requested(sim)]
    regression = regress(jobs, CONSOLE, follow=not quiet)
    for job in jobs:
        if (found.name, job.simulator) in regression.errors:
            continue
        CONSOLE.print(f"log: {(job.folder / 'log.txt').relative_to(ROOT)}", highlight=False)
        for picture in sorted(job.folder.glob("waves.*")):
            CONSOLE.print(f"waves: {picture.relative_to(ROOT)}", highlight=False)
            if picture.suffix == ".vcd":
                CONSOLE.print(
                    "VCD instead of FST: Verilator's FST writer needs liblz4-dev and zlib1g-dev",
                    highlight=False,
                )
    return regression.exit_code


@cli.command(name="regress")
@click.argument("names", nargs=-1, metavar="[MODULE]...")
@_options
@click.option("--jobs", "-j", type=click.IntRange(1), help="Simulations side by side; one a core.")
def regress_command(
    names: tuple[str, ...], sim: str, seed: int, cycles: int, jobs: int | None
) -> int:
    """Run every module, or those named, and print the table of checks."""
    simulators = tools.requested(sim)
    selected = _selected(names)
    work = [Job(module, each, seed, cycles) for each in simulators for module in selected]
    return regress(work, CONSOLE, workers=jobs, save=not names).exit_code


@cli.command()
@click.argument("names", nargs=-1, metavar="[MODULE]...")
@_options
def coverage(names: tuple[str, ...], sim: str, seed: int, cycles: int) -> int:
    """Run the regression under Verilator, merge its coverage, and hold it to its goals."""
    from tb.closure import close  # pyucis takes long to import, and only this command needs it

    simulators = tools.requested(sim or "verilator")
    if "verilator" not in simulators:
        raise UsageError("code coverage comes from Verilator: use SIM=verilator or SIM=all")
    selected = _selected(names)
    work = [Job(module, each, seed, cycles) for each in simulators for module in selected]
    regression = regress(work, CONSOLE, save=not names)
    return regression.exit_code or close(work, CONSOLE)


@cli.command()
@click.argument("module")
@click.option("--rows", metavar="FIRST-LAST", help="Rows of the plan, such as W0-W7.")
@click.option("--sim", default="", metavar="SIM")
@click.option("-o", "--output", type=click.Path(path_type=Path), metavar="FILE.svg")
def wavedrom(module: str, rows: str | None, sim: str, output: Path | None) -> int:
    """Draw rows of a MODULE's plan as an SVG, from a simulation of them."""
    from tb.wavedrom import draw_rows

    job = Job(find(module), tools.requested(sim)[0])
    svg = draw_rows(job, rows, output)
    CONSOLE.print(f"wrote {svg}", highlight=False, soft_wrap=True)
    return ExitCode.OK


@cli.command()
@click.argument("module")
@click.option("--chapter", default="fleet", show_default=True)
def new(module: str, chapter: str) -> int:
    """Start a MODULE: a working set of files under that name, to be changed into the real thing."""
    for path in new_module(module, chapter):
        CONSOLE.print(f"wrote {path.relative_to(ROOT)}", highlight=False)
    CONSOLE.print(f"try it: make sim MODULE={module}", highlight=False)
    return ExitCode.OK


@cli.command(name="mutation-sources")
@click.option("--weak", is_flag=True, help="Also the base of the weak campaign.")
def mutation_sources(weak: bool) -> int:
    """Write the sources that a mutation campaign needs beside the RTL."""
    write_pairs()
    if weak:
        write_weak()
    return ExitCode.OK


@cli.command(name="list")
def list_modules() -> int:
    """List the modules and their plans."""
    table = Table(box=None)
    for column in ("module", "chapter", "side", "checks", "purpose"):
        table.add_column(column, no_wrap=True)
    for module in in_plan_order(modules()):
        plan = load(module)
        table.add_row(module.name, module.chapter, plan.side, str(len(plan.checks)), plan.title)
    CONSOLE.print(table)
    return ExitCode.OK


def _selected(names: tuple[str, ...]) -> list[Module]:
    return in_plan_order([find(name) for name in names] if names else modules())


def main() -> None:
    """Run a command; every failure is one message and an exit code."""
    # Also where the shell that started this has them ignored, as in a background job.
    for interruption in (signal.SIGINT, signal.SIGTERM):
        signal.signal(interruption, signal.default_int_handler)
    try:
        code = cli(standalone_mode=False)
    except SuiteError as error:
        click.echo(f"error: {error}", err=True)
        code = error.exit_code
    except click.UsageError as error:
        error.show()
        code = ExitCode.USAGE
    except OSError as error:
        click.echo(f"error: {error.strerror}: {error.filename}", err=True)
        code = ExitCode.INTERNAL
    except (KeyboardInterrupt, click.Abort):
        process.end_all()
        click.echo("interrupted", err=True)
        code = ExitCode.INTERRUPTED
    except Exception:
        traceback.print_exc()
        click.echo("error: a fault of the suite itself; the traceback above says where", err=True)
        code = ExitCode.INTERNAL
    sys.exit(int(code or 0))
