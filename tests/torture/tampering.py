"""Every change of a ledger's database, and every question asked of it: `python -m tests.torture.tampering`.

The changes come from the schema that the database shows, the questions from the program's own commands. A change
is found by `verify`, or named by the command that reads it, or no answer differs from that of the sound ledger.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Final, NamedTuple, Protocol

import psycopg
import pytest

import ledger
from ledger.case.events import CaseLinked, CaseOpened
from ledger.intake import import_paths
from ledger.streams import case_stream
from projections.tables import stored_walks
from tests.authority import Authority
from tests.intake.hands import hands
from tests.postgres import server
from tests.torture import matrix
from tests.torture.changes import Change, Schema, changes
from tests.torture.questions import Answer, Command, ask, memory_limit, questions, with_ledger
from tests.torture.spoiling import SpoiledPostgres, SpoiledSqlite

LEDGER_TABLES: Final = frozenset(matrix.TABLES)
VERIFY: Final = with_ledger(["verify"])
VERIFY_TABLES: Final = with_ledger(["verify", "--tables"])
_HEAD: Final = re.compile(r"SOUND: [\d,]+ events, head \w+|held at position [\d,]+, when its last link was\s+<code>\w+")
"""Where a verdict or a report says how far the log goes."""

_FIRST: Final = (VERIFY, VERIFY_TABLES)
_CLOCK: Final = 1_796_000_000_000_000_000
"""The clock stands still, as some answers say when they were given."""


class Spoiled(Schema, Protocol):
    """A store, and copies of it that are spoiled."""

    name: str

    def apply(self, change: Change) -> bool:
        """Make a copy with this change."""

    def fresh(self, *, spoiled: bool = True) -> AbstractContextManager[str]:
        """Lend the address of a copy."""

    def statements(self) -> AbstractContextManager[list[str]]:
        """Collect the statements that the program sends."""


class Outcome(NamedTuple):
    """What came of a change: in a word, and the commands that show it."""

    change: Change
    what: str  # refused, found, named, no effect, missed, fault
    shown: list[str]


def fill(url: str, folder: Path) -> None:
    """Make a ledger in which every table holds rows, those made from the log too."""
    folder.mkdir(exist_ok=True)
    matrix.filled(url, folder, Authority(folder / "tsa"))
    (folder / "night.phhs").write_text(hands(1, 2, 3, 4))
    with ledger.open(url) as book:
        import_paths(book, [folder / "night.phhs"])
        hand = next(book.hands(number="1")).stream
        book.append("case", case_stream("X1"), [CaseOpened("X1", "other", "player"), CaseLinked(hand.hex)])
    ask(with_ledger(["device", "add", "tablet-3", "--table", "T1"]), {"book": url})
    ask(with_ledger(["import", str(folder / "night.phhs")]), {"book": url})  # which announces what is found
    for command in questions():
        ask(command, {"book": url})


@contextmanager
def short_rests() -> Iterator[None]:
    """Let walks rest after few hands, so that what is kept of long tables is kept here too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stored_walks, "CHECKPOINT_HANDS", 3)
        patch.setattr(time, "time_ns", lambda: _CLOCK)
        patch.setenv("NO_COLOR", "1")
        patch.delenv("HANDLEDGER_URL", raising=False)
        patch.delenv("HANDLEDGER_DEBUG", raising=False)
        yield


class Matrix:
    """A store with the answers of its sound ledger."""

    def __init__(self, store: Spoiled, max_commands: int = 0) -> None:
        """Ask the sound ledger everything; of a change, `most` commands that read its table are asked, 0 = all."""
        self.store, self._most = store, max_commands
        self.asked = questions()
        self.sound: dict[Command, Answer] = {}
        self.reads: dict[Command, set[str]] = {}
        tables = store.tables()
        for command in self.asked:
            with store.statements() as statements, store.fresh(spoiled=False) as url:
                self.sound[command] = _ask_headless(command, url)
            words = set(re.findall(r"\w+", " ".join(statements)))
            self.reads[command] = {table for table in tables if table in words}

    def unsteady(self) -> Iterator[Command]:
        """Yield the commands whose answers on the sound ledger differ from time to time."""
        for command in self.asked:
            with self.store.fresh(spoiled=False) as url:
                if _ask_headless(command, url)[:2] != self.sound[command][:2]:
                    yield command

    def outcome(self, change: Change) -> Outcome:
        """Apply a change, verify, and ask commands that read its table: another table can't change their answers."""
        if not self.store.apply(change):
            return Outcome(change, "refused", [])
        first = VERIFY if change.table in LEDGER_TABLES else VERIFY_TABLES
        commands = [command for command in self.asked if change.table in self.reads[command] and command not in _FIRST]
        if self._most:
            commands = Random(repr(change[:3])).sample(commands, min(self._most, len(commands)))
        differing: dict[Command, Answer] = {}
        for command in (first, *commands):
            with self.store.fresh() as url:
                answer = _ask_headless(command, url)
            if answer[:2] != self.sound[command][:2] or answer.is_fault:
                differing[command] = answer
        return Outcome(change, *self._judged(change, first, differing))

    def _judged(self, change: Change, first: Command, differing: dict[Command, Answer]) -> tuple[str, list[str]]:
        faults = [_describe(command, answer) for command, answer in differing.items() if answer.is_fault]
        if faults:
            return "fault", faults
        if first in differing and differing[first].code in {2, 4}:
            return "found", []
        silent = [_describe(c, answer) for c, answer in differing.items() if not answer.is_refusal and c != first]
        if first in differing and _limits(differing[first]) - _limits(self.sound[first]):
            return "named", [_describe(first, differing[first])]
        if silent:
            words = matrix.KNOWN_WORDS.get((change.table, "insert")) if "duplicated" in change.what else None
            words = words or matrix.KNOWN_WORDS.get((change.table, "*"))
            return "named" if words and words in self.sound[VERIFY].out else "missed", silent
        descriptions = [_describe(command, answer) for command, answer in differing.items()]
        return ("named" if descriptions else "no effect"), descriptions


def _ask_headless(command: Command, url: str) -> Answer:
    """Ask, and leave out where the log ends: on PostgreSQL commands share a copy, and each report is put on record."""
    answer = ask(command, {"book": url})
    return answer._replace(out=_HEAD.sub("HEAD", answer.out))


def _limits(answer: Answer) -> set[str]:
    """Return what a verdict says that it can't prove."""
    return {line for line in answer.out.splitlines() if "not proved:" in line}


def _describe(command: Command, answer: Answer) -> str:
    return f"{' '.join(command[:-2])} → {answer.code}: {' '.join((answer.err or answer.out)[-700:].split())[:400]}"


def run(matrix: Matrix, tried: Sequence[Change], budget: float) -> list[Outcome]:
    """Try changes until so many seconds are over; print what is missed."""
    for command, answer in matrix.sound.items():
        if answer.is_fault or answer.code in {2, 4}:
            print("  fails on the sound ledger:", _describe(command, answer))
    end_time, outcomes = time.monotonic() + budget, []
    with memory_limit():
        for change in tried:
            outcomes.append(matrix.outcome(change))
            if outcomes[-1].what in {"fault", "missed"}:
                print(f"{outcomes[-1].what.upper()} {change.table}.{change.target}: {change.what}", flush=True)
                for line in outcomes[-1].shown:
                    print("    ", line, flush=True)
            if len(outcomes) % 10 == 0:
                print(f"  {len(outcomes)} of {len(tried)}: {summarize(matrix.store.name, outcomes)}", flush=True)
            if time.monotonic() > end_time:
                print(f"  stopped after {len(outcomes)} of {len(tried)}")
                break
    return outcomes


def summarize(name: str, outcomes: list[Outcome]) -> str:
    """Return the figures of a run in one line."""
    counts = Counter(outcome.what for outcome in outcomes)
    total = counts.total() - counts["refused"]
    tables = len({outcome.change.table for outcome in outcomes})
    return (
        f"{name}: {total} changes of {tables} tables: {counts['found']} found, {counts['named']} named, "
        f"{counts['no effect']} without effect, {counts['missed']} missed, {counts['fault']} faults "
        f"({counts['refused']} more that the store itself refuses)"
    )


def main() -> int:
    """Do it on the store that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", choices=["sqlite", "postgres"], default="sqlite")
    parser.add_argument("--sample", type=int, default=0, help="so many changes by chance; 0 = all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--questions", type=int, default=0, help="so many commands of those that read the table; 0 = all"
    )
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--part", default="0/1", help="of the changes: 0/2 the first half of them, 1/2 the other")
    parser.add_argument("--only", default="", help="changes of what is called so: table.column")
    parser.add_argument("--what", default="", help="changes that are described so: index, dropped, None in")
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="handledger-tampering-")))
        stack.enter_context(short_rests())
        if options.store == "sqlite":
            fill(str(folder / "x.ledger"), folder / "files")
            store: Spoiled = SpoiledSqlite(folder / "x.ledger")
        else:
            url = stack.enter_context(server())
            with psycopg.connect(url, autocommit=True) as admin:
                admin.execute("CREATE DATABASE sound")
            store = SpoiledPostgres(url, "sound")
            fill(store.url("sound"), folder / "files")
        tried = [
            change
            for change in changes(store)
            if options.only in f"{change.table}.{change.target}" and options.what in change.what
        ]
        Random(options.seed).shuffle(tried)
        number, parts = map(int, options.part.split("/"))
        tried = tried[number::parts][: options.sample or None]
        matrix = Matrix(store, options.questions)
        print("  the sound ledger was asked", flush=True)
        for command in matrix.unsteady() if not options.questions else ():
            print("  answers differ by themselves:", " ".join(command))
        outcomes = run(matrix, tried, options.seconds)
        print(summarize(store.name, outcomes))
    return 1 if {"missed", "fault"} & {outcome.what for outcome in outcomes} else 0


if __name__ == "__main__":
    sys.exit(main())
