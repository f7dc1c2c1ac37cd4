"""Documents in which one value is of another kind than it should be: every reader of JSON says so itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from ledger import formats
from tests.formats.support import samples
from tests.fuzz.check import check

KINDS: Final = ([], {}, [[1]], "x", -1.5, 10**30, None, True)
"""What takes a value's place."""

EACH: Final = 1
"""So many values of the same name are tried in a sample, each with every kind."""


def documents(path: Path) -> list[Any]:
    """Return the JSON of a sample, [] if it is none: one document, or one a line."""
    text = path.read_text("utf-8-sig", errors="replace")
    try:
        return [json.loads(text)]
    except ValueError:
        pass
    try:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    except ValueError:
        return []


def places(value: Any, name: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Yield what the values are called, with the list or object that holds them and their key there."""
    found = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in list(found):
        called = f"{name}/{key}" if isinstance(value, dict) else f"{name}/"
        yield called, value, key
        if isinstance(inner, dict | list):
            yield from places(inner, called)


JSON: Final = [
    (name, path)
    for name in formats.NAMES
    for path in samples(name)
    if path.suffix in (".json", ".ohh", ".jsonl", ".txt") and documents(path)
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "path"), JSON, ids=[f"{name}-{path.stem}" for name, path in JSON])
def test_a_value_of_another_kind_is_no_error_of_ours(name: str, path: Path) -> None:
    whole = documents(path)
    seen: dict[str, int] = {}
    for called, holder, key in list(places(whole)):
        seen[called] = seen.get(called, 0) + 1
        if seen[called] > EACH:
            continue
        kept = holder[key]
        for other in KINDS:
            holder[key] = other
            check(name, "\n".join(map(json.dumps, whole)).encode())
        holder[key] = kept
    assert sum(seen.values()) > 10


def test_every_reader_of_json_has_a_sample_here() -> None:
    assert {name for name, _ in JSON} >= {"ohh", "pokergfx", "pokernow", "globalpoker", "coinpoker", "igt"}
