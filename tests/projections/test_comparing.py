"""Books side by side: what each says where they differ, with the clause that decides."""

from __future__ import annotations

import pytest

from ledger import safe
from projections.addresses.hand_reference import Hand
from projections.audit.audit_result import AuditResult
from projections.audit.book_differences import BookAnswer, ClauseOutcome, Difference
from projections.audit.book_differences import find_differences as compared
from projections.books.rulebook import load
from projections.reports.audit_json import build_document
from projections.reports.side_by_side import format_differences
from tests.projections.test_table_context import EVENING, STRADDLED, hand, judged, night


def answers_by_book(result: AuditResult, number: str) -> dict[str, BookAnswer]:
    (difference,) = [
        difference_of_hand for difference_of_hand in result.differences if difference_of_hand.hand.number == number
    ]
    return {difference_of_hand.book: difference_of_hand for difference_of_hand in difference.books}


def test_a_book_without_a_clause_about_it_says_so() -> None:
    books = answers_by_book(judged(night(hand(1, button=5), STRADDLED), "hilton", "bicycle"), "2")
    assert (books["hilton"].answer, books["hilton"].clauses) == ("found", ["B8a.1"])
    assert books["hilton"].says == "at most 1 straddle in a hand"
    assert books["bicycle"] == BookAnswer("bicycle", "silent", [])


def test_a_book_that_finds_it_in_order_names_its_clause() -> None:
    books = answers_by_book(judged(EVENING, "hilton", "rrop4"), "3")
    assert books["rrop4"].answer == "found"
    assert books["hilton"].answer == "clean"
    assert books["hilton"].clauses
    assert books["hilton"].says


@pytest.mark.parametrize(
    ("verdict", "answer"),
    [
        ("cannot_tell", "cannot-tell"),
        ("clean", "clean"),
        ("not_built", "not-built"),
        ("no_judgement", "no-judgement"),
        ("not_applicable", "silent"),
    ],
)
def test_the_answer_is_what_became_of_the_books_clauses(verdict: str, answer: str) -> None:
    findings_of_hand = [f for f in judged(EVENING, "rrop4").findings if f.hand.number == "3" and f.book == "rrop4"]
    books = [load("rrop4"), load("hilton")]
    (difference,) = compared(findings_of_hand, books, lambda *_: ClauseOutcome(verdict, ("button",)))
    assert difference.books[1].answer == answer
    assert difference.books[1].missing == ([] if answer == "silent" else ["button"])


def test_books_that_say_the_same_do_not_differ() -> None:
    result = judged(night(hand(1, button=5), hand(2, button=3)), "hilton", "bicycle")
    assert {f.book for f in result.findings} == {"hilton", "bicycle"}
    assert not result.differences
    assert format_differences(result) == ""


def test_a_wrong_is_set_beside_the_one_that_lies_nearest_not_beside_each_of_its_kind() -> None:
    acts = "deal done; 4 5 1 fold; 2 calls 5; 3 checks; flop Ah 7c 2d; 2 3 check; burn turn; burn turn"
    lines = (*acts.split("; "), "noticed double-burn by dealer", "turn 9c", "2 bets 20", "3 folds")
    result = judged(night(hand(1, *lines)), "hilton", "house-burn")
    differences_found = [
        (
            difference.saw,
            *(book_answer.answer for book_answer in difference.books),
            [s.says for s in difference.books][1],
        )
        for difference in result.differences
    ]
    assert differences_found[0][:3] == ("No card was burned before the flop", "found", "clean")
    assert "the card that was due" not in differences_found[0][3]
    assert differences_found[1][1:3] == ("found", "found")
    assert differences_found[1][3] == "the card that was due"
    assert len(differences_found) == 2


def test_one_book_alone_differs_from_nothing() -> None:
    assert not judged(EVENING, "hilton").differences


def test_a_clause_that_only_permits_or_defines_judges_nothing() -> None:
    answers = {
        book.answer
        for difference in judged(EVENING, "hilton", "house-burn").differences
        for book in difference.books
        if book.clauses == ["0c"]
    }
    assert answers <= {"no-judgement"}


def test_the_document_holds_the_same_and_parts_merge() -> None:
    audit_result = judged(EVENING, "hilton", "rrop4")
    assert build_document(audit_result).differences == audit_result.differences
    twice = judged(EVENING, "hilton", "rrop4")
    twice.append(judged(EVENING, "hilton", "rrop4"))
    assert twice.differences == audit_result.differences * 2


@pytest.mark.parametrize("width", [60, 80, 100, 120])
def test_every_line_fits_and_no_book_is_left_out(width: int) -> None:
    result = judged(EVENING, "hilton", "rrop4", "bicycle", "house-burn")
    printed_text = format_differences(result, width=width)
    assert max(safe.columns(line) for line in printed_text.splitlines()) <= width
    for name in ("hilton", "rrop4", "bicycle", "house-burn"):
        assert printed_text.count(f"  {name}") >= len(result.differences)


def test_wide_terminals_have_columns_narrow_ones_rows() -> None:
    result = judged(EVENING, "hilton", "rrop4", "bicycle", "house-burn")
    wide, narrow = (format_differences(result, width=width).splitlines()[3] for width in (120, 80))
    assert wide.split() == ["hilton", "rrop4", "bicycle", "house-burn"]
    assert narrow.split()[:2] == ["hilton", "FOUND"]


def test_what_is_not_shown_is_counted() -> None:
    result = judged(EVENING, "hilton", "rrop4", "bicycle")
    assert len(result.differences) > 1
    printed_text = format_differences(result, max_differences=1)
    assert f"({len(result.differences) - 1} more;" in printed_text


def test_a_tables_name_cannot_act_on_the_terminal() -> None:
    difference = Difference(
        Hand("V", "\x1b[31mT\u202e", "1\n2"),
        3,
        None,
        "saw",
        [BookAnswer("a", "silent", []), BookAnswer("b", "found", ["1"])],
    )
    printed_text = format_differences(AuditResult([], 1, [], [], [difference]))
    assert "\x1b" not in printed_text
    assert "\u202e" not in printed_text
    assert len(printed_text.splitlines()) == 5
