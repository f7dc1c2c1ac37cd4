"""Handlers for stud: streets without a board, and each player's face-up and face-down cards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ledger.hand.dealing import CardsDrawn, DealCompleted, HoleCardsDealt, HowKnown
from ledger.readers.games import DRAW, STUD
from ledger.readers.phrase_hand import PhraseHand
from ledger.vocabulary import UNKNOWN_CARD, Cards, Seat, Street

STREETS: Final[Mapping[str, Street]] = {
    "4th Street": "fourth",
    "5th Street": "fifth",
    "6th Street": "sixth",
    "7th Street": "seventh",
    "River": "seventh",
}
"""Most rooms' words for the streets of stud."""
ANY_CASE: Final = {spell(words): street for words, street in STREETS.items() for spell in (str, str.upper, str.lower)}
FIVE_CARD_STUD: Final = "stud5"
"""Five cards, the first face down. Its streets are named by the number of cards."""
STUD_LIKE: Final = STUD | {"razz-27"}
"""Games dealt like stud, with or without known rules."""
DRAWS: Final = DRAW | {"single-a5"}
FIRST_STREETS: Final = frozenset(("preflop", "third"))
"""The first street, with or without a heading before it."""


def is_stud(hand: PhraseHand) -> bool:
    """Whether this hand is stud."""
    return hand.game.variant in STUD_LIKE


def begin_deal(hand: PhraseHand) -> None:
    """Begin the first street, of stud or of another game, with the deal."""
    hand.betting.street = "third" if is_stud(hand) else "preflop"
    hand.add_event(DealCompleted())


def begin_street(hand: PhraseHand, hand_street: Street) -> bool:
    """Begin a stud street or a draw.

    Return False if the game has no such street.
    """
    has_street = hand.game.variant in DRAWS if hand_street.endswith("draw") else is_stud(hand)
    if has_street:
        hand.deal_street(hand_street)
    return has_street


def deal_street_cards(hand: PhraseHand, name: Seat, cards: Cards) -> None:
    """Deal a seat's cards of one street: the third card is face up, the seventh face down.

    In games other than stud they are the owner's hole cards.
    """
    if not is_stud(hand):
        hand.deal_own_cards(name, cards)
        return
    count = len(cards) // 2
    if hand.street in FIRST_STREETS:
        hidden = cards.startswith(UNKNOWN_CARD)
        hand.has_own_cards = hand.has_own_cards or not hidden
        hand.add_event(HoleCardsDealt(name, cards, "d" * (count - 1) + "u", "dealt-up" if hidden else "owner"))
        return
    face = "d" if hand.street == "seventh" else "u"
    card_source: HowKnown = "dealt-up" if face == "u" else "unknown" if UNKNOWN_CARD in cards else "owner"
    hand.add_event(HoleCardsDealt(name, cards, face * count, card_source))


def deal_open_cards(hand: PhraseHand, name: Seat, cards: Cards) -> None:
    """Deal a seat's cards of one street. Of the first three cards, the text may show only the face-up card."""
    is_alone = len(cards) == 2 and hand.street in FIRST_STREETS and is_stud(hand)
    deal_street_cards(hand, name, UNKNOWN_CARD * 2 + cards if is_alone else cards)


def deal_groups(hand: PhraseHand, seat: Seat, told: list[Cards]) -> None:
    """Deal the cards in the brackets of `Dealt to Ada [kept] [new]`: hole cards, a stud street, or drawn cards.

    Hole cards are dealt before the end of the deal, although its heading comes before these lines.
    """
    variant, new = hand.game.variant, told[-1]
    hole = 1 if variant == FIVE_CARD_STUD else 2
    if variant in DRAW and hand.street != "preflop":
        hand.add_event(CardsDrawn(seat, new))
    elif variant not in STUD and variant != FIVE_CARD_STUD:
        hand.has_own_cards = True
        hand.add_hole_cards(HoleCardsDealt(seat, "".join(told)))
    elif hand.street in (FIRST_STREETS if variant != FIVE_CARD_STUD else ("preflop",)):
        first_cards = "".join(told)
        hidden = len(first_cards) == 2
        hand.has_own_cards = hand.has_own_cards or not hidden
        cards = UNKNOWN_CARD * hole + first_cards if hidden else first_cards
        face = "d" * (len(cards) // 2 - 1) + "u"
        hand.add_hole_cards(HoleCardsDealt(seat, cards, face, "dealt-up" if hidden else "owner"))
    else:
        is_face_down = hand.street == "seventh"
        face = ("d" if is_face_down else "u") * (len(new) // 2)
        hand.add_event(HoleCardsDealt(seat, new, face, "owner" if is_face_down else "dealt-up"))
