# SPDX-License-Identifier: Apache-2.0
"""Read and elaborate the user's SystemVerilog: the one module that starts pyslang."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import pyslang
from pyslang import ast, parsing, syntax

__all__ = ["Design", "Problem", "Sources", "Span", "elaborate", "in_memory"]

_OWN_SCOPES = (ast.InstanceBodySymbol, ast.PackageSymbol, ast.CompilationUnitSymbol)
_REPLACE = "cocotb_mutants.one_byte_for_one"
_FLAGS = (
    ast.CompilationFlags.AllowUseBeforeDeclare
    | ast.CompilationFlags.RelaxEnumConversions
    | ast.CompilationFlags.RelaxStringConversions
    | ast.CompilationFlags.AllowHierarchicalConst
    | ast.CompilationFlags.AllowTopLevelIfacePorts
    | ast.CompilationFlags.AllowUnnamedGenerate
)


def _one_byte_for_one(error: UnicodeError) -> tuple[str, int]:
    """Stand a question mark in for each byte that is not UTF-8, so that no offset moves."""
    assert isinstance(error, UnicodeDecodeError)
    return "?" * (error.end - error.start), error.end


codecs.register_error(_REPLACE, _one_byte_for_one)


def in_memory(text: bytes) -> str:
    """Return `text` as a string whose UTF-8 form has every byte at its old place.

    Comments in another encoding than UTF-8 are common; their bytes become question marks, one
    each. A byte order mark is kept.
    """
    return text.decode("utf-8", _REPLACE)


@dataclass(frozen=True, order=True)
class Span:
    """Bytes `start` to `end` (exclusive) of a listed source file."""

    file: str
    start: int
    end: int

    def holds(self, other: Span) -> bool:
        """Tell whether `other` lies inside this span, its ends included."""
        return self.file == other.file and self.start <= other.start and other.end <= self.end


@dataclass(frozen=True)
class Problem:
    """One message of the front end, at a place (line from 1) of a file as the user names it."""

    file: str
    line: int
    offset: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}"


@dataclass(frozen=True)
class Sources:
    """What is compiled: the texts of the listed files and how they are read.

    `files` are in compile order, as the configuration names them, relative to `root`;
    `parameters` are those of the top module.
    """

    root: Path
    files: tuple[str, ...]
    top: str
    includes: tuple[str, ...] = ()
    defines: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, object] = field(default_factory=dict)

    @cached_property
    def texts(self) -> dict[str, bytes]:
        """The bytes of every listed file, read once."""
        return {file: (self.root / file).read_bytes() for file in self.files}


class Design:
    """An elaborated design, and the way from its tree back to bytes of the user's files.

    `errors` holds what makes it illegal; a design with errors can still be walked, since the
    front end goes on after each.
    """

    def __init__(self, sources: Sources, texts: Mapping[str, bytes]) -> None:
        self.sources = sources
        self.texts = dict(texts)
        self.manager = pyslang.SourceManager()
        for folder in dict.fromkeys([*sources.includes, *(_folder(f) for f in sources.files)]):
            if (sources.root / folder).is_dir():
                self.manager.addUserDirectories(str(sources.root / folder))
        options = _options(sources)
        buffers = [
            self.manager.assignText(str(sources.root / file), in_memory(self.texts[file]))
            for file in sources.files
        ]
        self._file_of = {
            buffer.id.id: file for buffer, file in zip(buffers, sources.files, strict=True)
        }
        self.tree = syntax.SyntaxTree.fromBuffers(buffers, self.manager, options)
        self.compilation = ast.Compilation(options)
        self.compilation.addSyntaxTree(self.tree)
        self.root = self.compilation.getRoot()
        self.errors = tuple(self._problems())

    def span(self, where: Any) -> Span | None:
        """Return the bytes that `where` (a source range) covers in a listed file.

        An end inside a macro's text is moved to the end of the macro's use, so that the span
        is always text that stands there and can be copied. None where the two ends are in
        different files, or in a file that is not listed (an included one).
        """
        start, end = where.start, where.end
        if not self.manager.isFileLoc(start):
            start = self.manager.getFullyExpandedLoc(start)
        if not self.manager.isFileLoc(end):
            end = self._end_of_use(end)
        file = self._file_of.get(start.buffer.id)
        if file is None or end.buffer.id != start.buffer.id or end.offset < start.offset:
            return None
        return Span(file, start.offset, end.offset)

    def literal(self, where: Any) -> bool:
        """Tell whether `where` (a location or range) stands in a listed file, not in a macro."""
        places = [where] if isinstance(where, pyslang.SourceLocation) else [where.start, where.end]
        return all(self.manager.isFileLoc(p) and p.buffer.id in self._file_of for p in places)

    def text(self, span: Span) -> str:
        """Return the text of `span`; bytes that are not UTF-8 come as surrogate escapes."""
        return self.texts[span.file][span.start : span.end].decode("utf-8", "surrogateescape")

    def line_and_column(self, span: Span) -> tuple[int, int]:
        """Return line and column of the start of `span`, both from 1, the column in characters."""
        before = self.texts[span.file][: span.start]
        line_start = before.rfind(b"\n") + 1
        column = len(before[line_start:].decode("utf-8", "surrogateescape").lstrip("\ufeff")) + 1
        return before.count(b"\n") + 1, column

    def visit(self, callback: Callable[[Any], object]) -> None:
        """Call `callback` on every symbol, statement and expression of the elaborated design.

        Each package and file scope comes once, and each module once per distinct set of
        parameter values (`bodies`), however often it is instantiated; generate blocks whose
        condition does not hold are left out. What the callback returns
        steers the walk as in pyslang's `visit` (`VisitAction.Skip` leaves out the children).
        """
        for scope in self.scopes:

            def step(node: Any, scope: Any = scope) -> object:
                if isinstance(node, _OWN_SCOPES) and node is not scope:
                    return ast.VisitAction.Skip
                if isinstance(node, ast.GenerateBlockSymbol) and node.isUninstantiated:
                    return ast.VisitAction.Skip
                return callback(node)

            scope.visit(step)

    @cached_property
    def bodies(self) -> list[tuple[Any, list[str]]]:
        """Each distinct elaborated module body with the hierarchical paths of its instances.

        Distinct means another definition, other parameter values, or other interfaces at its
        ports; the order is that of the first instance met from the top.
        """
        found: dict[object, tuple[Any, list[str]]] = {}

        def step(node: Any) -> object:
            if isinstance(node, ast.InstanceSymbol):
                key = _body_key(node)
                found.setdefault(key, (node.body, []))[1].append(node.hierarchicalPath)
            return None

        for instance in self.root.topInstances:
            instance.visit(step)
        return list(found.values())

    @cached_property
    def scopes(self) -> list[Any]:
        """File scopes and packages of the user's files, then the distinct module bodies."""
        units = list(self.compilation.getCompilationUnits())
        packages = [
            package
            for package in self.compilation.getPackages()
            if package.location.buffer.id in self._file_of
        ]
        return [*units, *packages, *(body for body, _ in self.bodies)]

    @cached_property
    def included(self) -> tuple[Path, ...]:
        """The files that the listed ones include, sorted."""
        paths = (
            Path(self.manager.getFullPath(buffer))
            for buffer in self.manager.getAllBuffers()
            if buffer.id not in self._file_of
        )
        return tuple(sorted({path for path in paths if path.is_absolute() and path.is_file()}))

    @cached_property
    def outputs(self) -> tuple[str, ...]:
        """The names of the top's output and inout ports, in order."""
        out = (ast.ArgumentDirection.Out, ast.ArgumentDirection.InOut)
        return tuple(
            port.name
            for instance in self.root.topInstances
            for port in instance.body.portList
            if isinstance(port, ast.PortSymbol) and port.direction in out
        )

    def _end_of_use(self, location: Any) -> Any:
        while not self.manager.isFileLoc(location):
            location = self.manager.getExpansionRange(location).end
        return location

    def _problems(self) -> Iterator[Problem]:
        engine = pyslang.DiagnosticEngine(self.manager)
        for diagnostic in self.compilation.getAllDiagnostics():
            if diagnostic.isError():
                location = self.manager.getFullyExpandedLoc(diagnostic.location)
                file = self._file_of.get(location.buffer.id)
                yield Problem(
                    file or str(self.manager.getFileName(location)),
                    self.manager.getLineNumber(location),
                    location.offset if file else -1,
                    engine.formatMessage(diagnostic),
                )


def elaborate(sources: Sources, texts: Mapping[str, bytes] | None = None) -> Design:
    """Elaborate `sources`, with `texts` in place of the files on disk where given."""
    return Design(sources, {**sources.texts, **(texts or {})})


def _options(sources: Sources) -> Any:
    read = parsing.PreprocessorOptions()
    read.predefines = [f"{name}={value}" for name, value in sources.defines.items()]
    build = ast.CompilationOptions()
    build.topModules = {sources.top}
    build.paramOverrides = [f"{name}={value}" for name, value in sources.parameters.items()]
    build.flags = _FLAGS
    build.errorLimit = 0
    return pyslang.Bag([read, build])


def _folder(file: str) -> str:
    return str(Path(file).parent)


def _body_key(instance: Any) -> Sequence[object]:
    body = instance.body
    parameters = tuple(
        (p.name, str(getattr(p, "value", None)), str(getattr(p, "type", None)))
        for p in body.parameters
    )
    interfaces = tuple(
        str(connection.ifaceConn)
        for connection in instance.portConnections
        if isinstance(connection.port, ast.InterfacePortSymbol)
    )
    return (body.definition.name, body.definition.location.offset, parameters, interfaces)
