r"""Split a line of handscript into words: plain words, numbers, quoted texts, groups in parentheses, and a comment.

Blanks and tabs separate words. `"..."` contains any text; `\"`, `\\` and `\u{202e}` in it mean a quote, a backslash and
a character by its number. `name@room` is a single word with a tail. `(` begins a group and `)` ends it; `#` at the
beginning of a word starts a comment.

A word is a string: a plain word as written, a quoted text after a `"`, a tail after a NUL, which no line contains. So a
quoted text never equals a word of the notation. A group is the word `(`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Final

from ledger.errors import UnreadableHandError

NOT_TOLD: Final = "?"
GROUP: Final = "("
TAIL: Final = "\0"
NO_TEXT: Final = "\0\ufffd"
"""Ends a line with bytes that are invalid in the source's encoding."""
_QUOTED_WORDS: Final = frozenset({"none", "-", "at", "derived", "unit"})
"""Words with a meaning in any position, which need quotes as names."""

_BARE_WORD: Final = re.compile(r"[A-Za-z0-9_.'+*/-]+")
_SPECIAL_SIGN: Final = re.compile(
    '["()@#\0\u201c\x0b\x0c\r\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]'
)
"""Characters that aren't part of a plain word, and blanks that don't separate words."""
_SIGN_BESIDE_QUOTES: Final = re.compile(_SPECIAL_SIGN.pattern.replace('"', r"\\", 1))
"""Special characters other than quotes. Without any of them, a line with quotes is easy to split."""
_BLANK: Final = ("", " ", "\t")
_PIECE: Final = re.compile(r'[ \t]*+(?:([^ \t"()@#][^ \t"()@]*+)|("[^"\\]*+)")(?![^ \t)])')
_PLAIN_WORD: Final = re.compile(r'[^ \t"()@]+')
_QUOTED: Final = re.compile(r'[^"\\]+')
_QUOTES: Final = str.maketrans("\u201c\u201d\u201e", '"""')

MAX_DEPTH: Final = 4
"""The maximum depth of nested groups. Facts within a played hand need two."""


class LineError(UnreadableHandError):
    """A line that can't be read: the column, the expected words, and the form of the line."""

    def __init__(
        self,
        problem: str,
        *,
        column: int = 0,
        form: str = "",
        choices: Iterable[str] = (),
        kind: str = "line",
        hint: str = "",
    ) -> None:
        super().__init__(f"column {column}: {problem}" if column else problem, kind=kind, hint=hint)
        self.column = column
        self.form = form
        self.choices = tuple(choices)  # the words that are allowed in this column
        self.write = ""  # the nearest valid line


class Word(str):
    """A word that knows its column."""

    __slots__ = ("column",)

    column: int


class Group(Word):
    """The content of parentheses."""

    __slots__ = ("words",)

    words: list[str]


class Counted(Word):
    """A number that counts or names something and isn't money: `3 cards`, `seat 4`."""

    __slots__ = ()


def make_counted(word: str) -> Counted:
    """Mark a number as not being money."""
    counted_word = Counted(word)
    counted_word.column = get_column(word)
    return counted_word


def place(text: str, column: int) -> Word:
    """Return a word in a column."""
    placed_word = Word(text)
    placed_word.column = column
    return placed_word


def get_column(word: str) -> int:
    """Return the column of a word, or 0 if it has none."""
    return word.column if isinstance(word, Word) else 0


def replace_text(word: str, text: str) -> str:
    """Return another text with a word's column."""
    return place(text, word.column) if isinstance(word, Word) else text


def get_text(word: str) -> str:
    """Return a word's text without marks: a name without its room, a text without its quote."""
    return word.partition(TAIL)[0].removeprefix('"')


def is_quoted(word: str) -> bool:
    """Whether a word was in quotes."""
    return word[:1] == '"'


def is_plain(word: str) -> bool:
    """Whether a word is plain: no quoted text, no group and no tail."""
    return word[:1] != '"' and TAIL not in word and not isinstance(word, Group)


def format_word(word: str) -> str:
    """Return a word as shown in an error."""
    if isinstance(word, Group):
        return "( ... )"
    text, tail, room = word.partition(TAIL)
    return text + '"' * is_quoted(word) + ("@" + room if tail else "")


def build_word_error(expected: str, word: str, choices: Iterable[str] = ()) -> LineError:
    """Return the error for a word that doesn't fit. `choices`: words that would fit."""
    words = list(choices)
    nearest = get_close_matches(word, words, 1)
    message = f"expected {expected}, found {format_word(word)}"
    if nearest:
        message = f"{format_word(word)} isn't a word for this place. Did you mean {nearest[0]}?"
    return LineError(message, column=get_column(word), choices=words)


def split_words(line: str) -> tuple[list[str], str]:
    """Return the words of a line, and its comment without the `#`."""
    special = _SPECIAL_SIGN.search(line)
    if not special:
        return line.split(), ""
    position = special.start()
    if line[position] == '"' and not _SIGN_BESIDE_QUOTES.search(line, position):
        words = _split_quoted(line)
        return (words, "") if words else split_placed_words(line)
    if line[position] == "#" and line[position - 1 : position] in _BLANK and TAIL not in line and "\u201c" not in line:
        return line[:position].split(), line[position + 1 :].strip()
    return split_placed_words(line)


def _split_quoted(line: str) -> list[str]:
    """Split a line whose only special characters are quotes; return [] if the quotes are misplaced."""
    first, *pieces = line.split('"')
    if len(pieces) % 2 or first[-1:] not in _BLANK or pieces[-1][:1] not in _BLANK:
        return []
    words = first.split()
    last = pieces.pop()
    for text, following_text in zip(pieces[::2], [*pieces[1::2], last], strict=True):
        words.append('"' + text)
        words += following_text.split()
    if any(
        not following_text or following_text[0] not in " \t" or following_text[-1] not in " \t"
        for following_text in pieces[1::2]
    ):
        return []  # a blank is missing beside a text
    return words


def split_placed_words(line: str) -> tuple[list[str], str]:
    """Return the words of a line with their columns, and its comment."""
    if line.endswith(NO_TEXT):
        raise UnreadableHandError("bytes that are not text in this encoding", kind="encoding")
    if TAIL in line:
        raise UnreadableHandError("a character U+0000", kind="encoding")
    if "\u201c" in line and '"' not in line:  # a word processor's quotes
        line = line.translate(_QUOTES)
    line_words: list[str] = []
    open_groups: list[tuple[list[str], int]] = []
    position, end = 0, len(line)
    while position < end:
        if piece := _PIECE.match(line, position):
            group_index = piece.lastindex or 0
            line_words.append(place(piece[group_index], piece.start(group_index) + 1))
            position = piece.end()
            continue
        character = line[position]
        if character in " \t":
            position += 1
        elif character == "#":
            _check_closed(open_groups)
            return line_words, line[position + 1 :].strip()
        elif character == GROUP:
            if len(open_groups) >= MAX_DEPTH:
                raise LineError("parentheses too deep within each other", column=position + 1, kind="text")
            open_groups.append((line_words, position))
            line_words = []
            position += 1
        elif character == ")":
            if not open_groups:
                raise LineError("a ) without its (", column=position + 1, kind="text")
            words, (line_words, begin) = line_words, open_groups.pop()
            group = Group(GROUP)
            group.words, group.column = words, begin + 1
            line_words.append(group)
            position += 1
        else:
            word, position = _read_token(line, position)
            line_words.append(word)
    _check_closed(open_groups)
    return line_words, ""


def _check_closed(open_groups: list[tuple[list[str], int]]) -> None:
    if open_groups:
        raise LineError("a ( that is not closed", column=open_groups[-1][1] + 1, kind="text")


def _read_token(line: str, start: int) -> tuple[str, int]:
    text, position = _read_part(line, start)
    if line[position : position + 1] == "@":
        tail, position = _read_part(line, position + 1)
        text += TAIL + tail.removeprefix('"')
    if position < len(line) and line[position] not in " \t)(":
        raise LineError(f"a blank is missing after {line[start:position]}", column=position + 1, kind="text")
    return place(text, start + 1), position


def _read_part(line: str, start: int) -> tuple[str, int]:
    """Return the part of a word before or after an `@`, or the word without one, and where it ends."""
    if line[start : start + 1] != '"':
        match = _PLAIN_WORD.match(line, start)
        return (match[0], match.end()) if match else ("", start)
    parts = ['"']
    position = start + 1
    while True:
        if piece := _QUOTED.match(line, position):
            parts.append(piece[0])
            position = piece.end()
        character = line[position : position + 1]
        if character == '"':
            return "".join(parts), position + 1
        if character != "\\":
            raise LineError("a quote that is not closed", column=start + 1, kind="text")
        text, position = _read_escape(line, position)
        parts.append(text)


def _read_escape(line: str, position: int) -> tuple[str, int]:
    character = line[position + 1 : position + 2]
    if character in {'"', "\\"}:
        return character, position + 2
    end = line.find("}", position, position + 10)
    digits = line[position + 3 : end] if line.startswith("\\u{", position) and end > 0 else ""
    if digits and all(digit in "0123456789abcdefABCDEF" for digit in digits):
        number = int(digits, 16)
        if 0 < number < 0x110000 and not 0xD800 <= number < 0xE000:
            return chr(number), end + 1
    raise LineError(
        "no such escape",
        column=position + 1,
        kind="text",
        hint='In quotes a backslash stands before ", before another \\, or as \\u{202e}.',
    )


def quote(text: str) -> str:
    """Quote a text. Invisible characters and those that change the text's direction are written by number."""
    if text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    signs = ("\\" + char if char in '"\\' else char if char.isprintable() else f"\\u{{{ord(char):x}}}" for char in text)
    return f'"{"".join(signs)}"'


def write_word(text: str) -> str:
    """Return a name or identifier, in quotes unless it is a plain word."""
    return text if _BARE_WORD.fullmatch(text) and text not in _QUOTED_WORDS else quote(text)


def split_marks(words: Sequence[str]) -> tuple[Sequence[str], bool, str | None]:
    """Split the marks from the end of a line: `at 22:41:30`, `derived`."""
    derived, moment_word = False, None
    if len(words) > 1 and words[-1] == "derived":
        derived, words = True, words[:-1]
    if len(words) > 2 and words[-2] == "at":
        moment_word, words = words[-1], words[:-2]
    return words, derived, moment_word


# Numbers

DIGITS_MOST: Final = 19
WHOLE_MOST: Final = 2**63
_SMALL: Final = {str(number): number for number in range(100)}


def parse_whole_number(word: str, text: str | None = None) -> int:
    """Parse a word as a whole number."""
    text = word if text is None else text
    small = _SMALL.get(text)
    if small is not None:
        return small
    digits = text.removeprefix("-")
    if digits.isascii() and digits.isdigit() and len(digits) <= DIGITS_MOST:
        number = int(text)
        if -WHOLE_MOST <= number < WHOLE_MOST:
            return number
    raise build_word_error("a whole number", word)


def parse_amount(word: str, text: str, scale: int) -> int:
    """Parse an amount with up to `scale` decimals; return it in the smallest unit."""
    if type(word) is Counted:
        raise build_word_error("an amount", word)
    if text.isdigit() and text.isascii() and len(text) + scale < DIGITS_MOST:
        return int(text + "0" * scale)
    units, point, fraction = text.partition(".")
    digits = units.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or (point and not (fraction.isascii() and fraction.isdigit())):
        raise build_word_error("an amount", word)
    if len(fraction) > scale:
        if fraction.strip("0") or len(fraction) > DIGITS_MOST:
            raise build_word_error(f"an amount with at most {scale} decimals", word)
        fraction = fraction[:scale]
    if len(digits) + scale > DIGITS_MOST + 1:
        raise build_word_error("an amount of fewer digits", word)
    chips = int(units + fraction.ljust(scale, "0"))
    if not -WHOLE_MOST <= chips < WHOLE_MOST:
        raise build_word_error("an amount of fewer digits", word)
    return chips
