"""What of a hand an audience may see: cards that were not shown to it become unknown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeVar, cast

from msgspec.structs import replace

from ledger.errors import UsageError
from ledger.event import Event
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand.opening import SeatDealtIn
from ledger.people import People
from ledger.vocabulary import Cards, Seat, split_cards

HOUSE: Final = "house"
PUBLIC: Final = "public"

_E = TypeVar("_E", bound=Event)


def seats_of(events: Iterable[Event], audience: str, people: People) -> frozenset[Seat] | None:
    """Return the seats whose cards `audience` may see in this hand; None = all of them.

    `audience` is `house`, `public`, a seat's number, or a player's name or id. A player who is not
    in the hand sees what the public sees; one whom two seats could be raises `UsageError`.
    """
    if audience == HOUSE:
        return None
    if audience == PUBLIC:
        return frozenset()
    dealt = {event.seat: event.player for event in events if isinstance(event, SeatDealtIn)}
    if audience.isascii() and audience.isdigit() and len(audience) < 3 and int(audience) in dealt:
        return frozenset((int(audience),))
    mine = {seat for seat, player in dealt.items() if audience in (player, people.name(player))}
    if len(mine) > 1:
        raise UsageError(f"two seats are called {audience[:40]!r}", "Name the seat by its number, or the player's id.")
    return frozenset(mine)


def seen(events: Sequence[_E], seats: frozenset[Seat] | None) -> list[_E]:
    """Return the events as who may see the cards of `seats` (None: all) may read them.

    What was shown to the table stays. What only the house knows is unknown to everybody else: the
    others' cards, burns that were read by machine, remarks, lines that nobody could read.
    """
    if seats is None:
        return list(events)
    out: list[_E] = []
    for event in events:
        hide = HANDLERS.get(type(event))
        kept = event if hide is None else hide(event, seats)
        if kept is not None:
            out.append(cast("_E", kept))
    return out


def _unknown(cards: Cards) -> Cards:
    return "??" * len(split_cards(cards))


def _dealt(event: d.HoleCardsDealt, seats: frozenset[Seat]) -> Event:
    if event.seat in seats:
        return event
    up = event.up
    cards = [card if up[at : at + 1] == "u" else "??" for at, card in enumerate(split_cards(event.cards))]
    return replace(event, cards="".join(cards), how="unknown" if "u" not in up else event.how)


def _learned(event: d.HoleCardsLearned, seats: frozenset[Seat]) -> Event | None:
    return event if event.seat in seats or event.how == "shown" else None


def _cards_gone(event: d.CardsDiscarded | e.CardsMucked, seats: frozenset[Seat]) -> Event:
    return event if event.seat in seats else replace(event, cards="")


def _drawn(event: d.CardsDrawn, seats: frozenset[Seat]) -> Event:
    return event if event.seat in seats else replace(event, cards=_unknown(event.cards), how="unknown")


def _opened(event: d.CardsOpened, seats: frozenset[Seat]) -> Event | None:
    return event if event.seat in seats else None


def _burned(event: d.CardBurned, _seats: frozenset[Seat]) -> Event:
    return replace(event, card="??")


def _replaced(event: d.CardReplaced, seats: frozenset[Seat]) -> Event:
    return event if event.seat in seats else replace(event, old="??", new="??")


def _returned(event: d.CardReturned, seats: frozenset[Seat]) -> Event:
    return event if event.face_up or event.seat in seats else replace(event, card="??")


def _extra(event: d.ExtraCardDealt, seats: frozenset[Seat]) -> Event:
    return event if event.seat in seats else replace(event, card="??")


def _board(event: d.BoardDealt, _seats: frozenset[Seat]) -> Event:
    return event if event.face_up else replace(event, cards=_unknown(event.cards))


def _shuffled(event: d.DeckShuffled, _seats: frozenset[Seat]) -> Event:
    return replace(event, includes="", excludes="")


def _words(event: e.RemarkNoted | e.LineUnread, _seats: frozenset[Seat]) -> Event:
    return replace(event, text="")


HANDLERS: Final[dict[type, Callable[[Any, frozenset[Seat]], Event | None]]] = {
    d.HoleCardsDealt: _dealt,
    d.HoleCardsLearned: _learned,
    d.CardsDiscarded: _cards_gone,
    d.CardsDrawn: _drawn,
    d.CardsOpened: _opened,
    d.CardBurned: _burned,
    d.CardReplaced: _replaced,
    d.CardReturned: _returned,
    d.ExtraCardDealt: _extra,
    d.BoardDealt: _board,
    d.DeckShuffled: _shuffled,
    e.CardsMucked: _cards_gone,
    e.RemarkNoted: _words,
    e.LineUnread: _words,
}
"""Events that tell what not everybody saw. `CardsShown`, `Folded` and `CardExposed` are of cards that were seen."""

OPEN: Final = frozenset(
    (
        e.CardsShown,
        b.Folded,
        d.CardExposed,
        d.BoxedCardFound,
        d.BoardTurnedUp,
        d.BoardWithdrawn,
        d.RabbitShown,
        e.ResultDeclared,
    )
)
"""Events with cards that the whole table saw."""
