"""Reasons for what a player owes: what happened at the table, and what it costs by the book."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ledger.text.language import phrase
from projections.sentences.words import blind_name, count_of

# What happened at the table


Circumstance: TypeAlias = Literal["no cards", "no chips", "not known to have left"]
"""How a player who missed a blind was there, or wasn't."""


def missed_blind(seat: int, role: str, hand: str, circumstance: Circumstance) -> str:
    """Say that a seat missed a blind."""
    return {
        "no cards": phrase(
            "Seat {seat} missed the {blind} in hand {hand}: it wasn't dealt in.",
            seat=seat,
            blind=blind_name(role),
            hand=hand,
        ),
        "no chips": phrase(
            "Seat {seat} missed the {blind} in hand {hand}: it had no chips.",
            seat=seat,
            blind=blind_name(role),
            hand=hand,
        ),
        "not known to have left": phrase(
            "Seat {seat} missed the {blind} in hand {hand}: it wasn't dealt in, and the record doesn't show that the player left.",
            seat=seat,
            blind=blind_name(role),
            hand=hand,
        ),
    }[circumstance]


def missed_small_blind_heads_up(seat: int, hand: str) -> str:
    """Say that a seat missed its turn for the small blind on a heads-up hand."""
    return phrase(
        "Seat {seat}'s turn for the small blind passed in hand {hand}, when only two players had cards.",
        seat=seat,
        hand=hand,
    )


def had_big_blind(seat: int, hand: str) -> str:
    """Say when a seat had the big blind."""
    return phrase("The player had the big blind in hand {hand}, in seat {seat}.", hand=hand, seat=seat)


def posted(seat: int, hand: str) -> str:
    """Say when a player posted to come in."""
    return phrase("The player posted to come in on hand {hand}, in seat {seat}.", hand=hand, seat=seat)


def straddled(seat: int, hand: str) -> str:
    """Say when a player straddled, which settled the missed blinds."""
    return phrase("The player straddled in hand {hand}, in seat {seat}.", hand=hand, seat=seat)


def posted_short(seat: int, amount: str, big_blind: str, hand: str) -> str:
    """Say that a seat posted a short big blind."""
    return phrase(
        "Seat {seat} posted only {amount} of the {big_blind} big blind in hand {hand}.",
        seat=seat,
        amount=amount,
        big_blind=big_blind,
        hand=hand,
    )


def had_too_little(seat: int, amount: str, big_blind: str, hand: str) -> str:
    """Say that a seat couldn't cover the big blind."""
    return phrase(
        "Seat {seat} had only {amount} for the {big_blind} big blind in hand {hand}.",
        seat=seat,
        amount=amount,
        big_blind=big_blind,
        hand=hand,
    )


def posted_less_than_half(seat: int) -> str:
    """Say that a seat posted a short big blind, on an unknown hand."""
    return phrase("Seat {seat} posted less than half of the big blind.", seat=seat)


def came_back_free(seat: int, hand: str) -> str:
    """Say that a seat came back as a new player without a post."""
    return phrase("Seat {seat} came back in hand {hand} as a new player, without a post.", seat=seat, hand=hand)


def bought_button_before(seat: int, hand: str) -> str:
    """Say that a seat bought the button."""
    return phrase("Seat {seat} bought the button before hand {hand}.", seat=seat, hand=hand)


def bought_button_after(seat: int, hand: str) -> str:
    """Say that a seat bought the button."""
    return phrase("Seat {seat} bought the button after hand {hand}.", seat=seat, hand=hand)


def dealt_into_first_hand(seat: int, hand: str) -> str:
    """Say that a seat was in the game from its start."""
    return phrase("Seat {seat} was dealt in on hand {hand}, the first of the game.", seat=seat, hand=hand)


def known_before_record(seat: int) -> str:
    """Say that a player was in the game before the record begins."""
    return phrase("The player in seat {seat} was already in the game when this record began.", seat=seat)


def owed_before_record(seat: int, role: str) -> str:
    """Say that a player owed a blind before the record begins."""
    return phrase("Seat {seat} already owed the {blind} when this record began.", seat=seat, blind=blind_name(role))


def marker_for_blind(seat: int, role: str) -> str:
    """Say that a seat has a marker for one missed blind."""
    return phrase("Seat {seat} has a marker for a missed {blind}.", seat=seat, blind=blind_name(role))


def marker_for_blinds(seat: int) -> str:
    """Say that a seat has a missed-blind marker."""
    return phrase("Seat {seat} has a missed-blind marker.", seat=seat)


def went_broke(seat: int, hand: str) -> str:
    """Say that a player went broke and missed blinds before buying chips."""
    return phrase(
        "Seat {seat} lost its last chip in hand {hand}, and blinds passed before it bought more chips.",
        seat=seat,
        hand=hand,
    )


def present_while_broke(seat: int) -> str:
    """Say that a player without chips stayed at the table."""
    return phrase(
        "The player in seat {seat} was at the table when the blinds passed, so the book asks for nothing.", seat=seat
    )


# What it costs


def cost_of_missed(blinds: str, price: str) -> str:
    """Say what missed blinds cost; `blinds` like "small and big blind"."""
    return phrase("A player who missed the {blinds} posts {price}.", blinds=blinds, price=price)


def nothing_missed(seat: int) -> str:
    """Say that a seat missed nothing."""
    return phrase("Seat {seat} missed nothing, so it posts nothing.", seat=seat)


def no_price_in_book(blinds: str, count: int) -> str:
    """Say that the book has no amount for missed blinds."""
    return phrase(
        "The book gives no amount for a missed {blinds} in a game with {count_text}.",
        blinds=blinds,
        count_text=count_of(count, "blind"),
    )


def blinds_unrecorded() -> str:
    """Say that the game's blinds aren't recorded."""
    return phrase("The record doesn't give the blinds of this game.")


def opening_bet_assumed(amount: str) -> str:
    """Say which opening bet is assumed."""
    return phrase("No bring-in is recorded; the smallest opening bet is taken to be {amount}.", amount=amount)


def short_blind_as_missed() -> str:
    """Say that a short blind costs what a missed one costs."""
    return phrase("A short big blind is made up like a missed one.")


def short_blind_unsettled() -> str:
    """Say that the book doesn't say how a short blind is made up."""
    return phrase("The book doesn't say how a short blind is made up.")


def way_back(book_words: str) -> str:
    """Say how a book lets a player back in, in the book's words."""
    return (
        phrase("To be dealt in again: {book_words}.", book_words=book_words)
        if book_words
        else phrase("The book says how a player is dealt in again.")
    )


def between_button_and_blind(seat: int) -> str:
    """Say that a seat is between the button and the big blind."""
    return phrase("Seat {seat} is between the button and the big blind.", seat=seat)


def button_has_not_passed(seat: int) -> str:
    """Say that the button, by the method assumed, hasn't passed a seat."""
    return phrase("By this method the button stays put, so it hasn't passed seat {seat}.", seat=seat)


def straddle_settles() -> str:
    """Say that a straddle settles missed blinds."""
    return phrase("A straddle next to the big blind settles missed blinds.")


def button_for_sale() -> str:
    """Say that the player may buy the button."""
    return phrase("The player may buy the button; the book doesn't give the price.")


def post_due_next_deal(seat: int, hand: str) -> str:
    """Say that a forgotten post is due on the next deal."""
    return phrase(
        "Seat {seat} played hand {hand} without its post, so the post is due on the very next deal.",
        seat=seat,
        hand=hand,
    )


def post_due_later(seat: int, hand: str) -> str:
    """Say that a forgotten post may come on a later deal."""
    return phrase("Seat {seat} played hand {hand} without its post; it may post on a later deal.", seat=seat, hand=hand)


# Who isn't dealt in, and who always is


def tournament_absence() -> str:
    """Say that a tournament deals in absent players."""
    return phrase("In a tournament, absent players are dealt in.")


def no_blinds() -> str:
    """Say that the game has no blinds."""
    return phrase("This game has no blinds.")


def first_hand() -> str:
    """Say that this is the first hand of a game."""
    return phrase("This is the first hand of the game.")


def no_chips(seat: int) -> str:
    """Say that a seat has no chips."""
    return phrase("Seat {seat} has no chips.", seat=seat)


def absent(seat: int, hand: str, absence: Literal["sitting out", "away", "reserved", "asked to be dealt out"]) -> str:
    """Say why a listed seat got no cards."""
    if absence == "reserved":
        return phrase("Seat {seat} was reserved, so it wasn't dealt in on hand {hand}.", seat=seat, hand=hand)
    return {
        "sitting out": phrase("Seat {seat} wasn't dealt in on hand {hand}: sitting out.", seat=seat, hand=hand),
        "away": phrase("Seat {seat} wasn't dealt in on hand {hand}: away.", seat=seat, hand=hand),
        "asked to be dealt out": phrase(
            "Seat {seat} wasn't dealt in on hand {hand}: asked to be dealt out.", seat=seat, hand=hand
        ),
    }[absence]


def unlisted(seat: int, hand: str) -> str:
    """Say that a hand doesn't list a seat."""
    return phrase("Hand {hand} doesn't list seat {seat}.", hand=hand, seat=seat)


def not_present(seat: int, absence: Literal["asked out", "away", "unlisted", "waiting for the button"]) -> str:
    """Say why the coming hand leaves a seat out."""
    return {
        "asked out": phrase("The player in seat {seat} asked not to be dealt in.", seat=seat),
        "away": phrase("The player in seat {seat} isn't at the table.", seat=seat),
        "unlisted": phrase("The last hand doesn't list seat {seat}: the player sits out or has left.", seat=seat),
        "waiting for the button": phrase("Seat {seat} is kept out until the button has passed.", seat=seat),
    }[absence]


def due_the_button(seat: int) -> str:
    """Say that an absent player is due the button."""
    return phrase("Seat {seat} is due the button, and its blinds are paid.", seat=seat)
