"""Where things stand in the text of one hand: fields, values, comments. No TOML library.

The usual layout (a key, ` = `, a value, all on one line) is cut with methods of `str`; whatever else
TOML allows goes through `_value_end`, which walks strings and brackets without recursion. So every
place is known, and no text is deep or long enough to hurt.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, TypeAlias

from ledger.errors import UnreadableHandError
from ledger.formats.phh.words import ACTIONS_MAX, DEPTH_MAX, DIGITS_MAX, EXPONENT_MAX, FIELDS_MAX, USED

Word: TypeAlias = tuple[str, int, int]
"""A piece of text and where it starts and ends, in characters."""


@dataclass(slots=True)
class Scanned:
    """The fields of a hand by place; comments in the order in which they stand."""

    text: str
    values: dict[str, str] = field(default_factory=dict)  # as they are written
    spans: dict[str, tuple[int, int, int]] = field(default_factory=dict)  # key, value, end
    extra: list[Word] = field(default_factory=list)  # fields without a fact of their own
    before: list[Word] = field(default_factory=list)  # comments before the actions
    after: list[Word] = field(default_factory=list)  # comments after the actions

    def comment(self, start: int, end: int, *, behind: bool = False) -> None:
        """Keep the comment that stands there; `behind`: the actions are told."""
        word = (self.text[start:end].rstrip(), start, end)
        (self.after if behind or "actions" in self.spans else self.before).append(word)


_BLANK: Final = " \t\r"
_NAME: Final = re.compile(r"""([A-Za-z0-9_-]++|"(?:[^"\\\n]++|\\.)*+"|'[^'\n]*+')[ \t]*+([.=])[ \t]*+""")
"""A part of a field's name, and what stands behind it."""
_USUAL: Final = re.compile(
    r"([a-z_]++) = (\[[^\[\]#\r\n]*+\]|'[^'#\r\n]++'|\"[^\"\\#\r\n]++\"|[0-9a-z+-][0-9a-z.:_+-]*+)"
    r"\r?+(?:\n|\Z)"
)
"""A field as nearly every file writes it: on one line, without a comment.

A closing bracket that ends the line ends the array, for a string in it would have to close after it.
"""


def scan(text: str, begin: int = 0) -> Scanned:
    """Return the fields of the hand in `text` from `begin` on; `UnreadableHandError` if it is none."""
    found = Scanned(text)
    values, spans = found.values, found.spans
    pos, size, count, section, prefix = begin, len(text), 0, "", ""
    usual = _USUAL.match
    while pos < size:
        line = None if prefix else usual(text, pos)
        if line is not None:
            key, value = line.groups()
            if key in USED:
                if key in spans:
                    raise _twice(key, pos)
                start = pos + len(key) + 3
                spans[key] = (pos, start, start + len(value))
                values[key] = value
                pos = line.end()
                count += 1
                continue
        eol = text.find("\n", pos)
        if eol < 0:
            eol = size
        while pos < eol and text[pos] in _BLANK:
            pos += 1
        if pos == eol:
            pos += 1
            continue
        head = text[pos]
        if head == "#":
            found.comment(pos, eol)
            pos = eol + 1
        elif head == "[":
            section, prefix = _table(found, pos, eol, section)
            pos = eol + 1
        else:
            pos = _slow_field(found, pos, eol, prefix)
        count += 1
        if count > FIELDS_MAX:
            raise UnreadableHandError("more fields than any hand has", kind="too-large", at=pos)
    return found


def _twice(key: str, at: int) -> UnreadableHandError:
    return UnreadableHandError(f"the field {key} stands twice", kind="field", at=at)


def _slow_field(found: Scanned, pos: int, eol: int, prefix: str) -> int:
    """Take a field with blanks, a quoted or dotted key, or one that nobody knows; return where the next line begins."""
    text, begin, sign = found.text, pos, ""
    parts: list[str] = []
    while sign != "=":
        name = _NAME.match(text, pos, eol)
        if name is None or len(parts) > DEPTH_MAX:
            raise UnreadableHandError("a line that is no field of TOML", at=pos)
        word, sign = name.groups()
        parts.append(unquoted(word) if word[0] in "'\"" else word)
        pos = name.end()
    key = parts[0] if len(parts) == 1 and not prefix else ""
    if key in found.spans:
        raise _twice(key, begin)
    end = _value_end(text, pos)
    eol = text.find("\n", end)
    eol = len(text) if eol < 0 else eol
    rest = text[end:eol].strip(_BLANK)
    if rest.startswith("#"):
        found.comment(text.index("#", end), eol, behind=key == "actions")
    elif rest:
        raise UnreadableHandError(f"no line of TOML: more follows the value of {key}", at=end)
    if key in USED:
        found.spans[key] = (begin, pos, end)
        found.values[key] = text[pos:end]
    elif end - begin > 4096:
        raise UnreadableHandError("a field longer than any hand needs", kind="too-large", at=begin)
    else:
        written = text[begin : text.rindex("=", begin, pos)].rstrip()
        found.extra.append((f"{prefix}{written} = {text[pos:end]}".replace("\r\n", "\n"), begin, end))
    return eol + 1


def _table(found: Scanned, pos: int, eol: int, section: str) -> tuple[str, str]:
    """Take the header of a table within a hand: return the hand's own name and the fields' prefix."""
    text = found.text
    header, hash_sign, _ = text[pos:eol].partition("#")
    inner = header.strip(_BLANK)
    if hash_sign:
        found.comment(pos + len(header), eol)
    if inner.startswith("[[") or not inner.endswith("]"):
        raise UnreadableHandError("an array of tables is no part of a hand", at=pos)
    name = inner[1:-1].strip(" \t")
    if not found.spans and not section and "." not in name and not name.startswith("_"):
        return name, ""  # the header of the hand itself
    own = f"{section}."
    name = name.removeprefix(own) if section else name
    if len(name) > 200 or not name.isprintable():
        raise UnreadableHandError("a header that is none of TOML", at=pos)
    return section, f"{name}."


_STRINGS: Final = {
    "'": re.compile(r"'[^'\n]*+'"),
    '"': re.compile(r'"(?:[^"\\\n]++|\\.)*+"'),
    "'''": re.compile(r"'''(?:[^']++|'{1,2}(?!'))*+'{3,5}"),
    '"""': re.compile(r'"""(?:[^"\\]++|\\.|"{1,2}(?!"))*+"{3,5}', re.DOTALL),
}
"""A text by the quotes that open it; up to two more may stand before three that close it."""


def _string_end(text: str, start: int) -> int:
    """Return the end of the string that begins at `start`, its closing quotes included."""
    quote = text[start]
    quote = 3 * quote if text.startswith(3 * quote, start) else quote
    found = _STRINGS[quote].match(text, start)
    if found is None:
        raise UnreadableHandError("a text is not closed", kind="unclosed" if quote[1:] else "unclosed-line", at=start)
    return found.end()


_MARKS: Final = re.compile(r"[\[\]{}'\"]|#[^\n]*+")


def _value_end(text: str, start: int) -> int:
    """Return where the value that begins at `start` ends, whatever it is."""
    if start >= len(text) or text[start] in "#\r\n":
        raise UnreadableHandError("a field has no value", kind="field", at=start)
    if text[start] in "'\"":
        return _string_end(text, start)
    if text[start] not in "[{":
        stop = text.find("\n", start)
        line = text[start : stop if stop >= 0 else None]
        return start + len(line.partition("#")[0].rstrip())
    depth, pos = 0, start
    while mark := _MARKS.search(text, pos):
        pos, sign = mark.end(), mark.group()
        if sign in "'\"":
            pos = _string_end(text, pos - 1)
        elif sign in "[{":
            depth += 1
            if depth > DEPTH_MAX:
                raise UnreadableHandError("lists within lists, deeper than any hand", kind="too-deep", at=start)
        elif sign in "]}":
            depth -= 1
            if not depth:
                return pos
    raise UnreadableHandError("a list is not closed", kind="unclosed", at=start)


_ESCAPE: Final = re.compile(
    r'\\(?:([btnfre"\\])|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|x([0-9A-Fa-f]{2})|(.?))', re.DOTALL
)
_PLAIN_ESCAPES: Final = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", "e": "\x1b", '"': '"', "\\": "\\"}
_FOLDED_LINE: Final = re.compile(r"\\[ \t]*\r?\n[ \t\r\n]*")


@lru_cache(maxsize=4096)
def unquoted(said: str) -> str:
    """Return what a string says that is written with its quotes."""
    quote = said[:1]
    if quote not in ("'", '"') or len(said) < 2 or said[-1] != quote:
        raise UnreadableHandError("a text was expected", kind="field")
    if said.startswith(quote * 3) and len(said) >= 6:
        inner = said[3:-3].replace("\r\n", "\n").removeprefix("\n")
        if quote == '"':
            inner = _FOLDED_LINE.sub("", inner)
    else:
        inner = said[1:-1]
        if quote in (inner if quote == "'" else _ESCAPE.sub("", inner)):
            raise UnreadableHandError("a quotation mark within a text", kind="field")
    if quote == "'" or "\\" not in inner:
        return inner
    return _ESCAPE.sub(_meant, inner)


def _meant(mark: re.Match[str]) -> str:
    if mark[1]:
        return _PLAIN_ESCAPES[mark[1]]
    digits = mark[2] or mark[3] or mark[4]
    code = int(digits, 16) if digits else -1
    if not 0 <= code <= 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        raise UnreadableHandError("an escape that TOML does not know", kind="field")
    return chr(code)


def plain_strings(said: str) -> list[str] | None:
    """Return the strings of an array that is written as `['a', 'b']`, None where it is not.

    The first begins two characters after the array, each other four after the end of the last.
    """
    quote = said[1:2]
    if quote not in ("'", '"') or said[-2:] != quote + "]" or len(said) < 4:
        return None
    pieces = said[2:-2].split(f"{quote}, {quote}")
    if said.count(quote) != 2 * len(pieces) or "\n" in said or "\\" in said:
        return None
    return pieces


def strings(text: str, start: int, end: int) -> tuple[list[Word], list[tuple[int, Word]]]:
    """Return the strings of an array, and its comments, each with the number of strings before it."""
    if text[start] != "[" or text[end - 1] != "]":
        raise UnreadableHandError("a list of texts was expected", kind="field", at=start)
    words: list[Word] = []
    comments: list[tuple[int, Word]] = []
    pos, stop, wanted = start + 1, end - 1, True
    while pos < stop:
        sign = text[pos]
        if sign in " \t\r\n":
            pos += 1
        elif sign == "#":
            eol = text.find("\n", pos)
            eol = stop if eol < 0 else min(eol, stop)
            comments.append((len(words), (text[pos:eol].rstrip(), pos, eol)))
            pos = eol
        elif sign == "," and not wanted:
            wanted = True
            pos += 1
        elif sign in "'\"" and wanted:
            close = _string_end(text, pos)
            wide = 3 if close - pos >= 6 and text.startswith(sign * 3, pos) else 1
            words.append((unquoted(text[pos:close]), pos + wide, close - wide))
            pos = close
            wanted = False
        else:
            raise UnreadableHandError("a list that holds more than texts", kind="field", at=pos)
        if len(words) > ACTIONS_MAX or len(comments) > ACTIONS_MAX:
            raise UnreadableHandError("more actions than any hand has", kind="too-large", at=start)
    return words, comments


def numbers(said: str) -> list[str]:
    """Return the texts of the numbers in an array."""
    if said[0] != "[" or said[-1] != "]":
        raise UnreadableHandError("a list of numbers was expected", kind="amount")
    inner = said[1:-1]
    if "#" in inner:
        inner = re.sub(r"#[^\n]*", "", inner)
    parts = inner.split(",")
    if not parts[-1].strip():
        parts.pop()
    return [part.strip() for part in parts]


_DECIMAL: Final = re.compile(r"[+-]?[0-9]+(?:_[0-9]+)*(?:\.[0-9]+(?:_[0-9]+)*)?", re.ASCII)
_FRACTION: Final = re.compile(r"\.([0-9_]{1,20})", re.ASCII)


@lru_cache(maxsize=4096)
def finest(said: str) -> int:
    """Return how many decimals the numbers in `said` have; closing zeros beyond two do not count."""
    written = (digits.replace("_", "") for digits in _FRACTION.findall(said))
    return max((min(len(digits), max(2, len(digits.rstrip("0")))) for digits in written), default=0)


_SCALES: Final[tuple[int, ...]] = tuple(10**exponent for exponent in range(EXPONENT_MAX + 1))


def amount(number: str, exponent: int) -> int:
    """Return `number` in units of 10^-`exponent`; what is no such number is refused."""
    if len(number) <= DIGITS_MAX and number.isascii():  # the usual cases first
        if number.isdigit():
            return int(number) * _SCALES[exponent] if exponent else int(number)
        whole, _, rest = number.partition(".")
        if whole.isdigit() and rest.isdigit() and len(rest) <= exponent:
            return int(whole + rest) * _SCALES[exponent - len(rest)]
    if len(number) > 3 * DIGITS_MAX or not _DECIMAL.fullmatch(number):
        shown = number if len(number) <= 24 else number[:20] + "…"
        raise UnreadableHandError(
            f"{shown!r} is no amount",
            kind="amount",
            hint="An amount is digits, with a point where needed: at most 15 before it and 9 after.",
        )
    number = number.replace("_", "")
    whole, point, rest = number.partition(".")
    rest = rest.rstrip("0") if point else ""
    if len(whole.lstrip("+-")) > DIGITS_MAX or len(rest) > exponent or exponent > EXPONENT_MAX:
        raise UnreadableHandError(f"{number[:24]!r} is too large or too fine", kind="amount")
    return int(whole + rest) * _SCALES[exponent - len(rest)]


@lru_cache(maxsize=4096)
def amounts(said: str, exponent: int) -> tuple[int, ...]:
    """Return the numbers of an array in units of 10^-`exponent`."""
    return tuple([amount(number, exponent) for number in numbers(said)])


_UNKNOWN: Final = frozenset(("inf", "+inf"))


@lru_cache(maxsize=4096)
def stacks(said: str, exponent: int) -> tuple[int | None, ...]:
    """Return the numbers of an array; `inf` is one that nobody told."""
    return tuple([None if each in _UNKNOWN else amount(each, exponent) for each in numbers(said)])
