"""Whoever plays what `due` offers under a rulebook breaks no rule of that book: every history of small tables.

`python -m tests.small_tables GAME SEATS HANDS` walks one game by hand, and prints the least history of each broken kind.
"""

from __future__ import annotations

from itertools import product

import pytest

from tests.laws import FULL_SIZE, size
from tests.small_tables.changes import apply_changes, changes_of
from tests.small_tables.keys import seat_number
from tests.small_tables.snapshots import copy_table
from tests.small_tables.tables import CASH, FURTHER, TABLES
from tests.small_tables.walking import ANY, Walker

pytestmark = pytest.mark.law

SMALL = ("rrop4-dead-limit",)
"""The game with so few tables that CI walks histories of any number of hands."""

FOUR_HAND_GAMES = ("rrop4-moving",)
"""Games of which CI walks four hands; three of each other game."""


@pytest.mark.parametrize("name", TABLES)
def test_three_seats_and_four_hands(name: str) -> None:
    hands = 4 if FULL_SIZE or name in FOUR_HAND_GAMES else 3
    walk = Walker(TABLES[name], leaving=FULL_SIZE).run(hands)
    assert not walk.broken, walk.report()
    assert walk.kept > 5**hands, "histories were walked"


@pytest.mark.parametrize("name", TABLES if FULL_SIZE else SMALL)
def test_three_seats_and_any_number_of_hands(name: str) -> None:
    walk = Walker(TABLES[name], leaving=True).run(ANY)
    assert not walk.broken, walk.report()
    assert walk.closed


@pytest.mark.parametrize("name", TABLES)
def test_some_histories_of_four_seats_and_four_hands(name: str) -> None:
    table = TABLES[name].with_seats(4)
    walk = Walker(table, most_tables=size(1, 400), most_changes=size(2, 99), leaving=True).run(4)
    assert not walk.broken, walk.report()


@pytest.mark.parametrize("name", CASH)
def test_a_wrong_in_what_was_offered_is_found(name: str) -> None:
    """For certain, where the book leaves no choice."""
    walk = Walker(TABLES[name], wronged=True, most_tables=size(6, 0)).run(size(3, 4))
    assert not walk.broken + walk.missed, walk.report()
    assert walk.wronged > 20


@pytest.mark.parametrize("name", FURTHER)
def test_three_hands_in_which_more_may_happen(name: str) -> None:
    """Players go broke, move, buy the button, come from a broken table; or three blinds are posted."""
    walk = Walker(FURTHER[name], most_changes=size(1, 99), leaving=True).run(3)
    assert not walk.broken, walk.report()
    assert walk.kept


# Tables that are alike are walked once


TOUCHING = ("rrop4-dead, seat moves", "hilton-no-limit-high, seat moves", "bicycle, bought buttons")
"""Games in which a change is of more than its own seat."""


@pytest.mark.parametrize("name", (*CASH, *TOUCHING) if FULL_SIZE else ("rrop4-dead", "rrop4-moving", TOUCHING[0]))
def test_tables_with_one_key_have_the_same_future(name: str) -> None:
    """Walked each by itself they lead to as many histories, and the same wrongs are found in them."""
    walks = []
    touching = name in TOUCHING
    for merged, turned in ((True, True), (True, False), (False, False)):
        walker = Walker(
            (TABLES | FURTHER)[name],
            merged=merged,
            turned=turned,
            wronged=FULL_SIZE or not touching,
            leaving=touching,
            most_changes=size(1, 99),
        )
        walks.append(walker.run(size(4, 3)))
    figures = [(walk.kept, walk.broken, walk.answers, walk.stuck) for walk in walks]
    assert figures[0] == figures[1] == figures[2]
    assert walks[0].hands < walks[1].hands <= walks[2].hands, "walking them once is less work"


@pytest.mark.parametrize("name", ["hilton-no-limit", "rrop4-moving", "bicycle"])
def test_a_change_touches_its_own_seat_only(name: str) -> None:
    """So the key of a table is put together from the changes of its seats."""
    game = TABLES[name]
    walker = Walker(game, leaving=True)
    for node in walker.some_tables(size(4, 40)):
        assert node.table is not None
        view = walker.view(node)
        options = [changes_of(node.seating.get(seat), tells_room=game.tells_room, leaving=True) for seat in (1, 2, 3)]
        parts = walker.parts(node, view, options)
        for combination in product(*options):
            table = copy_table(node.table)
            _, events = apply_changes(node.seating, combination, f"N{len(node.steps) + 1}s")
            walker.tell(table, events, len(node.steps) + 1)
            assert view.shared(table) == view.shared(node.table)
            for seat, change in enumerate(combination, 1):
                assert view.seat(table, seat_number(seat), marked=False) == parts[seat, change]


@pytest.mark.skipif(not FULL_SIZE, reason="many minutes: `make laws` walks them")
@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize(("seats", "hands", "max_changes"), [(4, 4, 99), (5, 4, 1)])
def test_larger_tables_complete(name: str, seats: int, hands: int, max_changes: int) -> None:
    walk = Walker(TABLES[name].with_seats(seats), most_changes=max_changes, leaving=True).run(hands)
    assert not walk.broken, walk.report()
