"""Compressed events: less room, nothing else is different."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import ledger
from ledger.errors import ConflictError, IntegrityError
from ledger.store import Ledger
from ledger.table.events import HandsMissing
from tests.ledger.store.conftest import Clock
from tests.ledger.store.hands import draft
from tests.ledger.store.plain import plain_sqlite


def codecs(book: Ledger) -> list[int]:
    """The codec of each commit of a hand."""
    with book.database.reading() as link:
        rows = link.execute("SELECT codec FROM log WHERE kind = 1 ORDER BY position").fetchall()
    return [row[0] for row in rows]


def filled(book: Ledger) -> Ledger:
    """Twenty plain hands, 250 compressed ones, ten plain ones."""
    book.append_all([draft(n, book.people) for n in range(20)])
    with book.bulk(compress=True):
        book.append_all([draft(n, book.people) for n in range(20, 270)])
    book.append_all([draft(n, book.people) for n in range(270, 280)])
    assert codecs(book) == [0] * 20 + [1] * 250 + [0] * 10
    return book


def test_a_compressed_ledger_says_and_proves_the_same_as_a_plain_one(new_url: Callable[[], str]) -> None:
    with ledger.open(new_url(), clock=Clock(), announce=False) as plain_ledger:
        people = plain_ledger.people
        drafts = [draft(n, people) for n in range(300)]
        plain_ledger.append_all(drafts)
        expected = list(plain_ledger.commits())
    with ledger.open(new_url(), clock=Clock(), announce=False) as packed:
        with packed.bulk(compress=True):
            packed.append_all(drafts)
        assert set(codecs(packed)) == {1}
        assert list(packed.commits()) == expected
        assert packed.head() == (expected[-1].position, expected[-1].hash.hex())
        assert packed.entries(drafts[7].stream)[3].event == plain_ledger.mapper.decode("hand", drafts[7].data)[3]
        assert {p.code for p in packed.verify()} == {"name"}, "the names stand in the other ledger"


def test_plain_and_compressed_rows_stand_in_one_ledger(book: Ledger) -> None:
    filled(book)
    assert book.verify() == []
    drafts = [draft(n, book.people) for n in (5, 100, 275)]
    assert [o.state for o in book.append_all(drafts)] == ["same"] * 3
    with book.bulk(compress=True):
        assert [o.state for o in book.append_all(drafts)] == ["same"] * 3
    assert book.reindex() == 280
    assert book.verify() == []


def test_other_words_at_the_place_of_a_compressed_row_are_a_conflict(book: Ledger) -> None:
    filled(book)
    altered_draft = draft(100, book.people)._replace(data=draft(101, book.people).data)
    with pytest.raises(ConflictError):
        book.append_all([altered_draft])


def test_a_dictionary_is_made_once_and_found_again(url: str) -> None:
    with ledger.open(url) as book:
        filled(book)
    with ledger.open(url) as book:
        with book.bulk(compress=True):
            book.append_all([draft(n, book.people) for n in range(300, 303)])
        assert codecs(book)[-3:] == [1] * 3
        with book.database.reading() as link:
            assert link.execute("SELECT count(*) FROM dictionaries").fetchone()[0] == 1
        assert book.verify() == []


def test_too_few_commits_stay_plain_until_there_are_enough(book: Ledger) -> None:
    with book.bulk(compress=True):
        for start in range(0, 300, 50):
            book.append_all([draft(n, book.people) for n in range(start, start + 50)])
    assert codecs(book) == [0] * 150 + [1] * 150
    assert book.verify() == []


def test_a_dictionary_of_a_transaction_that_failed_is_not_remembered(book: Ledger) -> None:
    drafts = [draft(n, book.people) for n in range(250)]
    wrong = drafts[0]._replace(version=7)
    with book.bulk(compress=True):
        with pytest.raises(ConflictError):
            book.append_all([*drafts, wrong])
        book.append_all(drafts)
    assert set(codecs(book)) == {1}
    assert book.verify() == []


def test_a_live_act_in_the_middle_of_an_import_is_plain(book: Ledger) -> None:
    filled(book)
    with book.bulk(compress=True):
        commit = book.append("table", draft(1, book.people).stream.__class__(int=5), [HandsMissing("1")])
    with book.database.reading() as link:
        row = link.execute("SELECT codec FROM log WHERE position = ?", (commit.position,)).fetchone()
    assert row[0] == 0


def test_the_view_shows_plain_events_and_says_which_are_compressed(book: Ledger) -> None:
    filled(book)
    sql = "SELECT position, version, type, data FROM events WHERE kind = 'hand' ORDER BY position"
    with book.database.reading() as link:
        rows = link.execute(sql).fetchall()
    assert [row[0] for row in rows] == list(range(2, 2 + 280 * 7))
    assert [row[1] for row in rows] == [1, 2, 3, 4, 5, 6, 7] * 280
    hidden = [row for row in rows if row[3] is None]
    assert len(hidden) == 250 * 7
    assert {row[2] for row in hidden} == {"(compressed)"}
    assert rows[3][2] == "Raised"


def test_dictionaries_stay_as_they_are(book: Ledger) -> None:
    filled(book)
    for sql in ("UPDATE dictionaries SET data = digest", "DELETE FROM dictionaries"):
        with pytest.raises(IntegrityError, match="stays as it is"), book.writing() as link:
            link.execute(sql)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sound") / "x.ledger"
    with ledger.open(path, clock=Clock()) as book:
        filled(book)
    return path


@pytest.fixture
def file(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(sound, tmp_path))


def test_plain_sqlite_shows_the_plain_rows(file: Path) -> None:
    with plain_sqlite(file) as connection:
        types = connection.execute("SELECT type, count(*) FROM events GROUP BY type").fetchall()
        (data,) = connection.execute("SELECT data FROM log WHERE position = 8").fetchone()
    connection.close()
    assert dict(types)["HandOpened"] == 30
    assert dict(types)["(compressed)"] == 250 * 7
    assert isinstance(data, str)


@pytest.mark.parametrize(
    ("statement", "position", "code"),
    [
        ("UPDATE log SET data = zeroblob(30) WHERE position = 701", 701, "codec"),
        ("UPDATE log SET codec = 0 WHERE position = 701", 701, "hash"),
        ("UPDATE log SET codec = 2 WHERE position = 701", 701, "codec"),
        ("UPDATE log SET codec = 1 WHERE position = 8", 8, "codec"),
        ("UPDATE log SET data = (SELECT data FROM log WHERE position = 708) WHERE position = 701", 701, "hash"),
        ("UPDATE dictionaries SET data = zeroblob(9)", None, "dictionary"),
        ("UPDATE dictionaries SET data = zeroblob(9)", 701, "codec"),
        ("DELETE FROM dictionaries", 701, "codec"),
    ],
)
def test_damage_of_compressed_rows_is_found_where_it_is(
    file: Path, statement: str, position: int | None, code: str
) -> None:
    with plain_sqlite(file) as connection:
        for name in ("log_unchanged", "dictionary_unchanged", "dictionary_kept"):
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(statement)
    connection.close()
    with ledger.open(file, read_only=True) as book:
        assert (position, code) in {(p.position, p.code) for p in book.verify()}
        if position == 701 and code == "codec":
            with pytest.raises(IntegrityError, match=r"dictionary|compressed"):
                list(book.commits())


@pytest.mark.slow
def test_a_flipped_bit_of_a_compressed_row_is_found_in_its_row(file: Path) -> None:
    """Unless the text that comes out is the same, bit for bit: then nothing that is said changed."""
    raw = file.read_bytes()
    with plain_sqlite(file) as connection:
        rows = connection.execute("SELECT position, data FROM log WHERE codec = 1").fetchall()
    connection.close()
    with ledger.open(file, read_only=True) as book:
        texts = {commit.position: commit.data for commit in book.commits()}
    dice = random.Random(13)
    found_count = 0
    for number in range(40):
        position, value = dice.choice(rows)
        offset = raw.index(value) + dice.randrange(len(value))
        flipped = bytearray(raw)
        flipped[offset] ^= 1 << dice.randrange(8)
        damaged = file.with_name(f"{number}.ledger")
        damaged.write_bytes(flipped)
        with ledger.open(damaged, read_only=True) as book:
            problems = {p.position for p in book.verify()}
            if position in problems:
                found_count += 1
                continue
            assert {c.position: c.data for c in book.commits()} == texts
    assert found_count > 30
