"""Sources read for shards: each by itself, before anybody knows which of its hands were told elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO, TypeAlias

import msgspec

from ledger.account import Reject
from ledger.errors import NotAccountedError
from ledger.intake.chunks import chunks
from ledger.intake.importing import of_source, reader_of
from ledger.intake.preparing import Origin, prepared
from ledger.intake.recognising import Origins, Recognised, Refused, recognised
from ledger.intake.spooling import Source, Spool, Spooling
from ledger.intake.summary import FileSummary
from ledger.intake.taking import sum_up, take
from ledger.people import People
from ledger.text.repeated_texts import RepeatedTexts

if TYPE_CHECKING:
    from ledger.intake.files import Incoming
    from ledger.notation import Format

Keep: TypeAlias = Callable[[FileSummary, BinaryIO], None]
"""Keeps the bytes of a source."""


class Told(msgspec.Struct):
    """What one source came to: its bytes are accounted for, its hands put by."""

    summary: FileSummary
    reader: str = ""
    origin: str = ""  # what the source is known again by, see `Origins`
    told: str = ""
    faults: int = 0  # rejects of which another import may make something
    corrects: bool = False  # it corrects hands that stand elsewhere
    rejects: list[Reject] = []

    @property
    def place(self) -> Origins:
        """What the source is known again by."""
        return Origins(self.origin, self.told)


class Apart:
    """Reads sources one after the other into a spool."""

    def __init__(self, secret: bytes, spool: Spool, forced: Format | None, at: int, keep: Keep) -> None:
        """Take the secret of all ids, and what keeps the bytes of a source."""
        self._secret, self._spool, self._forced, self._at, self._keep = secret, spool, forced, at, keep
        self._read_before = RepeatedTexts()

    def _people(self) -> People:
        return People(self._secret, read_before=self._read_before)

    def read(self, source: Incoming, number: int) -> Told:
        """Read a source; what is wrong with it stands in its summary."""
        found = Told(FileSummary(source.name))
        source.once = True  # it is copied first, so that what is kept is what was read
        found.summary = of_source(source, partial(self._read, number, found))
        return found

    def _read(self, number: int, found: Told, source: Incoming, summary: FileSummary) -> None:
        seen = recognised(source, self._forced, self._people(), summary)
        if isinstance(seen, Refused):
            found.rejects.append(seen.reject)
            if seen.data:
                self._keep(summary, BytesIO(seen.data))
        elif seen is not None:
            with source.open() as stream:
                self._keep(summary, stream)
            self._hands(number, found, source, seen, summary)

    def _hands(self, number: int, found: Told, source: Incoming, seen: Recognised, summary: FileSummary) -> None:
        reader = reader_of(seen.form)
        writer = Spooling(self._spool, Source(number, summary.source, reader, seen.form.name, sorted(seen.place.keys)))
        origin = Origin(summary.source, self._at)
        with source.open() as stream:
            for piece in chunks(stream.read, seen.form, summary.encoding, source.name):
                if isinstance(piece, Reject):
                    take(writer, piece, [piece], summary)
                    writer.store(piece.start, piece.length)
                else:
                    take(writer, piece, prepared(seen.form, piece, self._people(), origin), summary)
                    writer.store(piece.start, len(piece.data))
        sum_up(summary, writer.standing)
        if writer.standing.bytes.all != summary.length:
            raise NotAccountedError(
                f"{source.name}: {summary.length} bytes, but {writer.standing.bytes.all} are accounted for"
            )
        found.origin, found.told = seen.place
        found.reader = reader
        found.faults, found.corrects, found.rejects = writer.standing.faults, writer.corrects, writer.rejects
