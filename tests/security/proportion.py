"""Whether work grows with a source's length: `python -m tests.security.proportion --bytes 8000000 --find "checks"`.

The law of `test_long_hands`, one part at a time and at any size: the constructs of `long_hands`, or with `--format` those of
a format's samples (`all`: of every format), of which `--draw` are drawn. Each is repeated to half the bytes and to all of
them; the processor time of each step goes to standard error, as commands write to the output. The exit code is 1 where a
step takes more than 2.5 times as long.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Final, NamedTuple, TypeVar

import projections.audit.hand_profile
from tests.pace import spent
from tests.security.long_hands import MANY_SEATS, SLOW_HANDS, STEPS, Construct, every_format, of_format, read, sealed

T = TypeVar("T")
FACTOR: Final = 2.5
FELT: Final = 0.3
"""Seconds of this process; nobody waits for less."""
TURNS: Final = 12
"""How often two texts are measured that seem out of proportion: what else a machine does only ever adds to it."""
LONG_SECONDS, FEW_TURNS = 10, 2
"""Seconds from which few turns are enough: noise evens out in them."""


class Growth(NamedTuple):
    """The seconds that a step takes for half of a source, and for all of it."""

    construct: str
    step: str
    half: float
    whole: float

    @property
    def ratio(self) -> float:
        """How much more work twice the bytes are; 0 where nobody waits for it."""
        return self.whole / self.half if self.half and self.whole > FELT else 0.0

    @property
    def is_slow(self) -> bool:
        """Whether twice the bytes take more than 2.5 times the work, and anybody waits for it."""
        return self.whole > max(FELT, FACTOR * self.half)


def half_of_all() -> int:
    """Return half of the bytes that the law goes up to in `make laws`: of 8 MB, or of as many as are asked for."""
    return int(os.environ.get("HANDLEDGER_LAW_BYTES", "8000000")) // 2


def grows(step: Callable[[T], object], half: T, full: T) -> tuple[float, float]:
    """Return the seconds for a text and for one of twice its length, measured again where they are out of proportion."""
    # in this order: what is done once makes no half look slow
    full_time, half_time = spent(step, full), spent(step, half)
    if full_time <= max(FELT, FACTOR * half_time):
        return half_time, full_time  # noise only adds: what is in proportion once is so
    for _ in range(FEW_TURNS if full_time > LONG_SECONDS else TURNS):
        half_time, full_time = min(half_time, spent(step, half)), min(full_time, spent(step, full))
        if full_time <= max(FELT, FACTOR * half_time):
            break
    return half_time, full_time


def growths(construct: Construct, folder: Path, size: int, steps: Iterable[str] = STEPS) -> Iterator[Growth]:
    """Yield the work of each step for a text of about `size` bytes, and for one of twice as many."""
    half, full = (folder / f"{name}{construct.suffix}" for name in ("half", "whole"))
    half.write_text(construct.text(size), "utf-8")
    full.write_text(construct.text(2 * size), "utf-8")
    yield Growth(construct.name, "import", *grows(lambda path: read(path, folder), half, full))
    urls = read(half, folder), read(full, folder)
    if "evidence" in steps:
        for url in urls:
            sealed(url)
    for step in steps:
        yield Growth(construct.name, step, *grows(STEPS[step], *urls))


def _constructs(args: argparse.Namespace) -> list[Construct]:
    """Return the constructs that the command line asks for."""
    if not args.format:
        return [construct for construct in (*SLOW_HANDS, *MANY_SEATS) if args.find in construct.name]
    names = every_format() if args.format == "all" else [args.format]
    return [construct for name in names for construct in drawn_of(name, args.draw, args.seed, args.find)]


def drawn_of(name: str, many: int, seed: int, find: str = "") -> list[Construct]:
    """Return constructs of a format's samples with these words in their name, drawn at random; 0 = all."""
    constructs = [construct for construct in of_format(name) if find in construct.name]
    return Random(seed).sample(constructs, min(many, len(constructs))) if many else constructs


def _parsed(words: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="tests.security.proportion", description=__doc__)
    parser.add_argument("--bytes", type=int, default=500_000, help="the larger of the two sizes")
    parser.add_argument("--format", default="", help="a format, or all: constructs of its samples")
    parser.add_argument("--draw", type=int, default=10, help="how many constructs of each format, 0 for all")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--find", default="", help="only constructs with these words in their name")
    parser.add_argument("--steps", default=",".join(STEPS), help="what is measured after the import")
    parser.add_argument("--list", action="store_true", help="print the names of the constructs")
    return parser.parse_args(words)


def main(words: list[str] | None = None) -> int:
    """Print the work of each construct and step; return 1 where one is out of proportion."""
    args = _parsed(words)
    constructs = _constructs(args)
    if not constructs:
        sys.stderr.write("No construct has these words in its name; --list prints all names.\n")
        return 2
    if args.list:
        sys.stdout.write("".join(f"{construct.name}\n" for construct in constructs))
        return 0
    projections.audit.hand_profile.MAX_EVENTS = 10**9  # type: ignore[misc] # without the bound, as in the law
    steps = [step for step in args.steps.split(",") if step]
    slow = 0
    for construct in constructs:
        with tempfile.TemporaryDirectory() as folder:
            for growth in growths(construct, Path(folder), args.bytes // 2, steps):
                slow += growth.is_slow
                _print(growth)
    return min(slow, 1)


def _print(growth: Growth) -> None:
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    mark = "SLOW" if growth.is_slow else "ok"
    times = f"{growth.half:8.2f} {growth.whole:8.2f} s {growth.ratio:5.2f}x"
    sys.stderr.write(f"{mark:4} {growth.step:8} {times} {memory:6} MB  {growth.construct!r}\n")


if __name__ == "__main__":
    sys.exit(main())
