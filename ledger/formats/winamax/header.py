"""Winamax's first two lines: kind of table, number, game, stakes, date; table, chairs, button."""

from __future__ import annotations

from typing import Final, NamedTuple

from ledger.errors import UnreadableHandError
from ledger.formats.winamax.words import GAMES, LIMITS
from ledger.hand.opening import Betting, GameSet, OptionSet, TournamentSet
from ledger.readers import amounts, timestamps
from ledger.vocabulary import Chips, Millis, Seat

HEAD: Final = "Winamax Poker - "
_ID: Final = "HandId: #"
_HOUR: Final = 3_600_000
_ZONES: Final = {" CET": _HOUR, " CEST": 2 * _HOUR}
_KEPT: Final = 20_000


class Head(NamedTuple):
    """The first line taken apart."""

    kind: str  # `CashGame`, `Tournament "…" buyIn: … level: 3`, `Go Fast "Buzau"`
    number: str
    game: str  # with its stakes
    written: str


class Table(NamedTuple):
    """The second line."""

    name: str
    tournament: str
    seats: int
    button: Seat | None
    play: bool


class Setup(NamedTuple):
    """What the first line tells of the game: the same for every hand of a table or level."""

    game: GameSet
    tournament: TournamentSet | None
    options: tuple[OptionSet, ...]


def begins(line: str) -> bool:
    """Tell whether a hand begins with this line."""
    if not line.startswith(HEAD):
        line = line.lstrip("\ufeff \t")
        if not line.startswith(HEAD):
            return False
    return _ID in line


def head(line: str) -> Head:
    """Take a line apart that `begins` a hand."""
    bare = line.strip("\ufeff \t\r")
    at = bare.rfind(_ID)
    number, _, rest = bare[at + len(_ID) :].partition(" - ")
    game, dash, written = rest.rpartition(" - ")
    if not number.replace("-", "").isalnum() or not number.isascii() or len(number) > 60:
        raise UnreadableHandError(f"the hand's number is {number[:60]!r}", kind="header")
    if not dash or not written[:4].isdigit():
        raise UnreadableHandError("the header has no date", kind="header")
    return Head(bare[len(HEAD) : at].rstrip(" -"), number, game.strip(), written.strip())


def started(written: str) -> Millis | None:
    """Return the moment of `2016/11/14 02:56:04 UTC`; older files have `CET`, `CEST`."""
    found = timestamps.started(written)
    if found is None:
        zone = written[written.rfind(" ") :]
        if zone in _ZONES:
            found = timestamps.started(written[: -len(zone)] + " UTC")
            found = None if found is None else found - _ZONES[zone]
    return found


_setups: dict[tuple[str, str, int | None, bool], Setup] = {}


def setup(found: Head, *, exponent: int | None, play: bool) -> Setup:
    """Return the game of a header. `exponent` None = as the currency has it."""
    key = (found.kind, found.game, exponent, play)
    made = _setups.get(key)
    if made is None:
        if len(_setups) > _KEPT:
            _setups.clear()
        made = _setups[key] = _setup(found, exponent, play=play)
    return made


def _setup(found: Head, exponent: int | None, *, play: bool) -> Setup:
    kind = found.kind
    tournament = kind.lower().startswith("tournament")
    left, right = found.game.rfind("("), found.game.rfind(")")
    if left < 0 or right < left:
        raise UnreadableHandError(f"no stakes in {found.game[:80]!r}", kind="header")
    variant, betting = _game(found.game[:left])
    stakes = found.game[left + 1 : right]
    unit = "chips" if tournament else _unit(stakes, play=play)
    if exponent is None:
        exponent = 0 if tournament else 2
    ante, bets = _stakes(stakes, exponent)
    limit = betting == "limit"
    game = GameSet(
        variant=variant,
        betting=betting,
        format="tournament" if tournament else "cash",
        unit=unit,
        exponent=exponent,
        blinds=() if limit else bets,
        ante=ante,
        bets=bets if limit else (),
    )
    if tournament:
        return Setup(game, _tournament(kind), ())
    pool = kind.partition(' "')[0].strip().lower()
    return Setup(game, None, (OptionSet("other", pool),) if pool != "cashgame" else ())


def _unit(stakes: str, *, play: bool) -> str:
    if play:
        return "play"
    return next((code for sign, code in amounts.SYMBOLS.items() if sign in stakes), "EUR")


def _stakes(text: str, exponent: int) -> tuple[Chips, tuple[Chips, ...]]:
    """Read `0.50€/1€` and, with the ante before them, `10/60/120`."""
    found = [amounts.read(one, exponent) for one in text.split("/")]
    if len(found) > 3:
        raise UnreadableHandError(f"the stakes are {text[:60]!r}", kind="header")
    return (found[0], tuple(found[1:])) if len(found) == 3 else (0, tuple(found))


def _game(name: str) -> tuple[str, Betting]:
    low = " ".join(name.replace("\xa0", " ").lower().split())
    for ending, betting in LIMITS:
        if low.endswith(ending):
            variant = GAMES.get(low[: -len(ending)])
            if variant is not None:
                return variant, betting
    raise UnreadableHandError(
        f"the game {name.strip()[:80]!r} is not known",
        kind="unknown-game",
        hint="handledger rules lists no such game; tell us where it is played.",
    )


def _tournament(kind: str) -> TournamentSet:
    """Read `Tournament "Name" buyIn: 0.90€ + 0.10€ level: 3`."""
    at = kind.rfind(" level: ")
    level = kind[at + 8 :].strip() if at >= 0 else ""
    before = kind[:at] if at >= 0 else kind
    at = before.rfind(" buyIn: ")
    price = before[at + 8 :].strip() if at >= 0 else ""
    parts = [amounts.maybe(part, 2) for part in price.split("+")] if price else []
    buy_in = fee = bounty = None
    currency = ""
    if parts and None not in parts and len(parts) <= 3:
        buy_in = parts[0]
        fee = parts[-1] if len(parts) > 1 else None
        bounty = parts[1] if len(parts) == 3 else None
        currency = next((code for sign, code in amounts.SYMBOLS.items() if sign in price), "")
    return TournamentSet(level, buy_in, fee, bounty, currency, before.partition(" ")[2])


_tables: dict[str, Table] = {}


def table(line: str) -> Table | None:
    """Read `Table: 'Name(9000035)#784' 6-max (real money) Seat #3 is the button`; None if it is none."""
    found = _tables.get(line)
    if found is None:
        found = _table(line)
        if found is not None:
            if len(_tables) > _KEPT:
                _tables.clear()
            _tables[line] = found
    return found


def _table(line: str) -> Table | None:
    left, right = line.find("'"), line.rfind("'")
    if not line.startswith("Table") or left < 0 or right == left:
        return None
    name, rest = line[left + 1 : right], line[right + 1 :]
    tournament = ""
    head, close, number = name.rpartition(")#")
    if close:
        digits = head[head.rfind("(") + 1 :]
        if digits.isascii() and digits.isdigit():
            tournament, name = digits, number
    seats, button = 0, None
    for word in rest.split():
        if word.endswith("-max") and word[:-4].isascii() and word[:-4].isdigit():
            seats = int(word[:-4][:3])
    at = rest.find("Seat ")
    if at >= 0:
        digits = rest[at + 5 :].split(" ", 1)[0].lstrip("#").lstrip("0")
        if digits.isascii() and digits.isdigit() and len(digits) <= 3:
            button = int(digits)
    return Table(name, tournament, seats, button, "(play money)" in rest.lower())
