"""JavaScript's literals of objects and arrays, with the place of every object in the bytes.

Names of members need no quotes there, texts have either kind, and a comma may stand before a
bracket that closes: no reader of JSON takes that. One item is one match, so that a text of any
size takes time in proportion, and nothing calls itself.

A call as the site's program writes it, on one line, is read several times faster by `quick`: names get
quotes and a reader of JSON does the rest. What is written in another way `literal` reads; what both can
read they read alike.
"""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec

from ledger.errors import UnreadableHandError
from ledger.readers.documented import names
from ledger.readers.spans import Spans

OF_HAND: Final = names("Title NumberOfSeats PotSize BigBlind SmallBlind Ante CurrentBet Dealer CardsOut Players") | {""}
OF_PLAYER: Final = names("Name Seat Stack Cards CurrentBet") | {""}
OF_PLAY: Final = names("Seat Action value") | {""}
"""Members that are known. "" is the place of the object itself."""

DEPTH_MOST: Final = 32
_DIGITS_MOST: Final = 18

_TEXT: Final = rb"""(?:"(?:[^"\\\n\r]++|\\[^\n\r])*+"|'(?:[^'\\\n\r]++|\\[^\n\r])*+')"""
_NUMBER: Final = rb"(-?[0-9]++(?:\.[0-9]++)?(?:[eE][-+]?[0-9]++)?)(?![\w$.])"
_WORD: Final = rb"([A-Za-z_$][\w$]*+)"
_ITEM: Final = re.compile(
    rb"[\s,]*+(?:([A-Za-z_$][\w$]*+|[0-9]++|" + _TEXT + rb")\s*+:\s*+)?"
    rb"(?:(" + _TEXT + rb")|" + _NUMBER + rb"|" + _WORD + rb"|([{}\[\]]))"
)
"""A member's name, if there is one, and a value or a bracket."""

_ESCAPE: Final = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|(.))", re.DOTALL)
_ESCAPED: Final = {"n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_WORDS: Final[dict[bytes, Any]] = {b"true": True, b"false": False, b"null": None, b"undefined": None}


class Literal:
    """One value, and where it and its parts stand.

    Each object has the number of its place under the name "". `where` holds the places of the
    members of `Hand` that are no objects or arrays themselves, by name.
    """

    __slots__ = ("end", "spans", "value", "where")

    def __init__(self, value: dict[str, Any], end: int) -> None:
        """Take the value, and the byte behind it."""
        self.value = value
        self.end = end
        self.spans = Spans()
        self.where: dict[str, int] = {}


def literal(data: bytes, at: int, encoding: str) -> Literal:
    """Read the object that begins at byte `at`; what is none raises `UnreadableHandError`."""
    found = Literal({}, at)
    value, found.end = _read(found, data, at, encoding)
    if not isinstance(value, dict):
        raise _broken(data, at)
    found.value = value
    return found


def _read(whole: Literal, data: bytes, at: int, encoding: str) -> tuple[Any, int]:
    match, add = _ITEM.match, whole.spans.add
    # What encloses the one being read, and where that one began.
    open_ones: list[tuple[dict[str, Any] | list[Any] | None, int]] = []
    inner: dict[str, Any] | list[Any] | None = None  # the one being read
    start = at
    of_hand = False
    while True:
        found = match(data, at)
        if found is None:
            raise _broken(data, at)
        at = found.end()
        name, text, number, word, bracket = found.groups()
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
        value = _scalar(text, number, word, bracket, encoding)
        if isinstance(inner, dict) and name is not None:
            key = _text(name, encoding) if name[0] in b"\"'" else name.decode("ascii")
            inner[key] = value
            if bracket is None and len(open_ones) == 2 and of_hand:
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


def _scalar(text: bytes | None, number: bytes | None, word: bytes | None, bracket: bytes | None, encoding: str) -> Any:  # noqa: ANN401 - a value of JavaScript
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


# -- the quick way ------------------------------------------------------------------------------

_QUOTED: Final = tuple(
    (f"{name}:".encode(), f'"{name}":'.encode())
    for name in sorted({"Hand", "Plays", *OF_HAND, *OF_PLAYER, *OF_PLAY} - {""})
)
_MEMBER: Final = re.compile(rb'(?<!\w)(\w++)\s*+:\s*+(?:"[^"]*+"|[\w.-]++)')
_LEAF: Final = re.compile(rb"\{[^{}]*+\}")
"""An object without another one in it; no text of the line has braces."""

_LONG: Final = re.compile(rb"[0-9]{17}")
_decoder: Final = msgspec.json.Decoder(dict[str, Any], float_hook=str)


def line_end(data: bytes, at: int) -> int:
    """Return where the line ends in which byte `at` is."""
    end = data.find(b"\n", at)
    return end if end >= 0 else len(data)


def quick(data: bytes, at: int) -> Literal | None:
    """Return the literal that begins at byte `at`; None where it is not written in that way."""
    line = data[at : line_end(data, at)].rstrip(b" \t\r;)")
    if b"\\" in line or b"'" in line or b"\0" in line:
        return None
    parts = line.split(b'"')
    words = b"".join(parts[1::2])
    if not len(parts) % 2 or b"{" in words or b"}" in words:
        return None
    bare = b"\0".join(parts[::2])
    if _LONG.search(bare):
        return None
    for name, quoted in _QUOTED:
        bare = bare.replace(name, quoted)
    parts[::2] = bare.split(b"\0")
    try:
        value = _decoder.decode(b'"'.join(parts))
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
    found = Literal(value, at + len(line))
    return found if _placed(found, line, at) else None


def _placed(found: Literal, line: bytes, at: int) -> bool:
    """Put the places in: objects stand in the order of their braces.

    False where others stand in the line than `Hand`, and those of its arrays and of the call's.
    """
    whole = found.value
    hand = whole.get("Hand")
    if not isinstance(hand, dict) or next(iter(whole)) != "Hand":
        return False
    leaves = [leaf.span() for leaf in _LEAF.finditer(line)]
    held = [one for value in hand.values() for one in _objects(value)]
    parts = held + [one for value in whole.values() for one in _objects(value)]
    if not held or len(parts) != len(leaves) or line.count(b"{") != len(leaves) + 2:
        return False
    for nth, one in enumerate(parts):
        one[""] = nth
    spans = found.spans
    spans.starts = [at + start for start, _ in leaves]
    spans.lengths = [end - start for start, end in leaves]
    start, behind = line.find(b"{", 1), leaves[len(held) - 1][1]
    end = line.find(b"}", behind) + 1
    for low, high in ((start, leaves[0][0]), (behind, end)):
        for member in _MEMBER.finditer(line, low, high):
            found.where[member[1].decode()] = spans.add(at + member.start(), len(member[0]))
    hand[""] = spans.add(at + start, end - start)
    whole[""] = spans.add(at, len(line))
    return True


def _objects(value: object) -> list[dict[str, Any]]:
    """Return the objects of an array; of anything else, none."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
