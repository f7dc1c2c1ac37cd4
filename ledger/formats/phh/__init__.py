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
from ledger.formats.phh.action_writer import EVENTS_WRITTEN, write
from ledger.formats.phh.hand_actions import read_hand
from ledger.formats.phh.words import HAND_BYTES_MAX, KNOWN_FIELDS
from ledger.notation import Chunk, Format, Item
from ledger.people import People
from ledger.readers.text_format import TEXT_AFTER_HAND

_HEADER: Final = re.compile(
    rb"\[[ \t]{0,8}(?:[0-9A-Za-z-][0-9A-Za-z_-]{0,63}|\"[^\"\r\n]{1,64}\"|'[^'\r\n]{1,64}')"
    rb"[ \t]{0,8}\][ \t]{0,8}(?:#[^\r\n]*)?(?=\r?\n|\Z)"
)
"""A line that begins a hand: `[12]`. Names that begin with `_` are a user's own tables."""

_FIELD_NAMES: Final = (
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
_FIELD_NAME: Final = re.compile(rb"(?m)^[ \t]{0,8}[\"']?(" + rb"|".join(_FIELD_NAMES) + rb")[\"']?[ \t]{0,8}=")


_VARIANT_FIELD: Final = re.compile(
    rb"variant[ \t]{0,8}=[ \t]{0,8}(?:\"[^\"\r\n]{1,8}\"|'[^'\r\n]{1,8}')[ \t]{0,8}(?=\r?\n|#)"
)
"""The field that writers put first."""
_FIELD_WORD: Final = re.compile(rb"[A-Za-z_-]++")
_GLUED_NAMES: Final = re.compile(rb"(?m)^[A-Za-z-][A-Za-z_-]{0,40}variant[ \t]{0,8}=")


def sniff(beginning: bytes) -> int:
    """Return how certain it is, from 0 to 100, that a file with this beginning is PHH."""
    field_names = {field_match.group(1) for field_match in _FIELD_NAME.finditer(beginning[:65536])}
    if b"variant" in field_names:
        return 98 if len(field_names) >= 3 else 60
    if {b"actions", b"starting_stacks"} <= field_names:
        return 90
    return 30 if b"actions" in field_names or b"starting_stacks" in field_names else 0


def cut(data: bytes, _encoding: str) -> int:
    """Return where the last hand in `data` begins, 0 if there is no whole hand before it."""
    line_break = len(data)
    while True:
        line_break = data.rfind(b"\n[", 0, line_break)
        if line_break < 0:
            return 0
        header_match = _HEADER.match(data, line_break + 1)
        if header_match is not None and data.find(b"\n", header_match.end()) >= 0:
            return line_break + 1 if b"=" in data[:line_break] else 0


def read(chunk: Chunk, people: People) -> Iterator[Item]:
    """Yield an account or a reject for each hand in the chunk."""
    source = _ChunkHands(chunk, people)
    spans, index = source.spans, 0
    while index < len(spans):
        start, end = spans[index]
        index += 1
        if source.has_glued_names(start, end):
            yield from source.read_each(source.pieces(start, end))
            continue
        try:
            yield from source.read_span(start, end)
            continue
        except UnreadableHandError as error:
            first_error = error
        pieces = source.pieces(start, end, may_start_mid_line=first_error.kind != "encoding")
        if len(pieces) > 1:
            yield from source.read_each(pieces)
            continue
        # A line like `[1]` within a long list or text looks like the next hand.
        for next_index, (_, later_end) in enumerate(
            spans[index : index + 3 * (first_error.kind == "unclosed")], index + 1
        ):
            try:
                yield from source.read_span(start, later_end)
            except UnreadableHandError:
                continue
            index = next_index
            break
        else:
            yield source.reject(start, end, first_error)


class _ChunkHands:
    """Reads the hands of a chunk: its bytes, and the spans of its hands without blank ends."""

    def __init__(self, chunk: Chunk, people: People) -> None:
        self.chunk, self.people = chunk, people
        data = chunk.data
        starts = _find_hand_starts(data)
        if starts and b"=" not in data[: starts[0]]:
            starts[0] = 0  # comments above the first hand belong to it
        elif not starts or starts[0]:
            starts.insert(0, 0)
        self.spans: list[tuple[int, int]] = []
        for start, end in zip(starts, [*starts[1:], len(data)], strict=True):
            piece = data[start:end].lstrip()
            if piece:
                first = end - len(piece)
                self.spans.append((first, first + len(piece.rstrip())))

    def read_each(self, spans: list[tuple[int, int]]) -> Iterator[Item]:
        """Yield the hand, or the reject, of each of these spans."""
        for start, end in spans:
            try:
                yield from self.read_span(start, end)
            except UnreadableHandError as error:
                yield self.reject(start, end, error)

    def read_span(self, start: int, end: int) -> list[Item]:
        """Return the hand, and a reject of the text after it that isn't part of it."""
        try:
            return [self.account(start, end)]
        except UnreadableHandError as error:
            tail_start = self.find_tail(start, end, error)
            if tail_start is None:
                raise
            try:
                hand = self.account(start, start + len(self.chunk.data[start:tail_start].rstrip()))
            except UnreadableHandError:
                raise error from None
            return [hand, self.reject(tail_start, end, UnreadableHandError(TEXT_AFTER_HAND, kind="not-a-hand"))]

    def has_glued_names(self, start: int, end: int) -> bool:
        """Whether a field's name breaks off and the first field of another hand goes on in its line."""
        data = self.chunk.data
        return data.count(b"variant", start, end) > 1 and bool(_GLUED_NAMES.search(data, start, end))

    def pieces(self, start: int, end: int, *, may_start_mid_line: bool = True) -> list[tuple[int, int]]:
        """Split an unreadable hand where its first field appears again: it was cut off there, and another hand follows.

        `may_start_mid_line`: also where that field isn't the first thing in its line.
        """
        data = self.chunk.data
        opening_offsets = [opening_match.start() for opening_match in _VARIANT_FIELD.finditer(data[start:end])]
        starts = [
            start + offset
            for number, offset in enumerate(opening_offsets)
            if number
            or (
                may_start_mid_line
                and data[max(data.rfind(b"\n", start, start + offset) + 1, start) : start + offset].strip()
            )
        ]
        bounds = zip([start, *starts], [*starts, end], strict=True)
        return [
            (offset, offset + len(piece)) for offset, piece_end in bounds if (piece := data[offset:piece_end].rstrip())
        ]

    def find_tail(self, start: int, end: int, error: UnreadableHandError) -> int | None:
        """Return where text after the fields that isn't part of the hand begins, or None without any.

        `error` says where the reading of the fields stopped.
        Text that may belong to the hand doesn't count: a field, its name, part of a name, the rest of a value.
        """
        data, error_index = self.chunk.data, start + error.byte_offset
        line_start = max(data.rfind(b"\n", start, error_index) + 1, start)
        is_after_name = b"=" in data[line_start:error_index]
        error_index = error_index if is_after_name else line_start
        tail = data[error_index:end].strip()
        if error_index == start or not tail or b"=" in tail or b"]" in tail or (is_after_name and tail[:1] in b"'\""):
            return None
        if (
            not is_after_name
            and ((first_word := _FIELD_WORD.match(tail)) is not None)
            and (first_word[0] == tail or first_word[0].decode() in KNOWN_FIELDS)
        ):
            return None
        return end - len(data[error_index:end].lstrip())

    def account(self, start: int, end: int) -> Account:
        """Return the hand in these bytes. Raises `UnreadableHandError` if they are no hand."""
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
            error.byte_offset = len(text[: error.byte_offset].encode(encoding, "replace"))
            raise
        if len(text) < len(data):
            account.places = _convert_to_byte_places(text, account.places)
        account.start, account.length = self.chunk.start + start, end - start
        return account

    def reject(self, start: int, end: int, error: UnreadableHandError) -> Reject:
        """Return a reject that says why these bytes are no hand."""
        line = self.chunk.line_at(min(start + error.byte_offset, end))
        return Reject(self.chunk.start + start, end - start, line, error.kind, error.reason, error.hint)


def _convert_to_byte_places(text: str, places: list[int]) -> list[int]:
    """Convert places (start, length, ...) from characters to bytes of UTF-8."""
    wide_runs = list(_WIDE_CHARACTERS.finditer(text))
    starts = [wide_run.start() for wide_run in wide_runs]
    extra_bytes = list(accumulate((len(wide_run[0].encode()) - 1 for wide_run in wide_runs), initial=0))
    bounds = (
        bound for index in range(0, len(places), 2) for bound in (places[index], places[index] + places[index + 1])
    )
    byte_bounds = [bound + extra_bytes[bisect_left(starts, bound)] for bound in bounds]
    byte_bounds[1::2] = map(sub, byte_bounds[1::2], byte_bounds[::2])
    return byte_bounds


_WIDE_CHARACTERS: Final = re.compile("[^\x00-\x7f]")


def _find_hand_starts(data: bytes) -> list[int]:
    """Return the starts of the lines that begin hands."""
    starts = [0] if data.startswith(b"[") and _HEADER.match(data) else []
    line_start = data.find(b"\n[") + 1
    while line_start:
        if _HEADER.match(data, line_start):
            starts.append(line_start)
        line_start = data.find(b"\n[", line_start) + 1
    return starts


FORMAT: Final = Format(
    name="phh",
    title="PHH (Poker Hand History, TOML)",
    suffixes=(".phh", ".phhs"),
    sniff=sniff,
    read=read,
    find_cut=cut,
    write=write,
    written_events=EVENTS_WRITTEN,
    separator="\n",
    frame_hand=lambda number, hand: f"[{number}]\n{hand}",
)
