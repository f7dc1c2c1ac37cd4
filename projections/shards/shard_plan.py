"""Which files go straight into which shards: decided before anything is read, so that whoever goes on later does the same."""

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
from ledger.lake import layout
from ledger.store import people_key

WORK: Final = ".import"
"""The folder within a lake in which it lies how far it is; gone when the lake is whole."""

_PLAN: Final = "plan.json"
_TASK_BYTES: Final = 64 * 1024 * 1024
"""Bytes of files that are read in one task, and kept in one file of sources."""
_HAND_BYTES: Final = 1_200
"""Bytes of text that a hand takes, about."""
_SQUEEZED: Final = frozenset({".gz", ".zip", ".zst"})
_RATIO: Final = 8
"""Bytes out of an archive for one in, about."""
_SHARDS_MOST: Final = 10_000

if sys.platform != "win32":
    import fcntl

_Type = TypeVar("_Type")


class File(msgspec.Struct, frozen=True, array_like=True):
    """A file as it was when the plan was made."""

    name: str  # as it was named; hostile
    path: str
    size: int
    changed: int  # nanoseconds

    @property
    def weight(self) -> int:
        """How many bytes of text are in it, about."""
        return self.size * (_RATIO if Path(self.name).suffix.lower() in _SQUEEZED else 1)


class Plan(msgspec.Struct):
    """What is to be done: files in tasks, and into how many shards their tables are dealt."""

    version: str  # of the program
    ledger: str  # id
    ids: str  # how ids are made
    at: int  # when all of it counts as imported
    forced: str  # name of a format, "" = by content
    shards: int
    made_of: str  # digest of the files, and of what was asked for
    tasks: list[list[File]]


class Begun(NamedTuple):
    """A plan, the secret of its ids, and the file of their key if that was made now."""

    plan: Plan
    secret: bytes
    key_made: Path | None


def found(paths: Sequence[str | Path], folder: Path) -> list[File]:
    """Return the files that are to be read, in their order; what lies in the lake's own folder is not."""
    files = []
    for name in on_disk(paths):
        path = Path(name).absolute()
        if path.is_relative_to(folder.absolute()):
            continue
        try:
            told = path.stat()
        except OSError as error:
            raise SourceError(f"{name}: {(error.strerror or 'cannot be read').lower()}") from error
        files.append(File(name, str(path), told.st_size, told.st_mtime_ns))
    if not files:
        raise NothingFoundError(f"no files but those of the lake in {folder}", "Name the files of hands.")
    return files


def digest_of(files: Sequence[File], forced: str, hands: int) -> str:
    """Return what tells these files, as they are, from others."""
    said = [[[one.name, one.path, one.size, one.changed] for one in files], forced, hands]
    return sha256(json.dumps(said).encode("ascii")).hexdigest()


def refuse_others(folder: Path, made_of: str) -> layout.Manifest | None:
    """Return the lake that is there, if it was made of the same files; an error of ours if anything else is there."""
    if layout.is_lake(folder):
        there = layout.manifest(folder)
        if there.straight is None:
            raise UsageError(f"the lake in {folder} is of a ledger", "Name another folder.")
        if there.straight.made_of != made_of:
            raise UsageError(
                f"the lake in {folder} was made of other files, or in other shards",
                "Name another folder. A lake with more files in it is made anew, of all of them.",
            )
        return there
    try:
        strange = folder.exists() and (not folder.is_dir() or any(one.name != WORK for one in folder.iterdir()))
    except OSError as error:
        raise UsageError(f"{folder} cannot be read: {error.strerror}", "Name another folder.") from error
    if strange and not (folder / WORK / _PLAN).is_file():
        raise UsageError(f"something else lies in {folder}", "Name a folder that is empty, or not there yet.")
    return None


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keep others from making a lake in the same folder at the same time; `LedgerBusyError` if somebody does already.

    The system lets go of it when whoever holds it ends, in whatever way. Where folders cannot be locked (Windows,
    some network drives) nothing is kept from anybody.
    """
    if sys.platform == "win32":
        yield
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        held = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise SourceError(f"{folder}: {(error.strerror or 'cannot be made').lower()}") from error
    try:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise LedgerBusyError(
                f"another import --to-shards is making a lake in {folder}",
                "Wait until it is done, or name another folder.",
            ) from None
        except OSError:  # no locks here
            pass
        yield
    finally:
        os.close(held)


def begun(
    folder: Path, files: Sequence[File], made_of: str, forced: str, hands: int, key: Path | None, at: int
) -> Begun:
    """Return the plan to go on with: the one that is there, if it is of the same files, else a new one.

    Of an earlier one that was not finished, and is of other files, nothing is kept but the id, and with it the key.
    """
    path = folder / WORK / _PLAN
    before = _before(path)
    if before is not None:
        mine = people_key.read_own(before.ids)
        known = people_key.find(before.ledger, mine, key)
        if known.secret is None:
            raise known.trouble or IntegrityError(f"the key of the ids in {folder} is not at hand", people_key.HOW)
        if before.made_of == made_of and before.version == __version__:
            return Begun(before, known.secret, None)
        for name in ("shards", "sources", WORK):
            shutil.rmtree(folder / name, ignore_errors=True)
        ledger, secret, made = before.ledger, known.secret, None
    else:
        ledger = token_hex(16)
        secret, made = people_key.for_new(ledger, key)
    ids = str(people_key.own(secret, "salted"))
    weight = sum(one.weight for one in files)
    shards = min(_SHARDS_MOST, max(1, round(weight / (_HAND_BYTES * hands))))
    plan = Plan(__version__, ledger, ids, at, forced, shards, made_of, _tasks(files))
    put(path, plan)
    return Begun(plan, secret, made)


def _before(path: Path) -> Plan | None:
    try:
        return get(path, Plan)
    except NothingFoundError:
        return None


def _tasks(files: Sequence[File]) -> list[list[File]]:
    tasks: list[list[File]] = [[]]
    weight = 0
    for one in files:
        if tasks[-1] and weight + one.weight > _TASK_BYTES:
            tasks.append([])
            weight = 0
        tasks[-1].append(one)
        weight += one.weight
    return tasks


def put(path: Path, what: object) -> None:
    """Write plain values, whole or not at all; names of files may hold lone surrogates."""
    layout.write(path, encoded(what))


def encoded(what: object) -> bytes:
    """Return plain values as JSON, in ASCII."""
    return json.dumps(msgspec.to_builtins(what, str_keys=True), separators=(",", ":")).encode("ascii")


def decoded(data: bytes, kind: type[_Type]) -> _Type:
    """Return what `encoded` wrote; `ValueError` if it is not that."""
    return msgspec.convert(json.loads(data), kind, str_keys=True)


def get(path: Path, kind: type[_Type]) -> _Type:
    """Return what `put` wrote; `NothingFoundError` if it is not there, or not that."""
    try:
        return decoded(path.read_bytes(), kind)
    except (OSError, ValueError, RecursionError) as error:
        raise NothingFoundError(f"{path} is not there, or not what was written") from error
