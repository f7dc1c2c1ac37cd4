"""Databases: words that are SQL, ledgers that somebody else laid out, two stores that must agree."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import ledger
from ledger.entry import Provenance
from ledger.errors import HandledgerError, IntegrityError
from ledger.hand.ending import RemarkNoted
from ledger.hand.opening import HandOpened, SeatDealtIn
from ledger.intake import import_paths
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.streams import hand_stream
from tests.cli.conftest import Run
from tests.intake.hands import hands
from tests.ledger.store.conftest import empty_schema, postgres_server
from tests.ledger.store.plain import plain_sqlite
from tests.security.conftest import NAMES, Hostile

__all__ = ["postgres_server"]

SQL = [
    "' OR '1'='1",
    "' OR 1=1 --",
    "'; DROP TABLE log; --",
    "%",
    "_",
    "%%",
    "\\",
    '"',
    "x' UNION SELECT value FROM about --",
    "1; DELETE FROM hands",
    "T%",
    "*",
    "?",
    ":a",
    "$1",
    "\0",
    "\ud800",
    "'||(SELECT value FROM about)||'",
]


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger with three hands."""
    folder = tmp_path_factory.mktemp("imported")
    (folder / "n.phhs").write_text(hands(1, 2, 3))
    with open_ledger(folder / "x.ledger") as book:
        import_paths(book, [folder / "n.phhs"])
    return folder / "x.ledger"


@pytest.fixture
def night(imported: Path, tmp_path: Path) -> str:
    return str(shutil.copy(imported, tmp_path / "x.ledger"))


def everything(book: Ledger) -> list[Any]:
    return [tuple(row) for row in book.hands()] + [book.head()]


@pytest.mark.parametrize("word", SQL, ids=ascii)
def test_no_filter_takes_a_word_for_sql(word: str, night: str) -> None:
    with open_ledger(night) as book:
        content_before = everything(book)
        for name in ("venue", "tournament", "table", "number", "variant", "betting", "format", "note", "beginning"):
            filters: dict[str, Any] = {name: word}
            assert list(book.hands(**filters)) == [], name
        assert book.people.find_players(word) == []
        assert book.people.find_players("Ann", word) == []
        assert everything(book) == content_before
        assert book.verify() == []


@pytest.mark.parametrize(
    "word", [pytest.param(word, marks=pytest.mark.slow if at % 4 else ()) for at, word in enumerate(SQL)], ids=ascii
)
def test_no_option_of_a_command_takes_a_word_for_sql(word: str, night: str, run: Run) -> None:
    with open_ledger(night) as book:
        content_before, secret = everything(book), book.people.secret.hex()
    for args in (
        ["log", "--table", word],
        ["log", "--venue", word],
        ["log", "--source", word],
        ["show", "--", word],
        ["show", "--", f"{word}#1"],
        ["show", "--", f"{word}:1"],
        ["audit", "-r", "hilton", "--", word],
        ["due", "-r", "hilton", "--", word],
        ["people", "list", "--", word],
        ["people", "forget", "--", word],
        ["people", "hold", "--", f"{word}/{word}"],
        ["export", "--to", "phh", "--table", word],
    ):
        result = run(*args[:1], "--ledger", night, *args[1:])
        assert result.code in (0, 2), args
        assert "fault of handledger" not in result.err
        assert secret not in result.out + result.err
        rows = [row.split() for row in result.out.splitlines() if "Ann" in row]
        assert all(args[0] == "people" and row[0].startswith(word) for row in rows), args
    with open_ledger(night) as book:
        assert everything(book) == content_before


# ledgers that somebody else laid out

HOSTILE_SQL = {
    "a view in place of the log": "ALTER TABLE log RENAME TO elsewhere; CREATE VIEW log AS SELECT * FROM elsewhere",
    "a view in place of the names": "DROP TABLE names; CREATE VIEW names AS SELECT '' AS id, '' AS venue, '' AS name",
    "a view beside": "CREATE VIEW innocent AS SELECT 1",
    "a virtual table": "CREATE VIRTUAL TABLE innocent USING fts5(words)",
    "a virtual table in place of the hands": "DROP TABLE hands; CREATE VIRTUAL TABLE hands USING fts5(position, place, number)",
    "a column that is computed": "DROP TABLE texts; CREATE TABLE texts (ref TEXT, words TEXT GENERATED ALWAYS AS (ref) STORED)",
}
HOSTILE_TRIGGERS = {
    "a trigger that deletes": "CREATE TRIGGER t AFTER INSERT ON log BEGIN DELETE FROM names; END",
    "a trigger that forges": "CREATE TRIGGER t AFTER INSERT ON names BEGIN UPDATE names SET name = 'x'; END",
    "a guard that guards nothing": "DROP TRIGGER log_unchanged; CREATE TRIGGER log_unchanged BEFORE UPDATE ON log BEGIN SELECT 1; END",
}


@pytest.mark.parametrize("object_kind", sorted(HOSTILE_SQL))
@pytest.mark.parametrize("read_only", [True, False])
def test_a_file_whose_tables_are_none_is_refused(object_kind: str, read_only: bool, night: str) -> None:
    with plain_sqlite(night) as connection:
        for name in ("log_follows", "log_unchanged", "log_kept"):
            if "the log" in object_kind:
                connection.execute(f"DROP TRIGGER {name}")
        connection.executescript(HOSTILE_SQL[object_kind])
    with pytest.raises(IntegrityError):
        open_ledger(night, read_only=read_only)


@pytest.mark.parametrize("object_kind", sorted(HOSTILE_TRIGGERS))
def test_a_file_with_foreign_triggers_is_not_written_to_and_verify_says_so(object_kind: str, night: str) -> None:
    with plain_sqlite(night) as connection:
        connection.executescript(HOSTILE_TRIGGERS[object_kind])
    with pytest.raises(IntegrityError, match="triggers"):
        open_ledger(night)
    with open_ledger(night, read_only=True) as book:
        assert {problem.code for problem in book.verify()} <= {"guard", "layout"}
        assert book.verify() != []


def test_a_schema_is_not_trusted_and_nothing_is_loaded(night: str) -> None:
    with open_ledger(night, read_only=True) as book, book.database.reading() as link:
        assert link.execute("PRAGMA trusted_schema").fetchone() == (0,)
        assert link.execute("PRAGMA query_only").fetchone() == (1,)
        with pytest.raises(Exception, match=r"not authorized|no such function|prohibited"):
            link.execute("SELECT load_extension('x')")


def test_a_journal_of_another_ledger_is_no_part_of_this_one(night: str, tmp_path: Path) -> None:
    other_path = tmp_path / "y.ledger"
    (tmp_path / "more.phhs").write_text(hands(7, 8))
    with open_ledger(other_path) as book:
        import_paths(book, [tmp_path / "more.phhs"])
        shutil.copy(f"{other_path}-wal", f"{night}-wal")
    with suppress(HandledgerError), open_ledger(night) as book:  # refused is as good
        assert book.verify() == []
        assert [row.number for row in book.hands()] == ["1", "2", "3"]


@pytest.mark.parametrize("length", [10**12, -1, 1 << 19])
def test_a_block_that_says_it_is_huge_is_not_unpacked(length: int, night: str) -> None:
    with plain_sqlite(night) as connection:
        connection.execute("UPDATE blocks SET length = ?", (length,))
    with open_ledger(night, read_only=True) as book:
        (source,) = book.sources
        with pytest.raises(IntegrityError):
            book.sources.read_all(source.digest)
        assert book.verify() != []


# the same in both stores

TEXTS = [
    "a\0b",
    "\ud800",
    "\udfff\ud800",
    "\ufdd0",
    '\ufdd0"x"',
    "e\u0301",
    "\u00e9",
    "\U0010ffff",
    "\\u0000",
    "a\u202eb",
    "'",
    '"',
    "1e400",
    "\x1b",
    "NaN",
    "-0",
    " ",
    "\ufeff",
    "x" * 70_000,
    *NAMES,
]


def texts_as_kept(book: Ledger) -> list[Any]:
    """What the ledger says of every hostile text: kept as it came, or refused, and how."""
    outcomes: list[Any] = []
    for number, text in enumerate(TEXTS):
        try:
            player, words = book.people.player("V", text), book.people.text(text)
            stream = hand_stream("V", "T", str(number), None, bytes(32))
            events = [HandOpened("V", "T", str(number), 0), SeatDealtIn(1, player, 5), RemarkNoted(words)]
            book.append("hand", stream, events, recorded=Provenance(1))
            place = hand_stream("V", text, str(number), None, bytes(32))
            book.append("hand", place, [HandOpened("V", text, str(number), 0)], recorded=Provenance(1))
            outcomes.append(
                (book.people.name(player), book.people.words(words), book.people.find_players(text) == [player])
            )
        except HandledgerError as error:
            outcomes.append(type(error).__name__)
    rows = sorted((row.table, row.number) for row in book.hands())
    return [outcomes, rows, [commit.data for commit in book.commits() if commit.kind == "hand"]]


def stores(tmp_path: Path, server: str) -> list[Callable[[], str]]:
    return [lambda: f"sqlite:///{tmp_path / secrets.token_hex(4)}", lambda: empty_schema(server)]


@pytest.mark.postgres
def test_both_stores_keep_and_refuse_the_same_texts(tmp_path: Path, postgres_server: str) -> None:
    results, secret = [], "07" * 32
    for place in stores(tmp_path, postgres_server):
        with ledger.open(place()) as book:
            book.people.ids.secret = bytes.fromhex(secret)  # or every id would differ
            results.append(texts_as_kept(book))
            assert {p.code for p in book.verify()} <= {"name", "text"}, "but for the borrowed secret"
    assert results[0] == results[1]


def test_a_hostile_night_verifies(hostile: Hostile) -> None:
    with open_ledger(hostile.url, read_only=True) as book:
        assert book.verify() == []
        assert len(list(book.hands())) == hostile.hands
