"""Where hands begin in the bytes of a source, and whether the source is PokerStars' text at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ledger.formats.pokerstars.header import begins
from ledger.formats.pokerstars.languages import LOCAL_HEADS
from ledger.notation import Chunk
from ledger.readers.signatures import others

_WORDS: Final = ("Hand #", "Game #", "HAND #", "GAME #")
_LOCAL: Final = tuple(head.encode("utf-8") for head in LOCAL_HEADS)
_FOREIGN: Final = others("PokerStars")
_HEAD: Final = 200
"""A header has fewer bytes than these before its number."""
_RULE: Final = 20
"""What stands between the stars of a rule in other languages, `n. 27` or `№2`, is shorter."""
_LINE: Final = 100
"""A hand's number stands within these characters from the word that was found."""
_BLOCK: Final = 128 * 1024


def is_rule(line: str) -> bool:
    """Tell whether this is `*********** # 1 **************`, which archives put before a hand."""
    if not line.startswith("*****"):
        return False
    line = line.rstrip()
    inner = line.strip("* \t")
    numbered = inner[-1:].isdigit() and len(inner) < _RULE
    return line.endswith("*****") and ("#" in line or numbered)


def cut(buffer: bytes, encoding: str) -> int:
    """Return the offset at which the last hand of `buffer` begins, 0 if none does after the first."""
    width = 2 if encoding.startswith("utf-16") else 1
    newline = "\n".encode(encoding)
    words = [word.encode(encoding, "replace") for word in (*_WORDS, *LOCAL_HEADS)]
    behind = dict.fromkeys(words, len(buffer))
    end = len(buffer)
    while end > 0:
        for word, found in behind.items():
            if found >= end:
                behind[word] = _last(buffer, word, end, width)
        at = max(behind.values())
        if at <= 0:
            return 0
        start = _line_start(buffer, newline, at, width)
        line = buffer[start : at + _LINE * width].decode(encoding, "replace") if start else ""
        if begins(line.partition("\n")[0]):
            return _with_rule(buffer, newline, start, width, encoding)
        end = at
    return 0


def _last(buffer: bytes, word: bytes, end: int, width: int) -> int:
    at = buffer.rfind(word, 0, end)
    while width == 2 and at > 0 and at % 2:
        at = buffer.rfind(word, 0, at)
    return at


def _line_start(buffer: bytes, newline: bytes, at: int, width: int) -> int:
    """Return where the line of byte `at` begins, 0 if that is too far away for a header."""
    least = max(0, at - _HEAD * width)
    found = buffer.rfind(newline, least, at)
    while width == 2 and found > 0 and found % 2:
        found = buffer.rfind(newline, least, found)
    if found < 0 and width == 1:
        found = buffer.rfind(b"\r", least, at)
    return found + width if found >= 0 else 0


def _with_rule(buffer: bytes, newline: bytes, start: int, width: int, encoding: str) -> int:
    """Return where the rule of stars before a hand begins, that hand's own beginning without one."""
    least = max(0, start - _HEAD * width)
    before = buffer[least:start].decode(encoding, "replace")
    if not before.rstrip().endswith("*****"):
        return start
    end = start
    while end > least and (found := _line_start(buffer, newline, end - width, width)):
        line = buffer[found:end].decode(encoding, "replace").strip()
        if line:
            return found if is_rule(line) else start
        end = found
    first = buffer[:end].decode(encoding, "replace").strip("\ufeff \t\r\n")
    return 0 if least == 0 and is_rule(first) else start


def blocks(chunk: Chunk, begins: Callable[[str], bool]) -> Iterator[Chunk]:
    """Yield the chunk in pieces of whole hands small enough for the processor's cache.

    Of pieces of 8, 32, 128 KiB and a whole mebibyte, 128 KiB were read fastest, by about a tenth.
    """
    data = chunk.data
    wide = chunk.encoding.startswith("utf-16")
    local = not data.isascii() and any(word in data for word in _LOCAL)
    if wide or local or len(data) <= 2 * _BLOCK:
        yield chunk
        return
    start, line = 0, chunk.line
    while start < len(data):
        end = _next_hand(data, start + _BLOCK, begins)
        block = data[start:end]
        yield Chunk(block, chunk.start + start, line, chunk.encoding, chunk.name, chunk.last)
        line += block.count(b"\n")
        start = end


def _next_hand(data: bytes, at: int, begins: Callable[[str], bool]) -> int:
    """Return where the first hand after byte `at` begins, the end of the data if none does."""
    at = data.find(b" #", at)
    while at >= 0:
        if data[at - 4 : at].upper() in (b"HAND", b"GAME"):
            least = max(0, at - _HEAD)
            start = max(data.rfind(b"\n", least, at), data.rfind(b"\r", least, at)) + 1
            if start and begins(data[start : at + 24].decode("latin-1").removeprefix("ï»¿")):
                return _with_rule(data, b"\n", start, 1, "latin-1")
        at = data.find(b" #", at + 2)
    return len(data)


def sniff(head: bytes) -> int:
    """Return how sure it is that this is PokerStars' text: 0 no, 100 certain."""
    text = head.decode("utf-8", "replace").replace("\r", "\n")
    sure = 0
    for line in text.split("\n"):
        bare = line.lstrip("\ufeff \t")
        if begins(bare):
            return 95 if bare[:10].upper() == "POKERSTARS" else 90
        if bare.startswith(_FOREIGN):
            return 0
        if bare.startswith(("*** HOLE CARDS ***", "*** SUMMARY ***", "*** SHOW DOWN ***")):
            sure = 30
    return sure
