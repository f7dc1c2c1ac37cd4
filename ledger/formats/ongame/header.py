"""OnGame's lines before the list of seats: number, tournament, moment, table, game, button."""

from __future__ import annotations

from typing import Final, NamedTuple

from ledger.errors import UnreadableHandError
from ledger.formats.ongame.words import GAMES, LIMITS, MONTHS, ZONES
from ledger.hand.opening import GameSet, TournamentSet
from ledger.readers import amounts, timestamps
from ledger.vocabulary import Chips, Millis

HEAD: Final = "***** History for hand "
_MINUTE: Final = 60_000
_KEPT: Final = 20_000


class Head(NamedTuple):
    """The first line taken apart."""

    number: str
    tournament: str
    costs: TournamentSet | None


class Table(NamedTuple):
    """The line `Table:` taken apart."""

    name: str
    game: GameSet


def begins(line: str) -> bool:
    """Tell whether a hand begins with this line."""
    return line.startswith(HEAD) or line.lstrip("\ufeff \t").startswith(HEAD)


def head(line: str) -> Head:
    """Read `***** History for hand T5-1-1 (TOURNAMENT: "Name", R-186-1481, buy-in: $1.20) *****`."""
    bare = line.strip("\ufeff \t\r")[len(HEAD) :].rstrip("* ")
    number, _, rest = bare.partition(" ")
    if not number.replace("-", "").isalnum() or not number.isascii() or len(number) > 60:
        raise UnreadableHandError(f"the hand's number is {number[:60]!r}", kind="header")
    if not rest.startswith("(TOURNAMENT:"):
        return Head(number, "", None)
    told = rest[12:].strip().removesuffix(")")
    before, found, price = told.rpartition(", buy-in: ")
    if not found:
        before, price = told, ""
    name, _, tournament = before.rpartition(", ")
    buy_in = amounts.maybe(price, 2) if price else None
    currency = next((code for sign, code in amounts.SYMBOLS.items() if sign in price), "")
    costs = TournamentSet("", buy_in, None, None, currency, (name or before).strip('" '))
    return Head(number, tournament.strip(), costs)


def started(written: str) -> Millis | None:
    """Return the moment of `Wed Aug 18 19:32:32 GMT+0100 2010`; None where the zone is not known."""
    parts = written.split()
    if len(parts) != 6 or parts[1] not in MONTHS:
        return None
    shift = _zone(parts[4])
    if shift is None:
        return None
    wall = timestamps.started(f"{parts[5]}/{MONTHS[parts[1]]}/{parts[2]} {parts[3]} UTC")
    return None if wall is None else wall - shift * _MINUTE


def _zone(name: str) -> int | None:
    digits = name[4:]
    if name.startswith(("GMT+", "GMT-")) and len(digits) == 4 and digits.isascii() and digits.isdigit():
        minutes = int(digits[:2]) * 60 + int(digits[2:])
        return -minutes if name[3] == "-" else minutes
    return ZONES.get(name)


_tables: dict[tuple[str, int | None], Table] = {}


def table(line: str, exponent: int | None) -> Table:
    """Read `Table: Suez [90000026] (LIMIT FIVE_CARD_DRAW $0.05/$0.10, ante: $0.02, Real money)`."""
    found = _tables.get((line, exponent))
    if found is None:
        if len(_tables) > _KEPT:
            _tables.clear()
        found = _tables[line, exponent] = _table(line, exponent)
    return found


def _table(line: str, exponent: int | None) -> Table:
    left = line.rfind("(")
    parts = line[left + 1 :].rstrip(" )").split(", ")
    words = parts[0].split(" ")
    if left < 0 or len(words) != 3 or len(parts) < 2:
        raise UnreadableHandError(f"no game in {line[:80]!r}", kind="header")
    variant, betting = GAMES.get(words[1]), LIMITS.get(words[0])
    if variant is None or betting is None:
        raise UnreadableHandError(
            f"the game {parts[0][:80]!r} is not known",
            kind="unknown-game",
            hint="handledger rules lists no such game; tell us where it is played.",
        )
    money = parts[-1].lower()
    tournament = money in ("chips", "tc")
    unit = "chips" if tournament else _unit(words[2], play=money.startswith("play"))
    if exponent is None:
        exponent = 0 if tournament else 2
    stakes = tuple(amounts.read(one, exponent) for one in words[2].split("/"))
    ante: Chips = 0
    for part in parts[1:-1]:
        if part.startswith("ante: "):
            ante = amounts.read(part[6:], exponent)
    limit = betting == "limit"
    game = GameSet(
        variant=variant,
        betting=betting,
        format="tournament" if tournament else "cash",
        unit=unit,
        exponent=exponent,
        blinds=() if limit else stakes,
        ante=ante,
        bets=stakes if limit else (),
    )
    name = line[6:left].strip()
    if name.endswith("]"):
        name = name[: name.rfind("[")].rstrip() or name
    return Table(name, game)


def _unit(stakes: str, *, play: bool) -> str:
    if play:
        return "play"
    return next((code for sign, code in amounts.SYMBOLS.items() if sign in stakes), "USD")
