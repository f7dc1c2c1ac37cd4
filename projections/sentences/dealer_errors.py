"""Sentences of findings about exposed, extra and scrap cards, and wrong numbers of cards."""

from __future__ import annotations

from typing import Final, Literal

from ledger.text.language import phrase, translatable
from projections.sentences import street_name

Scrap = Literal["boxed card", "joker"]
_SCRAP_NAMES: Final[dict[Scrap, str]] = {"boxed card": translatable("boxed card"), "joker": translatable("joker")}
_MISDEALS_FOR_SCRAP: Final[dict[Scrap, str]] = {
    "boxed card": translatable("A misdeal was declared for one boxed card"),
    "joker": translatable("A misdeal was declared for one joker"),
}
_USES_OF_SCRAP: Final[dict[Scrap, str]] = {
    "boxed card": translatable("A boxed card was used"),
    "joker": translatable("A joker was used"),
}


def exposed_and_dealt_on(place: int) -> str:
    """Headline: an exposed card that makes a misdeal."""
    return phrase("Card {place} of the deal was exposed, but the deal went on", place=place)


def misdeal_with_shuffle() -> str:
    """Correct: a misdeal, and what is done."""
    return phrase("a misdeal: all cards back, shuffled and cut")


def misdeal() -> str:
    """Correct: a misdeal."""
    return phrase("a misdeal")


def misdeal_for_exposed_card() -> str:
    """Headline: a misdeal for one exposed card."""
    return phrase("A misdeal was declared for one exposed card")


def deal_goes_on() -> str:
    """Correct: no misdeal."""
    return phrase("the deal goes on")


def replaced_and_dealt_on() -> str:
    """Correct: no misdeal, but another card."""
    return phrase("the card is replaced and the deal goes on")


def misdeal_reason_assumed() -> str:
    """Why it's only likely: the record gives no reason for a misdeal."""
    return phrase("The record gives no reason for the misdeal; we assume it was the exposed card.")


def exposed_note() -> str:
    """Note: a card was exposed."""
    return phrase("exposed")


def exposed_place_note(place: int) -> str:
    """Note: a card was exposed, with its place in the deal."""
    return phrase("card {place} of the deal exposed", place=place)


def kept_exposed_card(seat: int) -> str:
    """Headline: a player kept an exposed card."""
    return phrase("Seat {seat} kept the exposed card", seat=seat)


def replaced_before_acting(seat: int) -> str:
    """Correct: another card, in time."""
    return phrase("the card replaced before seat {seat} acts", seat=seat)


def not_among_first_cards() -> str:
    """Why it's only likely: the place of the exposed card is unknown."""
    return phrase("An exposed card is a misdeal if it was among the first dealt; we assume this one came later.")


def replaced_too_early(seat: int) -> str:
    """Headline: an exposed card was replaced during the deal."""
    return phrase("Seat {seat}'s exposed card was replaced before the deal was complete", seat=seat)


def top_card_after_deal() -> str:
    """Correct: the top card, later."""
    return phrase("the top card after the deal")


def not_replaced_by_top_card(seat: int) -> str:
    """Headline: an exposed card was replaced by a wrong card."""
    return phrase("Seat {seat}'s exposed card wasn't replaced by the top card of the stub", seat=seat)


def top_card() -> str:
    """Correct: the top card."""
    return phrase("the top card")


def card_of_deck(place: int) -> str:
    """Correct: a card by its place in the deck."""
    return phrase("card {place} of the deck", place=place)


def not_on_top(seat: int) -> str:
    """Headline: an exposed card went elsewhere than on top of the deck."""
    return phrase("Seat {seat}'s exposed card didn't go on top of the deck", seat=seat)


def face_up_on_top() -> str:
    """Correct: where the exposed card goes."""
    return phrase("face up on top of the deck")


def other_burn_than_exposed(seat: int) -> str:
    """Headline: another card was burned than the exposed one."""
    return phrase("A card other than seat {seat}'s exposed card was burned before the flop", seat=seat)


def exposed_card_only_burn() -> str:
    """Correct: the exposed card is the burn."""
    return phrase("the exposed card as the burn, and no other")


def flop_without_exposed_burn() -> str:
    """Headline: the exposed card wasn't burned."""
    return phrase("The exposed card wasn't burned before the flop")


def exposed_card_as_burn() -> str:
    """Correct: the exposed card is the burn."""
    return phrase("the exposed card as the burn")


def flop_shifted_by_swap(places: str) -> str:
    """Headline: the flop shows other cards than without the swap."""
    return phrase("After the swap, the flop is {places} of the deck", places=places)


def swap_leaves_flop(places: str) -> str:
    """Correct: the flop doesn't change."""
    return phrase("{places}, since the swap doesn't change the flop", places=places)


def several_exposed(count: int) -> str:
    """Headline: several cards were exposed in the deal."""
    return phrase("{count} cards were exposed in the deal, but the deal went on", count=count)


def first_of_them_note() -> str:
    """Note: the first of several cards."""
    return phrase("the first of them")


def misdeal_for_extra_card() -> str:
    """Headline: a misdeal for one extra card."""
    return phrase("A misdeal was declared for one extra card")


def extra_card_becomes_burn() -> str:
    """Correct: the extra card is the burn."""
    return phrase("the card goes back and becomes the burn")


def extra_card_note() -> str:
    """Note: the extra card."""
    return phrase("extra card")


def kept_extra_card(seat: int) -> str:
    """Headline: a player kept an extra card."""
    return phrase("Seat {seat} kept an extra card", seat=seat)


def card_goes_back() -> str:
    """Correct: the card goes back."""
    return phrase("the card goes back")


def other_burn_than_extra() -> str:
    """Headline: another card was burned than the extra one."""
    return phrase("A card other than the extra one was burned before the flop")


def extra_card_only_burn() -> str:
    """Correct: the extra card is the only burn."""
    return phrase("the extra card as the only burn")


def flop_shifted_by_extra_card(places: str) -> str:
    """Headline: the flop shows other cards than without the extra card."""
    return phrase("After the extra card, the flop is {places} of the deck", places=places)


def burn_leaves_flop(places: str) -> str:
    """Correct: the flop doesn't change."""
    return phrase("{places}, since that burn doesn't change the flop", places=places)


def several_extra_cards(count: int) -> str:
    """Headline: several extra cards were dealt."""
    return phrase("{count} extra cards were dealt, but the deal went on", count=count)


def wrong_count_found_in_time(seat: int) -> str:
    """Headline: a wrong number of cards was found early, and the deal went on."""
    return phrase("Seat {seat} had the wrong number of cards; this was caught in time, but the deal went on", seat=seat)


def wrong_count_note() -> str:
    """Note: a wrong number of cards."""
    return phrase("wrong number of cards")


def misdeal_too_late() -> str:
    """Headline: a misdeal after two players had acted."""
    return phrase("A misdeal was declared after two players had acted")


def got_money_back(seat: int) -> str:
    """Headline: a player who forfeits got money back."""
    return phrase("Seat {seat} got its chips back despite a wrong number of cards", seat=seat)


def played_with_wrong_count(seat: int) -> str:
    """Headline: a player played on with a wrong number of cards."""
    return phrase("Seat {seat} played on with the wrong number of cards", seat=seat)


def forfeits(seat: int) -> str:
    """Correct: the seat loses what it put in."""
    return phrase("seat {seat} forfeits what it put in", seat=seat)


def misdeal_for_scrap(scrap: Scrap) -> str:
    """Headline: a misdeal for one scrap card."""
    return phrase(_MISDEALS_FOR_SCRAP[scrap])


def scrap_name_note(scrap: Scrap) -> str:
    """Note: what the scrap card is."""
    return phrase(_SCRAP_NAMES[scrap])


def scrap_used(scrap: Scrap) -> str:
    """Headline: a scrap card was used."""
    return phrase(_USES_OF_SCRAP[scrap])


def scrap_is_replaced() -> str:
    """Correct: scrap is replaced."""
    return phrase("the card is scrap and is replaced")


def scrap_not_replaced_by_top_card() -> str:
    """Headline: another card than the top one replaced scrap."""
    return phrase("The scrap card wasn't replaced by the top card of the stub")


def redealt_for_scrap(street: str) -> str:
    """Headline: a street with a scrap card was dealt again from a shuffled deck."""
    return phrase(
        "The {street} was dealt again from a shuffled deck because of a scrap card (a boxed card or joker)",
        street=street_name(street),
    )


def only_scrap_replaced() -> str:
    """Correct: only the scrap card is replaced."""
    return phrase("only the scrap card replaced, by the next card")


def scrap_note() -> str:
    """Note: a scrap card."""
    return phrase("scrap card")


def cards_after_scrap(places: str, place: int) -> str:
    """Headline: which cards of the deck came after a scrap card."""
    return phrase(
        "Card {place} of the deck was scrap, but the street was dealt as {places}", place=place, places=places
    )


def card_to_seat_after_scrap(due_place: int, seat: int, place: int) -> str:
    """Headline: which card of the deck went to a seat after a scrap card."""
    return phrase(
        "Card {due_place} of the deck went to seat {seat}; card {place} was scrap and needed a replacement",
        due_place=due_place,
        seat=seat,
        place=place,
    )


def card_in_its_place(due_place: int) -> str:
    """Correct: the next card replaces scrap."""
    return phrase("card {due_place} as the replacement", due_place=due_place)


def joker_hand_got_money(seat: int) -> str:
    """Headline: a player who acted with a joker got money."""
    return phrase("Seat {seat} acted with a joker in its hand and was paid", seat=seat)


def joker_hand_stayed_live(seat: int) -> str:
    """Headline: the hand of a player who acted with a joker stayed live."""
    return phrase("Seat {seat} acted with a joker in its hand, but the hand stayed live", seat=seat)


def foul_hand() -> str:
    """Correct: the hand is foul."""
    return phrase("a fouled hand: no share of the pot, and its bets stay in")
