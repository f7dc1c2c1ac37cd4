"""Write and read key files: atomically, never over another, readable only by their owner."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from pathlib import Path
from typing import Final

MAX_KEY_BYTES: Final = 16384
"""Bytes of a key file at most."""

_NO_LINKS: Final = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK}
"""Errors of file systems without hard links: FAT, some network disks and containers."""


class OpenToOthersError(Exception):
    """A key file that others than its owner may read."""


def write_key_file(path: Path, data: bytes) -> None:
    """Write a new file that only its owner can read, durably. `FileExistsError` if there is one."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    except FileExistsError:
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)) from None
    handle, draft_name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")  # 0600
    draft = Path(draft_name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(draft, path)  # atomically, and never over another
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
            draft.replace(path)
        sync_folder(path.parent)
    finally:
        draft.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Make a folder's entries durable; Windows does so by itself."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read_key_file(path: Path) -> bytes:
    """Return the content of a key file, cut after `MAX_KEY_BYTES`; raises `OpenToOthersError`, `OSError`."""
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0)
    with os.fdopen(os.open(path, flags), "rb") as file:  # doesn't wait for a pipe in its place
        mode = os.fstat(file.fileno()).st_mode
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "it is no regular file")
        if os.name == "posix" and mode & 0o077:
            raise OpenToOthersError
        return file.read(MAX_KEY_BYTES + 1)
