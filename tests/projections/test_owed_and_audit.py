"""What `due` says is due on a hand is what `audit` holds the hand against: on legal evenings, and with a wrong."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ledger.table.events import HandPlayed
from projections.books.rulebook import load
from projections.obligations.dues import Due
from projections.table_walk.replay import make_first_checkpoint, replay_to_hand
from tests.evenings import ROOMS, Evening, evening
from tests.evenings.injections import INJECTIONS, Injection, occasions
from tests.evenings.judging import disagreements, judge
from tests.evenings.natural import as_told, natural
from tests.evenings.script import script

pytestmark = pytest.mark.slow  # seconds; left out of `make check`


def describe_due(due: Due) -> object:
    """What is due, without the numbers of events on which it rests: another way of telling has others."""
    places = [
        (
            placement.button,
            placement.small,
            placement.big,
            placement.opener,
            placement.method,
            placement.judged,
            [(post.seat, post.role, post.live, post.dead) for post in placement.posts],
        )
        for placement in due.placements
    ]
    seats = [
        (placement.seat, placement.deal, placement.live, placement.dead, placement.status) for placement in due.seats
    ]
    return due.unknown, due.dealt, places, seats


def dues_before_hands(evening: Evening) -> list[Due]:
    """What is due before each hand, each asked for by itself as `owed --before` does."""
    book, entries = load(evening.room.book), evening.told()
    streams = [sat.event.hand for sat in entries if isinstance(sat.event, HandPlayed)]
    return [replay_to_hand(make_first_checkpoint(entries), [book], stream)[2][0] for stream in streams]


def agree(evening: Evening) -> None:
    """Hold both answers, and the findings, against each other."""
    findings, dues, _ = judge(evening)
    script_text = script(evening)
    alone = dues_before_hands(evening)
    assert [describe_due(due) for due in alone] == [describe_due(due) for due in dues], script_text
    differ = {
        index
        for index, (hand, due) in enumerate(zip(evening.hands, alone, strict=True))
        if list(disagreements(evening, hand, due))
    }
    assert differ == {index for index, _ in findings}, script_text


@pytest.mark.parametrize("retell", [as_told, natural])
@pytest.mark.parametrize("name", ROOMS)
def test_a_legal_evening_has_no_hand_that_differs_from_what_is_owed(
    name: str, retell: Callable[[Evening], Evening]
) -> None:
    for seed in range(3):
        agree(retell(evening(name, seed, 12)))


OF_SOMETHING_ELSE = ("marker", "straddle", "a raise above the pot", "kill the pot", "a short stack gets no cards")
"""Wrongs that neither positions nor posts show, of which alone `due` speaks."""


def wrongs() -> list[tuple[str, Injection]]:
    return [
        (room, injection)
        for room in ROOMS
        for injection in INJECTIONS
        if room in injection.must and not any(word in injection.name for word in OF_SOMETHING_ELSE)
    ]


@pytest.mark.parametrize(("room", "injection"), wrongs(), ids=lambda one: getattr(one, "name", one))
def test_a_hand_is_found_where_it_differs_from_what_is_owed(room: str, injection: Injection) -> None:
    for evening_told, _ in occasions(room, injection):
        agree(evening_told)
