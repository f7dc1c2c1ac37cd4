"""Cards as people write them."""

from __future__ import annotations

from typing import Final

from ledger.vocabulary import split_cards

CARD_HINT: Final = "A card is its rank and its suit (c, d, h or s), as in Kh."
_SUITS: Final = str.maketrans("♠♥♦♣♤♡♢♧", "shdcshdc")


def normalize_cards(text: str) -> str:
    """Return cards in handscript's notation: `10h`, `ah` and `A♥` are accepted too."""
    card_text = text.translate(_SUITS).replace("10", "T")
    if len(card_text) % 2 or not card_text:
        return ""
    card_text = "".join(
        character.lower() if index % 2 else character.upper() for index, character in enumerate(card_text)
    )
    try:
        split_cards(card_text)
    except ValueError:
        return ""
    return card_text
