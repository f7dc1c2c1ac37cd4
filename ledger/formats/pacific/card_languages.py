"""The names of cards in the languages of 888poker's client."""

# ruff: noqa: RUF001 - the Russian client names cards in its own letters

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from ledger.readers.cards import build_card_reader, map_unknown_cards
from ledger.vocabulary import RANKS, Cards

SECOND_RUN_WORDS: Final = ("second", "segund", "deuxième", "deuxieme", "zweite", "tweede", "andra", "anden")
"""How words for the second of two runs begin, in lower case: `Secondo runout`."""


@dataclass(frozen=True, slots=True)
class PacificLanguage:
    """The names of cards in one language."""

    language_name: str
    card_by_name: dict[str, Cards]
    read_cards: Callable[[str], Cards | None]  # ` 8h, Qh ` as cards, or None if one of them isn't a card


def _language(language_name: str, suit_pairs: str, rank_pairs: str = "") -> PacificLanguage:
    """Build a language from its suits, and from the ranks whose names differ from English: `Pik=s Kier=h`."""
    known_ranks = {**{rank_name: rank_name for rank_name in RANKS}, "10": "T", **_parse_pairs(rank_pairs)}
    card_by_name = {
        rank_name + suit_name: rank_letter + suit_letter
        for rank_name, rank_letter in known_ranks.items()
        for suit_name, suit_letter in _parse_pairs(suit_pairs).items()
    }
    card_by_name |= map_unknown_cards("XX", "xx", "??")
    return PacificLanguage(language_name, card_by_name, build_card_reader(card_by_name))


def _parse_pairs(pairs: str) -> dict[str, str]:
    return dict(word.split("=") for word in pairs.split())


_ENGLISH: Final = "c=c d=d h=h s=s ♣=c ♦=d ♥=h ♠=s"
_SPANISH: Final = "p=s c=h d=d t=c"
_DUTCH: Final = "s=s h=h r=d k=c"
_DUTCH_RANKS: Final = "H=K V=Q B=J"

LANGUAGES: Final = (
    _language("English", _ENGLISH),
    _language("Swedish", _ENGLISH, "E=A D=Q Kn=J"),
    _language("Danish", _ENGLISH, "E=A D=Q B=J"),
    _language("Dutch, own ranks and English suits", _ENGLISH, _DUTCH_RANKS),
    _language("Spanish", _SPANISH),
    _language("Spanish, own ranks", _SPANISH, "R=K D=Q"),
    _language("Italian", "p=s c=h q=d f=c"),
    _language("Portuguese", "e=s c=h o=d p=c", "D=T"),  # dez, not dama
    _language("Dutch", _DUTCH),
    _language("Dutch, own ranks", _DUTCH, _DUTCH_RANKS),
    _language("French", "p=s c=h k=d t=c", "R=K D=Q V=J"),
    _language(
        "suits as words",
        "Pik=s Kier=h Karo=d Trefl=c Herz=h Kreuz=c Pique=s Coeur=h Cœur=h Carreau=d Trèfle=c Trefle=c"
        " Schoppen=s Harten=h Ruiten=d Klaveren=c Spader=s Hjärter=h Ruter=d Klöver=c Picas=s Corazones=h"
        " Diamantes=d Tréboles=c Picche=s Cuori=h Quadri=d Fiori=c Pikk=s Kőr=h Káró=d Treff=c",
        "D=Q E=A Kn=J B=J W=J",
    ),
    _language(
        "Russian",
        "п=s ч=h б=d т=c к=c с=s ♠=s ♥=h ♦=d ♣=c пик=s пики=s черв=h червы=h черви=h буб=d бубны=d бубен=d"
        " треф=c трефы=c крести=c c=c d=d h=h s=s",
        "Т=A К=K Д=Q В=J",
    ),
    # The same letters in a file of Windows' Cyrillic code page, which can't be told from the Western one.
    _language("Russian ranks, Western letters", _ENGLISH, "Ò=A Ê=K Ä=Q Â=J"),
)
"""The languages, English first. A file is in the first one that can read all its cards."""

ENGLISH: Final = LANGUAGES[0]
