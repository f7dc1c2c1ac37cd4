"""A terminal as a screen: keys as they are pressed, and the whole of it drawn anew. Nothing of it stays behind."""

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
"""No key was pressed within the time."""

END: Final = "end of input"
"""Nobody is there to press a key any more."""

_ENTER: Final = "\x1b[?1049h\x1b[?25l"
_LEAVE: Final = "\x1b[?25h\x1b[?1049l"
_ESCAPE_SECONDS: Final = 0.05
"""Seconds within which the rest of a key follows that begins with escape: alone it is the key itself."""

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
"""What terminals send for keys that are no letters; the last ones are those of Windows."""


def usable() -> bool:
    """Return whether somebody looks at standard output and can press keys."""
    return sys.stdout.isatty() and sys.stdin.isatty() and os.environ.get("TERM") != "dumb"


def size() -> tuple[int, int]:
    """Return how many columns and lines the terminal has now."""
    try:
        terminal_size = os.get_terminal_size(sys.stdout.fileno())
    except (OSError, ValueError):
        terminal_size = shutil.get_terminal_size()
    return terminal_size.columns, terminal_size.lines


def show(lines: Iterable[str]) -> None:
    """Draw the screen anew; `lines` are ours and harmless, no longer than the terminal is wide."""
    sys.stdout.write("\x1b[H" + "\n".join(f"{line}\x1b[K" for line in lines) + "\x1b[J")
    sys.stdout.flush()


@contextmanager
def screen() -> Iterator[Keys]:
    """Take the terminal over, and give it back as it was, however the block ends."""
    sys.stdout.write(_ENTER)
    try:
        with _unbuffered_keys():
            yield Keys()
    finally:
        sys.stdout.write(_LEAVE)
        sys.stdout.flush()


@contextmanager
def _unbuffered_keys() -> Iterator[None]:
    """Have each key as it is pressed; on Windows they come so, and a new size is seen at the next of them."""
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
    """Keys as they are pressed, by their names: letters stand for themselves."""

    def __init__(self) -> None:
        """Begin with none."""
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._pending = ""
        self._is_over = False

    def next(self, seconds: float) -> str:
        """Return the next key, `NONE` if none came in time, `END` if none can come."""
        if not self._pending:
            if sys.platform == "win32":
                return self._read_windows_key()
            if not self._read(seconds):
                return END if self._is_over else NONE
        if self._pending[0] == "\x1b":
            while len(self._pending) < 3 and self._waiting(_ESCAPE_SECONDS) and self._read(0):
                pass
            return self._sequence()
        key, self._pending = self._pending[0], self._pending[1:]
        return _KEY_BY_CODES.get(key, key)

    def _read_windows_key(self) -> str:
        import typer

        try:
            key_codes = typer.getchar()
        except EOFError:
            return END
        return _KEY_BY_CODES.get(key_codes, key_codes)

    def _waiting(self, seconds: float) -> bool:
        return bool(select.select([sys.stdin.fileno()], [], [], seconds)[0])

    def _read(self, seconds: float) -> bool:
        if not self._waiting(seconds):
            return False
        try:
            data = os.read(sys.stdin.fileno(), 64)
        except OSError:  # the terminal is gone
            data = b""
        self._is_over = not data
        self._pending += self._decoder.decode(data)
        return bool(self._pending)

    def _sequence(self) -> str:
        """Take a key that begins with escape; one that is not known is none at all."""
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
