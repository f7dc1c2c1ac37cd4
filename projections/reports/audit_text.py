"""Format a finding as text for a terminal, with the source lines that show it.

Source text is untrusted and goes through `ledger.safe`. This module reads no file or store: callers pass the
bytes as `Source`. Color only repeats what the text says.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

import msgspec

from ledger import safe
from ledger.text.language import language_in_force, phrase, translatable
from ledger.text.screen_lines import fill_columns, wrap_text
from projections.addresses.address_book import build_address_from_names
from projections.addresses.address_grammar import quote_for_shell
from projections.addresses.source_names import guess_encoding
from projections.findings.finding import Finding, Line
from projections.reports.finding_text import PlayerName, describe_money, format_headline, format_should_be
from projections.sentences.words import certainty_name, severity_name

_LINE_SEARCH_BYTES: Final = 400  # bytes read before and after an event to find the ends of its line
_BRACKETS: Final = (b"{", b"[", b"[{")
_MAX_EVENT_BYTES: Final = 4096  # bytes of an event that are read
_COLOURS: Final = {"error": "31", "warning": "33", "info": "36"}
_MAX_RULE_LENGTH: Final = 4000
_REMEDY_TEXTS: Final = {
    "followed": translatable("followed"),
    "not-followed": translatable("not followed"),
    "cannot-tell": translatable("not judged"),
}
_LABELS: Final = {
    "should": translatable("should be"),
    "why": translatable("why"),
    "rule": translatable("rule"),
    "remedy": translatable("remedy"),
    "money": translatable("money"),
    "aftermath": translatable("aftermath"),
    "finding": translatable("finding"),
    "try": translatable("try"),
}


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
    book_argument: str = "",
) -> str:
    """Return a finding with the source lines that show it, in lines of at most `width` columns.

    `address` is the event's address in a ledger; `knock_on` is a sentence on the consequences; `book_argument` is how a
    command names the book, if not by its name, such as the path of its file. "" = none.
    """
    severity_label = phrase("{severity}: ", severity=severity_name(finding.severity))
    lines = wrap_after(
        severity_label, safe.terminal(format_headline(finding, player_name), _MAX_RULE_LENGTH), width, indent=2
    )
    if is_coloured:
        colour = _COLOURS[finding.severity]
        lines = [f"\x1b[1m{line}\x1b[0m" for line in lines]
        lines[0] = lines[0].replace(severity_label, f"\x1b[{colour}m{severity_label}\x1b[39m", 1)
    lines += _format_code_frame(finding, source, width)
    lines += _format_details(finding, width, player_name, address, knock_on)
    lines += _format_commands(finding, width, address, book_argument or finding.book)
    return "\n".join(lines)


def _format_details(
    finding: Finding, width: int, player_name: PlayerName | None, address: str, knock_on: str
) -> list[str]:
    """Return the labelled lines below the source lines, without the commands to try."""
    event_address = address or build_address_from_names(finding.hand, finding.version)
    clauses = finding.citation
    if finding.also:
        clauses = phrase("{clause} (also {clauses})", clause=clauses, clauses=", ".join(finding.also))
    remedy_text = _REMEDY_TEXTS.get(finding.remedy, "")
    labelled_texts = [
        ("should", safe.terminal(format_should_be(finding, player_name), _MAX_RULE_LENGTH)),
        ("why", safe.terminal(finding.because, _MAX_RULE_LENGTH)),
        ("rule", safe.terminal(f"{clauses}: {finding.asks}", _MAX_RULE_LENGTH)),
        ("remedy", remedy_text and phrase(remedy_text)),
        ("money", describe_money(finding.money, finding.unit, finding.exponent, player_name)),
        ("aftermath", knock_on),
        (
            "finding",
            phrase(
                "{certainty}, {address}, fingerprint {fingerprint}",
                certainty=certainty_name(finding.certainty),
                address=event_address,
                fingerprint=finding.fingerprint[:8],
            ),
        ),
    ]
    line_labels = _build_line_labels()
    return [
        wrapped_line
        for label, text in labelled_texts
        if text
        for wrapped_line in wrap_after(line_labels[label], text, width)
    ]


def _build_line_labels() -> dict[str, str]:
    """Return the beginning of each labelled line, all of the same width."""
    labels = {key: phrase(label) for key, label in _LABELS.items()}
    label_width = max(map(safe.columns, labels.values()))
    return {key: f"   = {fill_columns(label, label_width)} " for key, label in labels.items()}


def _format_commands(finding: Finding, width: int, address: str, book_argument: str) -> list[str]:
    """Return the commands to try on one line, or on a line each if that is too long. Never cut a command."""
    line_label = _build_line_labels()["try"]
    book, clause = (safe.terminal(shlex.quote(word), 4000) for word in (book_argument, finding.clause))
    commands = [f"handledger rules {book} {clause}"]
    if address:
        commands.append(f"handledger show {quote_for_shell(address)}")
    joined_line = line_label + " · ".join(commands)
    if safe.columns(joined_line) <= width:
        return [joined_line]
    label_width = safe.columns(line_label)
    if label_width + max(map(safe.columns, commands)) <= width:
        first_command, *later_commands = commands
        return [line_label + first_command, *(" " * label_width + command for command in later_commands)]
    return [line_label.rstrip(), *(f"   {command}" for command in commands)]


def wrap_after(line_label: str, text: str, width: int, indent: int | None = None) -> list[str]:
    """Wrap text after a label to `width` columns. Indent later lines under the first, or by `indent` columns."""
    hanging_indent = " " * (safe.columns(line_label) if indent is None else indent)
    if language_in_force() == "zh":
        wrapped_lines = wrap_text(text, width, first_indent=line_label, later_indent=hanging_indent)
        return [safe.cut(wrapped_line, width) for wrapped_line in wrapped_lines]
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
    marked_lines = {line.version: _skip_brackets(finding.source, line, source) for line in located_lines}
    locations = {version: source.locate(finding.source, line.start) for version, line in marked_lines.items()}
    line_numbers = {version: str(location[1]) if location else "" for version, location in locations.items()}
    gutter_width = max(1, *map(len, line_numbers.values())) + 1
    lines = [
        safe.cut(_format_source_label(finding, main_line, locations[main_line.version], source), width),
        " " * gutter_width + " |",
    ]
    for line in sorted(located_lines, key=lambda located_line: (located_line.start, located_line.version)):
        lines += _format_marked_line(
            finding.source,
            marked_lines[line.version],
            source,
            line_numbers[line.version],
            gutter_width,
            "^" if line is main_line else "-",
            line.note,
            width,
        )
    lines.append(" " * gutter_width + " |")
    return lines


def _skip_brackets(digest: str, line: Line, source: Source) -> Line:
    """Return an event's longest line instead, if its first line has only brackets, as in JSON."""
    event_bytes = source.read(digest, line.start, min(line.length, _MAX_EVENT_BYTES))
    if b"\n" not in event_bytes or event_bytes.partition(b"\n")[0].strip() not in _BRACKETS:
        return line
    start, longest_start, longest_text = 0, 0, b""
    for text_line in event_bytes.splitlines(keepends=True):
        text = text_line.strip()
        if len(text) > len(longest_text):
            longest_start, longest_text = start + text_line.index(text), text
        start += len(text_line)
    return msgspec.structs.replace(line, start=line.start + longest_start, length=len(longest_text))


def _format_source_label(finding: Finding, line: Line, location: tuple[str, int] | None, source: Source) -> str:
    """Return where an event is in its source: the file, line, bytes and hash."""
    location_text = f"{safe.terminal(location[0], 60)}:{location[1]}  " if location else ""
    span_text = phrase("bytes {start}-{stop}", start=line.start, stop=line.start + line.length)
    sha256_hex = source.sha256.get(finding.source, "")
    source_label = f"sha256 {sha256_hex[:12]}" if sha256_hex else phrase("source {id}", id=finding.source[:12])
    return f"  --> {location_text}{span_text}  {source_label}…"


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
        width_before = max(0, text_width - min(safe.columns(printed_mark), text_width // 2) - 2)
        if mark_column > width_before:
            printed_before = "…" + _keep_last_columns(printed_before, width_before)
        mark_column = safe.columns(printed_before)
    source_text = safe.cut(printed_before + printed_mark + printed_after, text_width)
    underline = underline_sign * max(1, min(safe.columns(printed_mark), text_width - mark_column))
    underline_text = safe.cut(f"{' ' * mark_column}{underline} {note}".rstrip(), text_width)
    return [f"{line_number:>{gutter_width}} | {source_text}", f"{' ' * gutter_width} | {underline_text}"]


def _cut_line(source_bytes: bytes, start: int, length: int) -> tuple[str, str, str]:
    """Return the first line of the marked bytes in three parts: before the mark, the mark, after it."""
    encoding, line_end = guess_encoding(source_bytes[:200])
    if line_end in source_bytes[:start]:
        line_start = source_bytes.rfind(line_end, 0, start) + len(line_end)
    else:
        line_start = start % len(line_end)
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
