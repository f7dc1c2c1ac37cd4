"""A hand that ends counts as ended, whoever won: button and blinds go on from it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.hand.ending import PotAwarded
from ledger.hand.fold import fold
from ledger.table.events import HandPlayed
from ledger.table.played import build_hand_played
from ledger.vocabulary import Seat
from projections.books.rulebook import load
from projections.obligations.dues import Placement
from projections.table_walk.table_context import TableWalk
from tests.conftest import scale_examples
from tests.laws import size
from tests.projections.pages import column, evening
from tests.projections.test_doubts import hands_of, judged
from tests.projections.test_removed import nights

BOOKS = ("hilton", "rrop4", "bicycle")
PROFILES = ("dealer-notes", "floor-form", "online-room", "live-table", "button blind-positions posts awards")
ENDINGS = ("end", "completed; end")
HEADER = (
    "game holdem no-limit cash blinds 1/2 unit USD 0\nwitness {profile} except acts burns board shuffles showdown\n"
)


def night(hands: list[str], *, profile: str = "dealer-notes", ending: str = "end") -> str:
    """Write an evening of hands `button small big: seats`, each with one ending; `-` begins a fact between hands."""
    lines, number = [HEADER.format(profile=profile)], 0
    for hand in hands:
        if hand.startswith("-"):
            lines.append(hand[1:].strip())
            continue
        number += 1
        places, seats = hand.split(":")
        button, small, big = places.split()
        lines += [f"hand {number}", *(f"seat {seat} P{seat} ?" for seat in seats.split())]
        lines += [f"button {button}; {small} posts small 1; {big} posts big 2; deal done", ending]
    return "\n".join(lines) + "\n"


def find_clauses(text: str, book: str) -> list[tuple[int, str]]:
    """Return what a book finds in an evening: hand and clause."""
    drawn_evening = evening(text, column(book))
    hands = {hand.stream.hex: hand for hand in drawn_evening.hands if hand.stream}
    result = judged(list(drawn_evening.table), hands, book, {})
    return [
        (int(drawn_evening.hand.number), drawn_evening.clause)
        for drawn_evening in result.findings
        if drawn_evening.book == book
    ]


def _places(placements: tuple[Placement, ...]) -> list[tuple[Seat | None, ...]]:
    return [(placement.button, placement.small, placement.big) for placement in placements]


TO_HEADS_UP = ["3 1 2: 1 2 3", "1 2 3: 1 2 3", "-2 leaves P2", "3 3 1: 1 3"]
HEADS_UP = ["1 1 3: 1 3", "3 3 1: 1 3", "1 1 3: 1 3", "3 3 1: 1 3"]
REPEATED = ["1 2 3: 1 2 3 4 5", "2 3 4: 1 2 3 4 5", "2 3 4: 1 2 3 4 5"]


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("ending", [*ENDINGS, "stop"])
@pytest.mark.parametrize("profile", PROFILES)
def test_nothing_is_found_where_the_button_goes_on_whoever_won(profile: str, ending: str, book: str) -> None:
    for hands in (TO_HEADS_UP, HEADS_UP):
        assert not find_clauses(night(hands, profile=profile, ending=ending), book)


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("profile", PROFILES)
def test_a_button_that_stays_is_found_whoever_won(profile: str, ending: str, book: str) -> None:
    assert {hand for hand, _ in find_clauses(night(REPEATED, profile=profile, ending=ending), book)} == {3}


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("ending", ["stop", "misdeal; end", "voided misdeal; end", "voided cancelled; end"])
def test_where_a_hand_did_not_end_its_button_may_stay(ending: str, book: str) -> None:
    assert not find_clauses(night(REPEATED, ending=ending), book)


@settings(max_examples=scale_examples(size(40, 400)), deadline=None)
@given(data=st.data())
@pytest.mark.law
def test_who_won_has_no_bearing_on_where_button_and_blinds_go(data: st.DataObject) -> None:
    """Of any hands of an evening nobody is recorded as winner: the places of the next hands are the same."""
    book, drawn_evening = data.draw(st.sampled_from(nights()))
    entries, hands = drawn_evening.told(), hands_of(drawn_evening)
    unpaid = data.draw(st.sets(st.sampled_from(list(hands)), min_size=1))
    table = []
    for entry in entries:
        event = entry.event
        if isinstance(event, HandPlayed) and event.hand in unpaid:
            events = [act for act in hands[event.hand].recorded_events if not isinstance(act, PotAwarded)]
            hand_played = build_hand_played(fold(events), event.hand)
            assert (hand_played.completed, hand_played.voided) == (event.completed, event.voided)
            entry = entry._replace(event=hand_played)  # noqa: PLW2901 - the same entry without winners
        table.append(entry)
    placements_before, placements_after = (
        [sat[book].due_positions.placements for sat in TableWalk([load(book)]).contexts(walked)]
        for walked in (entries, table)
    )
    assert [_places(drawn_evening) for drawn_evening in placements_before] == [
        _places(drawn_evening) for drawn_evening in placements_after
    ]
