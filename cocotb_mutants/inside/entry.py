# SPDX-License-Identifier: Apache-2.0
"""Where cocotb hands over: named last in PYGPI_USERS, in place of cocotb's own regression."""

from __future__ import annotations

import json
import os
import socket
import time
import traceback
from dataclasses import replace
from pathlib import Path
from typing import Any

from cocotb_mutants.inside import bench, vpi
from cocotb_mutants.inside.files import FilesRead
from cocotb_mutants.inside.place import Place
from cocotb_mutants.inside.records import Records
from cocotb_mutants.inside.run import Run, leave
from cocotb_mutants.inside.server import Server
from cocotb_mutants.protocol import SPEC_VARIABLE, Hello, Job, WorkerSpec, encode

__all__ = ["serve"]


def serve() -> None:
    """Load the bench, then run what the specification says."""
    # Popped, so that programs which the bench starts do not take it for theirs.
    spec = WorkerSpec.from_json(json.loads(Path(os.environ.pop(SPEC_VARIABLE)).read_text()))
    files = FilesRead()
    if spec.mode == "fork":
        _serve(spec, files)
    else:
        _single(spec, files)


def _serve(spec: WorkerSpec, files: FilesRead) -> None:
    channel = socket.socket(fileno=int(spec.channel))
    channel.set_inheritable(False)
    before = bench.threads()
    hello, manager = _load()
    reason = bench.new_threads(before)
    if reason:
        hello = replace(hello, cannot_fork=reason)
    channel.sendall(encode(hello).encode() + b"\n")
    if manager is None or reason:
        leave()

    def run(job: Job, records: Records) -> None:
        Run(spec, job, manager, records, files).start()

    Server(channel, Path(spec.root), Path(spec.run_dir), run).serve()


def _single(spec: WorkerSpec, files: FilesRead) -> None:
    records = Records(os.open(spec.channel, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644))
    vpi.print_by_line()
    hello, manager = _load()
    records.write("hello", hello.to_json())
    if manager is None or spec.job is None:
        records.write("end", {"limit": ""})
        leave()
    place = Place(Path(spec.root), Path(spec.channel).parent / "work")
    place.prepare()
    place.enter()
    records.write("begun", [time.time(), time.process_time()])
    try:
        Run(spec, spec.job, manager, records, files).start()
    except Exception:
        traceback.print_exc()
        leave(1)


def _load() -> tuple[Hello, Any]:
    try:
        manager = bench.load()
    except bench.BenchError as error:
        return Hello(error=str(error)), None
    tests = () if manager is None else bench.tests_in_order(manager)
    return Hello(tests=tuple(test.fullname for test in tests)), manager
