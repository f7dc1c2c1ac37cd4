"""Read a source piece by piece. Every import uses this loop: into a ledger, into shards, in one process or several."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, TypeAlias

from ledger.account import Reject
from ledger.errors import NotAccountedError, SourceError
from ledger.intake import archives, import_errors
from ledger.intake.chunk_intake import SourceWriter, add_piece, summarize
from ledger.intake.chunks import split_chunks
from ledger.intake.files import IncomingSource
from ledger.intake.source_format import BLOCK_BYTES
from ledger.intake.summary import FileSummary
from ledger.notation import Chunk, Format

if TYPE_CHECKING:
    from ledger.intake.chunk_preparation import ChunkPart
    from ledger.intake.import_progress import ImportProgress

SourcePiece: TypeAlias = Chunk | Reject
"""A chunk of complete hands, or a span that is too long for one."""

PreparePieces: TypeAlias = "Callable[[Iterable[SourcePiece]], Iterable[tuple[SourcePiece, list[ChunkPart]]]]"
"""Reads the hands and facts in each piece, in the order of the source."""


class SourceReader:
    """Reads a source into a writer, and accounts for every byte in its summary."""

    def __init__(
        self, source: IncomingSource, source_format: Format, summary: FileSummary, prepare_pieces: PreparePieces
    ) -> None:
        """Take the source with its format and encoding, and the function that reads its pieces."""
        self._source = source
        self._format = source_format
        self._summary = summary
        self._prepare_pieces = prepare_pieces

    def read_into(self, writer: SourceWriter, store_piece: Callable[[SourcePiece], None], start_byte: int = 0) -> None:
        """Give the writer what is in each piece, then call `store_piece`. Start where an earlier import stopped."""
        progress = writer.progress
        with self._source.open() as stream:
            _skip_bytes(stream, start_byte)
            pieces = split_chunks(
                stream.read, self._format, self._summary.encoding, self._source.name, start_byte, progress.line
            )
            for piece, parts in self._prepare_pieces(pieces):
                add_piece(writer, piece, parts, self._summary)
                summarize(self._summary, progress)
                store_piece(piece)

    def finish(self, progress: ImportProgress) -> None:
        """Complete the summary. Raise `NotAccountedError` if bytes of the source are missing in it."""
        summarize(self._summary, progress)
        if progress.bytes.total != self._summary.length:
            raise import_errors.bytes_missing(self._source.name, self._summary.length, progress.bytes.total)


def measure_piece(piece: SourcePiece) -> int:
    """Return how many bytes a piece has."""
    return len(piece.data) if isinstance(piece, Chunk) else piece.length


def format_reader_name(source_format: Format) -> str:
    """Return the name and version of a format's reader, as commits store it."""
    return f"{source_format.name} {source_format.reader}"


def import_source(source: IncomingSource, read_source: Callable[[IncomingSource, FileSummary], None]) -> FileSummary:
    """Read a source, and put an error into its summary."""
    summary = FileSummary(source.name)
    try:
        if source.problem:
            raise source.problem
        with ExitStack() as stack:
            if source.opens_once:  # a pipe can be read once, but must be read twice
                stream = stack.enter_context(source.open())
                stream_copy = stack.enter_context(archives.copy_stream(stream, source.name))
                source = IncomingSource(source.name, partial(archives.rewind, stream_copy), origin=source.origin)
            read_source(source, summary)
    except (SourceError, NotAccountedError) as error:
        summary.outcome, summary.error = "failed", error.message
    except OSError as error:
        summary.outcome, summary.error = "failed", (error.strerror or str(error)).lower()
    if summary.outcome == "failed":  # the remaining bytes were not read
        accounted_bytes = summary.read + summary.blank + summary.rejected_bytes
        summary.length = max(summary.length, accounted_bytes)
        summary.not_read = summary.length - accounted_bytes
    return summary


def _skip_bytes(stream: BinaryIO, size: int) -> None:
    """Skip the bytes that an interrupted import has read."""
    if stream.seekable():
        stream.seek(size)
        return
    while size > 0:
        size -= len(stream.read(min(size, BLOCK_BYTES)) or bytes(size))
