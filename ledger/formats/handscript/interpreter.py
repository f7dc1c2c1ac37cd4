"""What a line means that no template reads: a phrase of the table, several seats' act, or a line in a hurry."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.event import Event
from ledger.formats.handscript import phrases, several, shorthand
from ledger.formats.handscript.context import Context


def understand(line: Sequence[str], context: Context) -> Sequence[Event]:
    """Return what a line tells; nothing if there is any doubt."""
    if not shorthand.is_short(line):
        return ()
    return several.read_several_seats(line, context, understand_one) or understand_one(line, context)


def understand_one(line: Sequence[str], context: Context) -> Sequence[Event]:
    """Return what a line tells in which one seat, or nobody, acts."""
    text = shorthand.phrase_text(line, context)
    for _, lines in phrases.find_meanings(phrases.UNAMBIGUOUS, text, context) if text else ():
        if events := shorthand.attempt_lines(lines, context):
            return events
    return shorthand.read_event(line, context)
