"""Under which names hands leave the ledger: as they are, by position, or under pseudonyms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal, TypeAlias, TypeVar

from msgspec.structs import replace

from ledger.event import Event
from ledger.hand.ending import CardsShown
from ledger.hand.opening import BlindPositionPlaced, BlindPosted, ButtonPlaced, HandOpened, SeatDealtIn, SeatLeftOut
from ledger.hand.positions import named
from ledger.people import People
from ledger.vocabulary import PlayerId, Seat

Naming: TypeAlias = Literal["keep", "position", "pseudonym"]

_E = TypeVar("_E", bound=Event)

_POSITION: Final = b"positions at a table are no names"
"""Ids of positions need no secret: what they stand for is told beside them."""

_PERSONS: Final = ("player", "person")
_TEXTS: Final = ("text", "words", "why", "claim")


def renamed(events: Sequence[_E], people: People, naming: Naming) -> tuple[list[_E], People]:
    """Return a hand under other names, and the people who are called so.

    Pseudonyms follow from the ledger's secret: one player has one in every hand and every export of
    this ledger, and nobody without its key finds the id behind it. Free texts may hold names:
    only what a shown hand is called is kept of them.
    """
    if naming == "keep":
        return list(events), people
    venue = next((event.venue for event in events if isinstance(event, HandOpened)), "")
    called = positions(events) if naming == "position" else {}
    new = People(people.secret_for(naming) if naming == "pseudonym" else _POSITION)
    ids: dict[PlayerId, PlayerId] = {}

    def alias(player: PlayerId) -> PlayerId:
        if player not in ids:
            name = called.get(player) or people.pseudonym(player)
            ids[player] = new.player(venue, name)
        return ids[player]

    return [_under(event, people, new, alias) for event in events], new


def _under(event: _E, people: People, new: People, alias: Callable[[PlayerId], PlayerId]) -> _E:
    changed: dict[str, str] = {}
    for field in _PERSONS:
        if player := getattr(event, field, ""):
            changed[field] = alias(player)
    for field in _TEXTS:
        if ref := getattr(event, field, ""):
            keep = isinstance(event, CardsShown) and people.words(ref)
            changed[field] = new.text(keep) if keep else ""
    return replace(event, **changed) if changed else event


def positions(events: Sequence[Event]) -> dict[PlayerId, str]:
    """Return each player's position in the hand: BTN, SB, BB, UTG, ..., CO; seats where there is no button."""
    dealt = {event.seat: event.player for event in events if isinstance(event, SeatDealtIn)}
    out = {event.player: f"Seat {event.seat}" for event in events if isinstance(event, SeatLeftOut)}
    button = next((event.seat for event in events if isinstance(event, ButtonPlaced)), None)
    blinds: dict[str, Seat | None] = {}
    for event in events:
        if isinstance(event, BlindPosted):
            blinds.setdefault(event.role, event.seat)
    blinds.update((event.role, event.seat) for event in events if isinstance(event, BlindPositionPlaced))
    names = named(dealt, button, blinds.get("small"), blinds.get("big"))
    return out | {player: (button is not None and names[seat]) or f"Seat {seat}" for seat, player in dealt.items()}
