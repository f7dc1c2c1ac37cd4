"""A finding about a misplaced button or blind marks the event and names the seat that its headline is about."""

from __future__ import annotations

import re
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.hand.opening import BlindPositionPlaced, BlindPosted, ButtonPlaced
from projections.books.rulebook import load
from projections.findings.finding import Finding
from projections.sentences.words import blind_name
from tests.laws import size
from tests.projections.pages import Case, column
from tests.projections.running import run
from tests.projections.test_positions import LIMIT, first, hand

COLUMNS: Final = ("hilton", "rrop4/dead", "rrop4/moving", "bicycle")
POSITION_MODULES: Final = ("placing", "button", "blinds")


def placed_wrong(column_name: str, *parts: str) -> list[tuple[Finding, object]]:
    """Return the findings about positions of the last of some hands, each with the event that it marks."""
    case = Case("worked", "", "", column(column_name), True, LIMIT + "\n" + "\n".join(parts))
    told, book = case.told.hands, load(case.book)
    return [
        (finding, list(told[number - 1].events)[finding.version - 1])
        for number, finding in run(case).findings
        if number == len(told)
        and finding.book == case.book
        and book.clauses[finding.clause].entry.detector.partition(".")[0] in POSITION_MODULES
    ]


def seats_in(headline: str) -> list[int]:
    return [int(seat) for seat in re.findall(r"(?:seats? |, | and )(\d+)", headline, re.IGNORECASE)]


def disagreement(finding: Finding, event: object) -> str:
    """Return in what the marked event or the named seat isn't that of the headline; "" = they agree."""
    named_seats = seats_in(finding.saw)
    if finding.seat is not None and named_seats and finding.seat not in named_seats:
        return "the seat"
    if isinstance(event, ButtonPlaced):
        return "" if "button" in finding.saw.lower() else "the event is the button's"
    if isinstance(event, BlindPosted | BlindPositionPlaced):
        skips, is_about_button = " skip" in finding.saw, "follow the button" in finding.saw
        if blind_name(event.role) not in finding.saw and not is_about_button:
            return "the event is another blind's"
        if not skips and not is_about_button and event.seat != named_seats[0]:
            return "the event is another seat's"
        return "" if skips or finding.seat in (None, event.seat) else "the seat isn't the event's"
    is_missing = re.search(r"Nobody posted|didn't post|Betting began without|skipped|last action", finding.saw)
    return "" if is_missing else "the event isn't a post"


@pytest.mark.law
@settings(max_examples=size(40, 1500), deadline=None)
@given(data=st.data())
def test_headline_seat_and_event_are_about_one_post(data: st.DataObject) -> None:
    column_name = data.draw(st.sampled_from(COLUMNS))
    gone = data.draw(st.sets(st.integers(2, 6), max_size=2))
    seats = tuple(seat for seat in range(1, 7) if seat not in gone)
    posters = data.draw(st.lists(st.tuples(st.sampled_from(seats), st.sampled_from(["small", "big"])), max_size=3))
    posts = [f"{seat} posts {role} {5 if role == 'small' else 10}" for seat, role in dict(posters).items()]
    leaves = [f"{seat} leaves P{seat}" for seat in sorted(gone)]
    button = data.draw(st.integers(1, 6))
    opener = data.draw(st.sampled_from(seats))
    last = hand(2, button, *posts, seats=seats, opener=opener)
    found = placed_wrong(column_name, first(), *leaves, last)
    versions = [finding.version for finding, _ in found]
    assert versions == sorted(versions), "the findings of a hand are in the order of their events"
    for finding, event in found:
        wrong = disagreement(finding, event)
        assert not wrong, f"{wrong}: {finding.citation} seat {finding.seat} at {event}: {finding.saw}"


POSTED_ONE_ON: Final = hand(2, 2, "4 posts small 5", "5 posts big 10", seats=(1, 2, 4, 5, 6), opener=6)
"""After seat 3 left, its dead small blind was posted, and so the big blind went past seat 4."""


def test_a_big_blind_from_a_wrong_seat_is_marked_though_a_small_one_comes_first() -> None:
    ((finding, event),) = placed_wrong("rrop4/dead", first(), "3 leaves P3", POSTED_ONE_ON)
    assert finding.saw == "Wrong seat posted the big blind: seat 5 instead of seat 4"
    assert finding.seat == 5
    assert isinstance(event, BlindPosted)
    assert (event.seat, event.role) == (5, "big")


def test_a_blind_that_skipped_a_seat_is_marked() -> None:
    ((finding, event),) = placed_wrong("hilton", first(), "3 leaves P3", POSTED_ONE_ON)
    assert (finding.saw, finding.seat) == ("The big blind skipped seat 4", 4)
    assert isinstance(event, BlindPosted)
    assert (event.seat, event.role) == (5, "big")
