"""What stands before a hand's players: the description, and the attributes of the game."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.merge.words import GAMES, LIMITS, MIXED, NUMBERED, STUD
from ledger.hand.opening import Betting, GameSet, TournamentSet
from ledger.readers import amounts
from ledger.readers.games import unknown_game
from ledger.readers.marked import Source, Tag, values
from ledger.readers.timestamps import iso
from ledger.vocabulary import Chips, Millis

_MOST: Final = 200
_QUARTER: Final = 900_000
_TOURNAMENT: Final = " Tournament"


@dataclass(frozen=True, slots=True)
class Description:
    """What the description says for the hands behind it."""

    game: str  # as named, without `Tournament`
    tournament: bool
    stakes: str
    written: str


def description(source: Source, head: list[Tag]) -> Description:
    """Read the description. A game that nobody knows raises `UnreadableHandError`."""
    tag = next(one for one in head if one.name == "description")
    found = values(source, tag)
    written = found.get("type", "").strip()[:_MOST]
    game = written.removesuffix(_TOURNAMENT).strip()
    if game not in GAMES and game not in MIXED:
        raise unknown_game(written)
    stakes = found.get("stakes", "").strip()[:_MOST]
    return Description(game, written.endswith(_TOURNAMENT), stakes, f"{written} {stakes}".strip())


@dataclass(frozen=True, slots=True)
class Header:
    """What is known of a hand before its players."""

    number: str
    table: str
    tournament: str
    written: str  # when it began
    seats: int
    game: GameSet
    costs: TournamentSet | None
    added: bool  # raises are written as chips added
    posted: bool  # stacks are told without what was posted


def header(found: dict[str, str], known: Description, exponent: int | None, added: str) -> Header:
    """Read the attributes of a game, names in small letters.

    `added` is the day before which raises are chips added. What is damaged raises
    `UnreadableHandError`.
    """
    number = found.get("id", "").strip()
    if not number or len(number) > _MOST or not number.isascii():
        raise UnreadableHandError("the game has no number", kind="header")
    stakes = found.get("stakes", "").strip()[:_MOST] or known.stakes
    table, tournament, name = _place(found.get("data", ""), number, cash=not known.tournament)
    unit = "chips" if known.tournament else _unit(stakes, found)
    if exponent is None:
        exponent = 0 if known.tournament else 2
    written = found.get("starttime", "").strip()[:_MOST]
    variant = GAMES.get(known.game) or _of_mixed(found)
    level, _, _ = stakes.partition("Level ")[2].partition(" ")
    game = _game(variant, known, stakes, unit, exponent)
    costs = _costs(found, level, name) if known.tournament else None
    day = "".join(one for one in written[:10] if one.isdigit())
    return Header(
        number,
        table,
        tournament,
        written,
        _count(found.get("seats", "")),
        game,
        costs,
        bool(day) and day < added,
        known.tournament and not found.get("version"),
    )


def _count(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 3 else 0


def _place(data: str, number: str, *, cash: bool) -> tuple[str, str, str]:
    """Return table, tournament and the table's name: `20110531|Room|90000023-1|90000024-25|true`.

    Old files part these with colons. Where nothing is told the hand's number begins with the table's.
    """
    parts = data.split("|") if "|" in data else data.split(":")
    name = parts[1].strip()[:_MOST] if len(parts) > 2 else ""
    place = parts[2].strip()[:_MOST] if len(parts) > 2 else ""
    own = number.partition("-")[0]
    if cash:
        return name or own, "", name
    tournament, _, table = place.partition("-")
    return table or own, tournament or own, name


def _unit(stakes: str, found: dict[str, str]) -> str:
    if found.get("realmoney") == "false":
        return "play"
    return amounts.currency(stakes) or "chips"


def _of_mixed(found: dict[str, str]) -> str:
    """Return which of the games of a mixed description a hand is; none known is a reject."""
    number = found.get("multigametype", "") or found.get("gametype", "")
    variant = NUMBERED.get(number, "")
    cards = found.get("numholecards", "")
    if variant == "omaha" and cards == "2":
        variant = "holdem"
    if not variant:
        raise UnreadableHandError(f"the game {number[:20]!r} of a mixed game is not known", kind="unknown-game")
    return variant


def _game(variant: str, known: Description, stakes: str, unit: str, exponent: int) -> GameSet:
    betting: Betting | None = None
    rest = ""
    for words, kind in LIMITS:
        if stakes.startswith(words):
            betting, rest = kind, stakes[len(words) :]
            break
    if betting is None:
        raise UnreadableHandError(f"the limit {stakes[:60]!r} is not known", kind="unknown-game")
    ante, sums = _sums(rest, exponent)
    blinds, bets, bring_in = (), (), 0  # type: tuple[Chips, ...], tuple[Chips, ...], Chips
    if variant in STUD and betting != "limit" and len(sums) == 3:
        ante, bring_in, bets = sums[0], sums[1], sums[2:]
    elif betting == "limit" and not known.tournament:
        bets = sums[:2]
    elif variant not in STUD and len(sums) >= 2 and "Half Pot" not in stakes:
        blinds = sums[:2]
    return GameSet(
        variant,
        betting,
        "tournament" if known.tournament else "cash",
        unit,
        exponent,
        blinds,
        ante,
        bets,
        bring_in,
        known.written,
    )


def _sums(text: str, exponent: int) -> tuple[Chips, tuple[Chips, ...]]:
    """Return the ante and the amounts of ` ($0.05/$0.10)` or ` Level 5 Ante 10, Blinds 50/100`."""
    ante = 0
    blinds = text
    for part in text.split(","):
        word, _, value = part.strip().rpartition(" ")
        if word.endswith("Ante"):
            ante = amounts.maybe(value, exponent) or 0
        if "/" in value:
            blinds = value
    found = [amounts.maybe(one.strip(" ()"), exponent) for one in blinds.split("/")]
    told = len(found) > 1 and None not in found
    return ante, tuple(one for one in found if one is not None) if told else ()


def _costs(found: dict[str, str], level: str, name: str) -> TournamentSet:
    buy_in = amounts.maybe(found.get("buyin", ""), 2) if found.get("buyin") else None
    bounty = amounts.maybe(found.get("bounty", ""), 2) if found.get("bounty") else None
    return TournamentSet(level[:20], buy_in, None, bounty, "", name)


def started(written: str, first: Millis | None) -> Millis | None:
    """Return when a hand began: `2012/06/05 19:39:26 -0400`, or `20120529031347` without a zone.

    Which zone that is shows in the first event's moment, in whole quarters of an hour; without
    such a moment nobody knows.
    """
    if written[4:5] == "/":
        day, _, rest = written.partition(" ")
        clock, _, zone = rest.partition(" ")
        told = f"{day.replace('/', '-')}T{clock}{zone[:3]}:{zone[3:]}" if len(zone) == 5 else ""
        return iso(told) if told else None
    wall = None
    if len(written) == 14 and written.isascii() and written.isdecimal():
        try:
            wall = iso(datetime.strptime(written, "%Y%m%d%H%M%S").isoformat())  # noqa: DTZ007 - of no zone yet
        except ValueError:
            wall = None
    if wall is None or first is None:
        return None
    zone_off = round((wall - first) / _QUARTER) * _QUARTER
    return wall - zone_off if abs(zone_off) <= 56 * _QUARTER else None
