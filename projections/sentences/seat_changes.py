"""Reasons for what a player owes after a seat change."""

from __future__ import annotations

from ledger.text.language import phrase, phrase_count
from projections.sentences.words import blind_name, count_of


def moved(seat: int, old_seat: int) -> str:
    """Say who moved."""
    return phrase("The player in seat {seat} moved there from seat {old_seat}.", seat=seat, old_seat=old_seat)


def blinds_may_pass(leaving: str) -> str:
    """Say that a mover lets the blinds pass once."""
    if leaving == "button":
        return phrase("The player moved off the button, so may miss the blinds once free.")
    return phrase("The player moved off the {blind}, so may miss the blinds once free.", blind=blind_name(leaving))


def no_further() -> str:
    """Say that a move went closer to the big blind."""
    return phrase("The new seat is no farther from the big blind than the old one.")


def sat_out(count: int) -> str:
    """Say that a mover has waited."""
    return phrase("The player has sat out {count_text} since the move.", count_text=count_of(count, "hand"))


def no_blind_passed(seat: int) -> str:
    """Say that no blind has passed the new seat since the game began."""
    return phrase("No blind has passed seat {seat} since the game began.", seat=seat)


def passed_players(count: int) -> str:
    """Say how many players the move passed."""
    return phrase("The move passed {count_text}.", count_text=count_of(count, "player"))


def free_at_lower_limits() -> str:
    """Say that a seat change is free at lower limits."""
    return phrase("At lower limits a seat change costs nothing.")


def waits_for_position(count: int, hands_left: int) -> str:
    """Say how long a mover waits."""
    return phrase_count(
        "The move gained {positions}, so the player waits {count} more hand.",
        "The move gained {positions}, so the player waits {count} more hands.",
        hands_left,
        positions=count_of(count, "position"),
    )


def kills_in_lowball() -> str:
    """Say what a player does after a seat change in lowball."""
    return phrase("In lowball the player kills the pot or waits.")
