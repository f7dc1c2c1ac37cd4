"""The site's first logs, of spring 2020, put into the words that it has used since."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ledger.formats.pokernow.rows import Row

STACKS: Final = "Players stacks: "
"""Only the first logs say `Players`; their lists of stacks do not number the seats."""

FIRST: Final = STACKS.encode()

_STREETS: Final = ("flop", "turn", "river")
_ALL_IN: Final = (" and all in", " and go all in")


def today(rows: list[Row]) -> list[Row]:
    """Return the rows in today's words, each at its own place."""
    return [row._replace(text=in_todays_words(row.text)) for row in rows]


def in_todays_words(text: str) -> str:
    """Return a row in today's words; one that is written so already stays as it is.

    >>> in_todays_words('"Ada @ a" raises with 60')
    '"Ada @ a" raises to 60'
    """
    if text.startswith(STACKS):
        parts = text[len(STACKS) :].split(" | ")
        return "Player stacks: " + " | ".join(
            part if part.startswith("#") else f"#{seat} {part}" for seat, part in enumerate(parts, 1)
        )
    if text.startswith(_STREETS):
        return text.capitalize() if text.isascii() else text[:1].upper() + text[1:]
    who, quote, rest = text.rpartition('" ')
    verb, _, what = rest.partition(" ")
    told = _VERBS.get(verb) if quote else None
    if told is None:
        return text
    if what.endswith(_ALL_IN[0]):
        what = what.removesuffix(_ALL_IN[0]) + _ALL_IN[1]
    return f"{who}{quote}{told(what)}"


def _raises(what: str) -> str:
    return f"raises to {what.removeprefix('with ').removeprefix('to ')}"


def _wins(what: str) -> str:
    amount, _, how = what.partition(" ")
    return f"collected {amount} from pot{' ' + how if how else ''}"


_VERBS: Final[dict[str, Callable[[str], str]]] = {
    "raises": _raises,
    "bets": lambda what: f"bets {what.removeprefix('with ')}",
    "calls": lambda what: f"calls {what.removeprefix('with ')}",
    "wins": _wins,
    "gained": lambda what: _wins(what.removesuffix(" from pot")),
}
