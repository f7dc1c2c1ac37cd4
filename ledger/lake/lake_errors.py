"""Errors of lakes: which file or signature is wrong, and how to get a sound lake."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from ledger.errors import (
    ForkError,
    IntegrityError,
    NothingFoundError,
    NotSealedError,
    ProofError,
    StorageFullError,
    StoreError,
    UsageError,
)

if TYPE_CHECKING:
    from pathlib import Path

REWRITE_HINT: Final = (
    "Write the lake again: handledger shard -o FOLDER. "
    "Or import the same files into a new one: handledger import --to-shards FOLDER"
)
"""The hint for a lake with a damaged file."""
_NOTHING_SIGNED_HINT: Final = "Nothing was signed. To see the damage: handledger verify LAKE"

# Files


def no_lake(folder: Path) -> NothingFoundError:
    """Return the error for a folder without a lake."""
    return NothingFoundError(f"there is no lake in {folder}", "To make one: handledger shard -o FOLDER")


def lake_unreadable(folder: Path, reason: str) -> IntegrityError:
    """Return the error for a lake whose files the system can't read; `reason`: what it says."""
    return IntegrityError(f"the lake in {folder} can't be read: {reason}", REWRITE_HINT)


def lake_damaged(folder: Path, reason: str) -> IntegrityError:
    """Return the error for a lake in which something was changed; `reason`: what."""
    return IntegrityError(f"the lake in {folder} is damaged: {reason}", REWRITE_HINT)


def file_unwritable(path: Path, reason: str) -> StorageFullError:
    """Return the error for a file that can't be written; `reason`: what the system says."""
    return StorageFullError(f"{path} can't be written: {reason}", "Free some space, or make the folder writable.")


def file_unreadable(path: Path, reason: str) -> IntegrityError:
    """Return the error for a file that isn't Parquet any more; `reason`: what is wrong in it."""
    return IntegrityError(f"{path} can't be read: {reason}", REWRITE_HINT)


def file_changed(name: str) -> IntegrityError:
    """Return the error for a file that was changed after it was written."""
    return IntegrityError(f"{name} was changed since it was written", REWRITE_HINT)


def file_damaged(name: str, reason: str) -> IntegrityError:
    """Return the error for a file that differs from its receipt; `reason`: how."""
    return IntegrityError(f"{name}: {reason}", REWRITE_HINT)


def columns_lost(path: Path, columns: Sequence[str]) -> IntegrityError:
    """Return the error for a file without columns that it must have."""
    return IntegrityError(f"{path} has lost columns, or their types: {', '.join(columns)}", REWRITE_HINT)


def commit_damaged(name: str, reason: str) -> IntegrityError:
    """Return the error for a row that isn't a commit; `reason`: what is wrong in it."""
    return IntegrityError(f"{name} has a row that isn't a commit: {reason}", REWRITE_HINT)


def leaf_damaged(name: str) -> IntegrityError:
    """Return the error for a row that isn't a leaf of the tree."""
    return IntegrityError(f"{name} has a row that isn't a leaf of the tree", REWRITE_HINT)


def sources_unreadable(reason: str) -> IntegrityError:
    """Return the error for original bytes that can't be read; `reason`: what is wrong."""
    return IntegrityError(f"the sources of the lake can't be read: {reason}", REWRITE_HINT)


def manifest_damaged(path: Path, reason: str) -> IntegrityError:
    """Return the error for a manifest that isn't one; `reason`: what is wrong in it."""
    return IntegrityError(f"{path} isn't the manifest of a lake: {reason}", REWRITE_HINT)


def manifest_incomplete(path: Path) -> IntegrityError:
    """Return the error for a manifest that lacks what its kind of lake has."""
    return IntegrityError(f"{path} lacks what a lake of its kind has", REWRITE_HINT)


def manifest_contradictory(path: Path) -> IntegrityError:
    """Return the error for a manifest whose logs aren't those of its files."""
    return IntegrityError(f"{path} has logs and files that don't match", REWRITE_HINT)


def newer_lake(folder: Path, version: str) -> IntegrityError:
    """Return the error for a lake that a newer version wrote; `version`: its schema."""
    return IntegrityError(f"{folder} is a lake of another kind: {version[:80]!r}", "Install a newer handledger.")


def folder_not_utf8(folder: Path) -> UsageError:
    """Return the error for a folder whose name Parquet can't write."""
    return UsageError(f"{folder}: the name of this folder isn't UTF-8, as a lake needs it", "Name another folder.")


# Writing


def imported_lake(folder: Path) -> UsageError:
    """Return the error for writing a ledger's lake over one of imported files."""
    return UsageError(f"files were imported straight into the lake in {folder}", "Write this lake into another folder.")


def no_hands() -> NothingFoundError:
    """Return the error for a lake of no hands."""
    return NothingFoundError("no hands match", "To see the hands: handledger log")


def writer_process_lost() -> StoreError:
    """Return the error for a process that ended too early."""
    return StoreError(
        "a process that was writing shards stopped before it finished",
        "Run the command again: it goes on where it stopped.",
    )


# Signing


def lake_of_ledger() -> UsageError:
    """Return the error for signing a lake that has its ledger's checkpoint."""
    return UsageError(
        "this lake was written from a ledger and has that one's checkpoint",
        "Seal the ledger, then write the lake again: handledger shard -o FOLDER",
    )


def log_root_wrong(name: str) -> IntegrityError:
    """Return the error for a log whose commits aren't those that the manifest names."""
    return IntegrityError(f"the commits of {name} aren't those that the lake names", _NOTHING_SIGNED_HINT)


def lake_root_wrong() -> IntegrityError:
    """Return the error for logs that aren't those that the manifest names."""
    return IntegrityError("the logs aren't those that the lake names", _NOTHING_SIGNED_HINT)


def signed_before(evidence: str) -> ForkError:
    """Return the error for a lake that changed since it was signed; `evidence`: both checkpoints."""
    return ForkError("the lake was signed with other content than it has now", evidence, _NOTHING_SIGNED_HINT)


# Proofs

_REWRITE_SEALED_HINT: Final = "Seal its ledger, then write the lake again: handledger shard -o FOLDER"
_REIMPORT_HINT: Final = (
    "Take the lake from a copy. Or make it again from the same files: "
    "handledger import --to-shards FOLDER, then handledger seal --lake FOLDER"
)


def _repair_hint(*, is_of_ledger: bool) -> str:
    """Return how to get a lake that can be proved: `is_of_ledger` if it was written from a ledger."""
    return _REWRITE_SEALED_HINT if is_of_ledger else _REIMPORT_HINT


def never_signed() -> NotSealedError:
    """Return the error for a lake of imported files that nobody signed."""
    return NotSealedError(
        "nobody signed this lake, so none of its hands can be proved or cited", "Sign it: handledger seal --lake LAKE"
    )


def no_checkpoint(*, is_of_ledger: bool) -> NotSealedError:
    """Return the error for a lake without a checkpoint."""
    return NotSealedError(
        "the lake has no signed checkpoint, so nothing in it can be proved", _repair_hint(is_of_ledger=is_of_ledger)
    )


def empty_checkpoint(*, is_of_ledger: bool) -> NotSealedError:
    """Return the error for a checkpoint that was signed before there was anything."""
    return NotSealedError(
        "the lake's checkpoint was signed before anything was in it", _repair_hint(is_of_ledger=is_of_ledger)
    )


def newer_than_checkpoint(size: int, *, is_of_ledger: bool) -> NotSealedError:
    """Return the error for proving a commit that came later than the checkpoint of `size` commits."""
    return NotSealedError(
        f"this commit is newer than the lake's checkpoint, which covers {size:,} commits",
        _repair_hint(is_of_ledger=is_of_ledger),
    )


def commit_missing(position: int) -> ProofError:
    """Return the error for proving a commit that the log doesn't have."""
    return ProofError(
        f"no commit ends at position {position:,} of this log", "To see the damage: handledger verify LAKE"
    )


def other_commits_signed(size: int) -> ProofError:
    """Return the error for a checkpoint over other commits than the lake has."""
    return ProofError(
        f"the lake's first {size:,} commits aren't those that its checkpoint signs",
        "To see the damage: handledger verify LAKE",
    )


def commits_missing(size: int, commit_count: int, *, is_of_ledger: bool) -> ProofError:
    """Return the error for a lake with fewer commits than its checkpoint of `size` commits signs."""
    return ProofError(
        f"the checkpoint signs {size:,} commits, but the lake has {commit_count:,}",
        _repair_hint(is_of_ledger=is_of_ledger),
    )
