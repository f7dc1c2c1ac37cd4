"""Refuse paths that aren't files: pipes without a writer and endless devices.

The check comes before opening: opening a pipe waits for a writer, for ever if there is none. A pipe that
is open already, as in `<(command)`, is read like a file, but within bounds.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

from ledger.errors import NoFileError

OPEN_FILE_PATHS: Final = (
    "/dev/fd/",
    "/proc/",
    "/dev/stdin",
)  # of this process; of /dev only these: /dev/shm holds files
_KIND_WORDS: Final = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def refuse_strange(path: str | Path) -> None:
    """Raise `NoFileError` if a path leads to a pipe, a socket or a device.

    Accepts files that this process has open already, the null device, and missing files: opening those fails.
    """
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - of a string, or of a path
    except (OSError, ValueError):
        return
    absolute_path = os.path.abspath(path)  # noqa: PTH100 - a link would lead into the pipe
    if absolute_path == os.devnull or absolute_path.startswith(OPEN_FILE_PATHS):
        return
    for is_one, words in _KIND_WORDS:
        if is_one(mode):
            raise NoFileError(str(path), words)


def read_contents(path: Path, max_bytes: int) -> bytes:
    """Return the bytes of a file, at most `max_bytes` and one more; raises `OSError` as `open` does."""
    refuse_strange(path)
    with path.open("rb") as file:
        return file.read(max_bytes + 1)
