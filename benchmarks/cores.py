# SPDX-License-Identifier: Apache-2.0
"""The real cores that campaigns are measured on: their files, and a project made of them."""

from __future__ import annotations

import importlib
import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

__all__ = ["CORES", "ROOT", "Core", "project"]

ROOT = Path(__file__).resolve().parents[1]
BENCHES = ROOT / "benchmarks" / "benches"


@dataclass(frozen=True)
class Core:
    """A core: the Python package that holds its RTL, and files of it.

    `needed` are compiled first, `around`, which are ours, last; neither are mutated.
    """

    package: str
    top: str
    bench: str
    sources: tuple[str, ...]
    needed: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    around: tuple[str, ...] = ()
    build_args: Mapping[str, tuple[str, ...]] | None = None


_SERV = "bufreg bufreg2 alu csr ctrl decode immdec mem_if rf_if rf_ram_if rf_ram state top rf_top"
_IBEX = (
    "pkg alu branch_predict compressed_decoder controller cs_registers csr counter decoder"
    " ex_block fetch_fifo id_stage if_stage load_store_unit multdiv_fast multdiv_slow"
    " prefetch_buffer pmp wb_stage dummy_instr icache core register_file_ff"
)
_PRIM = "vendor/lowrisc_ip/ip/prim/rtl"
_QUIET = {"verilator": ("-Wno-fatal", "-Wno-lint", "-Wno-style")}

CORES: Mapping[str, Core] = {
    "picorv32": Core(
        package="pythondata_cpu_picorv32",
        top="picorv32",
        bench="benchmarks.benches.picorv32",
        sources=("picorv32.v",),
        build_args=_QUIET,
    ),
    "serv": Core(
        package="pythondata_cpu_serv",
        top="serv_rf_top",
        bench="benchmarks.benches.serv",
        sources=tuple(f"rtl/serv_{name}.v" for name in f"{_SERV} aligner compdec".split()),
        build_args=_QUIET,
    ),
    "ibex": Core(
        package="pythondata_cpu_ibex",
        top="ibex_bench_top",
        bench="benchmarks.benches.ibex",
        sources=tuple(f"rtl/ibex_{name}.sv" for name in _IBEX.split()),
        needed=(f"{_PRIM}/prim_ram_1p_pkg.sv", f"{_PRIM}/prim_secded_pkg.sv"),
        headers=(
            *(
                f"{_PRIM}/prim_{name}"
                for name in (
                    "assert.sv",
                    "assert_dummy_macros.svh",
                    "assert_sec_cm.svh",
                    "assert_standard_macros.svh",
                    "assert_yosys_macros.svh",
                    "flop_macros.sv",
                )
            ),
            "vendor/lowrisc_ip/dv/sv/dv_utils/dv_fcov_macros.svh",
        ),
        around=("ibex_bench_top.sv",),
        build_args=_QUIET,
    ),
}


def project(name: str, folder: Path, simulator: str) -> Path:
    """Put a project for the core `name` into `folder` and return its configuration."""
    core = CORES[name]
    data = Path(importlib.import_module(core.package).data_location)
    for file in (*core.needed, *core.sources):
        shutil.copy(data / file, folder)
    (folder / "include").mkdir()
    for file in core.headers:
        shutil.copy(data / file, folder / "include")
    for file in core.around:
        shutil.copy(BENCHES / file, folder)
    sources = [Path(file).name for file in core.sources]
    values = {
        "name": name,
        "sources": [*(Path(file).name for file in core.needed), *sources, *core.around],
        "mutate": sources,
        "includes": ["include"],
        "top": core.top,
        "test-modules": [core.bench],
        "python-path": [str(ROOT)],
        "build-args": list((core.build_args or {}).get(simulator, ())),
        "simulator": simulator,
    }
    config = folder / "campaign.toml"
    # Texts and lists of texts are written the same in JSON and in TOML.
    config.write_text("".join(f"{key} = {json.dumps(each)}\n" for key, each in values.items()))
    return config
