"""A hand whose own record contradicts itself bounds what is said of it, and of what rests on it."""

from __future__ import annotations

from functools import cache

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger import formats
from ledger.account import Account
from ledger.hand.agreement import is_contradictory
from ledger.hand.ending import HandVoided, PotAwarded
from ledger.hand.fold import fold
from ledger.hand.opening import ButtonPlaced, SeatDealtIn
from ledger.replay import HandReplay
from ledger.table.events import HandPlayed
from ledger.table.order import TableEntry
from projections.books.rulebook import BUILT_IN
from projections.findings.doubts import CONTRADICTIONS
from projections.sentences.record_doubts import contradictory
from tests.conftest import scale_examples
from tests.formats.support import read, samples
from tests.projections.pages import book_cases
from tests.projections.running import audit_of
from tests.projections.test_doubts import all_of, certain_fingerprints, hands_of, judged, wrong_evenings
from tests.projections.test_removed import nights, replace_hand

_CHIPS = {"R1", "R2"}
"""Of these the table is told, whatever else: R4 speaks of balances on the way too, and R11 of bets that were
given back."""


@cache
def hands() -> list[HandReplay]:
    """The hands of all samples and of the pages of all books."""
    hands = [
        HandReplay(item.events)
        for name in formats.NAMES
        for path in samples(name)
        for item in read(formats.get(name), path.read_bytes(), name=path.name)
        if isinstance(item, Account)
    ]
    return hands + [hand for case in book_cases() for hand in case.told.hands]


@cache
def contradictions() -> list[tuple[HandReplay, set[str]]]:
    """Every hand, with the clauses that find for certain that it contradicts itself."""
    return [
        (
            hand,
            {
                finding.clause
                for finding in audit_of(BUILT_IN).judge_hand(hand)
                if finding.clause in CONTRADICTIONS and finding.certainty == "certain"
            },
        )
        for hand in hands()
    ]


@pytest.mark.slow
def test_a_table_is_told_of_the_hands_that_the_record_finds_at_odds_with_themselves() -> None:
    odd = 0
    for hand, clauses_found in contradictions():
        reasons_told = is_contradictory(hand.final_state)
        assert reasons_told or not clauses_found & _CHIPS, (clauses_found, hand.recorded_events[0])
        assert clauses_found or not reasons_told, hand.recorded_events[0]
        odd += reasons_told
    assert odd > 10


def test_of_a_hand_that_contradicts_itself_nothing_else_is_certain() -> None:
    bounded = 0
    for hand, contradicted in contradictions():
        if not contradicted:
            continue
        for name in ("hilton", "bicycle"):
            for finding in audit_of(name).judge_hand(hand):
                is_own = finding.book == BUILT_IN and finding.clause in {*CONTRADICTIONS, "R8"}
                assert is_own or finding.certainty != "certain", finding
                bounded += not is_own
    assert bounded


def unbalanced(entries: list[TableEntry], played: dict[str, HandReplay], stream: str) -> list[TableEntry]:
    """Pay a chip too much in a hand, and tell the table of it as the import would."""
    events = list(played[stream].recorded_events)
    item_index = next(i for i, event in enumerate(events) if isinstance(event, PotAwarded))
    paid = events[item_index]
    assert isinstance(paid, PotAwarded)
    events[item_index] = msgspec.structs.replace(paid, amount=paid.amount + 1)
    played[stream] = HandReplay(events)
    assert is_contradictory(played[stream].final_state)
    return [
        entry._replace(event=msgspec.structs.replace(entry.event, contradicts=True))
        if isinstance(entry.event, HandPlayed) and entry.event.hand == stream
        else entry
        for entry in entries
    ]


@settings(max_examples=scale_examples(60), deadline=None)
@given(data=st.data())
def test_a_hand_that_contradicts_itself_makes_no_finding_surer_and_bounds_what_rests_on_it(data: st.DataObject) -> None:
    book, drawn_evening = data.draw(st.sampled_from(wrong_evenings()))
    entries, played = drawn_evening.told(), hands_of(drawn_evening)
    paid = [s for s, hand in played.items() if any(hand.events_of(PotAwarded))]
    stream = data.draw(st.sampled_from(paid))
    sound = judged(entries, played, book, {})
    number = next(t.event.number for t in entries if isinstance(t.event, HandPlayed) and t.event.hand == stream)
    odd = judged(unbalanced(entries, played, stream), played, book, {})
    own_findings = [f for f in odd.findings if f.book == BUILT_IN and f.hand.number == number]
    assert set(all_of(odd)) - {f.fingerprint for f in own_findings} == set(all_of(sound))
    assert certain_fingerprints(odd) - {f.fingerprint for f in own_findings} <= certain_fingerprints(sound)
    for finding in odd.findings:
        if finding.hand.number == number and finding.book != BUILT_IN:
            assert finding.certainty != "certain"
            assert contradictory(number) in finding.because


def test_cards_for_a_seat_that_nothing_tells_of_leave_nothing_about_the_hand_certain() -> None:
    """Hilton B10: who sits next to a button on an empty seat may not have last action, if it is empty."""
    count = 0
    for book, night in nights():
        if book != "hilton" or night.room.betting != "limit" or count > 3:
            continue
        entries, hands = night.told(), hands_of(night)
        for stream, hand in hands.items():
            events = list(hand.recorded_events)
            button = next((event.seat for event in events if isinstance(event, ButtonPlaced)), 0)
            line = next(
                (i for i, event in enumerate(events) if isinstance(event, SeatDealtIn) and event.seat == button), 0
            )
            if not line or not any(isinstance(event, HandVoided) for event in events):
                continue
            count += 1
            del events[line]
            table, replays = replace_hand(entries, hands, stream, events)
            number = fold(events).opened
            assert number is not None
            assert not [
                event
                for event in judged(table, replays, book, {}).findings
                if event.certainty == "certain" and event.hand.number == number.number
            ]
    assert count
