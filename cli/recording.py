"""What a table that is kept says on a terminal: answers to lines, the table as it stands, what comes next."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cli import output
from cli.documents import ErrorDocument, Failure
from cli.drawing import drawing
from ledger import safe
from ledger.hand.ending import CorrectionMade, HandCompleted, HandVoided

if TYPE_CHECKING:
    from ledger.errors import HandledgerError
    from ledger.recording.recorder import Done
    from projections.live.live_document import FoundSoFar, LiveDocument
    from projections.live.live_session import TableSession
    from projections.reports.finding_text import PlayerName

LEAVE = ("q", "quit", "exit")
"""What leaves the table on a terminal."""

LINES_SHOWN = 8
"""Of the running hand, the last ones."""


def refusal(error: HandledgerError) -> ErrorDocument:
    """Return why a line was refused, with the nearest right one."""
    write = getattr(error, "write", "")
    hint = " ".join(part for part in (f"Write: {write}." if write else "", error.hint) if part)
    return ErrorDocument(Failure(error.code, error.message, hint))


def refused(error: HandledgerError) -> Iterator[str]:
    """Yield why a line was refused, for people."""
    for line in folded(f"✗ {error.message}", "  "):
        yield output.paint(line, "red")
    if write := getattr(error, "write", ""):
        yield f"  write  {safe.terminal(write, 300)}"
    if form := getattr(error, "form", ""):
        yield from folded(f"  form   {form}", "         ")
    if error.hint:
        yield from folded(f"  {error.hint}", "  ")


def folded(text: str, indent: str) -> list[str]:
    """Return a text in lines as wide as the terminal, words whole."""
    told = safe.terminal(text, 600)
    return textwrap.wrap(told, output.width() - 1, subsequent_indent=indent, break_on_hyphens=False)


def answer(done: Done, before: LiveDocument, now: LiveDocument) -> Iterator[str]:
    """Yield what is said of a line that was recorded: how it stands in the record, and what it brought up."""
    if done.kind == "header":
        return
    dealt = any(line.line.startswith("deal done") for line in before.lines)
    known = {line.version for line in before.lines} if before.hand == now.hand else set()
    for line in now.lines:
        if line.version not in known:
            yield safe.terminal(f"{line.version:>3}  {line.line}", output.width())
            if line.line.startswith("seat ") and dealt:
                yield "That seat was dealt in on this hand. Who plays from the next one on: u, then as in 4 sits Kim stack 400"
    kept = {line.version for line in now.lines}
    for line in before.lines if before.hand == now.hand else ():
        if line.version not in kept:
            yield safe.terminal(f"taken back: {line.line}", output.width())
    said = {_same(one) for one in before.findings} if before.hand == now.hand else set()
    for one in now.findings:
        if _same(one) not in said:
            yield from finding(one, player_names(now))
    if done.ended and not now.running:
        over = any(isinstance(event, HandCompleted | HandVoided) for event in done.events)
        yield "the hand is over" if over else "the hand is left as it is: its end is not on record"


def _same(one: FoundSoFar) -> tuple[str, str, int, str]:
    return one.book, one.clause, one.version, one.saw


def player_names(document: LiveDocument) -> PlayerName:
    """Return a function from seat to the name of who sits there, as the document has it."""
    seats = document.moment.seats if document.moment is not None else document.seated
    names = {one.seat: one.player for one in seats}
    return lambda seat: safe.terminal(names.get(seat, ""), 24)


def finding(one: FoundSoFar, player_name: PlayerName) -> Iterator[str]:
    """Yield a finding in a hand that runs."""
    from projections.reports.finding_text import name_seats

    should = f" Should be: {name_seats(one.should, player_name)}." if one.should else ""
    mend = " It can still be put right." if one.mendable else ""
    said = f"✗ {name_seats(one.saw, player_name)}.{should}{mend} ({one.book} {one.clause}, {one.severity}, {one.certainty})"
    style = "red" if one.severity == "error" else "yellow"
    for line in textwrap.wrap(safe.terminal(said, 600), output.width() - 2, subsequent_indent="    "):
        yield output.paint(line, style)


def screen(now: LiveDocument) -> Iterator[str]:
    """Yield the table as it stands: drawn, with the last lines, what was found, and what comes next."""
    width = output.width()
    yield safe.terminal(f"table {now.table}  {now.venue}" + (f"  hand {now.hand}" if now.hand else ""), width)
    if now.moment is not None:
        yield ""
        yield drawing(now.moment, width)
        yield ""
        for line in now.lines[-LINES_SHOWN:]:
            yield safe.terminal(f"{line.version:>3}  {line.line}", width)
    for one in now.findings:
        yield from finding(one, player_names(now))
    yield ""
    yield from coming(now)


def coming(now: LiveDocument) -> Iterator[str]:
    """Yield what comes next: the choices, or the next hand."""
    if now.running:
        labels = [f"{f'seat {one.seat} ' if one.seat is not None else ''}{one.label}" for one in now.choices]
        yield from folded(f"next: {' · '.join(dict.fromkeys(labels)) or 'say what happens'}", "      ")
        return
    if now.next is None:
        if now.seated:
            yield from folded(f"seated: {', '.join(f'{one.seat} {one.player}' for one in now.seated)}", "  ")
        yield "between hands: seat the players (1 Ana 500), then say who has the button (b 1)"
        return
    yield f"next hand {safe.terminal(now.next.number, 24)} under {now.book}: Enter takes it, or write hand {safe.terminal(now.next.number, 24)}"
    for line in now.next.lines:
        yield safe.terminal(f"     {line}", output.width())
    for note in now.next.notes:
        yield f"     {note}"
    if now.next.lacks and not any(line.startswith("button ") for line in now.next.lines):
        yield "     First hand: who has the button? As in: b 1"
    elif now.next.lacks:
        yield safe.terminal(f"     {now.next.lacks}: write the rest", output.width())


def keep_line(keeping: TableSession, text: str, before: LiveDocument) -> tuple[list[str], LiveDocument]:
    """Record a line; return what is said of it, and where the table stands then."""
    done = keeping.take(text)
    now = keeping.document()
    told = {_same(one) for one in before.findings}
    over = now.ended if done.ended else []
    said = [line for one in over if _same(one) not in told for line in finding(one, player_names(now))]
    return [*_at_table(keeping, done), *answer(done, before, now), *said], now


def _at_table(keeping: TableSession, done: Done) -> Iterator[str]:
    """Yield the facts of the table that a line told, or that its last one was taken back."""
    if done.kind != "table":
        return
    if any(isinstance(event, CorrectionMade) for event in done.events):
        yield "taken back: the hand runs again" if keeping.recorder.running else "taken back"
        return
    for line in keeping.recorder.lines.tell(done.events):
        yield safe.terminal(line, output.width())
