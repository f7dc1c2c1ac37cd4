"""`audit --baseline FILE`: an audit compared with an earlier audit's JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ledger import safe
from ledger.decoders import convert
from ledger.errors import SourceError, UsageError
from ledger.files.plain_files import read_contents
from ledger.text.language import join_list, phrase, phrase_count, translatable
from ledger.text.screen_lines import fill_columns

if TYPE_CHECKING:
    from projections.addresses.hand_reference import Hand
    from projections.audit.audit_difference import AuditComparison
    from projections.audit.audit_result import AuditResult, BookRef
    from projections.audit.clause_filter import ClauseFilter
    from projections.findings.finding import Finding
    from projections.reports.audit_json import Document

MAX_BYTES: Final = 256 * 1024 * 1024
"""Bytes of a baseline: enough for more than 100,000 findings."""
_HINT: Final = translatable("Make one: handledger audit --format json -o FILE, with the same -r.")


def read_baseline(path: Path, clause_filter: ClauseFilter | None) -> AuditResult:
    """Return the baseline in a file, narrowed to the clauses of the filter."""
    from projections.audit.audit_result import AuditResult
    from projections.reports.audit_json import SCHEMA, Document

    name = safe.terminal(str(path), 200)
    try:
        data = read_contents(path, MAX_BYTES)
    except OSError as error:
        problem = error.strerror or phrase("cannot be read")
        raise SourceError(f"{name}: {problem.lower()}", phrase(_HINT)) from None
    if len(data) > MAX_BYTES:
        raise SourceError(
            phrase("{file} has more than {count} bytes", file=name, count=format(MAX_BYTES, ",")),
            phrase("Make the baseline of fewer hands: --table, --where."),
        )
    try:
        content = json.loads(data.removeprefix(b"\xef\xbb\xbf"))
        if not isinstance(content, dict) or content.get("schema") != SCHEMA:
            raise UsageError(
                phrase("{file} isn't the JSON of an audit: its schema isn't {schema}", file=name, schema=SCHEMA),
                phrase(_HINT),
            )
        document = convert(content, Document)
    except (ValueError, RecursionError) as error:
        problem = safe.terminal(str(error), 200)
        raise UsageError(
            phrase("{file} cannot be read as an audit's JSON: {problem}", file=name, problem=problem), phrase(_HINT)
        ) from None
    _require_complete(document, name, clause_filter)
    findings: list[Finding] = [
        finding for finding in document.findings if clause_filter is None or clause_filter.matches_finding(finding)
    ]
    return AuditResult(document.books, document.summary.hands, findings, [])


def _require_complete(document: Document, name: str, clause_filter: ClauseFilter | None) -> None:
    """Raise `UsageError` for a baseline that lacks findings to compare with."""
    if document.since is not None:
        raise UsageError(
            phrase("{file} holds only what had changed since a baseline of its own", file=name), phrase(_HINT)
        )
    if document.only and document.only != (clause_filter.patterns if clause_filter is not None else []):
        stated_clauses = safe.terminal(", ".join(document.only), 200)
        raise UsageError(
            phrase("{file} holds only findings of {clauses}", file=name, clauses=stated_clauses),
            phrase("Say the same --only, or make the baseline without it."),
        )


def refuse_other_books(baseline: AuditResult, current: AuditResult, clause_filter: ClauseFilter | None) -> None:
    """Raise `UsageError` for audits under different books. Different editions of a book may be compared."""
    from projections.audit.audit_difference import choose_comparison_names

    own_names, other_names = (
        set(choose_comparison_names(ref.name for ref in result.books).values()) for result in (current, baseline)
    )
    if own_names - other_names or (other_names - own_names and clause_filter is None):
        raise UsageError(
            phrase(
                "the baseline was judged under {earlier_books}, and this is under {current_books}",
                earlier_books=_list_books(baseline.books),
                current_books=_list_books(current.books),
            ),
            phrase("Say the same -r. handledger rules diff OLD NEW compares two books."),
        )


def _list_books(books: list[BookRef]) -> str:
    return safe.terminal(", ".join(ref.name for ref in books), 200)


def describe_comparison(
    comparison: AuditComparison,
    baseline: AuditResult,
    current: AuditResult,
    path: Path | None,
    max_lines: int,
    address: Callable[[Hand, int], str],
) -> Iterator[str]:
    """Yield lines about the findings that are new, gone or changed since the baseline in a file.

    At most `max_lines` of each kind are listed; 0 = all. `address` returns the address of an event of a hand.
    """
    from projections.audit.audit_difference import choose_comparison_names

    counts = comparison.counts
    count_texts = [
        phrase("{count} came", count=format(counts.came, ",")),
        phrase("{count} went", count=format(counts.went, ",")),
        phrase("{count} changed", count=format(counts.changed, ",")),
        phrase("{count} as before", count=format(counts.same, ",")),
    ]
    if counts.elsewhere:
        count_texts.append(phrase("{count} in hands that were not judged now", count=format(counts.elsewhere, ",")))
    hands = phrase_count(
        "{earlier_count} hand judged then, {current_count} now",
        "{earlier_count} hands judged then, {current_count} now",
        baseline.hands,
        earlier_count=format(baseline.hands, ","),
        current_count=format(current.hands, ","),
    )
    yield phrase(
        "Since {file} ({hands}): {counts}.",
        file=safe.terminal(str(path), 80),
        hands=hands,
        counts=join_list(count_texts),
    )
    baseline_names, current_names = (
        choose_comparison_names(ref.name for ref in result.books) for result in (baseline, current)
    )
    earlier_refs = {baseline_names[ref.name]: ref for ref in baseline.books}
    for ref in current.books:
        earlier_ref = earlier_refs.get(current_names[ref.name])
        if earlier_ref is not None and earlier_ref.digest != ref.digest:
            editions = phrase(
                "{book}: edition {earlier_edition} (sha256 {earlier_digest}) then, {edition} (sha256 {digest}) now",
                book=ref.name,
                earlier_edition=earlier_ref.edition,
                earlier_digest=earlier_ref.digest[:12],
                edition=ref.edition,
                digest=ref.digest[:12],
            )
            yield "  " + safe.terminal(editions, 198)
    gone_label, changed = phrase("went"), phrase("changed")
    label_width = max(safe.columns(gone_label), safe.columns(changed))
    for finding in comparison.lost[: max_lines or None]:
        yield f"  {fill_columns(gone_label, label_width)}  {describe_finding(finding, address)}"
    if counts.went > max_lines > 0:
        more_count = format(counts.went - max_lines, ",")
        yield "  " + phrase("({count} more went; --format json lists all)", count=more_count)
    for change in comparison.changed[: max_lines or None]:
        fields = ", ".join(change.fields)
        yield f"  {fill_columns(changed, label_width)}  {describe_finding(change.before, address)} ({fields})"
    if counts.changed > max_lines > 0:
        more_count = format(counts.changed - max_lines, ",")
        yield "  " + phrase("({count} more changed; --format json lists all)", count=more_count)


def describe_finding(finding: Finding, address: Callable[[Hand, int], str]) -> str:
    """Return a finding in a few words, harmless: its clause, event, seat and sentence."""
    clause, event_address = safe.terminal(finding.citation, 60), address(finding.hand, finding.version)
    headline = safe.terminal(finding.saw, 120)
    if finding.seat is None:
        return f"{clause}  {event_address}: {headline}"
    place = phrase("{address} seat {seat}", address=event_address, seat=finding.seat)
    return f"{clause}  {place}: {headline}"
