"""A word declares the board; one known card of a seat is no short deal where the source need not record cards."""

from __future__ import annotations

import pytest

from ledger.formats.handscript import FORMAT
from ledger.hand.events import HandEvent
from ledger.notation import Chunk
from ledger.people import People
from projections.audit.auditor import AuditResult, HandReplay, judge
from projections.books.rulebook import load

HEADER = """\
handscript 1
venue Case table Q
witness {witness}
game holdem no-limit cash blinds 5/10 unit chips 0
hand 1 2026-11-20T20:00:00Z
seat 1 Al 1000; seat 2 Bo 1000; seat 3 Cy 1000; seat 4 Di 1000
button 1
2 posts small 5; 3 posts big 10
"""
BOARD = """\
deal done
4 folds; 1 folds; 2 calls; 3 checks
burn flop 6d; flop Ah Kd Qs; 2 checks; 3 checks
burn turn; turn Jc; 2 checks; 3 checks
burn river; river Td; 2 checks; 3 checks
showdown
{said}
2 mucks
3 shows 5c 5d
2 wins 10; 3 wins 10
end
"""
ONE_CARD = "2 gets 5h 5d; 4 gets Ks\ndeal done\n4 raises to 30; 1 2 3 fold\n4 uncalled 20\n4 wins 25\nend\n"


def judged(text: str, book: str, witness: str = "live-table") -> AuditResult:
    [hand] = FORMAT.read(Chunk((HEADER.format(witness=witness) + text).encode()), People(b"p" * 32))
    events: list[HandEvent] = hand.events
    return judge(HandReplay(events), load(book))


def clauses(text: str, book: str, witness: str = "live-table") -> set[str]:
    return {finding.clause for finding in judged(text, book, witness).findings if finding.book == book}


@pytest.mark.parametrize(
    "board_word", ["2 says board", '2 says board as "I play the board"', "2 plays the board", "2 plays-board words"]
)
@pytest.mark.parametrize("book", ["hilton", "rrop4"])
def test_a_word_declares_the_board(board_word: str, book: str) -> None:
    clauses_found = clauses(BOARD.format(said=board_word), book)
    assert not clauses_found & {"B1", "holdem.6"}


@pytest.mark.parametrize(("book", "clause"), [("hilton", "B1"), ("rrop4", "holdem.6")])
def test_without_a_word_the_board_is_not_declared(book: str, clause: str) -> None:
    assert clause in clauses(BOARD.format(said="2 looks"), book)


def test_where_cards_must_be_kept_a_word_helps_nobody() -> None:
    assert clauses(BOARD.format(said="2 says board"), "bicycle") == {"p19b"}


@pytest.mark.parametrize(("book", "clause"), [("rrop4", "holdem.intro.1"), ("bicycle", "p01a")])
def test_one_known_card_is_no_short_deal_where_cards_need_not_be_recorded(book: str, clause: str) -> None:
    audit_result = judged(ONE_CARD, book)
    assert not [finding for finding in audit_result.findings if finding.clause == clause]
    [coverage] = [
        coverage_row
        for coverage_row in audit_result.coverage
        if (coverage_row.book, coverage_row.clause) == (book, clause)
    ]
    assert coverage.cannot_tell
    assert [coverage_row.fact for coverage_row in coverage.missing] == ["own-cards"]
    assert clause in clauses(ONE_CARD, book, "live-table own-cards")
