"""The words of iPoker's files: games, kinds of acts, streets, cards, amounts."""

from __future__ import annotations

import re
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.hand.opening import Betting
from ledger.readers import amounts
from ledger.vocabulary import Chips, Street, Witness

VENUE: Final = "iPoker"

WITNESSES: Final = int(
    Witness.BUTTON
    | Witness.POSTS
    | Witness.ANTES
    | Witness.STACKS_BEFORE
    | Witness.ACTS
    | Witness.BOARD
    | Witness.AWARDS
)
"""What the files record whenever it happens.

Posts have no word for dead money, shown hands are not told from others that are known, and of
returned bets, rake and side pots nothing is said. `BLIND_AMOUNTS` is added where stakes are told.
"""

LIMITS: Final[tuple[tuple[str, Betting], ...]] = (
    ("no limit", "no-limit"),
    ("no-limit", "no-limit"),
    ("nolimit", "no-limit"),
    ("nl", "no-limit"),
    ("pot limit", "pot-limit"),
    ("pot-limit", "pot-limit"),
    ("potlimit", "pot-limit"),
    ("pl", "pot-limit"),
    ("sl", "no-limit"),
    ("lz", "no-limit"),
    ("бл", "no-limit"),
    ("lp", "pot-limit"),
    ("fixed limit", "limit"),
    ("limit", "limit"),
    ("fl", "limit"),
    ("l", "limit"),
)
"""The betting as the game type names it, small letters; the first that fits counts."""

GAMES: Final[dict[str, str]] = {
    "holdem": "holdem",
    "lh": "holdem",
    "hold'em": "holdem",
    "texas holdem": "holdem",
    "6+ holdem": "short-deck",
    "6+ hold'em": "short-deck",
    "short deck": "short-deck",
    "short deck holdem": "short-deck",
    "six plus holdem": "short-deck",
    "omaha": "omaha",
    "omaha hi": "omaha",
    "5 card omaha": "omaha5",
    "5-card omaha": "omaha5",
    "five card omaha": "omaha5",
    "6 card omaha": "omaha6",
    "6-card omaha": "omaha6",
    "six card omaha": "omaha6",
    "7 card stud": "stud",
    "7-card stud": "stud",
    "seven card stud": "stud",
    "5 card stud": "stud5",
    "5-card stud": "stud5",
    "five card stud": "stud5",
}
"""A game as it is named, small letters → its variant. `stud5` is told; nothing replays it yet."""

_HI_LO: Final = (
    " hi-low",
    " hi low",
    " hi/low",
    " hilow",
    " hi-lo",
    " hi lo",
    " hi/lo",
    " hilo",
    " h/l",
    " hl",
    " 8 or better",
    " 8",
)
_LOW: Final = {"omaha": "omaha8", "omaha5": "omaha5-8", "omaha6": "omaha6-8", "stud": "stud8"}


def variant_of(name: str) -> str:
    """Return the variant of a game named in small letters: `omaha hilow`; "" if it is not known."""
    found = GAMES.get(name)
    if found is None:
        for ending in _HI_LO:
            if name.endswith(ending):
                return _LOW.get(variant_of(name.removesuffix(ending)), "")
    return found or ""


OF_CARDS: Final = {2: "holdem", 4: "omaha", 5: "omaha5", 6: "omaha6"}
"""The variant where the game is not named, by the cards that are dealt."""

STUD: Final = frozenset(("stud", "stud8", "stud5"))

BOARDS: Final[dict[str, Street]] = {"flop": "flop", "turn": "turn", "river": "river"}
OWN: Final[dict[str, Street]] = {
    "second street": "preflop",
    "third street": "third",
    "fourth street": "fourth",
    "fifth street": "fifth",
    "sixth street": "sixth",
    "seventh street": "seventh",
    "river": "seventh",
}
"""Streets that bring each player cards of the own."""

UPS: Final = {1: "u", 2: "du", 3: "ddu"}

_RANKS: Final = {**{rank: rank for rank in "23456789TJQKA"}, "10": "T", "1": "A"}
_SUITS: Final = frozenset("CDHS")
_KEPT: Final = 20_000
_cards: dict[str, str] = {}


def cards(text: str) -> str:
    """Return `H3 D10 X` as cards; what is none raises `UnreadableHandError`."""
    found = _cards.get(text)
    if found is None:
        if len(_cards) > _KEPT:
            _cards.clear()
        found = _cards[text] = "".join(_card(word) for word in text.upper().split())
    return found


def _card(word: str) -> str:
    if word in ("X", "XX", "??"):
        return "??"
    if word[0] in _SUITS and word[1:] in _RANKS:
        return _RANKS[word[1:]] + word[0].lower()
    if word[-1] in _SUITS and word[:-1] in _RANKS:
        return _RANKS[word[:-1]] + word[-1].lower()
    raise UnreadableHandError(f"{word[:40]!r} is no card", kind="cards")


_BLANKS: Final = re.compile(r"[\s\u00a0\u202f\u2009']+")
_EURO: Final = "\\x80"
"""What some programs make of cp1252's euro: four characters."""
_DIGITS: Final = frozenset("0123456789")


def bare(text: str) -> str:
    """Return an amount without its currency and without blanks between its digits: `€1 480` → `1480`."""
    found = _bares.get(text)
    if found is None:
        if len(_bares) > _KEPT:
            _bares.clear()
        found = _bares[text] = _bare(text)
    return found


_bares: dict[str, str] = {}


def _bare(text: str) -> str:
    found = _BLANKS.sub("", text.replace(_EURO, "€"))
    first, last = 0, len(found)
    while first < last and found[first] not in _DIGITS:
        first += 1
    while last > first and found[last - 1] not in _DIGITS:
        last -= 1
    minus = "-" if "-" in found[:first] else ""
    if found[max(first - 1, 0) : first] in (".", ",") and first == 1:
        first = 0  # `.50`
    return minus + found[first:last]


_sums: dict[int, dict[str, Chips]] = {}


def chips(text: str, exponent: int) -> Chips:
    """Return an amount in units of 10^-exponent; what is none raises `UnreadableHandError`."""
    known = _sums.setdefault(exponent, {})
    found = known.get(text)
    if found is None:
        if len(known) > _KEPT:
            known.clear()
        found = known[text] = amounts.read(bare(text), exponent)
    return found


def currency(text: str) -> str:
    """Return the currency that an amount is written with, "" if none is."""
    text = text.replace(_EURO, "€")
    for sign, code in amounts.SYMBOLS.items():
        if sign in text:
            return code
    letters = "".join(one for one in text if one.isascii() and one.isalpha()).upper()
    return letters if len(letters) == 3 else ""
