"""Sentences of findings about exposed, extra and scrap cards, and wrong numbers of cards."""

from __future__ import annotations

from typing import Literal

Scrap = Literal["boxed card", "joker"]


def exposed_and_dealt_on(place: int) -> str:
    """Headline: an exposed card that makes a misdeal."""
    return f"Card {place} of the deal was exposed, but the deal went on"


def misdeal_with_shuffle() -> str:
    """Correct: a misdeal, and what is done."""
    return "a misdeal: all cards back, shuffled and cut"


def misdeal() -> str:
    """Correct: a misdeal."""
    return "a misdeal"


def misdeal_for_exposed_card() -> str:
    """Headline: a misdeal for one exposed card."""
    return "A misdeal was declared for one exposed card"


def deal_goes_on() -> str:
    """Correct: no misdeal."""
    return "the deal goes on"


def replaced_and_dealt_on() -> str:
    """Correct: no misdeal, but another card."""
    return "the card is replaced and the deal goes on"


def misdeal_reason_assumed() -> str:
    """Why it's only likely: the record gives no reason for a misdeal."""
    return "The record gives no reason for the misdeal; we assume it was the exposed card."


def exposed_note() -> str:
    """Note: a card was exposed."""
    return "exposed"


def exposed_place_note(place: int) -> str:
    """Note: a card was exposed, with its place in the deal."""
    return f"card {place} of the deal exposed"


def kept_exposed_card(seat: int) -> str:
    """Headline: a player kept an exposed card."""
    return f"Seat {seat} kept the exposed card"


def replaced_before_acting(seat: int) -> str:
    """Correct: another card, in time."""
    return f"the card replaced before seat {seat} acts"


def not_among_first_cards() -> str:
    """Why it's only likely: the place of the exposed card is unknown."""
    return "An exposed card is a misdeal if it was among the first dealt; we assume this one came later."


def replaced_too_early(seat: int) -> str:
    """Headline: an exposed card was replaced during the deal."""
    return f"Seat {seat}'s exposed card was replaced before the deal was complete"


def top_card_after_deal() -> str:
    """Correct: the top card, later."""
    return "the top card after the deal"


def not_replaced_by_top_card(seat: int) -> str:
    """Headline: an exposed card was replaced by a wrong card."""
    return f"Seat {seat}'s exposed card wasn't replaced by the top card of the stub"


def top_card() -> str:
    """Correct: the top card."""
    return "the top card"


def card_of_deck(place: int) -> str:
    """Correct: a card by its place in the deck."""
    return f"card {place} of the deck"


def not_on_top(seat: int) -> str:
    """Headline: an exposed card went elsewhere than on top of the deck."""
    return f"Seat {seat}'s exposed card didn't go on top of the deck"


def face_up_on_top() -> str:
    """Correct: where the exposed card goes."""
    return "face up on top of the deck"


def other_burn_than_exposed(seat: int) -> str:
    """Headline: another card was burned than the exposed one."""
    return f"A card other than seat {seat}'s exposed card was burned before the flop"


def exposed_card_only_burn() -> str:
    """Correct: the exposed card is the burn."""
    return "the exposed card as the burn, and no other"


def flop_without_exposed_burn() -> str:
    """Headline: the exposed card wasn't burned."""
    return "The exposed card wasn't burned before the flop"


def exposed_card_as_burn() -> str:
    """Correct: the exposed card is the burn."""
    return "the exposed card as the burn"


def flop_shifted_by_swap(places: str) -> str:
    """Headline: the flop shows other cards than without the swap."""
    return f"After the swap, the flop is {places} of the deck"


def swap_leaves_flop(places: str) -> str:
    """Correct: the flop doesn't change."""
    return f"{places}, since the swap doesn't change the flop"


def several_exposed(count: int) -> str:
    """Headline: several cards were exposed in the deal."""
    return f"{count} cards were exposed in the deal, but the deal went on"


def first_of_them_note() -> str:
    """Note: the first of several cards."""
    return "the first of them"


def misdeal_for_extra_card() -> str:
    """Headline: a misdeal for one extra card."""
    return "A misdeal was declared for one extra card"


def extra_card_becomes_burn() -> str:
    """Correct: the extra card is the burn."""
    return "the card goes back and becomes the burn"


def extra_card_note() -> str:
    """Note: the extra card."""
    return "extra card"


def kept_extra_card(seat: int) -> str:
    """Headline: a player kept an extra card."""
    return f"Seat {seat} kept an extra card"


def card_goes_back() -> str:
    """Correct: the card goes back."""
    return "the card goes back"


def other_burn_than_extra() -> str:
    """Headline: another card was burned than the extra one."""
    return "A card other than the extra one was burned before the flop"


def extra_card_only_burn() -> str:
    """Correct: the extra card is the only burn."""
    return "the extra card as the only burn"


def flop_shifted_by_extra_card(places: str) -> str:
    """Headline: the flop shows other cards than without the extra card."""
    return f"After the extra card, the flop is {places} of the deck"


def burn_leaves_flop(places: str) -> str:
    """Correct: the flop doesn't change."""
    return f"{places}, since that burn doesn't change the flop"


def several_extra_cards(count: int) -> str:
    """Headline: several extra cards were dealt."""
    return f"{count} extra cards were dealt, but the deal went on"


def wrong_count_found_in_time(seat: int) -> str:
    """Headline: a wrong number of cards was found early, and the deal went on."""
    return f"Seat {seat} had the wrong number of cards; this was caught in time, but the deal went on"


def wrong_count_note() -> str:
    """Note: a wrong number of cards."""
    return "wrong number of cards"


def misdeal_too_late() -> str:
    """Headline: a misdeal after two players had acted."""
    return "A misdeal was declared after two players had acted"


def got_money_back(seat: int) -> str:
    """Headline: a player who forfeits got money back."""
    return f"Seat {seat} got its chips back despite a wrong number of cards"


def played_with_wrong_count(seat: int) -> str:
    """Headline: a player played on with a wrong number of cards."""
    return f"Seat {seat} played on with the wrong number of cards"


def forfeits(seat: int) -> str:
    """Correct: the seat loses what it put in."""
    return f"seat {seat} forfeits what it put in"


def misdeal_for_scrap(scrap: Scrap) -> str:
    """Headline: a misdeal for one scrap card."""
    return f"A misdeal was declared for one {scrap}"


def scrap_used(scrap: Scrap) -> str:
    """Headline: a scrap card was used."""
    return f"A {scrap} was used"


def scrap_is_replaced() -> str:
    """Correct: scrap is replaced."""
    return "the card is scrap and is replaced"


def scrap_not_replaced_by_top_card() -> str:
    """Headline: another card than the top one replaced scrap."""
    return "The scrap card wasn't replaced by the top card of the stub"


def redealt_for_scrap(street: str) -> str:
    """Headline: a street with a scrap card was dealt again from a shuffled deck."""
    return f"The {street} was dealt again from a shuffled deck because of a scrap card"


def only_scrap_replaced() -> str:
    """Correct: only the scrap card is replaced."""
    return "only the scrap card replaced, by the next card"


def scrap_note() -> str:
    """Note: a scrap card."""
    return "scrap card"


def cards_after_scrap(places: str, place: int) -> str:
    """Headline: which cards of the deck came after a scrap card."""
    return f"Card {place} of the deck was scrap, but the street was dealt as {places}"


def card_to_seat_after_scrap(due_place: int, seat: int, place: int) -> str:
    """Headline: which card of the deck went to a seat after a scrap card."""
    return f"Card {due_place} of the deck went to seat {seat}; card {place} was scrap and needed a replacement"


def card_in_its_place(due_place: int) -> str:
    """Correct: the next card replaces scrap."""
    return f"card {due_place} as the replacement"


def joker_hand_got_money(seat: int) -> str:
    """Headline: a player who acted with a joker got money."""
    return f"Seat {seat} acted with a joker in its hand and was paid"


def joker_hand_stayed_live(seat: int) -> str:
    """Headline: the hand of a player who acted with a joker stayed live."""
    return f"Seat {seat} acted with a joker in its hand, but the hand stayed live"


def foul_hand() -> str:
    """Correct: the hand is foul."""
    return "a fouled hand: no share of the pot, and its bets stay in"
