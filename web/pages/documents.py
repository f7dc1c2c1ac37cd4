"""What a page tells, as types: a hand moment by moment, what the books say of it, and how to check it.

Amounts are integers in units of 10^-exponent of the game's unit. Names and texts of the ledger are
raw, except `told` and `player`, which have been through `ledger.safe`.
"""

from __future__ import annotations

import msgspec

from ledger.vocabulary import Chips, Millis, Seat
from projections.audit.audit_result import BookRef
from projections.audit.book_differences import Difference
from projections.audit.knock_on import KnockOn, Spots
from projections.findings.finding import Finding
from projections.obligations.dues import Ground
from projections.reports.hand_documents import HandTold, PotTold, SeatTold, TurnTold


class Chair(msgspec.Struct, frozen=True):
    """A place at the table as it is drawn. `player` "" = nobody is told there."""

    seat: Seat
    player: str
    cards: int  # places for cards: the most that it ever holds


class Span(msgspec.Struct, frozen=True):
    """Bytes of a source, counted from the start of its file, and the line on which they begin."""

    start: int
    length: int
    line: int


class Frame(msgspec.Struct, kw_only=True):
    """The table after one event. `public`: of each seat what everybody at the table had seen by then."""

    version: int
    event_text: str = msgspec.field(name="told")
    topic: str
    street: str
    occurred_at: Millis | None = msgspec.field(name="at")
    derived: bool
    span: Span | None
    seats: list[SeatTold]
    public: list[str]
    boards: list[str]
    pots: list[PotTold]
    paid: Chips  # of the pots, to players and to the house, by then
    turn: TurnTold | None
    notes: list[str]


class Wanting(msgspec.Struct, frozen=True):
    """What could not be judged: the fact that is wanting, and the clauses that need it."""

    fact: str
    clauses: list[str]


class Judgement(msgspec.Struct, kw_only=True):
    """What one book says of a hand.

    `findings` are the book's own and those of `record`, which holds under every book.
    `should` is where button and blinds belonged; None: it cannot be told, for the reason `unknown`.
    `why` are the reasons of the button, the small and the big blind. `beside`: it is shown to compare, as nobody
    asked for the book and the house had not adopted it.
    """

    book: BookRef
    findings: list[Finding]
    should: Spots | None
    is_position_right: bool = msgspec.field(name="right")  # button and blinds are where the book wants them
    unknown: str
    position_grounds: list[list[Ground]] = msgspec.field(name="why")
    knock_on: KnockOn | None
    judged: int  # clauses with a verdict
    wanting: list[Wanting]
    unchecked: int  # clauses of the game for which there is no check yet
    is_for_comparison: bool = msgspec.field(default=False, name="beside")

    @property
    def has_verdict(self) -> bool:
        """Whether the book itself has a verdict on the hand."""
        return bool(self.judged) or any(finding.book == self.book.name for finding in self.findings)


class Account(msgspec.Struct, frozen=True):
    """A line of the table of money: what somebody put in, got, and has more or less for it."""

    name: str = msgspec.field(name="who")
    seat: Seat | None
    start_stack: Chips | None = msgspec.field(name="before")
    put: Chips
    won: Chips
    net: Chips


class Money(msgspec.Struct, frozen=True):
    """The chips of a hand; the nets sum to zero. `void`: the hand does not count, and nobody won or lost."""

    accounts: list[Account]
    void: bool


class Segment(msgspec.Struct, frozen=True):
    """A piece of a source's text, and the frames that were read from it, by their places in the list."""

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
    cut: bool  # only its beginning is here


class Head(msgspec.Struct, frozen=True):
    """How far the ledger went when the page was made, and by what it can be checked. Nothing was checked here."""

    ledger: str
    positions: int
    head: str
    sealed: int  # commits that the newest checkpoint covers, 0 = none was ever signed
    origin: str  # of that checkpoint: who keeps the ledger
    key: str  # public, with which it was signed


class HandPage(msgspec.Struct, kw_only=True):
    """A hand as a page shows it."""

    hand: HandTold
    unit: str
    exponent: int
    big: Chips  # big blind, in which amounts may be told; 0 = not told
    chairs: list[Chair]
    recorded: Spots
    frames: list[Frame]
    first: int  # the place of the frame at which the page opens
    judgements: list[Judgement]
    differences: list[Difference]
    money: Money
    source: SourceText | None
    unsourced: str  # why there is no source
    alike: list[list[str]]
    corrections: list[str]
    undrawn: int = 0  # events behind those that are drawn
    with_advice: bool = True  # people here write records, so it says how to record what is missing


class Line(msgspec.Struct, frozen=True):
    """A hand in a list. `page`: the number of its page in this report, 0 = it is only listed."""

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
    """How often a clause found something: in how many of the hands, and how many in a thousand."""

    book: str
    clause: str
    says: str
    findings: int
    hands: int
    per_thousand: float
    few: bool  # less than five findings would be expected: such a rate tells nothing
    room: float | None  # in a thousand of all hands of the ledger; None = it was not asked


class Fair(msgspec.Struct, frozen=True):
    """What somebody paid in blinds beside what was due; `untold` are hands of which it cannot be told."""

    player: str
    hands: int
    due: Chips
    paid: Chips
    unknown_hands: int = msgspec.field(name="untold")
    unit: str
    exponent: int


class Summary(msgspec.Struct, kw_only=True):
    """What several hands came to, under the books that the report goes by: `book` and `more`."""

    book: BookRef | None  # None: no hands, so none was asked
    hands: int
    hands_with_findings: int = msgspec.field(name="found")  # hands with findings
    first: str  # the room's own time of the earliest and the latest hand; "" = none is told
    last: str
    rates: list[Rate]
    shares: list[Fair]
    unshared: str  # why there are none
    wanting: list[Wanting]
    lines: list[Line]
    unlisted: int  # hands that are counted and not in the list
    more_books: list[BookRef] = msgspec.field(default_factory=list, name="more")  # further books that were asked for


class ReportDocument(msgspec.Struct, kw_only=True, tag_field="schema", tag="handledger/report/1"):
    """What a report tells: of what, for whom, under which names, of which ledger; one hand, or several with their sums."""

    title: str
    about: str  # the filter, as it was asked for
    made: Millis
    version: str  # of the program
    audience: str
    naming: str
    head: Head
    summary: Summary | None  # None: the report is of one hand
    hands: list[HandPage]
    case: list[str] = []  # how a case stands and its events, line by line; through `ledger.safe`
    uncased: str = ""  # why the case itself is not told
