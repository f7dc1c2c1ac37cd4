"""Audits as text for a terminal: a finding with the lines that show it, a summary, and a table of coverage.

Source text is untrusted and goes through `ledger.safe`. This module reads no file or store: callers pass the
bytes as `Source`. Color only repeats what the text says.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from ledger import safe
from projections.addresses.address_book import named_address
from projections.addresses.address_grammar import quote_for_shell
from projections.addresses.source_names import encoding_of
from projections.audit.audit_result import AuditResult, BookRef
from projections.books.rulebook import BUILT_IN
from projections.findings.finding import NOT_JUDGED, Coverage, Finding, Line
from projections.reports.fact_names import describe_fact, find_silence, how_to_record
from projections.reports.finding_text import PlayerName, describe_money, format_headline, format_should_be
from projections.reports.tally import FindingTally, tally_findings

_LINE_SEARCH_BYTES: Final = 400  # bytes read before and after an event to find the ends of its line
_MAX_EVENT_BYTES: Final = 4096  # bytes of an event that are read
_COLOURS: Final = {"error": "31", "warning": "33", "info": "36"}
_MAX_RULE_LENGTH: Final = 4000
_REMEDY_TEXTS: Final = {"followed": "followed", "not-followed": "not followed", "cannot-tell": "not judged"}


@dataclass(frozen=True, slots=True)
class Source:
    """Access to the bytes of source files by their digests in the ledger."""

    read: Callable[[str, int, int], bytes]  # digest, start and length → bytes
    locate: Callable[[str, int], tuple[str, int] | None]  # digest and offset → file name and line; None = unknown
    sha256: Mapping[str, str] = field(default_factory=dict)  # digest → SHA-256 of the file, hex


def format_finding(
    finding: Finding,
    source: Source | None = None,
    *,
    width: int = 100,
    is_coloured: bool = False,
    player_name: PlayerName | None = None,
    address: str = "",
    knock_on: str = "",
) -> str:
    """Return a finding with the source lines that show it, in lines of at most `width` columns.

    `address` is the event's address in a ledger; `knock_on` is a sentence on the consequences. "" = none.
    """
    severity_label = f"{finding.severity}: "
    lines = _wrap_text(
        severity_label, safe.terminal(format_headline(finding, player_name), _MAX_RULE_LENGTH), width, indent=2
    )
    if is_coloured:
        colour = _COLOURS[finding.severity]
        lines = [f"\x1b[1m{line}\x1b[0m" for line in lines]
        lines[0] = lines[0].replace(severity_label, f"\x1b[{colour}m{severity_label}\x1b[39m", 1)
    lines += _format_code_frame(finding, source, width)
    lines += _format_details(finding, width, player_name, address, knock_on)
    return "\n".join(lines)


def _format_details(
    finding: Finding, width: int, player_name: PlayerName | None, address: str, knock_on: str
) -> list[str]:
    """Return the labelled lines below the source lines: from "should be" to the commands to try."""
    other_clauses = f" (also {', '.join(finding.also)})" if finding.also else ""
    event_address = address or named_address(finding.hand, finding.version)
    labelled_texts = [
        ("should be", safe.terminal(format_should_be(finding, player_name), _MAX_RULE_LENGTH)),
        ("why", safe.terminal(finding.because, _MAX_RULE_LENGTH)),
        ("rule", safe.terminal(f"{finding.citation}{other_clauses}: {finding.asks}", _MAX_RULE_LENGTH)),
        ("remedy", _REMEDY_TEXTS.get(finding.remedy, "")),
        ("money", describe_money(finding.money, finding.unit, finding.exponent, player_name)),
        ("aftermath", knock_on),
        ("finding", f"{finding.certainty}, {event_address}, fingerprint {finding.fingerprint[:8]}"),
    ]
    lines = [
        wrapped_line
        for label, text in labelled_texts
        if text
        for wrapped_line in _wrap_text(f"   = {label:<9} ", text, width)
    ]
    commands = [f"handledger rules {safe.terminal(finding.book, 60)} {safe.terminal(shlex.quote(finding.clause), 60)}"]
    if address:
        commands.append(f"handledger show {quote_for_shell(address)}")
    return [*lines, *_format_commands("   = try       ", commands, width)]


def _format_commands(line_label: str, commands: list[str], width: int) -> list[str]:
    """Put commands on one line, or on a line each if that is too long. Never cut a command."""
    joined_line = line_label + " · ".join(commands)
    if safe.columns(joined_line) <= width:
        return [joined_line]
    if len(line_label) + max(map(safe.columns, commands)) <= width:
        first_command, *later_commands = commands
        return [line_label + first_command, *(" " * len(line_label) + command for command in later_commands)]
    return [line_label.rstrip(), *(f"   {command}" for command in commands)]


def _wrap_text(line_label: str, text: str, width: int, indent: int | None = None) -> list[str]:
    """Wrap text at spaces to `width` columns. Indent later lines under the first, or by `indent` columns."""
    hanging_indent = " " * (len(line_label) if indent is None else indent)
    lines: list[str] = []
    current_line = line_label
    for word in text.split(" "):
        if safe.columns(current_line) + safe.columns(word) + 1 > width and current_line.strip(" ="):
            lines.append(current_line.rstrip())
            current_line = hanging_indent
        current_line += word + " "
    return [safe.cut(finished_line, width) for finished_line in (*lines, current_line.rstrip())]


def _format_code_frame(finding: Finding, source: Source | None, width: int) -> list[str]:
    """Return the source lines that show a finding, underlined; none if the bytes are unknown."""
    located_lines = [line for line in finding.lines if line.length]
    if source is None or not located_lines or not finding.source:
        return []
    main_line = located_lines[0]
    locations = {line.version: source.locate(finding.source, line.start) for line in located_lines}
    line_numbers = {version: str(location[1]) if location else "" for version, location in locations.items()}
    gutter_width = max(1, *map(len, line_numbers.values())) + 1
    lines = [
        safe.cut(_format_source_label(finding, main_line, locations[main_line.version], source), width),
        " " * gutter_width + " |",
    ]
    for line in sorted(located_lines, key=lambda located_line: (located_line.start, located_line.version)):
        lines += _format_marked_line(
            finding.source,
            line,
            source,
            line_numbers[line.version],
            gutter_width,
            "^" if line is main_line else "-",
            line.note,
            width,
        )
    lines.append(" " * gutter_width + " |")
    return lines


def _format_source_label(finding: Finding, line: Line, location: tuple[str, int] | None, source: Source) -> str:
    """Return where an event is in its source: the file, line, bytes and hash."""
    location_text = f"{safe.terminal(location[0], 60)}:{location[1]}  " if location else ""
    sha256_hex = source.sha256.get(finding.source, "")
    source_label = f"sha256 {sha256_hex[:12]}" if sha256_hex else f"source {finding.source[:12]}"
    return f"  --> {location_text}bytes {line.start}-{line.start + line.length}  {source_label}…"


def _format_marked_line(
    digest: str,
    line: Line,
    source: Source,
    line_number: str,
    gutter_width: int,
    underline_sign: str,
    note: str,
    width: int,
) -> list[str]:
    """Return the source line of an event, and a line below that underlines the event."""
    window_start = max(0, line.start - _LINE_SEARCH_BYTES)
    start_in_window, event_length = line.start - window_start, min(line.length, _MAX_EVENT_BYTES)
    window_bytes = source.read(digest, window_start, start_in_window + event_length + _LINE_SEARCH_BYTES)
    text_before, marked_text, text_after = _cut_line(window_bytes, start_in_window, event_length)
    printed_before, printed_mark, printed_after = (
        safe.terminal(line_part, 10_000) if line_part else "" for line_part in (text_before, marked_text, text_after)
    )
    text_width = max(20, width - gutter_width - 3)
    mark_column = safe.columns(printed_before)
    if mark_column + safe.columns(printed_mark) > text_width:  # cut the beginning, so that the event stays visible
        kept_width = max(0, text_width - min(safe.columns(printed_mark), text_width // 2) - 2)
        printed_before = (
            "…" + _keep_last_columns(printed_before, kept_width) if mark_column > kept_width else printed_before
        )
        mark_column = safe.columns(printed_before)
    source_text = safe.cut(printed_before + printed_mark + printed_after, text_width)
    underline = underline_sign * max(1, min(safe.columns(printed_mark), text_width - mark_column))
    underline_text = safe.cut(f"{' ' * mark_column}{underline} {note}".rstrip(), text_width)
    return [f"{line_number:>{gutter_width}} | {source_text}", f"{' ' * gutter_width} | {underline_text}"]


def _cut_line(source_bytes: bytes, start: int, length: int) -> tuple[str, str, str]:
    """Return the first line of the marked bytes in three parts: before the mark, the mark, after it."""
    encoding, line_end = encoding_of(source_bytes[:200])
    line_start = (
        source_bytes.rfind(line_end, 0, start) + len(line_end)
        if line_end in source_bytes[:start]
        else start % len(line_end)
    )
    line_stop = source_bytes.find(line_end, start)
    line_stop = len(source_bytes) if line_stop < 0 else line_stop
    mark_stop = min(start + length, line_stop)
    byte_parts = (source_bytes[line_start:start], source_bytes[start:mark_stop], source_bytes[mark_stop:line_stop])
    text_before, marked_text, text_after = (
        byte_part.decode(encoding, "replace").rstrip("\r") for byte_part in byte_parts
    )
    return text_before, marked_text.rstrip(), marked_text[len(marked_text.rstrip()) :] + text_after


def _keep_last_columns(text: str, columns: int) -> str:
    """Return as much of the end of a sanitized text as fits into `columns`."""
    while text and safe.columns(text) > columns:
        text = text[max(1, len(text) - columns) if safe.columns(text) > 2 * columns else 1 :]
    return text


def format_summary(
    result: AuditResult,
    *,
    width: int = 100,
    with_coverage: bool = True,
    clause_filter: str = "",
    is_comparison: bool = False,
    with_advice: bool = True,
) -> str:
    """Return the findings by clause, then each book's coverage with the facts that the records lack.

    `with_advice` adds how to record a missing fact next time: useful only to people who write their own record.
    `clause_filter`: the clauses that the audit was limited to; "" = all. `is_comparison`: `result` has only the
    findings that differ from an earlier audit.
    """
    finding_counts = tally_findings(result.findings)
    qualifier = " that came or changed" if is_comparison else ""
    lines = [_format_headline(result, finding_counts, clause_filter, qualifier), *_list_unjudged_hands(result.coverage)]
    if finding_counts.finding_count:
        lines += ["", "Findings", *_format_clause_counts(finding_counts, result.coverage, width)]
    for book_ref in result.books if with_coverage else ():
        lines += ["", *_format_book(result, book_ref, width, with_advice=with_advice)]
    return "\n".join(lines)


def _list_unjudged_hands(coverage: list[Coverage]) -> Iterator[str]:
    """Yield how many hands no book judged, for each reason."""
    for reason in NOT_JUDGED:
        hand_counts = [missing.hands for row in coverage for missing in row.missing if missing.fact == reason]
        if hand_count := max(hand_counts, default=0):
            yield f"{_format_count(hand_count, 'hand')} {reason}."


def _format_clause_counts(finding_counts: FindingTally, coverage: list[Coverage], width: int) -> Iterator[str]:
    """Yield a line for each clause with findings, in the order of the books and their clauses."""
    clause_order = {(row.book, row.clause): row_index for row_index, row in enumerate(coverage)}

    def clause_position(counted: tuple[tuple[str, str, str], int]) -> int:
        (book_name, clause_id, _severity), _count = counted
        return clause_order.get((book_name, clause_id), 0)

    for (book_name, clause_id, severity), count in sorted(finding_counts.counts_by_clause.items(), key=clause_position):
        demand = finding_counts.demands[book_name, clause_id]
        yield safe.cut(f"  {book_name + ' ' + clause_id:<26} {count:>6}  {severity:<8} {demand}", width)


def _format_headline(result: AuditResult, finding_counts: FindingTally, clause_filter: str, qualifier: str) -> str:
    """Return how many hands were judged under which books, and how many findings there are."""
    book_names = [
        book_ref.name + (f" (adopted {book_ref.adopted})" if book_ref.adopted else "")
        for book_ref in result.books
        if book_ref.name != BUILT_IN
    ]
    book_list = " and ".join(filter(None, (", ".join(book_names[:-1]), *book_names[-1:])))
    scopes = [f"under {book_list}"] if book_list else []
    if len(book_names) < len(result.books):
        scopes.append("for contradictions in the record")
    scope_list = (", and " if len(book_names) > 1 else " and ").join(scopes)
    by_severity = finding_counts.count_by_severity()
    severity_list = ", ".join(
        f"{by_severity[severity]} {severity}{'s' * (by_severity[severity] != 1 and severity != 'info')}"
        for severity in ("error", "warning", "info")
        if by_severity[severity]
    )
    restriction = f", only {safe.terminal(clause_filter, 200)}" if clause_filter else ""
    introduction = f"Judged {_format_count(result.hands, 'hand')} {scope_list}{restriction}"
    if not finding_counts.finding_count:
        return f"{introduction}: no findings{qualifier}."
    finding_text = f"{_format_count(finding_counts.finding_count, 'finding')}{qualifier}"
    return f"{introduction}: {finding_text} in {_format_count(finding_counts.hand_count, 'hand')} ({severity_list})."


def _format_book(result: AuditResult, book_ref: BookRef, width: int, *, with_advice: bool) -> Iterator[str]:
    """Yield a book's edition, its clauses counted by outcome, and the facts that were missing."""
    coverage_rows = [row for row in result.coverage if row.book == book_ref.name]
    is_single_hand = result.hands == 1
    edition = safe.terminal(book_ref.edition, 40)
    yield f"{safe.terminal(book_ref.name, 60)} (edition {edition}, sha256 {book_ref.digest[:12]}), {_format_count(len(coverage_rows), 'clause')}"
    yield from _wrap_text("  ", ", ".join(_count_outcomes(coverage_rows, is_single_hand=is_single_hand)), width)
    yield from _format_missing_facts(coverage_rows, width, is_single_hand=is_single_hand, with_advice=with_advice)
    unbuilt_clauses = [coverage_row.clause for coverage_row in coverage_rows if coverage_row.not_built]
    if unbuilt_clauses:
        yield from _wrap_text("  no check yet: ", ", ".join(unbuilt_clauses), width)


_CLAUSE_OUTCOMES: Final[tuple[tuple[str, Callable[[Coverage], object]], ...]] = (
    ("judged", lambda row: row.judged),
    ("with findings", lambda row: row.found),
    ("not judged in some hands", lambda row: row.cannot_tell),
    ("without a check yet", lambda row: row.not_built),
    ("can't be broken or leave no trace", lambda row: row.no_judgement),
    ("did not come up", lambda row: _is_about_other_games(row) and row.did_not_come_up),
    ("about other games", lambda row: _is_about_other_games(row) and not row.did_not_come_up),
)
"""Outcomes of a clause over the hands of an audit, each with its test. A clause may have several outcomes."""


def _count_outcomes(coverage_rows: list[Coverage], *, is_single_hand: bool) -> Iterator[str]:
    """Yield the number of clauses with each outcome: "3 judged", "1 with findings"."""
    for outcome, has_outcome in _CLAUSE_OUTCOMES:
        if clause_count := sum(bool(has_outcome(coverage_row)) for coverage_row in coverage_rows):
            yield f"{clause_count} {outcome.removesuffix(' in some hands') if is_single_hand else outcome}"


def _format_missing_facts(
    coverage_rows: list[Coverage], width: int, *, is_single_hand: bool, with_advice: bool
) -> Iterator[str]:
    """Yield a line for each missing fact, the one that stopped most clauses first."""
    clause_counts: Counter[str] = Counter()
    most_hands: dict[str, int] = {}  # the most hands of any clause that lacked the fact
    for coverage_row in coverage_rows:
        for missing_fact in coverage_row.missing:
            clause_counts[missing_fact.fact] += 1
            most_hands[missing_fact.fact] = max(most_hands.get(missing_fact.fact, 0), missing_fact.hands)
    if not clause_counts:
        return
    descriptions = {fact_name: find_silence(fact_name) or describe_fact(fact_name) for fact_name in clause_counts}
    text_width = min(max(40, *map(len, descriptions.values())), 64)
    advice_title = ", and how to record it" if with_advice else ""
    for is_silent, missing in ((False, f"what was missing{advice_title}"), (True, "the book is silent on")):
        facts = [fact_name for fact_name in clause_counts if bool(find_silence(fact_name)) == is_silent]
        if facts:
            yield f"  Not judged; {missing}:"
        for fact_name in sorted(facts, key=lambda fact: (-clause_counts[fact], fact)):
            clause_count = clause_counts[fact_name]
            line = f"    {descriptions[fact_name]:<{text_width}} {clause_count:>3} clause{'s' * (clause_count != 1)}"
            line += "" if is_single_hand else f", in up to {_format_count(most_hands[fact_name], 'hand')}"
            yield safe.cut(line, width)
            if with_advice and (advice := how_to_record(fact_name)):
                yield from _wrap_text("      ", advice, width)


def _format_count(number: int, noun: str) -> str:
    """Return `1 hand`, `3 hands`."""
    return f"{number} {noun}{'s' * (number != 1)}"


def _is_about_other_games(coverage_row: Coverage) -> bool:
    """Whether a clause applied to no hand of the audit."""
    return coverage_row.not_applicable > 0 and not coverage_row.judged and not coverage_row.cannot_tell


def format_coverage(result: AuditResult, *, width: int = 100, with_advice: bool = True) -> str:
    """Return a table with a line for each clause of each book, then the missing facts with their hands.

    `with_advice`: as for `format_summary`.
    """
    lines = [
        f"{'':<26} {'':>7} {'':>7} {'not':>7} {'did not':>7} {'other':>7} {'not':>7}",
        f"{'clause':<26} {'clean':>7} {'found':>7} {'judged':>7} {'come up':>7} {'games':>7} {'built':>7}  what was missing",
    ]
    for coverage_row in result.coverage:
        missing_text = ", ".join(describe_fact(missing_fact.fact) for missing_fact in coverage_row.missing) or (
            coverage_row.kind if coverage_row.no_judgement else ""
        )
        lines.append(
            f"{coverage_row.book + ' ' + coverage_row.clause:<26} {coverage_row.clean:>7} {coverage_row.found:>7} {coverage_row.cannot_tell:>7} "
            f"{coverage_row.did_not_come_up:>7} {coverage_row.not_applicable - coverage_row.did_not_come_up:>7} "
            f"{coverage_row.not_built:>7}  {missing_text}"
        )
    fact_lines = _list_facts_with_hands(result.coverage, width, with_advice=with_advice)
    return "\n".join([*(safe.cut(line, width) for line in lines), *fact_lines])


def _list_facts_with_hands(coverage: list[Coverage], width: int, *, with_advice: bool) -> Iterator[str]:
    """Yield each missing fact, with advice if wanted, the clauses that lacked it, and the hands."""
    clauses_by_fact: dict[tuple[str, int, tuple[str, ...]], list[str]] = {}  # fact, hands, addresses → clauses
    for coverage_row in coverage:
        for missing_fact in coverage_row.missing:
            fact_key = missing_fact.fact, missing_fact.hands, tuple(missing_fact.named)
            clauses_by_fact.setdefault(fact_key, []).append(f"{coverage_row.book} {coverage_row.clause}")
    if clauses_by_fact:
        yield ""
        yield safe.cut(f"Not judged; what was missing{', and how to record it' if with_advice else ''}:", width)
    for (fact_name, hand_count, hand_addresses), clauses in sorted(clauses_by_fact.items()):
        unlisted_count = hand_count - len(hand_addresses)
        remainder = f" and {unlisted_count} more (--every-hand)" if unlisted_count > 0 else ""
        address_list = ", ".join(safe.terminal(hand_address, 90) for hand_address in hand_addresses)
        yield safe.cut(f"  {safe.terminal(describe_fact(fact_name), 120)}", width)
        if with_advice and (advice := how_to_record(fact_name)):
            yield from _wrap_text("    ", advice, width)
        yield from _wrap_text("    ", ", ".join(clauses), width)
        yield from _wrap_text("    ", f"in hand{'s' * (hand_count != 1)} {address_list}{remainder}", width)
