"""Sentences of findings about blinds: who posts them, how much, and in what order."""

from __future__ import annotations

from collections.abc import Sequence

from projections.sentences import join_and
from projections.sentences.words import blind_name

# Positions


def positions(
    button_seat: int | None,
    blind_seats: Sequence[tuple[str, int]],
    *,
    is_button_empty: bool,
    empty_small_seat: int | None,
) -> str:
    """Return where the button and blinds are; `blind_seats` are pairs of role and seat."""
    parts = []
    if button_seat is not None:
        parts.append(f"button in {'empty ' * is_button_empty}seat {button_seat}")
    if empty_small_seat is not None:
        parts.append(f"no small blind (seat {empty_small_seat} is empty)")
    for role in dict.fromkeys(role for role, _ in blind_seats):
        seats = [str(seat) for blind_role, seat in blind_seats if blind_role == role]
        parts.append(f"{blind_name(role)}{'s' * (len(seats) > 1)} in seat{'s' * (len(seats) > 1)} {join_and(seats)}")
    if not blind_seats and empty_small_seat is None:
        parts.append("no blinds")
    return ", ".join(parts)


def recorded_positions(positions_text: str) -> str:
    """Because: where the button and blinds were in the hand."""
    return f"As dealt: {positions_text}."


# Headlines on who posts


def skipped(seat: int, role: str) -> str:
    """Headline: a blind skipped a player who was dealt in."""
    return f"The {blind_name(role)} skipped seat {seat}"


def wrong_poster(seat: int, role: str, due_seat: int) -> str:
    """Headline: the wrong seat posted a blind."""
    return f"Wrong seat posted the {blind_name(role)}: seat {seat} instead of seat {due_seat}"


def needless_post(seat: int, role: str) -> str:
    """Headline: a seat posted a blind that nobody owed."""
    return f"Seat {seat} posted a {blind_name(role)} that wasn't due"


def dead_blind_posted(seat: int, empty_seat: int) -> str:
    """Headline: somebody posted the small blind of an empty seat."""
    return f"Seat {seat} posted the small blind that falls on empty seat {empty_seat}"


def nobody_posted(seat: int, role: str) -> str:
    """Headline: a blind is missing, and the seat that owed it is known."""
    return f"Nobody posted the {blind_name(role)}; seat {seat} should have"


def due_post_missing(seat: int, role: str) -> str:
    """Headline: one of several seats due a blind didn't post it."""
    return f"Seat {seat} didn't post the {blind_name(role)} it owed"


def recorded_in_wrong_seat(seat: int, role: str, due_seat: int) -> str:
    """Headline: the record names another seat for a blind."""
    return f"The {blind_name(role)} was in the wrong seat: seat {seat} instead of seat {due_seat}"


def blinds_off_button() -> str:
    """Headline: the blinds don't follow the button."""
    return "The blinds don't follow the button"


def same_seat_again(seat: int) -> str:
    """Headline: heads-up, a player has the big blind twice in a row."""
    return f"Seat {seat} has the big blind twice in a row"


def blind_missing(role: str) -> str:
    """Headline: a blind is missing."""
    return f"Betting began without a {blind_name(role)}"


def no_blinds() -> str:
    """Headline: all blinds are missing."""
    return "Betting began without any blind"


def posted_from_button(seat: int) -> str:
    """Headline: the button posted the smallest blind."""
    return f"Seat {seat} posted the small blind from the button"


def heads_up_off_button(seat: int, button_seat: int) -> str:
    """Headline: heads-up, the player without the button posted the small blind."""
    return f"Seat {seat} posted the small blind heads-up, but seat {button_seat} has the button"


def out_of_order(seat: int, role: str, other_seat: int, other_role: str) -> str:
    """Headline: a smaller blind comes after a larger one."""
    return f"Blinds out of order: {blind_name(role)} in seat {seat}, after the {blind_name(other_role)} in seat {other_seat}"


def seats_between_blinds(seats: Sequence[int], seat: int, role: str, other_seat: int, other_role: str) -> str:
    """Headline: seats between two blinds post nothing."""
    skipped_seats = f"seat{'s' * (len(seats) > 1)} {join_and([str(skipped_seat) for skipped_seat in seats])}"
    return (
        f"Blinds skip {skipped_seats}: {blind_name(role)} in seat {seat}, {blind_name(other_role)} in seat {other_seat}"
    )


def excused_posted(seat: int) -> str:
    """Headline: a player who is excused posted the small blind."""
    return f"Seat {seat} posted the small blind but owes no more blinds this round"


# Headlines on amounts


def wrong_amount(seat: int, role: str, amount: str, due_amount: str) -> str:
    """Headline: a blind has the wrong size."""
    return f"Seat {seat} posted {amount} instead of {due_amount} as the {blind_name(role)}"


def big_blind_overcharged(seat: int, amount: str, due_amount: str) -> str:
    """Headline: the big blind paid too much to call."""
    return f"The big blind in seat {seat} paid {amount} instead of {due_amount} to call"


def option_skipped(seat: int) -> str:
    """Headline: a blind didn't get its option."""
    return f"Seat {seat} never got its option"


def cards_below_minimum(seat: int, amount: str) -> str:
    """Headline: a player with too few chips got cards."""
    return f"Seat {seat} was dealt in with only {amount}"


def short_stack_refused(seat: int, amount: str) -> str:
    """Headline: a short stack was refused cards."""
    return f"Seat {seat} was refused cards with {amount} left"


# Correct


def blind_from(role: str, seat: int) -> str:
    """Correct: who posts a blind."""
    return f"{blind_name(role)} from seat {seat}"


def blind_of(role: str, due_amount: str) -> str:
    """Correct: the size of a blind."""
    return f"a {blind_name(role)} of {due_amount}"


def blind_of_from(role: str, due_amount: str, seat: int) -> str:
    """Correct: the size of a blind, and who posts it."""
    return f"a {blind_name(role)} of {due_amount} from seat {seat}"


def one_blind_at_least() -> str:
    """Correct: a blind before the betting."""
    return "at least one blind before the betting"


def heads_up_blinds(button_seat: int, other_seat: int) -> str:
    """Correct: who posts the blinds heads-up."""
    return f"small blind from the button in seat {button_seat}, big blind from seat {other_seat}"


def small_blind_from_next() -> str:
    """Correct: the small blind from the next player."""
    return "small blind from the next player"


def smaller_blind_nearer(role: str, seat: int) -> str:
    """Correct: the order of two blinds."""
    return f"{blind_name(role)} closer to the button than seat {seat}"


def check_or_raise(seat: int) -> str:
    """Correct: the option."""
    return f"seat {seat}'s option to check or raise"


def call_of(due_amount: str) -> str:
    """Correct: the size of the call."""
    return f"{due_amount} to call"


def no_cards_below(due_amount: str) -> str:
    """Correct: no cards for less than the smallest chip."""
    return f"no cards for a stack below the smallest chip, {due_amount}"


def short_blind_and_full_one() -> str:
    """Correct: a short blind, and a full one from the next player."""
    return "dealt in, with its stack as a short blind; the next player posts the full blind"


# Because


def nobody_raised(seat: int) -> str:
    """Because: why a blind has its option."""
    return f"Nobody had raised, and seat {seat} had chips left to bet."


def earlier_hands_needed() -> str:
    """Because: one hand alone doesn't show who owed a blind."""
    return "Without the hands before this one, we can't tell who owed it."


def other_level() -> str:
    """Because: all blinds may be from another level."""
    return "All blinds are off by the same factor, so the recorded blind level may be wrong."


def excused_this_round(seat: int) -> str:
    """Because: why a player owes no blinds this round."""
    return f"Seat {seat} made up its blinds between the button and the big blind, so it owes no more blinds this round."


def holds_smallest_chip(seat: int, amount: str) -> str:
    """Because: a short stack is still enough for the smallest chip."""
    return f"Seat {seat} has at least the smallest chip, {amount}."


def button_moved_only(button_seat: int, seat: int) -> str:
    """Because: the button moved, but the order of action didn't."""
    return f"The button moved to seat {button_seat}, but seat {seat} is last to act before the flop again."


def other_reading(reading: str) -> str:
    """Because: which other reading of the rule we reject."""
    return f"The rule doesn't mean this: {reading}."


def moved_past(hand: str, role: str, old_seat: int, new_seat: int, seat: int) -> str:
    """Because: how a blind skipped a seat."""
    return f"The {blind_name(role)} moved from seat {old_seat} to seat {new_seat} in hand {hand}, past seat {seat}."
