"""The facts that stand before a hand, one `Name: value` a line."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.betclic.words import GAMES, LIMITS
from ledger.hand.opening import GameSet, TournamentSet
from ledger.telling import amounts, moments
from ledger.telling.spoken import unknown_game
from ledger.vocabulary import Millis

HEAD: Final = "*** HEADER ***"
_END: Final = "*** "
_LONGEST: Final = 40
FACTS: Final = frozenset((
    "Site", "Game Mode", "Game Type", "Tournament Type", "Game Name", "Game ID", "Buy In", "Hand ID",
    "Date & Time", "Table ID", "Ante", "Blinds", "Total Pot", "Rake", "Prize pool", "Multiplier",
))  # fmt: skip
"""The facts of which the hand is told; others are kept as lines that nobody knows."""


@dataclass(slots=True)
class Facts:
    """What stands before a hand, and in which lines."""

    said: dict[str, str] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    strange: list[int] = field(default_factory=list)
    after: int = 0  # the line behind

    def __getitem__(self, name: str) -> str:
        return self.said.get(name, "")


def begins(line: str) -> bool:
    """Tell whether a hand begins with this line."""
    return line[:1] in "*\ufeff \t" and line.strip("\ufeff \t\r") == HEAD


def facts(text: list[str], k: int, after: int) -> Facts:
    """Read the facts from line `k`, up to the next heading."""
    found = Facts(after=after)
    for at in range(k, after):
        line = text[at]
        if line.startswith(_END):
            found.after = at
            break
        name, colon, value = line.partition(":")
        if colon and name in FACTS and name not in found.said:
            found.said[name] = value.strip()
            found.lines[name] = at
        elif line.strip():
            found.strange.append(at)
    number = found["Hand ID"]
    if not number or len(number) > _LONGEST or not number.isascii() or not number.isalnum():
        raise UnreadableHandError(
            f"the hand's number is {number[:_LONGEST]!r}", kind="header",
            hint="`Hand ID:` with letters and digits was expected.",
        )  # fmt: skip
    return found


def game(found: Facts, exponent: int | None) -> GameSet:
    """Return the game that the facts name."""
    return _game(found["Game Type"], found["Game Mode"], found["Blinds"], found["Ante"], exponent)


@lru_cache(maxsize=4096)
def _game(kind: str, mode: str, blinds: str, ante: str, exponent: int | None) -> GameSet:
    limit, _, name = kind.partition(" ")
    betting, variant = LIMITS.get(limit), GAMES.get(name.lower())
    if betting is None or variant is None:
        raise unknown_game(kind)
    stakes = blinds.split("/")
    if len(stakes) != 2:
        raise UnreadableHandError(f"the blinds are {blinds[:40]!r}", kind="header")
    cash = mode.startswith("Cash")
    unit = next((code for sign, code in amounts.SYMBOLS.items() if sign in blinds), "play")
    if exponent is None:
        exponent = 2 if cash and unit != "play" else 0
    told = tuple(amounts.read(one.strip(), exponent) for one in stakes)
    return GameSet(
        variant=variant, betting=betting, format="cash" if cash else "tournament",
        unit=unit if cash else "chips", exponent=exponent,
        blinds=() if betting == "limit" else told, bets=told if betting == "limit" else (),
        ante=amounts.read(ante, exponent) if ante else 0,
    )  # fmt: skip


def tournament(found: Facts) -> TournamentSet:
    """Return what the tournament is called and costs; of `5.00€` nobody knows which part is the fee."""
    price = found["Buy In"]
    currency = next((code for sign, code in amounts.SYMBOLS.items() if sign in price), "")
    words = (found[name] for name in ("Game Name", "Tournament Type", "Multiplier", "Prize pool"))
    return TournamentSet(
        "", amounts.maybe(price, 2) if price else None, None, None, currency,
        ", ".join(word for word in words if word),
    )  # fmt: skip


def started(written: str) -> Millis | None:
    """Return the moment of `2025-07-16 14:08:56 (UTC)`; None where no zone is told.

    >>> started("2025-07-16 14:08:56 (UTC)")
    1752674936000
    """
    return moments.iso(written[:-6]) if written.endswith(" (UTC)") else None


def chairs(name: str) -> int:
    """Return how many chairs a table has whose game is called `NLHE 2.5/5 6 max Deep`; 0 = it is not told."""
    words = name.split(" ")
    if "HU" in words:
        return 2
    for before, word in pairwise(words):
        if word == "max" and before.isascii() and before.isdigit() and len(before) < 3:
            return int(before)
    return 0
