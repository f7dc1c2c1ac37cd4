"""An audit as a table: a row for each finding, one for each clause that could not tell, no cell acts."""

from __future__ import annotations

import csv
import io

import msgspec

from ledger.vocabulary import Seat
from projections.addresses.hand_reference import Hand
from projections.audit.audit_result import AuditResult, BookRef, CoverageDetail
from projections.audit.auditor import audit, judge
from projections.books.rulebook import load
from projections.findings.finding import Coverage, Finding, Line, Missing, Share
from projections.reports.csv_rows import COLUMNS, FindingContext, format_rows
from tests.projections.test_reports import story

HAND = Hand("Room", "T7", "412", "", "ab" * 16)


def finding(
    seat: Seat | None = 3, money: tuple[tuple[Seat, int], ...] = (), exponent: int = 2, saw: str = "saw"
) -> Finding:
    return Finding(
        clause="4.10",
        book="house",
        edition="1",
        severity="error",
        certainty="certain",
        hand=HAND,
        version=9,
        seat=seat,
        saw=saw,
        asks="asks",
        should="should",
        because="",
        money=[Share(*share) for share in money],
        remedy="none",
        fingerprint="f" * 16,
        lines=[Line(9, "", 100, 20), Line(4, "beside", 40, 5)],
        also=["4.2", "4.3"],
        source="cd" * 32,
        unit="USD",
        exponent=exponent,
    )


def table(
    result: AuditResult, *, coverage_detail: CoverageDetail = "short", finding_context: FindingContext | None = None
) -> list[dict[str, str]]:
    text = "".join(format_rows(result, lambda _: finding_context or FindingContext(), coverage_detail=coverage_detail))
    assert text.count("\r\n") == text.count("\n")
    csv_rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert all(None not in row and None not in row.values() for row in csv_rows)
    return csv_rows


def test_each_finding_is_a_row_and_a_clause_that_cannot_tell_is_one_too() -> None:
    hand, *_ = story()
    result = judge(hand, load("hilton"))
    table_rows = table(result)
    assert list(table_rows[0]) == list(COLUMNS)
    wrong = [row for row in table_rows if row["verdict"] == "found"]
    assert [(row["clause"], row["seat"], row["fingerprint"]) for row in wrong] == [
        (f.citation, str(f.seat or ""), f.fingerprint) for f in result.findings
    ]
    blind = [row for row in table_rows if row["verdict"] == "cannot-tell"]
    assert {row["clause"] for row in blind} == {
        f"{row.book} {row.clause}" for row in result.coverage if row.cannot_tell
    }
    assert all(row["missing"] and row["hands"] == "1" and not row["hand"] for row in blind)
    assert len(wrong) + len(blind) == len(table_rows)


def test_with_coverage_every_clause_is_accounted_for() -> None:
    hand, *_ = story()
    result = judge(hand, load("hilton"))
    table_rows = table(result, coverage_detail="full")
    counted: dict[str, int] = {}
    for row in table_rows:
        if row["verdict"] != "found":
            counted[row["clause"]] = counted.get(row["clause"], 0) + int(row["hands"])
    for row in result.coverage:
        assert counted.get(f"{row.book} {row.clause}", 0) == result.hands - row.found


def test_money_is_exact_and_moved_is_what_is_too_much() -> None:
    (row,) = table(AuditResult([], 1, [finding(money=((1, -10_000_000_000_000_001), (4, 10_000_000_000_000_001)))], []))
    assert row["money"] == "seat 1 -100000000000000.01; seat 4 +100000000000000.01"
    assert row["moved"] == "100000000000000.01"
    (row,) = table(AuditResult([], 1, [finding(money=((2, 5), (3, -3), (6, -2)), exponent=0)], []))
    assert (row["money"], row["moved"]) == ("seat 2 +5; seat 3 -3; seat 6 -2", "5")
    (row,) = table(AuditResult([], 1, [finding()], []))
    assert (row["money"], row["moved"], row["unit"]) == ("", "", "USD")


def test_a_row_says_where_and_when_and_how_to_see_it() -> None:
    finding_context = FindingContext(1_700_000_000_000, 1_700_000_005_250, "Ann", "night/x.txt", "abab@9")
    (row,) = table(AuditResult([], 1, [finding()], []), finding_context=finding_context)
    assert (row["started_utc"], row["event_utc"]) == ("2023-11-14T22:13:20Z", "2023-11-14T22:13:25.250Z")
    assert (row["byte_start"], row["byte_end"], row["source"]) == ("100", "120", "night/x.txt")
    assert (row["player"], row["show"], row["event"]) == ("Ann", "abab@9", "9")
    assert (row["clause"], row["also"]) == ("house 4.10", "house 4.2; house 4.3")


def test_a_finding_without_a_seat_or_place_leaves_its_cells_empty() -> None:
    nowhere = msgspec.structs.replace(finding(seat=None), lines=[Line(9)])
    (row,) = table(AuditResult([], 1, [nowhere], []))
    assert (row["seat"], row["byte_start"], row["byte_end"], row["started_utc"]) == ("", "", "", "")


def test_a_moment_of_no_year_is_left_empty() -> None:
    for moment in (10**17, -(10**17)):
        (row,) = table(AuditResult([], 1, [finding()], []), finding_context=FindingContext(moment, moment))
        assert (row["started_utc"], row["event_utc"]) == ("", "")


def test_no_text_of_strangers_is_a_formula_or_a_row() -> None:
    finding_context = FindingContext(player="=cmd|'/C calc'!A0", source="+x\r\n@y.txt")
    hostile = finding(saw='-1"\n,\x1b[2J\u202e')
    (row,) = table(AuditResult([], 1, [hostile], []), finding_context=finding_context)
    assert row["player"].startswith("'=")
    assert row["source"].startswith("'+x\\x0d\\x0a")
    assert row["saw"] == "'-1\"\\x0a,\\x1b[2J\\u202e"


def test_facts_that_are_missing_are_named_with_their_hands() -> None:
    coverage = [
        Coverage("4.10", "house", "duty", cannot_tell=3, clean=1, missing=[Missing("burns", 2), Missing("times", 1)])
    ]
    result = AuditResult([BookRef("house", "", "7", "")], 4, [], coverage)
    (row,) = table(result)
    assert (row["clause"], row["hands"], row["missing"], row["edition"]) == (
        "house 4.10",
        "3",
        "burns (2); times (1)",
        "7",
    )


def test_several_books_say_beside_each_finding_what_the_others_say() -> None:
    hand, *_ = story()
    books = [load("hilton"), load("rrop4")]
    result = audit([hand], books)
    rows = [row for row in table(result) if row["verdict"] == "found" and row["rulebook"] != "record"]
    assert {row["rulebook"] for row in rows} <= {"hilton", "rrop4"}
    book = {row["clause"]: row["other_books"] for row in rows}
    differing = {
        f"{book.book} {clause}": {
            f"{other_answer.book}: {other_answer.answer}"
            for other_answer in difference.books
            if other_answer is not book
        }
        for difference in result.differences
        for book in difference.books
        if book.answer == "found"
        for clause in book.clauses
    }
    assert differing
    for clause, answers in differing.items():
        if clause in book:
            assert all(answer in book[clause] for answer in answers)
    assert [row for row in table(judge(hand, books[0])) if row["other_books"]] == []
