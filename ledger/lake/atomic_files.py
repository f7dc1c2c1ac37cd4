"""Write the files of a lake atomically: each one appears complete under its name, or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import file_digest
from pathlib import Path
from typing import Final

from ledger.files.key_files import sync_folder
from ledger.lake import lake_errors

DRAFT_PREFIX: Final = ".draft-"
"""The prefix of the name of an incomplete file."""


@contextmanager
def open_draft(folder: Path) -> Iterator[Path]:
    """Lend the path of a temporary file; it is deleted when the block ends, unless `rename_draft` renamed it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor, draft_name = tempfile.mkstemp(dir=folder, prefix=DRAFT_PREFIX)
    except OSError as error:
        raise lake_errors.file_unwritable(folder, error.strerror or str(error)) from error
    os.close(descriptor)
    try:
        yield Path(draft_name)
    finally:
        Path(draft_name).unlink(missing_ok=True)


def rename_draft(draft_path: Path, file_path: Path) -> None:
    """Rename a complete draft to its final name, durably."""
    try:
        with draft_path.open("rb") as draft_file:
            os.fsync(draft_file.fileno())
        draft_path.chmod(0o644)
        draft_path.replace(file_path)
        sync_folder(file_path.parent)
    except OSError as error:
        raise lake_errors.file_unwritable(file_path, error.strerror or str(error)) from error


@contextmanager
def open_replacement(file_path: Path) -> Iterator[Path]:
    """Lend the path of a draft, which replaces `file_path` if the block ends without an error."""
    with open_draft(file_path.parent) as draft_path:
        yield draft_path
        rename_draft(draft_path, file_path)


def write_file(file_path: Path, content: bytes) -> None:
    """Write a small file atomically."""
    with open_replacement(file_path) as draft_path:
        draft_path.write_bytes(content)


def hash_file(file_path: Path) -> str:
    """Return the SHA-256 of a file, hex."""
    with file_path.open("rb") as opened_file:
        return file_digest(opened_file, "sha256").hexdigest()
