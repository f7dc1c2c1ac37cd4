"""PKR's lines before the list of seats: table, number, moment, game, limit, money, blinds, button."""

from __future__ import annotations

from typing import Final, NamedTuple

from ledger.errors import UnreadableHandError
from ledger.formats.pkr.words import GAMES, LIMITS
from ledger.hand.opening import GameSet
from ledger.readers import amounts
from ledger.readers.games import unknown_game
from ledger.readers.phrases import require_number

_LABELS: Final = {
    label.partition(" ")[0]: label
    for label in (
        "Starting Hand #",
        "Start time of hand: ",
        "Last Hand ",
        "Game Type: ",
        "Limit Type: ",
        "Table Type: ",
        "Money Type: ",
        "Blinds are now ",
        "Button is at seat ",
    )
}
"""The first word of a line → how the line begins."""


class Head(NamedTuple):
    """What stands before the list of seats."""

    table: str
    tournament: str
    told: dict[str, str]  # by label
    lines: dict[str, int]
    behind: int  # the first line of the list of seats


def begins(line: str) -> bool:
    """Tell whether a hand begins with this line."""
    if not line.startswith("Table #"):
        line = line.lstrip("\ufeff \t")
    number, dash, _ = line[7:60].partition(" - ")
    return line.startswith("Table #") and bool(dash) and number.isascii() and number.isdigit()


def head(text: list[str], first: int, after: int) -> Head:
    """Read the lines from `first`; what is missing of them rejects the hand."""
    name = text[first].strip("\ufeff \t\r").partition(" - ")[2].strip()
    tournament = ""
    for words in ("Tournament #", "STT #"):
        if name.startswith(words):
            number, _, table = name[len(words) :].strip().partition(" ")
            tournament, name = number, table.removeprefix("Table #").strip()
    told: dict[str, str] = {}
    lines: dict[str, int] = {}
    k = first + 1
    while k < after:
        line = text[k].strip()
        label = _LABELS.get(line.partition(" ")[0], "")
        if line and not (label and line.startswith(label)):
            break
        if label:
            told.setdefault(label, line[len(label) :].strip())
            lines.setdefault(label, k)
        k += 1
    for label in ("Starting Hand #", "Game Type: ", "Limit Type: "):
        if label not in told:
            raise UnreadableHandError(
                f"the hand breaks off before its line {label.strip()!r}",
                kind="cut-off",
                hint="The lines before the list of seats are missing or damaged.",
            )
    number = told["Starting Hand #"]
    require_number(number)
    return Head(name, tournament, told, lines, k)


def setup(found: Head, exponent: int | None) -> GameSet:
    """Return the game. `exponent` None = as the currency has it."""
    told = found.told
    variant = GAMES.get(told["Game Type: "])
    betting = LIMITS.get(told["Limit Type: "])
    if variant is None or betting is None:
        game = f"{told['Game Type: ']} {told['Limit Type: ']}"
        raise unknown_game(game)
    money = told.get("Money Type: ", "")
    tournament = told.get("Table Type: ") == "TOURNAMENT" or bool(found.tournament)
    stakes = told.get("Blinds are now ", "")
    unit = amounts.currency(stakes) or "USD"
    if tournament:
        unit = "chips"
    elif money.startswith("PLAY"):
        unit = "play"
    if exponent is None:
        exponent = 0 if tournament else 2
    blinds = tuple(amounts.read(one.strip(), exponent) for one in stakes.split("/") if one.strip())
    return GameSet(
        variant=variant,
        betting=betting,
        format="tournament" if tournament else "cash",
        unit=unit,
        exponent=exponent,
        blinds=blinds if any(blinds) else (),
    )
