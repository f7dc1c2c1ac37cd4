"""A rulebook's TOML file: parse it, convert its tables, and report problems with their lines.

`tomllib` doesn't give the line of a table or key, so it is looked up in the text when an error needs it. An error
reads `file:line: problem; what is allowed`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Final, NamedTuple, NoReturn, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from ledger.decoders import convert
from ledger.errors import RulebookError
from projections.obligations.policy import describe_allowed

_Shape = TypeVar("_Shape")
_ERROR_PATH: Final = re.compile(r" - at `\$\.?([^`]*)`$")
_UNKNOWN_FIELD: Final = re.compile(r"^Object contains unknown field `([^`]*)`")
_TOML_POSITION: Final = re.compile(r"\(at line ([0-9]{1,9}), column [0-9]{1,9}\)$")
MAX_BYTES: Final = 1 << 20
MAX_LINE_BYTES: Final = 2000  # the time that tomllib takes for a dotted key grows with the square of its length
MAX_DOTS: Final = 10_000
MAX_LINES: Final = 20_000
MAX_TABLES: Final = 1_000  # our largest book has 90
MAX_PRINTED_PROBLEMS: Final = 20
"""The most problems that are printed for one book. Further ones are only counted."""
MAX_PROBLEMS: Final = 200
"""Reading stops after this many problems, because each takes milliseconds to explain."""
_HIDDEN_CHARACTER: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Characters that control a terminal or reverse a line. A book may come from a stranger and is printed."""
_TABLE_HEADER: Final = re.compile(rb"^[ \t]*\[{1,2}[ \t]*[A-Za-z0-9_\"'-]", re.MULTILINE)


@lru_cache(maxsize=16)  # a book is parsed for its edition, as the base of another book, and for itself
def _parse_toml(text: str) -> dict[str, object]:
    """Return the tables of a TOML text. They are shared: don't change them."""
    return tomllib.loads(text)


class BookFile:
    """A rulebook file with its tables, which collects the problems found in it."""

    def __init__(self, label: str, data: bytes) -> None:
        """Parse the file; `RulebookError` if it isn't TOML or is too large. `label`: its name in errors."""
        self.label = label
        self.data = data
        self.problems: list[str] = []
        self.tables: dict[str, object] = {}
        if _exceeds_limits(data):
            raise RulebookError(
                f"{label}: it is too large for a rulebook, or has a line of more than {MAX_LINE_BYTES} bytes, or more than {MAX_TABLES} tables"
            )
        try:
            self._text = data.decode("utf-8")
            self.tables = _parse_toml(self._text)
            self._check_characters((), self.tables)
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise RulebookError(f"{label}:{line}: not UTF-8 text; a rulebook is a TOML file") from None
        except tomllib.TOMLDecodeError as error:
            position = _TOML_POSITION.search(str(error))
            line = int(position[1]) if position else self._text.count("\n") + 1
            message = _TOML_POSITION.sub("", str(error)).strip()
            raise RulebookError(f"{label}:{line}: {message}; a rulebook is a TOML file") from None
        except RecursionError:
            raise RulebookError(f"{label}: tables are nested too deeply for a rulebook") from None
        self.finish()

    def _check_characters(self, path: tuple[str, ...], node: object) -> None:
        """Report hidden characters in texts and keys."""
        if isinstance(node, str):
            if hidden_match := _HIDDEN_CHARACTER.search(node):
                self.report_problem(
                    path, f"a text holds the hidden character U+{ord(hidden_match[0]):04X}", "write it without"
                )
        elif isinstance(node, dict):
            for key, value in node.items():
                if not key.isprintable():
                    self.report_problem((*path, key), f"{key!r} is no name", "a name has no hidden characters")
                self._check_characters((*path, key), value)
        elif isinstance(node, list):
            for value in node:
                self._check_characters(path, value)

    @cached_property
    def _lines(self) -> dict[tuple[str, ...], int]:
        """The first line of each table and key, by path."""
        lines: dict[tuple[str, ...], int] = {}
        for path, line in _iter_table_lines(self._text):
            lines.setdefault(path, line)
        return lines

    def find_line(self, *path: str) -> int:
        """Return the line of a table or key; if it isn't in the text, the line of the table around it."""
        for length in range(len(path), 0, -1):
            if path[:length] in self._lines:
                return self._lines[path[:length]]
        return 1

    def report_problem(self, path: tuple[str, ...], problem: str, allowed_text: str = "") -> None:
        """Report a problem with a table or key, and what is allowed there."""
        message = f"{problem}; {allowed_text}" if allowed_text else problem
        self.problems.append(f"{self.label}:{self.find_line(*path)}: {message}")
        if len(self.problems) >= MAX_PROBLEMS:
            self.finish()

    def convert_table(self, path: tuple[str, ...], table: object, struct_type: type[_Shape]) -> _Shape | None:
        """Convert a table to `struct_type`; on an error report it and return None."""
        try:
            return convert(table, struct_type)
        except msgspec.ValidationError as error:
            inner, problem, allowed_text = explain_error(error, struct_type)
            self.report_problem((*path, *inner), f"{'.'.join(path)}: {problem}" if path else problem, allowed_text)
            return None

    def finish(self) -> None:
        """Raise all reported problems; return if there are none."""
        if self.problems:
            self.fail()

    def fail(self) -> NoReturn:
        """Raise all reported problems."""
        problems = list(dict.fromkeys(self.problems))
        if len(problems) == 1:
            raise RulebookError(problems[0])
        remainder_note = (
            [f"and {len(problems) - MAX_PRINTED_PROBLEMS} more"] if len(problems) > MAX_PRINTED_PROBLEMS else []
        )
        raise RulebookError(
            "\n".join(
                [f"{self.label}: {len(problems)} things are wrong", *problems[:MAX_PRINTED_PROBLEMS], *remainder_note]
            )
        )


def _exceeds_limits(data: bytes) -> bool:
    """Whether a file is too large, or would take too long to parse."""
    if len(data) > MAX_BYTES or data.count(b"\n") > MAX_LINES or data.count(b".") > MAX_DOTS:
        return True
    has_long_line = max(map(len, data.split(b"\n"))) > MAX_LINE_BYTES
    return has_long_line or len(_TABLE_HEADER.findall(data)) > MAX_TABLES


class TableProblem(NamedTuple):
    """What is wrong in a table."""

    path: tuple[str, ...]  # inside the table
    problem: str
    allowed_text: str  # what is allowed there; "" = unknown


def explain_error(error: msgspec.ValidationError, struct_type: object) -> TableProblem:
    """Return what a validation error says about a table that should be converted to `struct_type`."""
    text = str(error)
    path_match = _ERROR_PATH.search(text)
    inner_path = tuple(part for part in re.split(r"[.\[\]]+", path_match[1]) if part) if path_match else ()
    problem = _ERROR_PATH.sub("", text)
    if unknown_match := _UNKNOWN_FIELD.match(problem):
        shape = _find_type(struct_type, inner_path)
        fields = []
        if isinstance(shape, type) and issubclass(shape, msgspec.Struct):
            fields = [field.encode_name for field in msgspec.structs.fields(shape)]
        allowed_text = f"known here: {', '.join(fields)}" if fields else ""
        unknown_path = (*inner_path, unknown_match[1])
        return TableProblem(unknown_path, f"{'.'.join(unknown_path)} is unknown", allowed_text)
    allowed_text = describe_allowed(_find_type(struct_type, inner_path))
    problem = problem[0].lower() + problem[1:]
    if not inner_path:
        return TableProblem((), problem, "")
    allowed_text = f"allowed: {allowed_text}" if allowed_text else ""
    return TableProblem(inner_path, f"{'.'.join(inner_path)}: {problem}", allowed_text)


def _find_type(struct_type: object, path: tuple[str, ...]) -> object:
    """Return the type of the value at a path inside a struct type, or None if it's unknown."""
    for part in path:
        if isinstance(struct_type, type) and issubclass(struct_type, msgspec.Struct):
            names = {field.encode_name: field.name for field in msgspec.structs.fields(struct_type)}
            struct_type = get_type_hints(struct_type).get(names.get(part, part))
        elif get_origin(struct_type) in (list, tuple, dict):
            struct_type = get_args(struct_type)[-1] if get_origin(struct_type) is dict else get_args(struct_type)[0]
        else:
            return None
    return struct_type


def _iter_table_lines(text: str) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield each table and key of a valid TOML text, with its line."""
    table: tuple[str, ...] = ()
    depth, quote = 0, ""
    for number, line in enumerate(text.split("\n"), 1):
        if depth or quote:
            depth, quote = _scan_line(line, depth, quote)
            continue
        stripped = line.strip()
        if stripped.startswith("["):
            table = _parse_path(stripped)
            yield table, number
        elif stripped and not stripped.startswith("#"):
            end = _find_equals_sign(line)
            yield (*table, *_parse_path(f"{line[:end]} = 0")), number
            depth, quote = _scan_line(line[end:], 0, "")


def _parse_path(toml_line: str) -> tuple[str, ...]:
    """Return the path of a TOML line that is a table header, or `key = 0`."""
    names: list[str] = []
    nested: object = tomllib.loads(toml_line)
    while nested:
        nested = nested[0] if isinstance(nested, list) else nested
        if not isinstance(nested, dict) or not nested:
            break
        name, nested = next(iter(nested.items()))
        names.append(name)
    return tuple(names)


def _find_equals_sign(line: str) -> int:
    """Return the column of the first `=` outside quotes, which ends the key."""
    quote, escaped = "", False
    for column, char in enumerate(line):
        if escaped:
            escaped = False
        elif quote:
            escaped = char == "\\" and quote == '"'
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char == "=":
            return column
    return len(line)


def _scan_line(line: str, depth: int, quote: str) -> tuple[int, str]:
    """Return the number of open brackets and the open triple quote at the end of a line, given those at its start."""
    column = 0
    while column < len(line):
        if quote:
            if line[column] == "\\" and quote[0] == '"':
                column += 1
            elif line.startswith(quote, column):
                column += len(quote) - 1
                quote = ""
        elif line[column] in "\"'":
            quote = line[column] * 3 if line.startswith(line[column] * 3, column) else line[column]
            column += len(quote) - 1
        elif line[column] == "#":
            break
        else:
            depth += (line[column] in "[{") - (line[column] in "]}")
        column += 1
    return depth, quote if len(quote) == 3 else ""
