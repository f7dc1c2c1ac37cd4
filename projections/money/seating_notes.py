"""Collect what is wrong with the seats of a tournament, and what can't be checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from projections.money.difference import EventRef, MoneyDifference, MoneyGap

if TYPE_CHECKING:
    from ledger.vocabulary import PlayerId, Seat
    from projections.books.rulebook import Rulebook
    from projections.money.tournament import Tournament, TournamentTable


class SeatingCheck(NamedTuple):
    """What is wrong with the seats of a tournament under a rulebook, and what the record leaves open."""

    differences: list[MoneyDifference]
    gaps: list[MoneyGap]


def cite_point(book: Rulebook, point: str) -> str:
    """Return the clause that decides a point, with its book, or "" if the house cites none."""
    clauses = book.policy.clauses(point)
    return f"{book.name}.{clauses[0]}" if clauses else ""


class SeatingNotes:
    """Collects differences and gaps of a tournament under one book."""

    def __init__(self, tournament: Tournament, book: Rulebook) -> None:
        """Create empty notes. `book` decides which seats are right."""
        self.tournament = tournament
        self.book = book
        self._differences: list[MoneyDifference] = []
        self._gaps: dict[tuple[str, str], MoneyGap] = {}

    @property
    def result(self) -> SeatingCheck:
        """What was collected so far, each gap once."""
        return SeatingCheck(self._differences, list(self._gaps.values()))

    def add_difference(
        self,
        point: str,
        table: TournamentTable,
        headline: str,
        reason: str,
        events: list[EventRef],
        *,
        player: PlayerId = "",
        seat: Seat | None = None,
        expected: int | None = None,
        counted: int | None = None,
    ) -> None:
        """Add a difference under the clause that decides a point. `expected` and `counted` are numbers of players."""
        self._differences.append(
            MoneyDifference(
                kind="seating",
                venue=self.tournament.venue,
                tournament=self.tournament.number,
                table=table.key.table,
                says=headline,
                because=reason,
                expected=expected,
                recorded=counted,
                seat=seat,
                player=self.tournament.name_player(player) if player else "",
                clause=cite_point(self.book, point),
                events=events,
            )
        )

    def add_gap(self, table: str, missing: str, events: list[EventRef]) -> None:
        """Add something that can't be checked, unless it was added before."""
        gap = MoneyGap("seating", self.tournament.venue, self.tournament.number, table, missing, events)
        self._gaps.setdefault((table, missing), gap)
