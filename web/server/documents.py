"""What each page of the server tells, as types: the page is made of it, and `.json` gives it as it is.

Amounts are integers in units of 10^-exponent of `unit`. Names are raw.
"""

from __future__ import annotations

import msgspec

from ledger.intake.summary import FileSummary
from ledger.vocabulary import Millis, Seat
from ledger.vocabulary import Role as HouseRole
from projections.books.clause_page import ClauseExplanation
from projections.cases.case_documents import CaseDocument, CaseLine
from projections.live.live_document import LiveDocument
from projections.live.table_evening import TableEvening
from projections.queries.finding_facets import FindingFacets
from projections.queries.result_row import ResultTold
from projections.reports.audit_json import FindingTold
from projections.reports.book_documents import BookTold, ClauseTold
from projections.reports.finding_changes import FindingsChanged
from projections.reports.hand_documents import HandTold
from projections.reports.import_breaks import TableBreaks
from projections.reports.owed_report import OwedDocument
from projections.reports.rejects import RejectTold
from web.pages.documents import HandPage


class Site(msgspec.Struct, kw_only=True, tag_field="schema"):
    """What every page tells. `open`: findings under the server's books, or the house's; None: there are none of either."""

    finding_count: int | None = msgspec.field(name="open")
    judging: str = ""  # the hand that was still being judged as the page was made; "" = none: then all is in it
    overlong_hands: int = 0  # hands with more events than are judged, under these books


class TableLine(msgspec.Struct, kw_only=True):
    """A table in the list: its hands, its findings, and what is due there on the coming hand."""

    venue: str
    tournament: str
    table: str
    hands: int
    first: Millis | None
    last: Millis | None
    local: str = ""  # when its last hand began, by the room's clock
    zone: str = ""  # of that clock; "" = its source does not say
    findings: int | None = None
    overlong_hands: int = 0  # as for the page
    book: str = ""  # under which; "" = the house adopted none there
    button: Seat | None = None
    small: Seat | None = None
    big: Seat | None = None
    unknown: str = ""  # why it cannot be told
    likely: bool = False
    owes: list[str] = msgspec.field(default_factory=list)


class TablesPage(Site, tag="handledger/page-tables/1"):
    """All tables by their names; of many some, those first at which a hand was played last. `page` counts from 1."""

    tables: list[TableLine]
    query: str = ""  # a part of their names
    page: int = 1
    has_more: bool = msgspec.field(default=False, name="more")


class HandLine(msgspec.Struct):
    """A hand in a list, with its findings."""

    hand: HandTold
    findings: list[FindingTold]


class TablePage(Site, tag="handledger/page-table/1"):
    """A table: what is due now, and its last hands, the newest first."""

    venue: str
    tournament: str
    table: str
    due: OwedDocument | None
    no_dues_reason: str = msgspec.field(name="why")  # there is nothing due that can be told
    hands: list[HandLine]
    evening: TableEvening


class LogPage(Site, tag="handledger/page-log/1"):
    """Hands that fit a query, the newest first; `page` counts from 1."""

    query: str
    page: int
    has_more: bool = msgspec.field(name="more")
    hands: list[HandTold]


class HandOfFinding(msgspec.Struct):
    """When and to whom a finding happened."""

    local: str  # when the hand began on the room's clock; "" = unknown
    zone: str
    players: dict[Seat, str]  # dealt in, by seat
    dealer: str = ""  # "" = not recorded


class FindingsPage(Site, tag="handledger/page-findings/1"):
    """Findings in hands that fit a query, the newest first."""

    query: str
    page: int
    has_more: bool = msgspec.field(name="more")
    findings: list[FindingTold]
    choose: list[str] = []  # rulebooks to choose from, where there is none: the findings are those of `record` alone
    book: str = ""  # the rulebooks that the address names, with commas
    sort: str = "newest"
    facets: FindingFacets | None = None  # counts of all matching findings; None: there is no book to judge by
    contexts: list[HandOfFinding] = msgspec.field(default_factory=list, name="about")  # of each finding, in its order


class HandSite(Site, tag="handledger/page-hand/1"):
    """A hand, as a report shows it."""

    hand: HandPage | None  # None: it is still being judged, as `judging` says
    hidden: list[Seat] = []  # seats whose cards are kept apart, for those who may open them
    opened: bool = False  # they were opened for this page, and that is on record


class Look(msgspec.Struct):
    """Somebody opened hidden cards. `person` and `why` are None where they were erased, `person` is "" where nobody said."""

    opened_at: Millis = msgspec.field(name="at")
    role: HouseRole = msgspec.field(name="by")
    person: str | None
    reason: str | None = msgspec.field(name="why")
    hand: str  # id
    number: str  # "" = the hand is not in this ledger
    address: str  # the same
    table: str
    seats: list[Seat]
    program: str  # by what they were shown


class LooksPage(Site, tag="handledger/page-looks/1"):
    """Who opened hidden cards, the newest first."""

    looks: list[Look]
    more_count: int = msgspec.field(name="more")  # beyond those


class RulesPage(Site, tag="handledger/page-rules/1"):
    """The rulebooks, one with its clauses, or a clause in full."""

    books: list[BookTold]
    clauses: list[ClauseTold]
    clause: ClauseExplanation | None


class SourceLine(msgspec.Struct):
    """A source that was read."""

    name: str
    sha256: str
    length: int | None  # None: its bytes are not kept
    rejected: int


class ImportsPage(Site, tag="handledger/page-imports/1"):
    """The sources, and what could not be read of them."""

    sources: list[SourceLine]
    rejects: list[RejectTold]
    more_count: int = msgspec.field(name="more")  # rejects beyond those
    texts: list[str]  # of each reject, how what was not read begins; "" = its bytes are not kept


class ImportedPage(Site, tag="handledger/page-imported/1"):
    """What became of files that were taken in. `unjudged`: why what is new is not judged yet; "" = it is."""

    files: list[FileSummary]
    total: FileSummary
    breaks: list[TableBreaks]  # of the tables that were told of these hands, if they are few
    findings: list[FindingsChanged]
    unjudged: str


class ResultsPage(Site, tag="handledger/page-results/1"):
    """What seats of hands that fit a query came to."""

    query: str
    grouped_by: str = msgspec.field(name="by")
    results: list[ResultTold]
    more_count: int = msgspec.field(name="more")


class SearchMatch(msgspec.Struct):
    """A table, hand, person, clause, case or page that matches."""

    kind: str
    name: str
    detail: str
    link: str


class SearchPage(Site, tag="handledger/page-search/1"):
    """What matches a few letters: at most a few of each kind."""

    query: str
    matches: list[SearchMatch]


class CasesPage(Site, tag="handledger/page-cases/1"):
    """Cases: what is overdue first, then what is due next, then the newest. `every`: closed ones, too."""

    every: bool
    cases: list[CaseLine]


class CaseSeat(msgspec.Struct):
    """A seat in the hands of a case, and who sat there in the first of them."""

    seat: Seat
    player: str


class Citable(msgspec.Struct):
    """A finding in a hand of a case that is not cited yet."""

    fingerprint: str
    book: str
    clause: str
    hand: str  # the address of the event that shows it
    saw: str


class CasePage(Site, tag="handledger/page-case/1"):
    """A case. `version`: its last event, which whoever adds to it sends along: `forms` are what may be added now."""

    case: CaseDocument
    version: int
    seats: list[CaseSeat]
    findings: list[Citable]
    forms: list[str]
    books: list[str] = []  # that a ruling may cite


class OpenCasePage(Site, tag="handledger/page-open-case/1"):
    """The form in which a case is opened. `once`: sent along, so that the same form opens no second case."""

    once: str


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


class Wrong(msgspec.Struct, tag_field="schema", tag="handledger/page-error/1"):
    """Why there is no page, and what to do; sent as `application/problem+json` (RFC 9457)."""

    status: int
    message: str
    hint: str
    finding_count: int | None = msgspec.field(default=None, name="open")
    judging: str = ""  # as on every page
    overlong_hands: int = 0  # as on every page
    title: str = ""  # what kind of thing went wrong
    last: int | None = None  # number of the last act of a page that keeps a table which is recorded
