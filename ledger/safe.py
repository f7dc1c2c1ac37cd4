r"""Make text of players and files printable, with one function for each output. No other module does this.

Names, chat and reject reasons come from strangers. They may contain escape sequences that rewrite a terminal, marks
that reverse the reading direction, invisible letters, or formulas that a spreadsheet runs. Such characters are shown as
`\x1b` or `\u202e`.
"""

from __future__ import annotations

import json as _json
import re
from hashlib import sha256
from typing import Final
from unicodedata import category, combining, east_asian_width

MAX_NAME_COLUMNS: Final = 40
"""Columns of a player's name in a table or a line. Longer names are cut with `…`."""

MAX_TEXT_COLUMNS: Final = 500
"""Columns of any other free text on one line."""

_INVISIBLE: Final = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, range(0xFE00, 0xFE0F)))
    + "".join(map(chr, range(0xE0100, 0xE01F0)))
)
"""Printable characters, by Unicode, that are invisible."""

_MAX_MARKS: Final = 3
"""Combining marks allowed on one letter. More would cover the lines above and below."""

_FORMULA: Final = "=+-@\t\r\n\0＝＋－＠"  # noqa: RUF001 - spreadsheets take the wide ones as well
_RESERVED: Final = frozenset(("con", "prn", "aux", "nul", *(f"{p}{n}" for p in ("com", "lpt") for n in range(1, 10))))
_MAX_FILENAME: Final = 80


def terminal(text: str, max_columns: int = MAX_TEXT_COLUMNS) -> str:
    """Return `text` as one harmless line of at most `max_columns` columns."""
    if len(text) > max_columns * 4 + 8:  # at most four characters share a column
        text = text[: max_columns * 4 + 8]
    return cut(_escape_invisible(text), max_columns)


def name(text: str, max_columns: int = MAX_NAME_COLUMNS) -> str:
    """Return a player's name for a terminal, or a note that it is empty."""
    return terminal(text, max_columns) if text else "(no name)"


def lines(text: str, max_columns: int = 4 * MAX_TEXT_COLUMNS) -> str:
    """Return text of several lines for a terminal. Line ends stay, and each line is made harmless."""
    return "\n".join(terminal(line, max_columns) for line in text.split("\n"))


def csv_cell(text: str) -> str:
    """Return `text` as a cell that no spreadsheet runs as a formula. csv.writer adds quotes."""
    visible = _escape_invisible(text)
    return "'" + visible if text and (text[0] in _FORMULA or visible[0] in _FORMULA) else visible


def html(text: str) -> str:
    """Return `text` for HTML, as content or within a quoted attribute."""
    from html import escape  # noqa: PLC0415 - it holds every name of a letter, and few commands write pages

    return escape(_escape_invisible(text), quote=True)


def filename(text: str) -> str:
    """Return a name for a new file, made from `text`: ASCII, no folders, no device names, no options.

    If a character is replaced, eight digits of a hash keep different texts apart.
    """
    ascii_name = re.sub(r"[^A-Za-z0-9._-]", "_", text[:_MAX_FILENAME]).lstrip(".-").rstrip(".")
    if ascii_name and ascii_name == text and ascii_name.split(".")[0].lower() not in _RESERVED:
        return ascii_name
    digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{ascii_name}-{digest}" if ascii_name else f"unnamed-{digest}"


def json(document: object, *, indent: int | None = None) -> str:
    r"""Return `document` (plain values) as JSON that can be printed, with unchanged values.

    Lone surrogates, which strict parsers reject, become the text `\ud800`.
    """
    text = _json.dumps(document, ensure_ascii=False, indent=indent, check_circular=False)
    if text.isascii() and "\x7f" not in text:
        return text
    return "".join(c if c == "\n" or (c.isprintable() and c not in _INVISIBLE) else _escape_for_json(c) for c in text)


def columns(text: str) -> int:
    """Return how many columns harmless text takes in a terminal."""
    if text.isascii():
        return len(text)
    return sum(
        0 if combining(c) or category(c) in ("Mn", "Me") else 2 if east_asian_width(c) in "WF" else 1 for c in text
    )


def cut(text: str, max_columns: int) -> str:
    """Cut harmless text to `max_columns` columns, with `…` at the cut."""
    if len(text) * 2 <= max_columns or columns(text) <= max_columns:
        return text
    room = max(max_columns - 1, 0)
    kept_characters, used_columns = [], 0
    for character in text:
        used_columns += columns(character)
        if used_columns > room:
            break
        kept_characters.append(character)
    return "".join(kept_characters) + "…" * (max_columns > 0)


def tail(text: str, max_columns: int) -> str:
    """Return the end of harmless text, `max_columns` columns, with `…` if the start is cut off."""
    if columns(text) <= max_columns:
        return text
    start = len(text)
    free_columns = max_columns - 1
    while start and (free_columns := free_columns - columns(text[start - 1])) >= 0:
        start -= 1
    return "…" + text[start:]


def fit(text: str, width: int) -> str:
    """Cut or pad harmless text to exactly `width` columns."""
    text = cut(text, width)
    return text + " " * (width - columns(text))


def _escape_backslash(text: str, index: int) -> str:
    """Return the backslash at `index`, doubled if it could be read as the start of an escape."""
    next_character = text[index + 1 : index + 2]
    is_unambiguous = not next_character or (" " <= next_character <= "~" and next_character not in "xuU\\")
    return "\\" if is_unambiguous else "\\\\"


def _escape_invisible(text: str) -> str:
    """Return `text` with escapes for all characters that act, hide or reorder."""
    if text.isascii() and text.isprintable() and "\\" not in text:
        return text
    visible: list[str] = []
    marks = 0
    for index, character in enumerate(text):
        if character == "\\":
            visible.append(_escape_backslash(text, index))
        elif (
            not character.isprintable()
            or character in _INVISIBLE
            or (character == "\ufe0f" and not _is_emoji(text, index))
        ):
            visible.append(_escape(character))
        elif character > "\u02ff" and category(character) in ("Mn", "Me"):
            marks += 1
            visible.append(character if index and marks <= _MAX_MARKS else _escape(character))
            continue
        else:
            visible.append(character)
        marks = 0
    return "".join(visible)


def _is_emoji(text: str, index: int) -> bool:
    return index > 0 and text[index - 1] >= "\u203c"


def _escape(c: str) -> str:
    number = ord(c)
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x1_0000 else f"\\U{number:08x}"


def _escape_for_json(c: str) -> str:
    number = ord(c)
    if 0xD800 <= number < 0xE000:
        return f"\\\\u{number:04x}"
    if number < 0x1_0000:
        return f"\\u{number:04x}"
    number -= 0x1_0000
    return f"\\u{0xD800 + (number >> 10):04x}\\u{0xDC00 + (number & 0x3FF):04x}"
