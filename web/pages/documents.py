"""The data of hand pages and reports, as types: a hand event by event, its judgements, its source, and how to check it.

Amounts are integers in units of 10^-exponent of the game's unit. Names and texts from the ledger are raw, except
`told` and `player`, which have been through `ledger.safe`.
"""

from __future__ import annotations

import msgspec

from ledger.vocabulary import Chips, Millis, Role, Seat
from projections.audit.audit_result import BookRef
from projections.audit.book_differences import Difference
from projections.audit.knock_on import ButtonAndBlinds, KnockOn
from projections.findings.finding import Finding
from projections.live.evening_documents import TableEvening
from projections.money.shift_report import ShiftReport
from projections.obligations.dues import Ground
from projections.queries.facet_documents import DealerMap
from projections.reports.hand_documents import HandTold, PotDocument, SeatDocument, TurnDocument


class Chair(msgspec.Struct, frozen=True):
    """A seat in the drawing of the table. `player` "" = nobody is known to sit there."""

    seat: Seat
    player: str
    cards: int  # the most cards that the seat ever holds: room to draw


class Span(msgspec.Struct, frozen=True):
    """A span of bytes in a source's file, and the number of the line on which it begins."""

    start: int
    length: int
    line: int


class Frame(msgspec.Struct, kw_only=True):
    """The table after one event. `public`: the cards of each seat that everybody at the table had seen by then."""

    version: int
    event_text: str = msgspec.field(name="told")
    topic: str
    street: str
    occurred_at: Millis | None = msgspec.field(name="at")
    derived: bool
    span: Span | None
    seats: list[SeatDocument]
    public: list[str]
    boards: list[str]
    pots: list[PotDocument]
    paid: Chips  # paid out of the pots so far, to players and to the house
    turn: TurnDocument | None
    notes: list[str]


class Wanting(msgspec.Struct, frozen=True):
    """A missing fact, and the clauses that can't be judged without it."""

    fact: str
    clauses: list[str]


class Judgement(msgspec.Struct, kw_only=True):
    """A hand judged under one book.

    `findings`: those of the book, and those of `record`, which apply under every book. `should`: where the button and
    the blinds belonged; None if that can't be determined, and `unknown` says why. `why`: the reasons for the button,
    the small blind and the big blind. `beside`: the book is shown only for comparison; nobody asked for it, and the
    house hadn't adopted it.
    """

    book: BookRef
    findings: list[Finding]
    should: ButtonAndBlinds | None
    is_position_right: bool = msgspec.field(name="right")  # button and blinds are where the book puts them
    unknown: str
    position_grounds: list[list[Ground]] = msgspec.field(name="why")
    knock_on: KnockOn | None
    judged: int  # clauses with a verdict
    wanting: list[Wanting]
    unchecked: int  # clauses for this game that have no check yet
    is_for_comparison: bool = msgspec.field(default=False, name="beside")

    @property
    def has_verdict(self) -> bool:
        """Whether the book itself has a verdict on the hand."""
        return bool(self.judged) or any(finding.book == self.book.name for finding in self.findings)


class Account(msgspec.Struct, frozen=True):
    """A row of the money table: the chips that somebody put in and won, and the difference."""

    name: str = msgspec.field(name="who")
    seat: Seat | None
    start_stack: Chips | None = msgspec.field(name="before")
    put: Chips
    won: Chips
    net: Chips


class Money(msgspec.Struct, frozen=True):
    """The chips of a hand; the nets add up to zero. `void`: the hand doesn't count, and nobody won or lost."""

    accounts: list[Account]
    void: bool


class Segment(msgspec.Struct, frozen=True):
    """A piece of a source's text, and the indexes of the frames that were read from it."""

    text: str
    frames: list[int]


class SourceText(msgspec.Struct, frozen=True):
    """The text that a hand was read from."""

    file: str
    sha256: str
    start: int
    length: int
    line: int
    segments: list[Segment]
    cut: bool  # `segments` holds only the beginning of the text


class Head(msgspec.Struct, frozen=True):
    """The end of the ledger when the page was made, and what to check it with. Nothing was checked for this page."""

    ledger: str
    positions: int
    head: str
    sealed: int  # commits that the newest checkpoint covers; 0 = no checkpoint was ever signed
    origin: str  # of that checkpoint: who keeps the ledger
    key: str  # public key that verifies the checkpoint


class HandPage(msgspec.Struct, kw_only=True):
    """A hand as shown on a page."""

    hand: HandTold
    unit: str
    exponent: int
    big: Chips  # the big blind, for amounts in big blinds; 0 = unknown
    chairs: list[Chair]
    recorded: ButtonAndBlinds
    frames: list[Frame]
    first: int  # index of the frame that the page shows first
    judgements: list[Judgement]
    differences: list[Difference]
    money: Money
    source: SourceText | None
    unsourced: str  # why `source` is None
    alike: list[list[str]]
    corrections: list[str]
    undrawn: int = 0  # number of later events that aren't drawn
    with_advice: bool = True  # show how to record missing facts, since the readers write records themselves


class Line(msgspec.Struct, frozen=True):
    """A hand in a list. `page`: the number of its page in this report; 0 = it has none."""

    number: str
    table: str
    local: str
    zone: str
    game: str
    pot: Chips | None
    unit: str
    exponent: int
    findings: int
    unjudged: int  # clauses that could not be judged
    page: int
    address: str


class Rate(msgspec.Struct, frozen=True):
    """How often a clause has findings: the count, the number of hands, and findings per thousand hands."""

    book: str
    clause: str
    says: str
    findings: int
    hands: int
    per_thousand: float
    few: bool  # fewer than five findings are expected, too few for a meaningful rate
    room: float | None  # per thousand of all hands in the ledger; None = not computed


class Fair(msgspec.Struct, frozen=True):
    """The blinds that a player paid, compared with those due. `untold`: hands for which one of them is unknown."""

    player: str
    hands: int
    due: Chips
    paid: Chips
    unknown_hands: int = msgspec.field(name="untold")
    unit: str
    exponent: int


class Summary(msgspec.Struct, kw_only=True):
    """The totals of several hands under the report's books, `book` and `more`."""

    book: BookRef | None  # None: there are no hands, so no book was used
    hands: int
    hands_with_findings: int = msgspec.field(name="found")
    first: str  # the room's own time of the earliest hand; "" = unknown
    last: str  # the same of the latest hand
    rates: list[Rate]
    shares: list[Fair]
    unshared: str  # why `shares` is empty
    wanting: list[Wanting]
    lines: list[Line]
    unlisted: int  # hands that are counted but not listed
    more_books: list[BookRef] = msgspec.field(default_factory=list, name="more")  # other requested books
    cover: str = ""  # all of it in one sentence; "" = no hands
    evening: TableEvening | None = None  # the last one; None: hands of several tables, or fewer than two hands
    by_dealer: DealerMap | None = None  # None: no dealer is recorded, or not for this reader


class RulingHeading(msgspec.Struct, frozen=True):
    """A ruling: whose it is, its words (None: erased), and the clause that it names; "" = none."""

    by: Role
    decision: str | None
    book: str
    clause: str


class OrderedPayment(msgspec.Struct, frozen=True):
    """What a party receives (positive) or pays (negative) by all rulings, in units of the case."""

    party: str
    amount: Chips
    unit: str


class CaseHeading(msgspec.Struct, kw_only=True):
    """What the report of a case begins with. Erased names and words are None."""

    number: str
    subject: str
    status: str
    outcome: str
    by: Role  # who claims
    person: str | None
    claim: str | None
    amount: Chips | None  # disputed
    unit: str
    exponent: int
    rulings: list[RulingHeading]
    payments: list[OrderedPayment]
    is_under_cited_books: bool = msgspec.field(name="under_cited_books")  # judged under the books that the case cites
    missing_books: list[str]  # cited books that can't be read here


class ReportDocument(msgspec.Struct, kw_only=True, tag_field="schema", tag="handledger/report/1"):
    """A report on one hand, or on several with their totals."""

    title: str
    about: str  # the filter, as requested
    made: Millis
    version: str  # of the program
    audience: str
    naming: str
    head: Head
    summary: Summary | None  # None: the report is on one hand
    hands: list[HandPage]
    case: list[str] = []  # lines with a case's status and events; they have been through `ledger.safe`
    uncased: str = ""  # why the case itself isn't shown
    case_heading: CaseHeading | None = None  # of the report of a case, if the reader may see it


class ShiftReportDocument(msgspec.Struct, kw_only=True, tag_field="schema", tag="handledger/shift-report/1"):
    """A report on the money of a shift, to be signed."""

    title: str
    made: Millis
    version: str  # of the program
    head: Head
    command: str  # that writes it again, quoted for a shell
    shift: ShiftReport
