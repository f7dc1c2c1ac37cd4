"""Poker Mavens' lines before the list of seats: number and moment, game, site, table."""

from __future__ import annotations

from typing import Final

from ledger.errors import UnreadableHandError
from ledger.formats.mavens.words import GAMES, LIMITS
from ledger.hand.opening import GameSet, TournamentSet
from ledger.telling import amounts
from ledger.telling.spoken import unknown_game
from ledger.vocabulary import Chips

HEAD: Final = "Hand #"


def begins(line: str) -> bool:
    """Tell whether a hand begins with this line: `Hand #9000016-110 - 2013-02-01 20:15:00`."""
    bare = line if line.startswith(HEAD) else line.lstrip("\ufeff \t")
    number, found, moment = bare[len(HEAD) : 80].partition(" - ")
    return (
        bare.startswith(HEAD)
        and bool(found)
        and _is_number(number)
        and moment[4:5] == "-" == moment[7:8]
        and moment[:4].isdigit()
    )


def _is_number(number: str) -> bool:
    return number.isascii() and number.replace("-", "").isdigit() and len(number) <= 40


def head(line: str) -> tuple[str, str]:
    """Return number and moment as written."""
    number, _, written = line.strip("\ufeff \t\r")[len(HEAD) :].partition(" - ")
    return number, written


def game(text: str, exponent: int | None) -> tuple[GameSet, TournamentSet | None]:
    """Read `NL Hold'em (40 - 200) - Blinds 1/2`; a `(1000 + 100)` is a tournament's price."""
    left, found, behind = text.partition(" (")
    inner, closed, stakes = behind.partition(")")
    if not found or not closed:
        left, _, stakes = text.partition(" - ")
        inner = ""
    limit = next(
        (one for one in sorted(LIMITS, key=len, reverse=True) if left.startswith(one + " ")), ""
    )
    variant = GAMES.get(left[len(limit) :].strip().lower())
    if not limit or variant is None:
        raise unknown_game(text)
    price, plus, fee = inner.partition("+")
    tournament = bool(plus)
    if exponent is None:
        exponent = 0 if tournament else 2
    amounts_told = _stakes(stakes, exponent)
    betting, bets = LIMITS[limit], stakes.strip(" -").startswith("Stakes")
    told = amounts_told.get("Stakes" if bets else "Blinds", ())
    ante = amounts_told.get("Ante", (0,))[0]
    setup = GameSet(
        variant=variant, betting=betting, format="tournament" if tournament else "cash",
        unit="chips", exponent=exponent, blinds=() if bets else told, ante=ante,
        bets=told if bets else (),
    )  # fmt: skip
    if not tournament:
        return setup, None
    buy_in = amounts.maybe(price.strip(), 2), amounts.maybe(fee.strip(), 2)
    return setup, TournamentSet("", *buy_in, written=text)


def _stakes(text: str, exponent: int) -> dict[str, tuple[Chips, ...]]:
    """Read `Blinds 50/100 - Ante 10`: each word with its amounts."""
    found: dict[str, tuple[Chips, ...]] = {}
    words = text.replace(" - ", " ").strip(" -").split()
    for label, value in zip(words[::2], words[1::2], strict=False):
        found[label.rstrip(":")] = tuple(amounts.read(one, exponent) for one in value.split("/"))
    return found


def labelled(text: list[str], first: int, after: int) -> dict[str, int]:
    """Return where `Game: `, `Site: ` and `Table: ` stand."""
    found: dict[str, int] = {}
    for at in range(first + 1, min(after, first + 8)):
        label = text[at].lstrip().partition(": ")[0]
        if label in ("Game", "Site", "Table"):
            found.setdefault(label, at)
    if "Game" not in found:
        raise UnreadableHandError(
            "the hand breaks off before its game", kind="cut-off",
            hint="The line `Game:` is missing or damaged.",
        )  # fmt: skip
    return found
