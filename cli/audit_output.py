"""What an audit puts out: findings on the lines of their source, the summary, JSON, a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from cli import output
from projections.addresses import source_names
from projections.addresses.address_book import AddressBook, named_address

if TYPE_CHECKING:
    from pathlib import Path

    from msgspec import Struct

    from ledger.store import Ledger
    from ledger.vocabulary import Seat
    from projections.addresses.hand_reference import Hand
    from projections.audit.audit_difference import Called, Comparison
    from projections.audit.audit_result import AuditResult
    from projections.audit.clause_filter import Clauses
    from projections.findings.finding import Finding
    from projections.reports.audit_text import Source
    from projections.tables.kept_knock_ons import KnockOns


class View(NamedTuple):
    """How an audit is put out."""

    format_: str
    frames: int
    coverage: bool | None  # True: each clause; None: each book in short; False: none
    baseline: Path | None
    file: Path | None
    knock_ons: KnockOns | None = None  # what findings led to, if that is asked


class Shown:
    """What of an audit is shown: some clauses, or what is otherwise than in an earlier audit."""

    def __init__(
        self,
        whole: AuditResult,
        only: Clauses | None,
        earlier: AuditResult | None,
        judged: Callable[[set[Called]], set[Called]],
    ) -> None:
        """Take the audit; `judged` says which of some hands it looked at."""
        from projections.audit.clause_filter import only as narrowed

        self.result = whole if only is None else narrowed(whole, only)
        self._only = only
        self._earlier = earlier
        self._comparison: Comparison | None = None
        if earlier is not None:
            from msgspec.structs import replace

            from cli.baseline import refuse_other_books
            from projections.audit.audit_difference import compared

            refuse_other_books(earlier, self.result, only)
            self._comparison = compared(earlier, self.result, judged)
            self.result = replace(self.result, findings=self._comparison.now)

    def put(self, ledger: Ledger, view: View) -> None:
        """Put it out, in the shape that was asked for."""
        if view.format_ == "json":
            self._json(ledger, view)
        elif view.format_ == "jsonl":
            from projections.reports.audit_json import with_sources

            output.jsonl(with_sources(self.result, ledger.sources.sha256s(), AddressBook(ledger).of_finding), view.file)
        elif view.format_ == "csv":
            from cli.spreadsheet import teller
            from projections.reports.rows import format_rows

            output.table(format_rows(self.result, teller(ledger), with_coverage=view.coverage), view.file)
        else:
            only = ", ".join(self._only.patterns) if self._only is not None else ""
            since = self._comparison is not None
            found = self.result
            shown = text(
                ledger, found, view.frames, coverage=view.coverage, only=only, since=since, knock_ons=view.knock_ons
            )
            parts = [shown]
            if self._comparison is not None and self._earlier is not None:
                from cli import baseline

                told = baseline.lines(
                    self._comparison,
                    self._earlier,
                    self.result,
                    view.baseline,
                    view.frames,
                    AddressBook(ledger).of_finding,
                )
                parts += ["\n".join(told)]
            output.lines("\n\n".join(parts).split("\n"), view.file)

    def _json(self, ledger: Ledger, view: View) -> None:
        from msgspec.structs import replace

        from projections.audit.audit_difference import Since
        from projections.reports.audit_json import build_header, with_sources

        document = build_header(self.result)
        if self._only is not None:
            document = replace(document, only=self._only.patterns)
        if view.coverage is False:
            document = replace(document, coverage=[])
        long: dict[str, Iterable[Struct]] = {
            "findings": with_sources(self.result, ledger.sources.sha256s(), AddressBook(ledger).of_finding),
            "differences": self.result.differences,
        }
        if self._comparison is not None and self._earlier is not None:
            since = Since(self._earlier.books, self._earlier.hands, self._comparison.counts)
            document = replace(document, since=since)
            long |= {"changed": self._comparison.changed, "went": self._comparison.went}
        if view.knock_ons is not None:
            long["knock_on"] = view.knock_ons.of_findings(self.result.findings)
        output.listings(document, long, view.file)


def text(
    ledger: Ledger,
    result: AuditResult,
    frames: int,
    *,
    coverage: bool | None = None,
    only: str = "",
    since: bool = False,
    knock_ons: KnockOns | None = None,
) -> str:
    """Return an audit for people: findings in their frames, then the summary, of which `only` and `since` are parts."""
    book = AddressBook(ledger)
    framed = partial(frame, ledger, width=min(output.width(), 120), knock_ons=knock_ons, book=book)
    return told(result, frames, framed, coverage=coverage, only=only, since=since, address=book.of_finding)


def told(
    result: AuditResult,
    frames: int,
    framed: Callable[[Finding], str],
    *,
    coverage: bool | None = None,
    only: str = "",
    since: bool = False,
    address: Callable[[Hand, int], str] = named_address,
) -> str:
    """Return an audit for people as `text` does; `framed` tells a finding, `address` is that of an event."""
    from projections.reports import audit_text as reports
    from projections.reports import side_by_side

    width = min(output.width(), 120)
    parts = [framed(found) for found in result.findings[:frames]]
    if len(result.findings) > frames > 0:
        parts.append(f"({len(result.findings) - frames:,} more findings; --frames shows more, --format json all)")
    if result.differences:
        parts.append(side_by_side.format_differences(result, width=width, max_differences=frames, address_of=address))
    if coverage:
        parts.append(reports.format_coverage(result, width=width))
    parts.append(
        reports.format_summary(
            result, width=width, with_coverage=coverage is not False, clause_filter=only, is_comparison=since
        )
    )
    return "\n\n".join(parts)


def frame(
    ledger: Ledger, found: Finding, width: int, knock_ons: KnockOns | None = None, book: AddressBook | None = None
) -> str:
    """Return one finding on the lines of its source, with what it led to if that is asked."""
    from projections.reports import audit_text as reports

    book = book or AddressBook(ledger)
    colour = output.paint("x", "bold") != "x"
    led = None if knock_ons is None else knock_ons.of_finding(found)
    knock_on = ""
    if led is not None:
        from projections.reports.knock_on_text import describe_knock_on

        knock_on = describe_knock_on(led)
    return reports.format_finding(
        found,
        reader_of(ledger),
        width=width,
        is_coloured=colour,
        player_name=_names(ledger, found),
        address=book.of_finding(found.hand, found.version),
        knock_on=knock_on,
    )


def _names(ledger: Ledger, found: Finding) -> Callable[[Seat], str]:
    """Return a function from seat to the printable name of who sat there."""
    from projections.reports.event_text import Teller

    teller = Teller(ledger.people)
    if found.hand.stream:
        for event in ledger.events(UUID(hex=found.hand.stream)):
            teller.learn(event)

    def name(seat: Seat) -> str:
        player = teller.players.get(seat)
        return teller.person(player) if player else ""

    return name


def reader_of(ledger: Ledger) -> Source:
    """Return how a report gets at the bytes of the sources in this ledger."""
    from projections.reports.audit_text import Source

    files = source_names.source_files_by_digest(ledger)

    def where(digest: str, offset: int) -> tuple[str, int] | None:
        if digest not in files:
            return None
        return files[digest].name, source_names.line_at(ledger, digest, offset)

    return Source(
        read=partial(source_names.read_span, ledger),
        locate=where,
        sha256={digest: file.sha256 for digest, file in files.items()},
    )
