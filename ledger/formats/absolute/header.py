"""Absolute Poker's first two lines: number, game, stakes, Eastern time; table and dealer."""

from __future__ import annotations

from typing import Final, NamedTuple

from ledger.errors import UnreadableHandError
from ledger.formats.absolute.words import GAMES, LIMITS, NOISE
from ledger.hand.opening import Betting, GameSet, TournamentSet
from ledger.readers import amounts, timestamps
from ledger.vocabulary import Chips, Millis, Seat

HEAD: Final = "Stage #"
_TOURNEY: Final = "tourney id "


class Head(NamedTuple):
    """The first line taken apart."""

    number: str
    tournament: str
    game: str  # `Holdem  No Limit $1, $0.25 ante`
    written: str


class Table(NamedTuple):
    """The second line."""

    name: str
    button: Seat | None
    play: bool


def begins(line: str) -> bool:
    """Tell whether a hand begins with this line."""
    if not line.startswith(HEAD):
        line = line.lstrip("\ufeff \t")
        if not line.startswith(HEAD):
            return False
    return line[7:9].lstrip("C")[:1].isdigit() and "(ET)" in line


def head(line: str) -> Head:
    """Take a line apart that `begins` a hand."""
    bare = line.strip("\ufeff \t\r")[len(HEAD) :]
    number, _, rest = bare.partition(" ")
    number = number.rstrip(":")
    if not number.isascii() or not number.isalnum() or len(number) > 24:
        raise UnreadableHandError(f"the hand's number is {number[:40]!r}", kind="header")
    game, dash, written = rest.rpartition(" - ")
    if not dash or not written[:4].isdigit():
        raise UnreadableHandError("the header has no date", kind="header")
    game, tournament = game.strip(), ""
    if game.lower().startswith(_TOURNEY):
        tournament, _, game = game[len(_TOURNEY) :].partition(" ")
    return Head(number, tournament, game, written.strip())


def started(written: str) -> Millis | None:
    """Return the moment of `2009-12-31 18:23:36.005 (ET) [ … ]`."""
    wall, found, _ = written.partition(" (ET)")
    return timestamps.started(wall.partition(".")[0].replace("-", "/") + " ET") if found else None


def costs(found: Head) -> TournamentSet | None:
    """Return what the header tells of a tournament, None in a cash game."""
    return TournamentSet(written=found.game) if found.tournament else None


def setup(found: Head, text: list[str], exponent: int | None, *, play: bool) -> GameSet:
    """Return the game of a header. `exponent` None = as the currency has it."""
    variant, betting, stakes = _game(found.game)
    unit = "play"
    if found.tournament:
        unit = "chips"
    elif not play:
        unit = next((code for sign, code in amounts.SYMBOLS.items() if sign in stakes), "play")
    if exponent is None:
        exponent = 2 if unit not in ("chips", "play") else 0
    money, _, ante = stakes.partition(",")
    bets = tuple(amounts.read(one, exponent) for one in money.split("/") if one.strip())
    fee = ante.lower().replace("ante", "").strip()
    limit = betting == "limit"
    blinds = bets if not limit else ()
    if len(blinds) == 1:  # the header tells the big blind alone
        small = _small_blind(text, exponent)
        blinds = (small, *blinds) if 0 < small < blinds[0] else blinds
    return GameSet(
        variant=variant,
        betting=betting,
        format="tournament" if found.tournament else "cash",
        unit=unit,
        exponent=exponent,
        blinds=blinds,
        bets=bets if limit else (),
        ante=amounts.read(fee, exponent) if fee else 0,
    )


def _small_blind(text: list[str], exponent: int) -> Chips:
    """Return the small blind that somebody posts, 0 if nobody does."""
    for line in text:
        _, found, amount = line.rpartition(" - Posts small blind ")
        if found:
            return amounts.maybe(amount.strip(), exponent) or 0
        if line.startswith("*** "):
            break
    return 0


def _game(text: str) -> tuple[str, Betting, str]:
    """Part `Omaha Hi/Lo (1 on 1)  Normal $30/$60` into variant, limit and stakes."""
    low = " ".join(text.lower().split())
    for noise in NOISE:
        low = low.replace(noise, " ")
    low = " ".join(low.split())
    for words, betting in LIMITS:
        name, found, stakes = low.partition(" " + words)
        variant = GAMES.get(name.strip())
        if found and variant is not None:
            return variant, betting, stakes.strip()
    raise UnreadableHandError(
        f"the game {text[:80]!r} is not known",
        kind="unknown-game",
        hint="handledger rules lists no such game; tell us where it is played.",
    )


def table(line: str) -> Table | None:
    """Read `Table: FIJI HWY (Real Money) Seat #6 is the dealer`, `… is the dead dealer`; None if it is none."""
    if not line.startswith("Table: "):
        return None
    before, _, behind = line[7:].rpartition(" Seat #")
    button: Seat | None = None
    digits = behind.partition(" ")[0]
    if before and digits.isascii() and digits.isdigit() and len(digits) < 4:
        button = int(digits)
    name = before or line[7:]
    left = name.rfind(" (")
    return Table(name[:left].strip() if left > 0 else name.strip(), button, "(Play" in name)
