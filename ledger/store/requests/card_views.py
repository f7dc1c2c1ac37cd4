"""Record who looks at hidden cards, before they are shown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING
from uuid import UUID

from ledger.entry import Entry, Provenance
from ledger.hidden_cards import find_commitments
from ledger.house.events import HiddenCardsViewed
from ledger.streams import HOUSE

if TYPE_CHECKING:
    from ledger.store.ledger import Ledger
    from ledger.vocabulary import PlayerId, Role, Seat


def find_hidden_seats(ledger: Ledger, hand: UUID) -> tuple[Seat, ...]:
    """Return the seats of a hand whose cards are hidden."""
    return tuple(sorted({seat for seat, _ in find_commitments(ledger.events(hand))}))


def record_views(
    ledger: Ledger, hands: Iterable[UUID], reason_text: str, *, role: Role, person: PlayerId, program: str
) -> list[HiddenCardsViewed]:
    """Record that a person looks at hidden cards of hands, in which role and why; return the events.

    Skips hands without hidden cards. `program` shows the cards.
    """
    reason = ledger.people.text(reason_text)
    events = [
        HiddenCardsViewed(hand.hex, seats, role, person, reason)
        for hand in hands
        if (seats := find_hidden_seats(ledger, hand))
    ]
    if events:
        ledger.append("house", HOUSE, events, recorded=Provenance(ledger.now(), writer=program))
    return events


def list_views(ledger: Ledger) -> list[Entry]:
    """Return every view of hidden cards, in order; each entry's event is a `HiddenCardsViewed`."""
    return [entry for entry in ledger.entries(HOUSE) if isinstance(entry.event, HiddenCardsViewed)]
