"""The header of a file of handscript: words and their values, several on a line."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

from ledger.formats.handscript import slots
from ledger.formats.handscript.context import Context, Settings
from ledger.formats.handscript.tokens import LineError, Token, word
from ledger.formats.handscript.witnesses import WITNESS_WORDS
from ledger.people import People

SETTINGS: Final = frozenset({"venue", "table", "seats", "tournament", "club", "witness", "unit", "book", "source"})
OPENING: Final = frozenset({"game", "option", "level"})
"""Events that may stand in the header: they are then told of every hand."""

ALSO: Final = {"room": "venue", "casino": "venue", "cardroom": "venue", "rulebook": "book", "records": "witness"}
"""Other words for those of the header."""

_NAMES: Final = ("venue", "table", "tournament", "club", "book", "source")
_WITNESS_WORDS: Final = frozenset(WITNESS_WORDS)


def read_settings(settings: Settings, found: Sequence[Token]) -> None:
    """Take one line of the header."""
    at = 0
    context = Context(People(b"header"), settings)
    while at < len(found):
        name = found[at]
        if name.quoted or name.text not in SETTINGS:
            raise _no_setting(found, at)
        if at + 1 == len(found):
            raise LineError(f"expected a value after {name.text}", form=_form(name.text))
        token = found[at + 1]
        at += 2
        if name.text == "witness":
            first = at - 1
            while at < len(found) and _witness(found[at].text):
                at += 1
            names = ",".join(one.text for one in found[first:at]).replace(",,", ",").strip(",")
            settings.witnesses = slots.WitnessSet().value(token._replace(text=names), context)
        elif name.text == "seats":
            settings.seats = slots.whole(token)
        elif name.text == "unit":
            settings.unit = slots.Text().value(token, context)
            if at < len(found) and slots.Whole().starts(found[at]):
                settings.exponent = slots.whole(found[at])
                at += 1
        else:
            setattr(settings, name.text, slots.Text().value(token, context))


def _no_setting(found: Sequence[Token], at: int) -> LineError:
    """Return the error for a word that begins no part of a header's line."""
    last = next((t.text for t in reversed(found[:at]) if t.text in SETTINGS), "")
    known = WITNESS_WORDS if last == "witness" else ()
    what = "what is recorded, or " if known else ""
    return LineError(
        f"expected {what}one of {', '.join(sorted(SETTINGS))}, found {found[at].shown()}",
        column=found[at].column,
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


def _witness(text: str) -> bool:
    return all(part in _WITNESS_WORDS for part in text.split(",") if part)


def plainly(found: Sequence[Token]) -> list[Token]:
    """Return a header's line with names of several words as one, and words as the header has them."""
    words: list[Token] = []
    name, awaited = "", False  # the value of a name is still to come
    for token in found:
        plain = token.text.rstrip(":,")
        said = plain.lower() if words else ALSO.get(plain.lower(), plain.lower())
        if not awaited and not token.quoted and said in SETTINGS:
            name, awaited = said, True
            words.append(token._replace(text=said))
        elif name in _NAMES and not awaited:
            words[-1] = words[-1]._replace(text=f"{words[-1].text} {plain}", quoted=True)
        elif plain or token.quoted:
            awaited = False
            words.append(token if token.quoted else token._replace(text=plain))
    return words


def nearest(error: LineError, found: Sequence[Token]) -> str:
    """Return the header's line with the word that does not fit replaced by the nearest that would."""
    at = next((i for i, token in enumerate(found) if token.column == error.column), None)
    if at is None:
        return ""
    for near in get_close_matches(found[at].text.lower(), error.choices, 3):
        line = [*found[:at], found[at]._replace(text=near), *found[at + 1 :]]
        try:
            read_settings(Settings(), line)
        except LineError:
            continue
        return _written(line)
    return ""


def _written(found: Sequence[Token]) -> str:
    """Return a header's line as the header has it."""
    return " ".join(token.text if token.text in SETTINGS and not token.quoted else _value(token) for token in found)


def _value(token: Token) -> str:
    return word(token.text) if token.quoted else token.text
