"""Where a log may be cut, and whether a source is one at all."""

from __future__ import annotations

from typing import Final

from ledger.formats.acpc.words import MESSAGE, STATE

_MATCH: Final = "# name/game/hands/seed"
_LARGE: Final = 6 * 1024 * 1024
_NEAR: Final = 64 * 1024
_MESSAGE_HEADS: Final = ("TO ", "FROM ", "S->", "<-C", MESSAGE)


def sniff(head: bytes) -> int:
    """Return how sure it is that this is such a log: 0 no, 100 certain."""
    for line in head.decode("utf-8", "replace").replace("\r", "\n").split("\n"):
        bare = line.lstrip("\ufeff \t")
        if is_state(bare) or is_message(bare):
            return 95
        if bare and not bare.startswith(("#", "STARTED at ", "SCORE:")):
            return 0
    return 90 if _MATCH.encode() in head else 0


def is_state(line: str) -> bool:
    """Tell whether a hand's whole line begins so: `STATE:7:`."""
    return line.startswith(STATE) and line[6:7].isdecimal() and line.count(":") >= 3


def is_message(line: str) -> bool:
    """Tell whether this is a message between dealer and player."""
    return line.startswith(_MESSAGE_HEADS) and MESSAGE in line[:64]


def cut(buffer: bytes, encoding: str) -> int:
    """Return where the last match begins; in a match longer than 6 MiB, where its last hand begins.

    A match's first line names its table, so that its hands are best read with it.
    """
    codec = encoding if encoding.startswith("utf-16") else "latin-1"
    newline = "\n".encode(codec)
    found = _line(buffer, newline + _MATCH.encode(codec), len(newline))
    if found or len(buffer) < _LARGE:
        return found
    found = _line(buffer, newline + STATE.encode(codec), len(newline))
    return found or _last_messages(buffer, newline, codec)


def _line(buffer: bytes, word: bytes, newline: int) -> int:
    at = buffer.rfind(word)
    while newline == 2 and at > 0 and at % 2:
        at = buffer.rfind(word, 0, at)
    return at + newline if at >= 0 else 0


def _last_messages(buffer: bytes, newline: bytes, codec: str) -> int:
    """Return where the messages of the last hand begin."""
    behind = len(buffer)
    last, start = "", 0
    while behind > len(buffer) - _NEAR * len(newline):
        at = buffer.rfind(newline, 0, behind)
        if at < 0 or (len(newline) == 2 and at % 2):
            break
        line = buffer[at + len(newline) : behind].decode(codec, "replace")
        if is_message(line):
            number = line.partition(MESSAGE)[2].split(":", 2)[1:2]
            if last and number and number[0] != last:
                return start
            last, start = (number[0] if number else ""), at + len(newline)
        behind = at
    return 0
