"""What a wrong button or blind led to: the hands until the game is back in step, and who paid too much or too little."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.audit.auditor import Auditor
from projections.audit.knock_on import POSITIONS_RIGHT, ButtonAndBlinds, KnockOn, follow_knock_on, is_table_finding
from projections.books.rulebook import load
from projections.reports.knock_on_text import describe_knock_on
from projections.table_walk.replay import make_first_checkpoint
from projections.table_walk.table_context import TableWalk
from tests.projections.test_doubts import wrong_evenings
from tests.projections.test_table_context import hand, judged, night

START = "game-started at 2026-11-21T19:00:00Z"
SEATS = (1, 2, 3, 4, 5)


def led(book: str, *parts: str, number: str = "2") -> list[KnockOn]:
    """What the findings of a hand led to."""
    evening, rules = night(START, *parts), load(book)
    findings = [
        finding
        for finding in judged(evening, book).findings
        if finding.hand.number == number and asks_of(book, finding)
    ]
    return [
        follow_knock_on(make_first_checkpoint(evening.table), rules, finding.hand.stream, finding)
        for finding in findings
    ]


def asks_of(book: str, finding: object) -> bool:
    return getattr(finding, "book", "") == book and is_table_finding(load(book), finding)  # type: ignore[arg-type]  # a finding


def ring(button: int) -> ButtonAndBlinds:
    return ButtonAndBlinds(button, button % 5 + 1, (button + 1) % 5 + 1)


def sums(knock_on: KnockOn) -> dict[int, int]:
    return {paid.seat: paid.amount for paid in knock_on.money}


@pytest.mark.parametrize("book", ["hilton", "rrop4"])
def test_a_button_that_skipped_a_player_and_was_put_right_two_hands_later(book: str) -> None:
    hands = [hand(number, button=button) for number, button in enumerate((5, 2, 3, 3, 4), 1)]
    for knock_on in led(book, *hands):
        assert [(off.number, off.recorded, off.should) for off in knock_on.hands] == [
            ("2", ring(2), ring(1)),
            ("3", ring(3), ring(2)),
        ]
        assert (knock_on.in_step, knock_on.why, knock_on.settled, knock_on.likely) == ("4", "", True, False)
        assert sums(knock_on) == {2: -5, 3: -10, 4: 5, 5: 10}
        assert "The button and blinds were right again on hand 4" in describe_knock_on(knock_on)
    assert led(book, *hands)


@pytest.mark.parametrize("book", ["hilton", "rrop4"])
@given(buttons=st.lists(st.integers(1, 5), min_size=1, max_size=7))
def test_of_a_full_ring_it_is_what_anybody_can_count(book: str, buttons: list[int]) -> None:
    """Five players who never leave: the button belongs one seat on each hand, whatever was done."""
    buttons = [5, 3, *buttons]
    knock_ons = led(book, *(hand(number, button=button) for number, button in enumerate(buttons, 1)))
    should = [(number - 2) % 5 + 1 for number in range(1, len(buttons) + 1)]
    should[0] = 5
    back = next((index for index in range(2, len(buttons)) if buttons[index] == should[index]), None)
    wrong = range(1, len(buttons) if back is None else back)
    paid = dict.fromkeys(SEATS, 0)
    for index in wrong:
        spots, right_spot = ring(buttons[index]), ring(should[index])
        for places, sign in ((spots, 1), (right_spot, -1)):
            assert places.small is not None
            assert places.big is not None
            paid[places.small] += 5 * sign
            paid[places.big] += 10 * sign
    assert knock_ons
    for knock_on in knock_ons:
        assert [off.number for off in knock_on.hands] == [str(index + 1) for index in wrong]
        assert knock_on.in_step == ("" if back is None else str(back + 1))
        assert bool(knock_on.why) is (back is None)
        assert sums(knock_on) == {seat: chips for seat, chips in paid.items() if chips}
        assert sum(sums(knock_on).values()) == 0
        assert all(sum(share.amount for share in off.money) == 0 for off in knock_on.hands)


def test_missing_hands_end_what_can_be_told() -> None:
    (knock_on, *_) = led("rrop4", hand(1, button=5), hand(2, button=2), hand(9, button=3, seats=(1, 6, 7, 8)))
    assert [off.number for off in knock_on.hands] == ["2"]
    assert knock_on.in_step == ""
    assert "unclear what was due on hand 9 (" in knock_on.why
    assert "The record doesn't show when the button and blinds were right again" in describe_knock_on(knock_on)


def test_the_last_hand_on_record_is_no_way_back() -> None:
    (knock_on, *_) = led("rrop4", hand(1, button=5), hand(2, button=2))
    assert (knock_on.in_step, knock_on.settled) == ("", False)
    assert knock_on.why == "the record ends with hand 2"


def test_a_hand_that_did_not_count_led_to_nothing_and_moves_no_chips_on_the_way() -> None:
    evening = night(START, hand(1, button=5), hand(2, "misdeal", button=2), hand(3, button=2), hand(4, button=2))
    streams = {
        hand_replay.final_state.opened.number: hand_replay.stream.hex
        for hand_replay in evening.hands
        if hand_replay.stream and hand_replay.final_state.opened
    }
    first = follow_knock_on(make_first_checkpoint(evening.table), load("rrop4"), streams["2"])
    assert (first.hands, first.why) == ([], "the hand did not count")
    assert describe_knock_on(first) == "We can't tell what it affected: the hand did not count."
    wrong = night(START, hand(1, button=5), hand(2, button=2), hand(3, "misdeal", button=3), hand(4, button=4))
    streams = {
        hand_replay.final_state.opened.number: hand_replay.stream.hex
        for hand_replay in wrong.hands
        if hand_replay.stream and hand_replay.final_state.opened
    }
    knock_on = follow_knock_on(make_first_checkpoint(wrong.table), load("rrop4"), streams["2"])
    assert [(off.number, bool(off.untold), bool(off.money)) for off in knock_on.hands[:2]] == [
        ("2", False, True),
        ("3", True, False),
    ]


def test_a_finding_that_is_not_about_places_led_to_nothing() -> None:
    evening = night(hand(1, button=5), hand(2, "4 straddles 20", "5 straddles 40 restraddle", "deal done", "1 folds"))
    findings = [finding for finding in judged(evening, "hilton").findings if finding.clause == "B8a.1"]
    assert findings
    assert not any(is_table_finding(load("hilton"), finding) for finding in findings)
    knock_on = follow_knock_on(make_first_checkpoint(evening.table), load("hilton"), findings[0].hand.stream)
    assert (knock_on.hands, knock_on.why) == ([], POSITIONS_RIGHT)


def test_what_rests_on_a_likely_finding_is_likely() -> None:
    evening, rules = night(START, hand(1, button=5), hand(2, button=2), hand(3, button=2)), load("rrop4")
    finding = next(one for one in judged(evening, "rrop4").findings if one.book == "rrop4")
    doubtful = msgspec.structs.replace(finding, certainty="likely")
    one = follow_knock_on(make_first_checkpoint(evening.table), rules, doubtful.hand.stream, doubtful)
    assert one.likely
    assert describe_knock_on(one).startswith("This is likely, not certain. ")


@pytest.mark.slow
def test_where_the_book_leaves_the_hand_itself_open_it_says_so() -> None:
    """On every evening with something wrong: hands are told, or why they cannot be."""
    whys = set()
    for book, drawn_evening in wrong_evenings():
        rules = load(book)
        audit, table = Auditor([rules]), TableWalk([rules])
        for index, sat in enumerate(table.contexts(drawn_evening.told())):
            for finding in audit.judge_hand(drawn_evening.played[index], sat):
                if finding.book == book and is_table_finding(rules, finding):
                    knock_on = follow_knock_on(
                        make_first_checkpoint(drawn_evening.told()), rules, sat.hand.hand, finding
                    )
                    assert bool(knock_on.in_step) is not bool(knock_on.why)
                    assert describe_knock_on(knock_on)
                    whys.add(knock_on.why if not knock_on.hands else "")
    assert {"", POSITIONS_RIGHT} < whys
