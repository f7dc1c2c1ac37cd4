"""The first line of a hand: room, number, table or tournament, game, betting, stakes, date."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.bovada.words import GAMES, ROOMS
from ledger.hand.opening import Betting, GameSet, TournamentSet
from ledger.readers import amounts, games, timestamps
from ledger.readers.room import unknown_game
from ledger.vocabulary import Chips, Millis

_LONGEST: Final = 400
_DIGITS: Final = 20


@dataclass(frozen=True, slots=True)
class Head:
    """What the first line says."""

    room: str
    number: str
    tournament: str
    table: str
    game: str  # as written, without the betting
    variant: str
    betting: Betting | None  # None = not told: "Normal", "Turbo"
    level: str
    blinds: tuple[str, ...]
    written: str
    started: Millis | None


def begins(line: str) -> bool:
    """Tell whether a hand begins with this line."""
    bare = line.lstrip("\ufeff \t")
    if not bare.startswith(ROOMS):
        return False
    at = bare.find(" Hand #")
    return 0 < at < 24 and bare[at + 7 : at + 8].isalnum()


@lru_cache(maxsize=64)
def head(line: str) -> Head:
    """Read the line; what cannot be read raises `UnreadableHandError`."""
    bare = line.strip("\ufeff \t\r")
    room, _, rest = bare.partition(" Hand #")
    if len(bare) > _LONGEST:
        raise _bad("it is too long")
    where, dash, written = rest.rpartition(" - ")
    if not dash:
        raise UnreadableHandError("the hand breaks off within its first line", kind="cut-off")
    where = where.replace("[MVS]", " ").strip()
    words = where.split()
    number = words[0].rstrip(":") if words else ""
    if not (number.isascii() and number.isalnum() and len(number) <= _DIGITS):
        raise _bad("it has no number")
    body = where[len(words[0]) :].strip()
    tournament, table, body = _table(body)
    level, blinds, body = _level(body)
    game, betting = _game(body)
    variant = games.variant(game.lower().replace("zonepoker", " "), GAMES)
    if variant is None:
        raise unknown_game(game)
    return Head(
        room.strip(),
        number,
        tournament,
        table,
        game,
        variant,
        betting,
        level,
        blinds,
        written.strip(),
        timestamps.started(written.strip().replace("-", "/")),
    )


def _bad(why: str) -> UnreadableHandError:
    return UnreadableHandError(
        f"the first line cannot be read: {why}", kind="header", hint="Compare it with an intact hand of the room."
    )


def _table(body: str) -> tuple[str, str, str]:
    """Take tournament and table from `TBL#5 HOLDEM …`, `Zone Poker ID#7 …`, `HOLDEM Tournament #3 TBL#1, …`."""
    tournament = table = ""
    if " Tournament #" in body:
        before, _, after = body.partition(" Tournament #")
        tournament, _, after = after.partition(" ")
        body = f"{before} {after}"
    for mark, prefix in (("TBL#", ""), ("ID#", "Zone Poker ")):
        before, found, after = body.partition(mark)
        if found:
            table, _, after = after.partition(" ")
            before = before.removesuffix("Zone Poker ").removesuffix("Zone Poker")
            return tournament, prefix + table.rstrip(","), f"{before} {after}".strip()
    if not tournament:
        raise _bad("it names no table")
    return tournament, table, body.strip()


def _level(body: str) -> tuple[str, tuple[str, ...], str]:
    """Take the level and its blinds from `HOLDEM No Limit- Level 3 (20/40)`."""
    before, found, after = body.partition("- Level ")
    if not found:
        return "", (), body
    level, _, stakes = after.partition("(")
    return level.strip(), tuple(stakes.partition(")")[0].split("/")), before.strip()


def _game(body: str) -> tuple[str, Betting | None]:
    """Split `HOLDEM  Fixed Limit` into game and betting."""
    text = " ".join(body.replace(",", " ").split())
    for words, betting in games.LIMITS.items():
        if text.lower().endswith(" " + words):
            return text[: -len(words)].strip(), betting
    for words in ("Normal", "Hyper Turbo", "Super Turbo", "Turbo"):
        if text.endswith(words):
            return text[: -len(words)].strip(), None
    return text, None


def game_set(head: Head, unit: str, exponent: int, stakes: tuple[Chips, ...]) -> GameSet:
    """Return the game of the hand. `stakes` are its blinds and, behind them, an ante; () = not told.

    The bets of a limit game are not written, and the upper one is no sure multiple of a blind.
    """
    betting = head.betting or ("pot-limit" if head.variant.startswith("omaha") else "no-limit")
    blinds, ante = stakes[:2], stakes[2] if len(stakes) > 2 else 0
    kind = "tournament" if head.tournament else "cash"
    return GameSet(
        head.variant,
        betting,
        "tournament" if kind == "tournament" else "cash",
        unit,
        exponent,
        blinds,
        ante,
        (),
        0,
        head.game,
    )


def tournament_set(head: Head, info: str) -> TournamentSet:
    """Return level and price; `info` is the line `Table Info: …, Buyin: $25+$2.50, …`, "" = none."""
    price = info.partition("Buyin: ")[2].partition(",")[0].strip()
    buy_in, _, fee = price.partition("+")
    sign = amounts.SYMBOLS.get(price[:1], "")
    return TournamentSet(
        head.level,
        amounts.maybe(buy_in, 2) if buy_in else None,
        amounts.maybe(fee, 2) if fee else None,
        None,
        sign,
        price,
    )
