"""An audit as a table for a spreadsheet: a row for each finding, and for each clause that could not tell.

Written as every table of ours is (`ledger.export.seats`): RFC 4180, amounts as decimals, no cell is
a formula.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Final, NamedTuple, get_args

from ledger.clocks import moment
from ledger.export.seats import Number, decimal, line
from ledger.vocabulary import Chips, Millis
from projections.audit.audit_result import AuditResult
from projections.audit.book_differences import Answer, Difference, Said
from projections.findings.finding import Coverage, Finding

COLUMNS: Final[dict[str, str]] = {
    "verdict": "`found`; `cannot-tell`; with `--coverage` also `clean`, `not-applicable`, `not-built`, `no-judgement`",
    "hands": "how many hands the row is about: 1 for a finding",
    "venue": "the room",
    "tournament": "the tournament's number, empty for cash games",
    "table": "the table",
    "hand": "the hand's number, as the room writes it",
    "started_utc": "when the hand began, ISO 8601",
    "event": "number of the event that shows it, 1 = the hand's first",
    "event_utc": "when that event happened, where the record says so",
    "rulebook": "the book; `record` is the built-in one about the record itself",
    "edition": "the book's edition",
    "clause": "the clause that is offended, with its book: `hilton B8a.1`",
    "also": "other clauses of the same book that say the same, or speak of the same wrong",
    "asks": "what the clause asks, in our words",
    "severity": "`error`, `warning` or `info`",
    "certainty": "`certain`, `likely` (one assumption is named) or `needs-video`",
    "seat": "the seat that it is about",
    "player": "who sat there",
    "saw": "what was seen",
    "should": "what should have been",
    "because": "why that should have been, and what was assumed",
    "remedy": "what became of the remedy that the book prescribes: `followed`, `not-followed`, `cannot-tell`, `none`",
    "missing": "facts for want of which it cannot be told, each with the number of hands",
    "unit": "currency of the amounts, or chips",
    "money": "what each seat has too much (+) or too little (-) because of it",
    "moved": "how much that is in all: the sum of what is too much",
    "other_books": "what the other books say of the same where they differ",
    "source": "the file that told the hand, by the name under which it was imported",
    "sha256": "of that file",
    "byte_start": "where in the file the event stands: its first byte, counted from 0",
    "byte_end": "the byte behind it",
    "show": "the address: `handledger show` of it shows this event",
    "fingerprint": "the same for the same breach of the same hand, whatever file told it",
}
"""Column → what stands in it. New ones are added behind; what the record does not tell is empty."""


class Told(NamedTuple):
    """What a ledger adds to a finding. Names are raw; what is not known is None or ""."""

    started: Millis | None = None  # when the hand began
    at: Millis | None = None  # when the event happened
    player: str = ""
    source: str = ""  # the file's name
    show: str = ""  # the address of the event
    sha256: str = ""  # of the file's bytes, hex


def rows(result: AuditResult, told: Callable[[Finding], Told], *, coverage: bool | None = None) -> Iterator[str]:
    """Yield the lines of the table: its head, the findings in their order, then the clauses.

    Of the clauses those that could not tell in some hands; with `coverage` what became of each, and
    where it is False none.
    """
    yield ",".join(COLUMNS) + "\r\n"
    differing = groupby(result.differences, lambda one: one.hand)
    where, others = next(differing, _NOWHERE)
    for hand, findings in groupby(result.findings, lambda one: one.hand):
        here = list(others) if hand == where else []
        for found in findings:
            yield _line(_finding(found, told(found), here))
        if hand == where:  # both stand in the order of the hands
            where, others = next(differing, _NOWHERE)
    editions = {ref.name: ref.edition for ref in result.books}
    for row in result.coverage if coverage is not False else ():
        for cells in _clause(row, coverage=bool(coverage)):
            yield _line({"edition": editions.get(row.book, ""), **cells})


_NOWHERE: Final[tuple[None, Iterator[Difference]]] = None, iter(())
"""The group behind the last one."""


def _line(cells: dict[str, str]) -> str:
    return line(cells.get(name, "") for name in COLUMNS)


def _finding(found: Finding, told: Told, differing: list[Difference]) -> dict[str, str]:
    """Return the cells of a finding by their columns."""
    shown = found.lines[0]
    cells: dict[str, str] = {
        "verdict": "found",
        "hands": Number(1),
        "venue": found.hand.venue,
        "tournament": found.hand.tournament,
        "table": found.hand.table,
        "hand": found.hand.number,
        "started_utc": moment(told.started),
        "event": Number(found.version),
        "event_utc": moment(told.at),
        "rulebook": found.book,
        "edition": found.edition,
        "clause": found.citation,
        "also": "; ".join(f"{found.book} {one}" for one in found.also),
        "asks": found.asks,
        "severity": found.severity,
        "certainty": found.certainty,
        "seat": "" if found.seat is None else Number(found.seat),
        "player": told.player,
        "saw": found.saw,
        "should": found.should,
        "because": found.because,
        "remedy": found.remedy,
        "unit": found.unit,
        "other_books": _others(found, differing),
        "source": told.source,
        "sha256": told.sha256,
        "show": told.show,
        "fingerprint": found.fingerprint,
    }
    if found.money:
        moved = sum(share.amount for share in found.money if share.amount > 0)
        cells["money"] = "; ".join(
            f"seat {share.seat} {_signed(share.amount, found.exponent)}" for share in found.money
        )
        cells["moved"] = decimal(moved, found.exponent)
    if shown.length:
        cells["byte_start"] = Number(shown.start)
        cells["byte_end"] = Number(shown.start + shown.length)
    return cells


def _signed(amount: Chips, exponent: int) -> str:
    return ("+" if amount > 0 else "") + decimal(amount, exponent)


def _clause(row: Coverage, *, coverage: bool) -> Iterator[dict[str, str]]:
    """Yield the cells of what became of a clause, one for each answer that it gave."""
    for verdict in _VERDICTS if coverage else ("cannot-tell",):
        hands = getattr(row, verdict.replace("-", "_"))
        if not hands:
            continue
        missing = row.missing if verdict == "cannot-tell" else []
        yield {
            "verdict": verdict,
            "hands": Number(hands),
            "rulebook": row.book,
            "clause": f"{row.book} {row.clause}",
            "missing": "; ".join(f"{one.fact} ({one.hands})" for one in missing),
        }


_VERDICTS: Final = ("cannot-tell", "clean", "not-applicable", "not-built", "no-judgement")
"""What a clause may answer besides a finding, as the fields of `Coverage` are called."""


def _others(found: Finding, differing: list[Difference]) -> str:
    """Return what the other books say of the same wrong, `rrop4: clean 4.1`; "" where none differs."""
    for difference in differing:
        own = next((said for said in difference.books if said.book == found.book), None)
        if own is None or own.answer != "found" or found.clause not in own.clauses:
            continue
        return "; ".join(_said(one) for one in difference.books if one is not own)
    return ""


def _said(one: Said) -> str:
    want = f" for want of {', '.join(one.missing)}" if one.missing else ""
    return f"{one.book}: {' '.join((one.answer, *one.clauses))}{want}"


assert {*_VERDICTS, "found"} <= {*get_args(Answer), "not-applicable"}  # noqa: S101 - one list of words
