"""The same literals in the way the site's program writes them, a call on a line: several times faster.

Names get quotes and a reader of JSON does the rest. Whatever is written in another way gives
None, and `literal` reads it; what both can read they read alike.
"""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec

from ledger.formats.biggame.literal import Literal
from ledger.formats.biggame.words import OF_HAND, OF_PLAY, OF_PLAYER

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
