"""Programs that a test starts: they end with it, however it ends."""

from __future__ import annotations

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
