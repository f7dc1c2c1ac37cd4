"""What every text format must stand: bytes cut out, changed, cut into chunks, other line ends."""

from __future__ import annotations

import random

from ledger.intake.byte_accounts import count_bytes as accounted
from ledger.notation import Chunk, Format, Item
from tests.formats.support import new_people


def not_read(form: Format, data: bytes, encoding: str = "utf-8") -> int:
    """How many bytes of a source are in no item and not blank."""
    chunk = Chunk(data, encoding=encoding)
    return accounted(chunk, list(form.read(chunk, new_people()))).not_read


def lost_when_cut(form: Format, raw: bytes, step: int = 7, width: int = 40) -> list[int]:
    """Where bytes are lost when a piece is cut out: [] = nowhere."""
    return [
        index
        for index in range(0, len(raw), step)
        for encoding in ("utf-8", "cp1252")
        if not_read(form, raw[:index] + raw[index + width :], encoding)
    ]


def mutated(data: bytes, rng: random.Random) -> bytes:
    """The same bytes with a few pieces doubled, cut out, moved or replaced."""
    for _ in range(rng.randint(1, 4)):
        index, size = rng.randrange(len(data) + 1), rng.randint(1, 40)
        piece = data[index : index + size]
        choice = rng.randrange(4)
        if choice == 0:
            data = data[:index] + data[index + size :]
        elif choice == 1:
            data = data[:index] + piece + data[index:]
        elif choice == 2:
            target = rng.randrange(len(data) + 1)
            data = data[:target] + piece + data[target:]
        else:
            new = bytes(rng.choice(b"[]()0123456789-:.,/$ \n\0\xffAa#*") for _ in piece)
            data = data[:index] + new + data[index + size :]
    return data


def in_chunks(form: Format, data: bytes, size: int) -> list[Item]:
    """The items of a source that is read in chunks of about so many bytes."""
    offset = 0
    items: list[Item] = []
    while offset < len(data):
        piece = data[offset : offset + size]
        cut = form.find_cut(piece, "utf-8") if offset + size < len(data) else len(piece)
        if not cut:
            size *= 2
            continue
        items += form.read(Chunk(piece[:cut], offset), new_people())
        offset += cut
    return items
