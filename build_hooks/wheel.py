"""Puts our packages into the wheel below `handledger`, so that none of their names can shadow anybody's module.

In a checkout they are imported as `ledger`, `projections`, `web` and `cli`. Web.py installs a module `web`, many projects a
package `cli`. So the wheel holds `handledger.ledger` and so on, and each import statement says so. Lines stay where they were.
"""

from __future__ import annotations

import ast
import shutil
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGES = ("ledger", "projections", "web", "cli")
HOME = "handledger"
CASES = ("tests/cases", "projections/cases")
"""The worked cases that `handledger rules BOOK CLAUSE` shows: where they lie here, and in the wheel."""

CACHES = shutil.ignore_patterns("__pycache__")


class MoveBelowHome(BuildHookInterface):  # type: ignore[type-arg] # the library says nothing of its parameters
    """The hook that hatchling calls before and after it writes a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write our packages anew below one folder, and have the wheel take it; an editable install takes the checkout."""
        if version == "editable":
            return
        self.folder = Path(tempfile.mkdtemp(prefix="handledger-wheel-"))
        home = self.folder / HOME
        for name in (HOME, *PACKAGES):
            target = home if name == HOME else home / name
            shutil.copytree(Path(self.root) / name, target, ignore=CACHES)
        shutil.copytree(Path(self.root) / CASES[0], home / CASES[1], ignore=CACHES, dirs_exist_ok=True)
        for path in home.rglob("*.py"):
            path.write_bytes(move_imports(path.read_bytes()))
        build_data["force_include"][str(home)] = HOME

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002 - hatchling calls it so
        """Take the folder away."""
        if hasattr(self, "folder"):
            shutil.rmtree(self.folder, ignore_errors=True)


def move_imports(source: bytes) -> bytes:
    """Return the source of a module whose imports of our packages name them below `handledger`.

    Raises `ValueError` at an import that can't be moved without changing which name it binds: `import ledger.hand`.
    """
    lines = source.splitlines(keepends=True)
    statements = [node for node in ast.walk(ast.parse(source)) if isinstance(node, (ast.Import, ast.ImportFrom))]
    for statement in filter(_names_ours, statements):
        line = lines[statement.lineno - 1]
        head, rest = line[: statement.col_offset], line[statement.col_offset :]
        lines[statement.lineno - 1] = head + _moved(statement, rest)
    return b"".join(lines)


def _names_ours(statement: ast.Import | ast.ImportFrom) -> bool:
    if isinstance(statement, ast.ImportFrom):
        return statement.level == 0 and (statement.module or "").partition(".")[0] in PACKAGES
    return any(alias.name.partition(".")[0] in PACKAGES for alias in statement.names)


def _moved(statement: ast.Import | ast.ImportFrom, rest: bytes) -> bytes:
    """Return the line from the statement on: `from handledger.ledger import …`, `from handledger import cli`."""
    if isinstance(statement, ast.ImportFrom):
        return rest.replace(b"from ", f"from {HOME}.".encode(), 1)
    if len(statement.names) > 1 or "." in statement.names[0].name:
        raise ValueError(f"line {statement.lineno}: write from … import …, which can be moved below {HOME}")
    return rest.replace(b"import ", f"from {HOME} import ".encode(), 1)
