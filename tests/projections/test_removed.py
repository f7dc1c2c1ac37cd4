"""Taking something away from a record makes nothing surer: a line unread or gone, a hand gone.

What is certain of the remainder and was not certain of the whole would be an accusation that a fuller
record disproves. `UNKNOWABLE` names what nothing in the remainder can show, and why.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.event import Event
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.events import HandEvent
from ledger.hand.fold import fold
from ledger.presence import MarkerGiven, MarkerTaken
from ledger.replay import HandReplay
from ledger.table.events import HandPlayed, TableOpened
from ledger.table.order import TableEntry
from ledger.table.played import build_hand_played
from projections.audit.audit_result import AuditResult
from projections.books.rulebook import BUILT_IN
from projections.findings.doubts import CONTRADICTIONS, UnreadLines
from tests.conftest import scale_examples, thin_out
from tests.evenings import ROOMS, Evening, evening
from tests.evenings.natural import natural
from tests.laws import size
from tests.projections.pages import Case, book_cases
from tests.projections.test_doubts import hands_of, judged, wrong_evenings

UNKNOWABLE: dict[type[Event], str] = {
    b.Checked: "a check that nobody wrote down looks like a turn that was passed over",
    d.CardBurned: "a burn that nobody wrote down looks like one that was forgotten",
    d.BoardDealt: "a street that nobody wrote down looks like one that was passed over",
    d.DeckShuffled: "a shuffle that nobody wrote down looks like one that was forgotten",
    d.DeckCut: "a cut that nobody wrote down looks like one that was forgotten",
    d.CardExposed: "a card that nobody saw lies face down: the misdeal for it looks like one without a cause",
    d.MisdealDeclared: "a misdeal that nobody wrote down leaves a hand that counts, with its button and blinds",
    b.HandKilled: "a hand that nobody killed in the record looks like one that was left lying",
    e.CardsShown: "cards that are not shown in the record look like cards that stayed down",
    e.CardsMucked: "cards that nobody let go of look like cards that were kept",
    o.BlindPosted: "a blind that is not on record was not posted, as far as the record tells",
    o.AntePosted: "an ante that is not on record was not posted, as far as the record tells",
    o.StraddlePosted: "without the straddle the betting opens elsewhere, and nothing shows it",
    o.PermissionGranted: "what was allowed looks forbidden without the word that allowed it",
    o.OptionSet: "what the house's option allows looks forbidden without it",
    o.Agreed: "what was agreed looks wrong without the agreement",
    o.ButtonPlaced: "the button is then where it was last told to be",
    o.SeatLeftOut: "who is not named is taken to be gone, or left out, by what else is told",
    o.GameSet: "the game is then another one",
    o.HandOpened: "nothing tells which hand it is",
    MarkerGiven: "a marker that nobody wrote down looks like one that was not given",
    MarkerTaken: "a marker that is not told to be taken away lies there still",
}
"""Kinds of line whose silent absence is what their clauses speak against."""

FindingKeys = set[tuple[str, str, int | None]]


def certain(result: AuditResult, *, with_record: bool) -> FindingKeys:
    """What is certain: hand, clause, seat. `own`: also that a record contradicts itself or was not read."""
    return {
        (f.hand.number, f.clause, f.seat)
        for f in result.findings
        if f.certainty == "certain"
        and (with_record or f.book != BUILT_IN or f.clause not in {*CONTRADICTIONS, "R8", "R9"})
    }


def replace_hand(
    entries: list[TableEntry], hands: dict[str, HandReplay], stream: str, events: list[HandEvent]
) -> tuple[list[TableEntry], dict[str, HandReplay]]:
    """A table of which one hand is told with other events."""
    line = build_hand_played(fold(events), stream)
    table = [
        entry._replace(event=line) if isinstance(entry.event, HandPlayed) and entry.event.hand == stream else entry
        for entry in entries
    ]
    return table, {**hands, stream: HandReplay(events)}


@cache
def nights() -> list[tuple[str, Evening]]:
    """Legal evenings, as told and as people write them, and evenings with one wrong."""
    sound = [evening(room, seed, 8) for room in ROOMS for seed in (3, 4)]
    return [
        *((item.room.book, item) for item in sound),
        *((item.room.book, natural(item)) for item in sound),
        *wrong_evenings(),
    ]


@cache
def complete_evening(evening_index: int) -> tuple[list[TableEntry], dict[str, HandReplay], FindingKeys]:
    book, drawn_evening = nights()[evening_index]
    entries, hands = drawn_evening.told(), hands_of(drawn_evening)
    return entries, hands, certain(judged(entries, hands, book, {}), with_record=True)


def nothing_surer(findings_found: FindingKeys, certain_before: FindingKeys, removed: object) -> None:
    """What is certain was so before: by the same clause, or of the same seat on the same hand by another.

    A book may have a closer clause for the first revolution of a game; without the hand that shows the
    game's beginning the general one speaks of the same missing post. So it is with a button in a wrong
    seat: who should have had it is named by the closer clause, the general one names nobody.
    """
    new = newly(findings_found, certain_before)
    assert not new, (removed, new)


def newly(findings_found: FindingKeys, certain_before: FindingKeys) -> FindingKeys:
    """Return what is certain and was not."""
    seats = {(hand, seat) for hand, _, seat in certain_before}
    hands = {hand for hand, _, _ in certain_before}
    return {
        finding_key
        for finding_key in findings_found - certain_before
        if (finding_key[0], finding_key[2]) not in seats and not (finding_key[2] is None and finding_key[0] in hands)
    }


def surer(
    entries: list[TableEntry],
    hands: dict[str, HandReplay],
    book: str,
    certain_before: FindingKeys,
    stream: str,
    events: list[HandEvent],
) -> FindingKeys:
    """Return what becomes certain where one hand is told with other events."""
    table, reduced = replace_hand(entries, hands, stream, events)
    unread_lines = (
        {stream: UnreadLines(in_hand=True)} if any(isinstance(event, e.LineUnread) for event in events) else {}
    )
    return newly(certain(judged(table, reduced, book, unread_lines), with_record=False), certain_before)


@pytest.mark.slow
@settings(max_examples=scale_examples(150), deadline=None)
@given(data=st.data())
def test_a_line_of_a_hand_that_was_not_read_makes_nothing_surer(data: st.DataObject) -> None:
    evening_index = data.draw(st.integers(0, len(nights()) - 1))
    entries, hands, certain_before = complete_evening(evening_index)
    stream = data.draw(st.sampled_from(list(hands)))
    events = list(hands[stream].recorded_events)
    line = data.draw(st.integers(1, len(events) - 1))
    removed_event, events[line] = events[line], e.LineUnread("x")
    table, reduced = replace_hand(entries, hands, stream, events)
    result = judged(table, reduced, nights()[evening_index][0], {stream: UnreadLines(in_hand=True)})
    nothing_surer(certain(result, with_record=False), certain_before, removed_event)


@settings(max_examples=scale_examples(60), deadline=None)
@given(data=st.data())
def test_a_fact_between_hands_that_was_not_read_makes_nothing_surer(data: st.DataObject) -> None:
    evening_index = data.draw(st.integers(0, len(nights()) - 1))
    entries, hands, certain_before = complete_evening(evening_index)
    facts = [i for i, t in enumerate(entries) if not isinstance(t.event, HandPlayed | TableOpened)]
    if not facts:
        return
    line = data.draw(st.sampled_from(facts))
    table = [*entries]
    table[line] = entries[line]._replace(event=e.LineUnread("x"))
    result = judged(table, hands, nights()[evening_index][0], {})
    nothing_surer(certain(result, with_record=False), certain_before, entries[line].event)


@pytest.mark.slow
@settings(max_examples=scale_examples(150), deadline=None)
@given(data=st.data())
def test_a_line_of_a_hand_that_is_gone_makes_nothing_surer_where_the_rest_can_show_it(data: st.DataObject) -> None:
    evening_index = data.draw(st.integers(0, len(nights()) - 1))
    entries, hands, certain_before = complete_evening(evening_index)
    stream = data.draw(st.sampled_from(list(hands)))
    events = list(hands[stream].recorded_events)
    lines = [i for i, event in enumerate(events) if type(event) not in UNKNOWABLE]
    removed_event = events.pop(data.draw(st.sampled_from(lines)))
    table, reduced = replace_hand(entries, hands, stream, events)
    result = judged(table, reduced, nights()[evening_index][0], {})
    nothing_surer(certain(result, with_record=False), certain_before, removed_event)


@settings(max_examples=scale_examples(60), deadline=None)
@given(data=st.data())
def test_a_hand_that_is_gone_makes_nothing_surer(data: st.DataObject) -> None:
    """Its number shows the hole, as the source counts the hands of its table."""
    evening_index = data.draw(st.integers(0, len(nights()) - 1))
    entries, hands, certain_before = complete_evening(evening_index)
    stream = data.draw(st.sampled_from(list(hands)[1:-1] or list(hands)))
    table = [entry for entry in entries if not (isinstance(entry.event, HandPlayed) and entry.event.hand == stream)]
    reduced = {key: hand for key, hand in hands.items() if key != stream}
    nothing_surer(
        certain(judged(table, reduced, nights()[evening_index][0], {}), with_record=False), certain_before, stream
    )


def alone(case: Case) -> tuple[list[TableEntry], dict[str, HandReplay]]:
    entries = case.told
    return list(entries.table), {hand.stream.hex: hand for hand in entries.hands if hand.stream}


def spoilt(case: Case, lines: Iterable[tuple[int, int]] = ()) -> None:
    """Make lines of a page's hands unread, one after the other; without `lines` any of them."""
    entries, hands = alone(case)
    certain_before = certain(judged(entries, hands, case.book, {}), with_record=True)
    streams = list(hands)
    every = [(h, i) for h, s in enumerate(streams) for i in range(1, len(hands[s].recorded_events))]
    for hand, line in lines or thin_out(every):
        events = list(hands[streams[hand]].recorded_events)
        removed_event, events[line] = events[line], e.LineUnread("x")
        table, reduced = replace_hand(entries, hands, streams[hand], events)
        unread_lines = {streams[hand]: UnreadLines(in_hand=True)}
        result = judged(table, reduced, case.book, unread_lines)
        nothing_surer(certain(result, with_record=False), certain_before, (case.name, hand, line, removed_event))


@pytest.mark.slow
@settings(max_examples=scale_examples(200), deadline=None)
@given(data=st.data())
def test_no_line_of_a_page_that_was_not_read_makes_anything_surer(data: st.DataObject) -> None:
    case = data.draw(st.sampled_from([one for one in book_cases() if one.book != BUILT_IN]))
    hands = case.told.hands
    hand = data.draw(st.integers(0, len(hands) - 1))
    events = hands[hand].recorded_events
    if len(events) > 1:
        spoilt(case, [(hand, data.draw(st.integers(1, len(events) - 1)))])


def test_who_takes_a_chair_that_another_played_over_may_be_the_one_whose_it_is() -> None:
    back = "the big blind comes while another plays over, and the holder is back for the small one"
    titles = ("whose chair it is comes back", back)
    for case in [one for one in book_cases() if one.name in {f"rrop4 blinds.6: {title}" for title in titles}]:
        spoilt(case)


EARLIER_MISTAKES = (
    "hilton B12b.4: two are away, and the first of them is due the button",
    "hilton B12b.4: the button is due past the last seat: two are away",
    "hilton B14.2: who owed blinds gives up the chair and sits down again (2)",
)
"""Pages of which a missing line made something certain that it does not show."""


@pytest.mark.parametrize("name", EARLIER_MISTAKES)
def test_no_line_of_a_page_that_was_once_too_sure_makes_anything_surer(name: str) -> None:
    spoilt(next(case for case in book_cases() if case.name == name))


@pytest.mark.law
@pytest.mark.slow
@pytest.mark.parametrize("book", ["hilton", "rrop4", "bicycle", "house-burn", "tda2024"])
def test_no_line_of_any_page_that_was_not_read_makes_anything_surer(book: str) -> None:
    cases = [one for one in book_cases() if one.book == book]
    for case in cases[:: max(1, len(cases) // size(20, len(cases)))]:
        spoilt(case)
