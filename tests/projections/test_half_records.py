"""Half a record is judged as far as it goes: lines left out, told in another order, or nobody's seat told."""

from __future__ import annotations

from contextlib import suppress
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.errors import HandledgerError
from ledger.hand import opening as o
from ledger.hand.events import HandEvent
from ledger.hand.fold import fold
from ledger.replay import HandReplay
from ledger.table.events import HandPlayed
from ledger.table.played import build_hand_played
from projections.audit.audit_result import AuditResult
from projections.audit.auditor import Auditor
from projections.books.rulebook import Rulebook, load
from projections.reports.fact_names import describe_fact
from projections.table_walk.table_context import TableWalk
from tests.conftest import scale_examples
from tests.projections.pages import Case, book_cases


@cache
def books() -> list[Rulebook]:
    return [load(name) for name in ("hilton", "rrop4", "bicycle", "tda2024", "house-burn")]


def judged(case: Case, stream: str, events: list[HandEvent]) -> AuditResult:
    """Judge a case's hands under all books, one of them told with other events."""
    hands = {hand.stream.hex: hand for hand in case.told.hands if hand.stream}
    line, hands[stream] = build_hand_played(fold(events), stream), HandReplay(events)
    entries = [
        entry._replace(event=line) if isinstance(entry.event, HandPlayed) and entry.event.hand == stream else entry
        for entry in case.told.table
    ]
    audit, table = Auditor(books()), TableWalk(books())
    for sat in table.contexts(entries):
        audit.judge_hand(hands[sat.hand.hand], sat)
    table.find_next_dues()
    return audit.result()


@pytest.mark.slow
@settings(max_examples=scale_examples(400), deadline=None)
@given(data=st.data())
def test_lines_that_are_missing_or_in_another_order_end_no_judgement(data: st.DataObject) -> None:
    case = data.draw(st.sampled_from(book_cases()), label="case")
    stream, hand = data.draw(st.sampled_from([(entry.stream.hex, entry) for entry in case.told.hands if entry.stream]))
    first, *later_events = hand.recorded_events
    unseated = data.draw(st.booleans(), label="nobody is dealt in")
    kept_events = [
        entry
        for entry in later_events
        if not (unseated and isinstance(entry, o.SeatDealtIn)) and data.draw(st.integers(0, 9))
    ]
    if data.draw(st.booleans(), label="shuffled"):
        kept_events = data.draw(st.permutations(kept_events))
    with suppress(HandledgerError):  # such a hand is not recorded: the reader of its lines says so
        judged(case, stream, [first, *kept_events])


def test_a_hand_that_does_not_say_who_was_dealt_in_is_not_judged_by_who_was() -> None:
    case = next(case for case in book_cases() if case.book == "hilton" and len(case.told.hands) == 1)
    [hand] = case.told.hands
    assert hand.stream is not None
    events = [
        recorded_event for recorded_event in hand.recorded_events if not isinstance(recorded_event, o.SeatDealtIn)
    ]
    result = judged(case, hand.stream.hex, events)
    assert not [finding for finding in result.findings if finding.book != "record"]
    facts = {name.fact for row in result.coverage for name in row.missing}
    assert "dealt-in" in facts
    assert describe_fact("dealt-in") == "who was dealt in"
