"""Cut a source of any size into pieces that fit in memory, each at the start of a hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ledger.account import Reject
from ledger.intake.encoding import encode_line_end
from ledger.notation import Chunk, Format
from ledger.readers.hand_boundaries import cut_at_any_room

CHUNK_BYTES: Final = 2 * 1024 * 1024
"""Bytes read at a time."""

MAX_HAND_BYTES: Final = 16 * 1024 * 1024
"""A hand must begin within so many bytes, or they are no hands at all."""

ReadBytes = Callable[[int], bytes]
"""Returns at most so many of the next bytes of a source, b"" at its end."""


def split_chunks(
    read_bytes: ReadBytes,
    source_format: Format,
    encoding: str,
    source_name: str,
    chunk_start: int = 0,
    line_number: int = 1,
) -> Iterator[Chunk | Reject]:
    """Yield a source as chunks of complete hands, from byte `chunk_start` in line `line_number`.

    A stretch of more than MAX_HAND_BYTES bytes in which no hand begins is yielded as a reject.
    """
    buffer = read_bytes(CHUNK_BYTES)
    newline = encode_line_end(encoding)
    while buffer:
        next_block = read_bytes(CHUNK_BYTES)
        cut_end = source_format.find_cut(buffer, encoding) if next_block else len(buffer)
        while next_block and not cut_end and len(buffer) < MAX_HAND_BYTES:
            buffer += next_block
            next_block = read_bytes(len(buffer))  # doubling keeps the total work linear
            cut_end = source_format.find_cut(buffer, encoding) if next_block else len(buffer)
        cut_end = cut_end or cut_at_any_room(
            buffer, encoding
        )  # there may be very many hands of another room in between
        if cut_end:
            chunk_bytes = buffer[:cut_end]
            yield Chunk(
                chunk_bytes,
                chunk_start,
                line_number,
                encoding,
                source_name,
                last=not next_block and cut_end == len(buffer),
            )
            chunk_start += cut_end
            line_number += chunk_bytes.count(newline)
            buffer = buffer[cut_end:] + next_block
            continue
        length, line_count = len(buffer), buffer.count(newline)
        while next_block and not source_format.find_cut(next_block, encoding):
            length += len(next_block)
            line_count += next_block.count(newline)
            next_block = read_bytes(CHUNK_BYTES)
        yield Reject(
            chunk_start,
            length,
            line_number,
            "too-long",
            f"{length // (1024 * 1024)} MB without the beginning of a hand",
            "Is this really a hand history? Look at it with another program.",
        )
        chunk_start += length
        line_number += line_count
        buffer = next_block
