"""Hide from an audience the cards and words that it may not see."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from msgspec.structs import replace

from ledger.errors import UsageError
from ledger.event import Event
from ledger.hand import betting, dealing, ending
from ledger.hand.opening import SeatDealtIn
from ledger.people import People
from ledger.vocabulary import Cards, Seat, split_cards

if TYPE_CHECKING:
    from ledger.store import Ledger

HOUSE: Final = "house"
PUBLIC: Final = "public"
_SEAT_OR_ID: Final = re.compile(r"[0-9]{1,2}|[A-Za-z0-9_-]{16}")

_EventType = TypeVar("_EventType", bound=Event)


def require_audience(ledger: Ledger, audience: str) -> None:
    """Raise `UsageError` for an audience that isn't a player of the ledger.

    A misspelled name would otherwise get the public's view.
    """
    if audience in (HOUSE, PUBLIC) or _SEAT_OR_ID.fullmatch(audience) or ledger.people.find_players(audience):
        return
    with ledger.database.reading() as link:
        close_names = get_close_matches(audience, [name for _, _, name in ledger.people.all_names(link)], 1)
    raise UsageError(
        f"nobody is called {audience[:40]!r} here",
        (f"Did you mean {close_names[0][:40]}? " if close_names else "")
        + "Write house, public, a seat's number, or a player's name or id.",
    )


def find_visible_seats(events: Iterable[Event], audience: str, people: People) -> frozenset[Seat] | None:
    """Return the seats whose cards `audience` may see in this hand; None = all of them.

    `audience` is `house`, `public`, a seat's number, or a player's name or id. A player who isn't in the hand
    sees what the public sees. A name that two seats share raises `UsageError`.
    """
    if audience == HOUSE:
        return None
    if audience == PUBLIC:
        return frozenset()
    players_by_seat = {event.seat: event.player for event in events if isinstance(event, SeatDealtIn)}
    if audience.isascii() and audience.isdigit() and len(audience) < 3 and int(audience) in players_by_seat:
        return frozenset((int(audience),))
    matching_seats = {seat for seat, player in players_by_seat.items() if audience in (player, people.name(player))}
    if len(matching_seats) > 1:
        raise UsageError(f"two seats are called {audience[:40]!r}", "Name the seat by its number, or the player's id.")
    return frozenset(matching_seats)


def list_visible_events(events: Sequence[_EventType], seats: frozenset[Seat] | None) -> list[_EventType]:
    """Return the events for a viewer who may see the cards of `seats`; None = all cards.

    Cards shown to the table stay. Everything that only the house knows is hidden: the other seats' cards, burns
    that a machine read, remarks and unread lines.
    """
    if seats is None:
        return list(events)
    visible_events: list[_EventType] = []
    for event in events:
        hide_cards = HANDLERS.get(type(event))
        visible_event = event if hide_cards is None else hide_cards(event, seats)
        if visible_event is not None:
            visible_events.append(cast("_EventType", visible_event))
    return visible_events


def _hide_cards(cards: Cards) -> Cards:
    return "??" * len(split_cards(cards))


def _hide_dealt(event: dealing.HoleCardsDealt, seats: frozenset[Seat]) -> Event:
    if event.seat in seats:
        return event
    faces = event.up
    cards = [card if faces[index : index + 1] == "u" else "??" for index, card in enumerate(split_cards(event.cards))]
    return replace(event, cards="".join(cards), how="unknown" if "u" not in faces else event.how)


def _hide_learned(event: dealing.HoleCardsLearned, seats: frozenset[Seat]) -> Event | None:
    return event if event.seat in seats or event.how == "shown" else None


def _hide_mucked(event: dealing.CardsDiscarded | ending.CardsMucked, seats: frozenset[Seat]) -> Event:
    return event if event.seat in seats else replace(event, cards="")


def _hide_drawn(event: dealing.CardsDrawn, seats: frozenset[Seat]) -> Event:
    return event if event.seat in seats else replace(event, cards=_hide_cards(event.cards), how="unknown")


def _hide_opened(event: dealing.CardsOpened, seats: frozenset[Seat]) -> Event | None:
    return event if event.seat in seats else None


def _hide_burned(event: dealing.CardBurned, _seats: frozenset[Seat]) -> Event:
    return replace(event, card="??")


def _hide_replaced(event: dealing.CardReplaced, seats: frozenset[Seat]) -> Event:
    return event if event.seat in seats else replace(event, old="??", new="??")


def _hide_returned(event: dealing.CardReturned, seats: frozenset[Seat]) -> Event:
    return event if event.face_up or event.seat in seats else replace(event, card="??")


def _hide_extra(event: dealing.ExtraCardDealt, seats: frozenset[Seat]) -> Event:
    return event if event.seat in seats else replace(event, card="??")


def _hide_board(event: dealing.BoardDealt, _seats: frozenset[Seat]) -> Event:
    return event if event.face_up else replace(event, cards=_hide_cards(event.cards))


def _hide_deck(event: dealing.DeckShuffled, _seats: frozenset[Seat]) -> Event:
    return replace(event, includes="", excludes="")


def _hide_words(event: ending.RemarkNoted | ending.LineUnread, _seats: frozenset[Seat]) -> Event:
    return replace(event, text="")


HANDLERS: Final[dict[type, Callable[[Any, frozenset[Seat]], Event | None]]] = {
    dealing.HoleCardsDealt: _hide_dealt,
    dealing.HoleCardsLearned: _hide_learned,
    dealing.CardsDiscarded: _hide_mucked,
    dealing.CardsDrawn: _hide_drawn,
    dealing.CardsOpened: _hide_opened,
    dealing.CardBurned: _hide_burned,
    dealing.CardReplaced: _hide_replaced,
    dealing.CardReturned: _hide_returned,
    dealing.ExtraCardDealt: _hide_extra,
    dealing.BoardDealt: _hide_board,
    dealing.DeckShuffled: _hide_deck,
    ending.CardsMucked: _hide_mucked,
    ending.RemarkNoted: _hide_words,
    ending.LineUnread: _hide_words,
}
"""How to hide the private part of each event that has one. Returns None if the whole event is private."""

PUBLIC_EVENTS: Final = frozenset(
    (
        ending.CardsShown,
        betting.Folded,
        dealing.CardExposed,
        dealing.BoxedCardFound,
        dealing.BoardTurnedUp,
        dealing.BoardWithdrawn,
        dealing.RabbitShown,
        ending.ResultDeclared,
    )
)
"""Events with cards that the whole table saw."""
