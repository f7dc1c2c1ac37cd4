"""Whatever is changed behind the ledger's back is found, and where it is."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import psycopg
import pytest

import ledger
from ledger.errors import HandledgerError
from ledger.store import Ledger
from ledger.table.events import HandsMissing
from tests.ledger.store.conftest import Clock, empty_schema
from tests.ledger.store.hands import draft
from tests.ledger.store.plain import plain_sqlite


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sound") / "x.ledger"
    with ledger.open(path, clock=Clock()) as book:
        digest = book.sources.store(b"the original bytes" * 100)
        drafts = [draft(n, book.people) for n in range(20)]
        place = drafts[0].recorded.source._replace(source=digest)
        drafts[0] = drafts[0]._replace(recorded=drafts[0].recorded._replace(source=place))
        book.append_all(drafts)
        book.append_all([draft(3, book.people, amount=300)])
        for number in range(3):
            book.append("table", drafts[0].stream.__class__(int=5), [HandsMissing(str(number))])
        assert book.verify() == []
    return path


@pytest.fixture
def file(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(sound, tmp_path))


def tampered(file: Path, *statements: str) -> list[tuple[int | None, str]]:
    """What a verification finds after an insider with full rights did this."""
    with plain_sqlite(file) as connection:
        for name in ("log_unchanged", "log_kept", "log_follows"):
            connection.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            connection.execute(statement)
    connection.close()
    with ledger.open(file, read_only=True) as book:
        return [(p.position, p.code) for p in book.verify() if p.code != "guard"]


@pytest.mark.parametrize(
    ("statement", "position", "code"),
    [
        ("UPDATE log SET data = replace(data, 'Folded', 'Checked') WHERE position = 8", 8, "hash"),
        ("UPDATE log SET at = at + 1 WHERE position = 15", 15, "hash"),
        ("UPDATE log SET marks = x'00' WHERE position = 15", 15, "hash"),
        ("UPDATE log SET key = 'other' WHERE position = 15", 15, "hash"),
        ("UPDATE log SET start = start + 1 WHERE position = 15", 15, "hash"),
        ("UPDATE log SET hash = zeroblob(32) WHERE position = 15", 15, "hash"),
        ("UPDATE log SET source = 9 WHERE position = 15", 15, "source"),
        ("UPDATE log SET writer = 9 WHERE position = 15", 15, "writer"),
        ("UPDATE log SET kind = 9 WHERE position = 15", 15, "kind"),
        ("UPDATE log SET data = '[[' WHERE position = 15", 15, "json"),
        ("UPDATE log SET data = '[]' WHERE position = 15", 15, "count"),
        ("UPDATE log SET data = replace(data, '[\"Folded\"', '[\"Floated\"') WHERE position = 15", 13, "unknown-event"),
        ("UPDATE log SET stream = zeroblob(16), version = 7 WHERE position = 15", 15, "version"),
        ("DELETE FROM log WHERE position = 15", 22, "position"),
        ("UPDATE writers SET by = 'somebody else' WHERE by = 'import'", 8, "hash"),
        ("UPDATE sources SET digest = zeroblob(32) WHERE id = 1", 8, "hash"),
        ("DELETE FROM hands WHERE position = 15", 15, "index"),
        ("UPDATE hands SET account = 9 WHERE position = 15", 15, "index"),
        ("UPDATE hands SET note = 'voided' WHERE position = 15", 15, "index"),
        ("UPDATE places SET name = 'Other'", 8, "index"),
        (
            "INSERT INTO hands SELECT 14, place, 'n', 1, started, variant, betting, format, note FROM hands LIMIT 1",
            14,
            "index",
        ),
        (
            "INSERT INTO hands SELECT 151, place, 'n', 1, started, variant, betting, format, note FROM hands LIMIT 1",
            151,
            "index",
        ),
        ("UPDATE log SET version = version + 1 WHERE position = 151", 151, "version"),
        ("UPDATE log SET key = '' WHERE position = 15", 15, "row"),
        ("UPDATE log SET start = NULL WHERE position = 8", 8, "row"),
        ("DELETE FROM blocks", None, "source"),
        ("UPDATE blocks SET data = zeroblob(20)", None, "source"),
        ("INSERT INTO tracking VALUES ('x', 100000)", None, "projection"),
    ],
)
def test_each_change_is_found_where_it_is(file: Path, statement: str, position: int | None, code: str) -> None:
    assert (position, code) in tampered(file, statement)


def test_a_block_that_is_there_twice_is_found(file: Path) -> None:
    with plain_sqlite(file) as connection:
        connection.execute("CREATE TABLE bare AS SELECT * FROM blocks")  # without the key that forbids it
        connection.execute("INSERT INTO bare SELECT * FROM blocks LIMIT 1")
        connection.execute("DROP TABLE blocks")
        connection.execute("ALTER TABLE bare RENAME TO blocks")
    connection.close()
    with ledger.open(file, read_only=True) as book:
        assert "has 2 blocks that begin at byte 0" in " ".join(problem.reason for problem in book.verify())


def test_commits_that_changed_places_are_found(file: Path) -> None:
    problems = tampered(
        file,
        "UPDATE log SET position = 100000 WHERE position = 8",
        "UPDATE log SET position = 8 WHERE position = 15",
        "UPDATE log SET position = 15 WHERE position = 100000",
    )
    assert {(8, "hash"), (15, "hash")} <= set(problems)


def test_a_guard_that_is_gone_is_found(file: Path) -> None:
    with plain_sqlite(file) as connection:
        connection.execute("DROP TRIGGER log_kept")
    connection.close()
    with ledger.open(file, read_only=True) as book:
        assert [p.code for p in book.verify()] == ["guard"]


def test_every_flipped_bit_of_the_log_is_found(file: Path) -> None:
    """Bits inside the stored events, marks and hashes of commits."""
    raw = file.read_bytes()
    with plain_sqlite(file) as connection:
        rows = connection.execute("SELECT CAST(data AS BLOB), hash FROM log").fetchall()
    connection.close()
    dice = random.Random(11)
    for number in range(40):
        value = dice.choice(dice.choice(rows))
        offset = raw.index(value) + dice.randrange(len(value))
        flipped = bytearray(raw)
        flipped[offset] ^= 1 << dice.randrange(8)
        damaged = file.with_name(f"{number}.ledger")
        damaged.write_bytes(flipped)
        with ledger.open(damaged, read_only=True) as book:
            assert book.verify(), f"bit of byte {offset}"


def test_a_file_cut_short_or_overwritten_ends_in_our_own_words(file: Path) -> None:
    raw = file.read_bytes()
    dice = random.Random(12)
    for number in range(30):
        damaged = bytearray(raw)
        if number % 3 == 0:
            damaged = damaged[: dice.randrange(len(raw))]
        else:
            start = dice.randrange(len(raw) - 600)
            damaged[start : start + 600] = dice.randbytes(600)
        path = file.with_name(f"{number}.ledger")
        path.write_bytes(damaged)
        try:
            with ledger.open(path, create=False) as book:
                list(book.commits())
                list(book.hands())
                book.verify()
                book.append_all([draft(99, book.people)])
        except HandledgerError:
            continue


@pytest.mark.postgres
def test_changes_on_a_server_are_found(postgres_server: str) -> None:
    url = empty_schema(postgres_server)
    with ledger.open(url) as book:
        book.append_all([draft(n, book.people) for n in range(20)])
        with psycopg.connect(url) as insider:
            insider.execute("ALTER TABLE log DISABLE TRIGGER log_unchanged")
            insider.execute("UPDATE log SET at = 5 WHERE position = 15")
            insider.execute("UPDATE head SET position = 7")
        assert {(p.position, p.code) for p in book.verify()} == {(None, "guard"), (15, "hash"), (141, "head")}


def test_an_empty_ledger_holds(book: Ledger) -> None:
    assert book.verify() == []
