"""What a line means that no template reads: a phrase of the table, several seats' act, or a line in a hurry."""

from __future__ import annotations

from collections.abc import Sequence

from ledger.event import Event
from ledger.formats.handscript import phrases, several, shorthand
from ledger.formats.handscript.context import Context


def understand(line: Sequence[str], context: Context) -> Sequence[Event]:
    """Return what a line tells; nothing if there is any doubt."""
    if not shorthand.short(line):
        return ()
    return several.several_seats(line, context, understand_one) or understand_one(line, context)


def understand_one(line: Sequence[str], context: Context) -> Sequence[Event]:
    """Return what a line tells in which one seat, or nobody, acts."""
    text = shorthand.spoken(line, context)
    for _, lines in phrases.meanings(phrases.SPOKEN, text, context) if text else ():
        if events := shorthand.attempt_all(lines, context):
            return events
    return shorthand.one_event(line, context)
