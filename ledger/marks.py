"""Pack the origins of a commit's events: place in the source, time, read or derived.

All numbers are unsigned LEB128; a signed number is zigzag-encoded first. The layout:

- A flag byte: 1 = derived events follow, 2 = times follow.

- For each event the signed gap between its start and the end of the previous place, then its length.

- The count of derived events and the gaps between their indexes.

- The count of times. For each, the index gap and the signed gap in milliseconds from the previous time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from operator import add, sub
from typing import Final

from ledger.entry import EventOrigin
from ledger.errors import IntegrityError
from ledger.vocabulary import Millis

_SMALL_NUMBERS: Final = [
    bytes((number,) if number < 128 else (number & 127 | 128, number >> 7)) for number in range(2048)
]
"""Numbers below 2048 as LEB128. Origins contain few others."""
_MAX_BITS: Final = 56
_NUMBERS: Final = re.compile(rb"[\x80-\xff]*[\x00-\x7f]")
_CONTINUATION_BITS: Final = bytes([byte >> 7 for byte in range(256)])
"""For each byte, whether the number continues after it."""
_OVERLONG_BITS: Final = b"\1" * (_MAX_BITS // 7 + 1)
"""A number of so many bytes is too large."""


def pack_origins(places: Sequence[int], derived: Iterable[int] = (), times: dict[int, Millis] | None = None) -> bytes:
    """Pack the origins of events. `places` is start, length, start, length, ... with one pair for each event.

    `derived` holds indexes of derived events. `times` has the time of an event by its index.
    """
    derived = sorted(derived)
    starts, lengths = places[::2], places[1::2]
    gaps = list(map(sub, starts, [0, *map(add, starts, lengths)]))
    numbers = [0] * (len(places) + 1)
    numbers[0] = (1 if derived else 0) | (2 if times else 0)
    numbers[1::2] = map(add, gaps, gaps)
    numbers[2::2] = lengths
    packed = bytearray(_encode_numbers(numbers, gaps))
    if derived:
        _append_number(packed, len(derived))
        last_index = 0
        for index in derived:
            _append_number(packed, index - last_index)
            last_index = index
    if times:
        _append_number(packed, len(times))
        last_index, last_time = 0, 0
        for index in sorted(times):
            _append_number(packed, index - last_index)
            gap = (times[index] - last_time) << 1
            _append_number(packed, gap if gap >= 0 else -gap - 1)
            last_index, last_time = index, times[index]
    return bytes(packed)


def _encode_numbers(numbers: list[int], gaps: list[int]) -> bytes:
    """Return numbers as LEB128. Those at odd indexes are `gaps`, doubled, and may still need zigzag encoding."""
    try:
        single_bytes = bytes(numbers)
    except ValueError:  # a gap that goes back, or something above 255
        numbers[1::2] = [gap + gap if gap >= 0 else -gap - gap - 1 for gap in gaps]
    else:
        if single_bytes.isascii():  # all below 128: each is its own LEB128
            return single_bytes
    try:
        return b"".join(map(_SMALL_NUMBERS.__getitem__, numbers))
    except IndexError:
        encoded = bytearray()
        for number in numbers:
            _append_number(encoded, number)
        return bytes(encoded)


def unpack_origins(packed: bytes, count: int) -> list[EventOrigin]:
    """Return the origins of `count` events. Damaged bytes raise `IntegrityError`."""
    if not packed:
        return [EventOrigin()] * count
    try:
        return _unpack(packed, count)
    except IndexError:
        raise IntegrityError("the places stored beside a commit's events are damaged") from None


def is_packed_origins(packed: bytes, count: int) -> bool:
    """Whether these bytes hold the origins of `count` events. Quicker than `unpack_origins`."""
    if not packed:
        return True
    continuation = packed[1:].translate(_CONTINUATION_BITS).rstrip(b"\1")
    if _OVERLONG_BITS in continuation:
        return False
    number_count, needed_count = continuation.count(0), 2 * count
    if packed[0] & 3:
        numbers = _NUMBERS.findall(packed, 1)
        for flag, numbers_per_item in ((1, 1), (2, 2)):
            if packed[0] & flag:
                if needed_count >= number_count:
                    return False
                needed_count += 1 + numbers_per_item * _read_number(numbers[needed_count], 0)[0]
    return needed_count <= number_count


def _unpack(packed: bytes, count: int) -> list[EventOrigin]:
    flags, offset = packed[0], 1
    starts: list[tuple[int, int]] = []
    end = 0
    for _ in range(count):
        gap, offset = _read_number(packed, offset)
        length, offset = _read_number(packed, offset)
        start = end + _decode_zigzag(gap)
        starts.append((start, length))
        end = start + length
    derived: set[int] = set()
    times: dict[int, int] = {}
    if flags & 1:
        item_count, offset = _read_number(packed, offset)
        index = 0
        for _ in range(item_count):
            gap, offset = _read_number(packed, offset)
            index += gap
            derived.add(index)
    if flags & 2:
        item_count, offset = _read_number(packed, offset)
        index = moment = 0
        for _ in range(item_count):
            gap, offset = _read_number(packed, offset)
            index += gap
            gap, offset = _read_number(packed, offset)
            moment += _decode_zigzag(gap)
            times[index] = moment
    return [
        EventOrigin(start, length, times.get(index), "derived" if index in derived else "read")
        for index, (start, length) in enumerate(starts)
    ]


def _append_number(packed: bytearray, number: int) -> None:
    while number >= 128:
        packed.append(number & 127 | 128)
        number >>= 7
    packed.append(number)


def _read_number(packed: bytes, offset: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = packed[offset]
        offset += 1
        number |= (byte & 127) << shift
        if byte < 128:
            return number, offset
        shift += 7
        if shift > _MAX_BITS:
            raise IntegrityError("a place stored beside a commit's events is beyond all files")


def _decode_zigzag(number: int) -> int:
    return number >> 1 if not number & 1 else -((number + 1) >> 1)
