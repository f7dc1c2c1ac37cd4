"""Import sources chunk by chunk. Nothing is read twice, and every byte is accounted for."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, nullcontext
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TypeAlias

import msgspec

from ledger import formats
from ledger.account import read_detail
from ledger.errors import NotAccountedError, SourceError
from ledger.house.events import SourceImported, SourceRejected
from ledger.intake import archives
from ledger.intake.account_cache import AccountCache
from ledger.intake.account_writer import AccountWriter, ImportProgress
from ledger.intake.accounts import Editions, name_key
from ledger.intake.chunk_intake import summarize, take_piece
from ledger.intake.chunk_preparation import ChunkOrigin
from ledger.intake.chunks import split_chunks
from ledger.intake.dry import DryRunWriter, SeenHands
from ledger.intake.fed import FedHands
from ledger.intake.files import IncomingSource, find_sources
from ledger.intake.games import GameTables
from ledger.intake.jobs import Jobs, ReadySource
from ledger.intake.prefetch import prefetch_sources
from ledger.intake.source_format import BLOCK_BYTES, IdentifiedSource, RefusedSource, SourceOrigins, identify_source
from ledger.intake.summary import REJECTS_SHOWN, FileSummary, ImportSummary, RejectSummary
from ledger.notation import Chunk, Format
from ledger.vocabulary import Millis, TextRef

if TYPE_CHECKING:
    from ledger.store import Ledger

ProgressCallback: TypeAlias = Callable[[str], None]


def import_paths(
    ledger: Ledger,
    paths: Sequence[str | Path],
    *,
    format: str | None = None,  # noqa: A002 - the word of the command line
    dry_run: bool = False,
    compress: bool | None = None,
    hide: bool = False,
    jobs: int = 1,
    on_progress: ProgressCallback | None = None,
    answers: Mapping[str, bytes] | None = None,
) -> ImportSummary:
    """Import the files and folders that `paths` name; return a summary of each source.

    `format` forces a reader. With `dry_run` nothing is written. With `compress` events are kept in
    less room (`Ledger.bulk`); None: as in this ledger so far, and so in a new one. With `hide` cards that were not shown are committed to (`ledger.hidden_cards`),
    and the bytes of the sources, which show them, are not kept: their digests are.
    With `jobs` above 1 large sources, and small ones if they are many, are read in so many
    processes; the ledger is the same to the byte.
    `answers` has files of notes with the answers to their questions, by the SHA-256 of the file.
    `on_progress` gets a line about the progress. A path that leads nowhere raises `SourceError` before
    anything is written; an error in one source is in its summary, and the next is read.
    """
    return import_sources(
        ledger,
        find_sources(paths),
        format=format,
        dry_run=dry_run,
        compress=compress,
        hide=hide,
        jobs=jobs,
        on_progress=on_progress,
        answers=answers,
    )


def import_sources(
    ledger: Ledger,
    sources: Iterable[IncomingSource],
    *,
    format: str | None = None,  # noqa: A002 - the word of the command line
    dry_run: bool = False,
    compress: bool | None = None,
    hide: bool = False,
    jobs: int = 1,
    on_progress: ProgressCallback | None = None,
    editions: Editions | None = None,
    answers: Mapping[str, bytes] | None = None,
) -> ImportSummary:
    """Bring sources into the ledger, as `import_paths` does with those that paths name.

    `editions`: what was read before, of whoever imports again and again.
    """
    if editions is not None:
        editions.read_on()
    forced_format = formats.get(format) if format else None
    ledger.people.needed()
    summary = ImportSummary([], dry_run=dry_run)
    editions = editions or Editions(ledger)
    import_run = _ImportRun(
        ledger,
        forced_format,
        on_progress or _ignore_progress,
        Jobs(jobs, ledger.people),
        editions,
        dry_run=dry_run,
        hide=hide,
    )
    import_run.answers = answers or {}
    try:
        with nullcontext() if dry_run else ledger.bulk(compress=ledger.compresses() if compress is None else compress):
            format_name = forced_format.name if forced_format else ""
            prefetched = (
                sources
                if hide
                else prefetch_sources(
                    import_run.jobs, sources, format_name, import_run.source_name, import_run.has_read
                )
            )
            summary.files.extend(import_source(source, partial(_import_content, import_run)) for source in prefetched)
    finally:
        import_run.jobs.close()
    return summary


def _ignore_progress(_words: str) -> None:
    """Ignore a line about the progress."""


class _ImportRun:
    """The state that all sources of one import share."""

    def __init__(
        self,
        ledger: Ledger,
        forced_format: Format | None,
        on_progress: ProgressCallback,
        jobs: Jobs,
        editions: Editions,
        *,
        dry_run: bool,
        hide: bool,
    ) -> None:
        self.ledger = ledger
        self.forced_format = forced_format
        self.on_progress = on_progress
        self.jobs = jobs
        self.dry_run = dry_run
        self.hide = hide
        self.seen_hands = SeenHands()
        self.account_cache = AccountCache(is_dry_run=dry_run)
        self.game_tables = GameTables(ledger, is_dry_run=dry_run)
        self.editions = editions
        self.answers: Mapping[str, bytes] = {}

    def source_name(self, digest: bytes) -> str:
        """Return by what the ledger names a source of this SHA-256, hex."""
        return self.ledger.people.source_id(digest)[0].hex()

    def has_read(self, digest: str) -> bool:
        """Whether a reader has read this source to its end."""
        return self.editions.has_read(digest)

    def find_rejects(self, imported: SourceImported) -> list[RejectSummary]:
        """Return the first spans that were rejected when a source was read."""
        self.editions.read_on()  # it may have been read a moment ago
        ledger, rejects = self.ledger, []
        for position in self.editions.reject_positions.get(imported.source, ())[-imported.rejected :][:REJECTS_SHOWN]:
            with ledger.database.reading() as link:
                commit = ledger.reader.commit_at(link, position)
            for entry in ledger.entries_of(commit) if commit is not None else ():
                event = entry.event
                if entry.position == position and isinstance(event, SourceRejected):
                    detail = read_detail(ledger.people.words(event.detail) or "")
                    rejects.append(RejectSummary(event.line, event.start, event.length, event.code, *detail))
        return rejects


def import_source(source: IncomingSource, read_source: Callable[[IncomingSource, FileSummary], None]) -> FileSummary:
    """Read a source, and put an error into its summary."""
    summary = FileSummary(source.name)
    try:
        if source.problem:
            raise source.problem
        with ExitStack() as stack:
            if source.opens_once:  # a pipe can be read once, and is needed twice
                stream = stack.enter_context(source.open())
                stream_copy = stack.enter_context(archives.copy_stream(stream, source.name))
                source = IncomingSource(source.name, partial(archives.rewind, stream_copy), origin=source.origin)
            read_source(source, summary)
    except (SourceError, NotAccountedError) as error:
        summary.outcome, summary.error = "failed", error.message
    except OSError as error:
        summary.outcome, summary.error = "failed", (error.strerror or str(error)).lower()
    if summary.outcome == "failed":  # what came before it failed was read, or was not
        accounted_bytes = summary.read + summary.blank + summary.rejected_bytes
        summary.length = max(summary.length, accounted_bytes)
        summary.not_read = summary.length - accounted_bytes
    return summary


def _import_content(import_run: _ImportRun, source: IncomingSource, summary: FileSummary) -> None:
    """Recognise a source, keep its bytes, read it."""
    identified = identify_source(source, import_run.forced_format, import_run.ledger.people, summary)
    if isinstance(identified, RefusedSource):
        _report_rejected(import_run, identified, summary)
        return
    if identified is not None and identified.form.name == "handscript" and not (import_run.hide or source.is_part):
        from ledger.intake.answered import complete_notes  # noqa: PLC0415 - it loads handscript, which is there by now

        completed = complete_notes(
            import_run.ledger,
            import_run.editions,
            identified.origins.keys,
            source,
            summary.encoding,
            import_run.answers,
        )
        if completed is not None:
            source, summary.length, summary.answers = completed.source, 0, completed.answer_count
            identified = identify_source(source, import_run.forced_format, import_run.ledger.people, summary)
    if isinstance(identified, IdentifiedSource):
        imported = import_run.editions.find_finished(
            summary.source, reader_name(identified.form), identified.origins.keys
        )
        if imported is not None:
            _report_already_imported(import_run, summary, imported)
        else:
            _import_hands(import_run, source, identified.form, summary, identified.ready, identified.origins)


def _report_rejected(import_run: _ImportRun, refused_source: RefusedSource, summary: FileSummary) -> None:
    """Record that a whole source is rejected. Keep its bytes for a later reader."""
    if not refused_source.data or import_run.dry_run:
        return
    ledger = import_run.ledger
    name = ledger.people.text(summary.name)
    if import_run.hide:
        ledger.sources.register_source(summary.source, name)
    else:
        ledger.sources.store(refused_source.data, name)
    writer = AccountWriter(
        ledger, summary.source, "", _current_millis(), ImportProgress(), import_run.editions, import_run.account_cache
    )
    writer.add_reject(refused_source.reject)
    writer.store(0, summary.length)


def _report_already_imported(import_run: _ImportRun, summary: FileSummary, imported: SourceImported) -> None:
    """Report a source that was imported before: all its hands are the same."""
    report_duplicate(summary, imported)
    if imported.rejected:
        summary.rejects = import_run.find_rejects(imported)


def report_duplicate(summary: FileSummary, imported: SourceImported) -> None:
    """Fill the summary of a source from the event of its earlier import."""
    summary.outcome = "known"
    summary.same = imported.new + imported.same + imported.second + imported.superseded
    summary.read, summary.blank = imported.bytes_read, imported.bytes_blank
    summary.rejected, summary.rejected_bytes = imported.rejected, imported.bytes_rejected
    summary.not_read = imported.length - imported.bytes_read - imported.bytes_blank - imported.bytes_rejected


def _import_hands(
    import_run: _ImportRun,
    source: IncomingSource,
    source_format: Format,
    summary: FileSummary,
    ready_source: ReadySource | None,
    origins: SourceOrigins,
) -> None:
    """Import a source chunk by chunk, from where an interrupted import stopped."""
    ledger, digest, reader = import_run.ledger, summary.source, reader_name(source_format)
    start_byte, progress, is_whole, moment = 0, ImportProgress(), False, _current_millis()
    name = ledger.people.text(source.name)
    keys = origins.keys
    known_keys = keys | {name_key(name)} if source.origin else keys
    if import_run.dry_run:
        writer: AccountWriter = DryRunWriter(
            ledger,
            digest,
            reader,
            moment,
            progress,
            import_run.editions,
            import_run.account_cache,
            known_keys,
            import_run.seen_hands,
        )
    else:
        if _store_bytes(import_run, source) != digest:
            raise SourceError(f"{source.name}: it changed while it was read", "Import it again.")
        stored_progress = ledger.sources.progress(digest, reader)
        if stored_progress is not None:
            progress = msgspec.json.decode(stored_progress.state, type=ImportProgress)
            starts_anew = progress.faults or import_run.editions.has_earlier(digest, known_keys)
            start_byte, progress = (0, ImportProgress()) if starts_anew else (stored_progress.upto, progress)
        writer = AccountWriter(
            ledger, digest, reader, moment, progress, import_run.editions, import_run.account_cache, known_keys
        )
        if import_run.editions.is_overtaken(digest, keys):
            writer.repeat_suffix = f":again {import_run.editions.sources_read}"
    writer.fed_hands = FedHands(ledger) if source_format.find_complete is not None else None
    with source.open() as stream:
        _skip_bytes(stream, start_byte)
        pieces = split_chunks(stream.read, source_format, summary.encoding, source.name, start_byte, progress.line)
        for piece, parts in import_run.jobs.prepare_chunks(
            source_format, pieces, ChunkOrigin(digest, moment, import_run.hide), ready_source
        ):
            if source_format.is_named_by_file:
                parts = import_run.game_tables.match_tables(digest, parts)  # noqa: PLW2901 - the same, at the tables of the ledger
            take_piece(writer, piece, parts, summary)
            is_whole = not progress.faults and (isinstance(piece, Chunk) and len(piece.data) == summary.length)
            summarize(summary, progress)
            writer.store(
                piece.start,
                len(piece.data) if isinstance(piece, Chunk) else piece.length,
                import_event(summary, reader, name, origins, keeps_bytes=not import_run.hide)
                if is_whole and not writer.has_earlier_editions
                else None,
            )
            import_run.on_progress(
                f"{source.name}: {progress.hands:,} hands, {100 * progress.bytes.total // max(summary.length, 1)} %"
            )
    writer.settle_facts()
    summarize(summary, progress)
    summary.accounts = writer.accounts
    if progress.bytes.total != summary.length:
        raise NotAccountedError(f"{source.name}: {summary.length} bytes, but {progress.bytes.total} are accounted for")
    if import_run.dry_run or progress.faults:
        return
    imported = import_event(summary, reader, name, origins, keeps_bytes=not import_run.hide)
    if not is_whole or writer.has_earlier_editions:
        ledger.finish(imported, reader=reader, key_suffix=writer.repeat_suffix)
    import_run.editions.add_finished(imported)


def _store_bytes(import_run: _ImportRun, source: IncomingSource) -> str:
    """Store the bytes of a source, unless they would show hidden cards. Return its id."""
    name = import_run.ledger.people.text(source.name)
    with source.open() as stream:
        blocks = iter(lambda: stream.read(BLOCK_BYTES), b"")
        if not import_run.hide:
            return import_run.ledger.sources.store(blocks, name)
        digest = sha256()
        for block in blocks:
            digest.update(block)
    source_id = import_run.source_name(digest.digest())
    import_run.ledger.sources.register_source(source_id, name)
    return source_id


def import_event(
    summary: FileSummary, reader: str, name: TextRef, origins: SourceOrigins, *, keeps_bytes: bool
) -> SourceImported:
    """Return the event for a source that was read to its end."""
    return SourceImported(
        source=summary.source,
        format=summary.format,
        reader=reader,
        length=summary.length,
        bytes_read=summary.read,
        bytes_blank=summary.blank,
        bytes_rejected=summary.rejected_bytes,
        new=summary.new,
        same=summary.same,
        second=summary.second,
        rejected=summary.rejected,
        encoding=summary.encoding,
        name=name,
        origin=origins.origin,
        told=origins.declared,
        superseded=summary.superseded,
        kept=keeps_bytes,
    )


def reader_name(source_format: Format) -> str:
    """Return the name and version of a format's reader, as commits store it."""
    return f"{source_format.name} {source_format.reader}"


def _current_millis() -> Millis:
    return time.time_ns() // 1_000_000


def _skip_bytes(stream: BinaryIO, size: int) -> None:
    """Skip the bytes that an interrupted import has read."""
    if stream.seekable():
        stream.seek(size)
        return
    while size > 0:
        size -= len(stream.read(min(size, BLOCK_BYTES)) or bytes(size))
