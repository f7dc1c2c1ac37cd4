"""Where button and blinds are by who comes in, in sentences: one for each choice that changes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ledger.vocabulary import Seat
from projections.obligations.dues import Choice, Due, Placement

_MOST = 8
"""Of more choices, the first are said, and how many there are besides."""


def sentences(due: Due, name_of: Callable[[Seat], str]) -> list[str]:
    """Return a sentence for each choice, the one that is shown first; none where no choice changes the positions."""
    if len(due.choices) < 2:
        return []
    optional = _optional(due)
    found = [f"If {_who(one, optional, name_of)}: {_where(one, name_of)}" for one in due.choices]
    more = len(found) - _MOST
    return found if more < 1 else [*found[:_MOST], f"and {more} more ways to deal the hand"]


def condition(due: Due, place: Placement, name_of: Callable[[Seat], str]) -> str:
    """Return who plays and who waits by a placement; "" if the placement that is shown has the same players."""
    shown = due.placements[0].dealt
    choice = next((one for one in due.choices if place in one.placements), None)
    if choice is None or place.dealt == shown:
        return ""
    return _who(choice, [seat for seat in _optional(due) if (seat in place.dealt) != (seat in shown)], name_of)


def _optional(due: Due) -> list[Seat]:
    """Return the seats that choose: they post, play or wait, or only some choices deal them in."""
    chosen = {seat for one in due.choices for seat in (*one.posting, *one.playing)}
    sets = [set(one.dealt) for one in due.choices]
    return sorted(chosen | (set[Seat]().union(*sets) - set[Seat].intersection(*sets)))


def _who(choice: Choice, optional: list[Seat], name_of: Callable[[Seat], str]) -> str:
    return " and ".join(f"{name_of(seat)} {_way(choice, seat)}" for seat in optional)


def _way(choice: Choice, seat: Seat) -> str:
    if seat in choice.posting:
        return "posts"
    if seat in choice.dealt and seat not in choice.playing and all(place.big == seat for place in choice.placements):
        return "takes the big blind"
    return "plays" if seat in choice.dealt else "waits"


def _where(choice: Choice, name_of: Callable[[Seat], str]) -> str:
    return "; or ".join(dict.fromkeys(_positions(place, name_of) for place in choice.placements)) + "."


def _positions(place: Placement, name_of: Callable[[Seat], str]) -> str:
    positions = ", ".join(_parts(place, name_of))
    if not place.judged:
        return f"{positions} (usual practice; the book doesn't settle it)"
    return f"{positions} (likely wrong)" if place.doubtful else positions


def _parts(place: Placement, name_of: Callable[[Seat], str]) -> Iterator[str]:
    yield "the button is open" if place.button is None else f"button {_spot(place.button, place, name_of)}"
    if place.small_empty or place.small is None:
        yield "no small blind"
    else:
        yield f"small blind {name_of(place.small)}"
    if place.big is not None:
        yield f"big blind {name_of(place.big)}"
    if place.extra is not None:
        yield f"third blind {name_of(place.extra)}"
    own = {("small", place.small), ("big", place.big), ("extra", place.extra)}
    for post in place.posts:
        if (post.role, post.seat) not in own:
            yield f"{name_of(post.seat)} owes the {post.role} blind"


def _spot(seat: Seat, place: Placement, name_of: Callable[[Seat], str]) -> str:
    return f"seat {seat} (empty)" if place.button_empty else name_of(seat)
