"""Count how often each block of the program runs, by rewriting its modules as they are imported.

A block is the body of a function, a branch (also the one that isn't written: `else` of an `if` without
one), a turn of a loop, an `except`, a `case`; it is called after its place, `ledger.people.add:41`.
Counters work in every thread, on every Python, and cost about a third of the speed; `sys.settrace`
costs three quarters. Their sum is the work of a run: the same number on every machine.
"""

from __future__ import annotations

import ast
import importlib.abc
import importlib.machinery
import sys
from collections import defaultdict
from collections.abc import Iterator
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any, Final

PACKAGES: Final = ("ledger", "projections", "web", "cli")
_COUNTS: Final = "_fuzz_counts_"
_WORD_MOST: Final = 40


class Coverage:
    """How often each block ran since `counts` was cleared, by its place."""

    def __init__(self) -> None:
        self.counts: defaultdict[str, int] = defaultdict(int)
        self.words: dict[str, set[str]] = {}  # constants of each module: what its code compares with

    def install(self) -> None:
        """Instrument modules that are imported from now on; those imported before can't be."""
        early_modules = sorted(name for name in sys.modules if name.partition(".")[0] in PACKAGES)
        assert not early_modules, f"imported before the instrumentation: {early_modules[:3]}"
        sys.meta_path.insert(0, _Finder(self))

    def words_of(self, modules: tuple[str, ...]) -> list[bytes]:
        """Return the constants of the modules whose names begin so."""
        target_words = {word for name, words in self.words.items() if name.startswith(modules) for word in words}
        return sorted(word.encode("utf-8", "surrogatepass") for word in target_words)


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
        _Instrumenter(fullname).visit_all(tree.body)
        code = compile(tree, path, "exec", dont_inherit=True)
        self._coverage.words[fullname] = set(_words(code))
        return code

    def exec_module(self, module: ModuleType) -> None:
        module.__dict__[_COUNTS] = self._coverage.counts
        super().exec_module(module)


class _Instrumenter:
    """Puts a counter before the first statement of each block within a function."""

    def __init__(self, module: str) -> None:
        self._module = module
        self._functions: list[str] = []

    def visit_all(self, body: list[ast.stmt]) -> None:
        """Visit statements and what they hold; expressions hold none."""
        for statement in body:
            self._visit(statement)

    def _visit(self, node: ast.stmt) -> None:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            self._functions.append(node.name)
            self.visit_all(node.body)
            has_docstring = ast.get_docstring(node, clean=False) is not None
            node.body.insert(has_docstring, self._counter(node.body[0], f"{node.lineno}"))
            self._functions.pop()
            return
        for name in ("body", "orelse", "finalbody"):
            self.visit_all(getattr(node, name, []))
        branches = [*getattr(node, "handlers", []), *getattr(node, "cases", [])]
        for branch in branches:
            self.visit_all(branch.body)
        if self._functions:
            self._count_blocks(node, [branch.body for branch in branches])

    def _count_blocks(self, node: ast.stmt, bodies: list[list[ast.stmt]]) -> None:
        if isinstance(node, ast.If):
            node.orelse.insert(0, self._counter(node, f"{node.lineno} else"))
        if isinstance(node, ast.If | ast.For | ast.AsyncFor | ast.While):
            bodies = [node.body, *bodies]
        for body in bodies:
            body.insert(0, self._counter(body[0], f"{body[0].lineno}"))

    def _counter(self, statement: ast.stmt, place: str) -> ast.stmt:
        block = f"{self._module}.{'.'.join(self._functions)}:{place}"
        counter = ast.parse(f"{_COUNTS}[{block!r}] += 1").body[0]
        for node in ast.walk(counter):
            if isinstance(node, ast.expr | ast.stmt):
                ast.copy_location(node, statement)
        return counter


def _words(code: CodeType) -> Iterator[str]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _words(constant)
        elif isinstance(constant, frozenset | tuple):
            yield from (item for item in constant if isinstance(item, str) and _is_word(item))
        elif isinstance(constant, str) and _is_word(constant):
            yield constant


def _is_word(text: str) -> bool:
    return 1 < len(text) <= _WORD_MOST and not text.startswith(PACKAGES)
