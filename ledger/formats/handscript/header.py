"""The header of a file of handscript: words and their values, several on a line."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from itertools import pairwise
from typing import Final

from msgspec.structs import replace

from ledger.event import Event
from ledger.formats.handscript import slots
from ledger.formats.handscript.context import EXPONENT_MOST, Settings, decimals
from ledger.formats.handscript.tokens import (
    TAIL,
    Group,
    LineError,
    column,
    instead,
    quote,
    quoted,
    said,
    shown,
    whole,
    wrong,
)
from ledger.formats.handscript.tokens import word as in_words
from ledger.formats.handscript.witnesses import WITNESS_WORDS, names_written_button
from ledger.hand.opening import GameSet
from ledger.table.events import GameChanged, StakesChanged

SETTINGS: Final = frozenset({"venue", "table", "seats", "tournament", "club", "witness", "unit", "book", "source"})
OPENING: Final = frozenset({"game", "option", "level"})
"""Events that may stand in the header: they are then told of every hand."""

MAGIC: Final = "handscript"
SECTIONS: Final = {"hand": "hand", "between-hands": "table", "case": "case", "house": "house"}
END, STOP, STACKS = "end", "stop", "stacks"
OF_FILES: Final = frozenset((*SECTIONS, *SETTINGS, *OPENING, MAGIC, END, STOP))
"""Words that begin or end something, or hold for all that stands below."""

ALSO: Final = {"room": "venue", "casino": "venue", "cardroom": "venue", "rulebook": "book", "records": "witness"}
"""Other words for those of the header."""

_NAMES: Final = ("venue", "table", "tournament", "club", "book", "source")
_WITNESS_WORDS: Final = frozenset(WITNESS_WORDS)

_TOLD: Final = (
    "break breaks broke broken breaking close closes closed closing open opens opened opening end ends ended ending "
    "over change changes changed changing move moves moved moving start starts started starting stop stops stopped "
    "pause pauses paused resume resumes resumed shut shuts down up again full empty short is was has takes goes gets"
)
HAPPENS: Final = frozenset(_TOLD.split())
"""Words that tell what happens at a table, or anywhere: `table breaks` names no table. Names of these stand in quotes."""


def tells(found: Sequence[str]) -> bool:
    """Whether a line that begins as one of the header tells what happens: `table breaks`, `table 7 moved to 9`."""
    if found[0] not in _NAMES:
        return False
    alone = [word for word, behind in pairwise((*found[1:], "table")) if behind in SETTINGS]
    return any(word in HAPPENS for word in found[1:]) or any(word.lower() in HAPPENS for word in alone)


def other_meaning(found: Sequence[str]) -> str:
    """Return what such a line may have meant, if it names something."""
    if not all(map(_whole, found)):
        return ""
    number = found[-1]
    if found[0] == "table" and number.isdecimal() and found[-2].lower() not in SETTINGS:
        return f"Where play goes on at another table, its name begins a new header: table {number}"
    return f"If it is a name, write it in quotes: {found[0]} {quote(' '.join(map(said, found[1:])))}"


def name_in_words(text: str) -> str:
    """Return a name as the header has it."""
    return quote(text) if text.lower() in HAPPENS else in_words(text)


def replaces(found: Sequence[str], before: Sequence[str]) -> bool:
    """Whether a line of the header says anew what another said."""
    return before[0] == found[0] and (before[0] != "option" or before[1] == found[1])


def changes(told: Sequence[Event]) -> bool:
    """Whether facts between hands change what the header says of the game."""
    return any(isinstance(one, StakesChanged | GameChanged) for one in told)


def changed(event: Event, told: Sequence[Event]) -> Event:
    """Return what the header tells of the hands behind facts that were told between hands.

    Where other blinds came without the bets that go with them, the bets are not known.
    """
    if not isinstance(event, GameSet):
        return event
    game = event
    for one in told:
        if isinstance(one, StakesChanged):
            bets = one.bets or (() if one.blinds else game.bets)
            ante = game.ante if one.ante is None else one.ante
            game = replace(game, blinds=one.blinds or game.blinds, ante=ante, bets=bets)
        elif isinstance(one, GameChanged):
            game = replace(game, variant=one.variant, betting=one.betting, written="")
    return game


def understand_settings(settings: Settings, found: Sequence[str]) -> None:
    """Take one line of the header as it stands, or as people write it."""
    try:
        read_settings(settings, found)
    except LineError as error:
        if not all(_whole(word) for word in found):
            error.write = _with_whole_names(found)
            raise
        plain = plainly(found)
        if plain == found:
            error.write = nearest(error, plain)
            raise
        try:
            read_settings(settings, plain)
        except LineError as further:
            further.write = nearest(further, plain)
            raise further from None


def _whole(word: str) -> bool:
    """Whether a word is one text: only a player's name has a room behind an `@`."""
    return TAIL not in word and not isinstance(word, Group)


def _with_whole_names(found: Sequence[str]) -> str:
    """Return a header's line with its names in quotes where they hold an `@` or parentheses; "" if it is none."""
    line = plainly([word if _whole(word) else instead(word, f'"{_text_of(word)}') for word in found])
    try:
        read_settings(Settings(), line)
    except LineError:
        return ""
    return _written(line)


def _text_of(word: str) -> str:
    """Return a word as it stands in the line, without quotes."""
    if isinstance(word, Group):
        return f"({' '.join(map(_text_of, word.words))})"
    return "@".join(part.removeprefix('"') for part in word.split(TAIL))


def _written(line: Sequence[str]) -> str:
    return " ".join(name_in_words(said(word)) if quoted(word) else said(word) for word in line)


def read_settings(settings: Settings, found: Sequence[str]) -> None:
    """Take one line of the header."""
    at = 0
    while at < len(found):
        name = found[at]
        if name not in SETTINGS:
            raise _no_setting(found, at)
        if at + 1 == len(found):
            raise LineError(f"expected a value after {name}", form=_form(name))
        value = found[at + 1]
        at += 2
        if name == "witness":
            first = at - 1
            while at < len(found) and _witness(found[at]):
                at += 1
            names = ",".join(slots.text(one) for one in found[first:at]).replace(",,", ",").strip(",")
            settings.trusts_derived_button = names_written_button(names)
            settings.witnesses = slots.witnessed(instead(value, '"' * quoted(value) + names))
        elif name == "seats":
            settings.seats = whole(value)
        elif name == "unit":
            settings.unit = slots.text(value)
            if at < len(found) and found[at].lstrip("-")[:1].isdigit():
                settings.exponent = whole(found[at])
                if decimals(settings.exponent) != settings.exponent:
                    raise wrong(f"a number of decimals from 0 to {EXPONENT_MOST}", found[at])
                at += 1
        else:
            setattr(settings, name, slots.text(value))


def _no_setting(found: Sequence[str], at: int) -> LineError:
    """Return the error for a word that begins no part of a header's line."""
    last = next((word for word in reversed(found[:at]) if word in SETTINGS), "")
    known = WITNESS_WORDS if last == "witness" else ()
    what = "what is recorded, or " if known else ""
    return LineError(
        f"expected {what}one of {', '.join(sorted(SETTINGS))}, found {shown(found[at])}",
        column=column(found[at]),
        form=_form(last),
        choices=(*known, *sorted(SETTINGS)),
    )


def _form(name: str) -> str:
    return {
        "witness": "witness PROFILE-OR-KIND ... [except KIND ...]",
        "unit": "unit CODE DECIMALS",
        "seats": "seats NUMBER",
        "": "",
    }.get(name, f"{name} NAME, in quotes if it has blanks")


def _witness(word: str) -> bool:
    return word in _WITNESS_WORDS or all(part in _WITNESS_WORDS for part in said(word).split(",") if part)


def first_plainly(found: Sequence[str]) -> Sequence[str]:
    """Return a line whose first word is one of the file's (`Hand 12:`, `GAME ...`) with that word."""
    if not _whole(found[0]):
        return found
    first = said(found[0]).lower().rstrip(":")
    number = first.removeprefix("hand").lstrip("#")
    if first.startswith("hand") and number.isascii() and number.isdigit():
        return [instead(found[0], "hand"), instead(found[0], number), *found[1:]]
    if first == "end" and set(found[1:]) <= {"of", "hand", "the"}:
        return [instead(found[0], END)]
    also = ALSO.get(first, first)
    if quoted(found[0]) or not (also in OF_FILES and also not in (MAGIC, END)):
        return found
    rest = found[1:]
    if also == "hand" and rest:
        rest = [instead(rest[0], rest[0].rstrip(":,")), *rest[1:]]
    return [instead(found[0], also), *rest]


def plainly(found: Sequence[str]) -> list[str]:
    """Return a header's line with names of several words as one, and words as the header has them."""
    words: list[str] = []
    name, awaited = "", False  # the value of a name is still to come
    for word in found:
        plain = said(word).rstrip(":,")
        small = plain.lower() if words else ALSO.get(plain.lower(), plain.lower())
        if not awaited and not quoted(word) and small in SETTINGS:
            name, awaited = small, True
            words.append(instead(word, small))
        elif name in _NAMES and not awaited:
            words[-1] = instead(words[-1], f'"{said(words[-1])} {plain}')
        elif plain or quoted(word):
            awaited = False
            words.append(word if quoted(word) else instead(word, plain))
    return words


def nearest(error: LineError, found: Sequence[str]) -> str:
    """Return the header's line with the word that does not fit replaced by the nearest that would."""
    at = next((i for i, word in enumerate(found) if column(word) == error.column), None)
    if at is None:
        return ""
    for near in get_close_matches(said(found[at]).lower(), error.choices, 3):
        line = [*found[:at], near, *found[at + 1 :]]
        try:
            read_settings(Settings(), line)
        except LineError:
            continue
        return _written(line)
    return ""
