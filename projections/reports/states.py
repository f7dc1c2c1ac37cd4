"""A hand and its states as documents: what `log`, `show` and `replay` write."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from ledger import safe
from ledger.clocks import local, wall
from ledger.entry import Entry
from ledger.event import topic
from ledger.hand import bounds, fold, order, pots
from ledger.hand.events import HandEvent
from ledger.hand.state import HandState
from ledger.replay import corrected
from ledger.vocabulary import Seat
from projections.addresses.address_book import AddressBook
from projections.addresses.source_names import UNKNOWN, File, SourcePlace, events_of, place_of
from projections.addresses.source_names import files as files_of
from projections.reports.event_text import Teller, game
from projections.reports.hand_documents import EventTold, HandTold, MomentDocument, PotTold, SeatTold, TurnTold

if TYPE_CHECKING:
    from ledger.people import People
    from ledger.store import HandRow, Ledger

_ODD: Final = {
    "not-dealt-in": "took part but wasn't dealt in",
    "dealt-in-twice": "is dealt in twice",
    "acts-without-hand": "acted without a live hand",
}
"""What to say of a seat whose event could be placed only in part, by `Oddity.why`."""

ROLES = {"small": "SB", "big": "BB", "extra": "XB"}


def hand_told(row: HandRow, state: HandState, people: People, file: File = UNKNOWN, *, address: str) -> HandTold:
    """Return a hand in one piece; `state` is its last one."""
    found = state.game
    told = Teller(people)
    if found:
        told.learn(found)
    shows = local(row.started, state.opened.written if state.opened else "")
    written = safe.terminal(state.opened.written, 40) if state.opened else ""
    won = [(_name(people, state, seat), chips) for seat, chips in sorted(state.chips.awarded.items())]
    return HandTold(
        id=row.stream.hex,
        venue=row.venue,
        tournament=row.tournament,
        table=row.table,
        number=row.number,
        started=row.started,
        game=game(found, told.money) if found else "",
        format=row.format,
        account=row.account,
        players=len(state.dealt),
        board="/".join("".join(board) for board in state.boards if board),
        pot=state.total_put(),
        unit=found.unit if found else "",
        exponent=told.money.exponent,
        won=won,
        note=_note(row, state),
        place=place_of(file, row.source, 0, row.start, row.length),
        local=wall(shows.wall) if shows else written,
        zone=shows.zone if shows else "",
        address=address,
    )


def told(ledger: Ledger, rows: Iterable[HandRow]) -> Iterator[HandTold]:
    """Yield hands as they stand at their end."""
    files, book = files_of(ledger), AddressBook(ledger)
    for row in rows:
        state = fold.fold([event for _, event in corrected(events_of(ledger, row))])
        yield hand_told(row, state, ledger.people, files.get(row.source, UNKNOWN), address=book.of(row))


def _note(row: HandRow, state: HandState) -> str:
    """Return what is odd about a hand as a whole: what `import` says that `log` marks."""
    odd = "chips do not add up" if state.chips.awarded and state.conservation() else ""
    note = row.note
    if note == "live" and (state.completed or state.voided):  # what became of it the index was not told
        note = "voided" if state.voided else ""
    if state.spoiled and not note:
        note = "voided"  # it ended with its misdeal: all goes back, as `--where note:voided` finds it
    return ", ".join(filter(None, (note, odd)))


def _name(people: People, state: HandState, seat: Seat) -> str:
    dealt = state.dealt.get(seat) or state.left_out.get(seat)
    name = people.name(dealt.player) if dealt else None
    return name or f"seat {seat}"


def event_told(entry: Entry, teller: Teller, source: SourcePlace | None, line: int) -> EventTold:
    """Return one event of a hand, told; `source` is the whole hand's place."""
    mark = entry.mark
    place = None
    if source and mark.length:
        place = SourcePlace(source.file, source.sha256, line, source.start + mark.start, mark.length, source.source)
    return EventTold(
        version=entry.version,
        position=entry.position,
        topic=topic(type(entry.event)),
        told=teller.tell(entry.event),
        data=msgspec.to_builtins(entry.event),
        derived=mark.how == "derived",
        at=mark.at,
        place=place,
    )


def moment_at(hand: HandTold, events: Sequence[HandEvent], version: int, people: People) -> MomentDocument:
    """Return the state of a hand after its first `version` events (1 = after the first)."""
    state = fold.fold(events[:version])
    teller = Teller(people)
    told = ""
    for event in events[:version]:
        told = teller.tell(event)
    return moment(hand, state, version, told, teller)


def moment(hand: HandTold, state: HandState, version: int, told: str, teller: Teller) -> MomentDocument:
    """Return a state as a document."""
    everyone = sorted({*state.dealt, *state.left_out})
    return MomentDocument(
        hand=hand,
        version=version,
        told=told,
        street=state.street if state.deal_completed or state.dealing else "before the deal",
        boards=["".join(board) for board in state.boards],
        seats=[_seat(state, seat, teller) for seat in everyone],
        pots=_pots(state),
        turn=None if state.completed else _turn(state),
        notes=_notes(state),
    )


def _seat(state: HandState, seat: Seat, teller: Teller) -> SeatTold:
    player = teller.players.get(seat, "")
    cards = "".join(state.hole(seat)) if seat in state.dealt else ""
    return SeatTold(
        seat=seat,
        player=teller.person(player),
        stack=state.stack(seat),
        bet=state.bet(seat),
        put=state.chips.put_in.get(seat, 0),
        cards=cards,
        status=_status(state, seat),
        roles=_roles(state, seat),
    )


def _status(state: HandState, seat: Seat) -> Literal["in", "folded", "all-in", "dead", "left-out"]:
    if seat not in state.dealt:
        return "left-out"
    if seat in state.killed or seat in state.cleared:
        return "dead"
    if not state.is_in(seat):
        return "folded"
    return "all-in" if state.is_all_in(seat) else "in"


def _roles(state: HandState, seat: Seat) -> list[str]:
    roles = ["D"] if state.button == seat else []
    placed = {where: role for role, where in state.positions.items() if where is not None}
    if seat in placed:
        roles.append(ROLES.get(placed[seat], placed[seat]))
    else:
        posted = {getattr(post, "role", "") for post in state.posts if post.seat == seat}
        roles += [ROLES[role] for role in ("small", "big", "extra") if role in posted]
    return roles


def _pots(state: HandState) -> list[PotTold]:
    if not state.chips.put_in and not state.chips.seeded:
        return []
    found = [PotTold(pot.amount, list(pot.seats)) for pot in pots.pots(state)]
    return found or [PotTold(state.total_put(), sorted(state.live))]


def _turn(state: HandState) -> TurnTold | None:
    due = order.actor(state)
    if due is None:
        return None
    found = bounds.bounds(state, due)
    return TurnTold(due, bounds.to_call(state, due), found.may_raise, found.min_to, found.max_to, found.why or "")


def _notes(state: HandState) -> list[str]:
    notes = []
    if state.voided:
        notes.append("The hand was cancelled.")
    if state.misdealt:
        again = state.deal_completed or state.round.actions
        notes.append("It was dealt again after a misdeal." if again else "The deal was declared void.")
    if state.unread:
        notes.append(f"{state.unread} lines of its source are not understood: the hand is incomplete.")
    notes += [f"Seat {getattr(odd.event, 'seat', 0)} {_ODD[odd.why]}." for odd in state.oddities]
    if state.completed and state.conservation():
        notes.append(f"The chips do not add up: {state.conservation()} units are missing from the awards.")
    return notes
