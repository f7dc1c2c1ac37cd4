"""Several processes read, one writes: the ledger is the same to the byte."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ledger.errors import SourceError
from ledger.formats.pokerstars import FORMAT
from ledger.intake import chunks, importing, jobs
from ledger.intake.importing import import_paths
from ledger.intake.preparing import Origin
from ledger.notation import Chunk
from ledger.people import People
from ledger.store import open as open_ledger
from tests.conftest import ROOT

HAND = (ROOT / "tests/formats/pokerstars/samples/dead-blinds.txt").read_text(encoding="utf-8")


def night(count: int) -> str:
    """Hands of people who come and go, one of them damaged."""
    hands = [
        HAND.replace("900000000001", f"90000000{number:04}").replace("Ada", f"Ada{number % 7}")
        for number in range(count)
    ]
    hands[count // 2] = hands[count // 2].replace("$1", "$1.x")
    return "\n\n\n".join(hands)


def dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as database:
        return list(database.iterdump())


@pytest.mark.slow
def test_the_ledger_is_the_same_to_the_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chunks, "CHUNK", 20_000)
    monkeypatch.setattr(importing, "_now", lambda: 1_700_000_000_000)
    source = tmp_path / "night.txt"
    source.write_text(night(120), encoding="utf-8")
    open_ledger(tmp_path / "1").close()
    shutil.copy(tmp_path / "1", tmp_path / "3")
    for count in (1, 3):
        with open_ledger(tmp_path / str(count), clock=lambda: 1_700_000_000_001) as ledger:
            told = import_paths(ledger, [source], jobs=count).total
            assert (told.new, told.rejected, told.not_read) == (119, 1, 0)
            assert not ledger.verify()
    differing = [
        pair
        for pair in zip(dump(tmp_path / "1"), dump(tmp_path / "3"), strict=True)
        if pair[0] != pair[1]
    ]
    assert not differing


def test_what_processes_met_is_learned_in_the_order_of_the_source() -> None:
    there, here = People(bytes(32)), People(bytes(32))
    here.player("Room", "Bo")
    here.stored()
    for name in ("Cy", "Bo", "Ada"):
        there.player("Room", name)
    here.learn(there.fresh_names, there.fresh_texts)
    assert [name for _, name in here.fresh_names.values()] == ["Cy", "Ada"]
    assert here.player("Room", "Ada") == there.player("Room", "Ada")


def test_a_process_that_dies_is_said_to_have(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        def result(self) -> None:
            raise jobs.BrokenProcessPool

    class Pool:
        def submit(self, *_: object) -> Broken:
            return Broken()

        def shutdown(self, **_: object) -> None: ...

    found = jobs.Jobs(2, People(bytes(32)))
    monkeypatch.setattr(found, "_started", Pool)
    pieces = [Chunk(HAND.encode(), last=False), Chunk(HAND.encode())]
    with pytest.raises(SourceError, match="ended before"):
        list(found.prepared(FORMAT, pieces, Origin("00", 0)))
