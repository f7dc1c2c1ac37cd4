r"""A line of handscript as tokens: plain words, quoted texts, groups in parentheses, a comment.

Words are parted by blanks and tabs. `"..."` holds any text; in it `\"`, `\\` and `\u{202e}` stand
for a quote, a backslash and a character by its number. `name@room` is one token with a tail. `(`
begins a group and `)` ends it; `#` at the beginning of a word starts a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from ledger.errors import UnreadableHandError

_PLAIN: Final = re.compile(r'[^ \t"()@]+')
_QUOTED: Final = re.compile(r'[^"\\]+')
_BARE: Final = re.compile(r"[A-Za-z0-9_.'+*/-]+")
NOT_TOLD: Final = "?"
_NEVER_BARE: Final = frozenset({"none", "-", "at", "derived", "unit"})
"""Words that mean something wherever they stand."""


class LineError(UnreadableHandError):
    """A line that cannot be read: where in it, what was expected, and how such a line reads."""

    def __init__(
        self,
        what: str,
        *,
        column: int = 0,
        form: str = "",
        choices: Iterable[str] = (),
        kind: str = "line",
        hint: str = "",
    ) -> None:
        super().__init__(f"column {column}: {what}" if column else what, kind=kind, hint=hint)
        self.column = column
        self.form = form
        self.choices = tuple(choices)  # the words that could stand in this column
        self.write = ""  # the nearest line that can be read


DEEPEST: Final = 4
"""How deep groups may stand within groups: the facts within a played hand need two."""


class Token(NamedTuple):
    """One token. `tail` is what follows an `@`; `group` holds the tokens between parentheses."""

    text: str
    quoted: bool = False
    tail: str | None = None
    group: list[Token] | None = None
    column: int = 1

    def shown(self) -> str:
        """Return the token as it may stand in an error."""
        if self.group is not None:
            return "( ... )"
        return (f'"{self.text}"' if self.quoted else self.text) + ("" if self.tail is None else f"@{self.tail}")


def tokens(line: str) -> tuple[list[Token], str]:
    """Return the tokens of a line, and its comment without the `#`."""
    found: list[Token] = []
    open_groups: list[tuple[list[Token], int]] = []
    at, end = 0, len(line)
    while at < end:
        char = line[at]
        if char in " \t":
            at += 1
        elif char == "#":
            _closed(open_groups)
            return found, line[at + 1 :].strip()
        elif char == "(":
            if len(open_groups) >= DEEPEST:
                raise LineError("parentheses too deep within each other", column=at + 1, kind="text")
            open_groups.append((found, at))
            found = []
            at += 1
        elif char == ")":
            if not open_groups:
                raise LineError("a ) without its (", column=at + 1, kind="text")
            group, (found, column) = found, open_groups.pop()
            found.append(Token("(", group=group, column=column + 1))
            at += 1
        else:
            token, at = _token(line, at)
            found.append(token)
    _closed(open_groups)
    return found, ""


def _closed(open_groups: list[tuple[list[Token], int]]) -> None:
    if open_groups:
        column = open_groups[-1][1] + 1
        raise LineError("a ( that is not closed", column=column, kind="text")


def _token(line: str, start: int) -> tuple[Token, int]:
    text, quoted, at = _part(line, start)
    tail = None
    if line[at : at + 1] == "@":
        tail, _, at = _part(line, at + 1)
    if at < len(line) and line[at] not in " \t)(":
        raise LineError(f"a blank is missing after {line[start:at]}", column=at + 1, kind="text")
    return Token(text, quoted, tail, None, start + 1), at


def _part(line: str, start: int) -> tuple[str, bool, int]:
    """Return one side of an `@`, or the whole token; whether it is quoted; where it ends."""
    if line[start : start + 1] != '"':
        found = _PLAIN.match(line, start)
        return (found[0], False, found.end()) if found else ("", False, start)
    parts: list[str] = []
    at = start + 1
    while True:
        if plain := _QUOTED.match(line, at):
            parts.append(plain[0])
            at = plain.end()
        char = line[at : at + 1]
        if char == '"':
            return "".join(parts), True, at + 1
        if char != "\\":
            raise LineError("a quote that is not closed", column=start + 1, kind="text")
        text, at = _escape(line, at)
        parts.append(text)


def _escape(line: str, at: int) -> tuple[str, int]:
    char = line[at + 1 : at + 2]
    if char in {'"', "\\"}:
        return char, at + 2
    end = line.find("}", at, at + 10)
    digits = line[at + 3 : end] if line.startswith("\\u{", at) and end > 0 else ""
    if digits and all(digit in "0123456789abcdefABCDEF" for digit in digits):
        number = int(digits, 16)
        if 0 < number < 0x110000 and not 0xD800 <= number < 0xE000:
            return chr(number), end + 1
    raise LineError(
        "no such escape",
        column=at + 1,
        kind="text",
        hint='In quotes a backslash stands before ", before another \\, or as \\u{202e}.',
    )


def quote(text: str) -> str:
    """Return any text in quotes, what cannot be seen or turns the line around by its number."""
    if text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return '"' + "".join(_quoted(char) for char in text) + '"'


def _quoted(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    return char if char.isprintable() else f"\\u{{{ord(char):x}}}"


def word(text: str) -> str:
    """Return a name or identifier: bare if it is a plain word, else in quotes."""
    return text if _BARE.fullmatch(text) and text not in _NEVER_BARE else quote(text)


def marks(found: list[Token]) -> tuple[list[Token], bool, Token | None]:
    """Part the marks from the end of a line: `at 22:41:30`, `derived`."""
    derived, at = False, None
    if len(found) > 1 and found[-1].text == "derived" and not found[-1].quoted:
        derived, found = True, found[:-1]
    if len(found) > 2 and found[-2].text == "at" and not found[-2].quoted:
        at, found = found[-1], found[:-2]
    return found, derived, at
