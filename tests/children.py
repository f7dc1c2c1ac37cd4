"""Programs that a test starts: they end with it, however it ends."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def child(command: Sequence[str | Path], **options: Any) -> Iterator[subprocess.Popen[Any]]:
    """Start a program, options as `subprocess.Popen` takes them; kill it when the block is left.

    `Popen`'s own block waits for the program instead: a test that ran out of time, or failed while
    the program went on, then never ended.
    """
    with subprocess.Popen(command, **options) as running:
        try:
            yield running
        finally:
            running.kill()  # nothing is done to one that has ended


@contextmanager
def children_hear_signals() -> Iterator[None]:
    """Start programs without the ignored signals of this process, which goes on ignoring them."""
    ignored = [number for number in (signal.SIGINT, signal.SIGHUP) if signal.getsignal(number) is signal.SIG_IGN]
    for number in ignored:
        signal.signal(number, _do_nothing)
    try:
        yield
    finally:
        for number in ignored:
            signal.signal(number, signal.SIG_IGN)


def _do_nothing(*_: object) -> None:
    """Take a signal without effect."""
