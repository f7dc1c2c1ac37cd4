"""Describe where the button and the blinds go, for each combination of players' choices that changes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ledger.text.language import join_each_and, join_statements, phrase, phrase_count
from ledger.vocabulary import Seat
from projections.obligations.dues import Choice, Due, Placement, list_blind_posters
from projections.reports.blind_labels import BlindRole
from projections.sentences.due import empty_seat, no_small_blind
from projections.sentences.due_list import position_of
from projections.sentences.words import alternatives

_LARGER_BLINDS: Final[tuple[BlindRole, ...]] = ("big", "extra")
_MAX_SENTENCES = 8
"""The most choices that get a sentence. The others are only counted."""


def describe_choices(due: Due, name_seat: Callable[[Seat], str]) -> list[str]:
    """Return a sentence for each choice, the shown one first; [] if no choice changes the positions."""
    if len(due.choices) < 2:
        return []
    optional_seats = _find_optional_seats(due)
    choice_sentences = [
        phrase(
            "If {players}: {positions}.",
            players=_describe_players(choice, optional_seats, name_seat),
            positions=_describe_placements(choice, name_seat),
        )
        for choice in due.choices
    ]
    unlisted_count = len(choice_sentences) - _MAX_SENTENCES
    if unlisted_count < 1:
        return choice_sentences
    return [*choice_sentences[:_MAX_SENTENCES], _count_more_ways(unlisted_count)]


def _count_more_ways(count: int) -> str:
    return phrase_count("and {count} more way to deal the hand", "and {count} more ways to deal the hand", count)


def describe_shown_choice(due: Due, name_seat: Callable[[Seat], str]) -> str:
    """Return who plays and who waits by the shown placement, or "" if no choice changes the positions."""
    if len(due.choices) < 2:
        return ""
    return _describe_players(due.choices[0], _find_optional_seats(due), name_seat)


def describe_condition(due: Due, placement: Placement, name_seat: Callable[[Seat], str]) -> str:
    """Return who plays and who waits for a placement, or "" if the shown placement has the same players."""
    shown_seats = due.placements[0].dealt
    choice = next((candidate for candidate in due.choices if placement in candidate.placements), None)
    if choice is None or placement.dealt == shown_seats:
        return ""
    return _describe_players(
        choice,
        [seat for seat in _find_optional_seats(due) if (seat in placement.dealt) != (seat in shown_seats)],
        name_seat,
    )


def _find_optional_seats(due: Due) -> list[Seat]:
    """Return the seats with a choice: those that post or play by choice, or that only some choices deal in."""
    deciding_seats = {seat for choice in due.choices for seat in (*choice.posting, *choice.playing)}
    dealt_sets = [set(choice.dealt) for choice in due.choices]
    sometimes_dealt = set[Seat]().union(*dealt_sets) - set[Seat].intersection(*dealt_sets)
    return sorted(deciding_seats | sometimes_dealt)


def _describe_players(choice: Choice, optional_seats: list[Seat], name_seat: Callable[[Seat], str]) -> str:
    return join_each_and([_describe_decision(choice, seat, name_seat(seat)) for seat in optional_seats])


def _describe_decision(choice: Choice, seat: Seat, player: str) -> str:
    if seat in choice.posting:
        return phrase("{player} posts", player=player)
    if seat not in choice.dealt:
        return phrase("{player} waits", player=player)
    has_big_blind = all(placement.big == seat for placement in choice.placements)
    if has_big_blind and seat not in choice.playing:
        return phrase("{player} takes the big blind", player=player)
    return phrase("{player} plays", player=player)


def _describe_placements(choice: Choice, name_seat: Callable[[Seat], str]) -> str:
    return alternatives(
        [*dict.fromkeys(_describe_positions(placement, name_seat) for placement in choice.placements)], []
    )


def _describe_positions(placement: Placement, name_seat: Callable[[Seat], str]) -> str:
    positions = join_statements([*_list_positions(placement, name_seat)])
    if not placement.judged:
        return phrase("{positions} (usual practice; the book doesn't settle it)", positions=positions)
    return phrase("{positions} (likely wrong)", positions=positions) if placement.doubtful else positions


def _list_positions(placement: Placement, name_seat: Callable[[Seat], str]) -> Iterator[str]:
    if placement.button is None:
        yield phrase("the button is open")
    else:
        holder = empty_seat(placement.button) if placement.button_empty else name_seat(placement.button)
        yield position_of("button", holder)
    small_posters = () if placement.small_empty else list_blind_posters(placement, "small")
    yield position_of("small", _name_seats(small_posters, name_seat)) if small_posters else no_small_blind()
    for role in _LARGER_BLINDS:
        if posters := list_blind_posters(placement, role):
            yield position_of(role, _name_seats(posters, name_seat))


def _name_seats(seats: tuple[Seat, ...], name_seat: Callable[[Seat], str]) -> str:
    return join_each_and([*map(name_seat, seats)])
