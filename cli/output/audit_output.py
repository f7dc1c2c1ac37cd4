"""What an audit puts out: findings on the lines of their source, the summary, JSON, a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from cli.output import console
from ledger.text.language import phrase
from projections.addresses import source_names
from projections.addresses.address_book import AddressBook, named_address

if TYPE_CHECKING:
    from pathlib import Path

    from msgspec import Struct

    from ledger.store import Ledger
    from ledger.vocabulary import Seat
    from projections.addresses.hand_reference import Hand
    from projections.audit.audit_difference import AuditComparison, HandName
    from projections.audit.audit_result import AuditResult
    from projections.audit.clause_filter import ClauseFilter
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


class AuditView:
    """What of an audit is shown: some clauses, or what is otherwise than in an earlier audit."""

    def __init__(
        self,
        full_result: AuditResult,
        clause_filter: ClauseFilter | None,
        baseline_result: AuditResult | None,
        find_judged: Callable[[set[HandName]], set[HandName]],
    ) -> None:
        """Take the audit; `judged` says which of some hands it looked at."""
        from projections.audit.clause_filter import filter_clauses as narrow

        self.result = full_result if clause_filter is None else narrow(full_result, clause_filter)
        self._clause_filter = clause_filter
        self._earlier = baseline_result
        self._comparison: AuditComparison | None = None
        if baseline_result is not None:
            from msgspec.structs import replace

            from cli.output.baseline import refuse_other_books
            from projections.audit.audit_difference import compare_audits

            refuse_other_books(baseline_result, self.result, clause_filter)
            self._comparison = compare_audits(baseline_result, self.result, find_judged)
            self.result = replace(self.result, findings=self._comparison.new_or_changed)

    def put(self, ledger: Ledger, view: View) -> None:
        """Put it out, in the shape that was asked for."""
        if view.format_ == "json":
            self._json(ledger, view)
        elif view.format_ == "jsonl":
            from projections.reports.audit_json import iter_addressed_findings

            console.jsonl(
                iter_addressed_findings(self.result, ledger.sources.sha256s(), AddressBook(ledger).of_finding),
                view.file,
            )
        elif view.format_ == "csv":
            from cli.output.spreadsheet import context_finder
            from projections.reports.csv_rows import format_rows

            console.table(format_rows(self.result, context_finder(ledger), with_coverage=view.coverage), view.file)
        else:
            only_clauses = ", ".join(self._clause_filter.patterns) if self._clause_filter is not None else ""
            is_comparison = self._comparison is not None
            result = self.result
            result_text = text(
                ledger,
                result,
                view.frames,
                coverage=view.coverage,
                clause_filter=only_clauses,
                is_comparison=is_comparison,
                knock_ons=view.knock_ons,
            )
            parts = [result_text]
            if self._comparison is not None and self._earlier is not None:
                from cli.output import baseline

                baseline_lines = baseline.lines(
                    self._comparison,
                    self._earlier,
                    self.result,
                    view.baseline,
                    view.frames,
                    AddressBook(ledger).of_finding,
                )
                parts += ["\n".join(baseline_lines)]
            console.lines("\n\n".join(parts).split("\n"), view.file)

    def _json(self, ledger: Ledger, view: View) -> None:
        from msgspec.structs import replace

        from projections.audit.audit_difference import EarlierAudit
        from projections.reports.audit_json import build_header, iter_addressed_findings

        document = build_header(self.result)
        if self._clause_filter is not None:
            document = replace(document, only=self._clause_filter.patterns)
        if view.coverage is False:
            document = replace(document, coverage=[])
        long_lists: dict[str, Iterable[Struct]] = {
            "findings": iter_addressed_findings(self.result, ledger.sources.sha256s(), AddressBook(ledger).of_finding),
            "differences": self.result.differences,
        }
        if self._comparison is not None and self._earlier is not None:
            since = EarlierAudit(self._earlier.books, self._earlier.hands, self._comparison.counts)
            document = replace(document, since=since)
            long_lists |= {"changed": self._comparison.changed, "went": self._comparison.lost}
        if view.knock_ons is not None:
            long_lists["knock_on"] = view.knock_ons.follow_findings(self.result.findings)
        console.listings(document, long_lists, view.file)


def text(
    ledger: Ledger,
    result: AuditResult,
    frames: int,
    *,
    coverage: bool | None = None,
    clause_filter: str = "",
    is_comparison: bool = False,
    knock_ons: KnockOns | None = None,
) -> str:
    """Return an audit for people: findings in their frames, then the summary, of which `only` and `since` are parts."""
    address_book = AddressBook(ledger)
    format_frame = partial(
        frame, ledger, width=min(console.width(), 120), knock_ons=knock_ons, address_book=address_book
    )
    return format_audit(
        result,
        frames,
        format_frame,
        coverage=coverage,
        clause_filter=clause_filter,
        is_comparison=is_comparison,
        address=address_book.of_finding,
        with_advice=source_names.has_own_records(ledger),
    )


def format_audit(
    result: AuditResult,
    frames: int,
    format_frame: Callable[[Finding], str],
    *,
    coverage: bool | None = None,
    clause_filter: str = "",
    is_comparison: bool = False,
    address: Callable[[Hand, int], str] = named_address,
    with_advice: bool = False,
) -> str:
    """Return an audit for people as `text` does; `format_frame` shows a finding, `address` is that of an event."""
    from projections.reports import audit_summary, side_by_side

    width = min(console.width(), 120)
    parts = [format_frame(finding) for finding in result.findings[:frames]]
    if len(result.findings) > frames > 0:
        more_count = format(len(result.findings) - frames, ",")
        parts.append(phrase("({count} more findings; --frames shows more, --format json all)", count=more_count))
    if result.differences:
        parts.append(side_by_side.format_differences(result, width=width, max_differences=frames, address_of=address))
    if coverage:
        parts.append(audit_summary.format_coverage(result, width=width, with_advice=with_advice))
    parts.append(
        audit_summary.format_summary(
            result,
            width=width,
            with_coverage=coverage is not False,
            clause_filter=clause_filter,
            is_comparison=is_comparison,
            with_advice=with_advice,
        )
    )
    return "\n\n".join(parts)


def frame(
    ledger: Ledger,
    finding: Finding,
    width: int,
    knock_ons: KnockOns | None = None,
    address_book: AddressBook | None = None,
) -> str:
    """Return one finding on the lines of its source, with what it led to if that is asked."""
    from projections.reports import audit_text as reports

    address_book = address_book or AddressBook(ledger)
    is_coloured = console.paint("x", "bold") != "x"
    knock_on_of_finding = None if knock_ons is None else knock_ons.follow_finding(finding)
    knock_on = ""
    if knock_on_of_finding is not None:
        from projections.reports.knock_on_text import describe_knock_on

        knock_on = describe_knock_on(knock_on_of_finding)
    return reports.format_finding(
        finding,
        reader_of(ledger),
        width=width,
        is_coloured=is_coloured,
        player_name=_player_names(ledger, finding),
        address=address_book.of_finding(finding.hand, finding.version),
        knock_on=knock_on,
    )


def _player_names(ledger: Ledger, finding: Finding) -> Callable[[Seat], str]:
    """Return a function from seat to the printable name of who sat there."""
    from projections.reports.event_text import EventDescriber

    describer = EventDescriber(ledger.people)
    if finding.hand.stream:
        for event in ledger.events(UUID(hex=finding.hand.stream)):
            describer.remember(event)

    def name(seat: Seat) -> str:
        player = describer.players.get(seat)
        return describer.name_person(player) if player else ""

    return name


def reader_of(ledger: Ledger) -> Source:
    """Return how a report gets at the bytes of the sources in this ledger."""
    from projections.reports.audit_text import Source

    files = source_names.source_files_by_digest(ledger)

    def locate(digest: str, offset: int) -> tuple[str, int] | None:
        if digest not in files:
            return None
        return files[digest].name, source_names.line_at(ledger, digest, offset)

    return Source(
        read=partial(source_names.read_span, ledger),
        locate=locate,
        sha256={digest: file.sha256 for digest, file in files.items()},
    )
