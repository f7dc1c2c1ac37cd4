"""Reasons for what a new player does to be dealt in."""

from __future__ import annotations

from ledger.text.language import phrase


def not_dealt_in_yet(seat: int) -> str:
    """Say that a player is new."""
    return phrase("The player in seat {seat} hasn't been dealt in here yet.", seat=seat)


def posts_nothing() -> str:
    """Say that new players needn't post, by the book."""
    return phrase("A new player posts nothing in this game.")


def posts_big_blind() -> str:
    """Say that new players post the big blind, by the book."""
    return phrase("A new player posts the big blind live, or waits for it.")


def posts_twice_in_lowball() -> str:
    """Say that new players in lowball post twice the big blind."""
    return phrase("In lowball a new player posts twice the big blind, or waits for it.")


def game_asks_nothing() -> str:
    """Say that new players needn't post, by the house's option for this game."""
    return phrase("In this game, new players needn't post.")


def game_asks_post() -> str:
    """Say that new players post the big blind, by the house's option for this game."""
    return phrase("This game asks a new player to post the big blind, or to wait for it.")


def game_taken_as_old() -> str:
    """Say that we assume the game was running before the record."""
    return phrase("The start of this game isn't recorded; we assume it was already running.")


def moved_by_house() -> str:
    """Say that the house moved a player here."""
    return phrase(
        "The house moved this player from a broken or changed game, so the player posts nothing before the big blind."
    )


def no_blind_passed(seat: int, hand: str) -> str:
    """Say that the first orbit of the game isn't complete."""
    return phrase(
        "The button hasn't gone around since hand {hand}, and no blind has passed seat {seat}.", hand=hand, seat=seat
    )


def plays_over() -> str:
    """Say that a player who plays over is new."""
    return phrase("A player who plays over counts as a new player.")


def game_began(hand: str) -> str:
    """Say that the game has begun."""
    return phrase("The game began with hand {hand}; anyone who wasn't dealt in then is a new player.", hand=hand)


def may_let_button_pass() -> str:
    """Say that a new player owes nothing for letting the button pass."""
    return phrase("A new player who lets the button pass has missed no blind.")


def waits_behind_button_in_tournament(seat: int) -> str:
    """Say why a tournament newcomer gets no cards."""
    return phrase("Seat {seat} just came to the table and is between the button and the small blind.", seat=seat)
