"""A table while it is played, as one document: for a terminal, a page, a device that asks where it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from ledger import safe
from ledger.export.audience import seen
from ledger.hand.betting import Called, Checked
from ledger.hand.bounds import to_call
from ledger.hand.corrections import holding
from ledger.hand.dealing import BoardDealt
from ledger.hand.ending import PotAwarded, RemarkNoted
from ledger.hand.fold import apply, fold
from ledger.hand.opening import BlindPosted, ButtonPlaced, SeatDealtIn
from ledger.hand.order import actor
from ledger.recording.choices import choices
from ledger.store.accounts import Place
from ledger.vocabulary import Chips, Seat
from projections.addresses.address_book import AddressBook
from projections.amount_text import amount
from projections.live.live_table import dealt
from projections.live.next_hand import proposal
from projections.reports.choices import describe_choices as choice_sentences
from projections.reports.event_text import Teller
from projections.reports.hand_documents import MomentDocument
from projections.reports.states import build_hand, build_moment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ledger.hand.events import HandEvent
    from ledger.hand.state import HandState
    from ledger.recording.choices import Choice
    from ledger.recording.recorder import Recorder
    from ledger.store import HandRow
    from projections.live.live_table import AtTable, SoFar
    from projections.live.next_hand import Proposal


class LineTold(msgspec.Struct):
    """An event of the running hand: its version, and the line that tells it."""

    version: int
    line: str


class ChoiceTold(msgspec.Struct):
    """Something that can come next. `label` is for people; what needs an amount or cards has its bounds, or their number."""

    word: str
    seat: Seat | None
    label: str
    amount: Chips | None = None
    least: Chips | None = None
    most: Chips | None = None
    cards: int = 0
    street: str = ""


class FoundSoFar(msgspec.Struct):
    """A finding in the running hand; `mendable`: it can still be put right."""

    book: str
    clause: str
    severity: str
    certainty: str
    version: int
    seat: Seat | None
    saw: str
    should: str
    mendable: bool


class NextHand(msgspec.Struct):
    """The proposed next hand: its number, the lines that tell it, and why it stops short, if it does."""

    number: str
    lines: list[str]
    lacks: str = ""
    notes: list[str] = []  # what is easily taken for an error: a dead button, no small blind


class Seated(msgspec.Struct):
    """Somebody who sits at the table between hands. `stack` None: not told; `presence`: "present", "away", "unknown"."""

    seat: Seat
    player: str
    stack: Chips | None
    presence: str


class LiveDocument(msgspec.Struct, kw_only=True, tag_field="schema", tag="handledger/live/1"):
    """Where a table stands. `version` is that of the running hand's last event, 0 between hands: an append names it."""

    venue: str
    tournament: str
    table: str
    unit: str
    exponent: int
    running: bool
    hand: str  # number of the running hand; "" between hands
    version: int
    stage: Literal["between hands", "before the deal", "betting", "between streets", "showdown", "over"]
    moment: MomentDocument | None
    lines: list[LineTold]
    choices: list[ChoiceTold]
    findings: list[FoundSoFar]
    to_act: list[
        Seat
    ] = []  # who acts in this round, in order, as long as nobody bets or raises; whose turn it is comes first
    next: NextHand | None = None  # between hands: under the book whose dues are shown
    seated: list[Seated] = []  # between hands; in a hand `moment` says who sits where
    chairs: int = 0  # 0 = not told
    book: str = ""
    ended: list[FoundSoFar] = []  # between hands: what was found in the hand that was kept here last


class _Hand:
    """The running hand as somebody may see it."""

    def __init__(self, recorder: Recorder, seats: frozenset[Seat] | None) -> None:
        """Take the recorder, and whose cards may be seen (None: all): the others' are unknown in all that is told."""
        self.recorder = recorder
        self.recorded: list[HandEvent] = recorder.recorded
        if seats is not None:
            blank = RemarkNoted("")
            self.recorded = [next(iter(seen([one], seats)), blank) for one in recorder.recorded]
        self.numbered = holding(list(enumerate(self.recorded, 1)))
        self.events = [event for _, event in self.numbered]
        self.state = recorder.state if seats is None else fold(self.events)
        self.choices = choices(self.state)


def document(recorder: Recorder, at: AtTable, seats: frozenset[Seat] | None = None) -> LiveDocument:
    """Return where a table stands, for somebody who may see the cards of `seats` (None: all).

    Names and texts are raw: printing them harmlessly is the writer's duty.
    """
    s = recorder.settings
    where = LiveDocument(
        venue=s.venue,
        tournament=s.tournament,
        table=s.table,
        unit=s.unit,
        exponent=s.exponent,
        running=recorder.running,
        hand="",
        version=recorder.version,
        stage="between hands",
        moment=None,
        lines=[],
        choices=[],
        findings=[],
        book=at.books[0].name if at.books else "",
        chairs=s.seats,
    )
    if recorder.stream is None:
        where.next = _next(recorder, at)
        where.seated = _seated(recorder, at)
        return where
    row = next(recorder.ledger.hands_of([recorder.stream.bytes]))
    hand = _Hand(recorder, seats)
    where.hand, where.stage = row.number, _stage(hand)
    where.lines = _lines(hand)
    where.moment = _moment(hand, row, where.lines[-1].line if where.lines else "")
    if where.stage == "before the deal":  # posts may still come: nobody is to act
        where.moment.turn = None
    where.choices = [_choice(one, recorder) for one in hand.choices]
    where.to_act = _to_act(hand.state) if where.stage == "betting" else []
    where.findings = [found(one) for one in at.findings(hand.recorded, recorder.stream)]
    return where


def coming(at: AtTable) -> Proposal | None:
    """Return the next hand as it is proposed under the first of the table's books; None without a book, or with nobody there."""
    if not at.books or not at.state.seats:
        return None
    return proposal(at.state, at.due(at.books[0]))


def _next(recorder: Recorder, at: AtTable) -> NextHand | None:
    next_ = coming(at)
    if next_ is None:
        return None
    names = {seat: recorder.ledger.people.name(held.player) or "" for seat, held in at.state.seats.items()}
    said = choice_sentences(
        at.due(at.books[0]), lambda seat: f"seat {seat} {safe.name(names.get(seat, ''), 20)}".strip()
    )
    notes = [*_unusual(next_.events), *said]
    return NextHand(next_.number, recorder.lines.tell(next_.events), next_.lacks, notes)


def _unusual(events: Sequence[HandEvent]) -> Iterator[str]:
    """Yield what of a proposed hand looks wrong and is not."""
    dealt = {event.seat for event in events if isinstance(event, SeatDealtIn)}
    for event in events:
        if isinstance(event, ButtonPlaced) and event.seat is not None and event.seat not in dealt:
            yield f"Dead button: nobody is dealt in at seat {event.seat}."
    posted = {event.role for event in events if isinstance(event, BlindPosted)}
    if "big" in posted and "small" not in posted:
        yield "Nobody owes the small blind on this hand."


def _seated(recorder: Recorder, at: AtTable) -> list[Seated]:
    name = recorder.ledger.people.name
    held = sorted(at.state.seats.items())
    return [Seated(seat, name(one.player) or "", one.stack, one.presence) for seat, one in held]


def _stage(hand: _Hand) -> Literal["before the deal", "betting", "between streets", "showdown", "over"]:
    state, found = hand.state, hand.choices
    if state.completed or state.voided:
        return "over"
    if state.showdown:
        return "showdown"
    if not dealt(state):
        return "before the deal"
    return "betting" if found and found[0].word in ("fold", "check", "call") else "between streets"


def _to_act(state: HandState) -> list[Seat]:
    """Return the seats that are still to act in a round, in order, if each of them checks or calls."""
    state, seats = state.copy(), []
    while (seat := actor(state)) is not None and seat not in seats:
        owed, behind = to_call(state, seat), state.behind(seat)
        all_in = True if behind is not None and owed >= behind else None
        apply(state, Called(seat, owed, state.bet(seat) + owed, all_in) if owed else Checked(seat))
        seats.append(seat)
    return seats


def _lines(hand: _Hand) -> list[LineTold]:
    told = hand.recorder.lines.tell(hand.events)
    return [LineTold(version, line) for (version, _), line in zip(hand.numbered, told, strict=True)]


def _moment(hand: _Hand, row: HandRow, told: str) -> MomentDocument:
    ledger = hand.recorder.ledger
    people, address = ledger.people, AddressBook(ledger).of(row)
    teller = Teller(people)
    for event in hand.events:
        teller.tell(event)
    return build_moment(
        build_hand(row, hand.state, people, address=address), hand.state, hand.recorder.version, told, teller
    )


def _choice(one: Choice, recorder: Recorder) -> ChoiceTold:
    s = recorder.settings

    def money(chips: Chips) -> str:
        return amount(chips, s.unit, s.exponent)

    first = one.events[0] if one.events else None
    put = getattr(first, "added", None) if one.word == "call" else getattr(first, "to", getattr(first, "amount", None))
    if isinstance(first, BoardDealt):
        put = None
    label = one.word if one.word != "street" else one.street
    if len(one.events) > 1:
        awards = [e for e in one.events if isinstance(e, PotAwarded)]
        label = f"{label}: " + ", ".join(f"seat {e.seat} {money(e.amount)}" for e in awards)
        put = None
    elif put is not None:
        label = f"{label} {'to ' if one.word == 'raise' else ''}{money(put)}"
    elif one.least:
        label = f"{label} {'to ' if one.word == 'raise' else ''}{money(one.least)} or more"
    bounded = one.word in ("bet", "raise")
    return ChoiceTold(
        one.word,
        one.seat,
        label,
        put,
        one.least if bounded else None,
        one.most if bounded else None,
        one.cards,
        one.street,
    )


def found(one: SoFar) -> FoundSoFar:
    """Return a finding as people and programs are told of it."""
    f = one.finding
    return FoundSoFar(f.book, f.clause, f.severity, f.certainty, f.version, f.seat, f.saw, f.should, one.mendable)


def place_of(recorder: Recorder) -> Place:
    """Return which table a recorder keeps."""
    s = recorder.settings
    return Place(s.venue, s.tournament, s.table)
