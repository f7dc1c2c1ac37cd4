"""Sentences on where the button and blinds go, one for each combination of players' choices that changes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ledger.vocabulary import Seat
from projections.obligations.dues import Choice, Due, Placement, blind_posters

_MAX_SENTENCES = 8
"""The most choices that get a sentence. The others are only counted."""


def describe_choices(due: Due, name_of: Callable[[Seat], str]) -> list[str]:
    """Return a sentence for each choice, the shown one first; [] if no choice changes the positions."""
    if len(due.choices) < 2:
        return []
    optional = _find_optional_seats(due)
    choice_sentences = [
        f"If {_describe_players(choice, optional, name_of)}: {_describe_placements(choice, name_of)}"
        for choice in due.choices
    ]
    unlisted_count = len(choice_sentences) - _MAX_SENTENCES
    if unlisted_count < 1:
        return choice_sentences
    return [*choice_sentences[:_MAX_SENTENCES], f"and {unlisted_count} more ways to deal the hand"]


def describe_shown_choice(due: Due, name_of: Callable[[Seat], str]) -> str:
    """Return who plays and who waits by the shown placement, or "" if no choice changes the positions."""
    if len(due.choices) < 2:
        return ""
    return _describe_players(due.choices[0], _find_optional_seats(due), name_of)


def describe_condition(due: Due, placement: Placement, name_of: Callable[[Seat], str]) -> str:
    """Return who plays and who waits for a placement, or "" if the shown placement has the same players."""
    shown_seats = due.placements[0].dealt
    choice = next((candidate for candidate in due.choices if placement in candidate.placements), None)
    if choice is None or placement.dealt == shown_seats:
        return ""
    return _describe_players(
        choice,
        [seat for seat in _find_optional_seats(due) if (seat in placement.dealt) != (seat in shown_seats)],
        name_of,
    )


def _find_optional_seats(due: Due) -> list[Seat]:
    """Return the seats with a choice: they post or play by choice, or only some choices deal them in."""
    deciding_seats = {seat for choice in due.choices for seat in (*choice.posting, *choice.playing)}
    dealt_sets = [set(choice.dealt) for choice in due.choices]
    sometimes_dealt = set[Seat]().union(*dealt_sets) - set[Seat].intersection(*dealt_sets)
    return sorted(deciding_seats | sometimes_dealt)


def _describe_players(choice: Choice, optional: list[Seat], name_of: Callable[[Seat], str]) -> str:
    return " and ".join(f"{name_of(seat)} {_describe_decision(choice, seat)}" for seat in optional)


def _describe_decision(choice: Choice, seat: Seat) -> str:
    if seat in choice.posting:
        return "posts"
    if seat not in choice.dealt:
        return "waits"
    has_big_blind = all(placement.big == seat for placement in choice.placements)
    return "takes the big blind" if has_big_blind and seat not in choice.playing else "plays"


def _describe_placements(choice: Choice, name_of: Callable[[Seat], str]) -> str:
    return "; or ".join(dict.fromkeys(_describe_positions(placement, name_of) for placement in choice.placements)) + "."


def _describe_positions(placement: Placement, name_of: Callable[[Seat], str]) -> str:
    position_list = ", ".join(_list_positions(placement, name_of))
    if not placement.judged:
        return f"{position_list} (usual practice; the book doesn't settle it)"
    return f"{position_list} (likely wrong)" if placement.doubtful else position_list


def _list_positions(placement: Placement, name_of: Callable[[Seat], str]) -> Iterator[str]:
    yield (
        "the button is open"
        if placement.button is None
        else f"button {_name_button_seat(placement.button, placement, name_of)}"
    )
    small_posters = () if placement.small_empty else blind_posters(placement, "small")
    yield f"small blind {_name_seats(small_posters, name_of)}" if small_posters else "no small blind"
    if big_posters := blind_posters(placement, "big"):
        yield f"big blind {_name_seats(big_posters, name_of)}"
    if extra_posters := blind_posters(placement, "extra"):
        yield f"third blind {_name_seats(extra_posters, name_of)}"


def _name_seats(seats: tuple[Seat, ...], name_of: Callable[[Seat], str]) -> str:
    return " and ".join(map(name_of, seats))


def _name_button_seat(seat: Seat, placement: Placement, name_of: Callable[[Seat], str]) -> str:
    return f"seat {seat} (empty)" if placement.button_empty else name_of(seat)
