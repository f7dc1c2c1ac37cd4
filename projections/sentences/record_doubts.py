"""Doubts: gaps in a record that make a finding likely instead of certain."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.text.language import join_and, phrase, phrase_count, without_full_stop


def reading_assumed(reading: str) -> str:
    """Say that a finding holds under one reading of the rule or the record."""
    return phrase("Assumed: {reading}.", reading=without_full_stop(reading))


def more_open_questions(count: int) -> str:
    """Say how many more questions the record leaves open; "" = none."""
    if not count:
        return ""
    return phrase_count("There is one more open question.", "There are {count} more open questions.", count)


# Between hands


def contradictory(hand: str) -> str:
    """Say that a hand's record contradicts itself."""
    return phrase("The record of hand {hand} contradicts itself.", hand=hand)


def line_not_read(hand: str) -> str:
    """Say that a line of a hand couldn't be read."""
    return phrase("A line of hand {hand} couldn't be read.", hand=hand)


def line_before_not_read(hand: str) -> str:
    """Say that a line before a hand couldn't be read; `hand` is "" for the coming one."""
    if not hand:
        return phrase("A line before the coming hand couldn't be read.")
    return phrase("A line before hand {hand} couldn't be read.", hand=hand)


def no_recorded_end(hand: str) -> str:
    """Say that a hand may have been cut off."""
    return phrase("Hand {hand} has no recorded end.", hand=hand)


def seats_changed(hand: str) -> str:
    """Say that a player is in another seat without a recorded move."""
    return phrase("In hand {hand} a player is in a different seat than before, and no move is recorded.", hand=hand)


def absences_unrecorded(hand: str) -> str:
    """Say that the record doesn't show who sat out; `hand` is "" for the coming one."""
    if not hand:
        return phrase("The record doesn't show who sat out.")
    return phrase("The record doesn't show who sat out (hand {hand}).", hand=hand)


def may_not_be_first(hand: str, last_hand: str) -> str:
    """Say that a hand may not begin its game."""
    return phrase(
        "Hand {hand} may not be the first of its game: its number doesn't follow hand {last_hand}.",
        hand=hand,
        last_hand=last_hand,
    )


# Within a hand


def hand_unresolved(seat: int) -> str:
    """Say that a hand's cards disappear from the record."""
    return phrase("The record doesn't show what happened to seat {seat}'s hand.", seat=seat)


def seat_unlisted(seat: int) -> str:
    """Say that a seat with cards isn't listed."""
    return phrase("Seat {seat} got cards, but the record doesn't name its player.", seat=seat)


def betting_restarts() -> str:
    """Say that betting lines are missing."""
    return phrase("The betting skips a step; a line may be missing.")


def call_left_uncorrected() -> str:
    """Say that a call no longer fits a correction."""
    return phrase("A call after a correction still has its old amount.")


def pot_short() -> str:
    """Say that the pot is short by more than a rake."""
    return phrase("More is missing from the pot than a rake would take.")


def connection_lost(seat: int) -> str:
    """Say that a disconnected player may have been all-in."""
    return phrase(
        "Seat {seat} lost its connection, and the record doesn't show whether the room treated it as all-in.", seat=seat
    )


def act_impossible() -> str:
    """Say that an act contradicts the bets."""
    return phrase("An action doesn't fit the recorded bets.")


def blinds_differ() -> str:
    """Say that the posts contradict the stakes."""
    return phrase("The posted blinds differ from the recorded stakes.")


# A fold that nobody wrote down


def never_folds(seat: int) -> str:
    """Headline: a seat was passed over to the end of a hand, and nothing shows that it folded."""
    return phrase("Play passed seat {seat}, which never folded", seat=seat)


def missing_fold(seat: int) -> str:
    """Correct: the missing fold, or another action that explains it."""
    return phrase("seat {seat}'s fold or other action", seat=seat)


def may_be_all_in(seats: Sequence[int]) -> str:
    """Say that players without a recorded stack may be all-in."""
    if len(seats) == 1:
        return phrase("Seat {seat} may be all-in: its stack isn't recorded.", seat=seats[0])
    return phrase(
        "Seats {seats} may be all-in: their stacks aren't recorded.", seats=join_and([str(seat) for seat in seats])
    )
