"""What stands beside the table while a hand is replayed: events, findings, the source, the money; as lines for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger import safe
from projections.amount_text import amount
from projections.reports.facts import describe_fact
from projections.reports.knock_on_text import describe_knock_on
from web import shown

if TYPE_CHECKING:
    from web.documents import HandPage, Judgement

_WHY_MOST: Final = 3
"""Reasons for each of button and blinds that are told."""


class Run(NamedTuple):
    """Harmless text in one style."""

    text: str
    style: str = ""


Row = list[Run]
"""A line of the screen."""


class Panel(NamedTuple):
    """Lines with a heading; `at` is the first of those that belong to this moment, and is kept in sight until `scrolled`."""

    title: str
    rows: list[Row]
    at: int = 0
    scrolled: int = 0

    def window(self, width: int, height: int) -> list[Row]:
        """Return so many lines, the heading first."""
        room = max(height - 1, 0)
        first = max(0, min(max(0, self.at - room // 3) + self.scrolled, len(self.rows) - room))
        more = (
            f" ({first + 1}-{min(first + room, len(self.rows))} of {len(self.rows)})" if len(self.rows) > room else ""
        )
        head = safe.cut(f"── {self.title}{more} ", width)
        rows = [[Run(head + "─" * (width - safe.columns(head)), "dim")], *self.rows[first : first + room]]
        return (rows + [[] for _ in range(height)])[:height]


def events(page: HandPage, at: int, query: str, found: Sequence[int], width: int) -> Panel:
    """Return the events that hold `query`, all without one; those with findings are marked."""
    rows: list[Row] = []
    here = 0
    for place, frame in enumerate(page.frames):
        if place == at:
            here = len(rows)
        if not holds(frame.told, query):
            continue
        mark = "✗" if place in found else " "
        line = safe.cut(f"{'>' if place == at else ' '}{mark}{frame.version:>3} {frame.told}", width)
        rows.append([Run(line, "here" if place == at else "red" if place in found else "")])
    title = f"events with {safe.terminal(query, 30)!r}" if query else "events"
    return Panel(title, rows or [[Run("  none", "dim")]], here)


def holds(text: str, query: str) -> bool:
    """Return whether what is searched for is in a text."""
    return query.casefold() in text.casefold()


def source(page: HandPage, at: int, width: int) -> Panel:
    """Return the text that the hand was read from, the very bytes of the event marked."""
    told = page.source
    if told is None:
        return Panel("source", _wrapped(page.unsourced, width))
    rows: list[Row] = [[]]
    here, used = -1, 0
    for segment in told.segments:
        mine = at in segment.frames
        for nth, line in enumerate(segment.text.split("\n")):
            if nth:
                rows.append([])
                used = 0
            for piece in _pieces(line, width - 2, used):
                if piece is None:
                    rows.append([])
                    used = 0
                    continue
                used += safe.columns(piece)
                rows[-1].append(Run(piece, "mark" if mine else ""))
                if mine and piece.strip() and here < 0:
                    here = len(rows) - 1
    marked = [any(run.style for run in row) for row in rows]
    rows = [[Run("> " if mine else "  "), *row] for mine, row in zip(marked, rows, strict=True)]
    if told.cut:
        rows.append([Run("  (only its beginning is shown)", "dim")])
    frame = page.frames[at]
    where = f":{frame.span.line}" if frame.span and frame.span.line else ""
    span = f"  bytes {frame.span.start}-{frame.span.start + frame.span.length}" if frame.span else "  (no bytes of it)"
    name = safe.tail(safe.terminal(told.file), max(width - 58, 12))
    return Panel(f"source {name}{where}{span}", rows, max(here, 0))


def _pieces(line: str, width: int, used: int) -> Iterator[str | None]:
    """Yield a line in pieces that fit behind `used` columns; None = the next one begins a row."""
    while line:
        room = width - used
        if safe.columns(line) <= room:
            yield line
            return
        count = used = 0
        for c in line:
            used += safe.columns(c)
            if used > room:
                break
            count += 1
        if count:
            yield line[:count]
        elif room >= width:  # a letter that is wider than the screen
            return
        line, used = line[count:], 0
        yield None


def findings(page: HandPage, book: int, at: int, width: int, scrolled: int = 0) -> Panel:
    """Return what a book says: where button and blinds belonged, what it found, what it could not judge, what it led to.

    `scrolled`: so many lines of it are above what is seen.
    """
    one = page.judgements[book]
    rows: list[Row] = []
    if one.should is not None and not one.right:
        rows += _wrapped(f"Should have been: {shown.differs(page, one)}.", width, "yellow")
    elif one.unknown and one.book.name != "record":
        rows += _wrapped(f"Where button and blinds belonged cannot be told: {one.unknown}.", width, "dim")
    here = 0
    version = page.frames[at].version
    for found in one.findings:
        if found.version == version:
            here = len(rows)
        rows += _wrapped(f"✗ {shown.headline(found, page)}", width, "here" if found.version == version else "red")
        if found.should:
            rows += _wrapped(f"Should be: {shown.should_be(found, page)}", width, indent="  ")
        if found.because:
            rows += _wrapped(found.because, width, indent="  ")
        rows += _wrapped(f"{found.citation}: {found.asks}", width, "dim", indent="  ")
        if found.money:
            rows += _wrapped(shown.owes(found, page), width, indent="  ")
        rows += _wrapped(f"{found.severity}, {found.certainty}, event {found.version}", width, "dim", indent="  ")
    if not one.findings:
        said = "Nothing differs from what it asks, as far as it could be judged."
        rows += _wrapped(said if one.judged else "No clause of it has a verdict on this hand.", width)
    if one.knock_on is not None:
        rows += _wrapped(f"What it led to: {describe_knock_on(one.knock_on)}", width)
    rows += _why(one, width)
    if one.wanting:
        rows += _wrapped("What could not be judged, for want of a fact in the record:", width, "dim")
    for want in one.wanting:
        rows += _wrapped(f"? {', '.join(want.clauses)}: {describe_fact(want.fact)}", width, "dim")
    return Panel(f"{one.book.name} {one.book.edition}".strip(), rows, here, scrolled)


def _why(one: Judgement, width: int) -> list[Row]:
    """Return why button and blinds belong where they do."""
    rows: list[Row] = []
    for name, grounds in zip(shown.NAMES.values(), one.why, strict=False):
        for ground in grounds[:_WHY_MOST]:
            clauses = f" [{', '.join(ground.clauses)}]" if ground.clauses else ""
            rows += _wrapped(f"{name}: {ground.says}{clauses}", width)
    return rows


def books(page: HandPage, book: int, width: int) -> Panel:
    """Return where each book has button and blinds, and how much it finds."""
    rows = [[Run(safe.cut(f"   {'':<12} {'button':>6} {'small':>6} {'big':>6}  findings", width), "dim")]]
    rows.append([Run(safe.cut(_spots_line("recorded", *shown.spots(page.recorded)), width))])
    for nth, one in enumerate(page.judgements):
        if one.book.name == "record":
            line = f"   {'(no book)':<12} {'':>20}"
        elif one.should is None:
            line = f"   {safe.terminal(one.book.name, 12):<12} {'cannot be told':>20}"
        else:
            line = _spots_line(one.book.name, *shown.spots(one.should))
        found = f"✗ {len(one.findings)}" if one.findings else "✓ 0" if one.judged else "?"
        style = "here" if nth == book else "red" if one.findings else ""
        rows.append([Run(safe.cut(f"{'>' if nth == book else ' '}{line[1:]}  {found}", width), style)])
    return Panel("under each rulebook", rows, 0)


def _spots_line(name: str, *spots: int | None) -> str:
    told = " ".join(f"{'-' if seat is None else seat:>6}" for seat in spots)
    return f"   {safe.terminal(name, 12):<12} {told}"


def money(page: HandPage, width: int) -> Panel:
    """Return what each seat put in and got."""
    if page.money.void:
        return Panel("money", [[Run("The hand does not count: nobody won or lost.")]])
    rows = [[Run(safe.cut(f"  {'':<26} {'put in':>10} {'got':>10} {'net':>10}", width), "dim")]]
    for one in page.money.accounts:
        told = (amount(chips, page.unit, page.exponent) for chips in (one.put, one.won))
        cells = " ".join(f"{cell:>10}" for cell in [*told, shown.signed(one.net, page)])
        rows.append([Run(safe.cut(f"  {safe.fit(one.who, 26)} {cells}", width))])
    rows.append([Run(safe.cut(f"  the nets sum to {sum(one.net for one in page.money.accounts)}", width), "dim")])
    return Panel("money", rows)


def _wrapped(text: str, width: int, style: str = "", indent: str = "") -> list[Row]:
    """Return text of people and files as harmless lines."""
    lines = textwrap.wrap(
        safe.terminal(text, 1200), max(width - 1, 20), initial_indent=indent, subsequent_indent=indent + "  "
    )
    return [[Run(safe.cut(line, width), style)] for line in lines]
