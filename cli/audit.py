"""`handledger audit`: judge hands under rulebooks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli.options import audit_options, common_options, ledger_options
from cli.options.card_access import choose_card_viewer
from cli.options.where import QueryOption, refuse_query_with_hands
from cli.output import console
from cli.output.audit_output import AuditOutputOptions, AuditReport
from ledger.errors import StoreError, UsageError
from ledger.text.language import phrase

if TYPE_CHECKING:
    from uuid import UUID

    from ledger.replay import HandReplay
    from ledger.store import HandRow, Ledger
    from ledger.store.hands.hand_accounts import TableKey
    from projections.audit.audit_difference import HandName
    from projections.audit.audit_result import AuditResult
    from projections.books.rulebook import Rulebook
    from projections.table_walk.table_context import ContextsByBook
    from projections.tables.knock_ons import KnockOns

    WantedHands = Iterator[tuple[TableKey, Iterable[HandRow]]]

_HANDS_PER_REPORT: Final = 500
"""Hands between two updates of the progress, or of the record of opened cards."""


def command(
    hands: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[HAND]...",
            help="Hands such as T7/408. Default: all.",
            autocompletion=common_options.complete_hands,
        ),
    ] = None,
    *,
    books: common_options.Books = None,
    venue: Annotated[str | None, typer.Option("--venue", help="Only hands of this room.")] = None,
    table: common_options.Table = None,
    source: Annotated[str | None, typer.Option("--source", help="Only hands of this file.")] = None,
    _all_hands: Annotated[bool, typer.Option("--all", help="All hands; the default.")] = False,
    frames: audit_options.Frames = 20,
    clause_patterns: audit_options.OnlyClauses = None,
    edition: audit_options.Edition = None,
    baseline: audit_options.Baseline = None,
    fail_on: audit_options.FailOn = "info",
    knock_on: audit_options.KnockOn = False,
    coverage: audit_options.Coverage = None,
    every_hand: audit_options.EveryHand = False,
    query_text: QueryOption = None,
    rejudges_all: audit_options.RejudgeAll = False,
    as_of: common_options.AsOf = None,
    open_cards: common_options.OpenCards = False,
    reason: common_options.OpeningReason = "",
    role: common_options.OpenedBy = "unknown",
    person: common_options.OpenedPerson = "",
    jobs: common_options.Jobs = 1,
    url: common_options.LedgerUrl = None,
    format_: audit_options.Shape = "text",
    file: common_options.Output = None,
) -> None:
    """Check hands against rulebooks and report violations."""
    from cli.output.baseline import read_baseline
    from projections.audit.clause_filter import ClauseFilter
    from projections.queries.chosen_hands import iterate_chosen_hands

    if _all_hands and (hands or venue or table or source or query_text):
        raise UsageError(phrase("--all and a choice of hands contradict each other"))
    refuse_query_with_hands(query_text, hands)
    card_viewer = choose_card_viewer(reason, role, person, open_cards=open_cards)
    clauses = None if clause_patterns is None else ClauseFilter(clause_patterns)
    baseline_result = None if baseline is None else read_baseline(baseline, clauses)
    with ledger_options.open_ledger(url, read_only=not open_cards, as_of=as_of) as ledger:
        named_books = choose_books(ledger, books, edition)
        list_hands = partial(iterate_chosen_hands, ledger, hands, venue, table, source, query_text, named_books)
        is_whole_audit = not (hands or source or query_text or open_cards or every_hand or rejudges_all)
        tables = partial(_list_tables, ledger, venue, table)
        load_stored = partial(_load_stored, ledger, tables, jobs=jobs) if is_whole_audit else None
        note_opened = None if card_viewer is None else partial(card_viewer.note, ledger, program="audit")
        judge = partial(judge_with_progress, ledger, on_cards_opened=note_opened, names_every_hand=every_hand)
        result = _judge_hands(ledger, list_hands, named_books, judge, load_stored)
        if rejudges_all and named_books:
            _require_same_judgement(ledger, tables(), named_books, result)
        audit_report = AuditReport(result, clauses, baseline_result, partial(_find_judged, list_hands))
        knock_ons = _build_knock_ons(ledger, named_books) if knock_on else None
        output_options = AuditOutputOptions(
            format_,
            frames,
            audit_options.choose_coverage_detail(is_full=coverage),
            baseline,
            file,
            knock_ons,
            {book.name: book.command_argument for book in named_books},
        )
        audit_report.write(ledger, output_options)
        exit_code = _exit_code(audit_report.result, fail_on)
    raise typer.Exit(exit_code)


def _exit_code(result: AuditResult, fail_on: str) -> int:
    """Return 1 if a finding is severe enough to fail the audit, else 0."""
    return int(any(audit_options.is_severe(finding.severity, fail_on) for finding in result.findings))


def choose_books(ledger: Ledger | None, books: list[str] | None, edition: str | None) -> list[Rulebook]:
    """Return the named rulebooks, in an edition if one is named."""
    from projections.books.shelf import load_books, name_editions_apart

    names = audit_options.choose_edition(list(dict.fromkeys(books or ())), edition)
    return name_editions_apart(load_books(ledger, names))


def _build_knock_ons(ledger: Ledger, books: list[Rulebook]) -> KnockOns:
    """Return the aftermaths of findings, under the named books or else the adopted ones."""
    from projections.audit import house_audit
    from projections.tables.knock_ons import KnockOns

    if not books and house_audit.has_adopted_books(ledger):
        books = house_audit.House(ledger).list_books()
    return KnockOns(ledger, books)


def _find_judged(list_hands: Callable[[], WantedHands], hand_names: set[HandName]) -> set[HandName]:
    """Return the hands among `hand_names` that the audit judges."""
    return {
        hand_name
        for place, rows in list_hands()
        for row in rows
        if (hand_name := (place.venue, place.tournament, place.table, row.number)) in hand_names
    }


def _list_tables(ledger: Ledger, venue: str | None, table: str | None) -> list[TableKey]:
    """Return the tables to judge."""
    from projections.table_walk.played_tables import list_places

    return [place for place in list_places(ledger) if venue in (None, place.venue) and table in (None, place.table)]


def _load_stored(
    ledger: Ledger, tables: Callable[[], list[TableKey]], book: Rulebook, *, jobs: int = 1
) -> AuditResult | None:
    """Return the stored judgement of tables; None if there is none, or no hand."""
    from projections.tables.table_set import load_judgement

    with console.show_progress("judging") as progress:
        result = load_judgement(ledger, book, tables(), jobs=jobs, progress=progress.show_judged)
    return result if result is not None and result.hands else None


def _require_same_judgement(
    ledger: Ledger, tables: list[TableKey], books: list[Rulebook], new_result: AuditResult
) -> None:
    """Compare a new judgement with the stored one; `StoreError` if they differ."""
    from projections.reports.audit_json import build_header

    if len(books) != 1:
        raise UsageError(phrase("--anew compares the judgement of one rulebook"), phrase("Choose it with -r."))
    stored_result = _load_stored(ledger, lambda: tables, books[0])
    if stored_result is None:
        raise UsageError(
            phrase("no judgement of this ledger is kept"), phrase("The ledger is read-only, or --as-of is set.")
        )
    is_same = console.encode_document(build_header(stored_result)) == console.encode_document(
        build_header(new_result)
    ) and list(stored_result.findings) == list(new_result.findings)
    if not is_same:
        raise StoreError(
            phrase("the stored judgement isn't the one that these hands give"),
            phrase("Somebody changed it in the database. handledger verify looks at the log itself."),
        )


def _judge_hands(
    ledger: Ledger,
    list_hands: Callable[[], WantedHands],
    named_books: list[Rulebook],
    judge: Callable[[WantedHands, list[Rulebook]], AuditResult],
    load_stored: Callable[[Rulebook], AuditResult | None] | None,
) -> AuditResult:
    """Judge under the named books, else under the house's."""
    if named_books:
        return _judge_named_books(list_hands, named_books, judge, load_stored)
    return _judge_house_books(ledger, list_hands, judge, load_stored)


def _judge_named_books(
    list_hands: Callable[[], WantedHands],
    books: list[Rulebook],
    judge: Callable[[WantedHands, list[Rulebook]], AuditResult],
    load_stored: Callable[[Rulebook], AuditResult | None] | None,
) -> AuditResult:
    """Judge under the named books, or return the stored judgement if `load_stored` has one."""
    stored_result = load_stored(books[0]) if load_stored is not None and len(books) == 1 else None
    return stored_result or judge(list_hands(), books)


def _judge_house_books(
    ledger: Ledger,
    list_hands: Callable[[], WantedHands],
    judge: Callable[[WantedHands, list[Rulebook]], AuditResult],
    load_stored: Callable[[Rulebook], AuditResult | None] | None,
) -> AuditResult:
    """Judge under the house's books. If it adopted none, only look for contradictions in the record."""
    from projections.audit import house_audit
    from projections.books.shelf import Shelf

    if house_audit.has_adopted_books(ledger):
        return house_audit.judge_under_house_books(ledger, list_hands, judge, load_stored)
    result = judge(list_hands(), [])
    books = ", ".join(Shelf(ledger).list_names())
    typer.echo(
        phrase(
            "No rulebook is chosen, and the house hasn't adopted one: the audit only checks whether the record\n"
            "contradicts itself. Choose a rulebook with -r: {books}.",
            books=books,
        ),
        err=True,
    )
    return result


def judge_with_progress(
    ledger: Ledger,
    rows_by_table: Iterable[tuple[TableKey, Iterable[HandRow]]],
    books: list[Rulebook],
    *,
    on_cards_opened: Callable[[Iterable[UUID]], None] | None = None,
    names_every_hand: bool = False,
) -> AuditResult:
    """Judge hands and show the progress on a terminal. With `on_cards_opened`, open their hidden cards.

    `on_cards_opened` gets the hands in batches, before they are shown.
    With `names_every_hand`, the coverage names all hands that couldn't be judged.
    """
    from ledger.hidden_cards import reveal_cards
    from projections.audit.audit_result import NAMED_HANDS
    from projections.audit.auditor import Auditor
    from projections.table_walk.replay import walk_hands

    progress = console.ProgressLine()
    opened_cards: list[UUID] = []

    def iterate_hands() -> Iterator[tuple[HandReplay, ContextsByBook | None]]:
        for count, (hand, contexts) in enumerate(walk_hands(ledger, rows_by_table, books)):
            if count and not count % _HANDS_PER_REPORT:
                progress(phrase("{count} hands judged", count=format(count, ",")))
            if on_cards_opened is None or hand.stream is None:
                yield hand, contexts
                continue
            opened_cards.append(hand.stream)
            if len(opened_cards) == _HANDS_PER_REPORT:
                on_cards_opened(opened_cards)
                opened_cards.clear()
            yield hand.replace_events(reveal_cards(hand.recorded_events, ledger.people)), contexts

    auditor = Auditor(books, named_hands=None if names_every_hand else NAMED_HANDS, on_disk=True)
    result = auditor.judge_hands(iterate_hands())
    progress.clear()
    if on_cards_opened is not None:
        on_cards_opened(opened_cards)
    if not result.hands:
        raise ledger_options.no_hands_error(ledger)
    return result
