"""A hand that runs is judged by what happened so far: what is said of it then holds, or can still be put right."""

from __future__ import annotations

import pytest

from ledger.hand.dealing import MisdealDeclared
from ledger.hand.ending import CorrectionMade, HandVoided
from ledger.replay import HandReplay
from projections.audit.auditor import Auditor
from projections.books.rulebook import load
from projections.live.live_table import LiveFinding, judge_live_hand
from projections.table_walk.table_context import TableWalk
from tests.laws import size
from tests.projections.pages import Case, book_cases


def told_while_it_runs(case: Case) -> list[tuple[LiveFinding, bool]]:
    """Return what is said after each event of each hand of a page, and whether its clause speaks at the end."""
    book, entries = load(case.book), case.told
    audit, table = Auditor([book], compare_books=False), TableWalk([book])
    hands = {hand.stream.hex: hand for hand in entries.hands if hand.stream}
    statements: list[tuple[LiveFinding, bool]] = []
    for sat in table.contexts(entries.table):
        hand = hands[sat.hand.hand]
        events = list(hand.recorded_events)
        findings = audit.judge_hand(hand, sat)
        if any(isinstance(event, CorrectionMade | HandVoided | MisdealDeclared) for event in events):
            continue  # what was said before is taken back by an event of its own
        kept_clauses = {(finding.book, clause) for finding in findings for clause in (finding.clause, *finding.also)}
        for length in range(2, len(events)):
            running = HandReplay(events[:length], None, hand.stream)
            live_findings = judge_live_hand(audit, table, 1, running)
            statements += (
                (finding, (finding.finding.book, finding.finding.clause) in kept_clauses) for finding in live_findings
            )
    return statements


BOOKS = sorted({case.book for case in book_cases()})
LONG_BOOKS = ("bicycle", "hilton", "rrop4", "tda2024")
"""Books whose pages take seconds: left out by `make check`."""


@pytest.mark.law
@pytest.mark.parametrize(
    "book", [pytest.param(one, marks=pytest.mark.slow if one in LONG_BOOKS else ()) for one in BOOKS]
)
def test_what_is_said_of_a_running_hand_holds_or_can_be_put_right(book: str) -> None:
    cases = [case for case in book_cases() if case.book == book]
    statements = [(statement, case) for case in cases[:: size(2, 1)] for statement in told_while_it_runs(case)]
    assert sum(is_kept for (_, is_kept), _ in statements) > 10, (
        "the pages have wrongs that show before the hand is over"
    )
    taken_back = [
        (case.clause, case.title, statement.finding.clause, statement.finding.saw)
        for (statement, is_kept), case in statements
        if not is_kept and not statement.mendable
    ]
    assert not taken_back
