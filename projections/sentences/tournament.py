"""Sentences of findings about tournament procedure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from projections.sentences import join_and, on_street


def big_blind_twice(seat: int) -> str:
    """Headline: heads-up, a player has the big blind again."""
    return f"Seat {seat} posted the big blind on two hands in a row"


def big_blind_moves(seat: int, other_seat: int) -> str:
    """Correct: the big blind moves on."""
    return f"seat {other_seat} has the big blind, seat {seat} the button and the small blind"


def players_on_last_hand(hand: str, players: int) -> str:
    """Because: play became heads-up with this hand."""
    return f"Hand {hand} had {players} players."


def ante_before_blind(seat: int, stack: str, ante: str, amount: str) -> str:
    """Headline: a short big blind paid the ante first."""
    return f"Seat {seat} had {stack} and paid {ante} as the ante first, then {amount} as the blind"


def blind_before_ante(due_amount: str, ante: str) -> str:
    """Correct: the blind comes first."""
    return f"the blind first: {due_amount} as the blind, then {ante} as the ante"


def posts_given_back(seat: int, amount: str) -> str:
    """Headline: an absent player's posts were given back."""
    return f"Seat {seat} got {amount} of its posts back"


def absent_posts_stay_in() -> str:
    """Correct: the posts stay in the pot."""
    return "the absent player's blind and ante stay in the pot"


def absent_hand_played(seat: int) -> str:
    """Headline: an absent player's hand was played."""
    return f"Seat {seat}'s hand was played, though the player wasn't at the seat after the deal"


def absent_hand_dead() -> str:
    """Correct: the hand is dead."""
    return "a dead hand, with its blind and ante left in"


def away_note() -> str:
    """Note: the player was away."""
    return "away"


def killed_note() -> str:
    """Note: the hand was killed."""
    return "killed"


def boxed_cards_dealt_on(count: int) -> str:
    """Headline: boxed cards made no misdeal."""
    return f"{count} boxed card{'s' * (count != 1)} turned up in the deal, but dealing went on"


def joker_found_dealt_on() -> str:
    """Headline: a joker found in time made no misdeal."""
    return "A joker was found before substantial action, but the deal went on"


def street_with_joker(street: str) -> str:
    """Headline: a joker stayed on the board."""
    return f"The {street} was played with a joker"


def played_with_joker(seat: int) -> str:
    """Headline: a player played on with a joker."""
    return f"Seat {seat} played on with a joker"


def wrong_count_dealt_on(seat: int, cards: int) -> str:
    """Headline: a wrong number of cards found in time made no misdeal."""
    return f"Seat {seat} had {cards} card{'s' * (cards != 1)}; this was caught before substantial action, but the deal went on"


def acted_on_short_hand(seat: int, cards: int) -> str:
    """Headline: the button acted on too few cards and played on."""
    return f"Seat {seat} acted with {cards} card{'s' * (cards != 1)} and played on"


def dead_hand() -> str:
    """Correct: a dead hand."""
    return "a dead hand"


def late_misdeal(reason: str) -> str:
    """Headline: a misdeal after substantial action."""
    return f"A misdeal was declared after substantial action (reason: {reason.replace('-', ' ')})"


def hand_goes_on() -> str:
    """Correct: no misdeal."""
    return "the hand goes on"


def card_came_twice(card: str) -> str:
    """Headline: a fouled deck was played and paid."""
    return f"The {card} appeared twice, but the pot was paid"


def play_stops() -> str:
    """Correct: all bets go back."""
    return "play stops and all bets go back, no matter what has happened"


def record_may_be_wrong() -> str:
    """Why it's only likely: the record may be wrong."""
    return "The card may simply be recorded wrong."


def one_burn_per_street(burns: int) -> str:
    """Correct: one burn for each street."""
    return f"{burns} burn for each street, no more and no less"


def hand_died_note() -> str:
    """Note: the hand died."""
    return "the hand died"


def card_put_back(card: str) -> str:
    """Headline: a card of a dead hand went back on the deck."""
    return f"The {card} was put back on the deck"


def deck_not_restored() -> str:
    """Correct: the deck isn't restored."""
    return "the order of the deck isn't restored"


def flop_kept(cards: int) -> str:
    """Headline: a flop with too many cards was kept."""
    return f"The flop had {cards} cards, and all of them were kept"


def new_flop_of_other_cards() -> str:
    """Headline: the new flop isn't made of the four cards."""
    return "The new flop isn't made from the four cards"


def scramble_four() -> str:
    """Correct: how a four-card flop is corrected."""
    return "the four cards scrambled face down: one becomes the next burn, the other three the flop"


def cards_burned_before_turn(names: Sequence[str]) -> str:
    """Headline: another card than the fourth was burned."""
    return f"{join_and(names)} {'was' if len(names) == 1 else 'were'} burned before the turn"


def fourth_card_is_burn(names: Sequence[str]) -> str:
    """Correct: the fourth card is the burn."""
    return f"{join_and(names)}, the fourth card, is the burn"


def flop_of_three_note() -> str:
    """Note: the flop of the other three cards."""
    return "the flop of the other three"


def unburned_flop_kept() -> str:
    """Headline: a flop without a burn was kept."""
    return "The flop came without a burn; this was caught in time, but the flop was kept"


def scramble_three() -> str:
    """Correct: how a flop without a burn is corrected."""
    return "the three cards scrambled: one becomes the burn, the other two and the next card the flop"


def noticed_note() -> str:
    """Note: the error was noticed."""
    return "noticed"


def cards_in_new_flop(count: int) -> str:
    """Headline: the new flop shares another number of cards than two."""
    return f"{count or 'None'} of the first three cards {'is' if count == 1 else 'are'} in the new flop"


def no_burn_note() -> str:
    """Note: no card was burned."""
    return "no burn"


def unburned_flop_taken_back() -> str:
    """Headline: a flop that was acted on was taken back because no card was burned."""
    return "The flop was taken back after action on it because no card was burned"


def flop_plays() -> str:
    """Correct: the flop stays."""
    return "the flop plays"


def raised_below_minimum(seat: int, bet: str, amount: str, minimum: str) -> str:
    """Headline: a raise of less than the minimum."""
    return f"Seat {seat} raised from {bet} to {amount}; the minimum raise is {minimum} more"


def raise_or_call(amount: str, *, is_raise: bool) -> str:
    """Correct: a full raise, or a call."""
    return f"a {'raise to' if is_raise else 'call of'} {amount}"


def largest_wager(minimum: str) -> str:
    """Because: what the minimum raise is."""
    return f"The largest bet or raise of the round was {minimum}."


def full_raise_is(minimum: str) -> str:
    """Because: what a full raise is."""
    return f"A full raise is {minimum}."


def undercalled(seat: int, amount: str, call: str) -> str:
    """Headline: less than the bet was taken as a call."""
    return f"Seat {seat} undercalled: it put in {amount} with {call} to call"


def full_call_to(bet: str) -> str:
    """Correct: a full call."""
    return f"a full call, to {bet} total"


def call_must_be_full(*, is_opening_bet: bool) -> str:
    """Because: an undercall must be made good."""
    return "The player faced the opening bet." if is_opening_bet else "Only two players were left."


def raises_were_capped() -> str:
    """Headline: the raises were capped."""
    return "The raises were capped"


def no_cap() -> str:
    """Correct: no cap."""
    return "no cap in no-limit and pot-limit"


def capped_with_two_players(cap: int) -> str:
    """Correct: the cap, also heads-up."""
    return f"at most {cap} raises, even with two players left in the hand"


def chip_taken_for_less(seat: int, chips: str, amount: str) -> str:
    """Headline: a silent oversize chip was taken as a smaller bet."""
    return f"Seat {seat} put in one {chips} chip, and it was ruled a bet of {amount}"


def bet_of(due_amount: str) -> str:
    """Correct: a bet."""
    return f"a bet of {due_amount}"


def chips_taken_as_raise(seat: int, chips: str, amount: str) -> str:
    """Headline: silent chips were taken as a raise."""
    return f"Seat {seat} put in {chips}, and it was ruled a raise to {amount}"


def call_without_smallest_chip(call: str) -> str:
    """Correct: a call."""
    return f"a call of {call}: without its smallest chip, it wouldn't cover the call"


def chips_not_completed(seat: int, chips: str, amount: str) -> str:
    """Headline: half a raise was not completed."""
    return f"Seat {seat} put in {chips}, and the bet was ruled to be {amount}"


def completed_raise(due_amount: str) -> str:
    """Correct: a completed raise."""
    return f"a raise, completed to {due_amount}"


def announced_total(seat: int, total: str, amount: str) -> str:
    """Headline: an announced total was added to the bet."""
    return f'Seat {seat} said "raise {total}", and it was ruled a raise to {amount}'


def raise_to_total(total: str) -> str:
    """Correct: the announced total."""
    return f"a raise to {total} total"


def words_did_not_bind(seat: int, word: str, ruled_action: Literal["fold", "check", "call", "bet", "raise"]) -> str:
    """Headline: words in turn did not bind."""
    return f'Seat {seat} said "{word}" in turn, but it was ruled a {ruled_action}'


def word_binds(word: str) -> str:
    """Correct: what was said."""
    return f"a {word}, since words spoken in turn are binding"


def said_note() -> str:
    """Note: the words."""
    return "said in turn"


def out_of_turn_did_not_bind(
    seat: int, word: str, ruled_action: Literal["fold", "check", "call", "bet", "raise"]
) -> str:
    """Headline: an act out of turn did not bind."""
    return f"Seat {seat} acted out of turn ({word}), then did something else ({ruled_action})"


def out_of_turn_binds(word: str) -> str:
    """Correct: the act out of turn."""
    return f"a {word}, since the action to that player didn't change"


def out_of_turn_note() -> str:
    """Note: the act out of turn."""
    return "out of turn"


def tabled_hand_killed(seat: int) -> str:
    """Headline: a tabled winner was killed."""
    return f"Seat {seat}'s tabled hand was killed"


def tabled_winner_is_paid() -> str:
    """Correct: the tabled winner is paid."""
    return "a tabled winner is paid"


def paid_all_the_same() -> str:
    """Why it is less serious: the hand was paid anyway."""
    return "The hand was paid anyway."


def hands_not_tabled(seats: Sequence[int]) -> str:
    """Headline: with somebody all-in, hands stayed face down."""
    return f"{_hands_of(seats)} not tabled, with a player all-in"


def hands_tabled_late(seats: Sequence[int]) -> str:
    """Headline: with somebody all-in, hands were turned up late."""
    return f"{_hands_of(seats)} tabled only when a pot was paid, with a player all-in"


def _hands_of(seats: Sequence[int]) -> str:
    if len(seats) == 1:
        return f"Seat {seats[0]}'s hand was"
    return f"The hands of seats {join_and([str(seat) for seat in seats])} were"


def all_hands_face_up() -> str:
    """Correct: all hands face up."""
    return "all hands face up without delay when a player is all-in and the betting is over"


def pots_recorded_one_by_one() -> str:
    """Why it's only likely: the record may show hands pot by pot."""
    return "The record may list each pot with the hands that contest it."


def seat_note(seat: int) -> str:
    """Note: the seat."""
    return f"seat {seat}"


def showed_first(seat: int, due_seat: int) -> str:
    """Headline: a wrong player showed first."""
    return f"Seat {seat} showed first; seat {due_seat} should have"


def shows_first(due_seat: int) -> str:
    """Correct: who shows first."""
    return f"seat {due_seat} shows first"


def last_aggressor(due_seat: int, street: str) -> str:
    """Because: the last aggressor shows first."""
    return f"Seat {due_seat} was last to bet or raise {on_street(street)}."


def first_left_of_button(due_seat: int, street: str) -> str:
    """Because: without a bet, the first seat left of the button shows first."""
    return f"Nobody bet {on_street(street)}, and seat {due_seat} is the first left of the button."


def not_shown_unasked(seat: int) -> str:
    """Why it's only likely: a player may show at any time."""
    return f"We assume seat {seat} didn't show voluntarily."


def odd_chip_to(seat: int, amount: str, due_seat: int) -> str:
    """Headline: the odd chip went to a wrong winner."""
    return f"The odd {amount} went to seat {seat}; seat {due_seat} is the first winner left of the button"


def odd_chip_due(due_seat: int) -> str:
    """Correct: who gets the odd chip."""
    return f"the odd chip to seat {due_seat}, the first winner left of the button"
