"""JavaScript's literals of objects and arrays, with the place of every object in the bytes.

Names of members need no quotes there, texts have either kind, and a comma may stand before a
bracket that closes: no reader of JSON takes that. One item is one match, so that a text of any
size takes time in proportion, and nothing calls itself.
"""

from __future__ import annotations

import re
from typing import Any, Final, TypeAlias

from ledger.errors import UnreadableHandError
from ledger.readers.documented import names
from ledger.readers.spans import Spans

OF_HAND: Final = names("Title NumberOfSeats PotSize BigBlind SmallBlind Ante CurrentBet Dealer CardsOut Players") | {""}
OF_PLAYER: Final = names("Name Seat Stack Cards CurrentBet") | {""}
OF_PLAY: Final = names("Seat Action value") | {""}
"""Members that are known. "" is the place of the object itself."""

_NAMES: Final = {one.encode(): one for one in ("Hand", "Plays", *OF_HAND, *OF_PLAYER, *OF_PLAY) if one}

DEPTH_MOST: Final = 32
_BEFORE_SEAT: Final = len("{Seat:")
_DIGITS_MOST: Final = 18

_TEXT: Final = rb"""(?:"(?:[^"\\\n\r]++|\\[^\n\r])*+"|'(?:[^'\\\n\r]++|\\[^\n\r])*+')"""
_NUMBER: Final = rb"(-?[0-9]++(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?)(?![\w$.])"
_WORD: Final = rb"([A-Za-z_$][\w$]*+)"
_TEXTS: Final = rb"""(\["[^"\\\n\r]*+"(?:,"[^"\\\n\r]*+")*+\])"""
_PLAY: Final = rb'\{Seat:([0-9]{1,9}+),Action:"([^"\\\n\r]++)"(?:,value:([0-9]{1,17}+))?\}'
_ITEM: Final = re.compile(
    rb"[\s,]*+(?:([A-Za-z_$][\w$]*+|[0-9]++|" + _TEXT + rb")\s*+:\s*+)?"
    rb"(?:(" + _TEXT + rb")|" + _NUMBER + rb"|" + _WORD + rb"|" + _TEXTS + rb"|" + _PLAY + rb"|([{}\[\]]))"
)
"""A member's name, if there is one, and a value or a bracket; cards and plays as the program writes them are one item."""

_ESCAPE: Final = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|(.))", re.DOTALL)
_ESCAPED: Final = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_WORDS: Final[dict[bytes, bool | None]] = {b"true": True, b"false": False, b"null": None, b"undefined": None}


LiteralObject: TypeAlias = dict[str, Any]
"""An object by the names of its members, whose values nobody has looked at; "" is its place."""


class ParsedLiteral:
    """One value, and where it and its parts stand.

    Each object has the number of its place under the name "". `where` holds the places of the
    members of `Hand` that are no objects or arrays themselves, by name.
    """

    def __init__(self, value: LiteralObject, end: int) -> None:
        """Take the value, and the byte behind it."""
        self.value = value
        self.end = end
        self.spans = Spans()
        self.where: dict[str, int] = {}


def parse_literal(data: bytes, at: int, encoding: str) -> ParsedLiteral:
    """Read the object that begins at byte `at`; what is none raises `UnreadableHandError`."""
    found = ParsedLiteral({}, at)
    value, found.end = _parse_value(found, data, at, encoding)
    if not isinstance(value, dict):
        raise _broken(data, at)
    found.value = value
    return found


def _parse_value(whole: ParsedLiteral, data: bytes, at: int, encoding: str) -> tuple[object, int]:
    match, add = _ITEM.match, whole.spans.add
    # What encloses the one being read, and where that one began.
    open_ones: list[tuple[LiteralObject | list[object] | None, int]] = []
    inner: LiteralObject | list[object] | None = None  # the one being read
    start = at
    of_hand = False
    while True:
        found = match(data, at)
        if found is None:
            raise _broken(data, at)
        at = found.end()
        name, text, number, word, texts, seat, action, amount, bracket = found.groups()
        if bracket == b"}" or bracket == b"]":  # noqa: PLR1714 - the hot loop
            if name is not None or isinstance(inner, dict) != (bracket == b"}") or inner is None:
                raise _broken(data, found.start())
            if isinstance(inner, dict):
                inner[""] = add(start, at - start)
            closed = inner
            inner, start = open_ones.pop()
            if inner is None:
                return closed, at
            continue
        value: Any
        if action is not None:
            value = {"Seat": int(seat), "Action": action.decode(encoding, "replace")}
            if amount is not None:
                value["value"] = int(amount)
            begin = found.start(6) - _BEFORE_SEAT
            value[""] = add(begin, at - begin)
        elif texts is not None:
            value = texts[2:-2].decode(encoding, "replace").split('","')
        elif number is not None and number.isdigit() and len(number) < _DIGITS_MOST:
            value = int(number)
        else:
            value = _scalar(text, number, word, bracket, encoding)
        if name is not None and isinstance(inner, dict):
            key = _NAMES.get(name) or (_text(name, encoding) if name[0] in b"\"'" else name.decode("ascii"))
            inner[key] = value
            if of_hand and len(open_ones) == 2 and not isinstance(value, dict | list):
                whole.where[key] = add(found.start(1), at - found.start(1))
        elif isinstance(inner, list) and name is None:
            inner.append(value)
        elif inner is not None or name is not None or bracket is None:
            raise _broken(data, found.start())
        if bracket is not None:
            if len(open_ones) >= DEPTH_MOST:
                raise UnreadableHandError("nests too deep for a hand", kind="too-deep")
            open_ones.append((inner, start))
            if len(open_ones) == 2:
                of_hand = name is not None and name.strip(b"\"'") == b"Hand"
            inner, start = value, at - 1


def _scalar(
    text: bytes | None, number: bytes | None, word: bytes | None, bracket: bytes | None, encoding: str
) -> object:
    """Return the value of an item; of a bracket that opens, an empty object or array."""
    if text is not None:
        return _text(text, encoding)
    if number is not None:
        short = len(number) < _DIGITS_MOST and number.removeprefix(b"-").isdigit()
        return int(number) if short else number.decode("ascii")
    if word is not None:
        return _WORDS[word] if word in _WORDS else word.decode("ascii")
    return {} if bracket == b"{" else []


def _text(raw: bytes, encoding: str) -> str:
    """Return what stands between the quotes."""
    text = raw[1:-1].decode(encoding, "replace")
    if "\\" not in text:
        return text
    pairs = _ESCAPE.sub(_escaped, text).encode("utf-16-le", "surrogatepass")
    return pairs.decode("utf-16-le", "replace").replace("\0", "\ufffd")


def _escaped(found: re.Match[str]) -> str:
    code = found[1] or found[2]
    return chr(int(code, 16)) if code else _ESCAPED.get(found[3], found[3])


def _broken(data: bytes, at: int) -> UnreadableHandError:
    if not data[at : at + 10_000].strip(b" \t\r\n,"):
        return UnreadableHandError("the call breaks off", kind="cut-off")
    said = data[at : at + 30].decode("utf-8", "replace")
    return UnreadableHandError(
        f"no object of JavaScript that can be read: at {said!r}", kind="damaged", hint="Was the file changed by hand?"
    )
