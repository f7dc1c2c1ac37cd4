"""Write a command's output: text, JSON, tables and files, pages on a terminal, and the line that shows progress."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
import textwrap
import threading
import time
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path
from typing import IO, Final, Self, TextIO

import msgspec

from ledger import safe
from ledger.errors import UsageError

_MAX_COLUMNS: Final = 1_000_000
"""Columns of a line of a file that is shown on a terminal."""

_DATABASE_MARK: Final = b"SQLite format 3\0"
"""The first bytes of every SQLite file."""
_MAX_SPOOLED_BYTES: Final = 8 * 1024 * 1024
"""Bytes of unpublished output in memory; more go to a temporary file."""

STDOUT: Final = "standard output"
"""The name of standard output in error messages."""

_STYLE_CODES: Final = re.compile(r"\x1b\[[0-9;]*m")

_STYLES: Final = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33"}


def encode_document(document: msgspec.Struct) -> str:
    """Return a document as JSON that can be printed."""
    return safe.json(msgspec.to_builtins(document), indent=2)


def write_text(text: str, file: Path | None = None) -> None:
    """Write `text`, which must already be harmless, to standard output or to `file`.

    Standard output is flushed: a program that reads a running command through a pipe gets the text at once.
    """
    if file is None or str(file) == "-":
        try:
            sys.stdout.write(text if text.endswith("\n") or not text else text + "\n")
            sys.stdout.flush()
        except OSError as error:
            error.filename = STDOUT
            raise
    else:
        write_bytes((text if text.endswith("\n") else text + "\n").encode("utf-8"), file)


def write_table(lines: Iterable[str], file: Path | None = None) -> None:
    """Write a table for a spreadsheet, as `PendingOutput.write_table` does."""
    with PendingOutput(file) as draft:
        draft.write_table(lines)
        draft.publish()


def write_bytes(data: bytes, file: Path | None = None) -> None:
    """Write bytes unchanged; on a terminal, without its control sequences.

    A file is written under a temporary name and then moved to its place; only its owner may read it.
    """
    with PendingOutput(file) as draft:
        draft.write(data)
        draft.publish()


class PendingOutput:
    """Output that reaches its place only when it's complete. Until then it's in memory or in a temporary file."""

    def __init__(self, file: Path | None = None) -> None:
        """Take the file to write; None and `-` are standard output."""
        import tempfile
        from hashlib import sha256

        self.file = None if file is None or str(file) == "-" else file
        if self.file is not None and self.file.is_file():
            _refuse_ledger(self.file)
        self.path: Path | None = None  # of the temporary file beside the place, if there is one
        self._digest = sha256()
        self.size = 0  # bytes written so far
        if self.file is None or (self.file.exists() and not self.file.is_file()):  # a device or a pipe
            self._out: IO[bytes] = tempfile.SpooledTemporaryFile(_MAX_SPOOLED_BYTES)  # noqa: SIM115 - closed at the end
        else:
            try:
                handle, name = tempfile.mkstemp(dir=self.file.parent, prefix=".handledger-")
            except OSError as error:
                raise self._name_error(error) from None
            self.path = Path(name)
            self._out = os.fdopen(handle, "w+b")

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(self, *_: object) -> None:
        """Delete unpublished output, even if a full disk keeps its file from being closed."""
        with suppress(OSError):
            self._out.close()
        if self.path is not None:
            self.path.unlink(missing_ok=True)

    def write(self, data: bytes) -> None:
        """Add bytes."""
        self._digest.update(data)
        self.size += len(data)
        try:
            self._out.write(data)
        except OSError as error:
            raise self._name_error(error) from None

    def _name_error(self, error: OSError) -> OSError:
        """Return an error that names the requested file instead of the temporary one."""
        error.filename = STDOUT if self.file is None else str(self.file)
        return error

    def write_table(self, lines: Iterable[str]) -> None:
        """Add a table in UTF-8; a file begins with a byte order mark, or Excel would read it as ANSI.

        Standard output has no mark: programs would read it as part of the first column's name.
        """
        if self.file is not None:
            self.write(BOM_UTF8)
        for text in lines:
            self.write(text.encode("utf-8", "surrogatepass"))

    def digest(self) -> str:
        """Return the SHA-256 of the output, hex."""
        return self._digest.hexdigest()

    def read_all(self) -> bytes:
        """Return the output."""
        self._out.seek(0)
        return bytes(self._out.read())

    def publish(self, *, is_safe_text: bool = False) -> None:
        """Move the output to its place. `is_safe_text`: it's text that is already harmless."""
        try:
            self._move_into_place(is_safe_text)
        except OSError as error:
            raise self._name_error(error) from None

    def _move_into_place(self, is_safe_text: bool) -> None:
        if self.path is not None and self.file is not None:
            self._out.close()
            self.path.replace(self.file)
            return
        if self.file is None and is_safe_text:
            self._out.seek(0)
            write_paged(line.decode("utf-8") for line in self._out)
            return
        if self.file is None and sys.stdout.isatty():
            text = self.read_all().decode("utf-8", "backslashreplace").replace("\r\n", "\n")
            write_text(safe.lines(text, _MAX_COLUMNS))
            return
        self._out.seek(0)
        if self.file is not None:
            with self.file.open("wb") as out:
                _copy_stream(self._out, out)
            return
        sys.stdout.flush()
        _copy_stream(self._out, sys.stdout.buffer)
        sys.stdout.buffer.flush()


def _refuse_ledger(file: Path) -> None:
    """Refuse to overwrite an SQLite database: it's a ledger, perhaps the one that the output is from."""
    try:
        with file.open("rb") as existing_file:
            is_database = existing_file.read(len(_DATABASE_MARK)) == _DATABASE_MARK
    except OSError:  # writing to it reports why
        return
    if is_database:
        raise UsageError(f"{safe.terminal(str(file), 80)} is a ledger; nothing was written", "Choose another name.")


def _copy_stream(source: IO[bytes], out: IO[bytes]) -> None:
    while block := source.read(1024 * 1024):
        out.write(block)


def write_document(content: msgspec.Struct, file: Path | None = None) -> None:
    """Write one JSON document."""
    write_text(encode_document(content), file)


def write_listing(
    content: msgspec.Struct,
    field: str,
    list_items: Iterable[msgspec.Struct],
    file: Path | None = None,
    *,
    after_first: Callable[[], msgspec.Struct] | None = None,
) -> None:
    """Write one JSON document whose list `field` may be long, as `write_listings` does."""
    write_listings(content, {field: list_items}, file, build_tail=after_first)


def write_listings(
    content: msgspec.Struct,
    long_lists: Mapping[str, Iterable[msgspec.Struct]],
    file: Path | None = None,
    *,
    build_tail: Callable[[], msgspec.Struct] | None = None,
) -> None:
    """Write a JSON document with long lists, whose items are built one after the other.

    `content` is the document with these lists empty. `long_lists` are their items by field, in the document's order.
    `build_tail` returns the document with its fields after the first list, if they are known only then. The bytes are
    the same as those of `write_document`.
    """
    remaining_text = encode_document(content)
    with PendingOutput(file) as draft:
        for field, items in long_lists.items():
            empty_list = f'\n  "{field}": []'
            draft.write((remaining_text.partition(empty_list)[0] + empty_list[:-1]).encode("utf-8"))
            separator = "\n    "
            for list_item in items:
                draft.write((separator + encode_document(list_item).replace("\n", "\n    ")).encode("utf-8"))
                separator = ",\n    "
            draft.write(b"]" if separator == "\n    " else b"\n  ]")
            if build_tail is not None:
                remaining_text, build_tail = encode_document(build_tail()), None
            remaining_text = remaining_text.partition(empty_list)[2]
        draft.write((remaining_text + "\n").encode("utf-8"))
        draft.publish(is_safe_text=True)


def write_jsonl(documents: Iterable[msgspec.Struct], file: Path | None = None) -> None:
    """Write documents as JSON Lines, one at a time."""
    write_lines((safe.json(msgspec.to_builtins(entry)) for entry in documents), file)


def write_lines(text_lines: Iterable[str], file: Path | None = None) -> None:
    """Write lines, which must already be harmless, one at a time."""
    with PendingOutput(file) as draft:
        for line in text_lines:
            draft.write((line + "\n").encode("utf-8", "backslashreplace"))
        draft.publish(is_safe_text=True)


def write_paged(pages: Iterable[str]) -> None:
    """Write harmless text to standard output, through a pager if the terminal is too short for it.

    The environment's `PAGER` replaces less; if it's empty, no pager is used.
    """
    pages, screen = iter(pages), _count_screen_lines()
    buffered_pages: list[str] = []
    for text in pages:
        buffered_pages.append(text)
        if screen is None or sum(page.count("\n") for page in buffered_pages) >= screen:
            break
    else:
        screen = None
    pager = shlex.split(os.environ.get("PAGER", "less"))
    if screen is None or not pager or shutil.which(pager[0]) is None:
        sys.stdout.writelines(chain(buffered_pages, pages))
        sys.stdout.flush()
        return
    import pydoc

    os.environ.setdefault("LESS", "FRX")  # show colours, and quit at once if the text fits
    pydoc.pager("".join(chain(buffered_pages, pages)))


def _count_screen_lines() -> int | None:
    """Return how many lines the terminal shows at once, or None if this isn't a terminal with a person."""
    if os.environ.get("TERM") == "dumb" or not (sys.stdout.isatty() and sys.stdin.isatty()):
        return None
    return max(5, shutil.get_terminal_size().lines - 1)


def paint(text: str, style: str, stream: TextIO | None = None) -> str:
    """Return harmless text in a style, if it goes to a terminal that wants colours."""
    target = stream or sys.stdout
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not target.isatty():
        return text
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m"


def find_width() -> int:
    """Return the number of columns of the terminal, at least 40; 100 if there is none."""
    if not sys.stdout.isatty():
        return 100
    try:
        return max(os.get_terminal_size(sys.stdout.fileno()).columns, 40)
    except OSError:
        return 80


def format_item(mark: str, text: str) -> str:
    """Return an item of a list, wrapped at 100 columns and indented below its mark.

    `mark` may be painted; `text` must already be harmless. Words aren't broken, so paths and keys can be copied.
    """
    text_width = min(find_width(), 100) - 2
    first_line, *more_lines = textwrap.wrap(
        text,
        text_width,
        initial_indent=" " * max(len(_STYLE_CODES.sub("", mark)) - 1, 0),
        break_long_words=False,
        break_on_hyphens=False,
    ) or [""]
    return "\n".join(
        [f"{mark} {first_line.lstrip()}" if mark else first_line, *(f"  {more_line}" for more_line in more_lines)]
    )


class ProgressLine:
    """A line on standard error that shows the progress of a task, if that is a terminal.

    With an `activity`, the line also shows for how long it has run (see `show_progress`).
    """

    def __init__(self, activity: str = "") -> None:
        self._is_enabled = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._is_shown = False
        self._activity, self._status = activity, ""
        self._lock = threading.Lock()

    def __call__(self, text: str) -> None:
        """Show `text` instead of the last one, made harmless; with an activity, when the time is shown next."""
        self._status = text
        if not self._activity:
            self._show(text)

    def show_time(self, is_done: threading.Event, seconds: float) -> None:
        """Show the activity, its status and its time every few seconds until `is_done` is set."""
        started = time.monotonic()
        while self._is_enabled and not is_done.wait(seconds):
            status = f" {self._status}," if self._status else ""
            self._show(f"{self._activity}:{status} {time.monotonic() - started:.0f} s")

    def _show(self, text: str) -> None:
        if self._is_enabled:
            with self._lock:
                sys.stderr.write("\r\x1b[K" + safe.terminal(text, 78))
                sys.stderr.flush()
                self._is_shown = True

    def show_judged(self, hands: int, total: int) -> None:
        """Show how many of the hands were judged."""
        self(f"{hands:,} of {total:,} hands judged")

    def show_followed(self, position: int, end: int) -> None:
        """Show how far the log was read."""
        self(f"{position:,} of {end:,} events")

    def build_walk_callback(self, total: int) -> Callable[[int], None]:
        """Return a function that shows how many of `total` hands of a table were walked."""
        return lambda hands: self(f"{hands:,} of {total:,} hands walked")

    def show_written(self, hands: int, total: int) -> None:
        """Show how many of the hands were written."""
        self(f"{hands:,} of {total:,} hands written")

    def clear(self) -> None:
        """Remove the line."""
        if self._is_shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._is_shown = False


@contextmanager
def show_progress(activity: str, seconds: float = 1.0) -> Iterator[ProgressLine]:
    """Show a task on a terminal while a block runs: its activity, its progress if it reports any, and its time.

    A task that takes less than `seconds` shows nothing.
    """
    progress, is_done = ProgressLine(activity), threading.Event()
    ticker = threading.Thread(target=progress.show_time, args=(is_done, seconds), daemon=True)
    ticker.start()
    try:
        yield progress
    finally:
        is_done.set()
        ticker.join()
        progress.clear()
