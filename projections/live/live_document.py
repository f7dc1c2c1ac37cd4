"""A table in play as one document, for terminals, pages and other devices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from ledger import safe
from ledger.export.audience import visible_events_of
from ledger.hand.betting import Called, Checked
from ledger.hand.bounds import to_call
from ledger.hand.corrections import holding
from ledger.hand.dealing import BoardDealt
from ledger.hand.ending import PotAwarded, RemarkNoted
from ledger.hand.fold import apply, fold
from ledger.hand.opening import BlindPosted, ButtonPlaced, SeatDealtIn
from ledger.hand.order import actor
from ledger.recording.choices import choices
from ledger.store.hands.hand_accounts import TableKey
from ledger.vocabulary import Chips, Seat
from projections.addresses.address_book import AddressBook
from projections.amount_text import amount
from projections.live.live_table import is_dealt
from projections.live.next_hand import propose_hand
from projections.reports.choice_text import describe_choices as choice_sentences
from projections.reports.event_text import EventDescriber
from projections.reports.hand_documents import MomentDocument
from projections.reports.states import build_hand, build_moment

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ledger.hand.events import HandEvent
    from ledger.hand.state import HandState
    from ledger.recording.choices import Choice
    from ledger.recording.recorder import Recorder
    from ledger.store import HandRow
    from projections.live.live_table import LiveFinding, LiveTable
    from projections.live.next_hand import Proposal


class LineTold(msgspec.Struct):
    """An event of the running hand: its version and its line."""

    version: int
    line: str


class ChoiceTold(msgspec.Struct):
    """A choice for the next event. `label` is for people; bets have bounds, dealt cards a number."""

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
    """The proposed next hand: its number, its lines, and why it is incomplete, if it is."""

    number: str
    lines: list[str]
    lacks: str = ""
    notes: list[str] = []  # on what looks like an error: a dead button, no small blind


class Seated(msgspec.Struct):
    """A player at the table between hands. `stack` None: unknown; `presence`: "present", "away", "unknown"."""

    seat: Seat
    player: str
    stack: Chips | None
    presence: str


class LiveDocument(msgspec.Struct, kw_only=True, tag_field="schema", tag="handledger/live/1"):
    """A table now. `version`: of the running hand's last event, 0 between hands; an append names it."""

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
    to_act: list[Seat] = []  # who acts in this round, in order, if nobody bets or raises; the next to act comes first
    next: NextHand | None = None  # between hands, under `book`
    seated: list[Seated] = []  # between hands; `moment` has the seats of a running hand
    chairs: int = 0  # 0 = unknown
    book: str = ""
    ended: list[FoundSoFar] = []  # between hands: the findings of the last hand kept here


class _Hand:
    """The running hand as one viewer may see it."""

    def __init__(self, recorder: Recorder, seats: frozenset[Seat] | None) -> None:
        """Take the recorder and the seats whose cards the viewer may see (None: all). Other cards stay unknown."""
        self.recorder = recorder
        self.all_events: list[HandEvent] = recorder.recorded
        if seats is not None:
            blank = RemarkNoted("")
            self.all_events = [next(iter(visible_events_of([event], seats)), blank) for event in recorder.recorded]
        self.numbered = holding(list(enumerate(self.all_events, 1)))
        self.events = [event for _, event in self.numbered]
        self.state = recorder.state if seats is None else fold(self.events)
        self.choices = choices(self.state)


def live_document(recorder: Recorder, live_table: LiveTable, seats: frozenset[Seat] | None = None) -> LiveDocument:
    """Return the table for a viewer who may see the cards of `seats` (None: all).

    Names and texts are raw: whoever prints them must make them safe.
    """
    settings = recorder.settings
    document = LiveDocument(
        venue=settings.venue,
        tournament=settings.tournament,
        table=settings.table,
        unit=settings.unit,
        exponent=settings.exponent,
        running=recorder.running,
        hand="",
        version=recorder.version,
        stage="between hands",
        moment=None,
        lines=[],
        choices=[],
        findings=[],
        book=live_table.books[0].name if live_table.books else "",
        chairs=settings.seats,
    )
    if recorder.stream is None:
        document.next = _next_hand(recorder, live_table)
        document.seated = _seated_players(recorder, live_table)
        return document
    row = next(recorder.ledger.hands_of([recorder.stream.bytes]))
    hand = _Hand(recorder, seats)
    document.hand, document.stage = row.number, _stage(hand)
    document.lines = _lines(hand)
    document.moment = _moment(hand, row, document.lines[-1].line if document.lines else "")
    if document.stage == "before the deal":  # posts may still come: nobody is to act
        document.moment.turn = None
    document.choices = [_choice_document(choice, recorder) for choice in hand.choices]
    document.to_act = _to_act(hand.state) if document.stage == "betting" else []
    document.findings = [
        finding_so_far(live_finding) for live_finding in live_table.findings(hand.all_events, recorder.stream)
    ]
    return document


def propose_next(live_table: LiveTable) -> Proposal | None:
    """Propose the next hand under the table's first book; None without a book or without players."""
    if not live_table.books or not live_table.state.seats:
        return None
    return propose_hand(live_table.state, live_table.due(live_table.books[0]))


def _next_hand(recorder: Recorder, live_table: LiveTable) -> NextHand | None:
    next_proposal = propose_next(live_table)
    if next_proposal is None:
        return None
    names = {
        seat: recorder.ledger.people.name(seat_state.player) or ""
        for seat, seat_state in live_table.state.seats.items()
    }
    sentences = choice_sentences(
        live_table.due(live_table.books[0]), lambda seat: f"seat {seat} {safe.name(names.get(seat, ''), 20)}".strip()
    )
    notes = [*_unusual_notes(next_proposal.events), *sentences]
    return NextHand(next_proposal.number, recorder.lines.tell(next_proposal.events), next_proposal.missing, notes)


def _unusual_notes(events: Sequence[HandEvent]) -> Iterator[str]:
    """Yield notes on a proposed hand that looks wrong but isn't."""
    dealt_seats = {event.seat for event in events if isinstance(event, SeatDealtIn)}
    for event in events:
        if isinstance(event, ButtonPlaced) and event.seat is not None and event.seat not in dealt_seats:
            yield f"Dead button: nobody is dealt in at seat {event.seat}."
    posted_roles = {event.role for event in events if isinstance(event, BlindPosted)}
    if "big" in posted_roles and "small" not in posted_roles:
        yield "Nobody owes the small blind on this hand."


def _seated_players(recorder: Recorder, live_table: LiveTable) -> list[Seated]:
    player_name = recorder.ledger.people.name
    seat_states = sorted(live_table.state.seats.items())
    return [
        Seated(seat, player_name(seat_state.player) or "", seat_state.stack, seat_state.presence)
        for seat, seat_state in seat_states
    ]


def _stage(hand: _Hand) -> Literal["before the deal", "betting", "between streets", "showdown", "over"]:
    state, choices = hand.state, hand.choices
    if state.completed or state.voided:
        return "over"
    if state.showdown:
        return "showdown"
    if not is_dealt(state):
        return "before the deal"
    return "betting" if choices and choices[0].word in ("fold", "check", "call") else "between streets"


def _to_act(state: HandState) -> list[Seat]:
    """Return the seats still to act in this round, in order, if each checks or calls."""
    state, seats = state.copy(), []
    while (seat := actor(state)) is not None and seat not in seats:
        call_amount, stack_left = to_call(state, seat), state.behind(seat)
        all_in = True if stack_left is not None and call_amount >= stack_left else None
        apply(state, Called(seat, call_amount, state.bet(seat) + call_amount, all_in) if call_amount else Checked(seat))
        seats.append(seat)
    return seats


def _lines(hand: _Hand) -> list[LineTold]:
    lines = hand.recorder.lines.tell(hand.events)
    return [LineTold(version, line) for (version, _), line in zip(hand.numbered, lines, strict=True)]


def _moment(hand: _Hand, row: HandRow, last_line: str) -> MomentDocument:
    ledger = hand.recorder.ledger
    people, address = ledger.people, AddressBook(ledger).hand(row)
    teller = EventDescriber(people)
    for event in hand.events:
        teller.describe(event)
    return build_moment(
        build_hand(row, hand.state, people, address=address), hand.state, hand.recorder.version, last_line, teller
    )


def _choice_document(choice: Choice, recorder: Recorder) -> ChoiceTold:
    settings = recorder.settings

    def money(chips: Chips) -> str:
        return amount(chips, settings.unit, settings.exponent)

    first = choice.events[0] if choice.events else None
    stated_chips = (
        getattr(first, "added", None) if choice.word == "call" else getattr(first, "to", getattr(first, "amount", None))
    )
    if isinstance(first, BoardDealt):
        stated_chips = None
    label = choice.word if choice.word != "street" else choice.street
    if len(choice.events) > 1:
        awards = [award for award in choice.events if isinstance(award, PotAwarded)]
        label = f"{label}: " + ", ".join(f"seat {award.seat} {money(award.amount)}" for award in awards)
        stated_chips = None
    elif stated_chips is not None:
        label = f"{label} {'to ' if choice.word == 'raise' else ''}{money(stated_chips)}"
    elif choice.least:
        label = f"{label} {'to ' if choice.word == 'raise' else ''}{money(choice.least)} or more"
    has_bounds = choice.word in ("bet", "raise")
    return ChoiceTold(
        choice.word,
        choice.seat,
        label,
        stated_chips,
        choice.least if has_bounds else None,
        choice.most if has_bounds else None,
        choice.cards,
        choice.street,
    )


def finding_so_far(live_finding: LiveFinding) -> FoundSoFar:
    """Return a finding for the document."""
    finding = live_finding.finding
    return FoundSoFar(
        finding.book,
        finding.clause,
        finding.severity,
        finding.certainty,
        finding.version,
        finding.seat,
        finding.saw,
        finding.should,
        live_finding.mendable,
    )


def recorder_table(recorder: Recorder) -> TableKey:
    """Return the table that a recorder keeps."""
    settings = recorder.settings
    return TableKey(settings.venue, settings.tournament, settings.table)
