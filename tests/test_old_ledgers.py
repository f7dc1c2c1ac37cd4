"""Ledgers of earlier versions are read by this one, to the byte. The files are never changed, only added to."""

from __future__ import annotations

import gzip
from collections import Counter
from hashlib import sha256
from pathlib import Path

import pytest

import ledger
from ledger.house.events import GameEnabled
from ledger.replay import HandReplay
from ledger.seal.note import read_checkpoint, read_key, read_note, verify_signature
from ledger.store import Ledger
from ledger.store.seals import sealer
from ledger.store.verify.tree_checks import Anchor
from ledger.streams import HOUSE
from projections.audit.auditor import audit
from projections.books.rulebook import load
from tests.conftest import ROOT

FOLDER = ROOT / "tests" / "ledgers"


class Old:
    """What an old ledger must say for ever: its file's digest, its end, its events, its last checkpoint."""

    def __init__(self, file: str, head: tuple[int, str], events: str, size: int) -> None:
        self.file, self.head, self.events, self.size = file, head, events, size


OLD = {
    "0.1.0-a": Old(
        "f18d0e8e5d8b86951e93c82173ca3df75e5cc7f0aa910968aa2e6a9e07d2d124",
        (2840, "59902da85fe69d290b2cf0998c01809d31d106814a7b8337aab0738d928aa9f2"),
        "47c5a944cbf10ca810da85d90522c7a8d842f20c92a0ae768a6ed10bcd68d961",
        268,
    )
}


@pytest.fixture(params=sorted(OLD))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def path(name: str, tmp_path: Path) -> Path:
    packed = (FOLDER / f"{name}.ledger.gz").read_bytes()
    assert sha256(packed).hexdigest() == OLD[name].file, "an old ledger is never changed"
    file = tmp_path / "old.ledger"
    file.write_bytes(gzip.decompress(packed))
    return file


def test_every_old_ledger_is_here() -> None:
    assert {file.name.removesuffix(".ledger.gz") for file in FOLDER.glob("*.gz")} == set(OLD)


def digest_events(book: Ledger) -> str:
    """A digest of every stored byte of every event, in order."""
    digest = sha256()
    for commit in book.commits():
        digest.update(commit.data + commit.hash)
    return digest.hexdigest()


def test_it_is_read_whole_and_verifies(name: str, path: Path) -> None:
    with ledger.open(path, read_only=True) as book:
        assert book.verify() == []
        assert book.head() == OLD[name].head
        assert digest_events(book) == OLD[name].events
        kinds = Counter(type(entry.event).__name__ for c in book.commits() for entry in book.entries_of(c))
        assert min(kinds["HandPlayed"], kinds["PotAwarded"], kinds["PersonErased"], kinds["CheckpointSigned"]) > 0


def test_its_checkpoint_still_holds(name: str, path: Path) -> None:
    key = read_key((FOLDER / f"{name}.ledger.key").read_text())
    with ledger.open(path, read_only=True) as book:
        note = read_note(sealer.checkpoint(book))
        assert verify_signature(note, key) == 0
        point = read_checkpoint(note)
        assert point.size == OLD[name].size
        assert book.verify([Anchor("then", point.size, point.root)]) == []


def test_it_can_be_judged_and_written_on(path: Path) -> None:
    with ledger.open(path) as book:
        hands = [HandReplay([e.event for e in book.entries(row.stream)]) for row in book.hands(table="T3")]  # type: ignore[misc]  # a hand's stream holds hand events
        assert len(hands) == 20
        assert audit(hands, [load("hilton")]).hands == 20
        head_before = book.head()[0]
        book.append("house", HOUSE, [GameEnabled("V", "holdem", enabled=True)])
        assert book.head()[0] == head_before + 1
        assert book.verify() == []
