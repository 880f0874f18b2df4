# SPDX-License-Identifier: Apache-2.0
"""Read the configuration, let the command line win, and find the files that it names."""

from __future__ import annotations

import dataclasses
import difflib
import glob
import os
import reprlib
import shutil
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from cocotb_mutants.errors import UsageError
from cocotb_mutants.settings import CampaignKeys, FileKeys, TableKeys, TargetKeys

__all__ = ["Config", "Draft", "Target", "load"]

_TABLE = "tool.cocotb-mutants"
_IN_PYPROJECT = (f"[{_TABLE}]", f"[[{_TABLE}.target]]")
_NEEDED = {
    "sources": 'sources = ["rtl/counter.sv"]',
    "top": 'top = "counter"',
    "test-modules": 'test-modules = ["test_counter"]',
}
_MUST_BE = {
    "bool_type": "true or false",
    "dataclass_type": "a table",
    "dict_type": "a table",
    "float_type": "a number",
    "frozen_set_type": "a list",
    "int_type": "a whole number",
    "string_type": "a text",
    "tuple_type": "a list",
}

_CHECKS: dict[type[Any], TypeAdapter[Any]] = {
    keys: TypeAdapter(keys) for keys in (CampaignKeys, FileKeys, TableKeys)
}
_T = TypeVar("_T")


@dataclass(frozen=True)
class Target:
    """One design with one set of parameters, and the tests that judge it.

    All paths are relative to the project's folder, with `/`; those outside it are absolute or
    begin with `..`. `sources` keeps the compile order, and `mutate` is a part of it.
    """

    name: str
    sources: tuple[str, ...]
    mutate: tuple[str, ...]
    includes: tuple[str, ...]
    defines: Mapping[str, str]
    parameters: Mapping[str, int | float | str]
    top: str
    test_modules: tuple[str, ...]
    test_filter: str
    timescale: str
    build_args: tuple[str, ...]
    test_args: tuple[str, ...]
    plusargs: tuple[str, ...]
    env: Mapping[str, str]
    python_path: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Config(CampaignKeys):
    """Everything a campaign needs to know. `simulator` is the name of one, never `auto`."""

    root: Path
    targets: tuple[Target, ...]

    def select(self, names: Sequence[str]) -> Config:
        """Keep the targets called `names`, or all where there is no name.

        The name without its parameter set, `counter` for `counter[WIDTH=8]`, means all sets.

        Raises:
            UsageError: there is no such target.
        """
        known = {each.name for each in self.targets} | {_stem(each) for each in self.targets}
        for name in names:
            if name not in known:
                raise UsageError(
                    f"unknown target {name!r}{_suggestion(name, known)}",
                    hint=f"the targets are {', '.join(each.name for each in self.targets)}",
                )
        kept = [each for each in self.targets if {each.name, _stem(each)} & set(names)]
        return dataclasses.replace(self, targets=tuple(kept)) if names else self


@dataclass(frozen=True)
class Draft:
    """A configuration that was read and checked, before any file is looked for.

    `prepare` is the command that may still make some of those files: run it in `root` first,
    then call `expand`.
    """

    root: Path
    campaign: CampaignKeys
    tables: tuple[tuple[str, Mapping[str, Any]], ...]

    @property
    def prepare(self) -> tuple[str, ...]:
        """The command to run in `root` before `expand`, as words; empty for none."""
        return self.campaign.prepare

    def expand(self) -> Config:
        """Find all files and return the targets, one for each file and parameter set.

        Raises:
            UsageError: a file, a folder or a pattern leads nowhere, or two targets have one name.
        """
        targets: list[Target] = []
        for where, table in self.tables:
            for filled in _filled(self.root, where, table):
                targets += _targets(self.root, where, _checked(TableKeys, filled, where, where))
        names = [target.name for target in targets]
        for name in names:
            if names.count(name) > 1:
                raise UsageError(
                    f"{names.count(name)} targets are called {name!r}",
                    hint="give each [[target]] a name of its own, or another parameter set",
                )
        settings = {
            each.name: getattr(self.campaign, each.name)
            for each in dataclasses.fields(CampaignKeys)
        }
        if settings["simulator"] == "auto":
            settings["simulator"] = "icarus" if shutil.which("iverilog") else "verilator"
        for key in ("mutations", "accepted"):
            settings[key] = _files(self.root, f"{key!r}", settings[key])
        return Config(root=self.root, targets=tuple(targets), **settings)


def load(path: Path | None = None, overrides: Mapping[str, object] | None = None) -> Draft:
    """Read `path`, or the nearest `pyproject.toml` that has our table, and check it.

    `overrides` are the options of the command line, by the name of the key with `-` or `_`;
    those that are None or empty were not given. They win over the file, in every target.
    Inside `[[target]]`, lists and single values replace those of the top level, while tables
    (`defines`, `parameters`, `env`) are joined key by key.

    Raises:
        UsageError: a file cannot be read, a key is unknown, missing or holds the wrong thing.
    """
    path = path or _nearest(Path.cwd())
    raw, where, inside = _read(path) if path else ({}, *_IN_PYPROJECT)
    folder = (path.parent if path else Path.cwd()).absolute()
    given = {
        key.replace("_", "-"): value
        for key, value in (overrides or {}).items()
        if value is not None and value not in ((), [], {}, "")
    }
    _checked(FileKeys, given, "the command line", "the command line")
    _checked(FileKeys, raw, where, inside)
    root = Path(os.path.normpath(folder / raw.get("root", ".")))
    if not root.is_dir():
        raise UsageError(f"'root' in {where} is {raw['root']!r}, and {root} is no folder")
    ours = {key: raw[key] for key in raw if key in _names(CampaignKeys)}
    ours |= {key: given[key] for key in given if key in _names(CampaignKeys)}
    campaign = _checked(CampaignKeys, ours, where, inside)
    if campaign.only_mutations and not campaign.mutations:
        raise UsageError(
            "only-mutations is set, but no mutations file is named",
            hint='mutations = ["mutations.toml"]',
        )
    shared = {key: raw[key] for key in raw if key in _names(TargetKeys)}
    winning = {key: given[key] for key in given if key in _names(TargetKeys)}
    tables = [
        (_place(inside, number) if raw.get("target") else where, _joined(shared, table, winning))
        for number, table in enumerate(raw.get("target") or [{}])
    ]
    for place, table in tables:
        for key, example in _NEEDED.items():
            if not table.get(key):
                raise UsageError(f"no {key!r} in {place}", hint=f"for example: {example}")
    return Draft(root, campaign, tuple(tables))


def _nearest(folder: Path) -> Path | None:
    for each in (folder, *folder.parents):
        path = each / "pyproject.toml"
        if path.is_file() and _ours(_toml(path)) is not None:
            return path
    return None


def _read(path: Path) -> tuple[dict[str, Any], str, str]:
    """Return the keys of `path` and how the top level and the list of targets are called."""
    whole = _toml(path)
    if path.name != "pyproject.toml":
        return whole, path.name, f"[[target]] of {path.name}"
    table = _ours(whole)
    if not isinstance(table, dict):
        raise UsageError(f"{path} has no table [{_TABLE}]", hint="the guide in docs/ shows one")
    return table, *_IN_PYPROJECT


def _ours(whole: Mapping[str, Any]) -> object:
    tool = whole.get("tool")
    return tool.get("cocotb-mutants") if isinstance(tool, dict) else None


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8 at byte {error.start}") from None
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path} is not TOML: {error}") from None


def _names(keys: type[Any]) -> set[str]:
    return {each.name.replace("_", "-") for each in dataclasses.fields(keys)}


def _joined(*layers: Mapping[str, Any]) -> dict[str, Any]:
    joined: dict[str, Any] = {}
    for layer in layers:
        for key, value in layer.items():
            both = isinstance(value, Mapping) and isinstance(joined.get(key), Mapping)
            joined[key] = {**joined[key], **value} if both else value
    return joined


def _checked(keys: type[_T], raw: Mapping[str, Any], where: str, inside: str) -> _T:
    try:
        return cast(_T, _CHECKS[keys].validate_python(raw))
    except ValidationError as error:
        problems = [_problem(each, keys, where, inside) for each in error.errors()]
        raise UsageError("\n".join(problems)) from None


def _problem(error: ErrorDetails, keys: type[Any], where: str, inside: str) -> str:
    location = list(error["loc"])
    place = where
    if location[0] == "target" and len(location) > 2:
        place, keys, location = _place(inside, location[1]), TableKeys, location[2:]
    key = str(location[0])
    if error["type"] == "unexpected_keyword_argument":
        if key in _names(FileKeys):
            return f"key {key!r} in {place} belongs to the whole campaign: it stands in {where}"
        return f"unknown key {key!r} in {place}{_suggestion(key, _names(keys))}"
    said = error["msg"].removeprefix("Value error, ").removeprefix("Input should be ")
    message = f"it must be {_MUST_BE.get(error['type'], said)}"
    if error["type"] == "value_error":
        message = said
    elif location == ["target"]:
        message = f"each target begins with a line {inside}"
    key += "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location[1:])
    return f"key {key!r} in {place} is {reprlib.repr(error['input'])}: {message}"


def _place(inside: str, number: object) -> str:
    return f"{inside}, number {int(str(number)) + 1}"


def _suggestion(word: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(word.replace("_", "-"), sorted(known), 1)
    return f"; did you mean {close[0]!r}?" if close else ""


def _stem(target: Target) -> str:
    return target.name.partition("[")[0]


def _filled(root: Path, where: str, table: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield `table` once for each file that its `each` matches, or as it is."""
    pattern = table.get("each")
    if not pattern:
        yield table
        return
    for path in sorted(_files(root, f"'each' in {where}", [pattern])):
        stem = PurePosixPath(path).stem
        filled = {key: _fill(value, stem, path) for key, value in table.items() if key != "each"}
        yield {"name": stem, **filled}


def _fill(value: Any, stem: str, path: str) -> Any:
    if isinstance(value, str):
        return value.replace("{stem}", stem).replace("{path}", path)
    if isinstance(value, Mapping):
        return {key: _fill(each, stem, path) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_fill(each, stem, path) for each in value]
    return value


def _targets(root: Path, where: str, keys: TableKeys) -> Iterator[Target]:
    sources = _files(root, f"'sources' in {where}", keys.sources)
    chosen = set(_files(root, f"'mutate' in {where}", keys.mutate or sources))
    mutate = tuple(source for source in sources if source in chosen)
    if not mutate:
        raise UsageError(
            f"no file of 'mutate' in {where} is one of its sources",
            hint=f"its sources are {', '.join(sources)}",
        )
    includes = _folders(root, f"'includes' in {where}", keys.includes)
    python_path = _folders(root, f"'python-path' in {where}", keys.python_path)
    name = keys.name or keys.top
    for parameters in keys.parameter_sets or ({},):
        words = ",".join(f"{key}={value}" for key, value in parameters.items())
        yield Target(
            name=f"{name}[{words}]" if words else name,
            sources=sources,
            mutate=mutate,
            includes=includes,
            defines=keys.defines,
            parameters={**keys.parameters, **parameters},
            top=keys.top,
            test_modules=keys.test_modules,
            test_filter=keys.test_filter,
            timescale=keys.timescale,
            build_args=keys.build_args,
            test_args=keys.test_args,
            plusargs=keys.plusargs,
            env=keys.env,
            python_path=python_path,
        )


def _files(root: Path, what: str, patterns: Iterable[str]) -> tuple[str, ...]:
    """Return the files of all `patterns` in their order, each once.

    A name that exists is meant as it stands, so that brackets in it are no pattern.
    """
    found: dict[str, None] = {}
    for pattern in patterns:
        if (root / pattern).is_file():
            found[_relative(root, pattern)] = None
        elif (root / pattern).is_dir():
            raise UsageError(
                f"{pattern!r} of {what} is a folder",
                hint=f"to mean its files write {pattern.rstrip('/')}/*.sv",
            )
        elif glob.has_magic(pattern):
            matches = sorted(glob.glob(pattern, root_dir=root, recursive=True))  # noqa: PTH207
            files = [each for each in matches if (root / each).is_file()]
            if not files:
                raise UsageError(f"{pattern!r} of {what} matches no file in {root}")
            found.update(dict.fromkeys(_relative(root, each) for each in files))
        else:
            raise UsageError(f"{pattern!r} of {what} does not exist in {root}")
    return tuple(found)


def _folders(root: Path, what: str, names: Iterable[str]) -> tuple[str, ...]:
    for name in names:
        if not (root / name).is_dir():
            raise UsageError(f"{name!r} of {what} is no folder in {root}")
    return tuple(dict.fromkeys(_relative(root, name) for name in names))


def _relative(root: Path, name: str) -> str:
    if any(letter < " " or "\ud800" <= letter <= "\udfff" for letter in name):
        raise UsageError(f"the file name {name!r} is not UTF-8, or holds a control character")
    path = PurePosixPath(os.path.normpath(name))
    return str(path.relative_to(root) if path.is_relative_to(root) else path)
