"""What the benchmarks share: CPU seconds of a piece of work, and a line for a ratio beside its goal."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from multiprocessing import forkserver
from pathlib import Path

from ledger.process.garbage_collector import tune_gc

tune_gc()  # as the program does

_TICK = os.sysconf("SC_CLK_TCK")


def measure_cpu(job: Callable[[], object]) -> float:
    """Return the CPU seconds of this process for `job`."""
    started_at = time.process_time()
    job()
    return time.process_time() - started_at


def measure_on_two_cores(job: Callable[[], object]) -> float:
    """Return the seconds that `job`, which works in this process and two others, takes on two idle cores.

    They come from CPU seconds: on a machine that others use, the clock says nothing. The server of the other processes
    loads modules while nobody else works; then three processes share two cores, and none is quicker than its own work.
    """
    server = forkserver._forkserver  # noqa: SLF001 - the standard library tells of it in no other way
    server._stop()  # noqa: SLF001 - the same; so that its start is counted
    own_seconds = measure_cpu(job)
    stat = Path(f"/proc/{server._forkserver_pid}/stat").read_text()  # noqa: SLF001 - the same
    user, system, below_user, below_system = (int(ticks) / _TICK for ticks in stat.rpartition(")")[2].split()[11:15])
    return user + system + max(own_seconds, (own_seconds + below_user + below_system) / 2)


def peak_memory() -> float:
    """Return the most memory that this process took so far, in MB.

    The kernel hands `ru_maxrss` down to a program that a process starts: it may be the peak of the one that started it.
    """
    status = Path("/proc/self/status").read_text()
    kilobytes = next(line for line in status.splitlines() if line.startswith("VmHWM:")).split()[1]
    return int(kilobytes) / 1024


def print_goal(name: str, value: float, goal: float, *, is_maximum: bool = False) -> None:
    """Print a ratio beside its goal."""
    is_reached = value <= goal if is_maximum else value >= goal
    sign = "≤" if is_maximum else "≥"
    print(f"  {name:<52} {value:8.2f}   goal {sign} {goal:<6g} {'reached' if is_reached else 'MISSED'}")
