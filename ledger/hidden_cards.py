"""Hide cards that not everybody may see. An event contains a commitment, and each card can be opened by itself.

A hidden card is written in its event as `{SHA-256("handledger/commit/v1" 0 label 0 salt card)}`. Label, salt and card
are in the vault. So the hashed bytes show nobody a card. A reader who may see a card gets its opening, which proves it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeVar

import msgspec

from ledger.event import Event
from ledger.hand.betting import Folded
from ledger.hand.dealing import CardsDiscarded, CardsDrawn, HoleCardsDealt, HoleCardsLearned
from ledger.hand.ending import CardsMucked, LineUnread
from ledger.hand.opening import HandOpened, SeatDealtIn
from ledger.people import People
from ledger.vocabulary import PlayerId, Seat, split_cards

_E = TypeVar("_E", bound=Event)

CARD_EVENTS: Final = (HoleCardsDealt, HoleCardsLearned, CardsDrawn, CardsDiscarded, CardsMucked, Folded)
"""Events whose cards not everybody may see. Cards shown at the table (`CardsShown`) stay open."""

_CARDS_IN_TEXT: Final = re.compile(r"(?<!\w)(?:(?:10|[2-9TJQKA])[cdhs♣♦♥♠]|Jk)+(?!\w)", re.IGNORECASE)


def hide_cards(events: Sequence[_E], people: People) -> list[_E]:
    """Replace the hidden cards of a hand by commitments. `people` keeps their openings.

    In one ledger, the same hand always gets the same commitments. Another ledger gives others.
    """
    hand = ""
    players: dict[Seat, PlayerId] = {}
    card_counts: dict[Seat, int] = {}
    written_events: list[_E] = []
    for event in events:
        if isinstance(event, HandOpened):
            hand = f"{event.venue}\0{event.tournament}\0{event.table}\0{event.number}"
        elif isinstance(event, SeatDealtIn):
            players[event.seat] = event.player
        elif isinstance(event, LineUnread):  # it may contain cards
            event = msgspec.structs.replace(event, text="")  # noqa: PLW2901 - it takes the event's place
        if isinstance(event, CARD_EVENTS) and event.cards:
            written_cards = []
            faces = event.up if isinstance(event, HoleCardsDealt) else ""
            for index, card in enumerate(split_cards(event.cards)):
                card_counts[event.seat] = card_counts.get(event.seat, 0) + 1
                label = f"{hand}\0{event.seat}\0{card_counts[event.seat]}"
                is_open = card[0] in "{?" or faces[index : index + 1] == "u"
                written_cards.append(card if is_open else people.hide(label, card, players.get(event.seat, "")))
            event = msgspec.structs.replace(event, cards="".join(written_cards))  # noqa: PLW2901 - it takes the event's place
        written_events.append(event)
    return written_events


def mentions_cards(text: str) -> bool:
    """Whether a typed text may name cards. It may also be a short word, such as "as" or "ad".

    >>> mentions_cards("2 gets AhKd"), mentions_cards("1 shows 10♥"), mentions_cards("1 killed fouled")
    (True, True, False)
    >>> mentions_cards("2 gets JkAh"), mentions_cards("2 gets " + 11 * "AhKd")
    (True, True)
    """
    return _CARDS_IN_TEXT.search(text) is not None


def find_commitments(events: Iterable[Event]) -> Iterator[tuple[Seat, str]]:
    """Yield every commitment in the events with the seat whose card it hides."""
    for event in events:
        if isinstance(event, CARD_EVENTS) and "{" in event.cards:
            for card in split_cards(event.cards):
                if card[0] == "{":
                    yield event.seat, card


def reveal_cards(events: Sequence[_E], people: People, seats: Iterable[Seat] | None = None) -> list[_E]:
    """Open the cards of `seats` (None: of all), if the vault has their openings."""
    wanted_seats = None if seats is None else set(seats)
    opened_events: list[_E] = []
    for event in events:
        if (
            isinstance(event, CARD_EVENTS)
            and "{" in event.cards
            and (wanted_seats is None or event.seat in wanted_seats)
        ):
            opened_cards = [(people.opening(card) or ("", "", card))[2] for card in split_cards(event.cards)]
            event = msgspec.structs.replace(event, cards="".join(opened_cards))  # noqa: PLW2901 - it takes the event's place
        opened_events.append(event)
    return opened_events
