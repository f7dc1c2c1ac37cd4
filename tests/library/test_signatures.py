"""The public names are those that were released: `signatures.txt` records each signature."""

from __future__ import annotations

import doctest
from importlib import import_module
from types import ModuleType

import pytest

import handledger
from handledger.signatures import describe_signature, list_members
from tests.conftest import ROOT

RECORD = ROOT / "tests/library/signatures.txt"
MODULES = (
    "handledger",
    *(
        f"handledger.{name}"
        for name in ("table", "games", "ledger_calls", "notation", "question_text", "rulebook_calls")
    ),
)


def describe_all() -> str:
    """Return the signatures of all public names and of their members."""
    lines = []
    for name in handledger.__all__:
        value = getattr(handledger, name)
        lines.append(describe_signature(name, value))
        for member_name, member in list_members(value):
            is_property = isinstance(member, property)
            lines.append(
                f"    {name}.{member_name}" if is_property else f"    {describe_signature(member_name, member)}"
            )
    return "\n".join(lines) + "\n"


def test_public_signatures_are_the_recorded_ones(regen: bool) -> None:
    text = describe_all()
    if regen:
        RECORD.write_text(text, "utf-8")
    assert text == RECORD.read_text("utf-8"), (
        "the library's promise changed: docs/library.md says what may; CHANGELOG.md says it; then --regen"
    )


def test_every_public_name_says_what_it_is() -> None:
    silent = [name for name in handledger.__all__ if not (getattr(handledger, name).__doc__ or "").strip()]
    members = [
        f"{name}.{member_name}"
        for name in handledger.__all__
        for member_name, member in list_members(getattr(handledger, name))
        if not (member.__doc__ or "").strip()
    ]
    assert not silent
    assert not members


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings_are_true(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    module: ModuleType = import_module(name)
    result = doctest.testmod(module)
    assert result.attempted
    assert not result.failed
