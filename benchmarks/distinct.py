"""Sources that differ from each other as real ones do: a reader that remembers lines wins nothing by reading them again."""

from __future__ import annotations

import random
import re
import string

from ledger.account import Account, Reject
from ledger.notation import Chunk, Format
from ledger.people import People

_NUMBER = re.compile(rb"\b[1-9][0-9]{7,}\b")
_CLOCK = re.compile(rb"\b([0-2]?\d):[0-5]\d:[0-5]\d\b")


def events_of(form: Format, data: bytes) -> tuple[int, People] | None:
    """Return how many events a source tells, and its people; None where a part of it is rejected."""
    people = People(bytes(32))
    count = 0
    for item in form.read(Chunk(data), people):
        if isinstance(item, Reject):
            return None
        count += len(item.events) if isinstance(item, Account) else 0
    return count, people


def variants(form: Format, data: bytes, count: int) -> tuple[list[bytes], int]:
    """Return the source and copies of it under other names, numbers and times, `count` in all, and how many copies differ.

    A copy that does not read like the source keeps its short names, then all; if that does not help, it is the source.
    """
    reading = events_of(form, data)
    if reading is None or not reading[0]:
        return [data] * count, 0
    events, people = reading
    names = sorted({name for _, name in people.names.values() if name}, key=len, reverse=True)
    long_names = [name for name in names if len(name) > 3]
    sources, changed = [data], 0
    for seed in range(1, count):
        dice = random.Random(seed)
        candidates = (_renumbered(_renamed(data, kept_names, dice), dice) for kept_names in (names, long_names, []))
        source = next((text for text in candidates if (events_of(form, text) or (0,))[0] == events), data)
        changed += source is not data
        sources.append(source)
    return sources, changed


def _renamed(data: bytes, names: list[str], dice: random.Random) -> bytes:
    """Give each player another name of the same length."""
    if not names:
        return data
    new_names = {name.encode(): "".join(dice.choices(string.ascii_letters, k=len(name))).encode() for name in names}
    pattern = re.compile(rb"(?<![A-Za-z0-9])(?:" + b"|".join(map(re.escape, new_names)) + rb")(?![A-Za-z0-9])")
    return pattern.sub(lambda match: new_names[match[0]], data)


def _renumbered(data: bytes, dice: random.Random) -> bytes:
    """Give each hand another number and each line another time."""
    offset, minute = dice.randrange(1, 10**6), dice.randrange(60)
    data = _NUMBER.sub(lambda match: match[0][:-7] + b"%07d" % ((int(match[0][-7:]) + offset) % 10**7), data)
    return _CLOCK.sub(lambda match: b"%s:%02d:%02d" % (match[1], minute, dice.randrange(60)), data)
