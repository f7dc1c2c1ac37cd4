"""Notes which stretches of detectors and obligations run: each says so as it is reached.

A stretch is a run of statements without a fork: what a mutant breaks in one that a check never
reached, that check cannot notice. A profiler would tell as much, at several times the price.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType
from typing import Final

WATCHED: Final = ("projections.detectors.", "projections.obligations.")
seen: Final[set[tuple[str, int]]] = set()
"""File, and line where the stretch begins, of what ran since this was last emptied."""

_FORKS: Final = (ast.If, ast.For, ast.While, ast.Try, ast.With, ast.Match)


def stretches(function: ast.FunctionDef) -> Iterator[tuple[list[ast.stmt], int, int]]:
    """Yield the stretches of a function: statements of one list, from one place in it to another."""
    waiting: list[ast.AST] = [function]
    while waiting:
        node = waiting.pop()
        for _, part in ast.iter_fields(node):
            if not isinstance(part, list) or not part:
                continue
            if isinstance(part[0], ast.stmt):
                begin = 0
                for index, statement in enumerate(part, 1):
                    if isinstance(statement, _FORKS) or index == len(part):
                        yield part, begin, index
                        begin = index
            waiting += [fork for fork in part if isinstance(fork, (*_FORKS, ast.excepthandler, ast.match_case))]


def walk_own(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield a statement and what in it runs with it: no statement within it."""
    yield statement
    pending: list[ast.AST] = [statement]
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return
    while pending:
        for child in ast.iter_child_nodes(pending.pop()):
            if not isinstance(child, (ast.stmt, ast.excepthandler, ast.match_case)):
                yield child
                pending.append(child)


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef]:
    """Yield all functions, those within functions too."""
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


class _Telling(SourceFileLoader):
    """Compiles a module so that its stretches note themselves."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        tree = ast.parse(self.get_data(path))
        for function in list(functions(tree)):
            for body, begin, _ in sorted(stretches(function), key=lambda one: -one[1]):
                body[begin:begin] = [_note(path, body[begin])]
        return compile(ast.fix_missing_locations(tree), path, "exec")

    def exec_module(self, module: ModuleType) -> None:
        module.__dict__["__ran__"] = seen
        super().exec_module(module)


def _note(path: str, statement: ast.stmt) -> ast.stmt:
    (note,) = ast.parse(f"__ran__.add(({path!r}, {statement.lineno}))").body
    for part in ast.walk(note):
        ast.copy_location(part, statement)
    return note


class _Finder(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = None
        if fullname.startswith(WATCHED):
            spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.origin is not None:
            spec.loader = _Telling(fullname, spec.origin)
        return spec


def watch() -> None:
    """Note the stretches of modules that are imported from now on."""
    sys.meta_path.insert(0, _Finder())
