"""Parse the shift that a user asks for: a name that counts state, a room's day, or a span of time."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from ledger.errors import UsageError
from ledger.text.language import join_list, phrase
from projections.addresses.room_days import DEFAULT_DAY_START, TimeSpan, parse_span

_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_SPAN_MARK: Final = ".."
_DAY_MARK: Final = "@"


class ShiftRequest(NamedTuple):
    """A shift as the user asked for it. Either `name` or `time_span` is set."""

    typed_text: str
    name: str = ""  # as counts state it: "swing"; "" = the shift is a day or a span of time
    day: str = ""  # of the name, if several days have it: "2026-11-29"
    time_span: TimeSpan | None = None


def parse_shift(typed_text: str, day_begins: str = DEFAULT_DAY_START) -> ShiftRequest:
    """Parse `swing`, `swing@2026-11-29`, `2026-11-29` or `2026-11-29T12:00..2026-11-29T20:00`.

    `day_begins`: when a gaming day begins on the room's clock. Raises `UsageError`.
    """
    text = typed_text.strip()
    if not text:
        raise UsageError(phrase("the shift is missing"), _explain_forms())
    if _SPAN_MARK in text:
        return ShiftRequest(text, time_span=_parse_span(text, day_begins))
    if _DAY.fullmatch(text):
        return ShiftRequest(text, time_span=parse_span(text, text, day_begins))
    name, mark, day = text.rpartition(_DAY_MARK)
    if not mark:
        return ShiftRequest(text, name=text)
    if not name or not _DAY.fullmatch(day):
        raise UsageError(phrase("I can't read {text} as a shift and its day", text=repr(text)), _explain_forms())
    return ShiftRequest(text, name=name, day=day)


def _parse_span(text: str, day_begins: str) -> TimeSpan:
    start_text, _, end_text = text.partition(_SPAN_MARK)
    if not (start_text and end_text):
        raise UsageError(phrase("{text} needs two times", text=repr(text)), _explain_forms())
    time_span = parse_span(start_text, end_text, day_begins)
    start, end = time_span.start, time_span.end
    if start is not None and end is not None and start.clock == end.clock and start.millis >= end.millis:
        raise UsageError(phrase("{text} ends before it begins", text=repr(text)), _explain_forms())
    return time_span


def _explain_forms() -> str:
    return phrase("Write the name of its counts, a day or two times: {examples}.", examples=join_list(_EXAMPLES))


_EXAMPLES: Final = ("swing", "swing@2026-11-29", "2026-11-29", "2026-11-29T12:00..2026-11-29T20:00")
