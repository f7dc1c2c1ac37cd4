"""What an adversary with the database does to single rows, made from the schema: `python -m tests.torture.matrix`.

Every table by a row put in, taken out, its key moved; every column by another value, nothing, NULL or '' for one
another, a number below zero, two rows' values exchanged. Guards are put back afterwards, as somebody would who
does not want to be noticed. Each must be found by `verify`, or named by its verdict as out of its reach.
"""

from __future__ import annotations

import shutil
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

import psycopg
import pytest

import ledger
from cli.verify import verify_ledger
from ledger.errors import HandledgerError
from ledger.intake import ImportOptions, import_paths
from ledger.seal import keys
from ledger.seal.note import HeldKey
from ledger.store.database.tables import LATER_TABLES, META
from ledger.store.log import compression
from ledger.store.requests.erasure import erase
from ledger.store.seals import sealer, time_stamps
from projections.books.adoption import AdoptionScope, adopt_rulebook
from tests.authority import Authority
from tests.ledger.store.conftest import empty_schema
from tests.postgres import NoPostgresError, server

HAND: Final = """handscript 1
venue "Case Room" table T{table} seats 9
witness everything
game holdem no-limit cash blinds 1/2 unit chips 0

hand {number} 2026-11-20T22:{number}:00-05:00
seat 1 "Ann Archer" 200
seat 2 Bob 200
seat 3 Cyd 200
button 1
2 posts small 1
3 posts big 2
1 gets AhKd
2 gets 7c2d
3 gets QsQc
deal done
remark "Ann Archer asked for the floor"
1 folds
2 folds
3 uncalled 1
3 wins 2
end
"""

BOOK: Final = """[rulebook]
title = "Ours"
edition = "1"
source = "House rules"
extends = "{base}"
"""

KNOWN_WORDS: Final = {
    ("names", "insert"): "no unused name or text was added",
    ("texts", "insert"): "no unused name or text was added",
    ("stamps", "delete"): "no cosignature or time stamp was removed",
    ("stamps", "answer"): "time stamp was removed or swapped",
    ("stamps", "swap"): "time stamp was removed or swapped",
    ("snapshots", "*"): "other programs' snapshots",
    ("tracking", "*"): "projections (",
    ("progress", "*"): "unfinished imports",
    ("sources", "insert"): "sources without a hand in the log",
    ("rulebooks", "delete"): "rulebooks that the log names and the ledger lacks",
}
"""What cannot be seen from inside, and the words of the verdict that say so."""

TABLES: Final = {**META.tables, **LATER_TABLES.tables}
Statement = tuple[str, tuple[Any, ...]]


class Deed(NamedTuple):
    """What is done: to which table, of which kind, and the statements that do it."""

    table: str
    what: str
    statements: list[Statement]


class Store(Protocol):
    """A sound ledger, and copies of it to be spoiled."""

    tables: list[str]

    def rows(self, table: str) -> list[tuple[Any, ...]]:
        """Every row, ordered by the key."""

    @contextmanager
    def spoiled(self, statements: list[Statement]) -> Iterator[str | None]:
        """Give the address of a ledger to which this was done; None where the table itself refuses it."""


class Sqlite:
    """A file; each copy is another file."""

    tables: Final = sorted(TABLES.keys() - {"head"})

    def __init__(self, file: Path) -> None:
        self.file = file

    def rows(self, table: str) -> list[tuple[Any, ...]]:
        connection = sqlite3.connect(self.file)
        try:
            return connection.execute(select(table)).fetchall()
        finally:
            connection.close()

    @contextmanager
    def spoiled(self, statements: list[Statement]) -> Iterator[str | None]:
        copy = self.file.with_name("copy.ledger")
        shutil.copy(self.file, copy)
        connection = sqlite3.connect(copy)
        guards = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in guards:
            connection.execute(f"DROP TRIGGER {name}")
        is_done = True
        try:
            for sql, parameters in statements:
                connection.execute(sql, parameters)
        except sqlite3.IntegrityError:
            is_done = False
        for _, sql in guards:
            connection.execute(sql)
        connection.commit()
        connection.close()
        yield str(copy) if is_done else None
        for path in copy.parent.glob("copy.ledger*"):
            path.unlink()


class Postgres:
    """A schema; what was done to a table is undone by putting its rows back."""

    tables: Final = sorted(TABLES)

    def __init__(self, url: str) -> None:
        self.url = url
        self.plain = psycopg.connect(url, autocommit=True)
        self.plain.execute("SET session_replication_role = replica")  # neither guards nor foreign keys

    def rows(self, table: str) -> list[tuple[Any, ...]]:
        return self.plain.execute(select(table).encode()).fetchall()

    @contextmanager
    def spoiled(self, statements: list[Statement]) -> Iterator[str | None]:
        tables = {sql.split(" ")[1 if sql.startswith("UPDATE") else 2] for sql, _ in statements}
        kept_rows = {table: self.rows(table) for table in tables}
        is_done = True
        try:
            with self.plain.transaction():
                for sql, parameters in statements:
                    self.plain.execute(sql.replace(" IS ?", " = ?").replace("?", "%s").encode(), parameters)
        except psycopg.errors.IntegrityError:
            is_done = False
        try:
            yield self.url if is_done else None
        finally:
            for table in tables if is_done else ():
                self._put_back(table, kept_rows[table])

    def _put_back(self, table: str, rows: list[tuple[Any, ...]]) -> None:
        with self.plain.transaction():
            self.plain.execute(f"DELETE FROM {table}".encode())
            for row in rows:
                marks = ", ".join(["%s"] * len(row))
                self.plain.execute(f"INSERT INTO {table} VALUES ({marks})".encode(), row)


def select(table: str) -> str:
    names = ", ".join(column.name for column in TABLES[table].columns)
    return f"SELECT {names} FROM {table} ORDER BY {', '.join(c.name for c in TABLES[table].primary_key.columns)}"


def filled(url: str, folder: Path, authority: Authority) -> str:
    """Make a ledger in which every table holds rows; return the public key that signs it."""
    for table in (11, 12):
        night = "\n".join(HAND.format(table=table, number=number) for number in range(10, 14))
        (folder / f"n{table}.hand").write_text(night)
    (folder / "bad.hand").write_text(HAND.format(table=13, number=10) + "\nhand 99\nnonsense here\nend\n")
    (folder / "more.hand").write_text("\n".join(HAND.format(table=14, number=number) for number in range(10, 22)))
    with ledger.open(url) as book, pytest.MonkeyPatch.context() as patch:
        patch.setattr(compression, "_MIN_SAMPLES", 20)  # a dictionary from few hands: each mutant is verified whole
        import_paths(book, [folder / "n11.hand", folder / "bad.hand"])
        import_paths(book, [folder / "more.hand"], ImportOptions(compress=True))
        import_paths(book, [folder / "n12.hand"], ImportOptions(hide_cards=True))
        keys.create_key(folder / "key", None)
        signer = HeldKey(sealer.origin(book, "room.example"), keys.load_key(folder / "key"))
        sealer.seal(book, signer, keys.SignatureMemory(folder / "key"))
        erase(book, book.people.find_players("Ann Archer")[0])
        sealer.seal(book, signer, keys.SignatureMemory(folder / "key"))
        (folder / "ours.toml").write_text(BOOK.format(base="rrop4@4-r1"))
        (folder / "theirs.toml").write_text(BOOK.format(base="ours.toml"))
        adopt_rulebook(book, str(folder / "theirs.toml"), AdoptionScope("", "", None))
        for _ in range(2):
            time_stamps.add_stamp(book, authority.answer(time_stamps.request_stamp(book)), [authority.root.certificate])
        with book.writing() as link:  # what only an interrupted import and other programs leave
            link.execute("INSERT INTO progress VALUES (1, 'other 1', 10, '{}')")
            link.execute("INSERT INTO tracking VALUES ('theirs', 3)")
            link.execute("INSERT INTO snapshots VALUES ('p', ?, 1, 't', ?)", (b"\0", b"\0"))
        assert book.verify() == []
    return str(signer.key)


def other_values(value: Any, *, nullable: bool) -> list[Any]:
    """Values in the place of this one: another of its kind, none, nothing, one below zero."""
    candidates: list[Any] = [None] if nullable and value is not None else []
    if isinstance(value, bytes):
        flips = {0, len(value) // 2, len(value) - 1} if value else ()
        candidates += [value[:i] + bytes([value[i] ^ 1]) + value[i + 1 :] for i in flips]
        candidates.append(b"" if value else b"x")
    elif isinstance(value, int):
        candidates += [value + 1, -value - 1]
    elif isinstance(value, str):
        candidates += [("b" if value[:1] == "a" else "a") + value[1:], value + " ", ""] if value else ["x"]
    return [candidate for candidate in candidates if candidate != value]


def moved(value: Any, step: int) -> Any:
    """A value of a key that nothing has yet."""
    if isinstance(value, int):
        return value + step if step > 0 else step - value
    return value + value[:1] if step > 0 else other_values(value, nullable=False)[0]


def deeds(store: Store, table: str) -> Iterator[Deed]:
    """Yield what is done to the first and the last row of a table."""
    columns = list(TABLES[table].columns)
    names = [column.name for column in columns]
    keys_ = [column.name for column in TABLES[table].primary_key.columns]
    indexes = [names.index(key) for key in keys_]
    text = " AND ".join(f"{key} IS ?" for key in keys_)
    rows = store.rows(table)
    for row in dict.fromkeys((rows[0], rows[-1])) if rows else ():
        place = tuple(row[i] for i in indexes)
        yield Deed(table, "delete", [(f"DELETE FROM {table} WHERE {text}", place)])
        for index, column in enumerate(columns):
            empty = [""] if row[index] is None and str(column.type) == "TEXT" else [0] if row[index] is None else []
            if row[index] is None and str(column.type) == "BLOB":
                empty = [b""]
            for new in empty or other_values(row[index], nullable=bool(column.nullable)):
                yield Deed(table, column.name, [(f"UPDATE {table} SET {column.name} = ? WHERE {text}", (new, *place))])
        for step in (1, 1000, -1):
            ghost = [moved(cell, step) if i in indexes else cell for i, cell in enumerate(row)]
            marks = ", ".join("?" * len(names))
            yield Deed(table, "insert", [(f"INSERT INTO {table} VALUES ({marks})", tuple(ghost))])
    free = [name for name in names if name not in keys_]
    for column_names in [free, *([name] for name in free if len(free) > 1)] if len(rows) > 1 and free else ():
        yield from swapped(table, text, indexes, [names.index(name) for name in column_names], rows)


JOINT_DEEDS: Final = [
    Deed(
        "sources",
        "bytes taken away",
        [("DELETE FROM blocks WHERE source = ?", (1,)), ("UPDATE sources SET length = ? WHERE id = ?", (None, 1))],
    ),
    Deed("tiles", "all taken away", [("DELETE FROM tiles WHERE level >= ?", (0,))]),
    Deed(
        "erased",
        "back again",
        [
            ("DELETE FROM erased WHERE id <> ?", ("",)),
            ("INSERT INTO names VALUES (?, ?, ?)", ("a" * 16, "Case Room", "Ann Archer")),
        ],
    ),
    Deed(
        "checkpoints",
        "all taken away",
        [
            ("DELETE FROM stamps WHERE size > ?", (0,)),
            ("DELETE FROM checkpoints WHERE size > ?", (0,)),
            ("DELETE FROM tiles WHERE level >= ?", (0,)),
        ],
    ),
    Deed("openings", "a player's key and cards", [("DELETE FROM openings WHERE commitment <> ?", ("",))]),
    Deed("hands", "the index emptied", [("DELETE FROM hands WHERE position > ?", (0,))]),
]
"""What takes more than one row."""


def swapped(
    table: str, description: str, key_indexes: list[int], picks: list[int], rows: Sequence[tuple[Any, ...]]
) -> Iterator[Deed]:
    """Exchange what two rows say in some columns, if they say different things."""
    names = [column.name for column in TABLES[table].columns]
    first = rows[0]
    other_row = next((row for row in reversed(rows) if any(row[i] != first[i] for i in picks)), None)
    if other_row is None:
        return
    text = ", ".join(f"{names[i]} = ?" for i in picks)
    yield Deed(
        table,
        "swap" if len(picks) > 1 else names[picks[0]],
        [
            (
                f"UPDATE {table} SET {text} WHERE {description}",
                (*(source[i] for i in picks), *(target[i] for i in key_indexes)),
            )
            for source, target in ((other_row, first), (first, other_row))
        ],
    )


def judged(deed: Deed, url: str, key: str) -> str:
    """Say what came of a deed: found, named, or missed."""
    try:
        with ledger.open(url, read_only=True) as book:
            verify_document = verify_ledger(book, [], [key], None)
    except HandledgerError:
        return "found"  # not even opened
    if not verify_document.sound:
        return "found"
    words = KNOWN_WORDS.get((deed.table, deed.what), KNOWN_WORDS.get((deed.table, "*")))
    return "named" if words and any(words in sentence for sentence in verify_document.not_proved) else "missed"


def main() -> int:
    """Do it all, on SQLite and, where there is a server to start, on PostgreSQL; count what came of it."""
    missed = 0
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="handledger-matrix-")))
        authority = Authority(folder / "tsa")
        stores: list[tuple[str, Store, str]] = []
        (folder / "files").mkdir()
        key = filled(str(folder / "files" / "x.ledger"), folder / "files", authority)
        stores.append(("SQLite", Sqlite(folder / "files" / "x.ledger"), key))
        try:
            url = empty_schema(stack.enter_context(server()))
            (folder / "server").mkdir()
            key = filled(url, folder / "server", authority)
            stores.append(("PostgreSQL", Postgres(url), key))
        except NoPostgresError as error:
            print(f"PostgreSQL: not done ({error})")
        for name, store, key in stores:
            counts: Counter[str] = Counter()
            for table in [*store.tables, ""]:
                for deed in deeds(store, table) if table else JOINT_DEEDS:
                    with store.spoiled(deed.statements) as spoilt:
                        verdict = "refused" if spoilt is None else judged(deed, spoilt, key)
                    counts[verdict] += 1
                    if verdict == "missed":
                        print(f"{name}: {deed.table} {deed.what}: {deed.statements}")
            missed += counts["missed"]
            total = counts.total() - counts["refused"]
            print(
                f"{name}: {total} changes of {len(store.tables)} tables: {counts['found']} found, "
                f"{counts['named']} named by the verdict, {counts['missed']} missed "
                f"({counts['refused']} more that the table itself refuses)"
            )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
