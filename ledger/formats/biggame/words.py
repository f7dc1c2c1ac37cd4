"""The closed lists of The Big Game's calls: cards, members, and what they witness."""

from __future__ import annotations

from typing import Final

from ledger.vocabulary import DECK, Cards, Witness

VENUE: Final = "The Big Game"

WITNESSES: Final = int(
    Witness.BUTTON
    | Witness.STACKS_BEFORE
    | Witness.ACTS
    | Witness.BOARD
    | Witness.AWARDS
    | Witness.RUNS
    | Witness.BLIND_AMOUNTS
    | Witness.MISSING_HANDS
)
"""What every call tells. `ALL_CARDS` is added to a hand in which no seat's cards are missing.

Posts are not told: only what the blinds and the ante are. Who made up a missed blind is nowhere.
"""

CARDS: Final[dict[str, str]] = {
    **{(card[1] + card[0]).lower(): card for card in DECK},
    **{f"{card[1]}10": card for card in DECK if card[0] == "T"},
    **{card.lower(): card for card in DECK},
    **{f"10{card[1]}": card for card in DECK if card[0] == "T"},
}
"""A card in small letters → the card: the suit stands first. The other way round means no other card."""

OF_HAND: Final = frozenset(
    (
        "Title",
        "NumberOfSeats",
        "PotSize",
        "BigBlind",
        "SmallBlind",
        "Ante",
        "CurrentBet",
        "Dealer",
        "CardsOut",
        "Players",
        "",
    )
)
OF_PLAYER: Final = frozenset(("Name", "Seat", "Stack", "Cards", "CurrentBet", ""))
OF_PLAY: Final = frozenset(("Seat", "Action", "value", ""))
"""Members that are known. "" is the place of the object itself."""


def cards(value: object) -> Cards | None:
    """Return the cards of `["hq", "c2"]`, "" of an empty list; None where one is no card."""
    if isinstance(value, str):
        value = value.replace(",", " ").split()
    if not isinstance(value, list):
        return None
    try:
        return "".join([CARDS[one.lower()] for one in value])
    except (KeyError, AttributeError):
        return None


def plain(word: str) -> str:
    """Return an action as the table of acts has it: small letters only.

    >>> plain("Raises To")
    'raisesto'
    """
    return "".join([one for one in word.lower() if one.isalpha()])
