"""What a person names as a file is a file: pipes that nobody writes to and devices without end are none.

Looked at before it is opened: to open a pipe waits for whoever writes to it, for ever if nobody does.
A pipe that is open already, as `<(command)` makes one, is read like a file, but within bounds.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

from ledger.errors import NoFileError

OPEN_ALREADY: Final = ("/dev/fd/", "/proc/", "/dev/stdin")  # of this process; of /dev only these: /dev/shm holds files
_WORDS: Final = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def refuse_strange(path: str | Path) -> None:
    """Raise `NoFileError` if a path leads to a pipe, a socket or a device.

    Not for what this process has open already, nor for what is as good as an empty file, nor where
    there is nothing at all: whoever opens it says so.
    """
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - of a string, or of a path
    except (OSError, ValueError):
        return
    whole = os.path.abspath(path)  # noqa: PTH100 - a link would lead into the pipe
    if whole == os.devnull or whole.startswith(OPEN_ALREADY):
        return
    for is_one, words in _WORDS:
        if is_one(mode):
            raise NoFileError(str(path), words)


def contents(path: Path, most: int) -> bytes:
    """Return the bytes of a file, one more than `most` where it has more; `OSError` as `open` raises it."""
    refuse_strange(path)
    with path.open("rb") as file:
        return file.read(most + 1)
