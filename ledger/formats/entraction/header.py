"""Entraction's first line: number, game, stakes, table; and the moment in the last one."""

from __future__ import annotations

from typing import Final, NamedTuple

from ledger.errors import UnreadableHandError
from ledger.formats.entraction.words import GAMES, LIMITS, ZONES
from ledger.hand.opening import GameSet, TournamentSet
from ledger.telling import amounts, moments
from ledger.telling.spoken import unknown_game
from ledger.vocabulary import Millis

HEAD: Final = "Game # "
_MINUTE: Final = 60_000
_KEPT: Final = 20_000


class Head(NamedTuple):
    """The first line taken apart."""

    number: str
    table: str
    tournament: str
    costs: TournamentSet | None
    game: GameSet


def begins(line: str) -> bool:
    """Tell whether a hand begins with this line."""
    bare = line if line.startswith(HEAD) else line.lstrip("\ufeff \t")
    return bare.startswith(HEAD) and bare[7:8].isdigit() and ' - Table "' in bare


_stakes: Final[dict[tuple[str, bool, int | None], GameSet]] = {}


def head(line: str, exponent: int | None) -> Head:
    """Read `Game # 5 - Texas Hold'em No Limit 200/400 and 20 ante - Table "Cup #1 90000014 2"`."""
    bare = line.strip("\ufeff \t\r")
    left, _, table = bare[len(HEAD) :].partition(' - Table "')
    number, dash, written = left.partition(" - ")
    if not dash or not number.isascii() or not number.isdigit() or len(number) > 20:
        raise UnreadableHandError(f"the hand's number is {number[:60]!r}", kind="header")
    table = table.removesuffix('"')
    name, _, last = table.rpartition(" ")
    name, _, tournament = name.rpartition(" ")
    in_tournament = all(part.isascii() and part.isdigit() for part in (last, tournament))
    key = written, in_tournament, exponent
    game = _stakes.get(key)
    if game is None:
        if len(_stakes) > _KEPT:
            _stakes.clear()
        game = _stakes[key] = _game(written, exponent, may_be_tournament=in_tournament)
    if game.format != "tournament":
        return Head(number, table, "", None, game)
    return Head(number, last, tournament, TournamentSet(written=name), game)


def _game(written: str, exponent: int | None, *, may_be_tournament: bool) -> GameSet:
    """Read `Omaha High Pot Limit EUR 0.50/1`, `Texas Hold'em No Limit 200/400 and 20 ante`."""
    words, _, ante = written.partition(" and ")
    parts = words.split()
    stakes = parts[-1].split("/") if parts else []
    currency = parts[-2] if len(parts) > 2 and parts[-2].isupper() and len(parts[-2]) == 3 else ""
    title = " ".join(parts[: -2 if currency else -1])
    limit = next((one for one in LIMITS if title.lower().endswith(" " + one)), "")
    variant = GAMES.get(title[: len(title) - len(limit)].strip().lower())
    if variant is None or not limit or len(stakes) != 2:
        raise unknown_game(written)
    tournament = not currency and may_be_tournament
    if exponent is None:
        exponent = 0 if tournament else 2
    small, big = (amounts.read(one, exponent) for one in stakes)
    betting = LIMITS[limit]
    return GameSet(
        variant=variant, betting=betting, format="tournament" if tournament else "cash",
        unit=currency or ("chips" if tournament else "play"), exponent=exponent,
        blinds=() if betting == "limit" else (small, big),
        ante=amounts.read(ante.removesuffix(" ante"), exponent) if ante else 0,
        bets=(small, big) if betting == "limit" else (),
    )  # fmt: skip


def ended(written: str) -> Millis | None:
    """Return the moment of `2011-08-06 18:53:35 CEST`; None where the zone is not known.

    >>> ended("2012-05-31 02:03:38 GMT+01:00")
    1338426218000
    """
    day, _, rest = written.partition(" ")
    clock, _, zone = rest.partition(" ")
    east = _east(zone.strip())
    wall = moments.started(f"{day.replace('-', '/')} {clock} UTC")
    return None if wall is None or east is None else wall - east * _MINUTE


def _east(zone: str) -> int | None:
    digits = zone[4:].replace(":", "")
    if zone.startswith(("GMT+", "GMT-")) and digits.isascii() and digits.isdigit():
        digits = digits.zfill(2).ljust(4, "0")[:4]
        minutes = int(digits[:2]) * 60 + int(digits[2:])
        return -minutes if zone[3] == "-" else minutes
    return ZONES.get(zone)
