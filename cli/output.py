"""What reaches standard output and standard error, and nothing else does."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, Final

import msgspec

from ledger import safe

_SHOWN_MOST: Final = 1_000_000
"""Columns of a line of a file that is shown on a terminal."""

_STYLES: Final = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33"}


def encoded(document: msgspec.Struct) -> str:
    """Return a document as JSON that can be printed."""
    return safe.json(msgspec.to_builtins(document), indent=2)


def put(text: str, file: Path | None = None) -> None:
    """Write `text`, which is ours and harmless, to standard output or to `file`."""
    if file is None or str(file) == "-":
        sys.stdout.write(text if text.endswith("\n") or not text else text + "\n")
    else:
        put_bytes((text if text.endswith("\n") else text + "\n").encode("utf-8"), file)


def put_bytes(data: bytes, file: Path | None = None) -> None:
    """Write bytes as they are; a terminal is shown them, and does not obey them.

    A file is written beside its place and then moved there whole; only its owner may read it.
    """
    if file is None or str(file) == "-":
        if sys.stdout.isatty():
            text = data.decode("utf-8", "backslashreplace").replace("\r\n", "\n")
            put(safe.lines(text, _SHOWN_MOST))
            return
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    if file.exists() and not file.is_file():  # a device or a pipe
        file.write_bytes(data)
        return
    import tempfile

    handle, draft = tempfile.mkstemp(dir=file.parent, prefix=".handledger-")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
        Path(draft).replace(file)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise


def document(found: msgspec.Struct, file: Path | None = None) -> None:
    """Write one JSON document."""
    put(encoded(found), file)


def paint(text: str, style: str, stream: Any = None) -> str:  # noqa: ANN401 - any text stream
    """Return harmless text in a style, if it goes to a terminal that wants colours."""
    out = stream or sys.stdout
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not out.isatty():
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


class Progress:
    """One line on standard error that says how far the work is; only on a terminal."""

    def __init__(self) -> None:
        self._on = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._shown = False

    def __call__(self, text: str) -> None:
        """Show `text`, which is made harmless here, in place of what was shown."""
        if self._on:
            sys.stderr.write("\r\x1b[K" + safe.terminal(text, 78))
            sys.stderr.flush()
            self._shown = True

    def clear(self) -> None:
        """Take the line away."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._shown = False
