"""Identify a source: its format, encoding, length and hash; or reject it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple

from ledger import formats
from ledger.account import Reject
from ledger.errors import FORMAT_HINT
from ledger.intake.encoding import HEAD_BYTES, Utf8Check, convert_to_utf8, detect_encoding, is_binary
from ledger.intake.mails import ENCODED_PART
from ledger.intake.summary import FileSummary, RejectSummary
from ledger.readers.signatures import MARKS, NO_HAND, describe_other_source, explain_unread

if TYPE_CHECKING:
    from ledger.intake.files import IncomingSource
    from ledger.intake.jobs import ReadySource
    from ledger.notation import Format
    from ledger.people import People

MAX_KEPT_BYTES: Final = 16 * 1024 * 1024
"""A source that can't be read is stored up to this size, for a later reader."""

BLOCK_BYTES: Final = 1024 * 1024
_NOTES_HINT: Final = (
    f"{FORMAT_HINT} If these are notes, write above them: handscript 1. `handledger read FILE` shows how they are read."
)
_WITNESS_LINE: Final = re.compile(rb"^[ \t]*witness[ \t]+[a-z]", re.MULTILINE)
"""A line that only occurs in handscript."""
_FIRST_LINE_HINT: Final = (
    "A line begins with witness, so this is handscript without its first line. Write above it: handscript 1"
)


class SourceOrigins(NamedTuple):
    """What identifies a source: its path, and its own name."""

    origin: str
    declared: str

    @property
    def keys(self) -> set[str]:
        """The keys that aren't empty."""
        return {key for key in self if key}


class IdentifiedSource(NamedTuple):
    """A source of hands."""

    form: Format
    origins: SourceOrigins
    ready: ReadySource | None  # the result of another process


class RefusedSource(NamedTuple):
    """A source that is rejected as a whole, and its bytes if they are stored."""

    reject: Reject
    data: bytes = b""


def identify_source(
    source: IncomingSource, forced_format: Format | None, people: People, summary: FileSummary
) -> IdentifiedSource | RefusedSource | None:
    """Identify a source, and fill in its summary. Return None if it is empty."""
    with source.open() as stream:
        first_bytes = read_exactly(stream, HEAD_BYTES)
        if not first_bytes:
            summary.outcome = "empty"
            return None
        encoding = detect_encoding(first_bytes)
        if is_binary(first_bytes):
            no_text = Reject(
                0, 0, 1, "binary", "this is not text", "Hand histories are text; name the files that hold them."
            )
            return _refuse_source(source, stream, first_bytes, no_text, people, summary)
        ready_source = source.ready() if source.ready else None
        if ready_source:
            source_format: Format | None = formats.get(ready_source.form)
        else:
            source_format = forced_format or formats.recognise(convert_to_utf8(first_bytes, encoding))
        if source_format is None:
            first_bytes = _read_night(first_bytes, stream)
            reject = _find_reason(convert_to_utf8(first_bytes[:HEAD_BYTES], encoding))
            if reject is None and not is_notes(first_bytes, encoding):
                reject = _reject_without_format(first_bytes, source.name)
            if reject is not None:
                return _refuse_source(source, stream, first_bytes, reject, people, summary)
            source_format, summary.as_notes = formats.get("handscript"), True
        summary.format = source_format.name
        check = Utf8Check()
        digest = sha256()
        for block in _read_blocks(first_bytes, stream):
            digest.update(block)
            summary.length += len(block)
            if encoding == "utf-8":
                check.add_bytes(block)
    summary.encoding = check.decide_encoding() if encoding == "utf-8" else encoding
    _name_source(summary, digest.digest(), people)
    origin = source.origin or f"nowhere, {summary.sha256}"  # a pipe or upload of the same name is a different source
    origins = SourceOrigins(
        people.source(origin), people.source(source_format.identify(first_bytes) if source_format.identify else "")
    )
    return IdentifiedSource(source_format, origins, ready_source)


def _name_source(summary: FileSummary, digest: bytes, people: People) -> None:
    summary.sha256, summary.source = digest.hex(), people.source_id(digest)[0].hex()


def _read_night(first_bytes: bytes, stream: BinaryIO) -> bytes:
    """Return the first bytes of a text, or all of it if it may be a night of notes."""
    from ledger.formats.handscript import NIGHT_MOST  # noqa: PLC0415 - few sources are in no format

    return first_bytes + read_exactly(stream, NIGHT_MOST + 1 - len(first_bytes))


def _find_reason(first_bytes: bytes) -> Reject | None:
    """Return why a source with these first bytes, which no format claims, isn't read. None: no known reason."""
    document_kind = describe_other_source(first_bytes)
    if document_kind:
        return Reject(0, 0, 1, "not-a-hand", f"{document_kind}, no hand", NO_HAND)
    lines = (line.strip(f"{MARKS}\r") for line in first_bytes.decode("utf-8", "replace").split("\n"))
    reason, way_out = explain_unread(next(filter(None, lines), ""))
    if reason:
        return Reject(0, 0, 1, "unknown-format", reason, way_out)
    if ENCODED_PART.search(first_bytes):
        return Reject(
            0,
            0,
            1,
            "unknown-format",
            "a part of a mail, which is packed",
            "Save the whole mail (.eml) and import that, or save its attachments as files of their own.",
        )
    return None


def _reject_without_format(start: bytes, name: str) -> Reject:
    """Return the reject of a text in no known format, with a hint if it may be notes or handscript."""
    from ledger.formats.handscript import has_words_of_play  # noqa: PLC0415 - few sources are in no format

    hint = "A text in handscript begins with the line: handscript 1" if name.endswith(".hand") else FORMAT_HINT
    if has_words_of_play(start):
        hint = _FIRST_LINE_HINT if _WITNESS_LINE.search(start) else _NOTES_HINT
    return Reject(0, 0, 1, "unknown-format", "no format that handledger reads", hint)


def is_notes(data: bytes, encoding: str) -> bool:
    """Return whether a text in no other format is a night of notes. It isn't if it is too long."""
    from ledger.formats.handscript import looks_like_notes  # noqa: PLC0415 - few sources are in no format

    return looks_like_notes(data, encoding)


def _refuse_source(
    source: IncomingSource, stream: BinaryIO, first_bytes: bytes, reject: Reject, people: People, summary: FileSummary
) -> RefusedSource:
    """Reject an entire source. It is stored if it is a small text, for a later reader."""
    remaining_bytes = read_exactly(stream, MAX_KEPT_BYTES - len(first_bytes))
    size = len(first_bytes) + len(remaining_bytes)
    is_small = size < MAX_KEPT_BYTES
    if not is_small:
        size = source.size or size + sum(len(block) for block in iter(lambda: stream.read(BLOCK_BYTES), b""))
    else:
        _name_source(summary, sha256(first_bytes + remaining_bytes).digest(), people)
    reject.length = summary.length = summary.rejected_bytes = size
    summary.outcome, summary.rejected = "rejected", 1
    summary.rejects = [summarize_reject(reject)]
    return RefusedSource(reject, first_bytes + remaining_bytes if is_small and reject.code != "binary" else b"")


def summarize_reject(reject: Reject) -> RejectSummary:
    """Return a reject as a summary lists it."""
    return RejectSummary(
        reject.line, reject.start, reject.length, reject.code, reject.reason, reject.hint, reject.problems
    )


def read_exactly(stream: BinaryIO, size: int) -> bytes:
    """Return the next `size` bytes, fewer only at the end."""
    parts = []
    while size > 0 and (part := stream.read(min(size, BLOCK_BYTES))):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _read_blocks(first_block: bytes, stream: BinaryIO) -> Iterator[bytes]:
    yield first_block
    while block := stream.read(BLOCK_BYTES):
        yield block
