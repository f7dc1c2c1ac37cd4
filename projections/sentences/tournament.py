"""Sentences of findings about tournament procedure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from ledger.text.language import join_and, phrase, phrase_count, translatable
from projections.sentences import on_street, street_name
from projections.sentences.words import error_name

_Word = Literal["fold", "check", "call", "bet", "raise"]
_WORDS: Final[dict[str, str]] = {
    "fold": translatable("fold"),
    "check": translatable("check"),
    "call": translatable("call"),
    "bet": translatable("bet"),
    "raise": translatable("raise"),
}
_ACTS: Final[dict[str, str]] = {
    "fold": translatable("a fold"),
    "check": translatable("a check"),
    "call": translatable("a call"),
    "bet": translatable("a bet"),
    "raise": translatable("a raise"),
}


def big_blind_twice(seat: int) -> str:
    """Headline: heads-up, a player has the big blind again."""
    return phrase("Seat {seat} posted the big blind on two hands in a row", seat=seat)


def big_blind_moves(seat: int, other_seat: int) -> str:
    """Correct: the big blind moves on."""
    return phrase(
        "seat {other_seat} has the big blind, seat {seat} the button and the small blind",
        other_seat=other_seat,
        seat=seat,
    )


def players_on_last_hand(hand: str, players: int) -> str:
    """Because: play became heads-up with this hand."""
    return phrase("Hand {hand} had {players} players.", hand=hand, players=players)


def ante_before_blind(seat: int, stack: str, ante: str, amount: str) -> str:
    """Headline: a short big blind paid the ante first."""
    return phrase(
        "Seat {seat} had {stack} and paid {ante} as the ante first, then {amount} as the blind",
        seat=seat,
        stack=stack,
        ante=ante,
        amount=amount,
    )


def blind_before_ante(due_amount: str, ante: str) -> str:
    """Correct: the blind comes first."""
    return phrase(
        "the blind first: {due_amount} as the blind, then {ante} as the ante", due_amount=due_amount, ante=ante
    )


def posts_given_back(seat: int, amount: str) -> str:
    """Headline: an absent player's posts were given back."""
    return phrase("Seat {seat} got {amount} of its posts back", seat=seat, amount=amount)


def absent_posts_stay_in() -> str:
    """Correct: the posts stay in the pot."""
    return phrase("the absent player's blind and ante stay in the pot")


def absent_hand_played(seat: int) -> str:
    """Headline: an absent player's hand was played."""
    return phrase("Seat {seat}'s hand was played, though the player wasn't at the seat after the deal", seat=seat)


def absent_hand_dead() -> str:
    """Correct: the hand is dead."""
    return phrase("a dead hand, with its blind and ante left in")


def away_note() -> str:
    """Note: the player was away."""
    return phrase("away")


def killed_note() -> str:
    """Note: the hand was killed."""
    return phrase("killed")


def boxed_cards_dealt_on(count: int) -> str:
    """Headline: boxed cards made no misdeal."""
    return phrase_count(
        "{count} boxed card turned up in the deal, but dealing went on",
        "{count} boxed cards turned up in the deal, but dealing went on",
        count,
    )


def joker_found_dealt_on() -> str:
    """Headline: a joker found in time made no misdeal."""
    return phrase("A joker was found before substantial action, but the deal went on")


def street_with_joker(street: str) -> str:
    """Headline: a joker stayed on the board."""
    return phrase("The {street} was played with a joker", street=street_name(street))


def played_with_joker(seat: int) -> str:
    """Headline: a player played on with a joker."""
    return phrase("Seat {seat} played on with a joker", seat=seat)


def wrong_count_dealt_on(seat: int, cards: int) -> str:
    """Headline: a wrong number of cards found in time made no misdeal."""
    return phrase_count(
        "Seat {seat} had {count} card; this was caught before substantial action, but the deal went on",
        "Seat {seat} had {count} cards; this was caught before substantial action, but the deal went on",
        cards,
        seat=seat,
    )


def acted_on_short_hand(seat: int, cards: int) -> str:
    """Headline: the button acted on too few cards and played on."""
    return phrase_count(
        "Seat {seat} acted with {count} card and played on",
        "Seat {seat} acted with {count} cards and played on",
        cards,
        seat=seat,
    )


def dead_hand() -> str:
    """Correct: a dead hand."""
    return phrase("a dead hand")


def late_misdeal(reason: str) -> str:
    """Headline: a misdeal after substantial action."""
    return phrase("A misdeal was declared after substantial action (reason: {reason})", reason=error_name(reason))


def hand_goes_on() -> str:
    """Correct: no misdeal."""
    return phrase("the hand goes on")


def card_came_twice(card: str) -> str:
    """Headline: a fouled deck was played and paid."""
    return phrase("The {card} appeared twice, but the pot was paid", card=card)


def play_stops() -> str:
    """Correct: all bets go back."""
    return phrase("play stops and all bets go back, no matter what has happened")


def record_may_be_wrong() -> str:
    """Why it's only likely: the record may be wrong."""
    return phrase("The card may simply be recorded wrong.")


def one_burn_per_street(burns: int) -> str:
    """Correct: one burn for each street."""
    return phrase("{burns} burn for each street, no more and no less", burns=burns)


def hand_died_note() -> str:
    """Note: the hand died."""
    return phrase("the hand died")


def card_put_back(card: str) -> str:
    """Headline: a card of a dead hand went back on the deck."""
    return phrase("The {card} was put back on the deck", card=card)


def deck_not_restored() -> str:
    """Correct: the deck isn't restored."""
    return phrase("the order of the deck isn't restored")


def flop_kept(cards: int) -> str:
    """Headline: a flop with too many cards was kept."""
    return phrase("The flop had {cards} cards, and all of them were kept", cards=cards)


def new_flop_of_other_cards() -> str:
    """Headline: the new flop isn't made of the four cards."""
    return phrase("The new flop isn't made from the four cards")


def scramble_four() -> str:
    """Correct: how a four-card flop is corrected."""
    return phrase("the four cards scrambled face down: one becomes the next burn, the other three the flop")


def cards_burned_before_turn(names: Sequence[str]) -> str:
    """Headline: another card than the fourth was burned."""
    return phrase_count(
        "{names} was burned before the turn", "{names} were burned before the turn", len(names), names=join_and(names)
    )


def fourth_card_is_burn(names: Sequence[str]) -> str:
    """Correct: the fourth card is the burn."""
    return phrase("{names}, the fourth card, is the burn", names=join_and(names))


def flop_of_three_note() -> str:
    """Note: the flop of the other three cards."""
    return phrase("the flop of the other three")


def unburned_flop_kept() -> str:
    """Headline: a flop without a burn was kept."""
    return phrase("The flop came without a burn; this was caught in time, but the flop was kept")


def scramble_three() -> str:
    """Correct: how a flop without a burn is corrected."""
    return phrase("the three cards scrambled: one becomes the burn, the other two and the next card the flop")


def noticed_note() -> str:
    """Note: the error was noticed."""
    return phrase("noticed")


def cards_in_new_flop(count: int) -> str:
    """Headline: the new flop shares another number of cards than two."""
    if not count:
        return phrase("None of the first three cards are in the new flop")
    return phrase_count(
        "{count} of the first three cards is in the new flop",
        "{count} of the first three cards are in the new flop",
        count,
    )


def no_burn_note() -> str:
    """Note: no card was burned."""
    return phrase("no burn")


def unburned_flop_taken_back() -> str:
    """Headline: a flop that was acted on was taken back because no card was burned."""
    return phrase("The flop was taken back after action on it because no card was burned")


def flop_plays() -> str:
    """Correct: the flop stays."""
    return phrase("the flop plays")


def raised_below_minimum(seat: int, bet: str, amount: str, minimum: str) -> str:
    """Headline: a raise of less than the minimum."""
    return phrase(
        "Seat {seat} raised from {bet} to {amount}; the minimum raise is {minimum} more",
        seat=seat,
        bet=bet,
        amount=amount,
        minimum=minimum,
    )


def raise_or_call(amount: str, *, is_raise: bool) -> str:
    """Correct: a full raise, or a call."""
    return phrase("a raise to {amount}", amount=amount) if is_raise else phrase("a call of {amount}", amount=amount)


def largest_wager(minimum: str) -> str:
    """Because: what the minimum raise is."""
    return phrase("The largest bet or raise of the round was {minimum}.", minimum=minimum)


def full_raise_is(minimum: str) -> str:
    """Because: what a full raise is."""
    return phrase("A full raise is {minimum}.", minimum=minimum)


def undercalled(seat: int, amount: str, call: str) -> str:
    """Headline: less than the bet was taken as a call."""
    return phrase(
        "Seat {seat} undercalled: it put in {amount} with {call} to call", seat=seat, amount=amount, call=call
    )


def full_call_to(bet: str) -> str:
    """Correct: a full call."""
    return phrase("a full call, to {bet} total", bet=bet)


def call_must_be_full(*, is_opening_bet: bool) -> str:
    """Because: an undercall must be made good."""
    return phrase("The player faced the opening bet.") if is_opening_bet else phrase("Only two players were left.")


def raises_were_capped() -> str:
    """Headline: the raises were capped."""
    return phrase("The raises were capped")


def no_cap() -> str:
    """Correct: no cap."""
    return phrase("no cap in no-limit and pot-limit")


def capped_with_two_players(cap: int) -> str:
    """Correct: the cap, also heads-up."""
    return phrase("at most {cap} raises, even with two players left in the hand", cap=cap)


def chip_taken_for_less(seat: int, chips: str, amount: str) -> str:
    """Headline: a silent oversize chip was taken as a smaller bet."""
    return phrase(
        "Seat {seat} put in one {chips} chip, and it was ruled a bet of {amount}", seat=seat, chips=chips, amount=amount
    )


def bet_of(due_amount: str) -> str:
    """Correct: a bet."""
    return phrase("a bet of {due_amount}", due_amount=due_amount)


def chips_taken_as_raise(seat: int, chips: str, amount: str) -> str:
    """Headline: silent chips were taken as a raise."""
    return phrase(
        "Seat {seat} put in {chips}, and it was ruled a raise to {amount}", seat=seat, chips=chips, amount=amount
    )


def call_without_smallest_chip(call: str) -> str:
    """Correct: a call."""
    return phrase("a call of {call}: without its smallest chip, it wouldn't cover the call", call=call)


def chips_not_completed(seat: int, chips: str, amount: str) -> str:
    """Headline: half a raise was not completed."""
    return phrase(
        "Seat {seat} put in {chips}, and the bet was ruled to be {amount}", seat=seat, chips=chips, amount=amount
    )


def completed_raise(due_amount: str) -> str:
    """Correct: a completed raise."""
    return phrase("a raise, completed to {due_amount}", due_amount=due_amount)


def announced_total(seat: int, total: str, amount: str) -> str:
    """Headline: an announced total was added to the bet."""
    return phrase(
        'Seat {seat} said "raise {total}", and it was ruled a raise to {amount}', seat=seat, total=total, amount=amount
    )


def raise_to_total(total: str) -> str:
    """Correct: the announced total."""
    return phrase("a raise to {total} total", total=total)


def words_did_not_bind(seat: int, word: str, ruled_action: _Word) -> str:
    """Headline: words in turn did not bind."""
    return phrase(
        'Seat {seat} said "{word}" in turn, but it was ruled {ruled_action}',
        seat=seat,
        word=phrase(_WORDS[word]),
        ruled_action=phrase(_ACTS[ruled_action]),
    )


def word_binds(word: str) -> str:
    """Correct: what was said."""
    return phrase("{ruled_action}, since words spoken in turn are binding", ruled_action=phrase(_ACTS[word]))


def said_note() -> str:
    """Note: the words."""
    return phrase("said in turn")


def out_of_turn_did_not_bind(seat: int, word: str, ruled_action: _Word) -> str:
    """Headline: an act out of turn did not bind."""
    return phrase(
        "Seat {seat} acted out of turn ({word}), then did something else ({ruled_action})",
        seat=seat,
        word=phrase(_WORDS[word]),
        ruled_action=phrase(_WORDS[ruled_action]),
    )


def out_of_turn_binds(word: str) -> str:
    """Correct: the act out of turn."""
    return phrase("{ruled_action}, since the action to that player didn't change", ruled_action=phrase(_ACTS[word]))


def out_of_turn_note() -> str:
    """Note: the act out of turn."""
    return phrase("out of turn")


def tabled_hand_killed(seat: int) -> str:
    """Headline: a tabled winner was killed."""
    return phrase("Seat {seat}'s tabled hand was killed", seat=seat)


def tabled_winner_is_paid() -> str:
    """Correct: the tabled winner is paid."""
    return phrase("a tabled winner is paid")


def paid_all_the_same() -> str:
    """Why it is less serious: the hand was paid anyway."""
    return phrase("The hand was paid anyway.")


def hands_not_tabled(seats: Sequence[int]) -> str:
    """Headline: with somebody all-in, hands stayed face down."""
    return phrase_count(
        "Seat {seats}'s hand was not tabled, with a player all-in",
        "The hands of seats {seats} were not tabled, with a player all-in",
        len(seats),
        seats=join_and([str(seat) for seat in seats]),
    )


def hands_tabled_late(seats: Sequence[int]) -> str:
    """Headline: with somebody all-in, hands were turned up late."""
    return phrase_count(
        "Seat {seats}'s hand was tabled only when a pot was paid, with a player all-in",
        "The hands of seats {seats} were tabled only when a pot was paid, with a player all-in",
        len(seats),
        seats=join_and([str(seat) for seat in seats]),
    )


def all_hands_face_up() -> str:
    """Correct: all hands face up."""
    return phrase("all hands face up without delay when a player is all-in and the betting is over")


def pots_recorded_one_by_one() -> str:
    """Why it's only likely: the record may show hands pot by pot."""
    return phrase("The record may list each pot with the hands that contest it.")


def seat_note(seat: int) -> str:
    """Note: the seat."""
    return phrase("seat {seat}", seat=seat)


def showed_first(seat: int, due_seat: int) -> str:
    """Headline: a wrong player showed first."""
    return phrase("Seat {seat} showed first; seat {due_seat} should have", seat=seat, due_seat=due_seat)


def shows_first(due_seat: int) -> str:
    """Correct: who shows first."""
    return phrase("seat {due_seat} shows first", due_seat=due_seat)


def last_aggressor(due_seat: int, street: str) -> str:
    """Because: the last aggressor shows first."""
    return phrase("Seat {due_seat} was last to bet or raise {street}.", due_seat=due_seat, street=on_street(street))


def first_left_of_button(due_seat: int, street: str) -> str:
    """Because: without a bet, the first seat left of the button shows first."""
    return phrase(
        "Nobody bet {street}, and seat {due_seat} is the first left of the button.",
        street=on_street(street),
        due_seat=due_seat,
    )


def not_shown_unasked(seat: int) -> str:
    """Why it's only likely: a player may show at any time."""
    return phrase("We assume seat {seat} didn't show voluntarily.", seat=seat)


def odd_chip_to(seat: int, amount: str, due_seat: int) -> str:
    """Headline: the odd chip went to a wrong winner."""
    return phrase(
        "The odd {amount} went to seat {seat}; seat {due_seat} is the first winner left of the button",
        amount=amount,
        seat=seat,
        due_seat=due_seat,
    )


def odd_chip_due(due_seat: int) -> str:
    """Correct: who gets the odd chip."""
    return phrase("the odd chip to seat {due_seat}, the first winner left of the button", due_seat=due_seat)
