"""Interpret lines that fit no template: table phrases, acts of several seats, and shorthand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ledger.errors import UnreadableHandError
from ledger.event import Event
from ledger.formats.handscript import header, phrases, several, shorthand
from ledger.formats.handscript.context import Context
from ledger.formats.handscript.grammar import RepeatedLine
from ledger.formats.handscript.header import END, FILE_WORDS
from ledger.formats.handscript.phrasebook import BOOK, is_seat
from ledger.formats.handscript.tokens import replace_text, split_placed_words

_HEADER_WORDS: Final = FILE_WORDS - {END}
_VOID_WORDS: Final = frozenset(("void", "voided", "cancelled", "canceled"))
_END_WORDS: Final = frozenset(("over", "ends", "ended", "done", "complete", "completed", "finished"))


def understand(line: Sequence[str], context: Context) -> Sequence[Event]:
    """Return the events of a line, or () if there is any doubt."""
    if not shorthand.is_short(line):
        return ()
    return several.read_several_seats(line, context, understand_one) or understand_one(line, context)


def understand_one(line: Sequence[str], context: Context) -> Sequence[Event]:
    """Return the events of a line in which at most one seat acts."""
    text = shorthand.build_phrase_text(line, context)
    for _, lines in phrases.find_meanings(phrases.UNAMBIGUOUS, text, context) if text else ():
        if events := shorthand.attempt_lines(lines, context):
            return events
    return shorthand.read_event(line, context)


def read_events(words: Sequence[str], context: Context) -> tuple[Sequence[Event], Event | RepeatedLine[Event] | None]:
    """Return the events of a line, in handscript or shorthand, and the line to cache if that is possible."""
    people_mark = context.people.mark()
    try:
        event, reusable_line = BOOK.find_wording(words).read_reusable(words, context)
    except UnreadableHandError:
        context.people.unlearn(people_mark)
        understood = understand(words, context)
        if not understood:
            raise
        return understood, None
    return (event,), reusable_line


def normalize_opening(words: Sequence[str], text: str, *, in_section: bool) -> Sequence[str]:
    """Normalize the first word of the line `text`: `hand over` becomes `end`."""
    first_word = words[0]
    is_notation = first_word in BOOK.openers or first_word in _HEADER_WORDS or is_seat(first_word)
    if not is_notation and words != [END]:
        words = header.normalize_first_word(split_placed_words(text)[0])
    if words[0] != "hand" or len(words) != 2:
        return words
    if words[1] in _END_WORDS:
        return [replace_text(split_placed_words(text)[0][0], END)]
    if words[1] in _VOID_WORDS and in_section:
        return [replace_text(split_placed_words(text)[0][0], "voided")]
    return words
