"""A folder that rooms write into: whole hands are read at once, halves when they are whole, nothing twice."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger.house.events import SourceRejected
from ledger.intake.folder_watch import QUIET_SECONDS, Watch
from ledger.intake.import_loop import import_sources
from ledger.intake.summary import FileSummary
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.streams import HOUSE
from projections.table_walk import unread_lines
from tests.conftest import ROOT

HAND = (ROOT / "tests/formats/pokerstars/samples/dead-blinds.txt").read_text(encoding="utf-8")


def hand(number: int) -> bytes:
    return HAND.replace("900000000001", f"90000000{number:04}").encode() + b"\n\n"


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with open_ledger(tmp_path / "l") as opened:
        yield opened


class Room:
    """Writes into a file, and is watched."""

    def __init__(self, ledger: Ledger, path: Path) -> None:
        self.path = path
        self.now = 0.0
        self.ledger = ledger
        self.watch = Watch([path.parent], lambda sources: import_sources(ledger, sources).files)

    def writes(self, data: bytes) -> None:
        with self.path.open("ab") as out:
            out.write(data)
        os.utime(self.path, ns=(int(self.now * 1e9), int(self.now * 1e9)))

    def look(self, seconds: float = 1.0) -> list[FileSummary]:
        self.now += seconds
        return self.watch.look(self.now)

    @property
    def hands(self) -> list[str]:
        return sorted(row.number[-2:] for row in self.ledger.hands())


@pytest.fixture
def room(ledger: Ledger, tmp_path: Path) -> Room:
    (tmp_path / "room").mkdir()
    return Room(ledger, tmp_path / "room" / "night.txt")


def test_a_hand_is_read_when_the_next_begins_or_when_all_is_quiet(room: Room) -> None:
    room.writes(hand(1) + hand(2))
    room.look()
    assert room.hands == ["01"]
    room.look(QUIET_SECONDS)
    assert room.hands == ["01", "02"]


def test_half_a_hand_waits_for_its_other_half(room: Room) -> None:
    room.writes(hand(1) + hand(2)[:300])
    room.look()
    room.writes(hand(2)[300:] + hand(3))
    room.look()
    assert room.hands == ["01", "02"]
    room.look(QUIET_SECONDS)
    assert room.hands == ["01", "02", "03"]
    assert not any(isinstance(event, SourceRejected) for event in room.ledger.events(HOUSE))


def test_half_a_hand_that_was_read_when_all_was_quiet_gets_its_other_half(room: Room) -> None:
    cut = hand(2).index(b"*** FLOP ***") - 1
    room.writes(hand(1) + hand(2)[:cut])
    room.look()
    room.look(QUIET_SECONDS)
    assert room.hands == ["01", "02"]
    room.writes(hand(2)[cut:] + hand(3) + hand(4))
    room.look()
    room.look(QUIET_SECONDS)
    notes = {row.number[-2:]: row.note for row in room.ledger.hands(standing=True)}
    assert sorted(notes) == ["01", "02", "03", "04"]
    assert notes["02"] == notes["01"]
    assert [*unread_lines.iter_open_rejects(room.ledger)] == []
    room.writes(hand(5))
    room.look()
    [last] = room.look(QUIET_SECONDS)
    assert (last.name.rpartition("@")[2], last.new) == (str(len(hand(1)) * 4), 1), "it goes on behind what was read"


def test_what_was_read_is_not_read_again(room: Room) -> None:
    room.writes(hand(1) + hand(2))
    room.look()
    room.look(QUIET_SECONDS)
    bytes_before = sum(row.length for row in room.ledger.sources)
    room.writes(hand(3))
    room.look()
    (report,) = room.look(QUIET_SECONDS)
    assert report.name.endswith(f"night.txt@{len(hand(1) + hand(2))}")
    assert (report.new, report.same) == (1, 0)
    assert sum(row.length for row in room.ledger.sources) == bytes_before + len(hand(3))
    assert room.look(QUIET_SECONDS) == []


def test_a_file_that_is_written_anew_is_read_whole(room: Room) -> None:
    room.writes(hand(1) + hand(2))
    room.look()
    room.look(QUIET_SECONDS)
    room.path.write_bytes(hand(3) + hand(1) + hand(2) + hand(4))
    room.look()
    room.look(QUIET_SECONDS)
    assert room.hands == ["01", "02", "03", "04"]


def test_one_document_is_read_whole_when_it_is_quiet(room: Room) -> None:
    room.path = room.path.with_suffix(".hand")
    samples = sorted((ROOT / "cli/samples").glob("*.hand"))
    room.writes(samples[0].read_bytes())
    assert room.look() == []
    (report,) = room.look(QUIET_SECONDS)
    assert report.format == "handscript"
    assert report.new > 0


def test_the_last_look_takes_what_there_is(room: Room) -> None:
    room.writes(hand(1))
    room.watch.look(room.now + 0.1, is_last_look=True)
    assert room.hands == ["01"]
