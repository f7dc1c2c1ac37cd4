"""The words of 888poker's notation, and the cards as the languages of its client name them."""

# ruff: noqa: RUF001 - the Russian client names cards in its own letters

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from ledger.hand.opening import Betting
from ledger.readers.cards import reader, unknown
from ledger.vocabulary import RANKS, Cards, Street, Witness

VENUE: Final = "888poker"

WITNESSES: Final = int(
    Witness.BUTTON
    | Witness.POSTS
    | Witness.POST_LIVENESS
    | Witness.ANTES
    | Witness.STACKS_BEFORE
    | Witness.ACTS
    | Witness.BOARD
    | Witness.SHOWDOWN
    | Witness.AWARDS
    | Witness.BLIND_AMOUNTS
)
"""What the text records whenever it happens. Rake, bets given back and who sits out are in no line."""

MARK: Final = " Hand History for Game "
PREFACE: Final = ("#Game No",)

GAMES: Final[dict[str, str]] = {
    "holdem": "holdem",
    "hold'em": "holdem",
    "texas holdem": "holdem",
    "texas hold'em": "holdem",
    "short deck": "short-deck",
    "6+ holdem": "short-deck",
    "omaha": "omaha",
    "omahahl": "omaha8",
    "omaha hl": "omaha8",
    "omaha hi-lo": "omaha8",
    "omaha hi/lo": "omaha8",
    "omaha8": "omaha8",
    "omaha 5": "omaha5",
    "omaha5": "omaha5",
    "5 card omaha": "omaha5",
    "omaha5hl": "omaha5-8",
    "5 card omahahl": "omaha5-8",
}
"""A game as the header names it, small letters → its variant."""

LIMITS: Final[tuple[tuple[str, Betting], ...]] = (
    ("no limit ", "no-limit"),
    ("pot limit ", "pot-limit"),
    ("fix limit ", "limit"),
    ("fixed limit ", "limit"),
    ("limit ", "limit"),
)

STREETS: Final[dict[str, Street]] = {"flop": "flop", "turn": "turn", "river": "river"}

SECOND: Final = ("second", "segund", "deuxième", "deuxieme", "zweite", "tweede", "andra", "anden")
"""How the second of two runs is called, small letters: `Secondo runout`."""


@dataclass(frozen=True, slots=True)
class Tongue:
    """How the client writes cards in one language: text → card."""

    name: str
    cards: dict[str, Cards]
    read: Callable[[str], Cards | None]  # ` 8h, Qh ` as cards; None where one of them is none


def _tongue(name: str, suits: dict[str, str], ranks: dict[str, str] | None = None) -> Tongue:
    """Build a tongue from its suits and from the ranks that it names otherwise than English does."""
    known = {**{rank: rank for rank in RANKS}, "10": "T", **(ranks or {})}
    cards = {rank + suit: card + to for rank, card in known.items() for suit, to in suits.items()}
    cards |= unknown("XX", "xx", "??")
    return Tongue(name, cards, reader(cards))


_ENGLISH_SUITS: Final = {suit: suit for suit in "cdhs"} | {"♣": "c", "♦": "d", "♥": "h", "♠": "s"}

TONGUES: Final = (
    _tongue("English", _ENGLISH_SUITS),
    _tongue("Swedish", _ENGLISH_SUITS, {"E": "A", "D": "Q", "Kn": "J"}),
    _tongue("Danish", _ENGLISH_SUITS, {"E": "A", "D": "Q", "B": "J"}),
    _tongue("Dutch, own ranks and English suits", _ENGLISH_SUITS, {"H": "K", "V": "Q", "B": "J"}),
    _tongue("Spanish", {"p": "s", "c": "h", "d": "d", "t": "c"}),
    _tongue("Spanish, own ranks", {"p": "s", "c": "h", "d": "d", "t": "c"}, {"R": "K", "D": "Q"}),
    _tongue("Italian", {"p": "s", "c": "h", "q": "d", "f": "c"}),
    _tongue("Portuguese", {"e": "s", "c": "h", "o": "d", "p": "c"}, {"D": "T"}),  # dez, not dama
    _tongue("Dutch", {"s": "s", "h": "h", "r": "d", "k": "c"}),
    _tongue("Dutch, own ranks", {"s": "s", "h": "h", "r": "d", "k": "c"}, {"H": "K", "V": "Q", "B": "J"}),
    _tongue("French", {"p": "s", "c": "h", "k": "d", "t": "c"}, {"R": "K", "D": "Q", "V": "J"}),
    _tongue(
        "suits as words",
        {
            "Pik": "s",
            "Kier": "h",
            "Karo": "d",
            "Trefl": "c",
            "Herz": "h",
            "Kreuz": "c",
            "Pique": "s",
            "Coeur": "h",
            "Cœur": "h",
            "Carreau": "d",
            "Trèfle": "c",
            "Trefle": "c",
            "Schoppen": "s",
            "Harten": "h",
            "Ruiten": "d",
            "Klaveren": "c",
            "Spader": "s",
            "Hjärter": "h",
            "Ruter": "d",
            "Klöver": "c",
            "Picas": "s",
            "Corazones": "h",
            "Diamantes": "d",
            "Tréboles": "c",
            "Picche": "s",
            "Cuori": "h",
            "Quadri": "d",
            "Fiori": "c",
            "Pikk": "s",
            "Kőr": "h",
            "Káró": "d",
            "Treff": "c",
        },
        {"D": "Q", "E": "A", "Kn": "J", "B": "J", "W": "J"},
    ),
    _tongue(
        "Russian",
        {
            "п": "s",
            "ч": "h",
            "б": "d",
            "т": "c",
            "к": "c",
            "с": "s",
            "♠": "s",
            "♥": "h",
            "♦": "d",
            "♣": "c",
            "пик": "s",
            "пики": "s",
            "черв": "h",
            "червы": "h",
            "черви": "h",
            "буб": "d",
            "бубны": "d",
            "бубен": "d",
            "треф": "c",
            "трефы": "c",
            "крести": "c",
            "c": "c",
            "d": "d",
            "h": "h",
            "s": "s",
        },
        {"Т": "A", "К": "K", "Д": "Q", "В": "J"},
    ),
    # The same letters in a file of Windows' Cyrillic page, which nothing tells from its Western one.
    _tongue("Russian ranks, Western letters", _ENGLISH_SUITS, {"Ò": "A", "Ê": "K", "Ä": "Q", "Â": "J"}),
)
"""The languages, English first. Which one a file is in, its cards tell: the first that reads them all."""

ENGLISH: Final = TONGUES[0]
