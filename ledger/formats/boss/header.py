"""What stands in a hand's own tag."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.boss.words import GAMES, LIMITS
from ledger.hand.opening import GameSet, TournamentSet
from ledger.readers import amounts, games
from ledger.vocabulary import Millis

_MOST: Final = 200
_SECONDS_MOST: Final = 11


@dataclass(frozen=True, slots=True)
class Header:
    """What is known of a hand before its players."""

    number: str
    table: str
    tournament: str
    written: str
    started: Millis | None
    game: GameSet
    costs: TournamentSet | None
    added: bool  # calls are written as chips added, not as the street's total


def header(found: dict[str, str], exponent: int | None) -> Header:
    """Read a hand's attributes. What is damaged raises `UnreadableHandError`."""
    number = found.get("id", "").strip()
    if not number or len(number) > 40 or not number.isascii():
        raise UnreadableHandError("the hand has no number", kind="header")
    cash = found.get("gamekind", "GAMEKIND_CASH") == "GAMEKIND_CASH"
    session = found.get("session", "").removeprefix("session").removesuffix(".xml")
    if exponent is None:
        exponent = 2 if cash else 0
    written = found.get("date", "").strip()[:_MOST]
    told = written.isascii() and written.isdecimal() and len(written) < _SECONDS_MOST
    table = found.get("table", "").strip()[:_MOST]
    return Header(
        number,
        table,
        "" if cash else (found.get("tabletourneyid", "") or session or table)[:_MOST],
        written,
        int(written) * 1000 if told else None,
        _game(found, cash=cash, exponent=exponent),
        None if cash else TournamentSet(written=table),
        "pot" in found,
    )


def _game(found: dict[str, str], *, cash: bool, exponent: int) -> GameSet:
    name, limit = found.get("game", "").strip(), found.get("limit", "").strip()
    variant, betting = GAMES.get(name), LIMITS.get(limit)
    if variant is None or betting is None:
        raise UnreadableHandError(f"the game {limit[:20]} {name[:40]!r} is not known", kind="unknown-game")
    stakes = tuple(amounts.read(one, exponent) for one in found.get("stakes", "").split("/") if one)
    unit = found.get("tablecurrency", "").strip().upper()[:10] or "chips"
    if not cash:
        unit = "chips"
    elif found.get("gametype", "GAMETYPE_REAL") != "GAMETYPE_REAL":
        unit = "play"
    written = f"{name} {limit}"
    return games.game_set(
        variant, betting, stakes[:2], unit=unit, exponent=exponent, tournament=not cash, written=written
    )
