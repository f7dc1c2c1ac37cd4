"""Format an audit as CSV for a spreadsheet: a row for each finding, and for each clause that couldn't be judged.

The format is the same as in `ledger.export.seats`: RFC 4180, decimal amounts, and no cell that runs as a formula.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Final, NamedTuple, get_args

from ledger.clocks import format_moment
from ledger.export.seats import Number, format_decimal, write_csv_line
from ledger.vocabulary import Chips, Millis
from projections.audit.audit_result import AuditResult, CoverageDetail
from projections.audit.book_differences import Answer, BookAnswer, Difference
from projections.findings.finding import Coverage, Finding

COLUMNS: Final[dict[str, str]] = {
    "verdict": "`found`; `cannot-tell`; with `--coverage` also `clean`, `not-applicable`, `not-built`, `no-judgement`",
    "hands": "number of hands in the row: 1 for a finding",
    "venue": "the room",
    "tournament": "the tournament's number, empty for cash games",
    "table": "the table",
    "hand": "the hand's number, as the room writes it",
    "started_utc": "when the hand began, ISO 8601",
    "event": "number of the event that shows the violation, 1 = the hand's first",
    "event_utc": "when that event happened, if the record shows it",
    "rulebook": "the book; `record` is the built-in one about the record itself",
    "edition": "the book's edition",
    "clause": "the violated clause, with its book: `hilton B8a.1`",
    "also": "other clauses of the same book about the same violation",
    "asks": "the clause's demand, in our words",
    "severity": "`error`, `warning` or `info`",
    "certainty": "`certain`, `likely` (one assumption is named) or `needs-video`",
    "seat": "the seat of the finding",
    "player": "the player in that seat",
    "saw": "what happened",
    "should": "what should have happened",
    "because": "the reason, and any assumption",
    "remedy": "the book's remedy: `followed`, `not-followed`, `cannot-tell`, `none`",
    "missing": "missing facts, each with the number of hands",
    "unit": "currency of the amounts, or chips",
    "money": "chips that each seat has too many (+) or too few (-) because of it",
    "moved": "total of the chips that seats have too many",
    "other_books": "answers of the other books, if they differ",
    "source": "the imported name of the hand's file",
    "sha256": "of that file",
    "byte_start": "the event's first byte in the file, counted from 0",
    "byte_end": "the byte after the event",
    "show": "the address: `handledger show` of it shows this event",
    "fingerprint": "identifies a violation in a hand, in any file with that hand",
}
"""The columns with their descriptions. Add new columns at the end. A cell is empty if the record lacks the fact."""


class FindingContext(NamedTuple):
    """Facts about a finding from the ledger. Names are untrusted. Unknown = None or ""."""

    started: Millis | None = None  # when the hand began
    event_time: Millis | None = None
    player: str = ""
    source: str = ""  # the file's name
    show: str = ""  # the address of the event
    sha256: str = ""  # of the file's bytes, hex


def format_rows(
    result: AuditResult, find_context: Callable[[Finding], FindingContext], *, coverage_detail: CoverageDetail = "short"
) -> Iterator[str]:
    """Yield the lines of the table: header, findings in order, then clauses.

    `coverage_detail`: "short" = only clauses that couldn't be judged in some hands; "full" = all clauses.
    """
    yield ",".join(COLUMNS) + "\r\n"
    difference_groups = groupby(result.differences, lambda difference: difference.hand)
    differing_hand, hand_differences = next(difference_groups, _NO_DIFFERENCES)
    for finding_hand, findings in groupby(result.findings, lambda finding: finding.hand):
        differences = list(hand_differences) if finding_hand == differing_hand else []
        for finding in findings:
            yield _format_line(_build_finding_cells(finding, find_context(finding), differences))
        if finding_hand == differing_hand:  # findings and differences are in the same order of hands
            differing_hand, hand_differences = next(difference_groups, _NO_DIFFERENCES)
    editions = {book_ref.name: book_ref.edition for book_ref in result.books}
    for coverage_row in result.coverage if coverage_detail != "none" else ():
        for clause_cells in _iter_clause_cells(coverage_row, with_all_verdicts=coverage_detail == "full"):
            yield _format_line({"edition": editions.get(coverage_row.book, ""), **clause_cells})


_NO_DIFFERENCES: Final[tuple[None, Iterator[Difference]]] = None, iter(())
"""What `next` returns after the last group of differences."""


def _format_line(cells: dict[str, str]) -> str:
    return write_csv_line(cells.get(column, "") for column in COLUMNS)


def _build_finding_cells(finding: Finding, context: FindingContext, differences: list[Difference]) -> dict[str, str]:
    """Return the cells of a finding by column."""
    first_line = finding.lines[0]
    cells: dict[str, str] = {
        "verdict": "found",
        "hands": Number(1),
        "venue": finding.hand.venue,
        "tournament": finding.hand.tournament,
        "table": finding.hand.table,
        "hand": finding.hand.number,
        "started_utc": format_moment(context.started),
        "event": Number(finding.version),
        "event_utc": format_moment(context.event_time),
        "rulebook": finding.book,
        "edition": finding.edition,
        "clause": finding.citation,
        "also": "; ".join(f"{finding.book} {clause_id}" for clause_id in finding.also),
        "asks": finding.asks,
        "severity": finding.severity,
        "certainty": finding.certainty,
        "seat": "" if finding.seat is None else Number(finding.seat),
        "player": context.player,
        "saw": finding.saw,
        "should": finding.should,
        "because": finding.because,
        "remedy": finding.remedy,
        "unit": finding.unit,
        "other_books": _describe_other_books(finding, differences),
        "source": context.source,
        "sha256": context.sha256,
        "show": context.show,
        "fingerprint": finding.fingerprint,
    }
    if finding.money:
        moved_chips = sum(share.amount for share in finding.money if share.amount > 0)
        cells["money"] = "; ".join(
            f"seat {share.seat} {_format_signed(share.amount, finding.exponent)}" for share in finding.money
        )
        cells["moved"] = format_decimal(moved_chips, finding.exponent)
    if first_line.length:
        cells["byte_start"] = Number(first_line.start)
        cells["byte_end"] = Number(first_line.start + first_line.length)
    return cells


def _format_signed(amount: Chips, exponent: int) -> str:
    return ("+" if amount > 0 else "") + format_decimal(amount, exponent)


def _iter_clause_cells(coverage_row: Coverage, *, with_all_verdicts: bool) -> Iterator[dict[str, str]]:
    """Yield a clause's cells, a row for each verdict; without `with_all_verdicts` only for `cannot-tell`."""
    for verdict in _VERDICTS if with_all_verdicts else ("cannot-tell",):
        hand_count = getattr(coverage_row, verdict.replace("-", "_"))
        if not hand_count:
            continue
        missing = coverage_row.missing if verdict == "cannot-tell" else []
        yield {
            "verdict": verdict,
            "hands": Number(hand_count),
            "rulebook": coverage_row.book,
            "clause": f"{coverage_row.book} {coverage_row.clause}",
            "missing": "; ".join(f"{missing_fact.fact} ({missing_fact.hands})" for missing_fact in missing),
        }


_VERDICTS: Final = ("cannot-tell", "clean", "not-applicable", "not-built", "no-judgement")
"""Verdicts besides a finding. `Coverage` has a field for each."""


def _describe_other_books(finding: Finding, differences: list[Difference]) -> str:
    """Return the other books' answers about the same violation, as `rrop4: clean 4.1`, or "" if they agree."""
    for difference in differences:
        own_answer = next((book_answer for book_answer in difference.books if book_answer.book == finding.book), None)
        if own_answer is None or own_answer.answer != "found" or finding.clause not in own_answer.clauses:
            continue
        return "; ".join(_describe_answer(answer) for answer in difference.books if answer is not own_answer)
    return ""


def _describe_answer(book_answer: BookAnswer) -> str:
    missing_text = f" for want of {', '.join(book_answer.missing)}" if book_answer.missing else ""
    return f"{book_answer.book}: {' '.join((book_answer.answer, *book_answer.clauses))}{missing_text}"


assert {*_VERDICTS, "found"} <= {*get_args(Answer), "not-applicable"}  # noqa: S101 - every verdict is a known answer
