"""Cake's first line, whose parts stand between two dashes: number, table or tournament, stakes, moment."""

from __future__ import annotations

from typing import Final, NamedTuple

from ledger.errors import UnreadableHandError
from ledger.formats.cake.words import GAMES, LIMITS
from ledger.hand.opening import GameSet, TournamentSet
from ledger.telling import amounts
from ledger.telling.spoken import unknown_game

HEAD: Final = "Hand#"
_MARKS: Final = "\ufeff\xef\xbb\xbf \t\r"  # a byte order mark, also one that was read as cp1252


class Head(NamedTuple):
    """The first line taken apart."""

    number: str
    table: str
    tournament: str
    costs: TournamentSet | None
    stakes: str  # `$3/$6 FL Hold'em`
    written: str
    chairs: int


def begins(line: str) -> bool:
    """Tell whether a hand begins with this line."""
    bare = line if line.startswith(HEAD) else line.lstrip(_MARKS)
    return bare.startswith(HEAD) and bare[5:6].isdigit() and " -- " in bare


def head(line: str) -> Head:
    """Read `Hand#29A1 - Cup T109 -- CASH -- $15 + $1.5 -- 10 Max -- Table 5 -- 0/75/150 NL Hold'em -- 2012/04/12 - 22:32:06`."""
    parts = line.strip(_MARKS)[len(HEAD) :].split(" -- ")
    number, dash, name = parts[0].partition(" - ")
    if not dash or not number.isalnum() or not number.isascii() or len(number) > 40:
        raise UnreadableHandError(f"the hand's number is {number[:60]!r}", kind="header")
    if len(parts) < 3:
        raise UnreadableHandError("the hand's first line breaks off", kind="header")
    name, found, tournament = name.rpartition(" T")
    if len(parts) == 3 or not found or not tournament.isascii() or not tournament.isdigit():
        name, found, tournament = name + found + tournament, "", ""
    table, chairs, price = name, _chairs(name), ""
    for part in parts[1:-2]:
        if part.startswith("Table "):
            table = part[6:]
        elif part.endswith((" Max", " max")):
            chairs = _chairs(part)
        elif " + " in part:
            price = part
    costs = _costs(name, price) if found else None
    return Head(number, table, tournament, costs, parts[-2], parts[-1], chairs)


def _chairs(text: str) -> int:
    """Return the chairs of `10 Max`, `Melbourne (Turbo, 6-max) 11667`; 0 where none are told."""
    digits = text.lower().rpartition("max")[0].rstrip(" -")[-2:].strip("( ,")
    return int(digits) if digits.isascii() and digits.isdigit() else 0


def _costs(name: str, price: str) -> TournamentSet:
    buy_in, _, fee = price.partition(" + ")
    currency = next((code for sign, code in amounts.SYMBOLS.items() if sign in price), "")
    return TournamentSet(
        "", amounts.maybe(buy_in, 2), amounts.maybe(fee, 2), None, currency, name
    ) if price else TournamentSet(written=name)  # fmt: skip


def setup(head: Head, seat: str, exponent: int | None) -> GameSet:
    """Return the game; `seat` is the list's first line, whose stack tells what is played for."""
    words = head.stakes.split()
    at = next((k for k, word in enumerate(words) if word in LIMITS), 0)
    variant = GAMES.get(" ".join(words[at + 1 :]).lower())
    if not at or variant is None:
        raise unknown_game(head.stakes)
    betting, written = LIMITS[words[at]], "".join(words[:at])
    stack = seat.partition(" in chips)")[0].rpartition(" (")[2]
    unit = next((code for sign, code in amounts.SYMBOLS.items() if sign in stack), "")
    other = not unit and any(sign in written for sign in amounts.SYMBOLS)
    tournament = bool(head.tournament)
    if exponent is None:
        exponent = 0 if tournament else 2
    stakes = [amounts.read(one, exponent) for one in written.split("/") if not one.startswith("-")]
    if any(sign in written for sign in amounts.SYMBOLS) and not (unit and amounts.SIGNS[unit] in written):  # fmt: skip
        other = True  # a table in euros whose stacks are dollars
    limit = betting == "limit" and not tournament
    ante = stakes.pop(0) if len(stakes) > 2 else 0
    return GameSet(
        variant=variant, betting=betting, format="tournament" if tournament else "cash",
        unit="chips" if tournament else unit or "play", exponent=exponent,
        blinds=() if limit or other else tuple(stakes), ante=0 if other else ante,
        bets=tuple(stakes) if limit and not other else (), written=head.stakes if other else "",
    )  # fmt: skip
