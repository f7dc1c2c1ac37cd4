"""The JSON document of a table in play: the running hand, its choices and findings, or the proposed next hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from ledger import safe
from ledger.export.audience import list_visible_events
from ledger.hand.betting import Called, Checked
from ledger.hand.bounds import to_call
from ledger.hand.corrections import apply_corrections
from ledger.hand.dealing import BoardDealt
from ledger.hand.ending import RemarkNoted
from ledger.hand.fold import apply, fold
from ledger.hand.opening import BlindPosted, ButtonPlaced, SeatDealtIn
from ledger.hand.order import actor
from ledger.recording.choices import find_choices
from ledger.store.hands.hand_accounts import TableKey
from ledger.text.language import phrase
from ledger.vocabulary import Chips, Seat
from projections.addresses.address_book import AddressBook
from projections.amount_text import amount
from projections.live.choice_label import describe_choice
from projections.live.game_facts import GameFacts, find_game_facts
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
    from ledger.recording.choices import HandChoice
    from ledger.recording.recorder import Recorder
    from ledger.store import HandRow
    from projections.live.live_table import LiveFinding, LiveTable
    from projections.live.next_hand import Proposal


class LiveLine(msgspec.Struct):
    """An event of the running hand."""

    version: int
    line: str  # in handscript


class LiveChoice(msgspec.Struct):
    """A choice for the next event of the running hand."""

    word: str  # "fold", "raise", "street" and so on
    seat: Seat | None
    label: str  # for people
    amount: Chips | None = None  # of a call, a post or one award
    least: Chips | None = None  # of a bet or raise
    most: Chips | None = None
    cards: int = 0  # number of cards to deal
    street: str = ""


class FindingSoFar(msgspec.Struct):
    """A finding in the running hand."""

    book: str
    clause: str
    severity: str
    certainty: str
    version: int
    seat: Seat | None
    saw: str
    should: str
    mendable: bool  # it can still be corrected in this hand


class NextHand(msgspec.Struct):
    """The proposed next hand."""

    number: str
    lines: list[str]  # in handscript
    lacks: str = ""  # why it is incomplete; "" = it's complete
    notes: list[str] = []  # on things that look like errors but aren't: a dead button, no small blind


class LiveSeat(msgspec.Struct):
    """A player at the table between hands."""

    seat: Seat
    player: str
    stack: Chips | None  # None = unknown
    presence: str  # "present", "away" or "unknown"


class LiveDocument(msgspec.Struct, kw_only=True, tag_field="schema", tag="handledger/live/1"):
    """A table now: the running hand, or the time between two hands."""

    venue: str
    tournament: str
    table: str
    unit: str
    exponent: int
    running: bool
    hand: str  # number of the running hand; "" between hands
    version: int  # of its last event; 0 between hands. A client that appends must name the version it has seen
    stage: Literal["between hands", "before the deal", "betting", "between streets", "showdown", "over"]
    moment: MomentDocument | None
    lines: list[LiveLine]
    choices: list[LiveChoice]
    findings: list[FindingSoFar]
    to_act: list[Seat] = []  # seats still to act in this round, in order, if nobody bets or raises
    next: NextHand | None = None  # the proposed hand under `book`; None during a hand
    seated: list[LiveSeat] = []  # players between hands; `moment` has the seats of a running hand
    chairs: int = 0  # number of chairs at the table; 0 = unknown
    book: str = ""
    ended: list[FindingSoFar] = []  # findings in the last hand recorded here, between hands
    game: GameFacts | None = None  # of the running hand, or of the next; None = unknown


class _VisibleHand:
    """The running hand as one viewer may see it."""

    def __init__(self, recorder: Recorder, seats: frozenset[Seat] | None) -> None:
        """Take the recorder and the seats whose cards the viewer may see, or None for all seats. Other cards stay unknown."""
        self.recorder = recorder
        self.all_events: list[HandEvent] = recorder.hand_events
        if seats is not None:
            hidden_event = RemarkNoted("")  # keeps the versions of later events
            self.all_events = [
                next(iter(list_visible_events([event], seats)), hidden_event) for event in recorder.hand_events
            ]
        self.numbered_events = apply_corrections(list(enumerate(self.all_events, 1)))  # without corrected events
        self.events = [event for _, event in self.numbered_events]
        self.state = recorder.state if seats is None else fold(self.events)
        self.choices = find_choices(self.state)


def build_live_document(
    recorder: Recorder, live_table: LiveTable, seats: frozenset[Seat] | None = None
) -> LiveDocument:
    """Return the document for a viewer who may see the cards of `seats`, or of all seats if it is None.

    Names and free text aren't sanitized: who prints them must do that.
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
        game=find_game_facts(
            recorder.lines.opening if recorder.stream is None else [event for _, event in recorder.numbered],
            live_table.books[0] if live_table.books else None,
        ),
    )
    if recorder.stream is None:
        document.next = _build_next_hand(recorder, live_table)
        document.seated = _build_seated_players(recorder, live_table)
        return document
    row = next(recorder.ledger.hands_of([recorder.stream.bytes]))
    hand = _VisibleHand(recorder, seats)
    document.hand, document.stage = row.number, _find_stage(hand)
    document.lines = _build_lines(hand)
    document.moment = _build_moment(hand, row, document.lines[-1].line if document.lines else "")
    if document.stage == "before the deal":  # blinds may still be posted, so nobody is to act
        document.moment.turn = None
    document.choices = [_build_choice(choice, recorder) for choice in hand.choices]
    document.to_act = _list_seats_to_act(hand.state) if document.stage == "betting" else []
    document.findings = [
        build_finding_so_far(live_finding)
        for live_finding in live_table.judge_running_hand(hand.all_events, recorder.stream)
    ]
    return document


def propose_next(live_table: LiveTable) -> Proposal | None:
    """Return the likely next hand under the table's first book, or None without a book or players."""
    if not live_table.books or not live_table.state.seats:
        return None
    return propose_hand(live_table.state, live_table.find_due(live_table.books[0]))


def _build_next_hand(recorder: Recorder, live_table: LiveTable) -> NextHand | None:
    """Return the proposed next hand with notes, or None if nothing can be proposed."""
    proposal = propose_next(live_table)
    if proposal is None:
        return None
    names = {
        seat: recorder.ledger.people.name(seat_state.player) or ""
        for seat, seat_state in live_table.state.seats.items()
    }
    sentences = choice_sentences(
        live_table.find_due(live_table.books[0]),
        lambda seat: phrase("seat {seat} {player}", seat=seat, player=safe.name(names.get(seat, ""), 20)).strip(),
    )
    notes = [*_iter_unusual_notes(proposal.events), *sentences]
    return NextHand(proposal.number, recorder.lines.write_lines(proposal.events), proposal.missing, notes)


def _iter_unusual_notes(events: Sequence[HandEvent]) -> Iterator[str]:
    """Yield notes on things in a proposed hand that look like errors but aren't."""
    dealt_seats = {event.seat for event in events if isinstance(event, SeatDealtIn)}
    for event in events:
        if isinstance(event, ButtonPlaced) and event.seat is not None and event.seat not in dealt_seats:
            yield phrase("Dead button: nobody is dealt in at seat {seat}.", seat=event.seat)
    posted_roles = {event.role for event in events if isinstance(event, BlindPosted)}
    if "big" in posted_roles and "small" not in posted_roles:
        yield phrase("Nobody owes the small blind on this hand.")


def _build_seated_players(recorder: Recorder, live_table: LiveTable) -> list[LiveSeat]:
    player_name = recorder.ledger.people.name
    seat_states = sorted(live_table.state.seats.items())
    return [
        LiveSeat(seat, player_name(seat_state.player) or "", seat_state.stack, seat_state.presence)
        for seat, seat_state in seat_states
    ]


def _find_stage(hand: _VisibleHand) -> Literal["before the deal", "betting", "between streets", "showdown", "over"]:
    state, choices = hand.state, hand.choices
    if state.completed or state.voided:
        return "over"
    if state.showdown:
        return "showdown"
    if not is_dealt(state):
        return "before the deal"
    return "betting" if choices and choices[0].word in ("fold", "check", "call") else "between streets"


def _list_seats_to_act(state: HandState) -> list[Seat]:
    """Return the seats still to act in this round, in order, as if each checked or called."""
    state, seats = state.copy(), []
    while (seat := actor(state)) is not None and seat not in seats:
        call_amount, stack_left = to_call(state, seat), state.stack_left(seat)
        all_in = True if stack_left is not None and call_amount >= stack_left else None
        apply(
            state,
            Called(seat, call_amount, state.street_bet(seat) + call_amount, all_in) if call_amount else Checked(seat),
        )
        seats.append(seat)
    return seats


def _build_lines(hand: _VisibleHand) -> list[LiveLine]:
    lines = hand.recorder.lines.write_lines(hand.events)
    return [LiveLine(version, line) for (version, _), line in zip(hand.numbered_events, lines, strict=True)]


def _build_moment(hand: _VisibleHand, row: HandRow, last_line: str) -> MomentDocument:
    ledger = hand.recorder.ledger
    people, address = ledger.people, AddressBook(ledger).find_hand_address(row)
    describer = EventDescriber(people)
    for event in hand.events:
        describer.remember(event)
    return build_moment(
        build_hand(row, hand.state, people, address=address), hand.state, hand.recorder.version, last_line, describer
    )


def _build_choice(choice: HandChoice, recorder: Recorder) -> LiveChoice:
    """Return a choice with its label."""
    settings = recorder.settings

    def format_chips(chips: Chips) -> str:
        return amount(chips, settings.unit, settings.exponent)

    chips = _find_single_amount(choice)
    has_bounds = choice.word in ("bet", "raise")
    return LiveChoice(
        word=choice.word,
        seat=choice.seat,
        label=describe_choice(choice, chips, format_chips),
        amount=chips,
        least=choice.min_total if has_bounds else None,
        most=choice.max_total if has_bounds else None,
        cards=choice.cards,
        street=choice.street,
    )


def _find_single_amount(choice: HandChoice) -> Chips | None:
    """Return the chips of a choice that is one event: of a call, those added. Return None without an amount."""
    if len(choice.events) != 1 or isinstance(choice.events[0], BoardDealt):
        return None
    event = choice.events[0]
    if choice.word == "call":
        return getattr(event, "added", None)
    return getattr(event, "to", getattr(event, "amount", None))


def build_finding_so_far(live_finding: LiveFinding) -> FindingSoFar:
    """Return a finding as the document shows it."""
    finding = live_finding.finding
    return FindingSoFar(
        book=finding.book,
        clause=finding.clause,
        severity=finding.severity,
        certainty=finding.certainty,
        version=finding.version,
        seat=finding.seat,
        saw=finding.saw,
        should=finding.should,
        mendable=live_finding.mendable,
    )


def find_recorder_table(recorder: Recorder) -> TableKey:
    """Return the table whose hands a recorder records."""
    settings = recorder.settings
    return TableKey(settings.venue, settings.tournament, settings.table)
