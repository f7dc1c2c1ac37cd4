"""PHH, the open poker hand history notation (TOML): `.phh` holds one hand, `.phhs` many."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate
from operator import sub
from typing import Final

from ledger.account import Account, Reject
from ledger.errors import UnreadableHandError
from ledger.formats.phh.reading import read_hand
from ledger.formats.phh.words import HAND_BYTES_MAX, USED
from ledger.formats.phh.writing import SAYS, write
from ledger.notation import Chunk, Format, Item
from ledger.people import People
from ledger.readers.reading import BEHIND

_HEADER: Final = re.compile(
    rb"\[[ \t]{0,8}(?:[0-9A-Za-z-][0-9A-Za-z_-]{0,63}|\"[^\"\r\n]{1,64}\"|'[^'\r\n]{1,64}')"
    rb"[ \t]{0,8}\][ \t]{0,8}(?:#[^\r\n]*)?(?=\r?\n|\Z)"
)
"""A line that begins a hand: `[12]`. Names with `_` in front are tables of a user's own."""

_FIELDS: Final = (
    rb"variant",
    rb"antes",
    rb"starting_stacks",
    rb"actions",
    rb"blinds_or_straddles",
    rb"min_bet",
    rb"small_bet",
    rb"bring_in",
    rb"players",
    rb"ante_trimming_status",
)
_FIELD: Final = re.compile(rb"(?m)^[ \t]{0,8}[\"']?(" + rb"|".join(_FIELDS) + rb")[\"']?[ \t]{0,8}=")


_OPENING: Final = re.compile(
    rb"variant[ \t]{0,8}=[ \t]{0,8}(?:\"[^\"\r\n]{1,8}\"|'[^'\r\n]{1,8}')[ \t]{0,8}(?=\r?\n|#)"
)
"""The field that writers put first."""
_WORD: Final = re.compile(rb"[A-Za-z_-]++")
_GLUED: Final = re.compile(rb"(?m)^[A-Za-z-][A-Za-z_-]{0,40}variant[ \t]{0,8}=")


def sniff(head: bytes) -> int:
    """Return how sure it is that a file beginning with `head` is PHH."""
    found = {mark.group(1) for mark in _FIELD.finditer(head[:65536])}
    if b"variant" in found:
        return 98 if len(found) >= 3 else 60
    if {b"actions", b"starting_stacks"} <= found:
        return 90
    return 30 if b"actions" in found or b"starting_stacks" in found else 0


def cut(data: bytes, _encoding: str) -> int:
    """Return where the last hand in `data` begins, 0 if no whole hand stands before it."""
    at = len(data)
    while True:
        at = data.rfind(b"\n[", 0, at)
        if at < 0:
            return 0
        mark = _HEADER.match(data, at + 1)
        if mark is not None and data.find(b"\n", mark.end()) >= 0:
            return at + 1 if b"=" in data[:at] else 0


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield an account or a reject for each hand in the chunk."""
    source = _Source(chunk, people)
    spans, index = source.spans, 0
    while index < len(spans):
        start, end = spans[index]
        index += 1
        if source.glued(start, end):
            yield from source.each(source.pieces(start, end))
            continue
        try:
            yield from source.told(start, end)
            continue
        except UnreadableHandError as error:
            wrong = error
        pieces = source.pieces(start, end, torn=wrong.kind != "encoding")
        if len(pieces) > 1:
            yield from source.each(pieces)
            continue
        # A line like `[1]` within a long list or text looks like the next hand.
        for more, (_, later) in enumerate(spans[index : index + 3 * (wrong.kind == "unclosed")], index + 1):
            try:
                yield from source.told(start, later)
            except UnreadableHandError:
                continue
            index = more
            break
        else:
            yield source.reject(start, end, wrong)


class _Source:
    """A chunk as bytes and the spans of its hands, blank ends cut off."""

    def __init__(self, chunk: Chunk, people: People) -> None:
        self.chunk, self.people = chunk, people
        data = chunk.data
        starts = _starts(data)
        if starts and b"=" not in data[: starts[0]]:
            starts[0] = 0  # comments above the first hand are part of it
        elif not starts or starts[0]:
            starts.insert(0, 0)
        self.spans: list[tuple[int, int]] = []
        for start, end in zip(starts, [*starts[1:], len(data)], strict=True):
            piece = data[start:end].lstrip()
            if piece:
                first = end - len(piece)
                self.spans.append((first, first + len(piece.rstrip())))

    def each(self, spans: list[tuple[int, int]]) -> Iterator[Item]:
        """Yield what each of these pieces holds."""
        for start, end in spans:
            try:
                yield from self.told(start, end)
            except UnreadableHandError as error:
                yield self.reject(start, end, error)

    def told(self, start: int, end: int) -> list[Item]:
        """Return the hand, and as a reject what stands behind it and is no part of it."""
        try:
            return [self.account(start, end)]
        except UnreadableHandError as error:
            at = self.behind(start, end, error)
            if at is None:
                raise
            try:
                hand = self.account(start, start + len(self.chunk.data[start:at].rstrip()))
            except UnreadableHandError:
                raise error from None
            return [hand, self.reject(at, end, UnreadableHandError(BEHIND, kind="not-a-hand"))]

    def glued(self, start: int, end: int) -> bool:
        """Tell whether the name of a field, which breaks off, and the first field of another hand make one name."""
        data = self.chunk.data
        return data.count(b"variant", start, end) > 1 and bool(_GLUED.search(data, start, end))

    def pieces(self, start: int, end: int, *, torn: bool = True) -> list[tuple[int, int]]:
        """Part what cannot be read where its first field stands again: it was cut, and another hand goes on.

        `torn`: also where that field stands behind something else in its line.
        """
        data = self.chunk.data
        openings = [found.start() for found in _OPENING.finditer(data[start:end])]
        starts = [
            start + at
            for nth, at in enumerate(openings)
            if nth or (torn and data[max(data.rfind(b"\n", start, start + at) + 1, start) : start + at].strip())
        ]
        parts = zip([start, *starts], [*starts, end], strict=True)
        return [(at, at + len(piece)) for at, stop in parts if (piece := data[at:stop].rstrip())]

    def behind(self, start: int, end: int, error: UnreadableHandError) -> int | None:
        """Return where text begins that stands behind the fields of a hand, by why they cannot be read; None without any.

        What may be part of the hand is none: a field, its name, a word that may be cut off from one, the rest of a value.
        """
        data, at = self.chunk.data, start + error.at
        line = max(data.rfind(b"\n", start, at) + 1, start)
        valued = b"=" in data[line:at]
        at = at if valued else line
        rest = data[at:end].strip()
        if at == start or not rest or b"=" in rest or b"]" in rest or (valued and rest[:1] in b"'\""):
            return None
        if not valued and ((word := _WORD.match(rest)) is not None) and (word[0] == rest or word[0].decode() in USED):
            return None
        return end - len(data[at:end].lstrip())

    def account(self, start: int, end: int) -> Account:
        """Return the hand that these bytes tell; what is none raises `UnreadableHandError`."""
        if end - start > HAND_BYTES_MAX:
            raise UnreadableHandError("longer than any hand", kind="too-large")
        data, encoding = self.chunk.data[start:end], self.chunk.encoding
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError as error:
            raise UnreadableHandError(f"no {encoding} text: byte 0x{data[error.start]:02x}", kind="encoding") from None
        try:
            account = read_hand(text, int(text.startswith("\ufeff")), self.people)
        except UnreadableHandError as error:
            error.at = len(text[: error.at].encode(encoding, "replace"))
            raise
        if len(text) < len(data):
            account.places = _in_bytes(text, account.places)
        account.start, account.length = self.chunk.start + start, end - start
        return account

    def reject(self, start: int, end: int, error: UnreadableHandError) -> Reject:
        """Return why these bytes are no hand."""
        line = self.chunk.line_at(min(start + error.at, end))
        return Reject(self.chunk.start + start, end - start, line, error.kind, error.reason, error.hint)


def _in_bytes(text: str, places: list[int]) -> list[int]:
    """Turn places (start, length, ...) in characters into places in bytes of UTF-8."""
    wide = list(_WIDE.finditer(text))
    starts = [mark.start() for mark in wide]
    more = list(accumulate((len(mark[0].encode()) - 1 for mark in wide), initial=0))
    bounds = (bound for at in range(0, len(places), 2) for bound in (places[at], places[at] + places[at + 1]))
    moved = [bound + more[bisect_left(starts, bound)] for bound in bounds]
    moved[1::2] = map(sub, moved[1::2], moved[::2])
    return moved


_WIDE: Final = re.compile("[^\x00-\x7f]")


def _starts(data: bytes) -> list[int]:
    """Return where a line begins a hand."""
    starts = [0] if data.startswith(b"[") and _HEADER.match(data) else []
    at = data.find(b"\n[") + 1
    while at:
        if _HEADER.match(data, at):
            starts.append(at)
        at = data.find(b"\n[", at) + 1
    return starts


FORMAT: Final = Format(
    name="phh",
    title="PHH (Poker Hand History, TOML)",
    suffixes=(".phh", ".phhs"),
    sniff=sniff,
    read=read,
    cut=cut,
    write=write,
    says=SAYS,
    between="\n",
    numbered=lambda number, hand: f"[{number}]\n{hand}",
)
