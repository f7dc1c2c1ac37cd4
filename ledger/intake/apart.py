"""Sources read for shards: each by itself, before anybody knows which of its hands were told elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO, TypeAlias

import msgspec

from ledger.account import Reject
from ledger.errors import NotAccountedError
from ledger.intake.chunk_intake import summarize, take_piece
from ledger.intake.chunk_preparation import ChunkOrigin, prepare_chunk
from ledger.intake.chunks import split_chunks
from ledger.intake.import_loop import import_source, reader_name
from ledger.intake.source_format import IdentifiedSource, RefusedSource, SourceOrigins, identify_source
from ledger.intake.spools import Spool, SpooledSource, SpoolWriter
from ledger.intake.summary import FileSummary
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

    def __init__(
        self, secret: bytes, spool: Spool, forced_format: Format | None, moment: int, store_source: StoreSource
    ) -> None:
        """Take the secret of all ids, and what keeps the bytes of a source."""
        self._secret, self._spool, self._forced_format, self._moment, self._store_source = (
            secret,
            spool,
            forced_format,
            moment,
            store_source,
        )
        self._read_before = RepeatedTexts()

    def _people(self) -> People:
        return People(self._secret, read_before=self._read_before)

    def read(self, source: IncomingSource, source_number: int) -> SpoolResult:
        """Read a source; what is wrong with it stands in its summary."""
        result = SpoolResult(FileSummary(source.name))
        source.opens_once = True  # it is copied first, so that what is kept is what was read
        result.summary = import_source(source, partial(self._read, source_number, result))
        return result

    def _read(self, source_number: int, result: SpoolResult, source: IncomingSource, summary: FileSummary) -> None:
        identified = identify_source(source, self._forced_format, self._people(), summary)
        if isinstance(identified, RefusedSource):
            result.rejects.append(identified.reject)
            if identified.data:
                self._store_source(summary, BytesIO(identified.data))
        elif identified is not None:
            with source.open() as stream:
                self._store_source(summary, stream)
            self._read_hands(source_number, result, source, identified, summary)

    def _read_hands(
        self,
        source_number: int,
        result: SpoolResult,
        source: IncomingSource,
        identified: IdentifiedSource,
        summary: FileSummary,
    ) -> None:
        reader = reader_name(identified.form)
        writer = SpoolWriter(
            self._spool,
            SpooledSource(source_number, summary.source, reader, identified.form.name, sorted(identified.origins.keys)),
        )
        origin = ChunkOrigin(summary.source, self._moment)
        with source.open() as stream:
            for piece in split_chunks(stream.read, identified.form, summary.encoding, source.name):
                if isinstance(piece, Reject):
                    take_piece(writer, piece, [piece], summary)
                    writer.store(piece.start, piece.length)
                else:
                    take_piece(writer, piece, prepare_chunk(identified.form, piece, self._people(), origin), summary)
                    writer.store(piece.start, len(piece.data))
        summarize(summary, writer.progress)
        if writer.progress.bytes.total != summary.length:
            raise NotAccountedError(
                f"{source.name}: {summary.length} bytes, but {writer.progress.bytes.total} are accounted for"
            )
        result.origin, result.declared = identified.origins
        result.reader = reader
        result.faults, result.has_corrections, result.rejects = (
            writer.progress.faults,
            writer.has_corrections,
            writer.rejects,
        )
