"""What is typed between two hands in a hurry: who sits where with how much, and who has the first button."""

from __future__ import annotations

import re
from typing import Final

_SEATING_PATTERN: Final = re.compile(r"(\d{1,2}) +([^\W\d_a-z][^\s,;]*(?: [^\W\d_a-z][^\s,;]*)*) +[$€£]?(\d[\d.]*)")
"""A name begins with a capital, so that no verb is one: `3 adds 200` buys chips."""
_BUTTON_PATTERN: Final = re.compile(r"(?:b|button) *(\d{1,2})")


def seating_line(text: str) -> str:
    """Return handscript for players who are seated by seat, name and stack alone; any other line as it is.

    >>> seating_line("1 Ana 500, 2 Mrs. Chen 350")
    '1 sits Ana stack 500; 2 sits "Mrs. Chen" stack 350'
    >>> seating_line("3 adds 200")
    '3 adds 200'
    """
    seatings = [_SEATING_PATTERN.fullmatch(part.strip()) for part in text.split(",")]
    matches = [match for match in seatings if match is not None]
    if len(matches) < len(seatings):
        return text
    return "; ".join(f"{match[1]} sits {_quote_name(match[2])} stack {match[3]}" for match in matches)


def _quote_name(name: str) -> str:
    return name if name.isalnum() else f'"{name}"'


def button_seat(text: str) -> int | None:
    """Return the seat that a line gives the first button; None if it is another line.

    >>> button_seat("b 3"), button_seat("button 4"), button_seat("b")
    (3, 4, None)
    """
    match = _BUTTON_PATTERN.fullmatch(text.strip())
    return None if match is None else int(match[1])
