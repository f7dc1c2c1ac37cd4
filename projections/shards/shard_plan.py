"""The plan of `import --to-shards`, which writes a lake from files without a ledger.

It's made before any file is read, so that a resumed import does the same work. The lake's hands are divided into
shards, and each shard is a log of its own.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import Final, NamedTuple

import msgspec

from ledger import __version__
from ledger.errors import IntegrityError, NothingFoundError
from ledger.intake.files import find_files
from ledger.lake import layout
from ledger.store.people import people_key
from projections.shards import shard_errors
from projections.shards.json_files import read_json, write_json

if sys.platform != "win32":
    import fcntl

WORK: Final = ".import"
"""The folder inside a lake for the files of an unfinished import. It's removed when the lake is complete."""

_PLAN: Final = "plan.json"
_TASK_BYTES: Final = 64 * 1024 * 1024
"""About how many bytes of files one task reads and stores in one file of sources."""
_HAND_BYTES: Final = 1_200
"""About how many bytes of text a hand takes."""
_COMPRESSED: Final = frozenset({".gz", ".zip", ".zst"})
_COMPRESSION_RATIO: Final = 8
"""About how many bytes of text one byte of a compressed file contains."""
_MAX_SHARDS: Final = 10_000


class InputFile(msgspec.Struct, frozen=True, array_like=True):
    """A file to import, as it was when the plan was made."""

    name: str  # as the user typed it; untrusted text
    path: str
    size: int  # bytes
    changed: int  # time of the last change, in nanoseconds

    @property
    def weight(self) -> int:
        """About how many bytes of text it contains."""
        return self.size * (_COMPRESSION_RATIO if Path(self.name).suffix.lower() in _COMPRESSED else 1)


class Plan(
    msgspec.Struct,
    rename={
        "ledger_id": "ledger",
        "id_statement": "ids",
        "imported_at": "at",
        "forced_format": "forced",
        "shard_count": "shards",
        "input_digest": "made_of",
    },
):
    """The plan of an import. It's stored in the folder of an unfinished import.

    Some fields have older names in JSON, so that an import can be resumed that an earlier version began.
    """

    version: str  # of the program
    ledger_id: str  # of the lake
    id_statement: str  # how player ids are made from names, with a statement of the key
    imported_at: int  # the recorded time of the import, in ms
    forced_format: str  # the format that the user named for all files, or "" to recognize each by its content
    shard_count: int  # how many shards to write
    input_digest: str  # of the files and options, hex
    tasks: list[list[InputFile]]  # the files of each reading task


class KeyedPlan(NamedTuple):
    """A plan with the secret that player ids are made with."""

    plan: Plan
    secret: bytes
    created_key_file: Path | None  # the key file that this import made, or None if it existed already


def list_input_files(paths: Sequence[str | Path], folder: Path) -> list[InputFile]:
    """Return the files to read, in order. `folder` is the lake, and files inside it don't count.

    `NothingFoundError` if there are none.
    """
    files = []
    for name in find_files(paths):
        path = Path(name).absolute()
        if path.is_relative_to(folder.absolute()):
            continue
        try:
            file_status = path.stat()
        except OSError as error:
            raise shard_errors.file_unreadable(name, error.strerror or "") from error
        files.append(InputFile(name, str(path), file_status.st_size, file_status.st_mtime_ns))
    if not files:
        raise shard_errors.only_own_files(folder)
    return files


def digest_input(files: Sequence[InputFile], forced: str, hands_per_shard: int) -> str:
    """Return one digest, in hex, over the options and the files: names, paths, sizes and times of change."""
    described_input = [[[file.name, file.path, file.size, file.changed] for file in files], forced, hands_per_shard]
    return sha256(json.dumps(described_input).encode("ascii")).hexdigest()


def find_existing_lake(folder: Path, input_digest_hex: str) -> layout.LakeManifest | None:
    """Return the manifest of a complete lake that was made of the same files.

    Return None if the import may write there: the folder is missing, is empty or contains an unfinished import.
    Raise `UsageError` if it contains anything else.
    """
    if layout.is_lake(folder):
        manifest = layout.read_manifest(folder)
        if manifest.straight is None:
            raise shard_errors.lake_of_ledger(folder)
        if manifest.straight.made_of != input_digest_hex:
            raise shard_errors.lake_of_other_files(folder)
        return manifest
    try:
        may_write = _may_write_lake(folder)
    except OSError as error:
        raise shard_errors.folder_unreadable(folder, error.strerror or str(error)) from error
    if not may_write:
        raise shard_errors.folder_in_use(folder)
    return None


def _may_write_lake(folder: Path) -> bool:
    """Whether a folder is missing, is empty or contains an unfinished import."""
    if (folder / WORK / _PLAN).is_file() or not folder.exists():
        return True
    # An import that ended before it stored a plan leaves at most the folder for its work.
    return folder.is_dir() and all(entry.name == WORK for entry in folder.iterdir())


@contextmanager
def lock_lake(folder: Path) -> Iterator[None]:
    """Lock the folder of a lake; `LedgerBusyError` if another import has locked it.

    The system releases the lock when the process ends. Where folders can't be locked (Windows, some network drives),
    this does nothing.
    """
    if sys.platform == "win32":
        yield
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise shard_errors.folder_not_made(folder, error.strerror or "") from error
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise shard_errors.other_import_running(folder) from None
        except OSError:  # the file system has no locks
            pass
        yield
    finally:
        os.close(descriptor)


def load_or_make_plan(
    folder: Path,
    files: Sequence[InputFile],
    input_digest_hex: str,
    forced: str,
    hands_per_shard: int,
    key_path: Path | None,
    imported_at: int,
) -> KeyedPlan:
    """Load the plan of an unfinished import of these files by this program version, or else make and store a plan.

    If the unfinished import was of other files or by another version, delete its work, and keep only its ledger id
    and key. `key_path` is the user's key file, or None for the usual place. Raise an error if an unfinished import's
    key is missing.
    """
    stored_plan = _read_stored_plan(folder / WORK / _PLAN)
    created_key_file = None
    if stored_plan is None:
        ledger_id = token_hex(16)
        secret, created_key_file = people_key.prepare_secret(ledger_id, key_path)
    else:
        ledger_id = stored_plan.ledger_id
        secret = _load_secret(stored_plan, folder, key_path)
        if stored_plan.input_digest == input_digest_hex and stored_plan.version == __version__:
            return KeyedPlan(stored_plan, secret, None)
        _discard_work(folder)
    weight = sum(file.weight for file in files)
    plan = Plan(
        version=__version__,
        ledger_id=ledger_id,
        id_statement=str(people_key.build_key_statement(secret, "salted")),
        imported_at=imported_at,
        forced_format=forced,
        shard_count=min(_MAX_SHARDS, max(1, round(weight / (_HAND_BYTES * hands_per_shard)))),
        input_digest=input_digest_hex,
        tasks=_divide_into_tasks(files),
    )
    write_json(folder / WORK / _PLAN, plan)
    return KeyedPlan(plan, secret, created_key_file)


def _load_secret(stored_plan: Plan, folder: Path, key_path: Path | None) -> bytes:
    """Return the secret of an unfinished import. Raise an error if its key is missing."""
    key_statement = people_key.read_key_statement(stored_plan.id_statement)
    key_lookup = people_key.find_secret(stored_plan.ledger_id, key_statement, key_path)
    if key_lookup.secret is None:
        raise key_lookup.trouble or IntegrityError(
            f"the key for the player ids in {folder} is missing", people_key.KEY_HINT
        )
    return key_lookup.secret


def _discard_work(folder: Path) -> None:
    """Delete what an unfinished import has written, its plan included."""
    for name in ("shards", "sources", WORK):
        shutil.rmtree(folder / name, ignore_errors=True)


def _read_stored_plan(path: Path) -> Plan | None:
    """Return the plan of an unfinished import, or None if there's none or its file is damaged."""
    try:
        return read_json(path, Plan)
    except NothingFoundError:  # missing or damaged
        return None


def _divide_into_tasks(files: Sequence[InputFile]) -> list[list[InputFile]]:
    """Divide the files, in order, into tasks of at most `_TASK_BYTES` bytes of text. A larger file is a task alone."""
    tasks: list[list[InputFile]] = [[]]
    weight = 0
    for file in files:
        if tasks[-1] and weight + file.weight > _TASK_BYTES:
            tasks.append([])
            weight = 0
        tasks[-1].append(file)
        weight += file.weight
    return tasks
