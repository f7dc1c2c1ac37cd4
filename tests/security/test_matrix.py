"""Every table of a ledger, row by row: inserted, deleted, changed, swapped. Each is found, or the verdict names it.

The matrix is made from the schema: a table or a column that comes is in it, and fails here without a check.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ledger
from ledger.intake import import_paths
from ledger.seal import keys
from ledger.seal.note import HeldKey
from ledger.store import sealing
from ledger.store.tables import LATER, META
from tests.cli.conftest import Run
from tests.ledger.store.plain import plain_sqlite

HAND = """handscript 1
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

NAMED = {
    ("names", "insert"): "no name and no text was added",
    ("texts", "insert"): "no name and no text was added",
    ("stamps", "insert"): "",
    (
        "snapshots",
        "delete",
    ): "",  # programs keep them beside the log to be faster, and make them anew
    ("snapshots", "*"): "snapshots",
    ("tracking", "insert"): "projections have come",
    ("tracking", "delete"): "",  # it is made anew from the beginning
    ("tracking", "position"): "projections have come",
    ("tracking", "name"): "projections have come",
    ("tracking", "swap"): "projections have come",
    ("progress", "insert"): "unfinished imports",
    ("progress", "delete"): "",  # what is read again is the same
    ("progress", "upto"): "unfinished imports",
    ("progress", "state"): "unfinished imports",
    ("progress", "reader"): "unfinished imports",
    ("progress", "source"): "unfinished imports",
    ("progress", "swap"): "unfinished imports",
    ("sources", "insert"): "of which the log tells no hand",
    ("tiles", "delete"): "",  # a projection: it is grown again when the log is signed
}
"""What cannot be seen from inside, and the words of the verdict that say so; "" = nothing is lost by it."""


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A ledger in which every table holds rows, and the public key that signs it."""
    folder = tmp_path_factory.mktemp("matrix")
    file = folder / "x.ledger"
    for table in (1, 2):
        night = "\n".join(HAND.format(table=table, number=number) for number in range(10, 14))
        (folder / f"n{table}.hand").write_text(night.replace("T1", "T1"))
    (folder / "bad.hand").write_text(
        HAND.format(table=3, number=10) + "\nhand 99\nnonsense here\nend\n"
    )
    with ledger.open(file) as book:
        import_paths(book, [folder / "n1.hand", folder / "bad.hand"])
        import_paths(book, [folder / "n2.hand"], hide=True)
        keys.create(folder / "key", None)
        signer = HeldKey(sealing.origin(book, "room.example"), keys.load(folder / "key"))
        sealing.seal(book, signer, keys.Memory(folder / "key"))
        ann = book.people.called("Ann Archer")[0]
        book.erase(ann)
        sealing.seal(book, signer, keys.Memory(folder / "key"))
        assert book.verify() == []
    with plain_sqlite(file) as plain:  # what only an interrupted import and other programs leave
        plain.execute("INSERT INTO progress VALUES (1, 'other 1', 10, '{}')")
        plain.execute("INSERT INTO tracking VALUES ('theirs', 3)")
        plain.execute("INSERT INTO snapshots VALUES ('p', x'00', 1, 't', x'00')")
    with ledger.open(file, read_only=True) as book:
        assert book.verify() == []
    return file, str(signer.key)


def columns(plain: sqlite3.Connection, table: str) -> list[tuple[str, str]]:
    return [(row[1], row[2]) for row in plain.execute(f"PRAGMA table_info({table})")]


def other(value: Any) -> Any:
    """A value of the same kind that is another."""
    if isinstance(value, bytes):
        return (bytes([value[0] ^ 1]) + value[1:]) if value else b"x"
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return ("b" if value[:1] == "a" else "a") + value[1:] if value else "x"
    return 1


def mutations(plain: sqlite3.Connection, table: str) -> Iterator[tuple[str, list[tuple[str, tuple[Any, ...]]]]]:  # fmt: skip
    """Yield what is done, and the statements that do it, for the first and the last row of a table."""
    names = [name for name, _ in columns(plain, table)]
    keys_ = [row[1] for row in plain.execute(f"PRAGMA table_info({table})") if row[5]]
    rows = plain.execute(f"SELECT {', '.join(names)} FROM {table} ORDER BY {', '.join(keys_)}").fetchall()  # fmt: skip
    where = " AND ".join(f"{key} IS ?" for key in keys_)
    at = [names.index(key) for key in keys_]
    for row in dict.fromkeys((rows[0], rows[-1])) if rows else ():
        place = tuple(row[i] for i in at)
        yield "delete", [(f"DELETE FROM {table} WHERE {where}", place)]
        for index, name in enumerate(names):
            new = other(row[index])
            yield name, [(f"UPDATE {table} SET {name} = ? WHERE {where}", (new, *place))]
        ghost = list(row)
        for i in at:
            ghost[i] = other(other(ghost[i])) if not isinstance(ghost[i], int) else ghost[i] + 1000
        yield (
            "insert",
            [(f"INSERT INTO {table} VALUES ({', '.join('?' * len(names))})", tuple(ghost))],
        )
    free = [name for name in names if name not in keys_]
    if len(rows) > 1 and free:
        first, last = rows[0], rows[-1]
        said = ", ".join(f"{name} = ?" for name in free)
        picks = [names.index(name) for name in free]
        if [first[i] for i in picks] != [last[i] for i in picks]:
            yield "swap", [
                (f"UPDATE {table} SET {said} WHERE {where}", (*(source[i] for i in picks), *(target[i] for i in at)))
                for source, target in ((last, first), (first, last))
            ]  # fmt: skip


TABLES = sorted({*META.tables, *LATER.tables} - {"head"})


@pytest.mark.parametrize("table", TABLES)
def test_no_row_is_changed_unnoticed(
    table: str, sound: tuple[Path, str], tmp_path: Path, run: Run
) -> None:
    file, key = sound
    with plain_sqlite(file) as plain:
        there = plain.execute(
            "SELECT count(*) FROM sqlite_schema WHERE name = ?", (table,)
        ).fetchone()[0]
        planned = list(mutations(plain, table)) if there else []
    assert planned or table in ("stamps", "dictionaries"), (
        "the ledger of this test lacks rows of it"
    )
    unnoticed, tried = [], 0
    for number, (what, statements) in enumerate(planned):
        copy = tmp_path / f"{number}.ledger"
        shutil.copy(file, copy)
        plain = sqlite3.connect(copy)
        guards = plain.execute(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"
        ).fetchall()
        for name, _ in guards:
            plain.execute(f"DROP TRIGGER {name}")
        try:
            for sql, parameters in statements:
                plain.execute(sql, parameters)
        except sqlite3.IntegrityError:
            plain.close()
            continue  # the table itself refuses it
        for _, sql in guards:
            plain.execute(sql)
        plain.commit()
        plain.close()
        tried += 1
        told = run("verify", "--key", key, "--ledger", str(copy), "--format", "json")
        if told.code == 4 or told.code == 2:
            continue
        words = NAMED.get((table, what), NAMED.get((table, "*")))
        limits = json.loads(told.out)["not_proved"]
        if words is None or not (not words or any(words in one for one in limits)):
            unnoticed.append((what, statements[0]))
    assert not unnoticed
    assert tried or not planned
