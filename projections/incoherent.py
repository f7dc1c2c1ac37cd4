"""What in a hand's own record shows that it does not tell the whole of it, beside what `record` finds."""

from __future__ import annotations

from typing import Final

from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand.opening import BlindPosted, HandOpened
from ledger.presence import ConnectionLost
from ledger.vocabulary import Seat, Witness
from projections.course import Course

_ACTS: Final = (b.Folded, b.Checked, b.Called, b.Bet, b.Raised, b.Completed)
_KILLS: Final = int(Witness.HAND_KILLS)
"""Who writes down that hands are killed is a person at the table; rooms' programs do not."""
_NONE: Final = frozenset({0})


def incoherent(course: Course) -> list[tuple[str, frozenset[int]]]:
    """Return what is odd about the record of a hand, each with the events that are judged all the same.

    Rooms' programs keep to their own rules; where such a record shows what no program lets happen, the
    text is not all that was done.
    """
    opened = course.line[0][1]
    if not isinstance(opened, HandOpened) or opened.witnesses & _KILLS:
        return []
    found: list[tuple[str, frozenset[int]]] = []
    lost = _lost(course)
    if lost:
        says = (
            f"whether the room took seat {lost} for all-in when its connection was lost is not told"
        )
        found.append((says, frozenset()))
    if any(act.kind == "call" and not act.level for act in course.acts):
        found.append(
            ("a call is told before the bet: acts are not in the order of play", frozenset())
        )
    if odd := _other_blinds(course):
        found.append(("the blinds that were posted are not those of the game as told", odd))
    return found


def _lost(course: Course) -> Seat | None:
    """Return a seat that lost its connection and did not act again on that street."""
    for version, event in course.of(ConnectionLost):
        seat = event.seat
        if seat not in course.start:
            continue
        own = [(at, act) for at, act in course.of(*_ACTS) if act.seat == seat]
        if any(at < version and isinstance(act, b.Folded) for at, act in own):
            continue
        street = next(
            (at for at, _ in course.of(d.BoardDealt, d.StreetDealt) if at > version), None
        )
        if not any(at > version and (street is None or at < street) for at, _ in own):
            return seat
    return None


def _other_blinds(course: Course) -> frozenset[int]:
    """Return the posts of a small and a big blind that are not of the game's size, and not all-in."""
    game = course.game
    if game is None or len(game.blinds) != 2:
        return frozenset()
    due = {"small": game.blinds[0], "big": game.blinds[1]}
    odd = frozenset(
        version
        for version, post in course.posts
        if isinstance(post, BlindPosted)
        and post.live != due.get(post.role, post.live)
        and not post.all_in
        and (course.start.get(post.seat) or post.live + 1) > post.live
    )
    # Where a head gives one amount twice, it is no structure: then the posts are not judged by it either.
    return _NONE if odd and due["small"] == due["big"] else odd
