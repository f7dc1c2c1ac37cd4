"""Count how often each block of the program runs, by rewriting its modules as they are imported.

A block is the body of a function, a branch (also the one that isn't written: `else` of an `if` without
one), a turn of a loop, an `except`, a `case`. Counters work in every thread, on every Python, and cost
about a third of the speed; `sys.settrace` costs three quarters. Their sum is the work of a run: the
same number on every machine.
"""

from __future__ import annotations

import ast
import importlib.abc
import importlib.machinery
import sys
from collections import defaultdict
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any, Final, NamedTuple

PACKAGES: Final = ("ledger", "projections", "web", "cli")
_COUNTS: Final = "_fuzz_counts_"
_WORD_MOST: Final = 40
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Block(NamedTuple):
    """Where a block begins."""

    module: str
    function: str
    line: int

    def __str__(self) -> str:
        return f"{self.module}.{self.function}:{self.line}"


class Coverage:
    """The blocks of all instrumented modules, and how often each ran since `counts` was cleared."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.counts: defaultdict[int, int] = defaultdict(int)
        self.words: dict[str, set[str]] = {}  # constants of each module: what its code compares with

    def install(self) -> None:
        """Instrument modules that are imported from now on; those imported before can't be."""
        early = sorted(name for name in sys.modules if name.partition(".")[0] in PACKAGES)
        assert not early, f"imported before the instrumentation: {early[:3]}"
        sys.meta_path.insert(0, _Finder(self))

    def words_of(self, modules: tuple[str, ...]) -> list[bytes]:
        """Return the constants of the modules whose names begin so."""
        found = {word for name, words in self.words.items() if name.startswith(modules) for word in words}
        return sorted(word.encode("utf-8", "surrogatepass") for word in found)


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, coverage: Coverage) -> None:
        self._coverage = coverage

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if fullname.partition(".")[0] not in PACKAGES:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(spec.loader.name, spec.loader.path, self._coverage)
        return spec


class _Loader(SourceFileLoader):
    def __init__(self, fullname: str, path: str, coverage: Coverage) -> None:
        super().__init__(fullname, path)
        self._coverage = coverage

    def get_code(self, fullname: str) -> CodeType | None:
        path = self.get_filename(fullname)  # never the bytecode on the disk, which counts nothing
        tree = ast.parse(self.get_data(path))
        self._coverage.words[fullname] = {
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and 1 < len(node.value) <= _WORD_MOST
        }
        _Instrumenter(self._coverage, fullname).visit(tree)
        return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)

    def exec_module(self, module: ModuleType) -> None:
        module.__dict__[_COUNTS] = self._coverage.counts
        super().exec_module(module)


class _Instrumenter(ast.NodeVisitor):
    """Puts a counter before the first statement of each block within a function."""

    def __init__(self, coverage: Coverage, module: str) -> None:
        self._coverage, self._module = coverage, module
        self._functions: list[str] = []

    def _visit_function(self, node: Function) -> None:
        self._functions.append(node.name)
        self.generic_visit(node)
        has_docstring = ast.get_docstring(node, clean=False) is not None
        node.body.insert(has_docstring, self._counter(node.body[-1]))
        self._functions.pop()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._visit_function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._visit_function(node)

    def generic_visit(self, node: ast.AST) -> None:
        super().generic_visit(node)
        if not self._functions:
            return
        if isinstance(node, ast.If):
            self._count(node.body)
            self._count(node.orelse, node)
        elif isinstance(node, ast.For | ast.AsyncFor | ast.While | ast.ExceptHandler | ast.match_case):
            self._count(node.body)

    def _count(self, body: list[ast.stmt], around: ast.stmt | None = None) -> None:
        body.insert(0, self._counter(body[0] if body else around))

    def _counter(self, at: ast.stmt | None) -> ast.stmt:
        line = at.lineno if at is not None else 1
        number = len(self._coverage.blocks)
        self._coverage.blocks.append(Block(self._module, ".".join(self._functions), line))
        counts = ast.Name(_COUNTS, ast.Load())
        place = ast.Subscript(counts, ast.Constant(number), ast.Store())
        counter = ast.AugAssign(place, ast.Add(), ast.Constant(1))
        counter.lineno = line
        return counter
