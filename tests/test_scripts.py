"""Scripts that no test runs: what they import from the product is there."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.conftest import ROOT

PRODUCT = ("ledger", "projections", "cli", "web", "tests", "benchmarks")
SCRIPTS = sorted([*ROOT.glob("benchmarks/*.py"), *ROOT.glob("docs/*.py")])


def list_imports(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the module and the name of each import from the product."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] in PRODUCT:
            yield from ((node.module, alias.name) for alias in node.names)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_imports_only_what_is_there(path: Path) -> None:
    missing = []
    for module_name, name in list_imports(path):
        module = import_module(module_name)
        if not hasattr(module, name) and find_spec(f"{module_name}.{name}") is None:
            missing.append(f"{module_name}.{name}")
    assert not missing
