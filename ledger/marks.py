"""The marks of a commit's events, packed small: where in the source, when, read or derived.

Layout, all numbers unsigned LEB128 (a signed one zigzagged first): a flag byte (1 = derived events
follow, 2 = times follow); for each event the signed gap between its start and the end of the place
before it, then its length; the count and the gaps of the indexes of derived events; the count of
times, and for each the index gap and the signed gap in milliseconds to the time before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from operator import add, sub
from typing import Final

from ledger.entry import EventOrigin
from ledger.errors import IntegrityError
from ledger.vocabulary import Millis

_SHORT: Final = [bytes((number,) if number < 128 else (number & 127 | 128, number >> 7)) for number in range(2048)]
"""Small numbers as LEB128: nearly all that marks hold."""
_BITS_MOST: Final = 56
_NUMBERS: Final = re.compile(rb"[\x80-\xff]*[\x00-\x7f]")
_GOES_ON: Final = bytes([byte >> 7 for byte in range(256)])
"""Of each byte whether another one of the same number follows."""
_BEYOND: Final = b"\1" * (_BITS_MOST // 7 + 1)
"""What goes on so long is no number of ours."""


def pack_origins(places: Sequence[int], derived: Iterable[int] = (), times: dict[int, Millis] | None = None) -> bytes:
    """Pack marks: `places` is start, length, start, length, ... one pair for each event.

    `derived` holds indexes of derived events, `times` the time of the events at these indexes.
    """
    derived = sorted(derived)
    starts, lengths = places[::2], places[1::2]
    gaps = list(map(sub, starts, [0, *map(add, starts, lengths)]))
    numbers = [0] * (len(places) + 1)
    numbers[0] = (1 if derived else 0) | (2 if times else 0)
    numbers[1::2] = map(add, gaps, gaps)
    numbers[2::2] = lengths
    out = bytearray(_leb128(numbers, gaps))
    if derived:
        _put(out, len(derived))
        last = 0
        for index in derived:
            _put(out, index - last)
            last = index
    if times:
        _put(out, len(times))
        last, before = 0, 0
        for index in sorted(times):
            _put(out, index - last)
            gap = (times[index] - before) << 1
            _put(out, gap if gap >= 0 else -gap - 1)
            last, before = index, times[index]
    return bytes(out)


def _leb128(numbers: list[int], gaps: list[int]) -> bytes:
    """Return numbers as LEB128, those at odd places zigzagged: they are `gaps`, doubled so far."""
    try:
        plain = bytes(numbers)
    except ValueError:  # a gap that goes back, or something above 255
        numbers[1::2] = [gap + gap if gap >= 0 else -gap - gap - 1 for gap in gaps]
    else:
        if plain.isascii():  # all below 128: each is its own LEB128
            return plain
    try:
        return b"".join(map(_SHORT.__getitem__, numbers))
    except IndexError:
        out = bytearray()
        for number in numbers:
            _put(out, number)
        return bytes(out)


def unpack_origins(packed: bytes, count: int) -> list[EventOrigin]:
    """Return the marks of `count` events; damaged bytes raise `IntegrityError`."""
    if not packed:
        return [EventOrigin()] * count
    try:
        return _unpack(packed, count)
    except IndexError:
        raise IntegrityError("the places stored beside a commit's events are damaged") from None


def is_packed_origins(packed: bytes, count: int) -> bool:
    """Whether these bytes are the marks of `count` events: what `unpack_origins` finds out, without making them."""
    if not packed:
        return True
    shape = packed[1:].translate(_GOES_ON).rstrip(b"\1")
    if _BEYOND in shape:
        return False
    there, at = shape.count(0), 2 * count
    if packed[0] & 3:
        numbers = _NUMBERS.findall(packed, 1)
        for flag, each in ((1, 1), (2, 2)):
            if packed[0] & flag:
                if at >= there:
                    return False
                at += 1 + each * _take(numbers[at], 0)[0]
    return at <= there


def _unpack(packed: bytes, count: int) -> list[EventOrigin]:
    flags, at = packed[0], 1
    starts: list[tuple[int, int]] = []
    end = 0
    for _ in range(count):
        gap, at = _take(packed, at)
        length, at = _take(packed, at)
        start = end + _signed(gap)
        starts.append((start, length))
        end = start + length
    derived: set[int] = set()
    times: dict[int, int] = {}
    if flags & 1:
        many, at = _take(packed, at)
        index = 0
        for _ in range(many):
            gap, at = _take(packed, at)
            index += gap
            derived.add(index)
    if flags & 2:
        many, at = _take(packed, at)
        index = moment = 0
        for _ in range(many):
            gap, at = _take(packed, at)
            index += gap
            gap, at = _take(packed, at)
            moment += _signed(gap)
            times[index] = moment
    return [
        EventOrigin(start, length, times.get(index), "derived" if index in derived else "read")
        for index, (start, length) in enumerate(starts)
    ]


def _put(out: bytearray, number: int) -> None:
    while number >= 128:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)


def _take(packed: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = packed[at]
        at += 1
        number |= (byte & 127) << shift
        if byte < 128:
            return number, at
        shift += 7
        if shift > _BITS_MOST:
            raise IntegrityError("a place stored beside a commit's events is beyond all files")


def _signed(number: int) -> int:
    return number >> 1 if not number & 1 else -((number + 1) >> 1)
