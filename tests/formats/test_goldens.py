"""A golden shows all that a reader told: whatever changes in an event, its marks or its place shows in it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from ledger import formats
from ledger.account import Reject
from tests.formats.support import format_items, new_people, read, samples


def changed(value: Any) -> Any:
    """Return another value of the same kind."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return value[:-1] + ("b" if value.endswith("a") else "a")
        case None:
            return 1
        case _:
            return value[:-1] if value else (1,)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in formats.NAMES if samples(name)])
def test_a_changed_event_shows_in_the_words_of_the_golden(name: str) -> None:
    """The digest is left out: a person who reviews a golden reads the lines."""
    dice, form, people, change_count = Random(name), formats.get(name), new_people(), 0
    for path in samples(name):
        for item in read(form, path.read_bytes(), name=path.name, people=people):
            if isinstance(item, Reject):
                continue
            words_before = words(format_items([item], people))
            index = dice.randrange(len(item.events))
            event = item.events[index]
            for field in event.__struct_fields__:
                item.events[index] = replace(event, **{field: changed(getattr(event, field))})
                try:
                    words_after = words(format_items([item], people))
                except Exception:  # noqa: BLE001 - no line tells such a value, so none can become a golden
                    continue
                assert words_after != words_before, (path.name, index, field)
                change_count += 1
            item.events[index] = event
            item.places[2 * index] += 1
            assert words(format_items([item], people)) != words_before
            item.places[2 * index] -= 1
            assert words(format_items([item], people)) == words_before
    assert change_count


def words(golden: str) -> list[str]:
    return [
        " ".join(line.split()[:2]) if line.startswith(("hand ", "table ")) else line for line in golden.splitlines()
    ]
