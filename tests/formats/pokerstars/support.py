"""What the tests of the PokerStars format share: reading bytes, and events as text."""

from __future__ import annotations

from pathlib import Path

from ledger.account import Account, Reject
from ledger.formats.pokerstars import FORMAT
from ledger.notation import Item
from ledger.people import People
from tests.formats import support
from tests.formats.support import encoding_of, new_people

__all__ = ["LOCAL", "NAMES", "SAMPLES", "encoding_of", "golden", "new_people", "read", "read_hand", "rejects", "sample"]

SAMPLES = Path(__file__).parent / "samples"
LOCAL = Path(__file__).parent / "local"
"""Hands in other languages, apart from those that `benchmarks/readers.py` times."""

NAMES = sorted(path.stem for folder in (SAMPLES, LOCAL) for path in folder.glob("*.txt"))


def read(data: bytes | str, people: People | None = None, encoding: str = "") -> list[Item]:
    return support.read(FORMAT, data, people=people, encoding=encoding)


def read_hand(data: bytes | str, people: People | None = None, encoding: str = "") -> Account:
    items = read(data, people, encoding)
    assert len(items) == 1, items
    assert isinstance(items[0], Account), items[0]
    return items[0]


def rejects(items: list[Item]) -> list[Reject]:
    return [item for item in items if isinstance(item, Reject)]


def golden(name: str) -> Path:
    folder = LOCAL if (LOCAL / f"{name}.txt").exists() else SAMPLES
    return folder / f"{name}.golden"


def sample(name: str) -> str:
    return golden(name).with_suffix(".txt").read_text(encoding="utf-8")
