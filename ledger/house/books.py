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

    def reaches(self, venue: str, table: str) -> bool:
        """Whether it is about this table."""
        return self.venue in ("", venue) and self.table in ("", table)

    def holds(self, at: Millis) -> bool:
        """Whether it is in force at a time, as far as it says."""
        return (self.since is None or self.since <= at) and (self.until is None or at < self.until)

    @property
    def narrow(self) -> tuple[bool, bool]:
        """How narrow it is: one for a table counts before one for a room, that before all others."""
        return bool(self.table), bool(self.venue)


ADOPTIONS: Final = (RulebookAdopted, RulebookRetired)
"""What the house's stream is told of its rulebooks."""


def adoptions(entries: Iterable[Entry]) -> list[Adoption]:
    """Return what was adopted, in the order in which the house's stream tells it.

    What is retired without a time was so when that was told: by the event's own time, or by when it
    was recorded. Retired is the last adoption of that edition in the same place.
    """
    found: list[Adoption] = []
    for entry in entries:
        event = entry.event
        if isinstance(event, RulebookAdopted):
            found.append(Adoption(event.book, event.edition, event.digest, event.venue, event.table, event.since))
        elif isinstance(event, RulebookRetired):
            told = entry.mark.at if entry.mark.at is not None else entry.recorded.at
            until = told if event.until is None else event.until
            gone = (event.book, event.edition, event.venue, event.table)
            for at in reversed(range(len(found))):
                one = found[at]
                if (one.book, one.edition, one.venue, one.table) == gone and one.until is None:
                    found[at] = one._replace(until=until)
                    break
    return found


def in_force(adopted: Iterable[Adoption], venue: str, table: str, at: Millis | None) -> list[Adoption]:
    """Return what was in force at a table at a time: one book, or none.

    Of those that reach the table the narrowest counts, of these the one that began last, of these
    the one that was told last. `at` None, the time is not told: every one that may have been.
    """
    near = standing([one for one in adopted if one.reaches(venue, table)])
    if at is None:
        narrowest = max((one.narrow for one in near), default=None)
        first = [one for one in near if one.narrow == narrowest]
        always = any(one.since is None and one.until is None for one in first)
        return first if always else near
    holding = [(one.narrow, _began(one), order, one) for order, one in enumerate(near) if one.holds(at)]
    return [max(holding)[3]] if holding else []


def standing(adopted: Sequence[Adoption]) -> list[Adoption]:
    """Return what was adopted without that in whose place, for the same hands and all of them, another was told later."""
    found: dict[tuple[str, str, Millis | None], list[Adoption]] = {}
    for one in adopted:
        place = one.venue, one.table, one.since
        found[place] = [one] if one.until is None else [*found.get(place, ()), one]
    there = {one for some in found.values() for one in some}
    last = dict.fromkeys(one for one in reversed(adopted) if one in there)
    return [*reversed(last)]


def _began(one: Adoption) -> tuple[bool, Millis]:
    return one.since is not None, one.since or 0
