"""Fingerprints that earlier versions of the program gave: they didn't distinguish hands with a reused number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ledger.store.hands.hand_accounts import TableKey
from projections.addresses.hand_reference import Hand
from projections.addresses.reused_numbers import find_later_hands
from projections.findings.finding import compute_fingerprint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.house.events import FindingChanged
    from ledger.store import HandRow, Ledger
    from ledger.vocabulary import Seat
    from projections.findings.finding import Finding

_MAX_BREACHES: Final = 64
"""How many breaches of one clause by one seat at one event are tried to match a fingerprint."""
_MAX_SEAT: Final = 12
"""Highest seat that is tried to match a fingerprint."""
_MAX_EVENTS_BETWEEN: Final = 40
"""How many events after the marked one are tried to match a fingerprint."""


class EarlierFingerprints:
    """Finds the current fingerprints of announced findings; caches the reused hand numbers of each table."""

    def __init__(self, ledger: Ledger) -> None:
        """Read hand numbers from a ledger."""
        self._ledger = ledger
        self._later_hands: dict[TableKey, dict[str, HandRow]] = {}

    def find_current(self, event: FindingChanged) -> str:
        """Return the current fingerprint of an announced finding."""
        table = TableKey(event.venue, event.tournament, event.table)
        if table not in self._later_hands:
            self._later_hands[table] = find_later_hands(self._ledger, table)
        row = self._later_hands[table].get(event.hand)
        if row is None:
            return event.fingerprint
        hand = Hand(row.venue, row.table, row.number, row.tournament)
        breach_key = strip_edition(event.book), event.clause, hand, event.version, event.seat
        matches = (
            breach_index
            for breach_index in range(_MAX_BREACHES)
            if compute_fingerprint(*breach_key, breach_index) == event.fingerprint
        )
        breach_index = next(matches, None)
        return (
            event.fingerprint if breach_index is None else compute_fingerprint(*breach_key, breach_index, row.session)
        )


def iter_earlier_fingerprints(finding: Finding, session: int) -> Iterator[str]:
    """Yield the fingerprints that earlier versions may have given to a finding; none if it still has its own."""
    if session <= 1:
        return  # earlier versions gave the first hand of a number the same fingerprints
    clause_key = strip_edition(finding.book), finding.clause, finding.hand
    for version, seat, breach_index in _iter_identities(finding):
        if compute_fingerprint(*clause_key, version, seat, breach_index, session) == finding.fingerprint:
            yield compute_fingerprint(*clause_key, version, seat, breach_index)
            return


def _iter_identities(finding: Finding) -> Iterator[tuple[int, Seat | None, int]]:
    """Yield each version, seat and count that a finding's fingerprint may be made of, the likeliest first.

    A finding about a misplaced blind marks the event that its headline is about. Its fingerprint is made of the event
    and seat that identify the difference (`Breach.identity`), which are in the same hand.
    """
    yield from ((finding.version, finding.seat, breach_index) for breach_index in range(_MAX_BREACHES))
    seats = (None, *range(1, _MAX_SEAT + 1))
    yield from ((version, seat, 0) for version in range(1, finding.version + _MAX_EVENTS_BETWEEN) for seat in seats)


def strip_edition(book: str) -> str:
    """Return the name of a book without its edition."""
    return book.partition("@")[0]
