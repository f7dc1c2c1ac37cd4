"""Which rulebook was in force where and when, by what the house's keepers told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from ledger.entry import Entry
from ledger.house.events import RulebookAdopted, RulebookRetired
from ledger.vocabulary import Millis


class Adoption(NamedTuple):
    """A rulebook of the house's: for all its rooms, for one (`venue`), or for one table.

    `since` None: from the beginning, as nothing else is told. `until` None: it is still in force.
    """

    book: str
    edition: str
    digest: str  # SHA-256 of the book's file, hex, or its beginning; "" = not told
    venue: str
    table: str
    since: Millis | None
    until: Millis | None = None

    def is_for_table(self, venue: str, table: str) -> bool:
        """Whether it is about this table."""
        return self.venue in ("", venue) and self.table in ("", table)

    def is_in_force(self, moment: Millis) -> bool:
        """Whether it is in force at a time, as far as it says."""
        return (self.since is None or self.since <= moment) and (self.until is None or moment < self.until)

    @property
    def narrowness(self) -> tuple[bool, bool]:
        """How narrow it is: one for a table counts before one for a room, that before all others."""
        return bool(self.table), bool(self.venue)


ADOPTIONS: Final = (RulebookAdopted, RulebookRetired)
"""What the house's stream is told of its rulebooks."""


def read_adoptions(entries: Iterable[Entry]) -> list[Adoption]:
    """Return what was adopted, in the order in which the house's stream tells it.

    What is retired without a time was so when that was told: by the event's own time, or by when it
    was recorded. Retired is the last adoption of that edition in the same place.
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


def books_in_force(adopted: Iterable[Adoption], venue: str, table: str, moment: Millis | None) -> list[Adoption]:
    """Return what was in force at a table at a time: one book, or none.

    Of those that reach the table the narrowest counts, of these the one that began last, of these
    the one that was told last. Without a moment, return every one that may have been.
    """
    applicable = drop_replaced([adoption for adoption in adopted if adoption.is_for_table(venue, table)])
    if moment is None:
        narrowest = max((adoption.narrowness for adoption in applicable), default=None)
        narrowest_ones = [adoption for adoption in applicable if adoption.narrowness == narrowest]
        is_timeless = any(adoption.since is None and adoption.until is None for adoption in narrowest_ones)
        return narrowest_ones if is_timeless else applicable
    candidates = [
        (adoption.narrowness, _start_order(adoption), order, adoption)
        for order, adoption in enumerate(applicable)
        if adoption.is_in_force(moment)
    ]
    return [max(candidates)[3]] if candidates else []


def drop_replaced(adopted: Sequence[Adoption]) -> list[Adoption]:
    """Return what was adopted without that in whose place, for the same hands and all of them, another was told later."""
    by_place: dict[tuple[str, str, Millis | None], list[Adoption]] = {}
    for adoption in adopted:
        place_and_start = adoption.venue, adoption.table, adoption.since
        by_place[place_and_start] = (
            [adoption] if adoption.until is None else [*by_place.get(place_and_start, ()), adoption]
        )
    remaining = {adoption for group in by_place.values() for adoption in group}
    in_order = dict.fromkeys(adoption for adoption in reversed(adopted) if adoption in remaining)
    return [*reversed(in_order)]


def _start_order(adoption: Adoption) -> tuple[bool, Millis]:
    return adoption.since is not None, adoption.since or 0
