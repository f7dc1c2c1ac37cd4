"""Sentences of findings about blinds: who posts them, how much, and in what order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ledger.text.language import join_and, join_list, phrase, phrase_count, translatable, translatable_count
from projections.sentences.words import blind_name

_BLINDS_IN_SEATS: Final = {
    "small": translatable_count("small blind in seat {seats}", "small blinds in seats {seats}"),
    "big": translatable_count("big blind in seat {seats}", "big blinds in seats {seats}"),
    "extra": translatable_count("third blind in seat {seats}", "third blinds in seats {seats}"),
}

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
        message = (
            translatable("dead button in seat {seat}") if is_button_empty else translatable("button in seat {seat}")
        )
        parts.append(phrase(message, seat=button_seat))
    if empty_small_seat is not None:
        parts.append(phrase("no small blind (nobody is dealt in at seat {seat})", seat=empty_small_seat))
    for role in dict.fromkeys(role for role, _ in blind_seats):
        seats = [str(seat) for blind_role, seat in blind_seats if blind_role == role]
        parts.append(phrase_count(*_BLINDS_IN_SEATS[role], len(seats), seats=join_and(seats)))
    if not blind_seats and empty_small_seat is None:
        parts.append(phrase("no blinds"))
    return join_list(parts)


def recorded_positions(positions_text: str) -> str:
    """Because: where the button and blinds were in the hand."""
    return phrase("As dealt: {positions_text}.", positions_text=positions_text)


# Headlines on who posts


def skipped(seat: int, role: str) -> str:
    """Headline: a blind skipped a player who was dealt in."""
    return phrase("The {blind} skipped seat {seat}", blind=blind_name(role), seat=seat)


def wrong_poster(seat: int, role: str, due_seat: int) -> str:
    """Headline: the wrong seat posted a blind."""
    return phrase(
        "Wrong seat posted the {blind}: seat {seat} instead of seat {due_seat}",
        blind=blind_name(role),
        seat=seat,
        due_seat=due_seat,
    )


def needless_post(seat: int, role: str) -> str:
    """Headline: a seat posted a blind that nobody owed."""
    return phrase("Seat {seat} posted a {blind} that wasn't due", seat=seat, blind=blind_name(role))


def dead_blind_posted(seat: int, empty_seat: int) -> str:
    """Headline: somebody posted the small blind of a seat that gets no cards. Its player may be away."""
    return phrase(
        "Seat {seat} posted the small blind of seat {empty_seat}, where nobody is dealt in",
        seat=seat,
        empty_seat=empty_seat,
    )


def nobody_posted(seat: int, role: str) -> str:
    """Headline: a blind is missing, and the seat that owed it is known."""
    return phrase("Nobody posted the {blind}; seat {seat} should have", blind=blind_name(role), seat=seat)


def due_post_missing(seat: int, role: str) -> str:
    """Headline: one of several seats due a blind didn't post it."""
    return phrase("Seat {seat} didn't post the {blind} it owed", seat=seat, blind=blind_name(role))


def recorded_in_wrong_seat(seat: int, role: str, due_seat: int) -> str:
    """Headline: the record names another seat for a blind."""
    return phrase(
        "The {blind} was in the wrong seat: seat {seat} instead of seat {due_seat}",
        blind=blind_name(role),
        seat=seat,
        due_seat=due_seat,
    )


def blinds_off_button() -> str:
    """Headline: the blinds don't follow the button."""
    return phrase("The blinds don't follow the button")


def same_seat_again(seat: int) -> str:
    """Headline: heads-up, a player has the big blind twice in a row."""
    return phrase("Seat {seat} has the big blind twice in a row", seat=seat)


def blind_missing(role: str) -> str:
    """Headline: a blind is missing."""
    return phrase("Betting began without a {blind}", blind=blind_name(role))


def no_blinds() -> str:
    """Headline: all blinds are missing."""
    return phrase("Betting began without any blind")


def posted_from_button(seat: int) -> str:
    """Headline: the button posted the smallest blind."""
    return phrase("Seat {seat} posted the small blind from the button", seat=seat)


def heads_up_off_button(seat: int, button_seat: int) -> str:
    """Headline: heads-up, the player without the button posted the small blind."""
    return phrase(
        "Seat {seat} posted the small blind heads-up, but seat {button_seat} has the button",
        seat=seat,
        button_seat=button_seat,
    )


def out_of_order(seat: int, role: str, other_seat: int, other_role: str) -> str:
    """Headline: a smaller blind comes after a larger one."""
    return phrase(
        "Blinds out of order: {blind} in seat {seat}, after the {other_blind} in seat {other_seat}",
        blind=blind_name(role),
        seat=seat,
        other_blind=blind_name(other_role),
        other_seat=other_seat,
    )


def seats_between_blinds(seats: Sequence[int], seat: int, role: str, other_seat: int, other_role: str) -> str:
    """Headline: seats between two blinds post nothing."""
    return phrase_count(
        "Blinds skip seat {skipped_seats}: {blind} in seat {seat}, {other_blind} in seat {other_seat}",
        "Blinds skip seats {skipped_seats}: {blind} in seat {seat}, {other_blind} in seat {other_seat}",
        len(seats),
        skipped_seats=join_and([str(skipped_seat) for skipped_seat in seats]),
        blind=blind_name(role),
        seat=seat,
        other_blind=blind_name(other_role),
        other_seat=other_seat,
    )


def excused_posted(seat: int) -> str:
    """Headline: a player who is excused posted the small blind."""
    return phrase("Seat {seat} posted the small blind but owes no more blinds this round", seat=seat)


# Headlines on amounts


def wrong_amount(seat: int, role: str, amount: str, due_amount: str) -> str:
    """Headline: a blind has the wrong size."""
    return phrase(
        "Seat {seat} posted {amount} instead of {due_amount} as the {blind}",
        seat=seat,
        amount=amount,
        due_amount=due_amount,
        blind=blind_name(role),
    )


def big_blind_overcharged(seat: int, amount: str, due_amount: str) -> str:
    """Headline: the big blind paid too much to call."""
    return phrase(
        "The big blind in seat {seat} paid {amount} instead of {due_amount} to call",
        seat=seat,
        amount=amount,
        due_amount=due_amount,
    )


def option_skipped(seat: int) -> str:
    """Headline: a blind didn't get its option."""
    return phrase("Seat {seat} never got its option", seat=seat)


def cards_below_minimum(seat: int, amount: str) -> str:
    """Headline: a player with too few chips got cards."""
    return phrase("Seat {seat} was dealt in with only {amount}", seat=seat, amount=amount)


def short_stack_refused(seat: int, amount: str) -> str:
    """Headline: a short stack was refused cards."""
    return phrase("Seat {seat} was refused cards with {amount} left", seat=seat, amount=amount)


# Correct


def blind_from(role: str, seat: int) -> str:
    """Correct: who posts a blind."""
    return phrase("{blind} from seat {seat}", blind=blind_name(role), seat=seat)


def blind_of(role: str, due_amount: str) -> str:
    """Correct: the size of a blind."""
    return phrase("a {blind} of {due_amount}", blind=blind_name(role), due_amount=due_amount)


def blind_of_from(role: str, due_amount: str, seat: int) -> str:
    """Correct: the size of a blind, and who posts it."""
    return phrase(
        "a {blind} of {due_amount} from seat {seat}", blind=blind_name(role), due_amount=due_amount, seat=seat
    )


def one_blind_at_least() -> str:
    """Correct: a blind before the betting."""
    return phrase("at least one blind before the betting")


def heads_up_blinds(button_seat: int, other_seat: int) -> str:
    """Correct: who posts the blinds heads-up."""
    return phrase(
        "small blind from the button in seat {button_seat}, big blind from seat {other_seat}",
        button_seat=button_seat,
        other_seat=other_seat,
    )


def small_blind_from_next() -> str:
    """Correct: the small blind from the next player."""
    return phrase("small blind from the next player")


def smaller_blind_nearer(role: str, seat: int) -> str:
    """Correct: the order of two blinds."""
    return phrase("{blind} closer to the button than seat {seat}", blind=blind_name(role), seat=seat)


def check_or_raise(seat: int) -> str:
    """Correct: the option."""
    return phrase("seat {seat}'s option to check or raise", seat=seat)


def call_of(due_amount: str) -> str:
    """Correct: the size of the call."""
    return phrase("{due_amount} to call", due_amount=due_amount)


def no_cards_below(due_amount: str) -> str:
    """Correct: no cards for less than the smallest chip."""
    return phrase("no cards for a stack below the smallest chip, {due_amount}", due_amount=due_amount)


def short_blind_and_full_one() -> str:
    """Correct: a short blind, and a full one from the next player."""
    return phrase("dealt in, with its stack as a short blind; the next player posts the full blind")


# Because


def nobody_raised(seat: int) -> str:
    """Because: why a blind has its option."""
    return phrase("Nobody had raised, and seat {seat} had chips left to bet.", seat=seat)


def earlier_hands_needed() -> str:
    """Because: one hand alone doesn't show who owed a blind."""
    return phrase("Without the hands before this one, we can't tell who owed it.")


def other_level() -> str:
    """Because: all blinds may be from another level."""
    return phrase("All blinds are off by the same factor, so the recorded blind level may be wrong.")


def excused_this_round(seat: int) -> str:
    """Because: why a player owes no blinds this round."""
    return phrase(
        "Seat {seat} made up its blinds between the button and the big blind, so it owes no more blinds this round.",
        seat=seat,
    )


def holds_smallest_chip(seat: int, amount: str) -> str:
    """Because: a short stack is still enough for the smallest chip."""
    return phrase("Seat {seat} has at least the smallest chip, {amount}.", seat=seat, amount=amount)


def button_moved_only(button_seat: int, seat: int) -> str:
    """Because: the button moved, but the order of action didn't."""
    return phrase(
        "The button moved to seat {button_seat}, but seat {seat} is last to act before the flop again.",
        button_seat=button_seat,
        seat=seat,
    )


def other_reading(reading: str) -> str:
    """Because: which other reading of the rule we reject, though the record is right by it."""
    return phrase("The rule doesn't allow this reading, by which the record is right: {reading}.", reading=reading)


def moved_past(hand: str, role: str, old_seat: int, new_seat: int, seat: int) -> str:
    """Because: how a blind skipped a seat."""
    return phrase(
        "The {blind} moved from seat {old_seat} to seat {new_seat} in hand {hand}, past seat {seat}.",
        blind=blind_name(role),
        old_seat=old_seat,
        new_seat=new_seat,
        hand=hand,
        seat=seat,
    )
