"""Run one input and say what is wrong: an exception, too much work, time or memory."""

from __future__ import annotations

import resource
import sys
import traceback
from collections.abc import Mapping, MutableMapping
from pathlib import Path
from time import process_time
from typing import Final, NamedTuple

from tests.conftest import ROOT
from tests.fuzz.instrument import PACKAGES
from tests.fuzz.target import Target
from tests.limits import OutOfTimeError, cpu_time_limit

SECONDS_MOST: Final = 20.0
"""CPU seconds after which a run is ended."""
SECONDS: Final = 1.0
"""What any run may take, beside its target's seconds per byte."""
MEMORY: Final = 64 << 20
MEMORY_PER_BYTE: Final = 2_000
ADDRESS_SPACE: Final = 6 << 30


OF_THE_MACHINE: Final = ("too slow", "too much memory", "no end")
"""How faults begin that may be the machine's, or an import's."""


class Fault(NamedTuple):
    """Something wrong: `kind` is the same for the same cause, `detail` is for people."""

    kind: str
    detail: str


def find_fault(target: Target, data: bytes, counts: Mapping[str, int]) -> Fault | None:
    """Run one input; return what is wrong, None if nothing is."""
    seconds, memory = process_time(), _peak_memory()
    try:
        with cpu_time_limit(SECONDS_MOST):
            target.run(data)
    except OutOfTimeError:
        return Fault(f"no end: {_hottest(counts)}", f"ended after {SECONDS_MOST:.0f} CPU seconds")
    except Exception as error:  # noqa: BLE001 - whatever leaves a target is what is looked for
        return Fault(_kind(error), "".join(traceback.format_exception(error, limit=-12)))
    seconds, memory = process_time() - seconds, _peak_memory() - memory
    work, work_most = sum(counts.values()), target.work + target.work_per_byte * len(data)
    if work > work_most:
        text = f"{work:,} blocks ran for {len(data):,} bytes; {work_most:,} are allowed"
        return Fault(f"too much work: {_hottest(counts)}", text)
    if seconds > SECONDS + target.seconds_per_byte * len(data):
        return Fault(f"too slow: {_hottest(counts)}", f"{seconds:.1f} CPU seconds for {len(data):,} bytes")
    if memory > MEMORY + MEMORY_PER_BYTE * len(data):
        return Fault(f"too much memory: {_hottest(counts)}", f"{memory >> 20} MB for {len(data):,} bytes")
    return None


def find_lasting_fault(target: Target, data: bytes, counts: MutableMapping[str, int]) -> Fault | None:
    """Run one input; once more where the first run may only have been slow because it was the first."""
    counts.clear()
    fault = find_fault(target, data, counts)
    if fault is None or not fault.kind.startswith(OF_THE_MACHINE):
        return fault
    counts.clear()
    return find_fault(target, data, counts)


def limit_memory() -> None:
    """Let an allocation beyond `ADDRESS_SPACE` fail, so that it is found and not the machine's end."""
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE, hard))


def _peak_memory() -> int:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak << 10


def _hottest(counts: Mapping[str, int]) -> str:
    if not counts:
        return "where, is not known"
    return max(counts, key=lambda block: counts[block]).rpartition(":")[0]


def _kind(error: Exception) -> str:
    """Return the class of an error and the innermost line of ours that it came through."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if _module(frame.filename).partition(".")[0] in PACKAGES]
    last = (ours or frames)[-1]
    law = f" {error}"[:80] if not ours or isinstance(error, AssertionError) else ""
    return f"{type(error).__name__} at {_module(last.filename)}.{last.name}:{last.lineno}{law}"


def _module(file: str) -> str:
    path = Path(file)
    return ".".join(path.relative_to(ROOT).with_suffix("").parts) if path.is_relative_to(ROOT) else path.stem
