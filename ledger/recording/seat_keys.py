"""Read what is typed in a hurry between two hands: players with seats and stacks, and the first button."""

from __future__ import annotations

import re
from typing import Final

_SEATING_PATTERN: Final = re.compile(r"(\d{1,2}) +([^\W\d_a-z][^\s,;]*(?: [^\W\d_a-z][^\s,;]*)*) +[$€£]?(\d[\d.]*)")
"""A name begins with a capital, so it can't be a verb: `3 adds 200` buys chips."""
_BUTTON_PATTERN: Final = re.compile(r"(?:b|button) *(\d{1,2})")


def expand_seating_line(text: str) -> str:
    """Expand a list of seats, names and stacks into handscript. Return any other line unchanged.

    >>> expand_seating_line("1 Ana 500, 2 Mrs. Chen 350")
    '1 sits Ana stack 500; 2 sits "Mrs. Chen" stack 350'
    >>> expand_seating_line("3 adds 200")
    '3 adds 200'
    """
    seatings = [_SEATING_PATTERN.fullmatch(part.strip()) for part in text.split(",")]
    matches = [match for match in seatings if match is not None]
    if len(matches) < len(seatings):
        return text
    return "; ".join(f"{match[1]} sits {_quote_name(match[2])} stack {match[3]}" for match in matches)


def _quote_name(name: str) -> str:
    return name if name.isalnum() else f'"{name}"'


def parse_button_line(text: str) -> int | None:
    """Return the seat of the first button in a line like `b 3`, or None for other lines.

    >>> parse_button_line("b 3"), parse_button_line("button 4"), parse_button_line("b")
    (3, 4, None)
    """
    match = _BUTTON_PATTERN.fullmatch(text.strip())
    return None if match is None else int(match[1])
