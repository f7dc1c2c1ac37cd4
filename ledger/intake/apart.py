"""Sources read for shards: each by itself, before anybody knows which of its hands were told elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO, TypeAlias

import msgspec

from ledger.account import Reject
from ledger.errors import NotAccountedError
from ledger.intake.chunks import split_chunks
from ledger.intake.importing import import_source, reader_name
from ledger.intake.preparing import ChunkOrigin, prepare_chunk
from ledger.intake.recognising import IdentifiedSource, RefusedSource, SourceOrigins, identify_source
from ledger.intake.spooling import Spool, SpooledSource, SpoolWriter
from ledger.intake.summary import FileSummary
from ledger.intake.taking import summarize, take_piece
from ledger.people import People
from ledger.text.repeated_texts import RepeatedTexts

if TYPE_CHECKING:
    from ledger.intake.files import IncomingSource
    from ledger.notation import Format

StoreSource: TypeAlias = Callable[[FileSummary, BinaryIO], None]
"""Keeps the bytes of a source."""


class SpoolResult(msgspec.Struct):
    """What one source came to: its bytes are accounted for, its hands put by."""

    summary: FileSummary
    reader: str = ""
    origin: str = ""  # what the source is known again by, see `Origins`
    declared: str = msgspec.field(name="told", default="")
    faults: int = 0  # rejects of which another import may make something
    has_corrections: bool = msgspec.field(name="corrects", default=False)  # of hands from other sources
    rejects: list[Reject] = []

    @property
    def origins(self) -> SourceOrigins:
        """What the source is known again by."""
        return SourceOrigins(self.origin, self.declared)


class SpoolReader:
    """Reads sources one after the other into a spool."""

    def __init__(self, secret: bytes, spool: Spool, forced: Format | None, at: int, keep: StoreSource) -> None:
        """Take the secret of all ids, and what keeps the bytes of a source."""
        self._secret, self._spool, self._forced, self._moment, self._keep = secret, spool, forced, at, keep
        self._read_before = RepeatedTexts()

    def _people(self) -> People:
        return People(self._secret, read_before=self._read_before)

    def read(self, source: IncomingSource, number: int) -> SpoolResult:
        """Read a source; what is wrong with it stands in its summary."""
        found = SpoolResult(FileSummary(source.name))
        source.opens_once = True  # it is copied first, so that what is kept is what was read
        found.summary = import_source(source, partial(self._read, number, found))
        return found

    def _read(self, number: int, found: SpoolResult, source: IncomingSource, summary: FileSummary) -> None:
        seen = identify_source(source, self._forced, self._people(), summary)
        if isinstance(seen, RefusedSource):
            found.rejects.append(seen.reject)
            if seen.data:
                self._keep(summary, BytesIO(seen.data))
        elif seen is not None:
            with source.open() as stream:
                self._keep(summary, stream)
            self._read_hands(number, found, source, seen, summary)

    def _read_hands(
        self, number: int, found: SpoolResult, source: IncomingSource, seen: IdentifiedSource, summary: FileSummary
    ) -> None:
        reader = reader_name(seen.form)
        writer = SpoolWriter(
            self._spool, SpooledSource(number, summary.source, reader, seen.form.name, sorted(seen.origins.keys))
        )
        origin = ChunkOrigin(summary.source, self._moment)
        with source.open() as stream:
            for piece in split_chunks(stream.read, seen.form, summary.encoding, source.name):
                if isinstance(piece, Reject):
                    take_piece(writer, piece, [piece], summary)
                    writer.store(piece.start, piece.length)
                else:
                    take_piece(writer, piece, prepare_chunk(seen.form, piece, self._people(), origin), summary)
                    writer.store(piece.start, len(piece.data))
        summarize(summary, writer.progress)
        if writer.progress.bytes.total != summary.length:
            raise NotAccountedError(
                f"{source.name}: {summary.length} bytes, but {writer.progress.bytes.total} are accounted for"
            )
        found.origin, found.declared = seen.origins
        found.reader = reader
        found.faults, found.has_corrections, found.rejects = (
            writer.progress.faults,
            writer.has_corrections,
            writer.rejects,
        )
