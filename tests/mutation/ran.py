"""Notes which functions of detectors and obligations run: each says so as it is called.

A profiler would tell as much, at several times the price for every check.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType
from typing import Final

WATCHED: Final = ("projections.detectors.", "projections.obligations.")
seen: Final[set[tuple[str, str]]] = set()
"""File and name of the functions that ran since this was last emptied."""


class _Telling(SourceFileLoader):
    """Compiles a module so that its functions note themselves."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        tree = ast.parse(self.get_data(path))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                note = ast.parse(f"__ran__.add(({path!r}, {node.name!r}))").body[0]
                for part in ast.walk(note):
                    ast.copy_location(part, node.body[0])
                node.body.insert(0, note)
        return compile(ast.fix_missing_locations(tree), path, "exec")

    def exec_module(self, module: ModuleType) -> None:
        module.__dict__["__ran__"] = seen
        super().exec_module(module)


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
    """Note the functions of modules that are imported from now on."""
    sys.meta_path.insert(0, _Finder())
