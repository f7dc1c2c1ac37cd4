"""Parse cards in rooms' notations, separated by blanks or commas."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Final

from ledger.vocabulary import DECK, RANKS, UNKNOWN_CARD, Cards, Street

_CACHE_SIZE: Final = 100_000
_MAX_CACHED_LENGTH: Final = 100

_SIGNS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_CARD_NAMES: Final = {**{card: card for card in DECK}, **{f"10{suit}": f"T{suit}" for suit in "cdhs"}}
CARD_WORDS: Final[dict[str, str]] = {
    form: card
    for word, card in _CARD_NAMES.items()
    for form in (word, word.upper(), word[:-1] + _SIGNS[word[-1]])  # copies of a room's text may have suit symbols
}
"""A card in the notation of most rooms → the card."""

_FORMS: Final = (str, str.upper, str.lower, str.swapcase)
ANY_CASE: Final = {form(word): card for word, card in CARD_WORDS.items() for form in _FORMS}
"""The same, in any case."""

_RANK_NAMES: Final = (
    "TWO",
    "THREE",
    "FOUR",
    "FIVE",
    "SIX",
    "SEVEN",
    "EIGHT",
    "NINE",
    "TEN",
    "JACK",
    "QUEEN",
    "KING",
    "ACE",
)
RANK_NAMES: Final = dict(zip(_RANK_NAMES, RANKS, strict=True))
SUIT_NAMES: Final = {"CLUBS": "c", "DIAMONDS": "d", "HEARTS": "h", "SPADES": "s"}
"""English names of ranks and suits, in capitals."""


STREET_CARDS: Final[Mapping[Street, tuple[int, int]]] = {"flop": (0, 3), "turn": (3, 4), "river": (4, 5)}
"""A street → the first and last of its cards on the board, counted from 0, without the last."""


def split_board(board: Cards, cards_dealt: int) -> Iterator[tuple[Street, Cards]]:
    """Yield the streets of a board that come after the first `cards_dealt` cards, each with its new cards.

    >>> list(split_board("2c7dKc9s", 3))
    [('turn', '9s')]
    """
    for street, (first, last_card) in STREET_CARDS.items():
        if cards_dealt <= first and len(board) >= 2 * last_card:
            yield street, board[2 * first : 2 * last_card]


def map_unknown_cards(*words: str) -> dict[str, str]:
    """Map the room's words for a face-down card to the unknown card."""
    return dict.fromkeys(words, UNKNOWN_CARD)


def build_card_reader(words: Mapping[str, str]) -> Callable[[str], Cards | None]:
    """Return a function that parses `Ah Kd`; it returns None if a word isn't a card or the text is empty."""

    @lru_cache(maxsize=_CACHE_SIZE)
    def read_cached(text: str) -> Cards | None:
        cards = [words.get(word) for word in text.replace(",", " ").split()]
        return None if None in cards or not cards else "".join(filter(None, cards))

    def read(text: str) -> Cards | None:
        return read_cached(text) if len(text) < _MAX_CACHED_LENGTH else read_cached.__wrapped__(text)

    return read


def find_card_by_names(rank: object, suit: object) -> Cards | None:
    """Return the card named by `"FOUR"` and `"CLUBS"`, or None if there is no such card."""
    rank_letter = RANK_NAMES.get(rank) if isinstance(rank, str) else None
    suit_letter = SUIT_NAMES.get(suit) if isinstance(suit, str) else None
    return rank_letter + suit_letter if rank_letter and suit_letter else None


def read_groups(read: Callable[[str], Cards | None], text: str) -> list[Cards] | None:
    """Parse `[2c 7d Kc][9s]` into one group per bracket; return None if a bracket holds something else."""
    card_groups: list[Cards] = []
    for part in text.split("]"):
        if part.strip():
            cards = read(part.strip(" ["))
            if cards is None:
                return None
            card_groups.append(cards)
    return card_groups or None
