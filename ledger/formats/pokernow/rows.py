"""The rows of a log, `entry,at,order`: newest first, each with its place, number and moment.

The number is the moment in milliseconds with a two-digit count behind it; it alone tells in which
order things happened, as many rows have the same moment.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final, NamedTuple

from ledger.notation import Chunk
from ledger.readers.documents import BLANK, MARK
from ledger.readers.timestamps import iso
from ledger.vocabulary import Millis

_ROW: Final = re.compile(
    rb'(?<![^\r\n\xbf])(?:"((?:[^"]++|"")*+)"|([^",\r\n]*+)),[ ]?"?([0-9TZ:.+-]{10,40}+)"?(?:,[ ]?"?([0-9][0-9.E+]{0,24}+)"?)?+[ \t]*+(?=\r|\n|\Z)'
)
_HEAD: Final = re.compile(rb'"?entry"?[,;]"?at"?(?:[,;]"?order"?)?[ \t]*(?=\r|\n|\Z)', re.IGNORECASE)
_START: Final = b"-- starting hand #"
_ORDER_DIGITS: Final = 15
_FAR: Final = 100 * 60_000
"""Rows that jump back by more than a minute, in units of `order`, begin another log."""


def is_export(head: bytes) -> bool:
    """Whether a source begins as the export of hands in JSON does."""
    return b'"gameId"' in head and (b'"dealerSeat"' in head or b'"generatedAt"' in head)


def is_log(head: bytes) -> bool:
    """Whether a source begins as the log does that the site fetches: rows as objects."""
    return b'"logs"' in head and b'"msg"' in head and b'"created_at"' in head


class Row(NamedTuple):
    """One row. `order` sorts rows as they happened; `start` and `length` are its bytes."""

    order: int
    at: Millis
    text: str
    start: int
    length: int
    written: bytes  # its moment as written


class Stretch(NamedTuple):
    """Bytes that are no row."""

    start: int
    end: int


def sniff(head: bytes) -> int:
    """Return how sure it is that this is a PokerNow log: 0 no, 100 certain."""
    bare = head.removeprefix(MARK).lstrip()
    if _HEAD.match(bare):
        return 97
    if bare[:1] == b"{":
        return 90 if is_export(bare) else 85 if is_log(bare) else 0
    row = _ROW.match(bare)
    said = row is not None and (b" @ " in bare[:2000] or _START in head or b"-- ending hand #" in head)
    return 80 if said else 0


def rows(chunk: Chunk) -> tuple[list[list[Row]], list[Stretch]]:
    """Return the chunk's logs, each as its rows in the order of the file, and what is no row.

    Two logs one behind the other are told apart by the jump in time between them.
    """
    data = chunk.data
    at = len(MARK) if chunk.start == 0 and data.startswith(MARK) else 0
    codec = "cp1252" if chunk.encoding == "cp1252" else "utf-8"
    found: list[Row] = []
    strange: list[Stretch] = []
    match, size = _ROW.match, len(data)
    while at < size:
        row = match(data, at)
        if row is None:
            end = data.find(b"\n", at)
            end = size if end < 0 else end
            if _HEAD.match(data, at):
                _take_along(found, strange, end)
            elif data[at:end].strip(BLANK):
                strange.append(Stretch(at, end))
            at = end + 1
            continue
        found.append(_row(row, codec))
        at = row.end() + (2 if data.startswith(b"\r\n", row.end()) else 1)
    return in_logs(found), strange


def _take_along(found: list[Row], strange: list[Stretch], end: int) -> None:
    """Let a line of column names in the middle of a file belong to what stands before it."""
    if found and (not strange or found[-1].start > strange[-1].start):
        found[-1] = found[-1]._replace(length=end - found[-1].start)
    elif strange:
        strange[-1] = Stretch(strange[-1].start, end)


def in_logs(found: list[Row]) -> list[list[Row]]:
    """Part rows in the order of a file where one log ends and another begins."""
    steps = [after.order - before.order for before, after in pairwise(found)]
    falling = sum(step < 0 for step in steps) >= sum(step > 0 for step in steps)
    logs: list[list[Row]] = [found[:1]] if found else []
    for step, row in zip(steps, found[1:], strict=True):
        if (step > _FAR) if falling else (step < -_FAR):
            logs.append([])
        logs[-1].append(row)
    return logs


def _row(row: re.Match[bytes], codec: str) -> Row:
    quoted, bare, at, order = row.groups()
    if quoted is not None:
        text = quoted.decode(codec, "replace")
        if '""' in text:
            text = text.replace('""', '"')
        if "\r" in text:
            text = text.replace("\r\n", "\n")
    else:
        text = bare.decode(codec, "replace")
    start = row.start()
    if order is not None and len(order) == _ORDER_DIGITS and order.isdigit():
        number = int(order)
        return Row(number, number // 100, text.strip(), start, row.end() - start, at)
    moment = iso(at.decode("ascii")) or 0
    return Row(moment * 100, moment, text.strip(), start, row.end() - start, at)


def cut(buffer: bytes, encoding: str) -> int:
    """Return where the buffer may be cut: behind a hand's first row in a log that runs backwards.

    What happened between two hands stays with the earlier one, so that it is told after it.
    """
    if encoding.startswith("utf-16") or buffer.lstrip(MARK + b" \t\r\n")[:1] in (b"{", b"["):
        return 0
    last = buffer.rfind(_START)
    if last < 0:
        return 0
    if _backwards(buffer):
        end = buffer.find(b"\n", last)
        if end < 0 or end + 1 == len(buffer):
            last = buffer.rfind(_START, 0, last)
            end = buffer.find(b"\n", last) if last >= 0 else -1
        return end + 1 if end >= 0 else 0
    return buffer.rfind(b"\n", 0, last) + 1


def _backwards(buffer: bytes) -> bool:
    """Whether the rows of this buffer run from the newest to the oldest."""
    first = _ROW.search(buffer, 0, 64 * 1024)
    at = max(0, len(buffer) - 64 * 1024)
    last = None
    for last in _ROW.finditer(buffer, buffer.find(b"\n", at) + 1):  # noqa: B007 - the last one is wanted
        pass
    return first is None or last is None or _moment_of(first) >= _moment_of(last)


def _moment_of(row: re.Match[bytes]) -> Millis:
    return iso(row[3].decode("ascii")) or 0
