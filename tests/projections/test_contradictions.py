"""A hand whose own record contradicts itself bounds what is said of it, and of what rests on it."""

from __future__ import annotations

from functools import cache

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger import formats
from ledger.account import Account
from ledger.hand.agreement import contradicts_itself
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


def test_a_table_is_told_of_the_hands_that_the_record_finds_at_odds_with_themselves() -> None:
    odd = 0
    for hand, found in contradictions():
        told = contradicts_itself(hand.final_state)
        assert told or not found & _CHIPS, (found, hand.recorded_events[0])
        assert found or not told, hand.recorded_events[0]
        odd += told
    assert odd > 10


def test_of_a_hand_that_contradicts_itself_nothing_else_is_certain() -> None:
    bounded = 0
    for hand, contradicted in contradictions():
        if not contradicted:
            continue
        for name in ("hilton", "bicycle"):
            for finding in audit_of(name).judge_hand(hand):
                own = finding.book == BUILT_IN and finding.clause in {*CONTRADICTIONS, "R8"}
                assert own or finding.certainty != "certain", finding
                bounded += not own
    assert bounded


def unbalanced(told: list[TableEntry], played: dict[str, HandReplay], stream: str) -> list[TableEntry]:
    """Pay a chip too much in a hand, and tell the table of it as the import would."""
    events = list(played[stream].recorded_events)
    at = next(i for i, event in enumerate(events) if isinstance(event, PotAwarded))
    paid = events[at]
    assert isinstance(paid, PotAwarded)
    events[at] = msgspec.structs.replace(paid, amount=paid.amount + 1)
    played[stream] = HandReplay(events)
    assert contradicts_itself(played[stream].final_state)
    return [
        one._replace(event=msgspec.structs.replace(one.event, contradicts=True))
        if isinstance(one.event, HandPlayed) and one.event.hand == stream
        else one
        for one in told
    ]


@settings(max_examples=scale_examples(60), deadline=None)
@given(data=st.data())
def test_a_hand_that_contradicts_itself_makes_no_finding_surer_and_bounds_what_rests_on_it(data: st.DataObject) -> None:
    book, one = data.draw(st.sampled_from(wrong_evenings()))
    told, played = one.told(), hands_of(one)
    paid = [s for s, hand in played.items() if any(hand.events_of(PotAwarded))]
    stream = data.draw(st.sampled_from(paid))
    sound = judged(told, played, book, {})
    number = next(t.event.number for t in told if isinstance(t.event, HandPlayed) and t.event.hand == stream)
    odd = judged(unbalanced(told, played, stream), played, book, {})
    mine = [f for f in odd.findings if f.book == BUILT_IN and f.hand.number == number]
    assert set(all_of(odd)) - {f.fingerprint for f in mine} == set(all_of(sound))
    assert certain_fingerprints(odd) - {f.fingerprint for f in mine} <= certain_fingerprints(sound)
    for finding in odd.findings:
        if finding.hand.number == number and finding.book != BUILT_IN:
            assert finding.certainty != "certain"
            assert contradictory(number) in finding.because


def test_cards_for_a_seat_that_nothing_tells_of_leave_nothing_about_the_hand_certain() -> None:
    """Hilton B10: who sits next to a button on an empty seat may not have last action, if it is empty."""
    seen = 0
    for book, night in nights():
        if book != "hilton" or night.room.betting != "limit" or seen > 3:
            continue
        told, hands = night.told(), hands_of(night)
        for stream, hand in hands.items():
            events = list(hand.recorded_events)
            button = next((one.seat for one in events if isinstance(one, ButtonPlaced)), 0)
            line = next((i for i, one in enumerate(events) if isinstance(one, SeatDealtIn) and one.seat == button), 0)
            if not line or not any(isinstance(one, HandVoided) for one in events):
                continue
            seen += 1
            del events[line]
            table, rest = replace_hand(told, hands, stream, events)
            number = fold(events).opened
            assert number is not None
            assert not [
                one
                for one in judged(table, rest, book, {}).findings
                if one.certainty == "certain" and one.hand.number == number.number
            ]
    assert seen
