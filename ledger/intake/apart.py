"""Read sources into a spool, each by itself, before other sources' hands are known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO, TypeAlias

import msgspec

from ledger.account import Reject
from ledger.intake.chunk_preparation import ChunkOrigin, ChunkPart, prepare_chunk
from ledger.intake.source_format import IdentifiedSource, RefusedSource, SourceOrigins, identify_source
from ledger.intake.source_reader import SourcePiece, SourceReader, format_reader_name, import_source, measure_piece
from ledger.intake.spools import Spool, SpooledSource, SpoolWriter
from ledger.intake.summary import FileSummary
from ledger.people import People
from ledger.text.repeated_texts import RepeatedTexts

if TYPE_CHECKING:
    from ledger.intake.files import IncomingSource
    from ledger.notation import Format

StoreSource: TypeAlias = Callable[[FileSummary, BinaryIO], None]
"""Stores the bytes of a source."""


class SpoolResult(msgspec.Struct):
    """The result of reading a source: its bytes are accounted for, and its hands are in the spool."""

    summary: FileSummary
    reader: str = ""
    origin: str = ""  # of its `SourceOrigins`
    declared: str = msgspec.field(name="told", default="")
    faults: int = 0  # rejects that another import may read
    has_corrections: bool = msgspec.field(name="corrects", default=False)  # of hands from other sources
    rejects: list[Reject] = []

    @property
    def origins(self) -> SourceOrigins:
        """The source's identity: where it was, and its own name."""
        return SourceOrigins(self.origin, self.declared)


class SpoolReader:
    """Reads sources one after the other into a spool."""

    def __init__(
        self, secret: bytes, spool: Spool, forced_format: Format | None, moment: int, store_source: StoreSource
    ) -> None:
        """Take the secret of all ids, the spool, the time of the import, and the function that stores sources."""
        self._secret = secret
        self._spool = spool
        self._forced_format = forced_format
        self._moment = moment
        self._store_source = store_source
        self._read_before = RepeatedTexts()

    def _create_people(self) -> People:
        return People(self._secret, read_before=self._read_before)

    def read(self, source: IncomingSource, source_number: int) -> SpoolResult:
        """Read a source. An error in it is put into its summary."""
        result = SpoolResult(FileSummary(source.name))
        source.opens_once = True  # copy it first, so that the stored bytes are those that are read
        result.summary = import_source(source, partial(self._read, source_number, result))
        return result

    def _read(self, source_number: int, result: SpoolResult, source: IncomingSource, summary: FileSummary) -> None:
        identified = identify_source(source, self._forced_format, self._create_people(), summary)
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
        form, origins = identified.form, identified.origins
        reader_text = format_reader_name(form)
        spooled_source = SpooledSource(source_number, summary.source, reader_text, form.name, sorted(origins.keys))
        writer = SpoolWriter(self._spool, spooled_source)
        chunk_origin = ChunkOrigin(summary.source, self._moment)
        reader = SourceReader(source, form, summary, partial(self._prepare_pieces, form, chunk_origin))
        reader.read_into(writer, lambda piece: writer.store(piece.start, measure_piece(piece)))
        reader.finish(writer.progress)
        result.reader = reader_text
        result.origin, result.declared = origins
        result.faults = writer.progress.faults
        result.has_corrections = writer.has_corrections
        result.rejects = writer.rejects

    def _prepare_pieces(
        self, source_format: Format, origin: ChunkOrigin, pieces: Iterable[SourcePiece]
    ) -> Iterator[tuple[SourcePiece, list[ChunkPart]]]:
        """Read the pieces one by one. Each has its own `People`, so memory doesn't grow."""
        for piece in pieces:
            if isinstance(piece, Reject):
                yield piece, [piece]
            else:
                yield piece, prepare_chunk(source_format, piece, self._create_people(), origin)
