"""Sentences of findings about the games, stakes and buy-ins that a house states."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.text.language import join_list, phrase

# Headlines


def game_unlisted(game: str) -> str:
    """Headline: the house doesn't spread this game."""
    return phrase("This house doesn't spread {game}", game=game)


def stakes_unlisted(game: str, stakes: str) -> str:
    """Headline: the house spreads the game, but at other stakes."""
    return phrase("This house doesn't spread {game} at {stakes}", game=game, stakes=stakes)


def buy_in_too_small(seat: int, amount: str, minimum: str) -> str:
    """Headline: a player sat down with too few chips."""
    return phrase(
        "Seat {seat} bought in for {amount}; the minimum is {minimum}", seat=seat, amount=amount, minimum=minimum
    )


def buy_in_too_large(seat: int, amount: str, maximum: str) -> str:
    """Headline: a player sat down with too many chips."""
    return phrase(
        "Seat {seat} bought in for {amount}; the maximum is {maximum}", seat=seat, amount=amount, maximum=maximum
    )


def stack_too_large(seat: int, added: str, stack: str, maximum: str) -> str:
    """Headline: a player added chips beyond the largest buy-in."""
    return phrase(
        "Seat {seat} added {added} and has {stack}; chips can be added up to {maximum}",
        seat=seat,
        added=added,
        stack=stack,
        maximum=maximum,
    )


# What should be


def only_these(games: Sequence[str]) -> str:
    """Correct: the games that the house spreads."""
    return join_list(games)


def buy_in_from(minimum: str) -> str:
    """Correct: the smallest buy-in."""
    return phrase("a buy-in of at least {minimum}", minimum=minimum)


def buy_in_up_to(maximum: str) -> str:
    """Correct: the largest buy-in."""
    return phrase("a buy-in of at most {maximum}", maximum=maximum)


def stack_up_to(maximum: str) -> str:
    """Correct: the most that a player may have after adding chips."""
    return phrase("at most {maximum} after adding chips", maximum=maximum)


# Why it's only likely


def origin_unknown(seat: int) -> str:
    """Why it's only likely: a player from another table brings a stack."""
    return phrase("The record doesn't say whether the player in seat {seat} came from another table.", seat=seat)
