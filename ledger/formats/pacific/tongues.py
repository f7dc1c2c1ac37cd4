"""Cards as the languages of 888poker's client name them."""

# ruff: noqa: RUF001 - the Russian client names cards in its own letters

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from ledger.readers.cards import reader, unknown
from ledger.vocabulary import RANKS, Cards

SECOND: Final = ("second", "segund", "deuxième", "deuxieme", "zweite", "tweede", "andra", "anden")
"""How the second of two runs is called, small letters: `Secondo runout`."""


@dataclass(frozen=True, slots=True)
class PacificLanguage:
    """How the client writes cards in one language: text → card."""

    name: str
    cards: dict[str, Cards]
    read: Callable[[str], Cards | None]  # ` 8h, Qh ` as cards; None where one of them is none


def _tongue(name: str, suits: str, ranks: str = "") -> PacificLanguage:
    """Build a tongue from its suits, and from the ranks that it names otherwise than English does: `Pik=s Kier=h`."""
    known = {**{rank: rank for rank in RANKS}, "10": "T", **_named(ranks)}
    cards = {rank + suit: card + to for rank, card in known.items() for suit, to in _named(suits).items()}
    cards |= unknown("XX", "xx", "??")
    return PacificLanguage(name, cards, reader(cards))


def _named(words: str) -> dict[str, str]:
    return dict(one.split("=") for one in words.split())


_ENGLISH: Final = "c=c d=d h=h s=s ♣=c ♦=d ♥=h ♠=s"
_SPANISH: Final = "p=s c=h d=d t=c"
_DUTCH: Final = "s=s h=h r=d k=c"
_DUTCH_RANKS: Final = "H=K V=Q B=J"

TONGUES: Final = (
    _tongue("English", _ENGLISH),
    _tongue("Swedish", _ENGLISH, "E=A D=Q Kn=J"),
    _tongue("Danish", _ENGLISH, "E=A D=Q B=J"),
    _tongue("Dutch, own ranks and English suits", _ENGLISH, _DUTCH_RANKS),
    _tongue("Spanish", _SPANISH),
    _tongue("Spanish, own ranks", _SPANISH, "R=K D=Q"),
    _tongue("Italian", "p=s c=h q=d f=c"),
    _tongue("Portuguese", "e=s c=h o=d p=c", "D=T"),  # dez, not dama
    _tongue("Dutch", _DUTCH),
    _tongue("Dutch, own ranks", _DUTCH, _DUTCH_RANKS),
    _tongue("French", "p=s c=h k=d t=c", "R=K D=Q V=J"),
    _tongue(
        "suits as words",
        "Pik=s Kier=h Karo=d Trefl=c Herz=h Kreuz=c Pique=s Coeur=h Cœur=h Carreau=d Trèfle=c Trefle=c"
        " Schoppen=s Harten=h Ruiten=d Klaveren=c Spader=s Hjärter=h Ruter=d Klöver=c Picas=s Corazones=h"
        " Diamantes=d Tréboles=c Picche=s Cuori=h Quadri=d Fiori=c Pikk=s Kőr=h Káró=d Treff=c",
        "D=Q E=A Kn=J B=J W=J",
    ),
    _tongue(
        "Russian",
        "п=s ч=h б=d т=c к=c с=s ♠=s ♥=h ♦=d ♣=c пик=s пики=s черв=h червы=h черви=h буб=d бубны=d бубен=d"
        " треф=c трефы=c крести=c c=c d=d h=h s=s",
        "Т=A К=K Д=Q В=J",
    ),
    # The same letters in a file of Windows' Cyrillic page, which nothing tells from its Western one.
    _tongue("Russian ranks, Western letters", _ENGLISH, "Ò=A Ê=K Ä=Q Â=J"),
)
"""The languages, English first. Which one a file is in, its cards tell: the first that reads them all."""

ENGLISH: Final = TONGUES[0]
