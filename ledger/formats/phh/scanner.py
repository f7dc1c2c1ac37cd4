"""Finds the fields, values and comments in the text of one hand, without a TOML library.

The usual layout (a key, ` = `, a value, all on one line) is cut with methods of `str`; whatever else
TOML allows goes through `_find_value_end`, which walks strings and brackets without recursion. So every
place is known, and no text is deep or long enough to hurt.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, TypeAlias

from ledger.errors import UnreadableHandError
from ledger.formats.phh.words import ACTIONS_MAX, DEPTH_MAX, DIGITS_MAX, EXPONENT_MAX, FIELDS_MAX, KNOWN_FIELDS

TextPiece: TypeAlias = tuple[str, int, int]
"""A piece of text with its start and end in characters."""


@dataclass(slots=True)
class ScannedFields:
    """The fields of a hand with their places, and its comments in order."""

    text: str
    values: dict[str, str] = field(default_factory=dict)  # as written in the file
    spans: dict[str, tuple[int, int, int]] = field(default_factory=dict)  # key, value, end
    extra_fields: list[TextPiece] = field(default_factory=list)  # fields without an event of their own
    comments_before: list[TextPiece] = field(default_factory=list)  # comments before the actions
    comments_after: list[TextPiece] = field(default_factory=list)  # comments after the actions

    def keep_comment(self, start: int, end: int, *, after_actions: bool = False) -> None:
        """Keep the comment in these characters. `after_actions`: the actions come before it."""
        comment_word = (self.text[start:end].rstrip(), start, end)
        (self.comments_after if after_actions or "actions" in self.spans else self.comments_before).append(comment_word)


_BLANK: Final = " \t\r"
_NAME_PART: Final = re.compile(r"""([A-Za-z0-9_-]++|"(?:[^"\\\n]++|\\.)*+"|'[^'\n]*+')[ \t]*+([.=])[ \t]*+""")
"""A part of a field's name, and the sign after it."""
_USUAL_FIELD: Final = re.compile(
    r"([a-z_]++) = (\[[^\[\]#\r\n]*+\]|'[^'#\r\n]++'|\"[^\"\\#\r\n]++\"|[0-9a-z+-][0-9a-z.:_+-]*+)"
    r"\r?+(?:\n|\Z)"
)
"""A field as nearly every file writes it: on one line, without a comment.

A closing bracket that ends the line ends the array, for a string in it would have to close after it.
"""


def scan(text: str, first_index: int = 0) -> ScannedFields:
    """Return the fields of the hand in `text` from `first_index` on. Raises `UnreadableHandError` if it isn't a hand."""
    scanned = ScannedFields(text)
    values, spans = scanned.values, scanned.spans
    position, text_length, field_count, section, prefix = first_index, len(text), 0, "", ""
    match_usual = _USUAL_FIELD.match
    while position < text_length:
        usual_line = None if prefix else match_usual(text, position)
        if usual_line is not None:
            key, value = usual_line.groups()
            if key in KNOWN_FIELDS:
                if key in spans:
                    raise _build_repeated_field_error(key, position)
                start = position + len(key) + 3
                spans[key] = (position, start, start + len(value))
                values[key] = value
                position = usual_line.end()
                field_count += 1
                continue
        line_end = text.find("\n", position)
        if line_end < 0:
            line_end = text_length
        while position < line_end and text[position] in _BLANK:
            position += 1
        if position == line_end:
            position += 1
            continue
        first_character = text[position]
        if first_character == "#":
            scanned.keep_comment(position, line_end)
            position = line_end + 1
        elif first_character == "[":
            section, prefix = _scan_table_header(scanned, position, line_end, section)
            position = line_end + 1
        else:
            position = _scan_field(scanned, position, line_end, prefix)
        field_count += 1
        if field_count > FIELDS_MAX:
            raise UnreadableHandError("more fields than any hand has", kind="too-large", byte_offset=position)
    return scanned


def _build_repeated_field_error(key: str, index: int) -> UnreadableHandError:
    return UnreadableHandError(f"the field {key} is repeated", kind="field", byte_offset=index)


def _scan_field(scanned: ScannedFields, position: int, line_end: int, prefix: str) -> int:
    """Scan a field with blanks, a quoted or dotted key, or an unknown one; return where the next line begins."""
    text, field_start, separator = scanned.text, position, ""
    parts: list[str] = []
    while separator != "=":
        name_match = _NAME_PART.match(text, position, line_end)
        if name_match is None or len(parts) > DEPTH_MAX:
            raise UnreadableHandError("a line that is no field of TOML", byte_offset=position)
        word, separator = name_match.groups()
        parts.append(unquote(word) if word[0] in "'\"" else word)
        position = name_match.end()
    key = parts[0] if len(parts) == 1 and not prefix else ""
    if key in scanned.spans:
        raise _build_repeated_field_error(key, field_start)
    value_end = _find_value_end(text, position)
    line_end = text.find("\n", value_end)
    line_end = len(text) if line_end < 0 else line_end
    tail = text[value_end:line_end].strip(_BLANK)
    if tail.startswith("#"):
        scanned.keep_comment(text.index("#", value_end), line_end, after_actions=key == "actions")
    elif tail:
        raise UnreadableHandError(f"no line of TOML: more follows the value of {key}", byte_offset=value_end)
    if key in KNOWN_FIELDS:
        scanned.spans[key] = (field_start, position, value_end)
        scanned.values[key] = text[position:value_end]
    elif value_end - field_start > 4096:
        raise UnreadableHandError("a field longer than any hand needs", kind="too-large", byte_offset=field_start)
    else:
        name_text = text[field_start : text.rindex("=", field_start, position)].rstrip()
        scanned.extra_fields.append(
            (f"{prefix}{name_text} = {text[position:value_end]}".replace("\r\n", "\n"), field_start, value_end)
        )
    return line_end + 1


def _scan_table_header(scanned: ScannedFields, position: int, line_end: int, section: str) -> tuple[str, str]:
    """Scan the header of a table within a hand; return the hand's own name and the prefix of the table's fields."""
    text = scanned.text
    header, hash_sign, _ = text[position:line_end].partition("#")
    stripped_header = header.strip(_BLANK)
    if hash_sign:
        scanned.keep_comment(position + len(header), line_end)
    if stripped_header.startswith("[[") or not stripped_header.endswith("]"):
        raise UnreadableHandError("an array of tables is no part of a hand", byte_offset=position)
    name = stripped_header[1:-1].strip(" \t")
    if not scanned.spans and not section and "." not in name and not name.startswith("_"):
        return name, ""  # the header of the hand itself
    section_prefix = f"{section}."
    name = name.removeprefix(section_prefix) if section else name
    if len(name) > 200 or not name.isprintable():
        raise UnreadableHandError("a header that is none of TOML", byte_offset=position)
    return section, f"{name}."


_STRINGS: Final = {
    "'": re.compile(r"'[^'\n]*+'"),
    '"': re.compile(r'"(?:[^"\\\n]++|\\.)*+"'),
    "'''": re.compile(r"'''(?:[^']++|'{1,2}(?!'))*+'{3,5}"),
    '"""': re.compile(r'"""(?:[^"\\]++|\\.|"{1,2}(?!"))*+"{3,5}', re.DOTALL),
}
"""Opening quotes → the pattern of a text in them. Up to two more may come before three closing ones."""


def _find_string_end(text: str, start: int) -> int:
    """Return the end of the string that begins at `start`, its closing quotes included."""
    quote = text[start]
    quote = 3 * quote if text.startswith(3 * quote, start) else quote
    string_match = _STRINGS[quote].match(text, start)
    if string_match is None:
        raise UnreadableHandError(
            "a text is not closed", kind="unclosed" if quote[1:] else "unclosed-line", byte_offset=start
        )
    return string_match.end()


_MARKS: Final = re.compile(r"[\[\]{}'\"]|#[^\n]*+")


def _find_value_end(text: str, start: int) -> int:
    """Return where the value that begins at `start` ends, whatever it is."""
    if start >= len(text) or text[start] in "#\r\n":
        raise UnreadableHandError("a field has no value", kind="field", byte_offset=start)
    if text[start] in "'\"":
        return _find_string_end(text, start)
    if text[start] not in "[{":
        line_end = text.find("\n", start)
        line = text[start : line_end if line_end >= 0 else None]
        return start + len(line.partition("#")[0].rstrip())
    depth, position = 0, start
    while mark_match := _MARKS.search(text, position):
        position, sign = mark_match.end(), mark_match.group()
        if sign in "'\"":
            position = _find_string_end(text, position - 1)
        elif sign in "[{":
            depth += 1
            if depth > DEPTH_MAX:
                raise UnreadableHandError(
                    "lists within lists, deeper than any hand", kind="too-deep", byte_offset=start
                )
        elif sign in "]}":
            depth -= 1
            if not depth:
                return position
    raise UnreadableHandError("a list is not closed", kind="unclosed", byte_offset=start)


_ESCAPE: Final = re.compile(
    r'\\(?:([btnfre"\\])|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|x([0-9A-Fa-f]{2})|(.?))', re.DOTALL
)
_PLAIN_ESCAPES: Final = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", "e": "\x1b", '"': '"', "\\": "\\"}
_FOLDED_LINE: Final = re.compile(r"\\[ \t]*\r?\n[ \t\r\n]*")


@lru_cache(maxsize=4096)
def unquote(quoted_text: str) -> str:
    """Return the text of a quoted string."""
    quote = quoted_text[:1]
    if quote not in ("'", '"') or len(quoted_text) < 2 or quoted_text[-1] != quote:
        raise UnreadableHandError("a text was expected", kind="field")
    if quoted_text.startswith(quote * 3) and len(quoted_text) >= 6:
        inner_text = quoted_text[3:-3].replace("\r\n", "\n").removeprefix("\n")
        if quote == '"':
            inner_text = _FOLDED_LINE.sub("", inner_text)
    else:
        inner_text = quoted_text[1:-1]
        if quote in (inner_text if quote == "'" else _ESCAPE.sub("", inner_text)):
            raise UnreadableHandError("a quotation mark within a text", kind="field")
    if quote == "'" or "\\" not in inner_text:
        return inner_text
    return _ESCAPE.sub(_unescape, inner_text)


def _unescape(escape_match: re.Match[str]) -> str:
    if escape_match[1]:
        return _PLAIN_ESCAPES[escape_match[1]]
    digits = escape_match[2] or escape_match[3] or escape_match[4]
    code_point = int(digits, 16) if digits else -1
    if not 0 <= code_point <= 0x10FFFF or 0xD800 <= code_point <= 0xDFFF:
        raise UnreadableHandError("an escape that TOML does not know", kind="field")
    return chr(code_point)


def split_plain_strings(array_text: str) -> list[str] | None:
    """Return the strings of an array written exactly as `['a', 'b']`, otherwise None.

    The first begins two characters after the array, each other four after the end of the last.
    """
    quote = array_text[1:2]
    if quote not in ("'", '"') or array_text[-2:] != quote + "]" or len(array_text) < 4:
        return None
    pieces = array_text[2:-2].split(f"{quote}, {quote}")
    if array_text.count(quote) != 2 * len(pieces) or "\n" in array_text or "\\" in array_text:
        return None
    return pieces


def parse_strings(text: str, start: int, end: int) -> tuple[list[TextPiece], list[tuple[int, TextPiece]]]:
    """Return the strings of an array, and its comments with the number of strings before each."""
    if text[start] != "[" or text[end - 1] != "]":
        raise UnreadableHandError("a list of texts was expected", kind="field", byte_offset=start)
    words: list[TextPiece] = []
    comments: list[tuple[int, TextPiece]] = []
    position, array_end, needs_string = start + 1, end - 1, True
    while position < array_end:
        character = text[position]
        if character in " \t\r\n":
            position += 1
        elif character == "#":
            line_end = text.find("\n", position)
            line_end = array_end if line_end < 0 else min(line_end, array_end)
            comments.append((len(words), (text[position:line_end].rstrip(), position, line_end)))
            position = line_end
        elif character == "," and not needs_string:
            needs_string = True
            position += 1
        elif character in "'\"" and needs_string:
            string_end = _find_string_end(text, position)
            quote_length = 3 if string_end - position >= 6 and text.startswith(character * 3, position) else 1
            words.append((unquote(text[position:string_end]), position + quote_length, string_end - quote_length))
            position = string_end
            needs_string = False
        else:
            raise UnreadableHandError("a list that holds more than texts", kind="field", byte_offset=position)
        if len(words) > ACTIONS_MAX or len(comments) > ACTIONS_MAX:
            raise UnreadableHandError("more actions than any hand has", kind="too-large", byte_offset=start)
    return words, comments


def split_numbers(array_text: str) -> list[str]:
    """Return the texts of the numbers in an array."""
    if array_text[0] != "[" or array_text[-1] != "]":
        raise UnreadableHandError("a list of numbers was expected", kind="amount")
    inner_text = array_text[1:-1]
    if "#" in inner_text:
        inner_text = re.sub(r"#[^\n]*", "", inner_text)
    parts = inner_text.split(",")
    if not parts[-1].strip():
        parts.pop()
    return [part.strip() for part in parts]


_DECIMAL: Final = re.compile(r"[+-]?[0-9]+(?:_[0-9]+)*(?:\.[0-9]+(?:_[0-9]+)*)?", re.ASCII)
_FRACTION: Final = re.compile(r"\.([0-9_]{1,20})", re.ASCII)


@lru_cache(maxsize=4096)
def count_decimals(number_text: str) -> int:
    """Return the most decimals of the numbers in a text; trailing zeros after the second decimal don't count."""
    fractions = (digits.replace("_", "") for digits in _FRACTION.findall(number_text))
    return max((min(len(digits), max(2, len(digits.rstrip("0")))) for digits in fractions), default=0)


_POWERS_OF_TEN: Final[tuple[int, ...]] = tuple(10**exponent for exponent in range(EXPONENT_MAX + 1))


def parse_amount(number_text: str, exponent: int) -> int:
    """Return an amount in units of 10^-`exponent`. Raises `UnreadableHandError` if the text isn't one."""
    if len(number_text) <= DIGITS_MAX and number_text.isascii():  # the usual cases
        if number_text.isdigit():
            return int(number_text) * _POWERS_OF_TEN[exponent] if exponent else int(number_text)
        whole_digits, _, fraction_digits = number_text.partition(".")
        if whole_digits.isdigit() and fraction_digits.isdigit() and len(fraction_digits) <= exponent:
            return int(whole_digits + fraction_digits) * _POWERS_OF_TEN[exponent - len(fraction_digits)]
    if len(number_text) > 3 * DIGITS_MAX or not _DECIMAL.fullmatch(number_text):
        shown_number = number_text if len(number_text) <= 24 else number_text[:20] + "…"
        raise UnreadableHandError(
            f"{shown_number!r} is no amount",
            kind="amount",
            hint="An amount is digits, with a point where needed: at most 15 before it and 9 after.",
        )
    number_text = number_text.replace("_", "")
    whole_digits, point, fraction_digits = number_text.partition(".")
    fraction_digits = fraction_digits.rstrip("0") if point else ""
    if len(whole_digits.lstrip("+-")) > DIGITS_MAX or len(fraction_digits) > exponent or exponent > EXPONENT_MAX:
        raise UnreadableHandError(f"{number_text[:24]!r} is too large or too fine", kind="amount")
    return int(whole_digits + fraction_digits) * _POWERS_OF_TEN[exponent - len(fraction_digits)]


@lru_cache(maxsize=4096)
def parse_amounts(array_text: str, exponent: int) -> tuple[int, ...]:
    """Return the numbers of an array in units of 10^-`exponent`."""
    return tuple([parse_amount(number_text, exponent) for number_text in split_numbers(array_text)])


_UNKNOWN_STACKS: Final = frozenset(("inf", "+inf"))


@lru_cache(maxsize=4096)
def parse_stacks(array_text: str, exponent: int) -> tuple[int | None, ...]:
    """Return the stacks of an array; `inf` is an unknown stack, None."""
    return tuple(
        [
            None if number_text in _UNKNOWN_STACKS else parse_amount(number_text, exponent)
            for number_text in split_numbers(array_text)
        ]
    )
