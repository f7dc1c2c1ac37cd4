"""What the benchmarks share: CPU seconds of a piece of work, and a line for a ratio beside its goal."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from multiprocessing import forkserver
from pathlib import Path

from ledger.garbage import rarely_swept

rarely_swept()  # as the program does

_TICK = os.sysconf("SC_CLK_TCK")


def cpu(job: Callable[[], object]) -> float:
    """Return the CPU seconds of this process for `job`."""
    before = time.process_time()
    job()
    return time.process_time() - before


def on_two_cores(job: Callable[[], object]) -> float:
    """Return the seconds that `job`, which works in two processes, takes by the clock on two idle cores, by CPU seconds.

    That is as long as this process works, or as long as the server of the others loads modules and half of what they do:
    on a machine that others use, the clock says nothing.
    """
    server = forkserver._forkserver  # noqa: SLF001 - the standard library tells of it in no other way
    server._stop()  # noqa: SLF001 - the same; so that its start is counted
    own = cpu(job)
    told = Path(f"/proc/{server._forkserver_pid}/stat").read_text()  # noqa: SLF001 - the same
    user, system, below_user, below_system = map(int, told.rpartition(")")[2].split()[11:15])
    return max(own, (user + system + (below_user + below_system) / 2) / _TICK)


def line(name: str, found: float, goal: float, *, most: bool = False) -> None:
    """Print a ratio beside its goal."""
    reached = found <= goal if most else found >= goal
    sign = "≤" if most else "≥"
    print(f"  {name:<52} {found:8.2f}   goal {sign} {goal:<6g} {'reached' if reached else 'MISSED'}")
