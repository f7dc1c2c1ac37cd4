"""Summarize several hands in one report: findings by clause, blinds paid by player, and the hands themselves."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec.structs import replace

from ledger.hand.titles import format_game_title
from ledger.store.hands.table_streams import table_entries as read_table_entries
from ledger.store.requests.stored_hands import group_rows_by_table
from projections.addresses.address_book import AddressBook
from projections.addresses.room_days import DEFAULT_DAY_START, parse_day_start
from projections.audit.blind_fairness import iter_blind_shares
from projections.findings.finding import NOT_JUDGED
from projections.queries.ledger_query import select_hands
from projections.queries.sums import FindingRate as Counted
from projections.queries.sums import count_findings as counted
from projections.reports.states import build_hand
from projections.table_walk.replay import make_first_checkpoint, replay_from
from projections.table_walk.table_context import pick_table_books
from projections.table_walk.unread_lines import find_unread_lines, group_by_table
from web.pages.documents import Fair, Line, Rate, Summary, Wanting
from web.pages.page_judgement import HandJudge
from web.pages.report_cover import CoverFigures, sum_moved_chips, write_cover
from web.pages.report_dealers import map_dealers
from web.pages.report_evening import EveningBuilder

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from uuid import UUID

    from ledger.store import HandRow, Ledger
    from ledger.vocabulary import PlayerId
    from projections.audit.audit_result import BookRef
    from projections.books.rulebook import Rulebook
    from projections.reports.hand_documents import HandTold
    from web.pages.documents import Judgement
    from web.pages.hand_frames import Viewer
    from web.pages.page_judgement import BookChoice, JudgedHand

MAX_STEPPED: Final = 25
"""Hands that a report shows event by event by default, those with findings first. A larger file fits few mailboxes."""

MAX_LISTED: Final = 1000
"""Hands in the list of a report. Further hands are only counted."""


class ReportHands(NamedTuple):
    """The sums over several hands, and the hands that the report shows event by event."""

    summary: Summary
    stepped_hands: list[HandRow]


def summarize_hands(
    ledger: Ledger,
    rows: Sequence[HandRow],
    books: BookChoice,
    viewer: Viewer,
    *,
    with_clean_hands: bool = True,
    max_stepped: int = MAX_STEPPED,
    on_progress: Callable[[str], None] = lambda _: None,
) -> ReportHands:
    """Judge hands and sum up their findings.

    `max_stepped`: how many hands the report shows event by event. `with_clean_hands`: also hands without findings.
    """
    sums = _Sums(max_stepped, AddressBook(ledger), with_clean_hands=with_clean_hands)
    tables = list(dict.fromkeys((row.venue, row.tournament, row.table) for row in rows))
    is_judged = bool(books.primary_books)
    evening_builder = EveningBuilder(is_judged=is_judged, shows_stacks=viewer.naming != "position")
    judge = HandJudge(ledger, books, follows_hands=False)
    for count, judged_hand in enumerate(judge.judge_rows(rows, viewer), 1):
        hand_document = sums.add_hand(judged_hand)
        if len(tables) == 1:
            evening_builder.add_hand(judged_hand, hand_document)
        if not count % 200:
            on_progress(f"{count:,} hands judged")
    stepped_rows = sums.pick_stepped_hands()
    page_numbers = {row.stream: page_number for page_number, row in enumerate(stepped_rows, 1)}
    shares, no_shares_reason = _sum_blind_shares(ledger, rows, books.primary_books[:1], viewer)
    summary = Summary(
        book=sums.books[0] if sums.books else None,
        more_books=sums.books[1:],
        hands=sums.hands,
        hands_with_findings=sums.hands_with_findings,
        first=sums.first_time,
        last=sums.last_time,
        rates=sums.build_rates(_count_room_rates(ledger, books.primary_books) if viewer.sees_everything else {}),
        shares=shares,
        unshared=no_shares_reason,
        wanting=sums.build_wanting(),
        lines=[_with_page(line, page_numbers.get(stream, 0)) for stream, line in sums.lines],
        unlisted=max(0, sums.hands - MAX_LISTED),
        cover=write_cover(sums.build_cover_figures([table for _, _, table in tables], is_judged=is_judged)),
        evening=evening_builder.build(page_numbers),
        by_dealer=map_dealers(ledger, rows, sums.clauses_by_position) if viewer.sees_everything else None,
    )
    return ReportHands(summary, stepped_rows)


def _with_page(line: Line, page: int) -> Line:
    return replace(line, page=page)


class _Sums:
    """Running sums over the judged hands."""

    def __init__(self, max_stepped: int, address_book: AddressBook, *, with_clean_hands: bool) -> None:
        self._book = address_book
        self._max_stepped, self._max_clean = max_stepped, max_stepped if with_clean_hands else 0
        self.books: list[BookRef] = []
        self.hands = self.hands_with_findings = 0
        self.first_time = self.last_time = ""
        self.lines: list[tuple[UUID, Line]] = []
        self._counts: Counter[tuple[str, str, str]] = Counter()
        self._wanting: Counter[str] = Counter()
        self._clauses: dict[str, dict[str, None]] = {}
        self._hands_with_findings: list[tuple[int, HandRow]] = []
        self._clean_hands: list[tuple[int, HandRow]] = []
        self.clauses_by_position: dict[int, list[str]] = {}
        self._moved_chips: Counter[tuple[str, int]] = Counter()
        self._is_lower_bound = False
        self._unjudged_hands = 0

    def add_hand(self, judged_hand: JudgedHand) -> HandTold:
        viewed_hand, findings = judged_hand.hand, judged_hand.findings
        self.books = self.books or [judgement.book for judgement in judged_hand.chosen_judgements]
        self.hands += 1
        self.hands_with_findings += bool(findings)
        for finding in findings:
            self._counts[finding.book, finding.clause, finding.asks] += 1
            self.clauses_by_position.setdefault(viewed_hand.row.position, []).append(f"{finding.book} {finding.clause}")
        moved_chips = sum_moved_chips(judged_hand.chosen_judgements[0].findings)
        self._moved_chips.update(moved_chips.sums)
        self._is_lower_bound |= moved_chips.is_lower_bound
        clauses_by_fact = _group_clauses_by_fact(judged_hand.chosen_judgements)
        for fact, clauses in clauses_by_fact.items():
            self._wanting[fact] += 1
            self._clauses.setdefault(fact, {}).update(dict.fromkeys(clauses))
        self._unjudged_hands += not clauses_by_fact.keys().isdisjoint(NOT_JUDGED)
        stepped_rows, max_rows = (
            (self._hands_with_findings, self._max_stepped) if findings else (self._clean_hands, self._max_clean)
        )
        if len(stepped_rows) < max_rows:
            stepped_rows.append((self.hands, viewed_hand.row))
        document = build_hand(
            viewed_hand.row,
            viewed_hand.final_state,
            viewed_hand.people,
            address=self._book.find_hand_address(viewed_hand.row),
        )
        if document.local:
            self.first_time = min(self.first_time or document.local, document.local)
            self.last_time = max(self.last_time, document.local)
        if len(self.lines) == MAX_LISTED:
            return document
        unjudged_clauses = len({clause for clauses in clauses_by_fact.values() for clause in clauses})
        self.lines.append(
            (
                viewed_hand.row.stream,
                Line(
                    document.number,
                    document.table,
                    document.local,
                    document.zone,
                    format_game_title(document.game),
                    document.pot,
                    document.unit,
                    document.exponent,
                    len(findings),
                    unjudged_clauses,
                    0,
                    document.address,
                ),
            )
        )
        return document

    def build_cover_figures(self, tables: list[str], *, is_judged: bool) -> CoverFigures:
        """Return what the report's first sentence contains."""
        most = max(self._counts.values(), default=0)
        top_clauses = [f"{book} {clause}" for (book, clause, _), count in self._counts.items() if count == most]
        return CoverFigures(
            hands=self.hands,
            tables=tables,
            first_time=self.first_time,
            last_time=self.last_time,
            hands_with_findings=self.hands_with_findings,
            clause=top_clauses[0] if len(top_clauses) == 1 else "",
            moved_chips=self._moved_chips,
            is_lower_bound=self._is_lower_bound,
            is_judged=is_judged,
            unjudged_hands=self._unjudged_hands,
        )

    def pick_stepped_hands(self) -> list[HandRow]:
        """Return the hands to show event by event, in playing order."""
        return [row for _, row in sorted([*self._hands_with_findings, *self._clean_hands][: self._max_stepped])]

    def build_rates(self, room_rates: Mapping[str, Counted]) -> list[Rate]:
        overall_rate = Counted(sum(self._counts.values()), self.hands)
        return [
            Rate(
                book,
                clause,
                clause_text,
                count,
                self.hands,
                round(rate.per_thousand, 2),
                rate.has_too_few_hands(overall_rate),
                _round_rate(room_rates.get(f"{book} {clause}")),
            )
            for (book, clause, clause_text), count in self._counts.most_common()
            if (rate := Counted(count, self.hands))
        ]

    def build_wanting(self) -> list[Wanting]:
        return [Wanting(fact, list(self._clauses[fact])) for fact, _ in self._wanting.most_common()]


def _group_clauses_by_fact(judgements: Sequence[Judgement]) -> dict[str, list[str]]:
    """Return unjudged clauses by the missing fact. With several books, each clause carries its book's name."""
    clauses_by_fact: dict[str, list[str]] = {}
    for judgement in judgements:
        prefix = f"{judgement.book.name} " if len(judgements) > 1 else ""
        for missing in judgement.wanting:
            clauses_by_fact.setdefault(missing.fact, []).extend(f"{prefix}{clause}" for clause in missing.clauses)
    return clauses_by_fact


def _sum_blind_shares(
    ledger: Ledger, rows: Sequence[HandRow], books: Sequence[Rulebook], viewer: Viewer
) -> tuple[list[Fair], str]:
    """Return the blinds that each player paid and owed, the largest debt first; or [] and the reason."""
    if not books or not pick_table_books(books):
        return [], "No rulebook was chosen that says who owes a blind."
    if viewer.naming == "position":
        return [], "Players go by their positions here, which change from hand to hand."
    unread_lines = group_by_table(ledger, find_unread_lines(ledger))
    sums: dict[tuple[PlayerId, str, int], list[int]] = {}
    for table_key, table_rows in group_rows_by_table(rows):
        hand_ids = {row.stream.hex for row in table_rows}
        table = make_first_checkpoint(read_table_entries(ledger, table_key), unread_lines.get(table_key, {}))
        for share in iter_blind_shares(replay_from(table, books), books[0]):
            if share.hand.hand not in hand_ids:
                continue
            player_sums = sums.setdefault((share.player, share.hand.unit, share.hand.exponent), [0, 0, 0, 0])
            is_known = share.due is not None and share.paid is not None
            for index, addend in enumerate((1, share.due or 0, share.paid or 0, not is_known)):
                player_sums[index] += addend
    shares = [
        Fair(_name_player(ledger, player, viewer), hands, due, paid, unknown_hands, unit, exponent)
        for (player, unit, exponent), (hands, due, paid, unknown_hands) in sums.items()
    ]
    return sorted(
        shares, key=lambda player_sums: (player_sums.unit, player_sums.paid - player_sums.due, player_sums.player)
    ), ""


def _name_player(ledger: Ledger, player: PlayerId, viewer: Viewer) -> str:
    if viewer.naming == "pseudonym":
        return ledger.people.pseudonym(player)
    return ledger.people.name(player) or f"({player[:6]})"


def _round_rate(rate: Counted | None) -> float | None:
    return None if rate is None else round(rate.per_thousand, 2)


def _count_room_rates(ledger: Ledger, books: Sequence[Rulebook]) -> Mapping[str, Counted]:
    """Return how often each clause finds something in all hands of the ledger."""
    if not books:
        return {}
    with select_hands(ledger, None, DEFAULT_DAY_START, books, judge=True, group_fields=["clause"]) as selection:
        rates_by_group, _ = counted(selection, "clause", parse_day_start(DEFAULT_DAY_START))
    return {name: rate for (name,), rate in rates_by_group.items()}
