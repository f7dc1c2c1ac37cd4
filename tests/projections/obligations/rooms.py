"""Tables under a policy of their own, for the tests of this folder: evenings walked by the engine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import SimpleNamespace
from typing import Any, cast

from ledger.table.events import HandPlayed, Post, TableEvent
from ledger.table.order import number_table_events
from projections.books.rulebook import Rulebook, load
from projections.obligations.dues import Due, Placement
from projections.obligations.policy import Policy, Ruling
from projections.table_walk.table_context import TableWalk
from tests.ledger.table.tables import hand

SIX = (1, 2, 3, 4, 5, 6)
NINE = (1, 2, 3, 4, 5, 6, 7, 8, 9)


def policy(method: str, moved: str = "positional", **more: Any) -> Policy:
    """A book that decides little: the button's method, the blinds of it, and two players."""
    rulings = {
        f"button.method.{kind}": Ruling(method, (f"m.{kind}",)) for kind in ("tournament", "cash_limit", "cash_big_bet")
    }
    rulings["blinds.when_button_moves"] = Ruling(moved, ("moved",))
    rulings["blinds.heads_up_small_blind"] = Ruling("button", ("two",))
    rulings["blinds.dead_blind_posted"] = Ruling("not-posted", ("dead-blind",))
    rulings["button.last_action_when_dead"] = Ruling("nearest-before", ("dead-button",))
    rulings["button.eligibility"] = Ruling(["new"], ("not-new",))
    return Policy(rulings | more)


DEAD = policy("dead")
MOVING = policy("moving")
OWED = policy("moving", "owed")


def book(policy: Policy | str) -> Rulebook:
    if isinstance(policy, str):
        return load(policy)
    return cast("Rulebook", SimpleNamespace(name="house", policy=policy))


def dues(policy: Policy | str, *events: TableEvent) -> list[Due]:
    """What was due on each hand of an evening as recorded, and last on the coming one."""
    table = TableWalk([book(policy)])
    name = book(policy).name
    dues = [sat[name].due for sat in table.contexts(number_table_events(events))]
    return [*dues, table.find_next_dues()[name]]


def coming(policy: Policy | str, *events: TableEvent) -> Due:
    """What is due on the hand after an evening."""
    return dues(policy, *events)[-1]


def shown_placement(due: Due) -> Placement:
    """The reading that is shown."""
    assert due.place is not None, due.unknown
    return due.place


def seats_placed(place: Placement | None) -> tuple[int | None, int | None, int | None]:
    assert place is not None
    return place.button, place.small, place.big


def posts(place: Placement | None) -> str:
    assert place is not None
    return " ".join(f"{post.seat}:{post.live}" for post in sorted(place.posts, key=lambda one: one.seat))


def dealt(
    number: int, button: int | None, small: int | None, big: int, seats: tuple[int, ...] = SIX, *more: Post, **told: Any
) -> HandPlayed:
    """A hand with its two blinds; `small` None: the small blind is dead."""
    own_posts = [Post(big, "big", 10)] if small is None else [Post(small, "small", 5), Post(big, "big", 10)]
    return hand(number, button, None, None, seats, posts=(*own_posts, *more), **told)


def deal(number: int, due: Due, dealt: Iterable[int], **more: Any) -> HandPlayed:
    """A hand that is played just as it was due."""
    place = due.place
    assert place is not None, due.unknown
    roles = tuple(Post(post.seat, post.role, post.live or 0) for post in place.posts)
    return hand(number, place.button, None, None, dealt, posts=roles, **more)


def evening(
    policy: Policy | str, first: HandPlayed, *steps: Iterable[TableEvent], number: int = 1, **more: Any
) -> Iterator[Due]:
    """Play as it is due; before each hand the events of its step. Yield what was due on each."""
    events: list[TableEvent] = [first]
    for step in steps:
        number += 1
        events += step
        due = coming(policy, *events)
        yield due
        events.append(deal(number, due, due.dealt, **more))
