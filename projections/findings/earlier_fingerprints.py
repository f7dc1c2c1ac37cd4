"""Fingerprints that earlier versions gave: they didn't tell the hands of a reused number apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ledger.store.accounts import Place
from projections.addresses.hand_reference import Hand
from projections.addresses.reused_numbers import find_later_hands
from projections.findings.finding import fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.house.events import FindingChanged
    from ledger.store import HandRow, Ledger
    from projections.findings.finding import Finding

_MAX_BREACHES: Final = 64
"""Breaches of one clause by one seat on one event that are looked for."""


class EarlierFingerprints:
    """The fingerprints of announced findings as they are now, table by table."""

    def __init__(self, ledger: Ledger) -> None:
        """Take the ledger."""
        self._ledger = ledger
        self._later: dict[Place, dict[str, HandRow]] = {}

    def current(self, event: FindingChanged) -> str:
        """Return the fingerprint that the finding of an announcement has now."""
        place = Place(event.venue, event.tournament, event.table)
        if place not in self._later:
            self._later[place] = find_later_hands(self._ledger, place)
        row = self._later[place].get(event.hand)
        if row is None:
            return event.fingerprint
        hand = Hand(row.venue, row.table, row.number, row.tournament)
        breach_key = plain_name(event.book), event.clause, hand, event.version, event.seat
        matches = (nth for nth in range(_MAX_BREACHES) if fingerprint(*breach_key, nth) == event.fingerprint)
        nth = next(matches, None)
        return event.fingerprint if nth is None else fingerprint(*breach_key, nth, row.session)


def earlier(found: Finding, session: int) -> Iterator[str]:
    """Yield the fingerprints that earlier versions may have given to a finding; none if it still has its own."""
    breach_key = plain_name(found.book), found.clause, found.hand, found.version, found.seat
    for nth in range(_MAX_BREACHES if session > 1 else 0):
        if fingerprint(*breach_key, nth, session) == found.fingerprint:
            yield fingerprint(*breach_key, nth)


def plain_name(book: str) -> str:
    """Return the name of a book without its edition."""
    return book.partition("@")[0]
