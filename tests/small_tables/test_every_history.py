"""Whoever plays what `owed` offers under a rulebook breaks no rule of that book: every history of small tables.

`python -m tests.small_tables GAME SEATS HANDS` walks one game by hand, and prints the least history of each broken kind.
"""

from __future__ import annotations

import pytest

from tests.laws import FULL_SIZE
from tests.small_tables.tables import TABLES
from tests.small_tables.walking import Walker

pytestmark = pytest.mark.law

EVERYTHING = 99
COMPLETE = ("hilton-limit", "rrop4-dead")
"""Games with few histories: three seats and four hands take a second or two."""
MANY = ("hilton-no-limit", "rrop4-moving", "rrop4-untold", "bicycle")


@pytest.mark.parametrize("name", COMPLETE)
def test_three_seats_and_four_hands(name: str) -> None:
    walk = Walker(TABLES[name]).run(4)
    assert not walk.broken, walk.report()
    assert walk.kept > 1_000, "histories were walked"


@pytest.mark.parametrize("name", MANY)
def test_three_seats_and_four_hands_of_games_with_many_histories(name: str) -> None:
    walker = Walker(TABLES[name], most_tables=0 if FULL_SIZE else 30)
    walk = walker.run(4)
    assert not walk.broken, walk.report()


@pytest.mark.parametrize("name", TABLES)
def test_three_seats_and_three_hands(name: str) -> None:
    walk = Walker(TABLES[name], leaving=FULL_SIZE).run(3)
    assert not walk.broken, walk.report()


@pytest.mark.parametrize("name", [*COMPLETE, *MANY])
def test_some_histories_of_four_seats_and_four_hands(name: str) -> None:
    walker = Walker(TABLES[name].with_seats(4), most_changes=1, most_tables=0 if FULL_SIZE else 12, leaving=True)
    walk = walker.run(4)
    assert not walk.broken, walk.report()


@pytest.mark.parametrize("name", [*COMPLETE, "rrop4-moving"])
def test_a_wrong_in_what_was_offered_is_found(name: str) -> None:
    walk = Walker(TABLES[name], wronged=True, most_tables=0 if FULL_SIZE else 10).run(3)
    assert not walk.broken, walk.report()
    assert walk.wronged > 20


def test_tables_that_are_alike_have_the_same_future() -> None:
    """Walked each by itself, they lead to as many histories."""
    game = TABLES["rrop4-dead"]
    merged, apart = (Walker(game, merged=one).run(4 if FULL_SIZE else 3) for one in (True, False))
    assert (merged.kept, merged.broken) == (apart.kept, apart.broken)


FULL = pytest.mark.skipif(not FULL_SIZE, reason="hours: `make laws` walks them")


@FULL
@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize(("seats", "hands", "most"), [(3, 5, 2), (4, 4, EVERYTHING), (5, 4, 2)])
def test_larger_tables_complete(name: str, seats: int, hands: int, most: int) -> None:
    walk = Walker(TABLES[name].with_seats(seats), most_changes=most, leaving=True).run(hands)
    assert not walk.broken, walk.report()
