"""The text of a rulebook file: its tables, and where in it each of them stands.

`tomllib` tells no lines, so the line of a table or key is looked up in the text, and only when
something is wrong with it. Whatever is wrong is said as `file:line: what; what is allowed`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import Final, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from ledger.errors import RulebookError
from projections.obligations.policy import allowed

_T = TypeVar("_T")
_AT: Final = re.compile(r" - at `\$\.?([^`]*)`$")
_FIELD: Final = re.compile(r"^Object contains unknown field `([^`]*)`")
_LINE: Final = re.compile(r"\(at line ([0-9]{1,9}), column [0-9]{1,9}\)$")
BYTES_MOST: Final = 1 << 20
LINE_MOST: Final = 2000  # bytes; the time tomllib takes for a dotted key grows with its square
DOTS_MOST: Final = 10_000
LINES_MOST: Final = 20_000
TABLES_MOST: Final = 1_000  # our largest book has 90
SHOWN: Final = 20
"""Problems that are said of one book; the rest is counted."""
LOOKED_MOST: Final = 200
"""Problems after which a book is given up: each takes milliseconds to explain."""
_HIDDEN: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Characters that command a terminal, or turn a line around: a book travels with a ledger, and is printed everywhere."""
_TABLE: Final = re.compile(rb"^[ \t]*\[{1,2}[ \t]*[A-Za-z0-9_\"'-]", re.MULTILINE)


@lru_cache(maxsize=16)  # a book is parsed for its name, for whoever extends it, and for itself
def _tables(text: str) -> dict[str, object]:
    """Return the tables of a TOML text; nobody changes them."""
    return tomllib.loads(text)


class BookFile:
    """A rulebook file. `shown` is what people call it: `my-room.toml`."""

    def __init__(self, shown: str, data: bytes) -> None:
        self.shown = shown
        self.data = data
        self.problems: list[str] = []
        self.tables: dict[str, object] = {}
        heavy = len(data) > BYTES_MOST or data.count(b"\n") > LINES_MOST or data.count(b".") > DOTS_MOST
        if heavy or max(map(len, data.split(b"\n"))) > LINE_MOST or len(_TABLE.findall(data)) > TABLES_MOST:
            raise RulebookError(
                f"{shown}: it is too large for a rulebook, or has a line of more than {LINE_MOST} bytes, or more than {TABLES_MOST} tables"
            )
        try:
            self._text = data.decode("utf-8")
            self.tables = _tables(self._text)
            self._plain((), self.tables)
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise RulebookError(f"{shown}:{line}: not UTF-8 text; a rulebook is a TOML file") from None
        except tomllib.TOMLDecodeError as error:
            at = _LINE.search(str(error))
            line = int(at[1]) if at else self._text.count("\n") + 1
            wrong = _LINE.sub("", str(error)).strip()
            raise RulebookError(f"{shown}:{line}: {wrong}; a rulebook is a TOML file") from None
        except RecursionError:
            raise RulebookError(f"{shown}: tables are nested too deeply for a rulebook") from None
        self.finish()

    def _plain(self, path: tuple[str, ...], found: object) -> None:
        """Note each text that holds characters which do not show, and each key that is more than a line."""
        if isinstance(found, str):
            if hidden := _HIDDEN.search(found):
                self.wrong(path, f"a text holds the hidden character U+{ord(hidden[0]):04X}", "write it without")
        elif isinstance(found, dict):
            for key, value in found.items():
                if not key.isprintable():
                    self.wrong((*path, key), f"{key!r} is no name", "a name has no hidden characters")
                self._plain((*path, key), value)
        elif isinstance(found, list):
            for value in found:
                self._plain(path, value)

    @cached_property
    def _lines(self) -> dict[tuple[str, ...], int]:
        found: dict[tuple[str, ...], int] = {}
        for path, line in _places(self._text):
            found.setdefault(path, line)
        return found

    def line(self, *path: str) -> int:
        """Return the line of a table or key, or of the nearest one around it."""
        for length in range(len(path), 0, -1):
            if path[:length] in self._lines:
                return self._lines[path[:length]]
        return 1

    def wrong(self, path: tuple[str, ...], what: str, may: str = "") -> None:
        """Note that something is wrong with a table or key, and what is allowed there."""
        said = f"{what}; {may}" if may else what
        self.problems.append(f"{self.shown}:{self.line(*path)}: {said}")
        if len(self.problems) >= LOOKED_MOST:
            self.finish()

    def converted(self, path: tuple[str, ...], table: object, kind: type[_T]) -> _T | None:
        """Return a table as `kind`; None if it is not one, which is noted."""
        try:
            return msgspec.convert(table, kind)
        except msgspec.ValidationError as error:
            inner, what, may = explained(error, kind)
            self.wrong((*path, *inner), f"{'.'.join(path)}: {what}" if path else what, may)
            return None

    def finish(self) -> None:
        """Raise what was noted, all of it."""
        if not self.problems:
            return
        said = list(dict.fromkeys(self.problems))
        if len(said) == 1:
            raise RulebookError(said[0])
        more = [f"and {len(said) - SHOWN} more"] if len(said) > SHOWN else []
        raise RulebookError("\n".join([f"{self.shown}: {len(said)} things are wrong", *said[:SHOWN], *more]))


def explained(error: msgspec.ValidationError, kind: object) -> tuple[tuple[str, ...], str, str]:
    """Return where in a table an error is, what is wrong there, and what is allowed."""
    text = str(error)
    at = _AT.search(text)
    inner = tuple(part for part in re.split(r"[.\[\]]+", at[1]) if part) if at else ()
    what = _AT.sub("", text)
    if unknown := _FIELD.match(what):
        shape = _shape(kind, inner)
        fields = []
        if isinstance(shape, type) and issubclass(shape, msgspec.Struct):
            fields = [field.encode_name for field in msgspec.structs.fields(shape)]
        may = f"known here: {', '.join(fields)}" if fields else ""
        return (*inner, unknown[1]), f"{'.'.join((*inner, unknown[1]))} is unknown", may
    may = allowed(_shape(kind, inner))
    named = f"{'.'.join(inner)}: " if inner else ""
    return inner, named + what[0].lower() + what[1:], f"allowed: {may}" if may and inner else ""


def _shape(kind: object, path: tuple[str, ...]) -> object:
    """Return the type of what stands at a path within a type; None where it cannot be said."""
    for part in path:
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
            names = {field.encode_name: field.name for field in msgspec.structs.fields(kind)}
            kind = get_type_hints(kind).get(names.get(part, part))
        elif get_origin(kind) in (list, tuple, dict):
            kind = get_args(kind)[-1] if get_origin(kind) is dict else get_args(kind)[0]
        else:
            return None
    return kind


def _places(text: str) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield each table and key of a TOML text that is known to be right, with its line."""
    table: tuple[str, ...] = ()
    depth, quote = 0, ""
    for number, line in enumerate(text.split("\n"), 1):
        if depth or quote:
            depth, quote = _scan(line, depth, quote)
            continue
        stripped = line.strip()
        if stripped.startswith("["):
            table = _path(stripped)
            yield table, number
        elif stripped and not stripped.startswith("#"):
            end = _equals(line)
            yield (*table, *_path(f"{line[:end]} = 0")), number
            depth, quote = _scan(line[end:], 0, "")


def _path(piece: str) -> tuple[str, ...]:
    """Return the path that a header or `key = 0` names, as TOML itself reads it."""
    names: list[str] = []
    found: object = tomllib.loads(piece)
    while found:
        found = found[0] if isinstance(found, list) else found
        if not isinstance(found, dict) or not found:
            break
        name, found = next(iter(found.items()))
        names.append(name)
    return tuple(names)


def _equals(line: str) -> int:
    """Return where the `=` after a key stands: the first that is not in quotes."""
    quote, escaped = "", False
    for at, char in enumerate(line):
        if escaped:
            escaped = False
        elif quote:
            escaped = char == "\\" and quote == '"'
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char == "=":
            return at
    return len(line)


def _scan(line: str, depth: int, quote: str) -> tuple[int, str]:
    """Return how many brackets, and which quotes, are still open at the end of a line."""
    at = 0
    while at < len(line):
        if quote:
            if line[at] == "\\" and quote[0] == '"':
                at += 1
            elif line.startswith(quote, at):
                at += len(quote) - 1
                quote = ""
        elif line[at] in "\"'":
            quote = line[at] * 3 if line.startswith(line[at] * 3, at) else line[at]
            at += len(quote) - 1
        elif line[at] == "#":
            break
        else:
            depth += (line[at] in "[{") - (line[at] in "]}")
        at += 1
    return depth, quote if len(quote) == 3 else ""
