"""Ledgers with the evening, and with the rulebooks that the room adopted."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from ledger.intake import import_paths
from ledger.store import Ledger
from ledger.store import open as open_ledger
from projections.books.adoption import AdoptionScope, adopt_rulebook
from projections.books.rulebook import load
from tests.money.evening import Evening

FOLDER: Final = Path(__file__).parent
TOURNAMENT: Final = "88"
ALL_ERRORS: Final = (
    Evening()
    .plant("T1", short_box=20, short_payout=33)
    .plant("T2", misses_fill=True, appearing_chips=41)
    .plant("T3", misses_count=True, rake_over_cap=25)
    .plant_in_tournament(wrong_prize=40, skips_redraw=True)
)
"""An evening with every error at once."""


def import_evening(evening: Evening, folder: Path, places: Iterable[str] = ()) -> Ledger:
    """Return a ledger with the evening, or with the records of some tables, and with the room's rulebooks."""
    files = evening.write(folder)
    if places:
        files = [file for file in files if any(file.name.startswith(_file_start(place)) for place in places)]
    ledger = open_ledger(folder / "room.ledger")
    assert not sum(summary.rejected for summary in import_paths(ledger, files).files)
    adopt_rulebook(ledger, write_book(folder, "room", "rrop4"), AdoptionScope("", "", None))
    tournament_book = write_book(folder, "room-tournament", "tda2024")
    for table in ("1", "2"):
        adopt_rulebook(ledger, tournament_book, AdoptionScope("Desert Palms", table, None))
    return ledger


def write_book(folder: Path, name: str, base: str) -> str:
    """Write a rulebook of the room that extends the current edition of another book; return its path."""
    file = folder / f"{name}.toml"
    text = (FOLDER / file.name).read_text(encoding="utf-8")
    file.write_text(text.replace("EDITION", load(base).edition), encoding="utf-8")
    return str(file)


def _file_start(place: str) -> str:
    return "tournament" if place == TOURNAMENT else f"{place}."
