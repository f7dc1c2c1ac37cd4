"""Logs that grow, in the shapes in which they do, and what a ledger has of them."""

from __future__ import annotations

import csv
import io
import json
import os
from collections import Counter
from pathlib import Path

from ledger.formats.handscript import write_lines
from ledger.hand.corrections import apply_corrections
from ledger.hand.ending import CorrectionMade
from ledger.intake.folder_watch import Watch
from ledger.intake.import_loop import import_sources
from ledger.intake.live_feed import Feed
from ledger.store import Ledger
from ledger.streams import table_stream
from ledger.table.events import AccountChosen, AccountPlaced, HandPlayed, OrderTold, TableOpened
from tests.conftest import ROOT

EVENING = ROOT / "tests/formats/pokernow/samples/evening.csv"
SESSION = ROOT / "tests/formats/pokergfx/samples/live-table.json"


def rows(path: Path = EVENING) -> list[list[str]]:
    """The rows of a log as they were written, the first one first."""
    csv_rows = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8-sig"), newline="")))[1:]
    return sorted(csv_rows, key=lambda row: int(row[2]))


def rising(log_rows: list[list[str]]) -> bytes:
    """Rows as a program appends them to a file."""
    return _write_rows(log_rows)


def falling(log_rows: list[list[str]]) -> bytes:
    """Rows as the site exports them."""
    return _write_rows(log_rows[::-1])


def fetched(log_rows: list[list[str]]) -> bytes:
    """Rows as the site's own page fetches them."""
    logs = [{"at": created, "created_at": order, "msg": text} for text, created, order in log_rows[::-1]]
    return json.dumps({"logs": logs}).encode()


def _write_rows(log_rows: list[list[str]]) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["entry", "at", "order"])
    writer.writerows(log_rows)
    return out.getvalue().encode()


def sessions(hands: int) -> list[bytes]:
    """A session of PokerGFX as a program writes it that writes each act: a hand has its end when it is over."""
    document = json.loads(SESSION.read_text(encoding="utf-8-sig"))
    documents = []
    for index, hand in enumerate(document["Hands"][:hands]):
        for count in range(len(hand["Events"]) + 1):
            part = {key: value for key, value in hand.items() if key != "Duration"}
            part["Events"] = hand["Events"][:count]
            part["Players"] = [{k: v for k, v in player.items() if k != "EndStackAmt"} for player in hand["Players"]]
            documents.append(json.dumps({**document, "Hands": [*document["Hands"][:index], part]}).encode())
        documents.append(json.dumps({**document, "Hands": document["Hands"][: index + 1]}).encode())
    return documents


class Room:
    """A room that writes a file, and is watched; the watch may be killed and begun anew."""

    def __init__(self, ledger: Ledger, path: Path) -> None:
        self.ledger = ledger
        self.path = path
        self.now = 0.0
        self.said: list[str] = []
        self.begin()

    def begin(self) -> None:
        """Begin to watch; whatever was known before is forgotten."""
        self.watch = Watch(
            [self.path],
            lambda sources: import_sources(self.ledger, sources).files,
            lambda source: Feed(self.ledger, source.name, source.origin),
            lambda _, update: self.said.extend(update.messages),
        )

    def writes(self, data: bytes, seconds: float = 1.0, *, last: bool = False) -> None:
        """The file holds this now, and is looked at."""
        self.now += seconds
        self.path.write_bytes(data)
        os.utime(self.path, ns=(int(self.now * 1e9), int(self.now * 1e9)))
        self.watch.look(self.now, is_last_look=last)

    def waits(self, seconds: float) -> None:
        """Nothing is written for some time."""
        self.now += seconds
        self.watch.look(self.now)


def hands(ledger: Ledger) -> dict[str, list[str]]:
    """The lines that tell what stands of each hand, by its number; two of one number are a fault."""
    lines_by_hand: dict[str, list[str]] = {}
    for row in ledger.hands(standing=True):
        assert row.number not in lines_by_hand
        events = [event for _, event in apply_corrections(list(enumerate(ledger.events(row.stream), 1)))]
        lines_by_hand[row.number] = write_lines(events, ledger.people)
    return lines_by_hand


def facts(ledger: Ledger) -> Counter[str]:
    """The lines that tell what happened between hands."""
    excluded = (HandPlayed, OrderTold, TableOpened, AccountChosen, AccountPlaced)
    counts: Counter[str] = Counter()
    for row in ledger.tables():
        entries = ledger.entries(table_stream(row.venue, row.tournament, row.table))
        remaining = apply_corrections([(entry.version, entry.event) for entry in entries])
        counts.update(
            write_lines([event], ledger.people)[0] for _, event in remaining if not isinstance(event, excluded)
        )
    return counts


def corrections(ledger: Ledger) -> int:
    """How many corrections its hands have."""
    events = (event for row in ledger.hands() for event in ledger.events(row.stream))
    return sum(isinstance(event, CorrectionMade) for event in events)
