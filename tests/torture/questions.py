"""Asks a ledger everything that the program can answer: each command of the program that reads, as users type it.

The commands come from the program itself; what is typed of each comes from `tests/cli/commands.py`, which a test
keeps complete. So a command that is added is asked as well.
"""

from __future__ import annotations

import io
import re
import resource
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Final, NamedTuple

from cli import command_list, main
from cli.output import damage
from tests.cli.commands import GOING_ON, GOOD
from tests.limits import OutOfTimeError, cpu_time_limit

WRITES: Final = frozenset(
    {
        "import",
        "correct",
        "shard",
        "seal",
        "cosign",
        "evidence",
        "demo",
        "mcp",
        "rules",
        "schema",
        "lake",
        "new",
        "handscript",
        "read",
        *GOING_ON,
    }
)
"""Commands that record something, go on until they are stopped, or read no ledger: `new` writes an empty page of notes, and
`read` reads such a page.
"""

_WRITING_WORDS: Final = frozenset(
    {"add", "retire", "hold", "merge", "forget", "open", "note", "due", "rule", "cite", "close", "attach", "--apart"}
)
MORE_COMMANDS: Final = (
    ("verify", "--tables"),
    ("log", "--where", "clause:hilton.*"),
    ("log", "--fields", "time,table,hand,pot,players,button"),
    ("export", "--to", "jsonl"),
    ("export", "--to", "handscript", "--lossy"),
    ("audit", "-r", "rrop4"),
    ("findings", "--as-of", "2090-01-01"),
    ("report", "1", "-r", "hilton"),
)
"""What is asked besides."""

TIME_LIMIT: Final = 20
"""Seconds of a processor that one command may take on a ledger of a few dozen hands."""

_FAULT: Final = re.compile(r"fault of handledger|Traceback \(most recent|MemoryError|no answer after")
_LEDGER: Final = "{book}"


class Answer(NamedTuple):
    """How a command ended and what it printed."""

    code: int
    out: str
    err: str

    @property
    def is_fault(self) -> bool:
        """Whether the program failed in a way that no user may see."""
        return bool(_FAULT.search(self.err) or _FAULT.search(self.out)) or self.code not in {0, 1, 2, 3, 4}

    @property
    def is_refusal(self) -> bool:
        """Whether the command says that something is damaged or can't be done."""
        return self.code in {2, 3, 4} and bool(self.err.strip() or self.out.strip())


Command = tuple[str, ...]


def questions() -> list[Command]:
    """Return the command lines that read a ledger, `{book}` in the place of its address."""
    commands: dict[Command, None] = {}
    for name in command_list.COMMANDS:
        if name not in WRITES:
            commands.update(dict.fromkeys(_reading(GOOD[name])))
    commands.update((with_ledger(command), None) for command in MORE_COMMANDS)
    return list(commands)


def with_ledger(command: Sequence[str]) -> Command:
    """Return a command line that names the ledger."""
    return (*command, "--ledger", _LEDGER)


def _reading(lines: Sequence[Sequence[str]]) -> Iterator[Command]:
    for line in lines:
        command = tuple(word.replace("{own}", _LEDGER) for word in line)
        if (
            _LEDGER in command
            and not _WRITING_WORDS.intersection(command[1:])
            and not any("{" in w for w in command if w != _LEDGER)
        ):
            yield command


def ask(command: Command, places: Mapping[str, str]) -> Answer:
    """Run the program in this process, within bounds of time; memory is bounded by `memory_limit`."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    damage._opened_urls.clear()
    with redirect_stdout(out), redirect_stderr(err), cpu_time_limit(TIME_LIMIT):
        try:
            code = main.run_program([word.format(**places) for word in command])
        except OutOfTimeError:
            code = -1
            err.write(f"no answer after {TIME_LIMIT} seconds of work")
    out.flush()
    return Answer(code, out.buffer.getvalue().decode("utf-8", "replace"), err.getvalue())  # type: ignore[attr-defined] # a BytesIO


@contextmanager
def memory_limit(headroom: int = 1 << 30) -> Iterator[None]:
    """Let this process take so many bytes more than it has: what takes more fails with `MemoryError`."""
    with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123 - no file of a disk
        size = int(file.read().split()[0]) * resource.getpagesize()
    old_limits = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (size + headroom, old_limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, old_limits)
