"""Format the recording of a table for a terminal: answers to lines, the table, and what comes next."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cli.documents.command_documents import ErrorDocument, Failure
from cli.output import console
from cli.output.table_drawing import draw_table
from ledger import safe
from ledger.hand.ending import CorrectionMade, HandCompleted, HandVoided

if TYPE_CHECKING:
    from ledger.errors import HandledgerError
    from ledger.recording.record_result import RecordResult
    from projections.live.live_document import FindingSoFar, LiveDocument
    from projections.live.live_session import TableSession
    from projections.reports.finding_text import PlayerName

LEAVE = ("q", "quit", "exit")
"""Lines that leave the table on a terminal."""

MAX_LINES = 8
"""Lines of the running hand that the screen shows."""


def build_refusal(error: HandledgerError) -> ErrorDocument:
    """Return the document of a refused line, with the line that it suggests."""
    suggestion = getattr(error, "write", "")
    hints = [f"Write: {suggestion}."] if suggestion else []
    if error.hint:
        hints.append(error.hint)
    return ErrorDocument(Failure(error.code, error.message, " ".join(hints)))


def describe_refusal(error: HandledgerError) -> Iterator[str]:
    """Yield why a line was refused, for people."""
    for line in wrap_message(f"✗ {error.message}", "  "):
        yield console.paint(line, "red")
    if suggestion := getattr(error, "write", ""):
        yield f"  write  {safe.terminal(suggestion, 300)}"
    if form := getattr(error, "form", ""):
        yield from wrap_message(f"  form   {form}", "         ")
    if error.hint:
        yield from wrap_message(f"  {error.hint}", "  ")


def wrap_message(text: str, indent: str) -> list[str]:
    """Return a message wrapped between words at the width of the terminal, harmless."""
    safe_text = safe.terminal(text, 600)
    return textwrap.wrap(safe_text, console.find_width() - 1, subsequent_indent=indent, break_on_hyphens=False)


def describe_outcome(outcome: RecordResult, earlier: LiveDocument, current: LiveDocument) -> Iterator[str]:
    """Yield the answer to a recorded line: what changed in the record, new findings, and whether the hand is over."""
    if outcome.kind == "header":
        return
    earlier_of_hand = earlier if earlier.hand == current.hand else None
    is_dealt = any(line.line.startswith("deal done") for line in earlier.lines)
    yield from _describe_new_lines(earlier_of_hand, current, is_dealt=is_dealt)
    if earlier_of_hand is not None:
        current_versions = {line.version for line in current.lines}
        for line in earlier_of_hand.lines:
            if line.version not in current_versions:
                yield safe.terminal(f"taken back: {line.line}", console.find_width())
    known_findings = (
        {_build_finding_key(live_finding) for live_finding in earlier_of_hand.findings} if earlier_of_hand else set()
    )
    for live_finding in current.findings:
        if _build_finding_key(live_finding) not in known_findings:
            yield from format_finding(live_finding, build_player_names(current))
    if outcome.hand_ended and not current.running:
        has_end = any(isinstance(event, HandCompleted | HandVoided) for event in outcome.events)
        yield "the hand is over" if has_end else "stopped: the record of this hand ends here, unfinished"


def _describe_new_lines(earlier: LiveDocument | None, current: LiveDocument, *, is_dealt: bool) -> Iterator[str]:
    """Yield the lines of a hand that are new. `earlier`: the hand before; None if another hand was running."""
    known_versions = {line.version for line in earlier.lines} if earlier is not None else set()
    for line in current.lines:
        if line.version not in known_versions:
            yield safe.terminal(f"{line.version:>3}  {line.line}", console.find_width())
            if line.line.startswith("seat ") and is_dealt:
                yield "That seat was dealt in on this hand. Who plays from the next one on: u, then as in 4 sits Kim stack 400"


def _build_finding_key(live_finding: FindingSoFar) -> tuple[str, str, int, str]:
    return live_finding.book, live_finding.clause, live_finding.version, live_finding.saw


def build_player_names(document: LiveDocument) -> PlayerName:
    """Return a function from a seat to the name of its player, harmless."""
    seats = document.moment.seats if document.moment is not None else document.seated
    names = {seat.seat: seat.player for seat in seats}
    return lambda seat: safe.terminal(names.get(seat, ""), 24)


def format_finding(live_finding: FindingSoFar, player_name: PlayerName) -> Iterator[str]:
    """Yield the lines of a finding in a running hand."""
    from projections.reports.finding_text import name_seats

    should_text = f" Should be: {name_seats(live_finding.should, player_name)}." if live_finding.should else ""
    mend_text = " It can still be corrected." if live_finding.mendable else ""
    sentence = f"✗ {name_seats(live_finding.saw, player_name)}.{should_text}{mend_text} ({live_finding.book} {live_finding.clause}, {live_finding.severity}, {live_finding.certainty})"
    style = "red" if live_finding.severity == "error" else "yellow"
    for line in textwrap.wrap(safe.terminal(sentence, 600), console.find_width() - 2, subsequent_indent="    "):
        yield console.paint(line, style)


def draw_screen(current: LiveDocument) -> Iterator[str]:
    """Yield the lines of the screen: the drawn table, the last lines, the findings, and what comes next."""
    width = console.find_width()
    yield safe.terminal(
        f"table {current.table}  {current.venue}" + (f"  hand {current.hand}" if current.hand else ""), width
    )
    if current.moment is not None:
        yield ""
        yield draw_table(current.moment, width)
        yield ""
        for line in current.lines[-MAX_LINES:]:
            yield safe.terminal(f"{line.version:>3}  {line.line}", width)
    for live_finding in current.findings:
        yield from format_finding(live_finding, build_player_names(current))
    yield ""
    yield from describe_next_steps(current)


def describe_next_steps(current: LiveDocument) -> Iterator[str]:
    """Yield the choices in a running hand, or the next hand."""
    if current.running:
        labels = [
            f"{f'seat {choice.seat} ' if choice.seat is not None else ''}{choice.label}" for choice in current.choices
        ]
        yield from wrap_message(f"next: {' · '.join(dict.fromkeys(labels)) or 'say what happens'}", "      ")
        return
    if current.next is None:
        if current.seated:
            yield from wrap_message(
                f"seated: {', '.join(f'{choice.seat} {choice.player}' for choice in current.seated)}", "  "
            )
        yield "between hands: seat the players (1 Ana 500), then say who has the button (b 1)"
        if current.seated and not current.book:
            yield "With a rulebook (-r hilton), Enter deals the next hand."
        return
    yield f"next hand {safe.terminal(current.next.number, 24)} under {current.book}: Enter takes it, or write hand {safe.terminal(current.next.number, 24)}"
    for line in current.next.lines:
        yield safe.terminal(f"     {line}", console.find_width())
    for note in current.next.notes:
        yield f"     {note}"
    if current.next.lacks and not any(line.startswith("button ") for line in current.next.lines):
        yield "     First hand: who has the button? As in: b 1"
    elif current.next.lacks:
        yield safe.terminal(f"     {current.next.lacks}: write the rest", console.find_width())


def record_line(session: TableSession, text: str, earlier: LiveDocument) -> tuple[list[str], LiveDocument]:
    """Record a line; return the answer, and the table after it."""
    outcome = session.take(text)
    current = session.document()
    known_findings = {_build_finding_key(live_finding) for live_finding in earlier.findings}
    ended_findings = current.ended if outcome.hand_ended else []
    finding_lines = [
        line
        for live_finding in ended_findings
        if _build_finding_key(live_finding) not in known_findings
        for line in format_finding(live_finding, build_player_names(current))
    ]
    return [
        *_describe_table_facts(session, outcome),
        *describe_outcome(outcome, earlier, current),
        *finding_lines,
    ], current


def _describe_table_facts(session: TableSession, outcome: RecordResult) -> Iterator[str]:
    """Yield the table's facts in a line, or a note that the last one was taken back."""
    if outcome.kind != "table":
        return
    if any(isinstance(event, CorrectionMade) for event in outcome.events):
        yield "taken back: the hand runs again" if session.recorder.running else "taken back"
        return
    for line in session.recorder.lines.write_lines(outcome.events):
        yield safe.terminal(line, console.find_width())
