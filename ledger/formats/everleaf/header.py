"""Everleaf's lines before the list of seats: number, stakes, game, moment, table, button."""

from __future__ import annotations

from typing import Final, NamedTuple

from ledger.errors import UnreadableHandError
from ledger.formats.everleaf.words import CYRILLIC_EURO, EVERLEAF, GAMES, LIMITS, PARTOUCHE, amount
from ledger.hand.opening import Betting, GameSet
from ledger.readers import amounts
from ledger.vocabulary import Seat

_HEADS: Final = ("Everleaf Gaming", "Partouche Poker")
_TITLES: Final = ("***** Hand history for game #", "*** Historique des Mains pour la partie ")


class Head(NamedTuple):
    """What stands before the list of seats, and the line behind it."""

    venue: str
    number: str
    game: str  # `Blinds $0.01/$0.02 NL Hold'em`
    written: str
    table: str
    stakes_at: int
    button: Seat | None
    button_at: int
    behind: int


def begins(line: str) -> bool:
    """Tell whether a hand begins with this line."""
    return line.startswith(_HEADS) or line.lstrip("\ufeff \t").startswith(_HEADS)


def head(text: list[str], first: int, after: int) -> Head:
    """Read the lines from `first`; what is missing of them rejects the hand."""
    venue = PARTOUCHE if "Partouche" in text[first] else EVERLEAF
    number = game = written = table = ""
    button: Seat | None = None
    stakes_at = button_at = first
    k = first
    while k < after:
        line = text[k].strip("\ufeff \t\r")
        if line.startswith(_TITLES):
            words = line.strip("* ").split()
            number = words[-1].lstrip("#") if words else ""
        elif " - " in line and not game and line[-3:-2] == ":":
            game, _, clock = line.rpartition(" - ")
            game, _, day = game.rpartition(" - ")
            written, stakes_at = f"{day} {clock}", k
        elif line.startswith("Table "):
            table = line[6:].strip()
        elif line.endswith("is the button"):
            digits = line[5:].partition(" ")[0]
            if digits.isascii() and digits.isdigit() and len(digits) < 4:
                button, button_at = int(digits), k
        elif line.startswith("Seat "):
            break
        k += 1
    if not number.isascii() or not number.isdigit() or len(number) > 24:
        raise UnreadableHandError(f"the hand's number is {number[:40]!r}", kind="header")
    if not game:
        raise UnreadableHandError(
            "the hand breaks off before its stakes",
            kind="cut-off",
            hint="The line with the stakes, the game and the date is missing or damaged.",
        )
    return Head(venue, number, game, written, table, stakes_at, button, button_at, k)


def setup(text: str, behind: list[str], exponent: int | None) -> GameSet:
    """Return the game of `Blinds $0.01/$0.02 NL Hold'em - 4 Max`; money stands behind the amounts of seats."""
    bare = " ".join(text.removeprefix("Blinds").replace(CYRILLIC_EURO, "€").split())
    stakes, name = _part(bare)
    game = GAMES.get(name.lower())
    limit: Betting | None = None
    if game is None:
        word, _, rest = name.partition(" ")
        limit, game = LIMITS.get(word.lower()), GAMES.get(rest.lower())
    if game is None:
        raise UnreadableHandError(
            f"the game {text[:80]!r} is not known",
            kind="unknown-game",
            hint="handledger rules lists no such game; tell us where it is played.",
        )
    unit = _unit(stakes, behind)
    if exponent is None:
        exponent = 0 if unit == "chips" else 2
    bets = tuple(amounts.read(amount(one), exponent) for one in stakes.split("/"))
    betting = limit or _betting(game, bets, behind, exponent)
    fixed = betting == "limit"
    return GameSet(
        variant=game,
        betting=betting,
        format="tournament" if unit == "chips" else "cash",
        unit=unit,
        exponent=exponent,
        blinds=() if fixed else bets,
        bets=bets if fixed else (),
    )


def _part(text: str) -> tuple[str, str]:
    """Part `$0.01/ $0.02 NL Hold'em - 4 Max` into stakes and game."""
    low, slash, rest = text.partition("/")
    high, _, name = rest.strip().partition(" ")
    if not slash or not high:
        raise UnreadableHandError(f"no stakes in {text[:80]!r}", kind="header")
    return f"{low.strip()}/{high}", name.partition(" - ")[0].strip()


def _unit(stakes: str, behind: list[str]) -> str:
    """Return the currency: of the stakes, or what stands behind the first amount."""
    found = next((code for sign, code in amounts.SYMBOLS.items() if sign in stakes), "")
    if found:
        return found
    for line in behind[:30]:
        for word, unit in (("Chips", "chips"), ("EUR", "EUR"), ("USD", "USD"), ("GBP", "GBP")):
            if line.startswith("Seat ") and f" {word}" in line:
                return unit
    return "play"


def _betting(game: str, bets: tuple[int, ...], behind: list[str], exponent: int) -> Betting:
    """Return the limit where no word names it: fixed where the big blind is the smaller stake."""
    for line in behind:
        _, found, rest = line.partition(": posts big blind [")
        if found:
            posted = amounts.maybe(amount(rest.strip("] ")), exponent)
            return "limit" if posted == bets[0] and len(bets) > 1 and bets[0] != bets[1] else "no-limit"
        if line.startswith("** "):
            break
    return "limit" if game.startswith("stud") else "no-limit"
