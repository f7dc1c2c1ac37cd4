"""Find holds of cases: people whose data can't be erased because a case needs them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from ledger.case.events import HoldPlaced
from ledger.hand.opening import SeatDealtIn, SeatLeftOut
from ledger.store.requests.case_streams import all_cases
from ledger.streams import table_stream
from ledger.table.events import HandPlayed
from ledger.vocabulary import PlayerId

if TYPE_CHECKING:
    from ledger.event import Event
    from ledger.store.ledger import Ledger


class CaseHold(NamedTuple):
    """A hold on a person's data, and the case that placed it."""

    case: str
    hold: HoldPlaced


def find_held_people(ledger: Ledger) -> dict[PlayerId, CaseHold]:
    """Return the people under active holds, each with the first hold.

    A hold on a person names an id. A hold on a hand, table or source covers everybody who sat there: erasing
    one of them would remove names and cards from the held record.
    """
    current_time = ledger.now()
    hold_by_player: dict[PlayerId, CaseHold] = {}
    for case in all_cases(ledger):
        for hold in case.state.list_holds_in_force(current_time):
            for player in _list_people_under(ledger, hold):
                hold_by_player.setdefault(player, CaseHold(case.number, hold))
    return hold_by_player


def find_hold(ledger: Ledger, people: Iterable[PlayerId]) -> CaseHold | None:
    """Return an active hold on one of `people`, None if there is none."""
    hold_by_player = find_held_people(ledger)
    return next((hold_by_player[player] for player in people if player in hold_by_player), None)


def _list_people_under(ledger: Ledger, hold: HoldPlaced) -> Iterator[PlayerId]:
    if hold.what == "person":
        yield hold.target
    elif hold.what == "source":
        for row in ledger.hands(source=hold.target):
            yield from _list_seated_people(ledger.events(row.stream))
    else:
        stream = _parse_stream_id(hold.target)
        if stream is not None:
            yield from _list_seated_people(ledger.events(stream))


def _list_seated_people(events: Iterable[Event]) -> Iterator[PlayerId]:
    """Yield the people who sat at a hand or a table according to its events."""
    for event in events:
        if isinstance(event, SeatDealtIn | SeatLeftOut):
            yield event.player
        elif isinstance(event, HandPlayed):
            yield from (seat.player for seat in event.dealt_in)
            yield from (seat.player for seat in event.left_out)
        elif player := getattr(event, "player", ""):
            yield player


def build_table_target(venue: str, tournament: str, table: str) -> str:
    """Return the target of a hold on a table: the id of its stream, hex."""
    return table_stream(venue, tournament, table).hex


def _parse_stream_id(stream_text: str) -> UUID | None:
    try:
        return UUID(hex=stream_text)
    except ValueError:  # from another program: no stream of this ledger
        return None
