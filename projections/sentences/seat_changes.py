"""Reasons for what a player owes after a seat change."""

from __future__ import annotations

from projections.sentences.words import count_of


def moved(seat: int, old_seat: int) -> str:
    """Say who moved."""
    return f"The player in seat {seat} moved there from seat {old_seat}."


def blinds_may_pass(leaving: str) -> str:
    """Say that a mover lets the blinds pass once."""
    position = "button" if leaving == "button" else f"{leaving} blind"
    return f"The player moved off the {position}, so may miss the blinds once free."


def no_further() -> str:
    """Say that a move went closer to the big blind."""
    return "The new seat is no farther from the big blind than the old one."


def sat_out(count: int) -> str:
    """Say that a mover has waited."""
    return f"The player has sat out {count_of(count, 'hand')} since the move."


def no_blind_passed(seat: int) -> str:
    """Say that no blind has passed the new seat since the game began."""
    return f"No blind has passed seat {seat} since the game began."


def passed_players(count: int) -> str:
    """Say how many players the move passed."""
    return f"The move passed {count_of(count, 'player')}."


def free_at_lower_limits() -> str:
    """Say that a seat change is free at lower limits."""
    return "At lower limits a seat change costs nothing."


def waits_for_position(count: int, hands_left: int) -> str:
    """Say how long a mover waits."""
    gained = f"The move gained {count_of(count, 'position')}"
    return f"{gained}, so the player waits {hands_left} more {'hand' if hands_left == 1 else 'hands'}."


def kills_in_lowball() -> str:
    """Say what a player does after a seat change in lowball."""
    return "In lowball the player kills the pot or waits."
