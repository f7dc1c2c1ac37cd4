"""Find the rulebooks in force by place and time, from the house's stream."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from ledger.entry import Entry
from ledger.house.events import RulebookAdopted, RulebookRetired
from ledger.vocabulary import Millis


class Adoption(NamedTuple):
    """A rulebook that the house adopted: for all its rooms, for one (`venue`), or for one table.

    `since` None: from the beginning, or unknown. `until` None: still in force.
    """

    book: str
    edition: str
    digest: str  # SHA-256 of the book's file, hex, or its beginning; "" = unknown
    venue: str
    table: str
    since: Millis | None
    until: Millis | None = None

    def is_for_table(self, venue: str, table: str) -> bool:
        """Whether it applies to this table."""
        return self.venue in ("", venue) and self.table in ("", table)

    def is_in_force(self, moment: Millis) -> bool:
        """Whether it is in force at a time, by its dates."""
        return (self.since is None or self.since <= moment) and (self.until is None or moment < self.until)

    @property
    def narrowness(self) -> tuple[bool, bool]:
        """How narrow its scope is: a table's rulebook counts before a room's, and that before the house's."""
        return bool(self.table), bool(self.venue)


ADOPTIONS: Final = (RulebookAdopted, RulebookRetired)
"""The house's events about rulebooks."""


def read_adoptions(entries: Iterable[Entry]) -> list[Adoption]:
    """Return the adoptions in the order of the house's stream.

    A retirement without a time takes effect at the event's own time, or when it was recorded. It retires the last
    adoption of that edition for the same scope.
    """
    adopted: list[Adoption] = []
    for entry in entries:
        event = entry.event
        if isinstance(event, RulebookAdopted):
            adopted.append(Adoption(event.book, event.edition, event.digest, event.venue, event.table, event.since))
        elif isinstance(event, RulebookRetired):
            retired_at = entry.mark.time if entry.mark.time is not None else entry.recorded.time
            adopted_until = retired_at if event.until is None else event.until
            retired_book = (event.book, event.edition, event.venue, event.table)
            for index in reversed(range(len(adopted))):
                adoption = adopted[index]
                if (
                    adoption.book,
                    adoption.edition,
                    adoption.venue,
                    adoption.table,
                ) == retired_book and adoption.until is None:
                    adopted[index] = adoption._replace(until=adopted_until)
                    break
    return adopted


def find_books_in_force(adopted: Iterable[Adoption], venue: str, table: str, moment: Millis | None) -> list[Adoption]:
    """Return the rulebook in force at a table at a time: one book, or none.

    Of those for the table, the narrowest counts, then the one that began last, then the one that was recorded last.
    Without a moment, return every one that may have been in force.
    """
    applicable = drop_replaced([adoption for adoption in adopted if adoption.is_for_table(venue, table)])
    if moment is None:
        narrowest = max((adoption.narrowness for adoption in applicable), default=None)
        narrowest_ones = [adoption for adoption in applicable if adoption.narrowness == narrowest]
        is_timeless = any(adoption.since is None and adoption.until is None for adoption in narrowest_ones)
        return narrowest_ones if is_timeless else applicable
    candidates = [
        (adoption.narrowness, _sort_key_by_start(adoption), order, adoption)
        for order, adoption in enumerate(applicable)
        if adoption.is_in_force(moment)
    ]
    return [max(candidates)[3]] if candidates else []


def drop_replaced(adopted: Sequence[Adoption]) -> list[Adoption]:
    """Drop adoptions that a later one replaces for all of their hands."""
    by_place: dict[tuple[str, str, Millis | None], list[Adoption]] = {}
    for adoption in adopted:
        place_and_start = adoption.venue, adoption.table, adoption.since
        by_place[place_and_start] = (
            [adoption] if adoption.until is None else [*by_place.get(place_and_start, ()), adoption]
        )
    remaining = {adoption for group in by_place.values() for adoption in group}
    in_order = dict.fromkeys(adoption for adoption in reversed(adopted) if adoption in remaining)
    return [*reversed(in_order)]


def _sort_key_by_start(adoption: Adoption) -> tuple[bool, Millis]:
    return adoption.since is not None, adoption.since or 0
