"""Build the documents of `log`, `show` and `replay`: a hand, its events, and its state after an event."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from ledger import safe
from ledger.clocks import find_local_time, format_wall_time
from ledger.entry import Entry
from ledger.event import topic
from ledger.hand import bounds, fold, order, pots
from ledger.hand.events import HandEvent
from ledger.hand.state import HandState
from ledger.replay import list_corrected
from ledger.vocabulary import Seat
from projections.addresses.address_book import AddressBook
from projections.addresses.source_names import (
    UNKNOWN,
    SourceFileName,
    SourcePlace,
    build_source_place,
    load_source_files,
    read_recorded_events,
)
from projections.reports.event_text import EventDescriber, format_game
from projections.reports.hand_documents import (
    EventDocument,
    HandTold,
    MomentDocument,
    PotDocument,
    SeatDocument,
    TurnDocument,
)
from projections.reports.recorders import describe_recorder

if TYPE_CHECKING:
    from ledger.people import People
    from ledger.store import HandRow, Ledger

_ODDITY_TEXTS: Final = {
    "not-dealt-in": "took part but wasn't dealt in",
    "dealt-in-twice": "is dealt in twice",
    "acts-without-hand": "acted without a live hand",
}
"""What a seat did that doesn't fit the hand, by `Oddity.why`."""

_ROLE_LABELS = {"small": "SB", "big": "BB", "extra": "XB"}


def build_hand(
    hand_row: HandRow, state: HandState, people: People, source_file: SourceFileName = UNKNOWN, *, address: str
) -> HandTold:
    """Return the document of a hand; `state` is its final state."""
    game_set = state.game
    describer = EventDescriber(people)
    if game_set:
        describer.remember(game_set)
    local_start = find_local_time(hand_row.started, state.opened.written if state.opened else "")
    written_start = safe.terminal(state.opened.written, 40) if state.opened else ""
    winnings = [(_find_player_name(people, state, seat), chips) for seat, chips in sorted(state.chips.awarded.items())]
    return HandTold(
        id=hand_row.stream.hex,
        venue=hand_row.venue,
        tournament=hand_row.tournament,
        table=hand_row.table,
        number=hand_row.number,
        started=hand_row.started,
        game=format_game(game_set, describer.money) if game_set else "",
        format=hand_row.format,
        account=hand_row.account,
        players=len(state.dealt),
        board="/".join("".join(board) for board in state.boards if board),
        pot=state.pot_size(),
        unit=game_set.unit if game_set else "",
        exponent=describer.money.exponent,
        won=winnings,
        note=_describe_hand(hand_row, state),
        place=build_source_place(source_file, hand_row.source, 0, hand_row.start, hand_row.length),
        local=format_wall_time(local_start.wall) if local_start else written_start,
        zone=local_start.zone if local_start else "",
        address=address,
    )


def build_hands(ledger: Ledger, hand_rows: Iterable[HandRow]) -> Iterator[HandTold]:
    """Yield the documents of hands."""
    source_files, address_book = load_source_files(ledger), AddressBook(ledger)
    for hand_row in hand_rows:
        state = fold.fold([event for _, event in list_corrected(read_recorded_events(ledger, hand_row))])
        yield build_hand(
            hand_row,
            state,
            ledger.people,
            source_files.get(hand_row.source, UNKNOWN),
            address=address_book.find_hand_address(hand_row),
        )


def _describe_hand(hand_row: HandRow, state: HandState) -> str:
    """Return the note that `log` prints next to a hand, such as "voided" or "live", or "" if there is none."""
    chip_note = "chips do not add up" if state.chips.awarded and state.conservation() else ""
    hand_note = hand_row.note
    if hand_note == "live" and (state.completed or state.voided):  # the index has an old note
        hand_note = "voided" if state.voided else ""
    if state.is_spoiled and not hand_note:
        hand_note = "voided"  # it ended as a misdeal: `--where note:voided` matches it
    return ", ".join(filter(None, (hand_note, chip_note)))


def _find_player_name(people: People, state: HandState, seat: Seat) -> str:
    seat_event = state.dealt.get(seat) or state.left_out.get(seat)
    player_name = people.name(seat_event.player) if seat_event else None
    return player_name or f"seat {seat}"


def build_event(
    entry: Entry, describer: EventDescriber, hand_place: SourcePlace | None, line_number: int
) -> EventDocument:
    """Return the document of an event. `hand_place` is the hand's span in its source, `line_number` the event's line."""
    origin = entry.mark
    source_place = None
    if hand_place and origin.length:
        source_place = SourcePlace(
            hand_place.file,
            hand_place.sha256,
            line_number,
            hand_place.start + origin.start,
            origin.length,
            hand_place.source,
        )
    return EventDocument(
        version=entry.version,
        position=entry.position,
        topic=topic(type(entry.event)),
        told=describer.describe(entry.event),
        data=msgspec.to_builtins(entry.event),
        derived=origin.basis == "derived",
        at=origin.time,
        place=source_place,
        recorder=describe_recorder(entry.recorded.writer, describer.people),
    )


def build_moment_at(hand: HandTold, events: Sequence[HandEvent], version: int, people: People) -> MomentDocument:
    """Return the document of a hand's state after its first `version` events."""
    state = fold.fold(events[:version])
    describer = EventDescriber(people)
    event_text = ""
    for event in events[:version]:
        event_text = describer.describe(event)
    return build_moment(hand, state, version, event_text, describer)


def build_moment(
    hand: HandTold, state: HandState, version: int, event_text: str, describer: EventDescriber
) -> MomentDocument:
    """Return the document of a hand's state after one event. `event_text` describes the event."""
    all_seats = sorted({*state.dealt, *state.left_out})
    return MomentDocument(
        hand=hand,
        version=version,
        told=event_text,
        street=state.street if state.deal_completed or state.dealing else "before the deal",
        boards=["".join(board) for board in state.boards],
        seats=[_build_seat(state, seat, describer) for seat in all_seats],
        pots=_build_pots(state),
        turn=None if state.completed else _build_turn(state),
        notes=_list_notes(state),
    )


def _build_seat(state: HandState, seat: Seat, describer: EventDescriber) -> SeatDocument:
    player = describer.players.get(seat, "")
    cards = "".join(state.hole_cards(seat)) if seat in state.dealt else ""
    return SeatDocument(
        seat=seat,
        player=describer.name_person(player),
        stack=state.stack(seat),
        bet=state.street_bet(seat),
        put=state.chips.put_in.get(seat, 0),
        cards=cards,
        status=_find_seat_status(state, seat),
        roles=_list_roles(state, seat),
    )


def _find_seat_status(state: HandState, seat: Seat) -> Literal["in", "folded", "all-in", "dead", "left-out"]:
    if seat not in state.dealt:
        return "left-out"
    if seat in state.killed_seats or seat in state.cleared_seats:
        return "dead"
    if not state.is_in(seat):
        return "folded"
    return "all-in" if state.is_all_in(seat) else "in"


def _list_roles(state: HandState, seat: Seat) -> list[str]:
    """Return a seat's positions: "D" for the button, and "SB", "BB" or "XB"; by its posts if none is recorded."""
    roles = ["D"] if state.button == seat else []
    role_by_seat = {role_seat: role for role, role_seat in state.positions.items() if role_seat is not None}
    if seat in role_by_seat:
        roles.append(_ROLE_LABELS.get(role_by_seat[seat], role_by_seat[seat]))
    else:
        posted_roles = {getattr(post, "role", "") for post in state.posts if post.seat == seat}
        roles += [_ROLE_LABELS[role] for role in ("small", "big", "extra") if role in posted_roles]
    return roles


def _build_pots(state: HandState) -> list[PotDocument]:
    if not state.chips.put_in and not state.chips.seeded:
        return []
    pot_documents = [PotDocument(pot.amount, list(pot.seats)) for pot in pots.pots(state)]
    return pot_documents or [PotDocument(state.pot_size(), sorted(state.live))]


def _build_turn(state: HandState) -> TurnDocument | None:
    """Return the seat to act and its bounds, or None if nobody is to act."""
    acting_seat = order.actor(state)
    if acting_seat is None:
        return None
    bet_bounds = bounds.bounds(state, acting_seat)
    return TurnDocument(
        acting_seat,
        bounds.to_call(state, acting_seat),
        bet_bounds.may_raise,
        bet_bounds.min_to,
        bet_bounds.max_to,
        bet_bounds.why or "",
    )


def _list_notes(state: HandState) -> list[str]:
    """Return sentences on what is unusual about a hand: cancelled, dealt again, unreadable lines, missing chips."""
    notes = []
    if state.voided:
        notes.append("The hand was cancelled.")
    if state.misdealt:
        was_redealt = state.deal_completed or state.round.actions
        notes.append("It was dealt again after a misdeal." if was_redealt else "The deal was declared void.")
    if state.unread_lines:
        notes.append(f"{state.unread_lines} lines of its source couldn't be read: the hand is incomplete.")
    notes += [f"Seat {getattr(oddity.event, 'seat', 0)} {_ODDITY_TEXTS[oddity.reason]}." for oddity in state.oddities]
    if state.completed and state.conservation():
        notes.append(f"The chips don't add up: {state.conservation()} units are missing from the awards.")
    return notes
