"""Rename players in exported hands: keep the names, or use positions or pseudonyms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Literal, TypeAlias, TypeVar

from msgspec.structs import replace

from ledger.event import Event
from ledger.hand.ending import CardsShown
from ledger.hand.opening import BlindPositionPlaced, BlindPosted, ButtonPlaced, HandOpened, SeatDealtIn, SeatLeftOut
from ledger.hand.positions import name_seat_positions
from ledger.people import People
from ledger.vocabulary import PlayerId, Seat

Naming: TypeAlias = Literal["keep", "position", "pseudonym"]

_EventType = TypeVar("_EventType", bound=Event)

_POSITION_SECRET: Final = b"positions at a table are no names"
"""The ids of positions need no secret, because the export contains the positions."""

_PERSON_FIELDS: Final = ("player", "person")
_TEXT_FIELDS: Final = ("text", "words", "why", "claim")


def rename_players(events: Sequence[_EventType], people: People, naming: Naming) -> tuple[list[_EventType], People]:
    """Return a hand's events with renamed players, and the people with these names.

    Pseudonyms are derived from the ledger's secret: a player has the same pseudonym in all exports of a ledger, and the
    id can't be found without the ledger's key. Free texts may contain names, so only the claims of shown hands are kept.
    """
    if naming == "keep":
        return list(events), people
    venue = next((event.venue for event in events if isinstance(event, HandOpened)), "")
    names_by_player = name_positions(events) if naming == "position" else {}
    renamed_people = People(people.secret_for(naming) if naming == "pseudonym" else _POSITION_SECRET)
    new_ids: dict[PlayerId, PlayerId] = {}

    def alias(player: PlayerId) -> PlayerId:
        if player not in new_ids:
            name = names_by_player.get(player) or people.pseudonym(player)
            new_ids[player] = renamed_people.player(venue, name)
        return new_ids[player]

    return [_rename_event(event, people, renamed_people, alias) for event in events], renamed_people


def _rename_event(
    event: _EventType, people: People, renamed_people: People, alias: Callable[[PlayerId], PlayerId]
) -> _EventType:
    changed_fields: dict[str, str] = {}
    for field_name in _PERSON_FIELDS:
        if player := getattr(event, field_name, ""):
            changed_fields[field_name] = alias(player)
    for field_name in _TEXT_FIELDS:
        if reference := getattr(event, field_name, ""):
            kept_text = isinstance(event, CardsShown) and people.words(reference)
            changed_fields[field_name] = renamed_people.text(kept_text) if kept_text else ""
    return replace(event, **changed_fields) if changed_fields else event


def name_positions(events: Sequence[Event]) -> dict[PlayerId, str]:
    """Return each player's position in the hand: BTN, SB, BB, UTG, ..., CO; the seat if there is no button."""
    players_by_seat = {event.seat: event.player for event in events if isinstance(event, SeatDealtIn)}
    names_by_player = {event.player: f"Seat {event.seat}" for event in events if isinstance(event, SeatLeftOut)}
    button_seat = next((event.seat for event in events if isinstance(event, ButtonPlaced)), None)
    blind_seats: dict[str, Seat | None] = {}
    for event in events:
        if isinstance(event, BlindPosted):
            blind_seats.setdefault(event.role, event.seat)
    blind_seats.update((event.role, event.seat) for event in events if isinstance(event, BlindPositionPlaced))
    names_by_seat = name_seat_positions(players_by_seat, button_seat, blind_seats.get("small"), blind_seats.get("big"))
    return names_by_player | {
        player: (button_seat is not None and names_by_seat[seat]) or f"Seat {seat}"
        for seat, player in players_by_seat.items()
    }
