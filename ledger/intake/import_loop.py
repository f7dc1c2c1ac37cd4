"""Import sources one after the other. Nothing is read twice, and every byte is accounted for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from ledger import formats
from ledger.intake.account_writer import AccountWriter
from ledger.intake.accounts import Editions
from ledger.intake.files import IncomingSource, find_sources
from ledger.intake.finished_imports import report_duplicate
from ledger.intake.import_options import DEFAULT_OPTIONS, ImportOptions
from ledger.intake.import_progress import ImportProgress
from ledger.intake.import_run import ImportRun
from ledger.intake.prefetch import prefetch_sources
from ledger.intake.source_drafts import SourceReading
from ledger.intake.source_format import IdentifiedSource, RefusedSource, identify_source
from ledger.intake.source_import import SourceImport
from ledger.intake.source_reader import format_reader_name, import_source
from ledger.intake.summary import FileSummary, ImportSummary

if TYPE_CHECKING:
    from ledger.house.events import SourceImported
    from ledger.store import Ledger


def import_paths(
    ledger: Ledger, paths: Sequence[str | Path], options: ImportOptions = DEFAULT_OPTIONS
) -> ImportSummary:
    """Import the files and folders at `paths`. Return a summary of each source.

    A path that doesn't exist raises `SourceError` before anything is written. An error in one source is put into its
    summary, and the next is read.
    """
    return import_sources(ledger, find_sources(paths), options)


def import_sources(
    ledger: Ledger,
    sources: Iterable[IncomingSource],
    options: ImportOptions = DEFAULT_OPTIONS,
    *,
    editions: Editions | None = None,
) -> ImportSummary:
    """Import sources, as `import_paths` does.

    `editions`: the sources that were read before, if the caller imports again and again.
    """
    if editions is not None:
        editions.read_on()
    forced_format = formats.get(options.format_name) if options.format_name else None
    ledger.people.require_secret()
    ledger.drop_erased()
    import_run = ImportRun(ledger, options, forced_format, editions or Editions(ledger))
    summary = ImportSummary([], dry_run=options.dry_run)
    try:
        with nullcontext() if options.dry_run else _begin_bulk(ledger, options):
            summary.files.extend(
                import_source(source, partial(_import_content, import_run)) for source in _prefetch(import_run, sources)
            )
    finally:
        import_run.jobs.close()
    return summary


def _begin_bulk(ledger: Ledger, options: ImportOptions) -> AbstractContextManager[None]:
    return ledger.bulk(compress=ledger.compresses() if options.compress is None else options.compress)


def _prefetch(import_run: ImportRun, sources: Iterable[IncomingSource]) -> Iterable[IncomingSource]:
    """Return the sources. Small ones are read ahead in other processes, unless cards are hidden."""
    if import_run.options.hide_cards:
        return sources
    format_name = import_run.forced_format.name if import_run.forced_format else ""
    return prefetch_sources(import_run.jobs, sources, format_name, import_run.name_source, import_run.has_read)


def _import_content(import_run: ImportRun, source: IncomingSource, summary: FileSummary) -> None:
    """Recognise a source, and import it unless it was imported before."""
    identified = identify_source(source, import_run.forced_format, import_run.ledger.people, summary)
    if isinstance(identified, RefusedSource):
        _report_rejected(import_run, identified, summary)
        return
    if identified is not None and identified.form.name == "handscript":
        source, identified = _complete_notes(import_run, source, identified, summary)
    if not isinstance(identified, IdentifiedSource):
        return
    editions = import_run.editions
    imported = editions.find_finished(summary.source, format_reader_name(identified.form), identified.origins.keys)
    if imported is not None:
        _report_already_imported(import_run, summary, imported)
    else:
        SourceImport(import_run, source, identified, summary).import_hands()


def _complete_notes(
    import_run: ImportRun, source: IncomingSource, identified: IdentifiedSource, summary: FileSummary
) -> tuple[IncomingSource, IdentifiedSource | RefusedSource | None]:
    """Return notes with the answers to their questions. Return other sources, and notes without answers, unchanged."""
    if import_run.options.hide_cards or source.is_part:
        return source, identified
    from ledger.intake.answered import complete_notes  # noqa: PLC0415 - it loads handscript, which is there by now

    ledger, answers = import_run.ledger, import_run.options.answers
    completed = complete_notes(ledger, import_run.editions, identified.origins.keys, source, summary.encoding, answers)
    if completed is None:
        return source, identified
    summary.length, summary.answers = 0, completed.answer_count
    return completed.source, identify_source(completed.source, import_run.forced_format, ledger.people, summary)


def _report_rejected(import_run: ImportRun, refused_source: RefusedSource, summary: FileSummary) -> None:
    """Record that an entire source is rejected. Keep its bytes for a later reader."""
    if not refused_source.data or import_run.options.dry_run:
        return
    ledger = import_run.ledger
    name = ledger.people.text(summary.name)
    if import_run.options.hide_cards:
        ledger.sources.register_source(summary.source, name)
    else:
        ledger.sources.store(refused_source.data, name)
    reading = SourceReading(summary.source, "", import_run.current_millis())
    writer = AccountWriter(ledger, reading, ImportProgress(), import_run.editions, import_run.account_cache)
    writer.add_reject(refused_source.reject)
    writer.store(0, summary.length)


def _report_already_imported(import_run: ImportRun, summary: FileSummary, imported: SourceImported) -> None:
    """Report a source that was imported before: all its hands are the same."""
    report_duplicate(summary, imported)
    if imported.rejected:
        summary.rejects = import_run.find_rejects(imported)
