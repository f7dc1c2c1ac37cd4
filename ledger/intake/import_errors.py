"""Errors of an import: which file, what is wrong with it, and what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ledger.errors import (
    ArchiveError,
    IntegrityError,
    NotAccountedError,
    NothingFoundError,
    SourceError,
    StorageFullError,
    UsageError,
)

if TYPE_CHECKING:
    from pathlib import Path

# What was named


def no_files(places: Sequence[str]) -> NothingFoundError:
    """Return the error for folders, patterns or files that lead to no file."""
    return NothingFoundError(f"no files in {', '.join(places)}", "Name files, folders or patterns.")


def unknown_path(path: str, reason: str) -> SourceError:
    """Return the error for a path that leads nowhere; `reason`: what the system says, if it says anything."""
    words = reason.lower() if reason else "cannot be read"
    return SourceError(f"{path}: {words}", "Check the spelling. A pattern must match a file.")


def unreadable_file(path: str, reason: str) -> SourceError:
    """Return the error for a file that the system doesn't let us read; `reason`: what the system says."""
    return SourceError(
        f"{path}: {reason.lower() if reason else 'cannot be read'}", "Check that it can be read, then import it again."
    )


def stdin_read_twice() -> UsageError:
    """Return the error for `-` among files that must be read again."""
    return UsageError("standard input can't be read twice", "Save it to a file and name the file.")


def stdin_named_twice() -> UsageError:
    """Return the error for `-` that was typed more than once."""
    return UsageError("- (standard input) is named twice", "Name it once.")


def not_a_plain_file(path: str) -> SourceError:
    """Return the error for a pipe or device among files that must be read again."""
    return SourceError(f"{path} is a pipe or a device, so it can't be read twice", "Name a file.")


def watch_writes_text() -> UsageError:
    """Return the error for `--watch` with an option that contradicts it."""
    return UsageError("--watch writes into the ledger and prints text", "Leave out --dry-run and --format json.")


def two_formats() -> UsageError:
    """Return the error for several `--format` options of one kind."""
    return UsageError(
        "--format is given twice for the same thing", "Give it once for the output and once for the files at most."
    )


def hands_without_shards() -> UsageError:
    """Return the error for `--hands` without `--to-shards`."""
    return UsageError("--hands works only with --to-shards", "Leave it out: a ledger has no shards.")


def option_of_ledger(option: str) -> UsageError:
    """Return the error for an option of a ledger beside `--to-shards`."""
    return UsageError(
        f"{option} is for a ledger, but --to-shards writes a lake", f"Leave out {option}, or --to-shards."
    )


def option_without_shards(option: str) -> UsageError:
    """Return the error for an option that an import into shards doesn't have."""
    return UsageError(f"an import into shards has no option {option}", "Leave it out, or import into a ledger.")


# Archives and mails


def damaged_archive(name: str, reason: str) -> ArchiveError:
    """Return the error for an archive that can't be unpacked; `reason`: what the unpacking program says."""
    return ArchiveError(f"{name} is damaged ({reason})", "Download it again, or make it again.")


def archive_too_large(name: str, gigabytes: int) -> ArchiveError:
    """Return the error for an archive with more in it than an import unpacks."""
    return ArchiveError(
        f"{name} unpacks to more than {gigabytes} GB", "Unpack it yourself and import the folder in parts."
    )


def archive_bomb(name: str, ratio: int) -> ArchiveError:
    """Return the error for an archive that shrinks its files more than text of hands can shrink."""
    return ArchiveError(
        f"{name} unpacks to more than {ratio} times its size; hand histories never do",
        "If it's really what you want, unpack it and import the files.",
    )


def too_many_members(name: str, maximum: int) -> ArchiveError:
    """Return the error for an archive of very many files."""
    return ArchiveError(f"{name} holds more than {maximum:,} files", "Unpack it and import the folder.")


def overlapping_members(name: str) -> ArchiveError:
    """Return the error for a zip whose files share bytes."""
    return ArchiveError(
        f"{name}: files in this archive share the same bytes", "It's damaged or a trap. Don't import it."
    )


def encrypted_member(name: str) -> ArchiveError:
    """Return the error for a file in an archive that needs a password."""
    return ArchiveError(f"{name} is encrypted", "Unpack it with its password first.")


def strange_member(name: str) -> ArchiveError:
    """Return the error for a link or a device in an archive."""
    return ArchiveError(f"{name} is a link or a device, not a file", "Put the file itself into the archive.")


def nested_archives(name: str, maximum: int) -> ArchiveError:
    """Return the error for archives within archives."""
    return ArchiveError(f"{name}: more than {maximum} archives inside each other", "Unpack the outer ones first.")


def mail_too_large(name: str, megabytes: int) -> ArchiveError:
    """Return the error for a large mail."""
    return ArchiveError(
        f"{name}: a mail of more than {megabytes} MB", "Save its text and its attachments as separate files."
    )


def too_many_mails(name: str, maximum: int) -> ArchiveError:
    """Return the error for a mailbox of very many mails."""
    return ArchiveError(f"{name} holds more than {maximum:,} mails", "Save them in several files.")


def nested_mail_parts(name: str, maximum: int) -> ArchiveError:
    """Return the error for a mail of parts within parts."""
    return ArchiveError(
        f"{name}: a mail with more than {maximum} parts inside each other", "Save the attachment as a file."
    )


# While it is read


def changed_while_read(name: str) -> SourceError:
    """Return the error for a file that somebody writes meanwhile."""
    return SourceError(f"{name} changed while it was read", "Import it again.")


def reader_process_lost() -> SourceError:
    """Return the error for a process that ended too early."""
    return SourceError(
        "a process that was reading stopped before it finished",
        "Import again: it goes on where it stopped. With --jobs 1 it needs less memory.",
    )


def spool_full(reason: str) -> StorageFullError:
    """Return the error for a temporary file that takes no more; `reason`: what the database says."""
    return StorageFullError(
        f"the temporary file of this import can't be written: {reason}",
        "Free some space, or set TMPDIR to a larger disk.",
    )


def damaged_spool(path: Path, reason: str) -> IntegrityError:
    """Return the error for a temporary file that somebody changed."""
    return IntegrityError(
        f"{path}, a temporary file of this import, is damaged: {reason}", "Delete it and import again."
    )


# Bytes: a fault of a reader, which no test found


def foreign_bytes(name: str, first_byte: int, last_byte: int) -> NotAccountedError:
    """Return the error for a reader that answers for bytes of others."""
    return NotAccountedError(f"{name}: a reader claims bytes {first_byte}-{last_byte}, which it was not shown", _REPORT)


def bytes_read_twice(name: str, first_byte: int) -> NotAccountedError:
    """Return the error for two hands that share a byte."""
    return NotAccountedError(f"{name}: two readings claim byte {first_byte}", _REPORT)


def bytes_missing(name: str, total_bytes: int, read_bytes: int) -> NotAccountedError:
    """Return the error for bytes that no reader answers for."""
    return NotAccountedError(f"{name} has {total_bytes} bytes, but only {read_bytes} are accounted for", _REPORT)


_REPORT = "This is a fault of handledger. Please report it, with the file if you may."
