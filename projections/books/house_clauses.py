"""The clauses that judge what a house states for itself, for its own book: written by the page or offered by the template.

A point of the policy finds nothing by itself: a clause with the house's number and words does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from projections.books.house_lines import EXAMPLES, read_lines, write_lines
from projections.obligations.house_points import (
    GAMES_POINT,
    HOUSE_POINTS,
    JACKPOT_POINT,
    RAKE_POINT,
    HouseEntry,
    RakeRow,
    SpreadGame,
)


class HouseClause(NamedTuple):
    """A clause about a point that a house states. A detector judges it, or payments are compared with it."""

    number: str
    point: str
    detector: str  # "" = `projections.money.jackpots` compares payments with it
    parameter: str  # of the detector: the point's value
    says: str  # `{lines}` is the point's value
    severity: str
    topic: str


_CLAUSES: Final = (
    HouseClause("house.games.1", GAMES_POINT, "spread.unlisted", "games", "We spread: {lines}.", "error", "games"),
    HouseClause("house.games.2", GAMES_POINT, "spread.buy_in", "games", "Buy-ins: {lines}.", "error", "games"),
    HouseClause(
        "house.rake.1", RAKE_POINT, "rake.too_much", "schedule", "The house takes at most: {lines}.", "error", "rake"
    ),
    HouseClause(
        "house.rake.2", RAKE_POINT, "rake.without_flop", "schedule", "No flop, no drop: {lines}.", "error", "rake"
    ),
    HouseClause(
        "house.rake.3", RAKE_POINT, "rake.too_little", "schedule", "The house takes: {lines}.", "warning", "rake"
    ),
    HouseClause(
        "house.jackpot.1", JACKPOT_POINT, "", "", "Jackpots and promotions are paid for: {lines}.", "error", "jackpot"
    ),
)


_DEFINES: Final = "which hands are paid: payments on record are held against them"
_MAX_LENGTH: Final = 500
"""The most characters in a clause's words. A line of a book's file may have `MAX_LINE_BYTES`."""


def list_house_clauses(point: str, entries: Iterable[HouseEntry]) -> list[HouseClause]:
    """Return the clauses that judge a point with this value."""
    entries = list(entries)
    return [clause for clause in _CLAUSES if clause.point == point and _select_entries(clause, entries)]


def _select_entries(clause: HouseClause, entries: Iterable[HouseEntry]) -> list[HouseEntry]:
    """Return the entries that a clause is about."""
    return [
        entry
        for entry in entries
        if (clause.detector != "spread.buy_in" or _has_buy_in(entry))
        and (clause.detector != "rake.without_flop" or (isinstance(entry, RakeRow) and entry.no_flop_no_drop))
    ]


def _has_buy_in(entry: HouseEntry) -> bool:
    return isinstance(entry, SpreadGame) and (entry.buy_in_min, entry.buy_in_max) != (None, None)


def build_clause_table(clause: HouseClause, entries: Iterable[HouseEntry]) -> dict[str, Any]:
    """Return the clause's table, as a book's file has it."""
    table = {
        "says": describe_clause(clause, entries),
        "topic": clause.topic,
        "severity": clause.severity,
        "applies_to": {"format": "cash"},
    }
    if not clause.detector:
        return {**table, "defines": _DEFINES}
    return {**table, "detector": clause.detector, "using": {clause.parameter: {"policy": clause.point}}}


def describe_clause(clause: HouseClause, entries: Iterable[HouseEntry]) -> str:
    """Return the words of a clause: what the house states, entry by entry."""
    lines = write_lines(_select_entries(clause, entries)).splitlines()
    text = clause.says.format(lines="; ".join(lines))
    return text if len(text) <= _MAX_LENGTH else f"{text[: _MAX_LENGTH - 1]}…"


def update_clauses(tables: Mapping[str, object], changes: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the tables of clauses to write for changed points, by number.

    `tables`: the clauses of the house's own file, by number. One that judges a changed point gets the new words.
    """
    written: dict[str, dict[str, Any]] = {}
    for point in HOUSE_POINTS:
        entries = changes.get(point)
        if not entries:
            continue
        for clause in list_house_clauses(point, entries):
            own_numbers = [number for number, table in tables.items() if _judges(table, clause)]
            for number in own_numbers or [clause.number]:
                own_table = tables.get(number)
                own_fields = dict(own_table) if isinstance(own_table, dict) else {}
                written[number] = {**build_clause_table(clause, entries), **own_fields}
                written[number]["says"] = describe_clause(clause, entries)
    return written


def _judges(table: object, clause: HouseClause) -> bool:
    """Whether a table of a book's file is this clause, by whatever number."""
    if not isinstance(table, dict):
        return False
    return table.get("detector") == clause.detector if clause.detector else table.get("defines") == _DEFINES


def list_clause_numbers(written: Mapping[str, Mapping[str, Any]], point: str) -> list[str]:
    """Return the numbers of written clauses that are about a point."""
    clauses = [clause for clause in _CLAUSES if clause.point == point]
    return [number for number, table in written.items() if any(_judges(table, clause) for clause in clauses)]


def build_examples(point: str) -> tuple[list[dict[str, Any]], list[tuple[str, dict[str, Any]]]]:
    """Return an example of a point's value, and its clauses by number, as a book's file has them."""
    entries = read_lines(point, EXAMPLES[point])
    clauses = [(clause.number, build_clause_table(clause, entries)) for clause in list_house_clauses(point, entries)]
    return msgspec.to_builtins(entries), clauses
