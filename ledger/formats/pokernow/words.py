"""The words of a PokerNow log: its games, cards and streets, and what it witnesses."""

from __future__ import annotations

from typing import Final

from ledger.hand.opening import Betting
from ledger.vocabulary import DECK, UNKNOWN_CARD, Witness

VENUE: Final = "PokerNow"

WITNESSES: Final = int(
    Witness.BUTTON
    | Witness.POSTS
    | Witness.POST_LIVENESS
    | Witness.ANTES
    | Witness.STACKS_BEFORE
    | Witness.ACTS
    | Witness.BOARD
    | Witness.AWARDS
    | Witness.RETURNED_BETS
    | Witness.TIMES
    | Witness.PRESENCE
    | Witness.SEATING
    | Witness.CHIP_PURCHASES
    | Witness.RUNS
    | Witness.MISSING_HANDS
)
"""What every log tells. `OWN_CARDS` is added to a hand in which its owner's cards are told, and
`BUTTON` is taken from one whose button is dead: the log does not say where it lies."""

_SUITS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}

CARDS: Final[dict[str, str]] = {
    **{card: card for card in DECK},
    **{card[0] + _SUITS[card[1]]: card for card in DECK},
    **{"10" + card[1]: card for card in DECK if card[0] == "T"},
    **{"10" + _SUITS[card[1]]: card for card in DECK if card[0] == "T"},
    **{card[0] + _SUITS[card[1]] + "\ufe0f": card for card in DECK},
    **{"10" + _SUITS[card[1]] + "\ufe0f": card for card in DECK if card[0] == "T"},
}
"""A card as the log and the export write it → the card."""

LIMITS: Final[tuple[tuple[str, Betting], ...]] = (
    ("no limit", "no-limit"),
    ("pot limit", "pot-limit"),
    ("fixed limit", "limit"),
    ("limit", "limit"),
)
"""How a game's name begins, in small letters → its limit."""

ORDINALS: Final = {"second": 2, "third": 3, "fourth": 4}

_cards: dict[str, str | None] = {}
_KEPT: Final = 50_000


def cards(text: str) -> str | None:
    """Return `10♥, A♠` as cards; None where one of them is no card."""
    try:
        return _cards[text]
    except KeyError:
        if len(_cards) > _KEPT:
            _cards.clear()
        found = [CARDS.get(one) for one in text.replace(",", " ").split()]
        told = None if None in found or not found else "".join(one for one in found if one)
        _cards[text] = told
        return told


def game(name: str) -> tuple[str, Betting] | None:
    """Return game and limit of `Pot Limit Omaha Hi/Lo 8 or Better`; None for an unknown one.

    >>> game("Pot Limit Omaha 5 Hi")
    ('omaha5', 'pot-limit')
    """
    plain = " ".join(name.lower().replace("\u2019", "'").split())
    word, betting = next((one for one in LIMITS if plain.startswith(one[0])), ("", "no-limit"))
    plain = plain[len(word) :].strip()
    if not word and "omaha" in plain:
        betting = "pot-limit"
    if "hold'em" in plain or "holdem" in plain:
        if "pineapple" in plain:
            return None
        short = "6+" in plain or "short" in plain
        return ("short-deck" if short else "holdem"), betting
    if "omaha" not in plain:
        return None
    number = next((one for one in ("5", "6") if one in plain.replace("8 or better", "").split()), "")
    low = "hi/lo" in plain or "8 or better" in plain
    return f"omaha{number}" + (("-8" if number else "8") if low else ""), betting


def padded(found: str, count: int) -> str:
    """Return cards that were shown with `??` for those of the hand that stayed face down."""
    return found + UNKNOWN_CARD * max(0, count - len(found) // 2)
