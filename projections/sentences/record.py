"""Sentences of findings of the book `record`: the record of a hand contradicts itself."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from ledger.text.language import join_and, phrase, phrase_count, translatable
from projections.sentences import street_name

Label = Literal[
    "total pot", "rake", "jackpot", "drop", "end stack", "balance", "net result", "winnings", "collected amount"
]
_LABELS: Final[dict[Label, str]] = {
    "total pot": translatable("total pot"),
    "rake": translatable("rake"),
    "jackpot": translatable("jackpot"),
    "drop": translatable("drop"),
    "end stack": translatable("end stack"),
    "balance": translatable("balance"),
    "net result": translatable("net result"),
    "winnings": translatable("winnings"),
    "collected amount": translatable("collected amount"),
}
Deed = Literal["acted", "posted", "showed cards", "got a bet back", "was paid"]
_STRANGERS: Final[dict[Deed, str]] = {
    "acted": translatable("Seat {seat} acted but wasn't dealt in"),
    "posted": translatable("Seat {seat} posted but wasn't dealt in"),
    "showed cards": translatable("Seat {seat} showed cards but wasn't dealt in"),
    "got a bet back": translatable("Seat {seat} got a bet back but wasn't dealt in"),
    "was paid": translatable("Seat {seat} was paid but wasn't dealt in"),
}


def pot_is_short(amount: str, chips_in: str, paid: str) -> str:
    """Headline: less came out of the pot than went in."""
    return phrase(
        "The pot is short {amount}: {chips_in} went in, {paid} came out", amount=amount, chips_in=chips_in, paid=paid
    )


def pot_is_over(amount: str, chips_in: str, paid: str) -> str:
    """Headline: more came out of the pot than went in."""
    return phrase(
        "The pot paid out {amount} too much: {chips_in} went in, {paid} came out",
        amount=amount,
        chips_in=chips_in,
        paid=paid,
    )


def as_much_out_as_in() -> str:
    """Correct: the pot pays out what went in."""
    return phrase("the pot pays out what went in")


def paid_and_raked(amount: str, rake: str) -> str:
    """Because: what came out of the pot."""
    return phrase("{amount} was paid to players and {rake} went to the house.", amount=amount, rake=rake)


def bet_may_have_come_back() -> str:
    """Why it's only likely: returned bets may be missing."""
    return phrase("Not every returned bet is on record, so one may be missing.")


def rake_may_be_missing() -> str:
    """Why it's only likely: the rake may be missing."""
    return phrase("No rake is on record, so some may have been taken.")


def post_may_be_missing() -> str:
    """Why it's only likely: posts may be missing."""
    return phrase("Not every post is on record, so one may be missing.")


def void_posts_may_have_gone_back() -> str:
    """Why it's only likely: the posts of a void deal may have been returned."""
    return phrase("As much was posted before the misdeal and again after it, so the first posts may have gone back.")


def stated_result(label: Label, amount: str, due_amount: str) -> str:
    """Headline: a total that the record states is not what its actions come to."""
    return phrase(
        "The recorded {label} is {amount}; by the recorded actions it is {due_amount}",
        label=phrase(_LABELS[label]),
        amount=amount,
        due_amount=due_amount,
    )


def stated_result_of_seat(label: Label, seat: int, amount: str, due_amount: str) -> str:
    """Headline: a result of a seat that the record states is not what its actions come to."""
    return phrase(
        "Seat {seat}'s recorded {label} is {amount}; by the recorded actions it is {due_amount}",
        seat=seat,
        label=phrase(_LABELS[label]),
        amount=amount,
        due_amount=due_amount,
    )


def result_by_actions(due_amount: str) -> str:
    """Correct: the result that the actions come to."""
    return phrase("{due_amount}, going by the recorded actions", due_amount=due_amount)


def difference_of(amount: str) -> str:
    """Because: the difference between the two."""
    return phrase("The difference is {amount}.", amount=amount)


def card_place(place: Literal["hand", "burns", "board"], seat: int, board: str) -> str:
    """Return where a card is. `board` is its name if there are several."""
    if place == "hand":
        return phrase("in seat {seat}'s hand", seat=seat)
    return phrase("among the burns") if place == "burns" else phrase("on {board}", board=board)


def board_name(run: int, board: int, *, runs: bool, boards: bool) -> str:
    """Return the name of a board: `the board`, `the board of run 2`, `board 2`."""
    if runs:
        return phrase("the board of run {run}", run=run)
    return phrase("board {board}", board=board) if boards else phrase("the board")


def card_in_two_places(card: str, first_place: str, next_place: str) -> str:
    """Headline: a card is in two places."""
    return phrase(
        "The {card} is {first_place} and {next_place}", card=card, first_place=first_place, next_place=next_place
    )


def card_twice_in_place(card: str, first_place: str) -> str:
    """Headline: a card is in one place twice."""
    return phrase("The {card} is {first_place} twice", card=card, first_place=first_place)


def every_card_once() -> str:
    """Correct: a deck has each card once."""
    return phrase("every card once")


def street_recorded_twice(street: str, board_cards: str) -> str:
    """Headline: a street is on record twice."""
    return phrase("The {street} {board_cards} is recorded twice", street=street_name(street), board_cards=board_cards)


def single_record() -> str:
    """Correct: a street is on record once."""
    return phrase("recorded once")


def more_than_stack(seat: int, amount: str, stack: str) -> str:
    """Headline: a seat put in more than it had."""
    return phrase("Seat {seat} put in {amount} from a stack of {stack}", seat=seat, amount=amount, stack=stack)


def stack_at_most(stack: str) -> str:
    """Correct: the stack, or another one."""
    return phrase("at most {stack}, unless the stack is recorded wrong", stack=stack)


def raise_of_nothing(kind: Literal["bet", "raise"], seat: int, amount: str, bet: str) -> str:
    """Headline: a bet or raise is no more than the bet it faces."""
    if kind == "raise":
        return phrase("Seat {seat} raised to {amount} facing a bet of {bet}", seat=seat, amount=amount, bet=bet)
    return phrase("Seat {seat} bet {amount} facing a bet of {bet}", seat=seat, amount=amount, bet=bet)


def call_or_more(bet: str) -> str:
    """Correct: a call or a larger amount."""
    return phrase("a call of {bet}, or a larger amount", bet=bet)


def action_or_amount_wrong() -> str:
    """Because: the record has the action or its amount wrong."""
    return phrase("Either the action or its amount is recorded wrong.")


def stranger(seat: int, deed: Deed) -> str:
    """Headline: a seat took part that wasn't dealt in."""
    return phrase(_STRANGERS[deed], seat=seat)


def dealt_in_first() -> str:
    """Correct: only seats that are dealt in take part."""
    return phrase("only seats that are dealt in")


def dealt_in_twice(seat: int, difference: Literal["players", "stacks"]) -> str:
    """Headline: a seat is dealt in twice."""
    if difference == "players":
        return phrase("Seat {seat} is dealt in twice, with different players", seat=seat)
    return phrase("Seat {seat} is dealt in twice, with different stacks", seat=seat)


def one_line_is_wrong(difference: Literal["players", "stacks"]) -> str:
    """Correct: one player or stack."""
    if difference == "players":
        return phrase("one player; one of the two lines is wrong")
    return phrase("one stack; one of the two lines is wrong")


def dealt_in_note() -> str:
    """Note: the seat was dealt in."""
    return phrase("first dealt in here")


def no_seat_list(hand: str) -> str:
    """Headline: nobody is dealt in. `hand` may be "" if its number is unknown."""
    return phrase("Hand {hand} has no seat list", hand=hand) if hand else phrase("The hand has no seat list")


def seats_and_stacks() -> str:
    """Correct: a list of seats."""
    return phrase("every player who is dealt in, with seat and stack")


def line_not_understood() -> str:
    """Headline: a line of the source couldn't be read."""
    return phrase("This line couldn't be read")


def hand_incomplete() -> str:
    """Correct: every line is read."""
    return phrase("a line that can be read; without it the hand is incomplete")


def paid_instead_of(seat: int, amount: str, seats: Sequence[int]) -> str:
    """Headline: a seat was paid, but by the cards others win."""
    if not seats:
        return phrase("Seat {seat} was paid {amount}; by the cards, nobody wins", seat=seat, amount=amount)
    return phrase_count(
        "Seat {seat} was paid {amount}; by the cards, seat {seats} wins",
        "Seat {seat} was paid {amount}; by the cards, seats {seats} win",
        len(seats),
        seat=seat,
        amount=amount,
        seats=join_and([str(winner) for winner in seats]),
    )


def paid_other_amount(seat: int, amount: str, due_amount: str) -> str:
    """Headline: the winner was paid another amount."""
    return phrase(
        "Seat {seat} was paid {amount}; by the cards, it wins {due_amount}",
        seat=seat,
        amount=amount,
        due_amount=due_amount,
    )


def winner_gets(seat: int, due_amount: str) -> str:
    """Correct: one winner gets all."""
    return phrase("{due_amount} to seat {seat}, by the cards on record", due_amount=due_amount, seat=seat)


def winners_get(payments: Sequence[tuple[str, int]]) -> str:
    """Correct: what several winners get."""
    shares = [phrase("{amount} to seat {seat}", amount=part, seat=seat) for part, seat in payments]
    return phrase("{seats}, before the rake, by the cards on record", seats=join_and(shares))


def kill_unexplained() -> str:
    """Why it's only likely: a hand at the showdown was killed for an unknown reason."""
    return phrase("A hand was killed at the showdown, and the record doesn't say why.")


def card_recorded_twice() -> str:
    """Why it's only likely: a card is on record twice."""
    return phrase("A card is on record twice.")


def stacks_missing() -> str:
    """Why it's only likely: somebody may be all-in."""
    return phrase("Not every stack is on record, so somebody may be all-in.")


def paid_after_folding(seat: int, amount: str) -> str:
    """Headline: a folded hand was paid."""
    return phrase("Seat {seat} was paid {amount} after folding", seat=seat, amount=amount)


def paid_with_dead_hand(seat: int, amount: str) -> str:
    """Headline: a dead hand was paid."""
    return phrase("Seat {seat} was paid {amount} after its hand was killed", seat=seat, amount=amount)


def pot_to_live_hand() -> str:
    """Correct: a live hand wins."""
    return phrase("the pot to a live hand")


def hand_may_have_been_returned() -> str:
    """Why it's only likely: the hand may be live again."""
    return phrase("Some actions aren't on record, so the dead hand may have been ruled live again.")


def hand_was_corrected() -> str:
    """Why it's only likely: somebody corrected the record."""
    return phrase("The record of this hand was corrected.")


def given_up_note() -> str:
    """Note: the hand was given up."""
    return phrase("the hand was given up here")


def contested_without_call(seat: int, amount: str, bet: str) -> str:
    """Headline: a seat was in at the end without calling."""
    return phrase(
        "Seat {seat} was still in at the end for {amount}; others put in {bet}", seat=seat, amount=amount, bet=bet
    )


def call_or_fold() -> str:
    """Correct: a call or a fold."""
    return phrase("a call or a fold")


def action_may_be_missing() -> str:
    """Why it's only likely: an action may be missing."""
    return phrase("The player's action may be missing from the record.")


def paid_more_than_covered(seat: int, amount: str, paid: str) -> str:
    """Headline: a seat won more than its chips cover."""
    return phrase("Seat {seat} put in {amount} and was paid {paid}", seat=seat, amount=amount, paid=paid)


def side_pot_to_others(maximum: str) -> str:
    """Correct: the most that a seat can win."""
    return phrase("at most {maximum}; the rest is a side pot for players who put in more", maximum=maximum)
