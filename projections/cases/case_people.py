"""Resolve the people that the user names in a case, and keep names out of text that can't be erased."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ledger.case import case_errors
from ledger.errors import NothingFoundError
from ledger.hand.fold import fold
from ledger.hand.opening import SeatDealtIn, SeatLeftOut
from ledger.replay import list_corrected
from ledger.store.people.redaction import redact_text
from projections.addresses import source_names
from projections.addresses.person_address import find_person

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger
    from ledger.store.people.vault import Vault
    from ledger.vocabulary import PlayerId


def resolve_person(ledger: Ledger, stated_name: str, venue: str, rows: Iterable[HandRow]) -> tuple[PlayerId, bool]:
    """Return the id of the player with this name, and whether the name is new and has been registered.

    The players of each hand come first, if only one of them has the name. Then come players known in the room, then
    everybody. Without a name, the id is "".
    """
    if not stated_name:
        return "", False
    people = ledger.people
    for row in rows:
        seated_players = sorted(_list_seated_players(ledger, row))
        matching_players = [player for player in seated_players if stated_name in (people.name(player), player)]
        if len(matching_players) == 1:
            return matching_players[0], False
    known_players = people.find_players(stated_name, venue)
    if known_players:
        return known_players[0], False
    try:
        return find_person(ledger, stated_name), False
    except NothingFoundError:
        return _register_player(people, venue, stated_name), True


def _register_player(people: Vault, venue: str, name: str) -> PlayerId:
    """Register a new name and return its id; `UsageError` if the name was erased from this ledger."""
    player = people.player(venue, name)  # this registers the name, so it's undone below if the name was erased
    if people.is_forgotten(player):
        people.forget(player)
        raise case_errors.name_erased()
    return player


def require_no_names(ledger: Ledger, text: str, option: str, rows: Iterable[HandRow]) -> str:
    """Return text that goes into an event, which can't be erased. `UsageError` if it names a person.

    It does if the whole text is a known name, or if it contains the name of a player in these hands.
    """
    people = ledger.people
    seated_players = {player for row in rows for player in _list_seated_players(ledger, row)}
    seated_names = [name for player in seated_players if (name := people.name(player)) and name.strip()]
    is_known_name = bool(text) and bool(people.find_players(text))
    contains_seated_name = any(redact_text(text, name) != text for name in seated_names)
    if is_known_name or contains_seated_name:
        raise case_errors.text_names_person(option)
    return text


def _list_seated_players(ledger: Ledger, row: HandRow) -> set[PlayerId]:
    """Return the players whom a hand lists, dealt in or not."""
    return {event.player for event in ledger.events(row.stream) if isinstance(event, SeatDealtIn | SeatLeftOut)}


def require_seat(ledger: Ledger, seat: int, rows: list[HandRow]) -> int:
    """Return the seat. `UsageError` if nobody sat there in any of the hands. Without hands, any seat is allowed."""
    seats = {
        event.seat
        for row in rows
        for event in ledger.events(row.stream)
        if isinstance(event, SeatDealtIn | SeatLeftOut)
    }
    if rows and seat not in seats:
        raise case_errors.seat_not_in_hands(seat, sorted(seats))
    return seat


def had_chips_in_pot(ledger: Ledger, seat: int, rows: list[HandRow]) -> bool:
    """Whether a seat put chips into a pot of these hands or won any. Without hands, that is assumed."""
    states = [
        fold([event for _, event in list_corrected(source_names.read_recorded_events(ledger, row))]) for row in rows
    ]
    return not states or any(state.chips.put_in.get(seat) or state.chips.awarded.get(seat) for state in states)
