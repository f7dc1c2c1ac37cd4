"""Print the command that people are likely to run next below an answer on a terminal."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TextIO

from ledger import safe

if TYPE_CHECKING:
    from typer._click import Context

NEXT_STEPS: Final = {
    "rejects": "import --help",
    "log": "audit{books} --coverage",
    "show": "replay {address}",
    "replay": "audit {hand_of_address} --coverage",
    "seats": "log --table {table}",
    "results": "results --by day",
    "statistics": "statistics --by stakes",
    "audit": "findings",
    "findings": "audit --coverage",
    "why": "show {address}",
    "aftermath": "show {hand}",
    "rates": "audit{books} --coverage",
    "fairness": "due{books}",
    "due": "floor {table}{first_book}",
    "floor": "due {table}{first_book}",
    "compare": "accounts {a}",
    "accounts": "show {hand}",
    "seal": "verify",
    "verify": "log -n 20",
    "export": "export --help",
    "people": "people list",
    "device": "device list",
    "user": "user list",
    "case list": "case open --help",
    "case open": "case list",
    "schema": "schema import",
}
"""Command → the arguments of the next command. Names in braces are replaced by the typed values, quoted for a shell."""


WRITES_ITS_FILE: Final = frozenset({"seal"})
"""Commands that report the file they wrote themselves."""


def print_next_step(ctx: Context) -> None:
    """Print the next command below an answer in text on a terminal, not in files and pipes.

    If the answer was written to a file, name that file on standard error.
    """
    file = ctx.params.get("file")
    if isinstance(file, Path) and str(file) != "-":
        _report_file(file, ctx.command_path.partition(" ")[2])
        return
    if ctx.params.get("format_", "text") != "text" or file is not None or not is_for_people():
        return
    source = ctx.get_parameter_source("url")
    params = ctx.params if source is not None and source.name == "COMMANDLINE" else {**ctx.params, "url": None}
    if next_step := find_next_step(ctx.command_path.partition(" ")[2], params):
        sys.stdout.write(f"\nNext: {next_step}\n")


def is_for_people(stream: TextIO | None = None) -> bool:
    """Whether standard output, or another stream, is a terminal."""
    return (stream or sys.stdout).isatty()


def _report_file(file: Path, name: str) -> None:
    """Name a file that was written, on standard error if that is a terminal."""
    if name not in WRITES_ITS_FILE and file.is_file() and is_for_people(sys.stderr):
        sys.stderr.write(f"Wrote {safe.terminal(str(file), 4000)} ({file.stat().st_size:,} bytes).\n")


def find_next_step(name: str, params: dict[str, Any]) -> str:
    """Return the next command; "" if there is none, or it needs a value that wasn't typed."""
    template = NEXT_STEPS.get(name)
    if template is None:
        return ""
    books: Sequence[str] = params.get("books") or ()
    values = {key: shlex.quote(value) for key, value in params.items() if isinstance(value, str) and value}
    values["books"] = "".join(f" -r {shlex.quote(book)}" for book in books)
    values["first_book"] = f" -r {shlex.quote(books[0])}" if books else ""
    values["hand_of_address"] = shlex.quote(str(params.get("address", "")).partition("@")[0])
    try:
        arguments = template.format(**values)
    except KeyError:
        return ""
    ledger = f" --ledger {values['url']}" if "url" in values and "--help" not in arguments else ""
    return f"handledger {arguments}{ledger}"
