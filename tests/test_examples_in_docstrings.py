"""Every example in a docstring gives what it says, whichever module it stands in."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

from tests.conftest import ROOT

PACKAGES = ("ledger", "projections", "web", "cli", "handledger")


def find_modules() -> list[str]:
    """Return the names of all modules with examples."""
    paths = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    return [_name_module(path) for path in paths if ">>> " in path.read_text(encoding="utf-8")]


def _name_module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@pytest.mark.parametrize("name", find_modules())
def test_the_examples_of_a_module_give_what_they_say(name: str) -> None:
    result = doctest.testmod(import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    assert result.attempted
    assert not result.failed
