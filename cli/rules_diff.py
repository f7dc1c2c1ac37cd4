"""`handledger rules diff OLD NEW`: list the findings that another rulebook or edition adds, removes and changes."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from cli.documents.judged_documents import FindingTurnEntry, RulesDiffDocument
from cli.documents.query_documents import ChipsAtStake, SeatStake
from cli.options import day_options, ledger_options
from cli.output import console
from ledger import safe
from ledger.errors import UsageError
from projections.addresses.address_book import AddressBook
from projections.amount_text import amount
from projections.queries.ledger_query import list_matching_hands

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ledger.store import Ledger
    from projections.addresses.hand_reference import Hand
    from projections.audit.edition_differences import ChangeKind, FindingChange
    from projections.books.rulebook import Rulebook
    from projections.findings.finding import Finding

DIFF: Final = "diff"
_MAX_LINES: Final = 40
"""Differences of each kind that the text shows."""
_SIGNS: Final[dict[ChangeKind, str]] = {"appears": "+", "vanishes": "-", "changes": "~"}


def write_diff(
    old: str | None, new: str | None, query: str | None, url: str | None, format_: str, file: Path | None
) -> None:
    """Judge all hands, or those of a query, under both books, and write the differences."""
    from projections.audit.audit_result import make_book_ref
    from projections.audit.edition_differences import sum_chips_at_stake, sum_chips_by_seat
    from projections.books.shelf import Shelf

    if old is None or new is None:
        raise UsageError(
            "which two rulebooks?", "handledger rules diff hilton@undated-r1 hilton, or hilton my-room.toml."
        )
    with ledger_options.open_ledger(url) as ledger, console.show_progress("judging") as progress:
        shelf = Shelf(ledger)
        books = shelf.load(old), shelf.load(new)
        if books[0].digest == books[1].digest:
            raise UsageError(f"{old} and {new} are the same book, to the byte", "handledger rules lists the books.")
        hands, turns = _compare_books(ledger, books, query, progress)
        if not hands:
            raise ledger_options.no_hands_error(
                ledger, "handledger log lists all hands; handledger import PATH brings more in."
            )
        stakes = [
            ChipsAtStake(verb, chips, unit, exponent)
            for (verb, unit, exponent), chips in sum_chips_at_stake(turns).items()
        ]
        document = RulesDiffDocument(
            old=make_book_ref(books[0]),
            new=make_book_ref(books[1]),
            hands=hands,
            turns=[FindingTurnEntry(turn.kind, turn.old, turn.new) for turn in turns],
            at_stake=stakes,
            seats=[
                SeatStake(turn.venue, turn.tournament, turn.table, turn.seat, chips, turn.unit, turn.exponent)
                for turn, chips in sum_chips_by_seat(turns).items()
            ],
        )
        if format_ == "json":
            console.write_document(document, file)
        else:
            console.write_text(
                "\n".join(_format_differences(document, turns, AddressBook(ledger).find_finding_address)), file
            )


def _compare_books(
    ledger: Ledger, books: tuple[Rulebook, Rulebook], query: str | None, progress: console.ProgressLine
) -> tuple[int, list[FindingChange]]:
    """Return the number of hands judged under both books, and the differences, table by table."""
    from projections.table_walk.played_tables import list_places
    from projections.tables.book_comparison import compare_at_tables
    from projections.tables.judgement import TableJudgement
    from projections.tables.table_set import open_tables

    selected_streams: set[str] | None = None
    if query is not None:
        selected_rows = list_matching_hands(ledger, query, day_options.DEFAULT_DAY_START)
        selected_streams = {row.stream.hex for row in selected_rows}
    hands, differences = 0, []
    with open_tables(ledger, books, results=False) as (keeping, _):
        judgements = [TableJudgement(ledger, book, keeping) for book in books]
        for comparison in compare_at_tables(judgements, list_places(ledger), selected_streams):
            hands += comparison.hands
            progress(f"{hands:,} hands compared")
            differences += comparison.changes
    return hands if selected_streams is None else len(selected_streams), differences


def _format_differences(
    document: RulesDiffDocument, turns: list[FindingChange], address: Callable[[Hand, int], str]
) -> Iterator[str]:
    old, new = document.old, document.new
    hands_text = f"{document.hands:,} hand{'s' * (document.hands != 1)}"
    yield f"{old.name} ({old.edition}) → {new.name} ({new.edition}), {hands_text} under both"
    yield ""
    counts = Counter(turn.kind for turn in turns)
    if not turns:
        yield "Both find the same."
        return
    for verb, sign in _SIGNS.items():
        if not counts[verb]:
            continue
        amounts = [
            amount(turn.chips, turn.unit, turn.exponent)
            for turn in document.at_stake
            if turn.becomes == verb and turn.chips
        ]
        money_text = f", about {' and '.join(amounts)}" if amounts else ""
        yield f"{counts[verb]:,} finding{'s' * (counts[verb] != 1)} {_inflect_verb(verb, counts[verb])}{money_text}"
        turns_of_kind = [turn for turn in turns if turn.kind == verb]
        yield from (f"  {sign} {_format_turn(turn, address)}" for turn in turns_of_kind[:_MAX_LINES])
        if len(turns_of_kind) > _MAX_LINES:
            yield f"  ({len(turns_of_kind) - _MAX_LINES:,} more; --format json has all)"
        yield ""
    yield from _format_stakes(document.seats)


def _format_stakes(stakes: list[SeatStake]) -> Iterator[str]:
    """Yield what the findings gained or cost the seats of each table, the new book compared with the old one."""
    if not stakes:
        return
    yield "Chips that seats gained (+) or lost (-) by these violations, the new book compared with the old:"
    tables: dict[tuple[str, str, str], list[str]] = {}
    for stake in stakes:
        sign = "+" if stake.chips > 0 else "-"
        seat_text = f"seat {stake.seat} {sign}{amount(abs(stake.chips), stake.unit, stake.exponent)}"
        tables.setdefault((stake.venue, stake.tournament, stake.table), []).append(seat_text)
    for (_, tournament, table), seat_texts in list(tables.items())[:_MAX_LINES]:
        table_name = f"tournament {tournament} {table}" if tournament else table
        yield f"  {safe.terminal(table_name, 40)}: {', '.join(seat_texts)}"
    if len(tables) > _MAX_LINES:
        yield f"  ({len(tables) - _MAX_LINES:,} more tables; --format json has all)"


def _inflect_verb(verb: str, count: int) -> str:
    """Return `appears`, `vanishes` or `changes`, or its plural form."""
    if count == 1:
        return verb
    return "vanish" if verb == "vanishes" else verb.removesuffix("s")


def _format_turn(turn: FindingChange, address: Callable[[Hand, int], str]) -> str:
    finding = turn.finding
    seat_text = "" if finding.seat is None else f" seat {finding.seat}"
    location = f"{address(finding.hand, finding.version)}{seat_text}"
    if turn.old is not None and turn.new is not None:
        return f"{location}: {_summarize_finding(turn.old)} → {_summarize_finding(turn.new)}"
    return f"{location}: {_summarize_finding(finding)}; {safe.terminal(finding.saw, 100)}"


def _summarize_finding(finding: Finding) -> str:
    from projections.audit.edition_differences import sum_chips_moved

    summary = f"{finding.clause} {finding.severity}, {finding.certainty}"
    money = sum_chips_moved(finding)
    return f"{summary}, {amount(money, finding.unit, finding.exponent)}" if money else summary
