"""Folders for what a run makes: in memory where there is room, gone when it ends."""

from __future__ import annotations

import atexit
import shutil
from pathlib import Path
from tempfile import mkdtemp

_MEMORY = Path("/dev/shm")


def scratch_folder() -> Path:
    """Return a new folder."""
    folder = Path(mkdtemp(prefix="handledger-fuzz-", dir=_MEMORY if _MEMORY.is_dir() else None))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder
