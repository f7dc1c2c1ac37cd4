"""Whatever stands in a source twice as often takes about twice the time: `python -m tests.torture.doubling`.

Every construct of every sample of every format is repeated until it fills 64 KB, and wherever that took
long or more than in proportion, until it fills 8 MB. What is measured is this process's own processor
time from the first byte to hands that are ready to be stored. The law that the tests keep counts work
instead (`tests/formats/test_doubling.py`); this looks for what no count sees: what is slow within C.
"""

from __future__ import annotations

import argparse
import gc
import signal
import sys
import time
from collections.abc import Iterator
from typing import Final

from ledger import formats
from ledger.intake.byte_accounts import count_bytes
from ledger.intake.chunk_preparation import ChunkOrigin, prepare_chunk
from ledger.intake.encoding import convert_to_utf8
from ledger.notation import Chunk, Format
from ledger.people import People
from tests.formats.pumped import Pump, pumps
from tests.formats.support import samples

SMALL: Final = 16 * 1024
MAX_BYTES: Final = 8 * 1024 * 1024
FACTOR: Final = 2.5
FELT: Final = 0.02
PATIENCE: Final = 20.0


class TooLongError(BaseException):
    """No `Exception`: nobody but us may catch it."""


def _stop(*_: object) -> None:
    raise TooLongError


def spent(form: Format, data: bytes) -> float:
    """Return the processor's seconds from bytes to what can be stored; PATIENCE if it takes longer."""
    chunk = Chunk(data, name="pumped.txt")
    gc.collect()
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    start = time.process_time()
    try:
        form.sniff(convert_to_utf8(data[: 64 * 1024], "utf-8"))
        form.find_cut(data, "utf-8")
        count_bytes(chunk, prepare_chunk(form, chunk, People(bytes(32)), ChunkOrigin("0" * 64, 0)))
        return time.process_time() - start
    except TooLongError:
        return PATIENCE
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def growth(form: Format, pump: Pump, max_size: int) -> tuple[int, float, float] | None:
    """Return size, seconds at half of it and at it, where the time more than FACTOR-folds; None if nowhere."""
    size, time_before = SMALL, spent(form, pump.text(SMALL).encode())
    while size < max_size:
        size *= 4
        time_now = spent(form, pump.text(size).encode())
        if time_now > FELT and time_now > time_before * FACTOR**2:
            half, double = _least(form, pump, size)
            if double > FELT and double > FACTOR * half:
                return size, half, double
        if size >= 4 * SMALL and time_now < _suspicious(size) and time_now < 5 * time_before:
            return None
        time_before = time_now
    return None


def _suspicious(size: int) -> float:
    """Return the seconds that a text of this size may take without being looked at at a larger one."""
    return size / 400_000


def _least(form: Format, pump: Pump, size: int) -> tuple[float, float]:
    """Return the least of some turns, of half the size and of all."""
    texts = [pump.text(size // 2).encode(), pump.text(size).encode()]
    turns = [[spent(form, text) for text in texts] for _ in range(3)]
    half, double = (min(times) for times in zip(*turns, strict=True))
    return half, double


def every_pump(name: str) -> Iterator[Pump]:
    """Yield all constructs of a format's samples, each shape once."""
    seen_pumps: set[tuple[str, ...]] = set()
    for path in samples(name):
        yield from pumps(path.read_text(encoding="utf-8"), seen_pumps)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="formats; all if none is named")
    parser.add_argument("--most", type=int, default=MAX_BYTES, help="bytes")
    options = parser.parse_args()
    signal.signal(signal.SIGVTALRM, _stop)
    gc.freeze()
    wrong = count = 0
    for name in options.names or formats.NAMES:
        form, start, pump_count = formats.get(name), time.process_time(), 0
        for pump in every_pump(name):
            pump_count += 1
            measured = growth(form, pump, options.most)
            if measured is not None:
                wrong += 1
                size, half, double = measured
                print(f"{name}: {pump.what}: {size >> 11} KB {half:.2f} s, {size >> 10} KB {double:.2f} s", flush=True)
        count += pump_count
        print(f"{name}: {pump_count} constructs in {time.process_time() - start:.0f} s", flush=True)
    print(
        f"{count:,} constructs of {len(options.names or formats.NAMES)} formats: {wrong} grow faster than {FACTOR} to the doubling"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
