"""JavaScript's literals of objects and arrays, with the place of every object in the bytes.

Member names need no quotes, texts have either kind of quotes, and a comma may come before a closing
bracket: no JSON parser accepts that. Each item is one match and nothing calls itself, so the time
grows in proportion to the text.
"""

from __future__ import annotations

import re
from typing import Any, Final, TypeAlias

from ledger.errors import UnreadableHandError
from ledger.readers.json_hand import split_names
from ledger.readers.spans import Spans

OF_HAND: Final = split_names(
    "Title NumberOfSeats PotSize BigBlind SmallBlind Ante CurrentBet Dealer CardsOut Players"
) | {""}
OF_PLAYER: Final = split_names("Name Seat Stack Cards CurrentBet") | {""}
OF_PLAY: Final = split_names("Seat Action value") | {""}
"""The known members of each object. "" is the place of the object itself."""

_NAMES: Final = {one.encode(): one for one in ("Hand", "Plays", *OF_HAND, *OF_PLAYER, *OF_PLAY) if one}

MAX_DEPTH: Final = 32
_LENGTH_BEFORE_SEAT: Final = len("{Seat:")
_MAX_DIGITS: Final = 18

_QUOTED_TEXT: Final = rb"""(?:"(?:[^"\\\n\r]++|\\[^\n\r])*+"|'(?:[^'\\\n\r]++|\\[^\n\r])*+')"""
_NUMBER: Final = rb"(-?[0-9]++(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?)(?![\w$.])"
_WORD: Final = rb"([A-Za-z_$][\w$]*+)"
_LIST_OF_TEXTS: Final = rb"""(\["[^"\\\n\r]*+"(?:,"[^"\\\n\r]*+")*+\])"""
_PLAY: Final = rb'\{Seat:([0-9]{1,9}+),Action:"([^"\\\n\r]++)"(?:,value:([0-9]{1,17}+))?\}'
_ITEM: Final = re.compile(
    rb"[\s,]*+(?:([A-Za-z_$][\w$]*+|[0-9]++|" + _QUOTED_TEXT + rb")\s*+:\s*+)?"
    rb"(?:("
    + _QUOTED_TEXT
    + rb")|"
    + _NUMBER
    + rb"|"
    + _WORD
    + rb"|"
    + _LIST_OF_TEXTS
    + rb"|"
    + _PLAY
    + rb"|([{}\[\]]))"
)
"""A member's name, if there is one, and a value or a bracket. Cards and plays as the program writes them are one item."""

_ESCAPE: Final = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|(.))", re.DOTALL)
_ESCAPED: Final = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_WORDS: Final[dict[bytes, bool | None]] = {b"true": True, b"false": False, b"null": None, b"undefined": None}


LiteralObject: TypeAlias = dict[str, Any]
"""The members of an object by name, with unchecked values. "" is the object's place."""


class ParsedLiteral:
    """One value with the places of its parts.

    Each object has the number of its place under the name "". `member_places` holds the places of the
    members of `Hand` that aren't objects or arrays, by name.
    """

    def __init__(self, value: LiteralObject, end: int) -> None:
        """Take the value, and the byte after it."""
        self.value = value
        self.end = end
        self.spans = Spans()
        self.member_places: dict[str, int] = {}


def parse_literal(data: bytes, start: int, encoding: str) -> ParsedLiteral:
    """Read the object that begins at byte `start`. Anything else raises `UnreadableHandError`."""
    literal = ParsedLiteral({}, start)
    value, literal.end = _LiteralParser(literal, data, encoding).parse(start)
    if not isinstance(value, dict):
        raise _build_error(data, start)
    literal.value = value
    return literal


_Container: TypeAlias = "LiteralObject | list[object] | None"
"""An object or array that is still open; None outside of all."""


class _LiteralParser:
    """Reads one value item by item. Objects and arrays that are still open lie on a stack."""

    def __init__(self, literal: ParsedLiteral, data: bytes, encoding: str) -> None:
        self.literal = literal
        self.data = data
        self.encoding = encoding
        self.container: _Container = None  # the innermost open object or array
        self.container_start = 0
        self.enclosing: list[tuple[_Container, int]] = []  # what encloses it, and where each begins
        self.in_hand = False  # the call's open member is `Hand`

    def parse(self, start: int) -> tuple[object, int]:
        """Return the value that begins at byte `start`, and the byte after it."""
        data, encoding, match = self.data, self.encoding, _ITEM.match
        position = self.container_start = start
        while True:
            item = match(data, position)
            if item is None:
                raise _build_error(data, position)
            position = item.end()
            name, text, number, word, texts, seat, action, amount, bracket = item.groups()
            if bracket == b"}" or bracket == b"]":  # noqa: PLR1714 - the hot loop
                closed_value = self._close(item)
                if self.container is None:
                    return closed_value, position
                continue
            value: Any
            if action is not None:
                value = {"Seat": int(seat), "Action": action.decode(encoding, "replace")}
                if amount is not None:
                    value["value"] = int(amount)
                play_start = item.start(6) - _LENGTH_BEFORE_SEAT
                value[""] = self.literal.spans.add(play_start, position - play_start)
            elif texts is not None:
                value = texts[2:-2].decode(encoding, "replace").split('","')
            elif number is not None and number.isdigit() and len(number) < _MAX_DIGITS:
                value = int(number)
            else:
                value = _parse_scalar(text, number, word, bracket, encoding)
            container = self.container
            if name is not None and isinstance(container, dict):
                self._add_member(container, item, value)
            elif name is None and isinstance(container, list):
                container.append(value)
            elif container is not None or name is not None or bracket is None:
                raise _build_error(data, item.start())
            if bracket is not None:
                self._open(item, value)

    def _open(self, item: re.Match[bytes], value: LiteralObject | list[object]) -> None:
        """Go into an object or array whose opening bracket ends this item."""
        if len(self.enclosing) >= MAX_DEPTH:
            raise UnreadableHandError("nests too deep for a hand", kind="too-deep")
        self.enclosing.append((self.container, self.container_start))
        if len(self.enclosing) == 2:
            name = item[1]
            self.in_hand = name is not None and name.strip(b"\"'") == b"Hand"
        self.container = value
        self.container_start = item.end() - 1

    def _close(self, item: re.Match[bytes]) -> object:
        """Leave the innermost object or array, and return it. The wrong bracket raises `UnreadableHandError`."""
        container = self.container
        if item[1] is not None or container is None or isinstance(container, dict) != (item[9] == b"}"):
            raise _build_error(self.data, item.start())
        if isinstance(container, dict):
            container[""] = self.literal.spans.add(self.container_start, item.end() - self.container_start)
        self.container, self.container_start = self.enclosing.pop()
        return container

    def _add_member(self, container: LiteralObject, item: re.Match[bytes], value: object) -> None:
        """Add a member to an object, and remember the place of one of `Hand`."""
        name = item[1]
        key = _NAMES.get(name) or (_parse_text(name, self.encoding) if name[0] in b"\"'" else name.decode("ascii"))
        container[key] = value
        if self.in_hand and len(self.enclosing) == 2 and not isinstance(value, dict | list):
            name_start = item.start(1)
            self.literal.member_places[key] = self.literal.spans.add(name_start, item.end() - name_start)


def _parse_scalar(
    text: bytes | None, number: bytes | None, word: bytes | None, bracket: bytes | None, encoding: str
) -> object:
    """Return the value of an item. An opening bracket gives an empty object or array."""
    if text is not None:
        return _parse_text(text, encoding)
    if number is not None:
        is_integer = len(number) < _MAX_DIGITS and number.removeprefix(b"-").isdigit()
        return int(number) if is_integer else number.decode("ascii")
    if word is not None:
        return _WORDS[word] if word in _WORDS else word.decode("ascii")
    return {} if bracket == b"{" else []


def _parse_text(quoted_text: bytes, encoding: str) -> str:
    """Return the text between the quotes."""
    decoded_text = quoted_text[1:-1].decode(encoding, "replace")
    if "\\" not in decoded_text:
        return decoded_text
    utf16_bytes = _ESCAPE.sub(_parse_escape, decoded_text).encode("utf-16-le", "surrogatepass")
    return utf16_bytes.decode("utf-16-le", "replace").replace("\0", "\ufffd")


def _parse_escape(match: re.Match[str]) -> str:
    hex_digits = match[1] or match[2]
    return chr(int(hex_digits, 16)) if hex_digits else _ESCAPED.get(match[3], match[3])


def _build_error(data: bytes, position: int) -> UnreadableHandError:
    if not data[position : position + 10_000].strip(b" \t\r\n,"):
        return UnreadableHandError("the call breaks off", kind="cut-off")
    excerpt = data[position : position + 30].decode("utf-8", "replace")
    return UnreadableHandError(
        f"no object of JavaScript that can be read: at {excerpt!r}",
        kind="damaged",
        hint="Was the file changed by hand?",
    )
