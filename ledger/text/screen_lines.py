"""Wrap text to a terminal's columns. A Chinese character takes two columns, and lines may break beside it."""

from __future__ import annotations

import re
import textwrap
from typing import Final

from ledger import safe

_WIDE: Final = "\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6"
_OPENING: Final = "\uff08\u300c\u300e\u300a\u201c"
_CLOSING: Final = "\uff09\u300d\u300f\u300b\u201d\uff0c\u3002\u3001\uff1a\uff1b\uff01\uff1f"
_PIECE: Final = re.compile(rf"\s+|[{_OPENING}]*(?:[^\s{_WIDE}]+[{_WIDE}]?|[{_WIDE}])[{_CLOSING}]*")
"""Blanks, a word with the character after it, or a single character, each with its brackets and punctuation."""
_HAS_WIDE: Final = re.compile(f"[{_WIDE}]")


def wrap_text(
    text: str, width: int, *, first_indent: str = "", later_indent: str = "", breaks_at_hyphens: bool = True
) -> list[str]:
    """Wrap sanitized text into lines of at most `width` columns. The first line keeps its leading blanks."""
    if _HAS_WIDE.search(text) is None:
        return textwrap.wrap(
            text, width, initial_indent=first_indent, subsequent_indent=later_indent, break_on_hyphens=breaks_at_hyphens
        )
    lines: list[str] = []
    line, has_words = first_indent, False
    for piece in _PIECE.findall(text):
        if has_words and safe.columns(line) + safe.columns(piece.rstrip()) > width:
            lines.append(line.rstrip())
            line, has_words = later_indent, False
            if piece.isspace():
                continue
        has_words = has_words or not piece.isspace()
        line += piece
    return [*lines, line.rstrip()] if has_words else lines


def fill_columns(text: str, width: int, *, is_right_aligned: bool = False) -> str:
    """Pad sanitized text to `width` columns. Longer text isn't cut.

    >>> fill_columns("button", 8), fill_columns("third blind", 8), fill_columns("$5", 4, is_right_aligned=True)
    ('button  ', 'third blind', '  $5')
    """
    blanks = " " * (width - safe.columns(text))
    return blanks + text if is_right_aligned else text + blanks
