"""The plan of a direct import, made before any file is read, so that a resumed import repeats it."""

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
from typing import Final, NamedTuple, TypeVar

import msgspec

from ledger import __version__
from ledger.errors import IntegrityError, LedgerBusyError, NothingFoundError, SourceError, UsageError
from ledger.intake.files import on_disk
from ledger.lake import layout, whole_files
from ledger.store.people import people_key

WORK: Final = ".import"
"""The folder within a lake for an unfinished import; gone when the lake is complete."""

_PLAN: Final = "plan.json"
_TASK_BYTES: Final = 64 * 1024 * 1024
"""Bytes of files that are read in one task, and kept in one file of sources."""
_HAND_BYTES: Final = 1_200
"""Bytes of text that a hand takes, about."""
_COMPRESSED: Final = frozenset({".gz", ".zip", ".zst"})
_COMPRESSION_RATIO: Final = 8
"""Bytes out of an archive for one in, about."""
_MAX_SHARDS: Final = 10_000

if sys.platform != "win32":
    import fcntl

_Type = TypeVar("_Type")


class InputFile(msgspec.Struct, frozen=True, array_like=True):
    """A file as it was when the plan was made."""

    name: str  # as it was named; hostile
    path: str
    size: int
    changed: int  # nanoseconds

    @property
    def weight(self) -> int:
        """How many bytes of text are in it, about."""
        return self.size * (_COMPRESSION_RATIO if Path(self.name).suffix.lower() in _COMPRESSED else 1)


class Plan(msgspec.Struct):
    """The plan: the files of each task, and the number of shards for their tables."""

    version: str  # of the program
    ledger: str  # id
    ids: str  # how ids are made
    at: int  # when all of it counts as imported
    forced: str  # name of a format, "" = by content
    shards: int
    made_of: str  # digest of the files, and of what was asked for
    tasks: list[list[InputFile]]


class ResumedPlan(NamedTuple):
    """A plan, the secret of its ids, and the file of a newly made key."""

    plan: Plan
    secret: bytes
    key_made: Path | None


def input_files(paths: Sequence[str | Path], folder: Path) -> list[InputFile]:
    """Return the files to read, in order, without those in the lake's own folder."""
    files = []
    for name in on_disk(paths):
        path = Path(name).absolute()
        if path.is_relative_to(folder.absolute()):
            continue
        try:
            file_status = path.stat()
        except OSError as error:
            raise SourceError(f"{name}: {(error.strerror or 'cannot be read').lower()}") from error
        files.append(InputFile(name, str(path), file_status.st_size, file_status.st_mtime_ns))
    if not files:
        raise NothingFoundError(f"no files but those of the lake in {folder}", "Name the files of hands.")
    return files


def input_digest(files: Sequence[InputFile], forced: str, hands: int) -> str:
    """Return the digest of these files as they are now."""
    described_input = [[[file.name, file.path, file.size, file.changed] for file in files], forced, hands]
    return sha256(json.dumps(described_input).encode("ascii")).hexdigest()


def existing_lake(folder: Path, input_digest_hex: str) -> layout.LakeManifest | None:
    """Return the lake in a folder if it was made of the same files; refuse anything else."""
    if layout.is_lake(folder):
        manifest = layout.read_manifest(folder)
        if manifest.straight is None:
            raise UsageError(f"the lake in {folder} is of a ledger", "Name another folder.")
        if manifest.straight.made_of != input_digest_hex:
            raise UsageError(
                f"the lake in {folder} was made of other files, or in other shards",
                "Name another folder. To add files to a lake, make a new one from all files.",
            )
        return manifest
    try:
        has_other_content = folder.exists() and (
            not folder.is_dir() or any(entry.name != WORK for entry in folder.iterdir())
        )
    except OSError as error:
        raise UsageError(f"{folder} cannot be read: {error.strerror}", "Name another folder.") from error
    if has_other_content and not (folder / WORK / _PLAN).is_file():
        raise UsageError(f"something else lies in {folder}", "Name a folder that is empty, or not there yet.")
    return None


@contextmanager
def lake_lock(folder: Path) -> Iterator[None]:
    """Lock the folder of a lake; `LedgerBusyError` if another import holds the lock.

    The system releases the lock when its process ends. Where folders cannot be locked (Windows, some network
    drives) there is no lock.
    """
    if sys.platform == "win32":
        yield
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise SourceError(f"{folder}: {(error.strerror or 'cannot be made').lower()}") from error
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise LedgerBusyError(
                f"another import --to-shards is making a lake in {folder}",
                "Wait until it is done, or name another folder.",
            ) from None
        except OSError:  # no locks here
            pass
        yield
    finally:
        os.close(descriptor)


def resume_plan(
    folder: Path,
    files: Sequence[InputFile],
    input_digest_hex: str,
    forced: str,
    hands: int,
    key: Path | None,
    imported_at: int,
) -> ResumedPlan:
    """Return the plan to resume if it has the same files, or else a new plan.

    A new plan keeps the ledger id and the key of an unfinished import of other files, and nothing else of it.
    """
    path = folder / WORK / _PLAN
    stored_plan = _stored_plan(path)
    if stored_plan is not None:
        own_key = people_key.read_key_statement(stored_plan.ids)
        found_key = people_key.find_secret(stored_plan.ledger, own_key, key)
        if found_key.secret is None:
            raise found_key.trouble or IntegrityError(
                f"the key of the ids in {folder} is not at hand", people_key.KEY_HINT
            )
        if stored_plan.made_of == input_digest_hex and stored_plan.version == __version__:
            return ResumedPlan(stored_plan, found_key.secret, None)
        for name in ("shards", "sources", WORK):
            shutil.rmtree(folder / name, ignore_errors=True)
        ledger, secret, key_file = stored_plan.ledger, found_key.secret, None
    else:
        ledger = token_hex(16)
        secret, key_file = people_key.prepare_secret(ledger, key)
    ids = str(people_key.state_key(secret, "salted"))
    weight = sum(file.weight for file in files)
    shards = min(_MAX_SHARDS, max(1, round(weight / (_HAND_BYTES * hands))))
    plan = Plan(__version__, ledger, ids, imported_at, forced, shards, input_digest_hex, _tasks(files))
    write_json(path, plan)
    return ResumedPlan(plan, secret, key_file)


def _stored_plan(path: Path) -> Plan | None:
    try:
        return read_json(path, Plan)
    except NothingFoundError:
        return None


def _tasks(files: Sequence[InputFile]) -> list[list[InputFile]]:
    tasks: list[list[InputFile]] = [[]]
    weight = 0
    for file in files:
        if tasks[-1] and weight + file.weight > _TASK_BYTES:
            tasks.append([])
            weight = 0
        tasks[-1].append(file)
        weight += file.weight
    return tasks


def write_json(path: Path, value: object) -> None:
    """Write plain values, whole or not at all; names of files may hold lone surrogates."""
    whole_files.write_file(path, encode_json(value))


def encode_json(value: object) -> bytes:
    """Return plain values as JSON, in ASCII."""
    return json.dumps(msgspec.to_builtins(value, str_keys=True), separators=(",", ":")).encode("ascii")


def decode_json(data: bytes, kind: type[_Type]) -> _Type:
    """Return what `encoded` wrote; `ValueError` if it is not that."""
    return msgspec.convert(json.loads(data), kind, str_keys=True)


def read_json(path: Path, kind: type[_Type]) -> _Type:
    """Return what `put` wrote; `NothingFoundError` if it is not there, or not that."""
    try:
        return decode_json(path.read_bytes(), kind)
    except (OSError, ValueError, RecursionError) as error:
        raise NothingFoundError(f"{path} is not there, or not what was written") from error
