"""The event of a finished import, and the summary of a source that comes again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.house.events import SourceImported

if TYPE_CHECKING:
    from ledger.intake.source_format import SourceOrigins
    from ledger.intake.summary import FileSummary
    from ledger.vocabulary import TextRef


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


def report_duplicate(summary: FileSummary, imported: SourceImported) -> None:
    """Fill the summary of a source from the event of its earlier import."""
    summary.outcome = "known"
    summary.same = imported.new + imported.same + imported.second + imported.superseded
    summary.read, summary.blank = imported.bytes_read, imported.bytes_blank
    summary.rejected, summary.rejected_bytes = imported.rejected, imported.bytes_rejected
    summary.not_read = imported.length - imported.bytes_read - imported.bytes_blank - imported.bytes_rejected
