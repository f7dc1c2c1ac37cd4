"""Sentences of findings about the showdown and awards."""

from __future__ import annotations

from collections.abc import Sequence

from projections.sentences import join_and
from projections.sentences.words import count_of


def paid_on_wrong_count(seat: int, amount: str, cards: int) -> str:
    """Headline: a hand wins only if it may use another number of hole cards."""
    return f"Seat {seat} was paid {amount} for a hand that doesn't use exactly {count_of(cards, 'hole card')}"


def exact_hole_cards(cards: int) -> str:
    """Correct: how many hole cards a hand uses."""
    return f"exactly {count_of(cards, 'hole card')} in the hand"


def paid_for_low(seat: int, amount: str) -> str:
    """Headline: a hand without a low was paid the low half."""
    return f"Seat {seat} was paid {amount} for the low half without a qualifying low"


def low_of(rank: int) -> str:
    """Correct: which hand is a low."""
    return f"a low of {rank} or better"


def paid_without_declaring_board(seat: int) -> str:
    """Headline: a player was paid who threw in the cards without declaring the board."""
    return f"Seat {seat} threw in its cards without declaring the board, but was paid"


def no_share() -> str:
    """Correct: nothing."""
    return "no share of the pot"


def let_go_note() -> str:
    """Note: the cards were let go."""
    return "threw in the cards"


def declared_board_and_unpaid(seat: int) -> str:
    """Headline: a player who declared the board got nothing."""
    return f"Seat {seat} declared the board before throwing in its cards, but was paid nothing"


def share_of_board() -> str:
    """Correct: a share."""
    return "a share, since no hand that was paid beats the board"


def declared_board_note() -> str:
    """Note: the board was declared."""
    return "declared the board"


def paid_on_declaration(seat: int) -> str:
    """Headline: a hand without cards was paid because of a declaration."""
    return f"Seat {seat} was paid without cards after declaring the board"


def declaration_is_void() -> str:
    """Correct: nothing, as declaring the board has no effect."""
    return "no share, since declaring the board has no effect"


def paid_without_cards(seat: int) -> str:
    """Headline: a seat without cards was paid."""
    return f"Seat {seat} was paid without cards"


def no_cards_note() -> str:
    """Note: the seat has no cards any more."""
    return "no cards from here on"


def paid_unshown(seat: int, cards: int) -> str:
    """Headline: a hand was paid without showing all its cards."""
    return f"Seat {seat} was paid with {cards or 'no'} card{'s' * (cards != 1)} shown"


def show_to_win(cards: int) -> str:
    """Correct: all cards face up."""
    return f"{cards} cards face up to win"


def show_to_win_or_lose_to(cards: int, seats: Sequence[int]) -> str:
    """Correct: all cards face up, else another seat wins."""
    winners = join_and([f"seat {seat}" for seat in seats])
    return f"{cards} cards face up to win; the pot goes to {winners}"


def last_hand_may_win_unshown() -> str:
    """Why it's only likely: the last hand needn't be shown."""
    return "The others had thrown in their cards, and the last hand may win unshown."


def losing_hands_not_killed(seats: Sequence[int]) -> str:
    """Headline: the pot was pushed while losing hands lay there."""
    return f"The pot was pushed before {_losing_hands(seats)} {'were' if len(seats) > 1 else 'was'} killed"


def losing_hands_killed_first(seats: Sequence[int]) -> str:
    """Correct: losing hands are killed first."""
    return f"{_losing_hands(seats)} killed first"


def _losing_hands(seats: Sequence[int]) -> str:
    owners = join_and([str(seat) for seat in seats])
    return f"the losing hand{'s' * (len(seats) > 1)} of seat{'s' * (len(seats) > 1)} {owners}"


def winner_turned_down(seat: int) -> str:
    """Headline: the winning hand was turned down early."""
    return f"Seat {seat} turned its winning hand face down before it was paid"


def face_up_until_pushed() -> str:
    """Correct: the hand stays face up."""
    return "the hand face up until the pot is pushed"


def paid_note() -> str:
    """Note: the pot was paid."""
    return "paid"
