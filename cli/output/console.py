"""What reaches standard output and standard error, and nothing else does."""

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
"""How every file of SQLite begins."""
_SPOOL: Final = 8 * 1024 * 1024
"""Bytes of output that are kept in memory until they are whole."""

STDOUT: Final = "standard output"
"""What it is called where something cannot be written to it."""

_STYLE_CODES: Final = re.compile(r"\x1b\[[0-9;]*m")

_STYLES: Final = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33"}


def encoded(document: msgspec.Struct) -> str:
    """Return a document as JSON that can be printed."""
    return safe.json(msgspec.to_builtins(document), indent=2)


def write_text(text: str, file: Path | None = None) -> None:
    """Write `text`, which is ours and harmless, to standard output or to `file`.

    It is there at once: a command that goes on may be read through a pipe, by a program that waits.
    """
    if file is None or str(file) == "-":
        try:
            sys.stdout.write(text if text.endswith("\n") or not text else text + "\n")
            sys.stdout.flush()
        except OSError as error:
            error.filename = STDOUT
            raise
    else:
        put_bytes((text if text.endswith("\n") else text + "\n").encode("utf-8"), file)


def table(lines: Iterable[str], file: Path | None = None) -> None:
    """Write a table for a spreadsheet, line by line as `Draft.table` says."""
    with PendingOutput(file) as draft:
        draft.table(lines)
        draft.publish()


def put_bytes(data: bytes, file: Path | None = None) -> None:
    """Write bytes as they are; a terminal is shown them, and does not obey them.

    A file is written beside its place and then moved there whole; only its owner may read it.
    """
    with PendingOutput(file) as draft:
        draft.write(data)
        draft.publish()


class PendingOutput:
    """Output that grows, and reaches its place only when it is whole: until then nothing is seen of it.

    Little is kept in memory, the rest in a file beside the place, or without a name.
    """

    def __init__(self, file: Path | None = None) -> None:
        """Take where it is to go; None and `-` are standard output."""
        import tempfile
        from hashlib import sha256

        self.file = None if file is None or str(file) == "-" else file
        if self.file is not None and self.file.is_file():
            _refuse_ledger(self.file)
        self.path: Path | None = None  # of the draft, where it has one
        self._digest = sha256()
        self.size = 0  # bytes written so far
        if self.file is None or (self.file.exists() and not self.file.is_file()):  # a device or a pipe
            self._out: IO[bytes] = tempfile.SpooledTemporaryFile(_SPOOL)  # noqa: SIM115 - closed at the end
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
        """Throw away what was not published, also where the disk is full and will not even close it."""
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
        """Return an error with the place that was asked for: nobody asked for the draft."""
        error.filename = STDOUT if self.file is None else str(self.file)
        return error

    def table(self, lines: Iterable[str]) -> None:
        """Add a table in UTF-8; a file begins with the mark without which Excel takes it for ANSI.

        Standard output goes to programs, to which the mark would be part of the first column's name.
        """
        if self.file is not None:
            self.write(BOM_UTF8)
        for text in lines:
            self.write(text.encode("utf-8", "surrogatepass"))

    def digest(self) -> str:
        """Return the SHA-256 of all that was written, hex."""
        return self._digest.hexdigest()

    def whole(self) -> bytes:
        """Return all that was written."""
        self._out.seek(0)
        return bytes(self._out.read())

    def publish(self, *, is_safe_text: bool = False) -> None:
        """Put it in its place. `ours`: it is text, made harmless where it was made."""
        try:
            self._published(is_safe_text)
        except OSError as error:
            raise self._name_error(error) from None

    def _published(self, is_safe_text: bool) -> None:
        if self.path is not None and self.file is not None:
            self._out.close()
            self.path.replace(self.file)
            return
        if self.file is None and is_safe_text:
            self._out.seek(0)
            paged(line.decode("utf-8") for line in self._out)
            return
        if self.file is None and sys.stdout.isatty():
            text = self.whole().decode("utf-8", "backslashreplace").replace("\r\n", "\n")
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
    """Refuse to write over a database: it is a ledger, perhaps the one that the output is from."""
    try:
        with file.open("rb") as existing_file:
            is_database = existing_file.read(len(_DATABASE_MARK)) == _DATABASE_MARK
    except OSError:  # it can't be read: writing says so
        return
    if is_database:
        raise UsageError(f"{safe.terminal(str(file), 80)} is a ledger; nothing was written", "Choose another name.")


def _copy_stream(source: IO[bytes], out: IO[bytes]) -> None:
    while block := source.read(1024 * 1024):
        out.write(block)


def document(content: msgspec.Struct, file: Path | None = None) -> None:
    """Write one JSON document."""
    write_text(encoded(content), file)


def listing(
    content: msgspec.Struct,
    field: str,
    list_items: Iterable[msgspec.Struct],
    file: Path | None = None,
    *,
    after_first: Callable[[], msgspec.Struct] | None = None,
) -> None:
    """Write one JSON document whose list `field` may be long, as `listings` does."""
    listings(content, {field: list_items}, file, build_tail=after_first)


def listings(
    content: msgspec.Struct,
    long_lists: Mapping[str, Iterable[msgspec.Struct]],
    file: Path | None = None,
    *,
    build_tail: Callable[[], msgspec.Struct] | None = None,
) -> None:
    """Write a JSON document with long lists, whose items are built one after the other.

    `content` is the document with these lists empty. `long_lists` are their items by field, in the document's order.
    `build_tail` returns the document's fields after the first of them, if they are known only then. The bytes are those
    that `document` would write.
    """
    remaining_text = encoded(content)
    with PendingOutput(file) as draft:
        for field, items in long_lists.items():
            empty_list = f'\n  "{field}": []'
            draft.write((remaining_text.partition(empty_list)[0] + empty_list[:-1]).encode("utf-8"))
            separator = "\n    "
            for list_item in items:
                draft.write((separator + encoded(list_item).replace("\n", "\n    ")).encode("utf-8"))
                separator = ",\n    "
            draft.write(b"]" if separator == "\n    " else b"\n  ]")
            if build_tail is not None:
                remaining_text, build_tail = encoded(build_tail()), None
            remaining_text = remaining_text.partition(empty_list)[2]
        draft.write((remaining_text + "\n").encode("utf-8"))
        draft.publish(is_safe_text=True)


def jsonl(documents: Iterable[msgspec.Struct], file: Path | None = None) -> None:
    """Write documents as JSON Lines, one after the other as they are made."""
    lines((safe.json(msgspec.to_builtins(entry)) for entry in documents), file)


def lines(text_lines: Iterable[str], file: Path | None = None) -> None:
    """Write lines, which are ours and harmless, as they are made."""
    with PendingOutput(file) as draft:
        for line in text_lines:
            draft.write((line + "\n").encode("utf-8", "backslashreplace"))
        draft.publish(is_safe_text=True)


def paged(pages: Iterable[str]) -> None:
    """Write text, which is ours and harmless, to standard output; what a terminal does not hold goes through a pager.

    `PAGER` names another than less; empty: none.
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

    os.environ.setdefault("LESS", "FRX")  # colours are shown, and what fits needs no key
    pydoc.pager("".join(chain(buffered_pages, pages)))


def _count_screen_lines() -> int | None:
    """Return how many lines a person sees at once, None where nobody looks."""
    if os.environ.get("TERM") == "dumb" or not (sys.stdout.isatty() and sys.stdin.isatty()):
        return None
    return max(5, shutil.get_terminal_size().lines - 1)


def paint(text: str, style: str, stream: TextIO | None = None) -> str:
    """Return harmless text in a style, if it goes to a terminal that wants colours."""
    target = stream or sys.stdout
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not target.isatty():
        return text
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m"


def width() -> int:
    """Return how many columns lines may have: the terminal's, or 100 where there is none."""
    if not sys.stdout.isatty():
        return 100
    try:
        return max(os.get_terminal_size(sys.stdout.fileno()).columns, 40)
    except OSError:
        return 80


def item(mark: str, text: str) -> str:
    """Return one point of a list as lines of at most 100 columns: the mark, and all but it indented.

    `mark` may be painted; `text` is ours and harmless. What is to be copied, a path or a key, stays whole.
    """
    text_width = min(width(), 100) - 2
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
    """One line on standard error that says how far the work is; only on a terminal.

    `what` is done: where it is told, the line also says for how long it has gone on (see `working`).
    """

    def __init__(self, activity: str = "") -> None:
        self._is_enabled = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._is_shown = False
        self._activity, self._status = activity, ""
        self._lock = threading.Lock()

    def __call__(self, text: str) -> None:
        """Show `text`, which is made harmless here, in place of what was shown; with the next tick, if time is told."""
        self._status = text
        if not self._activity:
            self._show(text)

    def tick(self, is_done: threading.Event, seconds: float) -> None:
        """Say how far it is every so many seconds, until it is done."""
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

    def judged(self, hands: int, total: int) -> None:
        """Show how many hands were judged of those that are behind."""
        self(f"{hands:,} of {total:,} hands judged")

    def followed(self, position: int, end: int) -> None:
        """Show how far a log was followed."""
        self(f"{position:,} of {end:,} events")

    def walked(self, total: int) -> Callable[[int], None]:
        """Return what shows how many hands of a table were walked, of so many accounts of hands."""
        return lambda hands: self(f"{hands:,} of {total:,} hands walked")

    def written(self, hands: int, total: int) -> None:
        """Show how many hands were written of all."""
        self(f"{hands:,} of {total:,} hands written")

    def clear(self) -> None:
        """Take the line away."""
        if self._is_shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._is_shown = False


@contextmanager
def working(activity: str, seconds: float = 1.0) -> Iterator[ProgressLine]:
    """Say on a terminal what goes on, how far it is where that is known, and for how long, until the block is left.

    Nothing is seen of work that takes less than `every` seconds.
    """
    progress, is_done = ProgressLine(activity), threading.Event()
    ticker = threading.Thread(target=progress.tick, args=(is_done, seconds), daemon=True)
    ticker.start()
    try:
        yield progress
    finally:
        is_done.set()
        ticker.join()
        progress.clear()
