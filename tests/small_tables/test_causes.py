"""A least hand history for each cause by which `due` and `audit` once parted at a small table, with its right answer.

The last hand of each file is the one in question. `offered`: whether it is one of the hands that `due` offers then.
`due` is what it shows first: button, small blind, big blind, `?` if the book does not settle it. `found` are the
clauses that find something in the last hand.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from ledger.table.events import HandPlayed
from ledger.table.order import put_in_order
from ledger.table.unlisted_seats import list_absent_players
from projections.audit.auditor import Auditor
from projections.books.rulebook import load
from projections.findings.finding import Finding
from projections.obligations.dues import Due
from projections.reports.choice_text import describe_choices
from projections.table_walk.table_context import ContextsByBook, TableWalk
from tests.projections.pages import column, evening
from tests.small_tables.offers import offers

CAUSES = Path(__file__).parent / "causes"


class Cause(NamedTuple):
    name: str
    offered: bool
    due: str
    deal: str = ""  # `seat:deal` of whom it is about
    found: frozenset[str] = frozenset()


def clauses(*names: str) -> frozenset[str]:
    return frozenset(names)


RIGHT_ANSWERS = [
    # The method leads to one seat twice, or two blinds are left for three: whoever comes back waits.
    Cause("A-bicycle-makeup-beside-two", False, "2 2 1 ?", "3:open"),
    Cause("A-hilton-limit-post-beside-empty", False, "2 2 4 ?", "1:if-posts", clauses("B12a.3", "B13.1")),
    Cause("A-hilton-limit-post-beside-two", False, "3 3 1 ?", "2:no", clauses("B5.1")),
    Cause("A-rrop4-dead-makeup-beside-two", False, "1 1 2", "3:no", clauses("blinds.7.2")),
    Cause("A-rrop4-dead-post-beside-two", False, "3 3 1", "2:no", clauses("blinds.7.1", "blinds.intro.4")),
    Cause("A-rrop4-moving-makeup-beside-two", False, "2 2 3", "1:no", clauses("blinds.1a.1")),
    # Three are dealt in: three take the blinds.
    Cause("B-bicycle-free-newcomer-beside-two", False, "2 3 1", "3:yes", clauses("p03a")),
    Cause("B-hilton-free-newcomer-beside-two", False, "1 1 2 ?", "3:open", clauses("B11b.2")),
    # The big blind was not the waiter's; in bicycle's games the button goes on to a newcomer.
    Cause("C-bicycle-waiter-passed", False, "2 3 1", "3:yes", clauses("p24a")),
    Cause("C-rrop4-moving-waiter-passed", True, "1 1 2", "3:open"),
    Cause("D-rrop4-untold-free-entry", False, "2 2 4", "1:if-posts", clauses("blinds.4.1")),
    Cause("D-rrop4-untold-method-mixed", False, "3 3 1", "2:no", clauses("blinds.7.1")),
    Cause("D-rrop4-untold-owing-free", False, "2 2 1", "3:no", clauses("blinds.9.1")),
    Cause("E-bicycle-owing-dealt-free", False, "1 3 4", "2:if-posts", clauses("p23a")),
    Cause("F-hilton-newcomer-given-button", False, "1 1 3 ?", "3:yes", clauses("B5.1")),
    Cause("G-hilton-limit-owing-last-action", False, "5 1 2", "4:no", clauses("B10")),
    Cause("G-hilton-limit-poster-last-action", False, "3 4 5", "2:no", clauses("B5.2")),
    Cause("H-rrop4-moving-big-twice", False, "1 3 4", "2:no", clauses("blinds.9.1")),
    Cause("H-rrop4-moving-newcomer-big-free", False, "3 1 2", "2:yes", clauses("blinds.1.1", "blinds.intro.10")),
    Cause("K-bicycle-button-stays", False, "3 4 2", "4:yes", clauses("p24a")),
    Cause("N-hilton-nl-small-escaped-by-method", True, "3 4 2", "1:no"),
    # Everybody but who had the button is barred from it, by two rules: not settled, and nobody is judged by it.
    Cause("P-hilton-nl-button-twice", True, "3 4 2 ?", "4:yes"),
    Cause("R-bicycle-owed-reading", True, "3 4 1", "2:no"),
    # Twice all the blinds, made up on the button: no reading asks for more than all of them.
    Cause("S-bicycle-double-makeup-on-button", False, "2 3 1", "1:yes", clauses("p23a")),
    # Three blinds: of three players one has the furthest blind and last action; the smallest is not posted from the button.
    Cause("T-hilton-limit-three-blinds-last-action", True, "3 4 1", "2:yes"),
    Cause(
        "U-rrop4-moving-three-blinds-small-on-button", True, "3 4 1", "2:yes", clauses("blinds.1a.1", "blinds.intro.9")
    ),
    # Two post the third blind: its position is the later one's, who does not have it on the next hand again.
    Cause("V-rrop4-untold-three-blinds-third-twice", False, "4 1 2", "2:yes", clauses("blinds.intro.8")),
    # Two become three, one of them between the button that two had and the small blind: nobody is judged by it.
    Cause("W-hilton-limit-three-behind-two-last-action", True, "1 3 4 ?", "4:yes"),
    # All who are dealt in are barred from the button: somebody has to have it.
    Cause("X-hilton-nl-newcomers-alone-button", True, "2 2 4 ?", "4:yes"),
    # Two are left, and each is barred from the button: the book settles no placement, so nobody took a blind wrongly.
    Cause("Y-hilton-nl-excused-left-alone", True, "3 3 2 ?", "3:yes"),
]
LIKELY = ["U-rrop4-moving-three-blinds-small-on-button"]
"""Causes in which two rules of one book collide: nobody is accused for certain."""


def last_hand(name: str) -> tuple[Due, HandPlayed, list[Finding]]:
    """What was due before the last hand of a file, the hand, and what is found in it."""
    column_used = column("hilton" if "hilton" in name else "rrop4" if "rrop4" in name else "bicycle")
    parsed = evening((CAUSES / f"{name}.hand").read_text(encoding="utf-8"), column_used)
    book = load(column_used.book)
    audit, table = Auditor([book]), TableWalk([book])
    hands = iter(parsed.hands)
    for entry in put_in_order(parsed.table):
        if not isinstance(entry.event, HandPlayed):
            table._apply_event(entry)
            continue
        due = table.find_next_dues()[book.name]
        sat = ContextsByBook(table, entry, list_absent_players(table.state, entry.event))
        findings = audit.judge_hand(next(hands), sat)
        table._apply_hand(entry, sat.hand, sat)
    return due, sat.hand, findings


def describe(due: Due) -> str:
    place = due.placements[0]
    return f"{place.button} {place.small} {place.big}{'' if place.judged else ' ?'}"


@pytest.mark.parametrize("cause", RIGHT_ANSWERS, ids=lambda one: one.name)
def test_a_cause_and_its_right_answer(cause: Cause) -> None:
    due, hand, findings = last_hand(cause.name)
    assert describe(due) == cause.due
    seat, _, deal = cause.deal.partition(":")
    seat_due = due.seat(int(seat))
    assert seat_due is not None
    assert seat_due.deal == deal
    played = hand.button, sorted((item.seat, item.role, item.live, item.dead) for item in hand.posts)
    dealt = sorted(item.seat for item in hand.dealt_in)
    plans = offers(due, {})
    offered = [
        item
        for item in plans
        if sorted(item.dealt) == dealt
        and (item.button, sorted((p.seat, p.role, p.live, p.dead) for p in item.posts)) == played
    ]
    assert bool(offered) == cause.offered
    assert {item.clause for item in findings} == cause.found
    assert {item.certainty for item in findings} <= ({"likely"} if cause.name in LIKELY else {"likely", "certain"})


def test_a_seat_that_is_dealt_in_is_not_said_to_get_no_cards() -> None:
    _, _, findings = last_hand("M-hilton-inroom-absent-due")
    assert "B12b.4" not in {finding.clause for finding in findings}


def test_both_placements_are_said_where_a_choice_changes_the_positions() -> None:
    due, _, _ = last_hand("A-hilton-limit-post-beside-empty")
    assert describe_choices(due, lambda seat: f"seat {seat}") == [
        "If seat 1 waits: button seat 2, small blind seat 2, big blind seat 4 (usual practice; the book doesn't settle it).",
        "If seat 1 posts: button seat 2, no small blind, big blind seat 4.",
    ]
    full, _, _ = last_hand("N-hilton-nl-small-escaped-by-method")
    assert describe_choices(full, str) == []
