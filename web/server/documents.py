"""The data of each page of the server, as types. HTML pages are rendered from it, and `.json` returns it unchanged.

Amounts are integers in units of 10^-exponent of `unit`. Names are raw.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from ledger.house.events import UserRole
from ledger.intake.summary import FileSummary
from ledger.vocabulary import Millis, PlayerId, Seat
from ledger.vocabulary import Role as HouseRole
from projections.books.clause_page import ClauseExplanation
from projections.cases.case_documents import CaseDocument, CaseLine
from projections.live.evening_documents import TableEvening
from projections.live.live_document import LiveDocument
from projections.live.table_offers import TableOffers
from projections.queries.facet_documents import FindingFacets
from projections.queries.result_row import ResultDocument
from projections.queries.statistics_row import StatisticsRow, WinLine
from projections.reports.audit_json import FindingDocument
from projections.reports.book_documents import BookDocument, ClauseDocument
from projections.reports.finding_changes import FindingChangeCounts
from projections.reports.hand_documents import HandTold
from projections.reports.import_breaks import TableBreaks
from projections.reports.owed_report import OwedDocument
from projections.reports.rejects import RejectDocument
from projections.tables.book_comparison import BookComparison
from web.pages.documents import HandPage
from web.server.access.approval_requests import RequestState


class Site(msgspec.Struct, kw_only=True, tag_field="schema"):
    """The fields of every page.

    `open`: the number of findings under the server's books or the house's; None: no books, or the page doesn't count.
    """

    finding_count: int | None = msgspec.field(name="open")
    judging: str = ""  # the hand that was still being judged when the page was made; "" = the page is complete
    overlong_hands: int = 0  # hands that aren't judged under these books, because they have too many events


class CountsPage(Site, tag="handledger/page-counts/1"):
    """What the header of every page shows, and nothing else."""


class TableLine(msgspec.Struct, kw_only=True):
    """A table in the list: its hands, its findings, and what is due on its next hand."""

    venue: str
    tournament: str
    table: str
    hands: int
    first: Millis | None
    last: Millis | None
    local: str = ""  # when the last hand began, on the room's clock
    zone: str = ""  # time zone of that clock; "" = unknown
    findings: int | None = None
    overlong_hands: int = 0  # as on every page
    book: str = ""  # the book for the next hand; "" = the house adopted none for this table
    button: Seat | None = None
    small: Seat | None = None
    big: Seat | None = None
    unknown: str = ""  # why the button or a blind is unknown
    likely: bool = False
    owes: list[str] = msgspec.field(default_factory=list)


class TablesPage(Site, tag="handledger/page-tables/1"):
    """A page of the list of tables, those with the latest hands first. `page` counts from 1."""

    tables: list[TableLine]
    query: str = ""  # the part of a name that was searched for
    page: int = 1
    has_more: bool = msgspec.field(default=False, name="more")


class HandLine(msgspec.Struct):
    """A hand in a list, with its findings."""

    hand: HandTold
    findings: list[FindingDocument]


class TablePage(Site, tag="handledger/page-table/1"):
    """A table: what is due on its next hand, and its last hands, newest first."""

    venue: str
    tournament: str
    table: str
    due: OwedDocument | None
    no_dues_reason: str = msgspec.field(name="why")  # why `due` is None
    hands: list[HandLine]
    evening: TableEvening


class LogPage(Site, tag="handledger/page-log/1"):
    """Hands that match a query, newest first. `page` counts from 1."""

    query: str
    page: int
    has_more: bool = msgspec.field(name="more")
    hands: list[HandTold]


class HandOfFinding(msgspec.Struct):
    """The time, players and dealer of the hand in which a finding is."""

    local: str  # when the hand began on the room's clock; "" = unknown
    zone: str
    players: dict[Seat, str]  # dealt in, by seat
    dealer: str = ""  # "" = not recorded
    player_ids: dict[Seat, PlayerId] = {}  # of players with a name


class FindingsPage(Site, tag="handledger/page-findings/1"):
    """Findings in hands that match a query, newest first."""

    query: str
    page: int
    has_more: bool = msgspec.field(name="more")
    findings: list[FindingDocument]
    choose: list[str] = []  # rulebooks to choose from; without a book, only findings of `record` are listed
    book: str = ""  # the rulebooks in the URL, separated by commas
    sort: str = "newest"
    facets: FindingFacets | None = None  # counts of all matching findings; None: there is no book to judge by
    contexts: list[HandOfFinding] = msgspec.field(default_factory=list, name="about")  # in the order of `findings`


class HandSite(Site, tag="handledger/page-hand/1"):
    """A hand, as in a report."""

    hand: HandPage | None  # None: it is still being judged (see `judging`)
    hidden: list[Seat] = []  # seats with hidden cards; listed only for people who may open them
    opened: bool = False  # the hidden cards were opened for this page, and the record shows that


class Look(msgspec.Struct):
    """Somebody opened hidden cards. `person` and `why`: None if erased. `person`: "" if it wasn't recorded."""

    opened_at: Millis = msgspec.field(name="at")
    role: HouseRole = msgspec.field(name="by")
    person: str | None
    reason: str | None = msgspec.field(name="why")
    hand: str  # id
    number: str  # "" = the hand isn't in this ledger
    address: str  # "" = the hand isn't in this ledger
    table: str
    seats: list[Seat]
    program: str  # the program that showed the cards


class LooksPage(Site, tag="handledger/page-looks/1"):
    """Who opened hidden cards, newest first."""

    looks: list[Look]
    more_count: int = msgspec.field(name="more")  # older ones that aren't listed


class RulesPage(Site, tag="handledger/page-rules/1"):
    """The rulebooks, one book with its clauses, or one clause in full."""

    books: list[BookDocument]
    clauses: list[ClauseDocument]
    clause: ClauseExplanation | None


class AnswerOption(msgspec.Struct, kw_only=True):
    """An answer to choose. `value` is what a form sends."""

    value: str
    text: str
    is_chosen: bool = msgspec.field(name="chosen", default=False)


class AnswerField(msgspec.Struct, kw_only=True):
    """A field that answers a question, or a part of it.

    `choice`: `name` takes one option's value. `list`: `name` takes `mark` (a program may send `list`), and each option's
    value is the name of a field that takes `yes`. `number`: `name` takes a number. `lines`: `name` takes lines such as
    those of `example`.
    """

    name: str
    label: str  # "" = the question itself
    kind: Literal["choice", "list", "number", "lines"]
    options: list[AnswerOption] = []
    text: str = ""  # the number or the lines that were typed; for lines, else the book's
    mark: str = ""
    example: str = ""  # of lines


class HousePoint(msgspec.Struct, kw_only=True):
    """A point that a house may decide for itself, as a question."""

    key: str
    section: str
    question: str
    book_answer: str = msgspec.field(name="answer")  # of the book that the draft starts from; "" = it is silent
    clauses: list[str]  # of that book, which decide the point
    is_changed: bool = msgspec.field(name="changed")
    can_leave_open: bool = msgspec.field(name="open")
    is_left_open: bool = msgspec.field(name="left")
    problem: str
    fields: list[AnswerField]


class HouseRulesPage(Site, tag="handledger/page-house-rules/1"):
    """A house's own book in the making: the questions, the answers so far, and what they would change."""

    bases: list[str]  # books to start from
    base: str
    base_title: str
    is_own_base: bool = msgspec.field(name="own")  # the base is the house's own, and the draft its next edition
    points: list[HousePoint]
    changed: int  # how many points differ from the base
    problems: dict[str, str]  # of other fields, by name; "" = of the whole draft
    answers: dict[str, str]  # what was sent, without empty fields
    name: str
    title: str
    edition: str
    toml: str  # the draft's file; "" = nothing is changed, or there are problems
    in_force: str  # the book in force everywhere now, with its edition; "" = none
    against: str  # the book that the draft is compared with: `base` or `force`
    comparison: BookComparison | None = None
    is_comparing: bool = msgspec.field(name="comparing", default=False)
    judged_hands: int = msgspec.field(name="judged", default=0)  # of `total`, while it is compared
    total: int = 0
    rooms: list[str] = []
    tables: list[str] = []
    version: int = 0  # of the adoptions: whoever adopts the draft sends it along
    done: list[str] = []  # what was recorded, after an adoption


class SourceLine(msgspec.Struct):
    """An imported source."""

    name: str
    sha256: str
    length: int | None  # None: its bytes aren't stored
    rejected: int


class ImportsPage(Site, tag="handledger/page-imports/1"):
    """The sources, and the parts of them that couldn't be read."""

    sources: list[SourceLine]
    rejects: list[RejectDocument]
    more_count: int = msgspec.field(name="more")  # rejects that aren't listed
    texts: list[str]  # the beginning of each reject's text; "" = its bytes aren't stored


class ImportedPage(Site, tag="handledger/page-imported/1"):
    """The results of an import. `unjudged`: why the new hands aren't judged yet; "" = they are."""

    files: list[FileSummary]
    total: FileSummary
    breaks: list[TableBreaks]  # of the tables with imported hands, if there are only a few
    findings: list[FindingChangeCounts]
    unjudged: str


class ResultsPage(Site, tag="handledger/page-results/1"):
    """The results of the seats in hands that match a query."""

    query: str
    grouped_by: str = msgspec.field(name="by")
    results: list[ResultDocument]
    more_count: int = msgspec.field(name="more")
    statistics: list[StatisticsRow | None] = msgspec.field(
        default_factory=list
    )  # of each row of `results`; by stakes, rows of their own
    left_out: dict[str, int] = msgspec.field(default_factory=dict)  # hands that statistics don't count, by reason
    showdown_unknown: int = 0  # hands in which the record can't show whether there was a showdown
    uncounted: int = 0  # events whose hands must be counted before there are statistics; 0 = all are


class PersonPage(Site, tag="handledger/page-person/1"):
    """How a person plays, and what the person won over time. Lists are empty where `uncounted` is not 0."""

    name: str
    ids: list[str]
    rooms: list[str]
    query: str
    totals: list[StatisticsRow] = msgspec.field(default_factory=list)  # one for each unit
    positions: list[StatisticsRow] = msgspec.field(default_factory=list)
    stakes: list[StatisticsRow] = msgspec.field(default_factory=list)
    lines: list[WinLine] = msgspec.field(default_factory=list)
    left_out: dict[str, int] = msgspec.field(default_factory=dict)  # as on the page of results
    showdown_unknown: int = 0
    uncounted: int = 0


class SearchMatch(msgspec.Struct):
    """A table, hand, person, clause, case or page that matches a search."""

    kind: str
    name: str
    detail: str
    link: str


class SearchPage(Site, tag="handledger/page-search/1"):
    """The matches of a search, at most a few of each kind."""

    query: str
    matches: list[SearchMatch]


class CasesPage(Site, tag="handledger/page-cases/1"):
    """Cases: overdue ones first, then by deadline, then the newest. `every`: closed cases are included."""

    every: bool
    cases: list[CaseLine]


class CaseSeat(msgspec.Struct):
    """A seat in the hands of a case, and who sat there in the first of them."""

    seat: Seat
    player: str


class Citable(msgspec.Struct):
    """A finding in a hand of a case that isn't cited yet."""

    fingerprint: str
    book: str
    clause: str
    hand: str  # the address of the event that shows it
    saw: str


class CasePage(Site, tag="handledger/page-case/1"):
    """A case. `version`: its last event, which a form must send back. `forms`: the forms that can be used now."""

    case: CaseDocument
    version: int
    seats: list[CaseSeat]
    findings: list[Citable]
    forms: list[str]
    books: list[str] = []  # rulebooks that a ruling may cite


class OpenCasePage(Site, tag="handledger/page-open-case/1"):
    """The form that opens a case. `once`: a token that the form sends back, so that it can't open two cases."""

    once: str


class AskedAct(msgspec.Struct):
    """An act that waits for a floor, or was answered. `approve`: its address, as in `Wrong.approve`."""

    approve: str
    state: RequestState
    floor: str = ""  # name of who answered


class KeepPage(Site, tag="handledger/page-keep/1"):
    """A table that is kept: where it stands. `live` null: nothing is known yet of what is played there."""

    venue: str
    tournament: str
    table: str
    live: LiveDocument | None
    position: int = 0  # in the log, of what was recorded last at this table: an act that is made in view of it names it
    recorded: bool = False  # what was sent told an event, and is recorded
    again: bool = False  # what was sent had been recorded before
    reached: int = 0  # position in the log of what was sent
    offers: TableOffers | None = None  # what can be recorded by buttons, and what was recorded last; null with `live`
    dealer: str = ""  # name of who deals; "" = nobody said
    deals: bool = False  # whoever is signed in deals here
    approvals: list[AskedAct] = msgspec.field(
        default_factory=list
    )  # what whoever is signed in asked a floor to approve


class UserLine(msgspec.Struct):
    """A user, as a page lists one."""

    id: str
    name: str  # "" = forgotten
    role: UserRole


class MePage(Site, tag="handledger/page-me/1"):
    """Who is signed in, and for whom a code may be made here. `code`: the one that was made just now."""

    user: UserLine | None  # None: a role's key, which is nobody's
    device: str = ""
    others: list[UserLine] = msgspec.field(default_factory=list)
    code: str = ""
    code_for: str = ""  # name
    minutes: int = 0  # that it's good


class ApprovePage(Site, tag="handledger/page-approve/1"):
    """An act that waits for a floor's code. It's in the address: nothing is recorded."""

    venue: str
    tournament: str
    table: str
    line: str
    seat: Seat | None
    position: int  # of the table in the log, as the dealer saw it
    once: str  # sent along, so that it's recorded once
    act: str = ""  # what has to be approved, in words


class RequestLine(msgspec.Struct, kw_only=True):
    """An act that a dealer asked a floor to approve. `floor`: who answered."""

    id: str
    venue: str
    tournament: str
    table: str
    dealer: str
    device: str
    act: str  # what has to be approved, in words
    line: str  # in handscript
    asked_at: Millis = msgspec.field(name="at")
    waited: str  # in words
    state: RequestState
    floor: str = ""


class RequestsPage(Site, tag="handledger/page-requests/1"):
    """What waits for a floor, the oldest first. `may_answer`: somebody is signed in, whose name the record gets."""

    requests: list[RequestLine]
    may_answer: bool


class StartBook(msgspec.Struct, kw_only=True):
    """A rulebook that the house may adopt."""

    name: str
    title: str
    sentence: str  # what it is for
    is_adopted: bool = msgspec.field(name="adopted")


class StartChoice(msgspec.Struct):
    """An entry of a list: what is sent, and what people read."""

    name: str
    label: str


class StartTable(msgspec.Struct):
    """A table that is there already."""

    venue: str
    tournament: str
    table: str


class StartPage(Site, tag="handledger/page-start/1"):
    """The first steps of a house: adopt a rulebook, open a table, import files."""

    books: list[StartBook]
    adopted: str  # the book in force at every table; "" = none
    venue: str  # proposed for the next table
    table: str
    games: list[StartChoice]
    stakes: list[str]
    units: list[StartChoice]
    chairs: list[int]
    button_methods: list[StartChoice]  # [] = the book decides it
    entry_posts: list[StartChoice]
    tables: list[StartTable]


class Wrong(msgspec.Struct, tag_field="schema", tag="handledger/page-error/1"):
    """An error, and what to do about it; sent as `application/problem+json` (RFC 9457)."""

    status: int
    message: str
    hint: str
    finding_count: int | None = msgspec.field(default=None, name="open")
    judging: str = ""  # as on every page
    overlong_hands: int = 0  # as on every page
    title: str = ""  # the kind of error
    approve: str = ""  # address of the page where a floor approves what was sent; "" = no floor could
    last: int | None = None  # number of the last act of a page that keeps a table which is recorded
