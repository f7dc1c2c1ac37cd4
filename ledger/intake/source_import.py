"""Import one source into a ledger, from where an interrupted import stopped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from ledger.decoders import decode_json
from ledger.intake import import_errors
from ledger.intake.account_writer import AccountWriter
from ledger.intake.accounts import hash_name
from ledger.intake.chunk_preparation import ChunkOrigin, ChunkPart
from ledger.intake.dry import DryRunWriter
from ledger.intake.fed import FedHands
from ledger.intake.finished_imports import import_event
from ledger.intake.import_progress import ImportProgress
from ledger.intake.source_drafts import SourceReading
from ledger.intake.source_format import BLOCK_BYTES, IdentifiedSource
from ledger.intake.source_reader import SourcePiece, SourceReader, format_reader_name, measure_piece
from ledger.notation import Chunk

if TYPE_CHECKING:
    from ledger.house.events import SourceImported
    from ledger.intake.files import IncomingSource
    from ledger.intake.import_run import ImportRun
    from ledger.intake.summary import FileSummary


class SourceImport:
    """The import of a source that is recognised and not imported yet."""

    def __init__(
        self, import_run: ImportRun, source: IncomingSource, identified: IdentifiedSource, summary: FileSummary
    ) -> None:
        """Take the source, its format and origins, and the summary to fill."""
        self._run = import_run
        self._source = source
        self._identified = identified
        self._summary = summary
        self._name = import_run.ledger.people.text(source.name)
        self._moment = import_run.current_millis()
        self._is_import_recorded = False

    def import_hands(self) -> None:
        """Store the source's bytes and hands, and at the end the event that it was imported."""
        start = self._find_start()
        writer = self._open_writer(start.progress)
        reader = SourceReader(self._source, self._identified.form, self._summary, self._prepare_pieces)
        reader.read_into(writer, lambda piece: self._store_piece(writer, piece), start.byte)
        writer.void_dropped_facts()
        self._summary.accounts = writer.listed_accounts
        reader.finish(writer.progress)
        if not (self._run.options.dry_run or writer.progress.faults):
            self._finish(writer)

    def _find_start(self) -> _ImportStart:
        """Store the bytes of the source; return where an interrupted import of it stopped."""
        start = _ImportStart(0, ImportProgress())
        if self._run.options.dry_run:
            return start
        digest, reader = self._summary.source, format_reader_name(self._identified.form)
        if self._store_bytes() != digest:
            raise import_errors.changed_while_read(self._source.name)
        stored_progress = self._run.ledger.sources.progress(digest, reader)
        if stored_progress is None:
            return start
        progress = decode_json(stored_progress.state, ImportProgress)
        if progress.faults or self._run.editions.has_earlier(digest, self._known_keys):
            return start
        return _ImportStart(stored_progress.upto, progress)

    @property
    def _known_keys(self) -> set[str]:
        """The keys of the source, with the one that an older program knew it by."""
        keys = self._identified.origins.keys
        return keys | {hash_name(self._name)} if self._source.origin else keys

    def _store_bytes(self) -> str:
        """Store the bytes of the source, unless they would show hidden cards. Return its id."""
        ledger = self._run.ledger
        with self._source.open() as stream:
            blocks = iter(lambda: stream.read(BLOCK_BYTES), b"")
            if not self._run.options.hide_cards:
                return ledger.sources.store(blocks, self._name)
            digest = sha256()
            for block in blocks:
                digest.update(block)
        source_id = self._run.name_source(digest.digest())
        ledger.sources.register_source(source_id, self._name)
        return source_id

    def _open_writer(self, progress: ImportProgress) -> AccountWriter:
        run, form = self._run, self._identified.form
        reading = SourceReading(
            self._summary.source, format_reader_name(form), self._moment, frozenset(self._known_keys)
        )
        if run.options.dry_run:
            writer: AccountWriter = DryRunWriter(
                run.ledger, reading, progress, run.editions, run.account_cache, run.seen_hands
            )
        else:
            writer = AccountWriter(run.ledger, reading, progress, run.editions, run.account_cache)
            if run.editions.is_overtaken(reading.source, self._identified.origins.keys):
                writer.repeat_suffix = f":again {run.editions.sources_read}"
        writer.fed_hands = FedHands(run.ledger) if form.find_complete is not None else None
        return writer

    def _prepare_pieces(self, pieces: Iterable[SourcePiece]) -> Iterator[tuple[SourcePiece, list[ChunkPart]]]:
        """Read the pieces, in processes if there are several, with the ledger's names for their tables."""
        run, form, digest = self._run, self._identified.form, self._summary.source
        origin = ChunkOrigin(digest, self._moment, run.options.hide_cards)
        prepared_pieces = run.jobs.prepare_chunks(form, pieces, origin, self._identified.ready)
        if not form.is_named_by_file:
            return prepared_pieces
        return ((piece, run.game_tables.match_tables(digest, parts)) for piece, parts in prepared_pieces)

    def _store_piece(self, writer: AccountWriter, piece: SourcePiece) -> None:
        """Store what was in a piece. Add the event of the import if the piece is the entire source."""
        progress, length = writer.progress, self._summary.length
        is_whole = not progress.faults and isinstance(piece, Chunk) and len(piece.data) == length
        self._is_import_recorded = is_whole and not writer.has_earlier_editions
        imported = self._build_imported_event() if self._is_import_recorded else None
        writer.store(piece.start, measure_piece(piece), imported)
        percent = 100 * progress.bytes.total // max(length, 1)
        self._run.options.on_progress(f"{self._source.name}: {progress.hands:,} hands, {percent} %")

    def _build_imported_event(self) -> SourceImported:
        reader, origins = format_reader_name(self._identified.form), self._identified.origins
        return import_event(self._summary, reader, self._name, origins, keeps_bytes=not self._run.options.hide_cards)

    def _finish(self, writer: AccountWriter) -> None:
        """Record that the source was read to its end."""
        imported = self._build_imported_event()
        if not self._is_import_recorded:
            self._run.ledger.finish(imported, reader=imported.reader, key_suffix=writer.repeat_suffix)
        self._run.editions.add_finished(imported)


class _ImportStart(NamedTuple):
    """Where the import of a source starts."""

    byte: int
    progress: ImportProgress
