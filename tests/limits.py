"""Bounds on what a call may use of this process."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


class OutOfTimeError(BaseException):
    """A call took more CPU time than it may. No `except Exception` of the program catches it."""


@contextmanager
def cpu_time_limit(seconds: float) -> Iterator[None]:
    """Raise `OutOfTimeError` once the block has used so many CPU seconds; other programs' time does not count."""

    def on_alarm(*_: object) -> None:
        raise OutOfTimeError

    old_handler = signal.signal(signal.SIGPROF, on_alarm)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, old_handler)
