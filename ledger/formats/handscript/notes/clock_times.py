"""Times of day and comments on lines of notes."""

from __future__ import annotations

import re
from typing import Final

_CLOCK_TIME: Final = re.compile(
    r"^\s*[\[(]?(?P<h>\d{1,2}):(?P<m>\d\d)(?P<s>:\d\d)?(?:\s*(?P<half>[ap])\.?m?\b\.?)?[\])]?(?!\d)\s*[-:]?\s*",
    re.IGNORECASE,
)
_MILITARY: Final = re.compile(r"^\s*(?P<h>[01]\d|2[0-3])(?P<m>[0-5]\d)\s*(?:hrs|h)\b\s*[-:]?\s*", re.IGNORECASE)
CLOCK: Final = re.compile(
    r"(?:,?\s*(?:at|@)\s+|\s+|\()(?P<h>\d{1,2}):(?P<m>\d\d)(?::\d\d)?\s*(?:(?P<half>[ap])\.?m\.?)?\)?(?=[\s.,;:]|$)",
    re.IGNORECASE,
)


def strip_comment(text: str) -> str:
    """Remove a comment from a line; `#11` isn't a comment, it starts a hand."""
    match = re.search(r"(?:^|\s)#(?=\s|[A-Za-z])", text)
    return text[: match.start()] if match else text


def split_time(text: str) -> tuple[str, tuple[int, int] | None]:
    """Split off the time at the start of a line."""
    match = _CLOCK_TIME.match(text) or _MILITARY.match(text)
    if match is None:
        return text, None
    return text[match.end() :], read_clock(match)


def read_clock(match: re.Match[str]) -> tuple[int, int] | None:
    """Return hour and minute; None if the time has seconds, as a video's counter does."""
    parts = match.groupdict()
    if parts.get("s"):
        return None
    hour, minute = int(parts["h"]), int(parts["m"])
    half = (parts.get("half") or "").lower()
    if not half and hour < 12 and not parts["h"].startswith("0"):
        return None  # morning or evening is unknown
    if half:
        hour = hour % 12 + 12 * (half == "p")
    return (hour, minute) if hour < 24 and minute < 60 else None
