"""A source of any size in pieces that fit in little memory, each cut where a hand begins."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ledger.account import Reject
from ledger.intake.encoding import line_end
from ledger.notation import Chunk, Format
from ledger.readers.hand_boundaries import cut_at_any_room

CHUNK_BYTES: Final = 2 * 1024 * 1024
"""Bytes read at a time."""

MAX_HAND_BYTES: Final = 16 * 1024 * 1024
"""The most bytes in which a hand has to begin anew; more are no hands, whatever they are."""

ReadBytes = Callable[[int], bytes]
"""Up to so many of the next bytes of a source, b"" at its end."""


def split_chunks(
    read: ReadBytes, form: Format, encoding: str, name: str, start: int = 0, line: int = 1
) -> Iterator[Chunk | Reject]:
    """Yield the source from byte `start`, which is in line `line`, as chunks of whole hands.

    A stretch of more than HAND_MOST bytes in which no hand begins is yielded as a reject.
    """
    buffer = read(CHUNK_BYTES)
    newline = line_end(encoding)
    while buffer:
        more = read(CHUNK_BYTES)
        cut = form.cut(buffer, encoding) if more else len(buffer)
        while more and not cut and len(buffer) < MAX_HAND_BYTES:
            buffer += more
            more = read(len(buffer))  # doubling keeps the work in proportion
            cut = form.cut(buffer, encoding) if more else len(buffer)
        cut = cut or cut_at_any_room(buffer, encoding)  # very many hands of another room may lie between two
        if cut:
            done = buffer[:cut]
            yield Chunk(done, start, line, encoding, name, last=not more and cut == len(buffer))
            start += cut
            line += done.count(newline)
            buffer = buffer[cut:] + more
            continue
        length, lines = len(buffer), buffer.count(newline)
        while more and not form.cut(more, encoding):
            length += len(more)
            lines += more.count(newline)
            more = read(CHUNK_BYTES)
        yield Reject(
            start,
            length,
            line,
            "too-long",
            f"{length // (1024 * 1024)} MB without the beginning of a hand",
            "Is this really a hand history? Look at it with another program.",
        )
        start += length
        line += lines
        buffer = more
