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
from tests.laws import size

KINDS: Final = ([], {}, [[1]], "x", -1.5, 10**30, None, True)
"""What takes a value's place."""

STRIDE: Final = size(3, 1)
"""CI tries every third kind at a place, beginning with another at the next."""
PER_MEMBER: Final = 1
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
    members = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in list(members):
        member_name = f"{name}/{key}" if isinstance(value, dict) else f"{name}/"
        yield member_name, value, key
        if isinstance(inner, dict | list):
            yield from places(inner, member_name)


JSON: Final = [
    (name, path)
    for name in formats.NAMES
    for path in samples(name)
    if path.suffix in (".json", ".ohh", ".jsonl", ".txt") and documents(path)
]


@pytest.mark.law
@pytest.mark.slow
@pytest.mark.parametrize(("name", "path"), JSON, ids=[f"{name}-{path.stem}" for name, path in JSON])
def test_a_value_of_another_kind_is_no_error_of_ours(name: str, path: Path) -> None:
    document = documents(path)
    counts: dict[str, int] = {}
    for index, (place_name, holder, key) in enumerate(list(places(document))):
        counts[place_name] = counts.get(place_name, 0) + 1
        if counts[place_name] > PER_MEMBER:
            continue
        original_value = holder[key]
        for foreign_value in KINDS[index % STRIDE :: STRIDE]:
            holder[key] = foreign_value
            check(name, "\n".join(map(json.dumps, document)).encode())
        holder[key] = original_value
    assert sum(counts.values()) > 10


def test_every_reader_of_json_has_a_sample_here() -> None:
    assert {name for name, _ in JSON} >= {"ohh", "pokergfx", "pokernow", "globalpoker", "coinpoker", "igt"}
