# SPDX-License-Identifier: Apache-2.0
"""What a campaign needs of the world, builds and simulations, and the real thing behind it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

from cocotb_mutants import build as builds
from cocotb_mutants import worker
from cocotb_mutants.build import Build, BuildRequest
from cocotb_mutants.config import Config
from cocotb_mutants.layout import include_folders, lay_out
from cocotb_mutants.population import Member
from cocotb_mutants.protocol import HitRegister, Job, RunReport

__all__ = ["Lab", "RealLab", "Simulation"]


class Simulation(Protocol):
    """A build with its bench, ready to run jobs."""

    @property
    def mode(self) -> str:
        """`fork` or `process`."""

    @property
    def cannot_fork(self) -> str:
        """Why it is not `fork`, else empty."""

    def run(self, jobs: Iterable[Job], slots: int = 1) -> Iterator[RunReport]:
        """Run the jobs, `slots` at a time, and yield the reports as the runs end."""


class Lab(Protocol):
    """Builds designs and runs benches on them."""

    def build(self, member: Member, texts: Mapping[str, bytes], select: bytes) -> Build:
        """Build the member's design with `texts` in place of its files where given.

        Raises:
            BuildFailed: the simulator refuses it.
        """

    def simulation(
        self,
        member: Member,
        build: Build,
        hits: Iterable[HitRegister] = (),
        *,
        alone: bool = False,
        watched: Iterable[str] = (),
    ) -> AbstractContextManager[Simulation]:
        """Return a simulation of `build`; `alone` for one run of one mutant that is built in.

        `watched` are inner signals that a record of its outputs holds too.
        """


class RealLab:
    """Builds with cocotb's runner below the work folder, and runs the user's bench."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._folder = config.root / config.work_dir
        self._runs = itertools.count()

    def build(self, member: Member, texts: Mapping[str, bytes], select: bytes) -> Build:
        """Build; see `Lab`."""
        return builds.build(self._request(member, texts, select), self._folder / "cache")

    def build_with_waves(self, member: Member, texts: Mapping[str, bytes], select: bytes) -> Build:
        """Build so that a run can record waves."""
        return builds.build(
            self._request(member, texts, select, waves=True), self._folder / "cache"
        )

    def simulation(
        self,
        member: Member,
        build: Build,
        hits: Iterable[HitRegister] = (),
        *,
        alone: bool = False,
        watched: Iterable[str] = (),
        waves: Path | None = None,
    ) -> worker.Simulation:
        """Return a simulation; see `Lab`. With `waves` its one run records them there."""
        return worker.Simulation(
            build,
            self._bench(member),
            self._folder / "runs" / f"{next(self._runs)}",
            outputs=member.design.outputs,
            watched=watched,
            hits=hits,
            write_selector=not alone,
            mode="process" if alone or waves or self._config.fork == "never" else "auto",
            waves=waves,
        )

    def _request(
        self, member: Member, texts: Mapping[str, bytes], select: bytes, **more: Any
    ) -> BuildRequest:
        target = member.target
        sources = member.design.sources
        return BuildRequest(
            simulator=self._config.simulator,
            sources=lay_out(sources, texts, select, self._folder / "sources"),
            top=target.top,
            includes=include_folders(sources),
            defines=target.defines,
            parameters=target.parameters,
            timescale=target.timescale,
            build_args=target.build_args,
            env=target.env,
            headers=member.design.included,
            **more,
        )

    def _bench(self, member: Member) -> worker.BenchRequest:
        target = member.target
        return worker.BenchRequest(
            top=target.top,
            test_modules=target.test_modules,
            root=self._config.root,
            test_filter=target.test_filter,
            python_path=target.python_path,
            env=target.env,
            plusargs=target.plusargs,
            test_args=target.test_args,
            seed=self._config.seed,
            ignored=(self._folder,),
        )
