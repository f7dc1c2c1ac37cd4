"""Build the panels of the replay screen: events, findings, rulebooks, the source and the money."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger import safe
from projections.amount_text import amount
from projections.reports.fact_names import describe_fact
from projections.reports.knock_on_text import describe_knock_on
from web.pages import display_texts

if TYPE_CHECKING:
    from web.pages.documents import HandPage, Judgement

_MAX_REASONS: Final = 3
"""Reasons that are shown for the button and for each blind."""


class Run(NamedTuple):
    """Harmless text in one style."""

    text: str
    style: str = ""


Row = list[Run]
"""A line of the screen."""


class Panel(NamedTuple):
    """Rows with a heading. `current_row`: the first row of the current event, in view unless the panel is `scrolled`."""

    title: str
    rows: list[Row]
    current_row: int = 0
    scrolled: int = 0

    def crop(self, width: int, height: int) -> list[Row]:
        """Return the heading and the rows in view, `height` rows in all."""
        row_count = max(height - 1, 0)
        first_row = max(0, min(max(0, self.current_row - row_count // 3) + self.scrolled, len(self.rows) - row_count))
        range_text = ""
        if len(self.rows) > row_count:
            last_row = min(first_row + row_count, len(self.rows))
            range_text = f" ({first_row + 1}-{last_row} of {len(self.rows)})"
        heading = safe.cut(f"── {self.title}{range_text} ", width)
        rows = [
            [Run(heading + "─" * (width - safe.columns(heading)), "dim")],
            *self.rows[first_row : first_row + row_count],
        ]
        return (rows + [[] for _ in range(height)])[:height]


def list_events(page: HandPage, current_frame: int, query: str, finding_frames: Sequence[int], width: int) -> Panel:
    """Return the events whose text contains `query`, with a mark on those with findings."""
    rows: list[Row] = []
    current_row = 0
    for frame_index, frame in enumerate(page.frames):
        if frame_index == current_frame:
            current_row = len(rows)
        if not contains_text(frame.event_text, query):
            continue
        has_finding = frame_index in finding_frames
        pointer, style = " ", "red" if has_finding else ""
        if frame_index == current_frame:
            pointer, style = ">", "here"
        line = f"{pointer}{'✗' if has_finding else ' '}{frame.version:>3} {frame.event_text}"
        rows.append([Run(safe.cut(line, width), style)])
    title = f"events with {safe.terminal(query, 30)!r}" if query else "events"
    return Panel(title, rows or [[Run("  none", "dim")]], current_row)


def contains_text(text: str, query: str) -> bool:
    """Whether a text contains a query, in upper or lower case."""
    return query.casefold() in text.casefold()


def show_source(page: HandPage, current_frame: int, width: int) -> Panel:
    """Return the text that the hand was read from, with the current event's bytes marked."""
    source_text = page.source
    if source_text is None:
        return Panel("source", _wrap_text(page.unsourced, width))
    rows: list[Row] = [[]]
    current_row, used_columns = -1, 0
    for segment in source_text.segments:
        is_current = current_frame in segment.frames
        for line_index, line in enumerate(segment.text.split("\n")):
            if line_index:
                rows.append([])
                used_columns = 0
            for piece in _split_line(line, width - 2, used_columns):
                if piece is None:
                    rows.append([])
                    used_columns = 0
                    continue
                used_columns += safe.columns(piece)
                rows[-1].append(Run(piece, "mark" if is_current else ""))
                if is_current and piece.strip() and current_row < 0:
                    current_row = len(rows) - 1
    marked = [any(run.style for run in row) for row in rows]
    rows = [[Run("> " if is_current else "  "), *row] for is_current, row in zip(marked, rows, strict=True)]
    if source_text.cut:
        rows.append([Run("  (only its beginning is shown)", "dim")])
    frame = page.frames[current_frame]
    line_suffix = f":{frame.span.line}" if frame.span and frame.span.line else ""
    span_text = (
        f"  bytes {frame.span.start}-{frame.span.start + frame.span.length}" if frame.span else "  (no bytes of it)"
    )
    file_name = safe.tail(safe.terminal(source_text.file), max(width - 58, 12))
    return Panel(f"source {file_name}{line_suffix}{span_text}", rows, max(current_row, 0))


def _split_line(line: str, width: int, used_columns: int) -> Iterator[str | None]:
    """Yield a line in pieces that fit after `used_columns`; None = the next piece begins a row."""
    while line:
        free_columns = width - used_columns
        if safe.columns(line) <= free_columns:
            yield line
            return
        piece_length = used_columns = 0
        for character in line:
            used_columns += safe.columns(character)
            if used_columns > free_columns:
                break
            piece_length += 1
        if piece_length:
            yield line[:piece_length]
        elif free_columns >= width:  # a character that is wider than the panel
            return
        line, used_columns = line[piece_length:], 0
        yield None


def list_findings(page: HandPage, book: int, current_frame: int, width: int, scrolled: int = 0) -> Panel:
    """Return a book's judgement: right positions, findings, their aftermath, and clauses that couldn't be judged.

    `scrolled`: the number of rows scrolled past.
    """
    judgement = page.judgements[book]
    rows: list[Row] = []
    if judgement.should is not None and not judgement.is_position_right:
        rows += _wrap_text(
            f"Should have been: {display_texts.describe_position_errors(page, judgement)}.", width, "yellow"
        )
    elif judgement.unknown and judgement.book.name != "record":
        rows += _wrap_text(f"Can't tell where the button and blinds belonged: {judgement.unknown}.", width, "dim")
    current_row = 0
    version = page.frames[current_frame].version
    for finding in judgement.findings:
        if finding.version == version:
            current_row = len(rows)
        rows += _wrap_text(
            f"✗ {display_texts.format_headline(finding, page)}", width, "here" if finding.version == version else "red"
        )
        if finding.should:
            rows += _wrap_text(f"Should be: {display_texts.format_should_be(finding, page)}", width, indent="  ")
        if finding.because:
            rows += _wrap_text(finding.because, width, indent="  ")
        rows += _wrap_text(f"{finding.citation}: {finding.asks}", width, "dim", indent="  ")
        if finding.money:
            rows += _wrap_text(display_texts.describe_debts(finding, page), width, indent="  ")
        rows += _wrap_text(
            f"{finding.severity}, {finding.certainty}, event {finding.version}", width, "dim", indent="  "
        )
    if not judgement.findings:
        summary = "Nothing differs from what this book asks, as far as it could be judged."
        rows += _wrap_text(summary if judgement.judged else "No clause of this book has a verdict on this hand.", width)
    if judgement.knock_on is not None:
        rows += _wrap_text(f"Aftermath: {describe_knock_on(judgement.knock_on)}", width)
    rows += _list_reasons(judgement, width)
    if judgement.wanting:
        rows += _wrap_text("Not judged; what was missing:", width, "dim")
    for missing_fact in judgement.wanting:
        rows += _wrap_text(f"? {', '.join(missing_fact.clauses)}: {describe_fact(missing_fact.fact)}", width, "dim")
    return Panel(f"{judgement.book.name} {judgement.book.edition}".strip(), rows, current_row, scrolled)


def _list_reasons(judgement: Judgement, width: int) -> list[Row]:
    """Return the reasons for the right button and blinds."""
    rows: list[Row] = []
    for name, grounds in zip(display_texts.MARKER_NAMES.values(), judgement.position_grounds, strict=False):
        for ground in grounds[:_MAX_REASONS]:
            clauses = f" [{', '.join(ground.clauses)}]" if ground.clauses else ""
            rows += _wrap_text(f"{name}: {ground.sentence}{clauses}", width)
    return rows


def compare_books(page: HandPage, book: int, width: int) -> Panel:
    """Return the button and blinds under each book, and its number of findings."""
    rows = [[Run(safe.cut(f"   {'':<12} {'button':>6} {'small':>6} {'big':>6}  findings", width), "dim")]]
    rows.append(
        [Run(safe.cut(_format_positions("recorded", *display_texts.list_position_seats(page.recorded)), width))]
    )
    for book_index, judgement in enumerate(page.judgements):
        if judgement.book.name == "record":
            line = f"   {'(no book)':<12} {'':>20}"
        elif judgement.should is None:
            line = f"   {safe.terminal(judgement.book.name, 12):<12} {'not judged':>20}"
        else:
            line = _format_positions(judgement.book.name, *display_texts.list_position_seats(judgement.should))
        finding_text = "✓ 0" if judgement.judged else "?"
        pointer, style = " ", ""
        if judgement.findings:
            finding_text, style = f"✗ {len(judgement.findings)}", "red"
        if book_index == book:
            pointer, style = ">", "here"
        rows.append([Run(safe.cut(f"{pointer}{line[1:]}  {finding_text}", width), style)])
    return Panel("under each rulebook", rows, 0)


def _format_positions(name: str, *spots: int | None) -> str:
    seat_cells = " ".join(f"{'-' if seat is None else seat:>6}" for seat in spots)
    return f"   {safe.terminal(name, 12):<12} {seat_cells}"


def list_money(page: HandPage, width: int) -> Panel:
    """Return what each seat put in, got and won or lost."""
    if page.money.void:
        return Panel("money", [[Run("The hand does not count: nobody won or lost.")]])
    rows = [[Run(safe.cut(f"  {'':<26} {'put in':>10} {'got':>10} {'net':>10}", width), "dim")]]
    for account in page.money.accounts:
        amounts = (amount(chips, page.unit, page.exponent) for chips in (account.put, account.won))
        cells = " ".join(f"{cell:>10}" for cell in [*amounts, display_texts.format_signed_amount(account.net, page)])
        rows.append([Run(safe.cut(f"  {safe.fit(account.name, 26)} {cells}", width))])
    rows.append(
        [Run(safe.cut(f"  the nets sum to {sum(account.net for account in page.money.accounts)}", width), "dim")]
    )
    return Panel("money", rows)


def _wrap_text(text: str, width: int, style: str = "", indent: str = "") -> list[Row]:
    """Return a text from people or files as rows, harmless."""
    lines = textwrap.wrap(
        safe.terminal(text, 1200), max(width - 1, 20), initial_indent=indent, subsequent_indent=indent + "  "
    )
    return [[Run(safe.cut(line, width), style)] for line in lines]
