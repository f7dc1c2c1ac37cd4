"""Findings and audits as text: code frames on the source's bytes, and a summary.

Text of a source is untrusted and goes through `ledger.safe`. This module reads no file or store; the bytes
come from `Source`. Colour is never the only sign.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from ledger import safe
from projections.addresses.address_book import named_address, quote_for_shell
from projections.addresses.source_names import encoding_of
from projections.audit.audit_result import AuditResult, BookRef
from projections.findings.finding import NOT_JUDGED, Coverage, Finding, Line
from projections.reports.facts import describe_fact, how_to_record
from projections.reports.finding_text import PlayerName, describe_money, headline, should_be
from projections.reports.tally import FindingTally, tally_findings

_MARGIN_BYTES: Final = 400  # bytes read before and after a mark to find the ends of its line
_COLOURS: Final = {"error": "31", "warning": "33", "info": "36"}
_MAX_RULE_LENGTH: Final = 4000
_REMEDY_TEXTS: Final = {"followed": "followed", "not-followed": "not followed", "cannot-tell": "not judged"}


@dataclass(frozen=True, slots=True)
class Source:
    """Access to the bytes of source files.

    `read(digest, start, length)` returns bytes, `locate(digest, offset)` the file name and line number.
    `sha256` maps digests to the hash of the bytes. None or "" = unknown.
    """

    read: Callable[[str, int, int], bytes]
    locate: Callable[[str, int], tuple[str, int] | None]
    sha256: Mapping[str, str] = field(default_factory=dict)


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
    """Return a finding with its code frame, in lines of at most `width` columns.

    `player_name` returns a printable name, `address` is the event's address in a ledger, and `knock_on` describes
    the consequences.
    """
    severity_label = f"{finding.severity}: "
    lines = _wrap_text(severity_label, safe.terminal(headline(finding, player_name), _MAX_RULE_LENGTH), width, indent=2)
    if is_coloured:
        colour = _COLOURS[finding.severity]
        lines = [f"\x1b[1m{line}\x1b[0m" for line in lines]
        lines[0] = lines[0].replace(severity_label, f"\x1b[{colour}m{severity_label}\x1b[39m", 1)
    lines += _format_code_frame(finding, source, width)
    lines += _format_facts(finding, width, player_name, address, knock_on)
    return "\n".join(lines)


def _format_facts(
    finding: Finding, width: int, player_name: PlayerName | None, address: str, knock_on: str
) -> list[str]:
    other_clauses = f" (also {', '.join(finding.also)})" if finding.also else ""
    place = address or named_address(finding.hand, finding.version)
    labelled_texts = [
        ("should be", safe.terminal(should_be(finding, player_name), _MAX_RULE_LENGTH)),
        ("why", safe.terminal(finding.because, _MAX_RULE_LENGTH)),
        ("rule", safe.terminal(f"{finding.citation}{other_clauses}: {finding.asks}", _MAX_RULE_LENGTH)),
        ("remedy", _REMEDY_TEXTS.get(finding.remedy, "")),
        ("money", describe_money(finding.money, finding.unit, finding.exponent, player_name)),
        ("aftermath", knock_on),
        ("finding", f"{finding.certainty}, {place}, fingerprint {finding.fingerprint[:8]}"),
    ]
    lines = [
        wrapped_line
        for label, text in labelled_texts
        if text
        for wrapped_line in _wrap_text(f"   = {label:<9} ", text, width)
    ]
    rules_command = (
        f"handledger rules {safe.terminal(finding.book, 60)} {safe.terminal(shlex.quote(finding.clause), 60)}"
    )
    return [
        *lines,
        *_format_commands(
            "   = try       ",
            [rules_command, *([f"handledger show {quote_for_shell(address)}"] if address else [])],
            width,
        ),
    ]


def _format_commands(line_label: str, commands: list[str], width: int) -> list[str]:
    """Put commands on one line, or on a line each if that is too long. Never cut a command."""
    joined_line = line_label + " · ".join(commands)
    if safe.columns(joined_line) <= width:
        return [joined_line]
    if len(line_label) + max(map(safe.columns, commands)) <= width:
        return [
            (" " * len(line_label) if command_index else line_label) + command
            for command_index, command in enumerate(commands)
        ]
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
    """Return the file, line, bytes and hash of a mark."""
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
    """Return the source line of a mark, and a line that underlines the mark."""
    window_start = max(0, line.start - _MARGIN_BYTES)
    window_bytes = source.read(digest, window_start, line.start - window_start + min(line.length, 4096) + _MARGIN_BYTES)
    text_before, marked_text, text_after = _cut_line(window_bytes, line.start - window_start, min(line.length, 4096))
    printed_before, printed_mark, printed_after = (
        safe.terminal(line_part, 10_000) if line_part else "" for line_part in (text_before, marked_text, text_after)
    )
    text_width = max(20, width - gutter_width - 3)
    mark_column = safe.columns(printed_before)
    if mark_column + safe.columns(printed_mark) > text_width:  # keep the mark in sight
        kept_width = max(0, text_width - min(safe.columns(printed_mark), text_width // 2) - 2)
        printed_before = "…" + _last_columns(printed_before, kept_width) if mark_column > kept_width else printed_before
        mark_column = safe.columns(printed_before)
    source_text = safe.cut(printed_before + printed_mark + printed_after, text_width)
    underline = underline_sign * max(1, min(safe.columns(printed_mark), text_width - mark_column))
    underline_text = safe.cut(f"{' ' * mark_column}{underline} {note}".rstrip(), text_width)
    return [f"{line_number:>{gutter_width}} | {source_text}", f"{' ' * gutter_width} | {underline_text}"]


def _cut_line(source_bytes: bytes, start: int, length: int) -> tuple[str, str, str]:
    """Return the text before the mark on its line, the mark's first line, and the rest of the line."""
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


def _last_columns(text: str, columns: int) -> str:
    """Return the end of sanitized text that fits into `columns`."""
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
    """Return the findings by clause, the coverage of each book, and the facts that the records lack.

    `with_coverage`: include the coverage. `with_advice`: say how to record a missing fact next time, which helps
    only people who write their own record. `only`: the clauses of the audit. `is_comparison`: the findings
    are those that differ from an earlier audit.
    """
    finding_counts = tally_findings(result.findings)
    lines = [_format_headline(result, finding_counts, clause_filter, " that came or changed" * is_comparison)]
    for obstacle in NOT_JUDGED:
        hand_count = max(
            (
                missing_fact.hands
                for coverage_row in result.coverage
                for missing_fact in coverage_row.missing
                if missing_fact.fact == obstacle
            ),
            default=0,
        )
        if hand_count:
            lines.append(f"{hand_count} hand{'s' * (hand_count != 1)} {obstacle}.")
    if finding_counts.findings:
        lines += ["", "Findings"]
        clause_order = {(row.book, row.clause): row_index for row_index, row in enumerate(result.coverage)}
        for (book_name, clause_id, severity), count in sorted(
            finding_counts.clauses.items(), key=lambda clause_count: clause_order.get(clause_count[0][:2], 0)
        ):
            lines.append(
                safe.cut(
                    f"  {book_name + ' ' + clause_id:<26} {count:>6}  {severity:<8} {finding_counts.asks[book_name, clause_id]}",
                    width,
                )
            )
    for book_ref in result.books if with_coverage else ():
        lines += ["", *_format_book(result, book_ref, width, with_advice=with_advice)]
    return "\n".join(lines)


def _format_headline(result: AuditResult, finding_counts: FindingTally, clause_filter: str, qualifier: str) -> str:
    *leading_books, last_book = (
        book_ref.name + (f" (adopted {book_ref.adopted})" if book_ref.adopted else "") for book_ref in result.books
    )
    book_list = " and ".join(filter(None, (", ".join(leading_books), last_book)))
    findings, hand_count, by_severity = (
        finding_counts.findings,
        finding_counts.hands,
        finding_counts.count_by_severity(),
    )
    severity_list = ", ".join(
        f"{by_severity[severity]} {severity}{'s' * (by_severity[severity] != 1 and severity != 'info')}"
        for severity in ("error", "warning", "info")
        if by_severity[severity]
    )
    restriction = f", only {safe.terminal(clause_filter, 200)}" if clause_filter else ""
    return f"Judged {result.hands} hand{'s' * (result.hands != 1)} under {book_list}{restriction}: " + (
        f"{findings} finding{'s' * (findings != 1)}{qualifier} in {hand_count} hand{'s' * (hand_count != 1)} ({severity_list})."
        if findings
        else f"no findings{qualifier}."
    )


def _format_book(result: AuditResult, book_ref: BookRef, width: int, *, with_advice: bool) -> Iterable[str]:
    """Yield a book's coverage: clause counts by outcome, and the missing facts."""
    coverage_rows = [row for row in result.coverage if row.book == book_ref.name]
    is_single = result.hands == 1
    edition = safe.terminal(book_ref.edition, 40)
    yield f"{safe.terminal(book_ref.name, 60)} (edition {edition}, sha256 {book_ref.digest[:12]}), {_count(len(coverage_rows), 'clause')}"
    yield from _wrap_text("  ", ", ".join(_count_outcomes(coverage_rows, is_single=is_single)), width)
    yield from _format_missing_facts(coverage_rows, width, is_single=is_single, with_advice=with_advice)
    unbuilt_clauses = [coverage_row.clause for coverage_row in coverage_rows if coverage_row.not_built]
    if unbuilt_clauses:
        yield from _wrap_text("  no check yet: ", ", ".join(unbuilt_clauses), width)


_OUTCOMES: Final[tuple[tuple[str, Callable[[Coverage], object]], ...]] = (
    ("judged", lambda row: row.judged),
    ("with findings", lambda row: row.found),
    ("not judged in some hands", lambda row: row.cannot_tell),
    ("without a check yet", lambda row: row.not_built),
    ("can't be broken or leave no trace", lambda row: row.no_judgement),
    ("did not come up", lambda row: _is_other_game(row) and row.did_not_come_up),
    ("about other games", lambda row: _is_other_game(row) and not row.did_not_come_up),
)
"""What became of a clause: the words, and whether they hold for its coverage. Several may hold."""


def _count_outcomes(coverage_rows: list[Coverage], *, is_single: bool) -> Iterable[str]:
    for outcome, holds_for in _OUTCOMES:
        if clause_count := sum(bool(holds_for(coverage_row)) for coverage_row in coverage_rows):
            yield f"{clause_count} {outcome.removesuffix(' in some hands') if is_single else outcome}"


def _format_missing_facts(
    coverage_rows: list[Coverage], width: int, *, is_single: bool, with_advice: bool
) -> Iterable[str]:
    missing_facts: dict[str, tuple[int, int]] = {}
    for coverage_row in coverage_rows:
        for missing in coverage_row.missing:
            clauses, hand_count = missing_facts.get(missing.fact, (0, 0))
            missing_facts[missing.fact] = (clauses + 1, max(hand_count, missing.hands))
    if not missing_facts:
        return
    yield "  Not judged; what was missing, and how to record it:" if with_advice else "  Not judged; what was missing:"
    text_width = min(max(40, *(len(describe_fact(fact_name)) for fact_name in missing_facts)), 64)
    for fact_name, (clauses, hand_count) in sorted(
        missing_facts.items(), key=lambda fact_counts: (-fact_counts[1][0], fact_counts[0])
    ):
        line = f"    {describe_fact(fact_name):<{text_width}} {clauses:>3} clause{'s' * (clauses != 1)}"
        line += "" if is_single else f", in up to {_count(hand_count, 'hand')}"
        yield safe.cut(line, width)
        if with_advice and (advice := how_to_record(fact_name)):
            yield from _wrap_text("      ", advice, width)


def _count(number: int, noun: str) -> str:
    """Return `1 hand`, `3 hands`."""
    return f"{number} {noun}{'s' * (number != 1)}"


def _is_other_game(coverage_row: Coverage) -> bool:
    return coverage_row.not_applicable > 0 and not coverage_row.judged and not coverage_row.cannot_tell


def format_coverage(result: AuditResult, *, width: int = 100) -> str:
    """Return one line for each clause of each book, in the book's order."""
    lines = [
        f"{'':<26} {'':>7} {'':>7} {'not':>7} {'did not':>7} {'other':>7} {'not':>7}",
        f"{'clause':<26} {'clean':>7} {'found':>7} {'judged':>7} {'come up':>7} {'games':>7} {'built':>7}  what was missing",
    ]
    clauses_by_fact: dict[tuple[str, int, tuple[str, ...]], list[str]] = {}
    for coverage_row in result.coverage:
        missing_text = ", ".join(describe_fact(missing_fact.fact) for missing_fact in coverage_row.missing) or (
            coverage_row.kind if coverage_row.no_judgement else ""
        )
        lines.append(
            f"{coverage_row.book + ' ' + coverage_row.clause:<26} {coverage_row.clean:>7} {coverage_row.found:>7} {coverage_row.cannot_tell:>7} "
            f"{coverage_row.did_not_come_up:>7} {coverage_row.not_applicable - coverage_row.did_not_come_up:>7} "
            f"{coverage_row.not_built:>7}  {missing_text}"
        )
        for lack in coverage_row.missing:
            fact_key = lack.fact, lack.hands, tuple(lack.named)
            clauses_by_fact.setdefault(fact_key, []).append(f"{coverage_row.book} {coverage_row.clause}")
    cut_lines = [safe.cut(full_line, width) for full_line in lines]
    if clauses_by_fact:
        cut_lines += ["", safe.cut("Not judged; what was missing, and how to record it:", width)]
        for (fact_name, hand_count, hand_addresses), clauses in sorted(clauses_by_fact.items()):
            remainder = (
                f" and {hand_count - len(hand_addresses)} more (--every-hand)"
                if hand_count > len(hand_addresses)
                else ""
            )
            address_list = ", ".join(safe.terminal(hand_address, 90) for hand_address in hand_addresses)
            cut_lines.append(safe.cut(f"  {safe.terminal(describe_fact(fact_name), 120)}", width))
            if advice := how_to_record(fact_name):
                cut_lines += _wrap_text("    ", advice, width)
            cut_lines += _wrap_text("    ", ", ".join(clauses), width)
            cut_lines += _wrap_text("    ", f"in hand{'s' * (hand_count != 1)} {address_list}{remainder}", width)
    return "\n".join(cut_lines)
