"""Use the terminal as a screen: read keys as they are pressed, draw all lines, and restore it afterwards."""

from __future__ import annotations

import codecs
import os
import select
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

if sys.platform != "win32":
    import termios
    import tty

NONE: Final = ""
"""No key was pressed in time."""

END: Final = "end of input"
"""The input has ended."""

_ENTER: Final = "\x1b[?1049h\x1b[?25l"
_LEAVE: Final = "\x1b[?25h\x1b[?1049l"
_ESCAPE_SECONDS: Final = 0.05
"""Seconds to wait after an escape for the other characters of a key; without them it's the escape key."""

_KEY_BY_CODES: Final = {
    "\x1b[A": "up",
    "\x1b[B": "down",
    "\x1b[C": "right",
    "\x1b[D": "left",
    "\x1b[H": "home",
    "\x1b[F": "end",
    "\x1b[1~": "home",
    "\x1b[4~": "end",
    "\x1b[7~": "home",
    "\x1b[8~": "end",
    "\x1b[5~": "page up",
    "\x1b[6~": "page down",
    "\x1b[Z": "back tab",
    "\x1b": "escape",
    "\r": "enter",
    "\n": "enter",
    "\t": "tab",
    "\x7f": "rub out",
    "\b": "rub out",
    "\xe0H": "up",
    "\xe0P": "down",
    "\xe0M": "right",
    "\xe0K": "left",
    "\xe0G": "home",
    "\xe0O": "end",
}
"""Codes that terminals send → key; the last ones are those of Windows."""


def is_usable() -> bool:
    """Whether standard output and input are a terminal that can be drawn on."""
    return sys.stdout.isatty() and sys.stdin.isatty() and os.environ.get("TERM") != "dumb"


def find_size() -> tuple[int, int]:
    """Return the columns and lines of the terminal."""
    try:
        terminal_size = os.get_terminal_size(sys.stdout.fileno())
    except (OSError, ValueError):
        terminal_size = shutil.get_terminal_size()
    return terminal_size.columns, terminal_size.lines


def draw_lines(lines: Iterable[str]) -> None:
    """Draw the screen. `lines` must be harmless, and no longer than the terminal is wide."""
    sys.stdout.write("\x1b[H" + "\n".join(f"{line}\x1b[K" for line in lines) + "\x1b[J")
    sys.stdout.flush()


@contextmanager
def take_screen() -> Iterator[Keys]:
    """Use the terminal as a screen within a block, and restore it at the end, also after an error."""
    sys.stdout.write(_ENTER)
    try:
        with _read_unbuffered():
            yield Keys()
    finally:
        sys.stdout.write(_LEAVE)
        sys.stdout.flush()


@contextmanager
def _read_unbuffered() -> Iterator[None]:
    """Read keys without waiting for Enter within a block. On Windows, where `getchar` does that, do nothing."""
    if sys.platform == "win32":
        yield
        return
    earlier_settings = termios.tcgetattr(sys.stdin.fileno())
    try:
        tty.setcbreak(sys.stdin.fileno())
        yield
    finally:
        termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, earlier_settings)


class Keys:
    """Reads keys as they are pressed. A key is a letter, or a name such as `page up`."""

    def __init__(self) -> None:
        """Begin without a key."""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._pending = ""
        self._is_over = False

    def read_key(self, seconds: float) -> str:
        """Return the next key, `NONE` after `seconds` without one, or `END` at the end of input."""
        if not self._pending:
            if sys.platform == "win32":
                return self._read_windows_key()
            if not self._read(seconds):
                return END if self._is_over else NONE
        if self._pending[0] == "\x1b":
            while len(self._pending) < 3 and self._has_input(_ESCAPE_SECONDS) and self._read(0):
                pass
            return self._take_sequence()
        key, self._pending = self._pending[0], self._pending[1:]
        return _KEY_BY_CODES.get(key, key)

    def _read_windows_key(self) -> str:
        import typer

        try:
            key_codes = typer.getchar()
        except EOFError:
            return END
        return _KEY_BY_CODES.get(key_codes, key_codes)

    def _has_input(self, seconds: float) -> bool:
        return bool(select.select([sys.stdin.fileno()], [], [], seconds)[0])

    def _read(self, seconds: float) -> bool:
        if not self._has_input(seconds):
            return False
        try:
            data = os.read(sys.stdin.fileno(), 64)
        except OSError:  # the terminal was closed
            data = b""
        self._is_over = not data
        self._pending += self._decoder.decode(data)
        return bool(self._pending)

    def _take_sequence(self) -> str:
        """Remove a key that begins with escape from the pending characters and return it; `NONE` for an unknown key."""
        pending = self._pending.replace("\x1bO", "\x1b[", 1)
        for key_codes in sorted(_KEY_BY_CODES, key=len, reverse=True):
            if key_codes[0] == "\x1b" and len(key_codes) > 1 and pending.startswith(key_codes):
                self._pending = pending[len(key_codes) :]
                return _KEY_BY_CODES[key_codes]
        if pending[1:2] != "[":
            self._pending = pending[1:]
            return "escape"
        sequence_end = next(
            (offset for offset, character in enumerate(pending[2:], 2) if "@" <= character <= "~"), len(pending) - 1
        )
        self._pending = pending[sequence_end + 1 :]
        return NONE
