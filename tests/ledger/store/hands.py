"""Small hands for tests of the store."""

from __future__ import annotations

from ledger.account import Account
from ledger.entry import Provenance, SourceSpan
from ledger.hand.betting import Folded, Raised
from ledger.hand.ending import HandCompleted, PotAwarded
from ledger.hand.events import HandEvent
from ledger.hand.opening import GameSet, HandOpened, SeatDealtIn
from ledger.people import People
from ledger.store import CommitDraft, hand_draft

SOURCE = "5c" * 32


def account(number: int, people: People, amount: int = 200, table: str = "Aludra") -> Account:
    """A hand of seven events; another `amount` is another telling of it."""
    events: list[HandEvent] = [
        HandOpened("PokerStars", table, str(number), 7, started=1_600_000_000_000 + number),
        GameSet("holdem", "no-limit", "cash", "USD", 2, (50, 100)),
        SeatDealtIn(1, people.player("PokerStars", f"player {number % 5}"), 10_000),
        Raised(1, amount, amount),
        Folded(2),
        PotAwarded(1, amount),
        HandCompleted(),
    ]
    places = [value for index in range(len(events)) for value in (index * 20, 19)]
    return Account(events, places, number * 150, 150)


def draft(number: int, people: People, amount: int = 200, table: str = "Aludra") -> CommitDraft:
    """The draft of such a hand, from a source whose bytes the ledger does not have."""
    hand_account = account(number, people, amount, table)
    place = SourceSpan(SOURCE, hand_account.start, hand_account.length)
    return hand_draft(hand_account, Provenance(1_700_000_000_000, source=place))
