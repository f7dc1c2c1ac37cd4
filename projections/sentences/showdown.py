"""Sentences of findings about the showdown and awards."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.text.language import join_and, phrase, phrase_count
from projections.sentences.words import count_of


def paid_on_wrong_count(seat: int, amount: str, cards: int) -> str:
    """Headline: the paid hand wins only with another number of hole cards."""
    return phrase(
        "Seat {seat} was paid {amount} for a hand that doesn't use exactly {cards_text}",
        seat=seat,
        amount=amount,
        cards_text=count_of(cards, "hole card"),
    )


def exact_hole_cards(cards: int) -> str:
    """Correct: a hand uses exactly this many hole cards."""
    return phrase("exactly {cards_text} in the hand", cards_text=count_of(cards, "hole card"))


def paid_for_low(seat: int, amount: str) -> str:
    """Headline: a hand without a low was paid the low half."""
    return phrase("Seat {seat} was paid {amount} for the low half without a qualifying low", seat=seat, amount=amount)


def low_of(rank: int) -> str:
    """Correct: a low of this rank or better."""
    return phrase("a low of {rank} or better", rank=rank)


def paid_without_declaring_board(seat: int) -> str:
    """Headline: a player threw in the cards without declaring the board, but was paid."""
    return phrase("Seat {seat} threw in its cards without declaring the board, but was paid", seat=seat)


def no_share() -> str:
    """Correct: the player gets nothing."""
    return phrase("no share of the pot")


def let_go_note() -> str:
    """Note: the player threw in the cards."""
    return phrase("threw in the cards")


def declared_board_and_unpaid(seat: int) -> str:
    """Headline: a player who declared the board got nothing."""
    return phrase("Seat {seat} declared the board before throwing in its cards, but was paid nothing", seat=seat)


def share_of_board() -> str:
    """Correct: the player gets a share of the pot."""
    return phrase("a share, since no hand that was paid beats the board")


def declared_board_note() -> str:
    """Note: the board was declared."""
    return phrase("declared the board")


def paid_on_declaration(seat: int) -> str:
    """Headline: a hand without cards was paid because of a declaration."""
    return phrase("Seat {seat} was paid without cards after declaring the board", seat=seat)


def declaration_is_void() -> str:
    """Correct: nothing, as declaring the board has no effect."""
    return phrase("no share: saying 'I play the board' doesn't count here")


def paid_without_cards(seat: int) -> str:
    """Headline: a seat without cards was paid."""
    return phrase("Seat {seat} was paid without cards", seat=seat)


def no_cards_note() -> str:
    """Note: the seat has no cards any more."""
    return phrase("no cards from here on")


def paid_unshown(seat: int, cards: int) -> str:
    """Headline: a hand was paid without showing all its cards."""
    if not cards:
        return phrase("Seat {seat} was paid with no cards shown", seat=seat)
    return phrase_count(
        "Seat {seat} was paid with {count} card shown",
        "Seat {seat} was paid with {count} cards shown",
        cards,
        seat=seat,
    )


def show_to_win(cards: int) -> str:
    """Correct: all cards face up."""
    return phrase("{cards} cards face up to win", cards=cards)


def show_to_win_or_lose_to(cards: int, seats: Sequence[int]) -> str:
    """Correct: all cards face up, else another seat wins."""
    winners = join_and([phrase("seat {seat}", seat=seat) for seat in seats])
    return phrase("{cards} cards face up to win; the pot goes to {winners}", cards=cards, winners=winners)


def last_hand_may_win_unshown() -> str:
    """Why it's only likely: the last hand needn't be shown."""
    return phrase("The others had thrown in their cards, and the last hand may win unshown.")


def losing_hands_not_killed(seats: Sequence[int]) -> str:
    """Headline: the pot was pushed before losing hands were killed."""
    return phrase_count(
        "The pot was pushed before the losing hand of seat {seats} was killed",
        "The pot was pushed before the losing hands of seats {seats} were killed",
        len(seats),
        seats=join_and([str(seat) for seat in seats]),
    )


def losing_hands_killed_first(seats: Sequence[int]) -> str:
    """Correct: losing hands are killed first."""
    return phrase_count(
        "seat {seats}'s losing hand killed before the pot is pushed",
        "the losing hands of seats {seats} killed before the pot is pushed",
        len(seats),
        seats=join_and([str(seat) for seat in seats]),
    )


def winner_turned_down(seat: int) -> str:
    """Headline: the winning hand was turned down early."""
    return phrase("Seat {seat} turned its winning hand face down before it was paid", seat=seat)


def face_up_until_pushed() -> str:
    """Correct: the hand stays face up."""
    return phrase("the hand face up until the pot is pushed")


def paid_note() -> str:
    """Note: the pot was paid."""
    return phrase("paid")
