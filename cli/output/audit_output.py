"""The output of an audit: text with the lines of the source, JSON, JSON lines or a spreadsheet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID

from cli.output import console
from ledger.text.language import phrase
from projections.addresses import source_names
from projections.addresses.address_book import AddressBook, build_address_from_names

if TYPE_CHECKING:
    from pathlib import Path

    from msgspec import Struct

    from ledger.store import Ledger
    from ledger.vocabulary import Seat
    from projections.addresses.hand_reference import Hand
    from projections.audit.audit_difference import AuditComparison, HandName
    from projections.audit.audit_result import AuditResult, CoverageDetail
    from projections.audit.clause_filter import ClauseFilter
    from projections.findings.finding import Finding
    from projections.reports.audit_text import Source
    from projections.tables.knock_ons import KnockOns


class AuditOutputOptions(NamedTuple):
    """The format, the place and the parts of an audit's output."""

    format_: str
    max_frames: int
    coverage_detail: CoverageDetail
    baseline: Path | None
    file: Path | None
    knock_ons: KnockOns | None = None  # what findings led to; None = not asked for
    book_arguments: Mapping[str, str] = {}  # how a command names each book that the user named


class AuditReport:
    """An audit, narrowed to some clauses or to the differences from a baseline, ready for output."""

    def __init__(
        self,
        full_result: AuditResult,
        clause_filter: ClauseFilter | None,
        baseline_result: AuditResult | None,
        find_judged: Callable[[set[HandName]], set[HandName]],
    ) -> None:
        """Take the audit. `find_judged` returns those of some hands that the audit judged."""
        from projections.audit.clause_filter import filter_clauses

        self.result = full_result if clause_filter is None else filter_clauses(full_result, clause_filter)
        self._clause_filter = clause_filter
        self._baseline_result = baseline_result
        self._comparison: AuditComparison | None = None
        if baseline_result is not None:
            from msgspec.structs import replace

            from cli.output.baseline import refuse_other_books
            from projections.audit.audit_difference import compare_audits

            refuse_other_books(baseline_result, self.result, clause_filter)
            self._comparison = compare_audits(baseline_result, self.result, find_judged)
            self.result = replace(self.result, findings=self._comparison.new_or_changed)

    def write(self, ledger: Ledger, options: AuditOutputOptions) -> None:
        """Write the audit in the format of the options."""
        if options.format_ == "json":
            self._write_json(ledger, options)
        elif options.format_ == "jsonl":
            from projections.reports.audit_json import iter_addressed_findings

            console.write_jsonl(
                iter_addressed_findings(
                    self.result, ledger.sources.sha256s(), AddressBook(ledger).find_finding_address
                ),
                options.file,
            )
        elif options.format_ == "csv":
            from cli.output.spreadsheet import build_context_finder
            from projections.reports.csv_rows import format_rows

            console.write_table(
                format_rows(self.result, build_context_finder(ledger), coverage_detail=options.coverage_detail),
                options.file,
            )
        else:
            clause_patterns = ", ".join(self._clause_filter.patterns) if self._clause_filter is not None else ""
            is_comparison = self._comparison is not None
            result_text = format_ledger_audit(
                ledger,
                self.result,
                options.max_frames,
                coverage_detail=options.coverage_detail,
                clause_filter=clause_patterns,
                is_comparison=is_comparison,
                knock_ons=options.knock_ons,
                book_arguments=options.book_arguments,
            )
            parts = [result_text]
            if self._comparison is not None and self._baseline_result is not None:
                from cli.output import baseline

                baseline_lines = baseline.describe_comparison(
                    self._comparison,
                    self._baseline_result,
                    self.result,
                    options.baseline,
                    options.max_frames,
                    AddressBook(ledger).find_finding_address,
                )
                parts += ["\n".join(baseline_lines)]
            console.write_lines("\n\n".join(parts).split("\n"), options.file)

    def _write_json(self, ledger: Ledger, options: AuditOutputOptions) -> None:
        from msgspec.structs import replace

        from projections.audit.audit_difference import EarlierAudit
        from projections.reports.audit_json import build_header, iter_addressed_findings

        document = build_header(self.result)
        if self._clause_filter is not None:
            document = replace(document, only=self._clause_filter.patterns)
        if options.coverage_detail == "none":
            document = replace(document, coverage=[])
        long_lists: dict[str, Iterable[Struct]] = {
            "findings": iter_addressed_findings(
                self.result, ledger.sources.sha256s(), AddressBook(ledger).find_finding_address
            ),
            "differences": self.result.differences,
        }
        if self._comparison is not None and self._baseline_result is not None:
            since = EarlierAudit(self._baseline_result.books, self._baseline_result.hands, self._comparison.counts)
            document = replace(document, since=since)
            long_lists |= {"changed": self._comparison.changed, "went": self._comparison.lost}
        if options.knock_ons is not None:
            long_lists["knock_on"] = options.knock_ons.follow_findings(self.result.findings)
        console.write_listings(document, long_lists, options.file)


def format_ledger_audit(
    ledger: Ledger,
    result: AuditResult,
    max_frames: int,
    *,
    coverage_detail: CoverageDetail = "short",
    clause_filter: str = "",
    is_comparison: bool = False,
    knock_ons: KnockOns | None = None,
    book_arguments: Mapping[str, str] | None = None,
) -> str:
    """Return an audit of a ledger as text: findings on the lines of their source, then the summary.

    `book_arguments`: how a command names each book, by the book's name. The summary names the `clause_filter`, and says if it is a comparison with a baseline.
    """
    address_book = AddressBook(ledger)
    format_frame = partial(
        format_finding_frame,
        ledger,
        width=min(console.find_width(), 120),
        knock_ons=knock_ons,
        address_book=address_book,
        book_arguments=book_arguments,
    )
    return format_audit(
        result,
        max_frames,
        format_frame,
        coverage_detail=coverage_detail,
        clause_filter=clause_filter,
        is_comparison=is_comparison,
        address=address_book.find_finding_address,
        with_advice=source_names.has_own_records(ledger),
    )


def format_audit(
    result: AuditResult,
    max_frames: int,
    format_frame: Callable[[Finding], str],
    *,
    coverage_detail: CoverageDetail = "short",
    clause_filter: str = "",
    is_comparison: bool = False,
    address: Callable[[Hand, int], str] = build_address_from_names,
    with_advice: bool = False,
) -> str:
    """Return an audit as text.

    `format_frame` returns the text of a finding, `address` the address of an event of a hand.
    """
    from projections.reports import audit_summary, side_by_side

    width = min(console.find_width(), 120)
    parts = [format_frame(finding) for finding in result.findings[:max_frames]]
    if len(result.findings) > max_frames > 0:
        more_count = format(len(result.findings) - max_frames, ",")
        parts.append(phrase("({count} more findings; --frames shows more, --format json all)", count=more_count))
    if result.differences:
        parts.append(
            side_by_side.format_differences(result, width=width, max_differences=max_frames, find_address=address)
        )
    if coverage_detail == "full":
        parts.append(audit_summary.format_coverage(result, width=width, with_advice=with_advice))
    parts.append(
        audit_summary.format_summary(
            result,
            width=width,
            with_coverage=coverage_detail != "none",
            clause_filter=clause_filter,
            is_comparison=is_comparison,
            with_advice=with_advice,
        )
    )
    return "\n\n".join(parts)


def format_finding_frame(
    ledger: Ledger,
    finding: Finding,
    width: int,
    knock_ons: KnockOns | None = None,
    address_book: AddressBook | None = None,
    book_arguments: Mapping[str, str] | None = None,
) -> str:
    """Return a finding on the lines of its source. With `knock_ons`, add what the finding led to."""
    from projections.reports.audit_text import format_finding

    address_book = address_book or AddressBook(ledger)
    is_coloured = console.paint("x", "bold") != "x"
    knock_on_of_finding = None if knock_ons is None else knock_ons.follow_finding(finding)
    knock_on = ""
    if knock_on_of_finding is not None:
        from projections.reports.knock_on_text import describe_knock_on

        knock_on = describe_knock_on(knock_on_of_finding)
    return format_finding(
        finding,
        build_source(ledger),
        width=width,
        is_coloured=is_coloured,
        player_name=_find_player_names(ledger, finding),
        address=address_book.find_finding_address(finding.hand, finding.version),
        knock_on=knock_on,
        book_argument=(book_arguments or {}).get(finding.book, ""),
    )


def _find_player_names(ledger: Ledger, finding: Finding) -> Callable[[Seat], str]:
    """Return a function from a seat to the printable name of its player, or "" if the hand names none."""
    from projections.reports.event_text import EventDescriber

    describer = EventDescriber(ledger.people)
    if finding.hand.stream:
        for event in ledger.events(UUID(hex=finding.hand.stream)):
            describer.remember(event)

    def name_player(seat: Seat) -> str:
        player = describer.players.get(seat)
        return describer.name_person(player) if player else ""

    return name_player


def build_source(ledger: Ledger) -> Source:
    """Return the access to the bytes of a ledger's source files, for reports."""
    from projections.reports.audit_text import Source

    files = source_names.load_source_files(ledger)

    def locate(digest: str, offset: int) -> tuple[str, int] | None:
        if digest not in files:
            return None
        return files[digest].name, source_names.find_line_number(ledger, digest, offset)

    return Source(
        read=partial(source_names.read_span, ledger),
        locate=locate,
        sha256={digest: file.sha256 for digest, file in files.items()},
    )
