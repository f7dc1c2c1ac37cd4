"""Cards as people write them."""

from __future__ import annotations

from typing import Final

from ledger.vocabulary import split_cards

CARD_HINT: Final = "A card is its rank and its suit (c, d, h or s), as in Kh."
_SUITS: Final = str.maketrans("♠♥♦♣♤♡♢♧", "shdcshdc")


def written_card(text: str) -> str:
    """Return a card, or several, as handscript writes them: `10h`, `ah` and `A♥` are cards too."""
    plain = text.translate(_SUITS).replace("10", "T")
    if len(plain) % 2 or not plain:
        return ""
    plain = "".join(c.lower() if at % 2 else c.upper() for at, c in enumerate(plain))
    try:
        split_cards(plain)
    except ValueError:
        return ""
    return plain
