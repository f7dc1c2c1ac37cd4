"""Files that hold a key: made whole or not at all, never over another, for their owner alone."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from pathlib import Path
from typing import Final

MOST: Final = 16384
"""Bytes of a key file."""

_NO_LINKS: Final = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}
"""What file systems answer that know no hard links: FAT, some network disks and containers."""


class OpenToOthersError(Exception):
    """Others than its owner may read a key file."""


def make(path: Path, data: bytes) -> None:
    """Write a new file that only its owner can read, durably. `FileExistsError` if there is one."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except FileExistsError:
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)) from None
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")  # 0600
    draft = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(draft, path)  # whole or not at all, and never over another
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            draft.replace(path)
        sync(path.parent)
    finally:
        draft.unlink(missing_ok=True)


def sync(folder: Path) -> None:
    """Make a folder's list of names last; Windows does so by itself."""
    if os.name != "posix":
        return
    place = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(place)
    finally:
        os.close(place)


def read(path: Path) -> bytes:
    """Return what a key file holds, cut behind `MOST` bytes; `OpenToOthersError`, `OSError`."""
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
    with os.fdopen(os.open(path, flags), "rb") as file:  # a pipe in its place does not make us wait
        mode = os.fstat(file.fileno()).st_mode
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "it is no regular file")
        if os.name == "posix" and mode & 0o077:
            raise OpenToOthersError
        return file.read(MOST + 1)
