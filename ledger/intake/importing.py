"""The import: source by source, chunk by chunk, nothing read twice, nothing left out in silence."""

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
from ledger.intake.accounts import AccountCache, Editions, name_key
from ledger.intake.chunks import split_chunks
from ledger.intake.dry import DryRunWriter, SeenHands
from ledger.intake.fed import FedHands
from ledger.intake.files import IncomingSource, find_sources
from ledger.intake.games import GameTables
from ledger.intake.jobs import Jobs, ReadySource
from ledger.intake.prefetch import prefetch_sources
from ledger.intake.preparing import ChunkOrigin
from ledger.intake.recognising import BLOCK_BYTES, IdentifiedSource, RefusedSource, SourceOrigins, identify_source
from ledger.intake.summary import REJECTS_SHOWN, FileSummary, ImportSummary, RejectSummary
from ledger.intake.taking import summarize, take_piece
from ledger.intake.writing import AccountWriter, ImportProgress
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
    progress: ProgressCallback | None = None,
    answers: Mapping[str, bytes] | None = None,
) -> ImportSummary:
    """Bring the sources that `paths` name into the ledger; say what became of each and its bytes.

    `format` forces a reader. With `dry_run` nothing is written. With `compress` events are kept in
    less room (`Ledger.bulk`); None: as in this ledger so far, and so in a new one. With `hide` cards that were not shown are committed to (`ledger.hiding`),
    and the bytes of the sources, which show them, are not kept: their digests are.
    With `jobs` above 1 large sources, and small ones if they are many, are read in so many
    processes; the ledger is the same to the byte.
    `answers` has files of notes with the answers to their questions, by the SHA-256 of the file.
    `progress` is told in words how far it is. A path that leads nowhere raises `SourceError` before
    anything is written; what goes wrong in one source stands in its summary and the next is read.
    """
    return import_sources(
        ledger,
        find_sources(paths),
        format=format,
        dry_run=dry_run,
        compress=compress,
        hide=hide,
        jobs=jobs,
        progress=progress,
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
    progress: ProgressCallback | None = None,
    editions: Editions | None = None,
    answers: Mapping[str, bytes] | None = None,
) -> ImportSummary:
    """Bring sources into the ledger, as `import_paths` does with those that paths name.

    `editions`: what was read before, of whoever imports again and again.
    """
    if editions is not None:
        editions.read_on()
    forced = formats.get(format) if format else None
    ledger.people.needed()
    summary = ImportSummary([], dry_run=dry_run)
    editions = editions or Editions(ledger)
    run = _ImportRun(
        ledger, forced, progress or _ignore_progress, Jobs(jobs, ledger.people), editions, dry_run=dry_run, hide=hide
    )
    run.answers = answers or {}
    try:
        with nullcontext() if dry_run else ledger.bulk(compress=ledger.compresses() if compress is None else compress):
            named = forced.name if forced else ""
            coming = sources if hide else prefetch_sources(run.jobs, sources, named, run.source_name, run.has_read)
            summary.files.extend(import_source(source, partial(_import_content, run)) for source in coming)
    finally:
        run.jobs.close()
    return summary


def _ignore_progress(_words: str) -> None:
    """Tell nobody."""


class _ImportRun:
    """What all sources of one import share."""

    def __init__(
        self,
        ledger: Ledger,
        forced: Format | None,
        told: ProgressCallback,
        jobs: Jobs,
        editions: Editions,
        *,
        dry_run: bool,
        hide: bool,
    ) -> None:
        self.ledger = ledger
        self.forced_format = forced
        self.on_progress = told
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
        """Tell whether a reader has read this source to its end."""
        return self.editions.has_read(digest)

    def find_rejects(self, told: SourceImported) -> list[RejectSummary]:
        """Return the first spans that were rejected when a source was read."""
        self.editions.read_on()  # it may have been read a moment ago
        ledger, found = self.ledger, []
        for position in self.editions.reject_positions.get(told.source, ())[-told.rejected :][:REJECTS_SHOWN]:
            with ledger.database.reading() as link:
                commit = ledger.reader.commit_at(link, position)
            for one in ledger.entries_of(commit) if commit is not None else ():
                e = one.event
                if one.position == position and isinstance(e, SourceRejected):
                    detail = read_detail(ledger.people.words(e.detail) or "")
                    found.append(RejectSummary(e.line, e.start, e.length, e.code, *detail))
        return found


def import_source(source: IncomingSource, read: Callable[[IncomingSource, FileSummary], None]) -> FileSummary:
    """Let a source be read; what is wrong with it stands in the summary."""
    summary = FileSummary(source.name)
    try:
        if source.problem:
            raise source.problem
        with ExitStack() as stack:
            if source.opens_once:  # a pipe can be read once, and is needed twice
                stream = stack.enter_context(source.open())
                copy = stack.enter_context(archives.copy_stream(stream, source.name))
                source = IncomingSource(source.name, partial(archives.rewind, copy), origin=source.origin)
            read(source, summary)
    except (SourceError, NotAccountedError) as error:
        summary.outcome, summary.error = "failed", error.message
    except OSError as error:
        summary.outcome, summary.error = "failed", (error.strerror or str(error)).lower()
    if summary.outcome == "failed":  # what came before it failed was read, or was not
        told = summary.read + summary.blank + summary.rejected_bytes
        summary.length = max(summary.length, told)
        summary.not_read = summary.length - told
    return summary


def _import_content(run: _ImportRun, source: IncomingSource, summary: FileSummary) -> None:
    """Recognise a source, keep its bytes, read it."""
    seen = identify_source(source, run.forced_format, run.ledger.people, summary)
    if isinstance(seen, RefusedSource):
        _report_rejected(run, seen, summary)
        return
    if seen is not None and seen.form.name == "handscript" and not (run.hide or source.is_part):
        from ledger.intake.answered import complete_notes  # noqa: PLC0415 - it loads handscript, which is there by now

        completed = complete_notes(run.ledger, run.editions, seen.origins.keys, source, summary.encoding, run.answers)
        if completed is not None:
            source, summary.length, summary.answers = completed.source, 0, completed.answer_count
            seen = identify_source(source, run.forced_format, run.ledger.people, summary)
    if isinstance(seen, IdentifiedSource):
        found = run.editions.find_finished(summary.source, reader_name(seen.form), seen.origins.keys)
        if found is not None:
            _report_already_imported(run, summary, found)
        else:
            _import_hands(run, source, seen.form, summary, seen.ready, seen.origins)


def _report_rejected(run: _ImportRun, seen: RefusedSource, summary: FileSummary) -> None:
    """Say that a whole source is rejected; keep it, for the day when it can be read."""
    if not seen.data or run.dry_run:
        return
    ledger = run.ledger
    name = ledger.people.text(summary.name)
    if run.hide:
        ledger.sources.register_source(summary.source, name)
    else:
        ledger.sources.store(seen.data, name)
    writer = AccountWriter(
        ledger, summary.source, "", _current_millis(), ImportProgress(), run.editions, run.account_cache
    )
    writer.add_reject(seen.reject)
    writer.store(0, summary.length)


def _report_already_imported(run: _ImportRun, summary: FileSummary, found: SourceImported) -> None:
    """Say again what was said when the source was imported; all its hands are the same."""
    report_duplicate(summary, found)
    if found.rejected:
        summary.rejects = run.find_rejects(found)


def report_duplicate(summary: FileSummary, found: SourceImported) -> None:
    """Write into the summary of a source what was said when it was read before."""
    summary.outcome = "known"
    summary.same = found.new + found.same + found.second + found.superseded
    summary.read, summary.blank = found.bytes_read, found.bytes_blank
    summary.rejected, summary.rejected_bytes = found.rejected, found.bytes_rejected
    summary.not_read = found.length - found.bytes_read - found.bytes_blank - found.bytes_rejected


def _import_hands(
    run: _ImportRun,
    source: IncomingSource,
    form: Format,
    summary: FileSummary,
    ready: ReadySource | None,
    place: SourceOrigins,
) -> None:
    """Read a source chunk by chunk into the ledger, from where an interrupted import stopped."""
    ledger, digest, reader = run.ledger, summary.source, reader_name(form)
    start, standing, whole, at = 0, ImportProgress(), False, _current_millis()
    name = ledger.people.text(source.name)
    keys = place.keys
    known = keys | {name_key(name)} if source.origin else keys
    if run.dry_run:
        writer: AccountWriter = DryRunWriter(
            ledger, digest, reader, at, standing, run.editions, run.account_cache, known, run.seen_hands
        )
    else:
        if _store_bytes(run, source) != digest:
            raise SourceError(f"{source.name}: it changed while it was read", "Import it again.")
        before = ledger.sources.progress(digest, reader)
        if before is not None:
            standing = msgspec.json.decode(before.state, type=ImportProgress)
            anew = standing.faults or run.editions.has_earlier(digest, known)
            start, standing = (0, ImportProgress()) if anew else (before.upto, standing)
        writer = AccountWriter(ledger, digest, reader, at, standing, run.editions, run.account_cache, known)
        if run.editions.is_overtaken(digest, keys):
            writer.repeat_suffix = f":again {run.editions.sources_read}"
    writer.fed_hands = FedHands(ledger) if form.live is not None else None
    with source.open() as stream:
        _skip_bytes(stream, start)
        pieces = split_chunks(stream.read, form, summary.encoding, source.name, start, standing.line)
        for piece, parts in run.jobs.prepare_chunks(form, pieces, ChunkOrigin(digest, at, run.hide), ready):
            if form.named_by_file:
                parts = run.game_tables.match_tables(digest, parts)  # noqa: PLW2901 - the same, at the tables of the ledger
            take_piece(writer, piece, parts, summary)
            whole = not standing.faults and (isinstance(piece, Chunk) and len(piece.data) == summary.length)
            summarize(summary, standing)
            writer.store(
                piece.start,
                len(piece.data) if isinstance(piece, Chunk) else piece.length,
                import_event(summary, reader, name, place, kept=not run.hide)
                if whole and not writer.has_earlier_editions
                else None,
            )
            run.on_progress(
                f"{source.name}: {standing.hands:,} hands, {100 * standing.bytes.total // max(summary.length, 1)} %"
            )
    writer.settle_facts()
    summarize(summary, standing)
    summary.accounts = writer.accounts
    if standing.bytes.total != summary.length:
        raise NotAccountedError(f"{source.name}: {summary.length} bytes, but {standing.bytes.total} are accounted for")
    if run.dry_run or standing.faults:
        return
    imported = import_event(summary, reader, name, place, kept=not run.hide)
    if not whole or writer.has_earlier_editions:
        ledger.finish(imported, reader=reader, key_suffix=writer.repeat_suffix)
    run.editions.add_finished(imported)


def _store_bytes(run: _ImportRun, source: IncomingSource) -> str:
    """Keep the bytes of a source, unless they would show hidden cards; return its id."""
    name = run.ledger.people.text(source.name)
    with source.open() as stream:
        blocks = iter(lambda: stream.read(BLOCK_BYTES), b"")
        if not run.hide:
            return run.ledger.sources.store(blocks, name)
        digest = sha256()
        for block in blocks:
            digest.update(block)
    made = run.source_name(digest.digest())
    run.ledger.sources.register_source(made, name)
    return made


def import_event(
    summary: FileSummary, reader: str, name: TextRef, place: SourceOrigins, *, kept: bool
) -> SourceImported:
    """Return the event that says what came of a source that was read to its end."""
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
        origin=place.origin,
        told=place.declared,
        superseded=summary.superseded,
        kept=kept,
    )


def reader_name(form: Format) -> str:
    """Return what a commit says of the reader of its source."""
    return f"{form.name} {form.reader}"


def _current_millis() -> Millis:
    return time.time_ns() // 1_000_000


def _skip_bytes(stream: BinaryIO, size: int) -> None:
    """Go to byte `size`: what an interrupted import has read already."""
    if stream.seekable():
        stream.seek(size)
        return
    while size > 0:
        size -= len(stream.read(min(size, BLOCK_BYTES)) or bytes(size))
