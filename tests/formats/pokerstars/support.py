"""What the tests of the PokerStars format share: reading bytes, and events as text."""

from __future__ import annotations

from pathlib import Path

import msgspec

from ledger.account import Account, Reject
from ledger.formats.pokerstars import FORMAT
from ledger.intake.encoding import Utf8Check, by_head
from ledger.notation import Chunk, Item
from ledger.people import People

SAMPLES = Path(__file__).parent / "samples"


def people() -> People:
    return People(bytes(range(32)))


def encoding_of(data: bytes) -> str:
    found = by_head(data[: 64 * 1024])
    if found != "utf-8":
        return found
    check = Utf8Check()
    check.see(data)
    return check.encoding()


def read(data: bytes | str, who: People | None = None, encoding: str = "") -> list[Item]:
    raw = data.encode() if isinstance(data, str) else data
    return list(FORMAT.read(Chunk(raw, encoding=encoding or encoding_of(raw)), who or people()))


def one(data: bytes | str, who: People | None = None, encoding: str = "") -> Account:
    items = read(data, who, encoding)
    assert len(items) == 1, items
    assert isinstance(items[0], Account), items[0]
    return items[0]


def rejects(items: list[Item]) -> list[Reject]:
    return [item for item in items if isinstance(item, Reject)]


def sample(name: str) -> str:
    return (SAMPLES / f"{name}.txt").read_text(encoding="utf-8")


def told(account: Account) -> str:
    """Every event on a line with its place: what a golden holds."""
    lines = []
    for index, event in enumerate(account.events):
        start, length = account.places[2 * index : 2 * index + 2]
        mark = " derived" if index in account.derived else ""
        lines.append(f"{start}+{length}{mark} {msgspec.json.encode(event).decode()}")
    return "\n".join(lines) + "\n"
