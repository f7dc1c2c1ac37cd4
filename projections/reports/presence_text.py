"""Describe each event at a table that isn't part of a hand's play in one line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol, TypeAlias

from ledger import presence
from ledger.text.language import phrase, translatable
from ledger.vocabulary import PlayerId, Seat
from projections.amount_text import MoneyFormat
from projections.reports.code_names import add_reason


class _Describer(Protocol):
    """The part of `EventDescriber` that these sentences use."""

    money: MoneyFormat

    def name_person(self, player: PlayerId) -> str:
        """Return the sanitized name of a player."""

    def name_seat(self, seat: Seat | None) -> str:
        """Return the seat and its player's name."""


_PresenceEvent: TypeAlias = (
    presence.SeatTaken
    | presence.SeatLeft
    | presence.PlayerAway
    | presence.PlayerBack
    | presence.PlayerBusted
    | presence.ChipsAdded
    | presence.ChipsRemoved
    | presence.ConnectionLost
    | presence.ConnectionRestored
)


def _name_player(describer: _Describer, event: _PresenceEvent) -> str:
    """Return the seat and name in the event, because its player may not be in the hand."""
    player_name = describer.name_person(event.player) if event.player else ""
    if event.seat and player_name:
        return f"{event.seat} {player_name}".rstrip()
    return player_name or describer.name_seat(event.seat)


def _describe_sitting_down(describer: _Describer, event: presence.SeatTaken) -> str:
    player = _name_player(describer, event)
    if event.stack is None:
        text = phrase("{player} sits down", player=player)
    else:
        text = phrase("{player} sits down with {stack}", player=player, stack=describer.money(event.stack))
    return add_reason(text, event.origin)


def _describe_leaving(describer: _Describer, event: presence.SeatLeft) -> str:
    player = _name_player(describer, event)
    if event.stack is None:
        text = phrase("{player} leaves the table", player=player)
    else:
        text = phrase("{player} leaves the table with {stack}", player=player, stack=describer.money(event.stack))
    return text if event.reason == "left" else add_reason(text, event.reason)


def _describe_absence(describer: _Describer, event: presence.PlayerAway) -> str:
    if event.in_room is None:
        message = translatable("{player} is away")
    elif event.in_room:
        message = translatable("{player} is away, in the room")
    else:
        message = translatable("{player} is away, not in the room")
    text = phrase(message, player=_name_player(describer, event))
    return text if event.why == "away" else add_reason(text, event.why)


def _describe_chips_added(describer: _Describer, event: presence.ChipsAdded) -> str:
    player, chips = _name_player(describer, event), describer.money(event.amount)
    return add_reason(phrase("{player} adds {amount}", player=player, amount=chips), event.kind)


def _describe_chips_removed(describer: _Describer, event: presence.ChipsRemoved) -> str:
    player, chips = _name_player(describer, event), describer.money(event.amount)
    return add_reason(phrase("{player} takes off the table {amount}", player=player, amount=chips), event.kind)


def _describe_move(describer: _Describer, event: presence.SeatMoved) -> str:
    return phrase(
        "{player} moves from seat {seat} to seat {new_seat}",
        player=describer.name_person(event.player),
        seat=event.origin,
        new_seat=event.to,
    )


def _build_player_handler(message: str) -> Callable[[_Describer, Any], str]:
    """Return a handler for an event that only names a player at the table."""
    return lambda describer, event: phrase(message, player=_name_player(describer, event))


HANDLERS: Final[dict[type, Callable[[_Describer, Any], str]]] = {
    presence.SeatTaken: _describe_sitting_down,
    presence.SeatLeft: _describe_leaving,
    presence.SeatMoved: _describe_move,
    presence.PlayerAway: _describe_absence,
    presence.PlayerBack: _build_player_handler(translatable("{player} is back")),
    presence.PlayerBusted: _build_player_handler(translatable("{player} has no chips left")),
    presence.ChipsAdded: _describe_chips_added,
    presence.ChipsRemoved: _describe_chips_removed,
    presence.StackCounted: lambda describer, event: phrase(
        "{player} is counted to have {amount}",
        player=describer.name_seat(event.seat),
        amount=describer.money(event.amount),
    ),
    presence.ConnectionLost: _build_player_handler(translatable("{player} loses the connection")),
    presence.ConnectionRestored: _build_player_handler(translatable("{player} is connected again")),
}
