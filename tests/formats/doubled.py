"""Constructs of a format's samples, repeated: what the work of reading them grows like."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from ledger import formats
from ledger.intake.byte_accounts import count_bytes
from ledger.intake.chunk_preparation import ChunkOrigin, prepare_chunk
from ledger.intake.encoding import convert_to_utf8
from ledger.notation import Chunk
from ledger.people import People
from tests.formats.pumped import Pump, pumps
from tests.formats.support import samples

SIZE: Final = 12_000
FACTOR: Final = 2.5
LITTLE: Final = 0.2


def every_pump(name: str) -> Iterator[Pump]:
    """Yield all constructs of a format's samples, each shape once."""
    shapes: set[tuple[str, ...]] = set()
    for path in samples(name):
        yield from pumps(path.read_text(encoding="utf-8"), shapes)


def work(name: str, text: str, counter: list[float]) -> float:
    """Return the work from the bytes of a source to what can be stored."""
    form, data = formats.get(name), text.encode()
    chunk = Chunk(data, name="pumped.txt")
    counter[0] = 0.0
    form.sniff(convert_to_utf8(data[: 64 * 1024], "utf-8"))
    form.find_cut(data, "utf-8")
    count_bytes(chunk, prepare_chunk(form, chunk, People(bytes(32)), ChunkOrigin("0" * 64, 0)))
    return counter[0]


def grown(name: str, random: Random, many: int, counter: list[float]) -> list[tuple[str, list[int]]]:
    """Return constructs, drawn at random (0 = all), whose work more than FACTOR-folds where they double."""
    every = list(every_pump(name))
    chosen = every if not many else random.sample(every, min(many, len(every)))
    constructs = []
    for pump in chosen:
        turns = max(SIZE // len(pump.unit), 2)
        works = [work(name, pump.text(turns * times * len(pump.unit)), counter) for times in (1, 2, 4)]
        if grows(works, turns * len(pump.unit)):
            constructs.append((pump.what, [round(amount) for amount in works]))
    return constructs


def grows(works: list[float], size: int) -> bool:
    """Whether the work of sizes 1, 2 and 4 grows faster than in proportion.

    What is done once, however long a source is, is left out, unless it is most of all work: then the
    first of them is below a bound that refuses the others. What is less than LITTLE a byte is nothing
    that anybody waits for, at any size.
    """
    single, double, fourfold = works
    return fourfold - double > FACTOR * max(double - single, LITTLE * size) and fourfold > 2.2 * max(single, double)
