"""Complete a night of notes with the answers to its questions, which the ledger stores after the bytes of the file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from hashlib import sha256
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast

from ledger.formats.handscript import NIGHT_MOST, append_answers, carry_answers, split_answers

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.intake.accounts import Editions
    from ledger.intake.files import IncomingSource
    from ledger.store import Ledger


class CompletedNotes(NamedTuple):
    """A source with its answers appended, and their number."""

    source: IncomingSource
    answer_count: int


def complete_notes(
    ledger: Ledger,
    editions: Editions,
    keys: set[str],
    source: IncomingSource,
    encoding: str,
    typed_answers: Mapping[str, bytes],
) -> CompletedNotes | None:
    """Return a source with its answers, or None if it has none.

    `typed_answers` has the answers typed now: SHA-256 of the file, hex → the file with its answers. Otherwise the
    answers of the last file from the same path are used.
    """
    with source.open() as stream:
        notes = stream.read(NIGHT_MOST + 1)
    if len(notes) > NIGHT_MOST or encoding.startswith("utf-16"):
        return None
    completed = typed_answers.get(sha256(notes).hexdigest()) or add_stored_answers(
        ledger, editions, keys, notes, encoding
    )
    if completed == notes:
        return None
    opener = cast("Callable[[], BinaryIO]", partial(BytesIO, completed))
    return CompletedNotes(
        replace(source, open=opener, size=len(completed), ready=None), len(split_answers(completed, encoding).answers)
    )


def add_stored_answers(ledger: Ledger, editions: Editions, keys: set[str], notes: bytes, encoding: str) -> bytes:
    """Return notes with the answers that the ledger has for them, or for an earlier version of the file."""
    digest = editions.find_last_digest(keys)
    stored_source = ledger.sources.find(digest) if digest else None
    if stored_source is None or stored_source[1] is None or stored_source[1] > NIGHT_MOST:
        return notes
    earlier_file = split_answers(b"".join(ledger.sources.read(digest)), encoding)
    if not earlier_file.answers:
        return notes
    answers = earlier_file.answers if earlier_file.notes == notes else carry_answers(earlier_file, notes, encoding)
    return append_answers(notes, answers, encoding)
