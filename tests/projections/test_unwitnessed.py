"""What a record states is judged whatever its source records; what it does not state proves nothing without a witness."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import cache

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.account import Account
from ledger.formats.handscript import read_with_comments, write_told
from ledger.formats.handscript.context import Settings
from ledger.formats.handscript.live import LiveLines
from ledger.formats.handscript.slots import read_witness_set
from ledger.hand.dealing import MisdealDeclared
from ledger.hand.ending import HandVoided
from ledger.hand.events import HandEvent
from ledger.hand.fold import fold
from ledger.hand.opening import Agreed, ButtonPlaced, OptionSet, PermissionGranted, SeatLeftOut
from ledger.people import People
from ledger.replay import HandReplay
from ledger.table.events import HandPlayed
from ledger.table.order import TableEntry
from ledger.table.played import build_hand_played
from ledger.vocabulary import Witness
from projections.audit.audit_result import AuditResult
from projections.books.rulebook import BUILT_IN
from projections.findings.detector import WITNESS_OF_EVENT
from tests.conftest import scale_examples
from tests.laws import size
from tests.projections.pages import column, evening
from tests.projections.test_doubts import judged
from tests.projections.test_removed import complete_evening, nights

PROFILES = ("", "witness burns", "witness floor-form", "witness dealer-notes", "witness live-table", "witness acts")
HEAD = "handscript 1\nvenue R table 1 seats 9\n{witness}\ngame holdem no-limit cash blinds 5/10 unit USD 0\n"


def hand(number: int, button: int, *, posts: str = "", later_lines: str = "") -> str:
    """Write a hand of five players; by default with the blinds behind the button, and no acts."""
    small, big = button % 5 + 1, (button + 1) % 5 + 1
    seats = "\n".join(f"seat {seat} P{seat} ?" for seat in range(1, 6))
    blinds = posts or f"{small} posts small 5; {big} posts big 10"
    return f"hand {number}\n{seats}\nbutton {button}; {blinds}; deal done; {later_lines}end\n"


def result_of(text: str, book: str, witness: str = "") -> AuditResult:
    drawn_evening = evening(HEAD.format(witness=witness) + text, column(book))
    return judged(
        list(drawn_evening.table), {hand.stream.hex: hand for hand in drawn_evening.hands if hand.stream}, book, {}
    )


def find_clauses(text: str, book: str, witness: str = "") -> set[tuple[str, str]]:
    findings = result_of(text, book, witness).findings
    return {
        (finding.hand.number, clause)
        for finding in findings
        for clause in (finding.clause, *finding.also)
        if finding.book == book
    }


@pytest.mark.parametrize("witness", PROFILES)
def test_a_posted_20_at_5_10_is_found_whatever_the_profile(witness: str) -> None:
    assert ("1", "B7") in find_clauses(hand(1, 1, posts="2 posts small 5; 3 posts big 20"), "hilton", witness)


@pytest.mark.parametrize("book", ["hilton", "bicycle", "rrop4"])
@pytest.mark.parametrize("witness", [*PROFILES, "witness posts acts", "witness dealer-notes except posts"])
def test_a_button_twice_in_one_seat_is_found_whatever_the_profile(witness: str, book: str) -> None:
    assert {number for number, _ in find_clauses(REPEATED, book, witness)} == {"3"}


REPEATED = hand(1, 1) + hand(2, 2) + hand(3, 2, posts="4 posts small 5; 5 posts big 10")
"""Three hands of which the third has the button where it was, and the blinds where they belong."""


@pytest.mark.parametrize("book", ["hilton", "bicycle", "rrop4"])
def test_a_button_that_its_writer_does_not_trust_accuses_nobody(book: str) -> None:
    """A room's text that has no button is written so, and older exports mark the button as derived."""
    for witness in ("witness dealer-notes except button", "witness posts acts except button"):
        assert not find_clauses(REPEATED, book, witness)
    derived = re.sub(r"(button \d);", r"\1 derived;", REPEATED)
    assert derived != REPEATED
    assert not find_clauses(derived, book, "witness posts acts")
    assert find_clauses(derived, book, "witness posts acts written-button")


def test_a_list_without_the_button_does_not_take_a_missing_button_line_for_a_fact() -> None:
    silent = re.sub(r"button \d; ", "", REPEATED)
    for book in ("hilton", "bicycle", "rrop4"):
        assert not find_clauses(silent, book, "witness posts acts")
        rows = [row for row in result_of(silent, book, "witness posts acts").coverage if row.book == book]
        assert any(missing_fact.fact == "button" for row in rows for missing_fact in row.missing)


@pytest.mark.parametrize("witness", ["witness board", "witness dealer-notes", "witness live-table"])
def test_a_burn_too_many_is_found_though_burns_are_not_always_noted(witness: str) -> None:
    twice = hand(1, 1, later_lines="4 5 1 fold; 2 calls; 3 checks; burn flop; burn flop; flop Ah 7c 2d; ")
    assert ("1", "intro.1b") in find_clauses(twice, "hilton", witness)
    never = twice.replace("burn flop; ", "")
    assert (("1", "intro.1b") in find_clauses(never, "hilton", witness)) == (witness == "witness live-table")


def test_what_is_not_written_proves_nothing_without_a_witness_and_is_not_called_clean() -> None:
    text = (
        hand(1, 1, posts="3 posts big 10")
        + hand(2, 2, posts="3 posts small 5")
        + hand(3, 3, later_lines="flop Ah 7c 2d; ")
    )
    for book in ("hilton", "bicycle", "rrop4"):
        assert not find_clauses(text, book)
    rows = {row.clause: row for row in result_of(hand(1, 1), "hilton").coverage if row.book == "hilton"}
    assert (rows["B7"].clean, rows["B7"].cannot_tell) == (0, 1)
    assert [missing_fact.fact for missing_fact in rows["B7"].missing] == ["posts"]


@pytest.mark.parametrize(("seat", "accused"), [(4, True), (5, False)])
def test_a_large_straddle_is_found_where_no_other_may_stand_before_it(seat: int, accused: bool) -> None:
    """A second straddle is as large again as the first, which nobody may have written down."""
    straddled = hand(1, 1, posts=f"2 posts small 5; 3 posts big 10; {seat} straddles 40")
    assert (("1", "B8b.3") in find_clauses("option straddle-amount 20\n" + straddled, "hilton")) == accused


CONTEXT = frozenset((ButtonPlaced, SeatLeftOut, OptionSet, PermissionGranted, Agreed, HandVoided, MisdealDeclared))
"""Facts that the others are judged by: without one of them the hand is another one.

A hand that ends counts as played, so the line that says it was a misdeal decides where the button goes.
"""

SILENT = frozenset(WITNESS_OF_EVENT) - CONTEXT


def _unwitnessed(events: list[HandEvent]) -> list[HandEvent]:
    first, *later_events = events
    return [msgspec.structs.replace(first, witnesses=0), *later_events]


def _retold(
    entries: list[TableEntry], hands: dict[str, HandReplay], new: dict[str, list[HandEvent]]
) -> tuple[list[TableEntry], dict[str, HandReplay]]:
    table = [
        entry._replace(event=build_hand_played(fold(new[entry.event.hand]), entry.event.hand))
        if isinstance(entry.event, HandPlayed) and entry.event.hand in new
        else entry
        for entry in entries
    ]
    return table, {**hands, **{stream: HandReplay(events) for stream, events in new.items()}}


def _accused(entries: list[TableEntry], hands: dict[str, HandReplay], book: str) -> set[str]:
    """Return the hands in which a book finds a wrong; which clause or seat is named, the lines that are there decide."""
    return {finding.hand.number for finding in judged(entries, hands, book, {}).findings if finding.book != BUILT_IN}


@cache
def _without_witness(evening_index: int) -> tuple[list[TableEntry], dict[str, HandReplay], set[str]]:
    entries, hands, _ = complete_evening(evening_index)
    table, silent = _retold(
        entries, hands, {key: _unwitnessed(list(hand_replay.recorded_events)) for key, hand_replay in hands.items()}
    )
    return table, silent, _accused(table, silent, nights()[evening_index][0])


@pytest.mark.law
@settings(max_examples=scale_examples(size(60, 1500)), deadline=None)
@given(data=st.data())
def test_no_line_left_out_accuses_anybody_without_a_witness(data: st.DataObject) -> None:
    evening_index = data.draw(st.integers(0, len(nights()) - 1))
    entries, hands, accused_before = _without_witness(evening_index)
    stream = data.draw(st.sampled_from(list(hands)))
    events = list(hands[stream].recorded_events)
    lines = [index for index, event in enumerate(events) if type(event) in SILENT]
    removed_indexes = data.draw(st.sets(st.sampled_from(lines), min_size=1)) if lines else set()
    kept_events = [event for index, event in enumerate(events) if index not in removed_indexes]
    table, reduced = _retold(entries, hands, {stream: kept_events})
    assert _accused(table, reduced, nights()[evening_index][0]) <= accused_before


@pytest.mark.law
@settings(max_examples=scale_examples(size(40, 400)), deadline=None)
@given(evening_index=st.integers(0, len(nights()) - 1))
def test_who_is_accused_without_a_witness_is_accused_with_one(evening_index: int) -> None:
    entries, hands, _ = complete_evening(evening_index)
    assert _without_witness(evening_index)[2] <= _accused(entries, hands, nights()[evening_index][0])


@pytest.mark.parametrize("witness", ["posts,acts", "posts,acts,except,button", "dealer-notes"])
def test_a_hand_recorded_live_under_such_a_list_is_read_back_as_it_was(witness: str) -> None:
    """It begins before anybody knows whether its button will be written, and how."""
    people = People(b"p" * 32)
    lines = LiveLines(people, Settings("R", "1", 9, witnesses=read_witness_set(witness)))
    entries = [
        lines.take(line, datetime(2026, 11, 20, tzinfo=UTC))
        for line in ("hand 1", "seat 1 Ann 200", "button 1 derived", "1 folds", "end")
    ]
    events = [event for account in entries for event in account.events]
    text = write_told(Account(events, [], 0, 0, [2]), people)
    (item,) = read_with_comments(text, people)
    assert item.told.events == events
    assert fold(events).witnesses & Witness.BUTTON == (witness != "posts,acts,except,button")
