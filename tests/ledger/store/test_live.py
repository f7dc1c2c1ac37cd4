"""Live appends of several programs to one ledger: what each promises, and what a server is asked for it."""

from __future__ import annotations

import threading
from uuid import UUID

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ledger
from ledger.chain import chain_commit
from ledger.entry import Provenance
from ledger.errors import ConflictError, StoreError
from ledger.house.events import SourceImported
from ledger.store import Ledger
from ledger.store.database.postgres import PostgresDatabase
from ledger.streams import HOUSE
from ledger.table.events import HandsMissing
from tests.ledger.store.conftest import empty_schema
from tests.ledger.store.hands import draft

STREAM = UUID(int=42)


def missing(number: int) -> HandsMissing:
    return HandsMissing(str(number))


def imported(number: int) -> SourceImported:
    return SourceImported("00" * 32, "x", "x 1", number, number, 0, 0, 0, 0, 0, 0)


def test_two_programs_on_one_stream_each_hear_what_the_other_did(url: str) -> None:
    with ledger.open(url) as first_ledger, ledger.open(url) as second_ledger:
        for number in range(6):
            (first_ledger, second_ledger)[number % 2].append("table", STREAM, [missing(number)] * (1 + number % 3))
        with pytest.raises(ConflictError, match="goes on at 13"):
            first_ledger.append("table", STREAM, [missing(9)], version=9)
        assert first_ledger.append("table", STREAM, [missing(9)], version=13).version == 13
        versions = [entry.version for entry in second_ledger.entries(STREAM)]
        assert versions == list(range(1, 14))
        assert second_ledger.verify() == []


def test_a_key_that_another_program_used_gives_its_commit(url: str) -> None:
    with ledger.open(url) as first_ledger, ledger.open(url) as second_ledger:
        first_ledger.append("table", STREAM, [missing(0)])
        second_ledger.append("table", STREAM, [missing(1)])
        provenance = Provenance(5, key="tablet-7:113")
        first = first_ledger.append("table", STREAM, [missing(2)], recorded=provenance)
        assert second_ledger.append("table", STREAM, [missing(2)], recorded=provenance) == first
        assert len(first_ledger.entries(STREAM)) == 3
        assert first_ledger.verify() == []


def test_a_stream_keeps_its_kind_whoever_writes(url: str) -> None:
    with ledger.open(url) as first_ledger, ledger.open(url) as second_ledger:
        first_ledger.append("table", STREAM, [missing(0)])
        with pytest.raises(ConflictError):
            second_ledger.append("house", STREAM, [imported(0)])
        assert second_ledger.kind_of(STREAM) == "table"


def test_who_is_new_is_in_the_vault_with_what_speaks_of_them(book: Ledger) -> None:
    book.append("table", STREAM, [missing(0)])
    person = book.people.player("room", "Ada")
    book.append("table", STREAM, [missing(1)])
    with ledger.open(book.database.address.full_url) as reopened:
        assert reopened.people.name(person) == "Ada"


@pytest.mark.postgres
@given(
    words=st.lists(
        st.tuples(
            st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20),
            st.integers(-(2**62), 2**62),
            st.binary(max_size=20),
            st.integers(1, 3),
        ),
        min_size=1,
        max_size=6,
    )
)
def test_the_server_makes_the_same_links_as_we_do(
    postgres_server: str, words: list[tuple[str, int, bytes, int]]
) -> None:
    """The position is known to the server alone, so it hashes what `ledger.chain` says is hashed."""
    global _BOOK  # noqa: PLW0603 - one ledger for all examples
    _BOOK = _BOOK or ledger.open(empty_schema(postgres_server))
    for writer, moment, marks, count in words:
        head_before = _BOOK.head()[1]
        commit = _BOOK.append(
            "table", STREAM, [missing(moment)] * count, marks=marks, recorded=Provenance(moment, writer=writer)
        )
        assert commit.hash == chain_commit(
            bytes.fromhex(head_before),
            commit.position,
            count,
            commit.code,
            STREAM.bytes,
            commit.version,
            moment,
            commit.writer[0].encode(),
            writer.encode(),
            b"",
            b"",
            0,
            0,
            marks,
            commit.data,
        )


_BOOK: Ledger | None = None


@pytest.mark.postgres
def test_a_client_has_one_connection(postgres_server: str) -> None:
    """With two each, 64 clients asked for more than the hundred that a server takes."""
    url = empty_schema(postgres_server) + "&application_name=counted"
    query = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'counted'"
    with ledger.open(url) as book, psycopg.connect(postgres_server) as outside:
        book.append_all([draft(1, book.people)])
        for number in range(3):
            book.append("table", STREAM, [missing(number)])
            assert len(book.entries(STREAM)) == number + 1
        assert outside.execute(query).fetchone() == (1,)


@pytest.mark.postgres
def test_a_client_waits_for_a_place_at_a_server_that_is_full(
    postgres_server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, tries = empty_schema(postgres_server), 0
    connect = psycopg.connect

    def full(*told: object, **named: object) -> object:
        nonlocal tries
        tries += 1
        if tries <= 3:
            raise psycopg.OperationalError("FATAL:  sorry, too many clients already")
        return connect(*told, **named)  # type: ignore[call-overload]  # whatever it was given

    monkeypatch.setattr(psycopg, "connect", full)
    ledger.open(url, timeout=5).close()
    assert tries > 3
    tries = -(10**6)
    with pytest.raises(StoreError, match="too many clients"):
        ledger.open(url, timeout=0.2)


@pytest.mark.postgres
def test_the_log_is_held_for_one_exchange(postgres_server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An append whose stream is known asks nothing while others wait."""
    with ledger.open(empty_schema(postgres_server)) as book:
        book.append("house", HOUSE, [imported(-1)])
        monkeypatch.setattr(PostgresDatabase, "read_head", None)  # what holds the log for a conversation
        for number in range(3):
            book.append("house", HOUSE, [imported(number)])
        with pytest.raises(TypeError):
            book.append_all([draft(1, book.people)])


@pytest.mark.postgres
def test_who_follows_sees_nothing_that_a_power_cut_could_take_back(postgres_server: str) -> None:
    """What a commit is that waits for no disk: seen, and waited for by whoever follows."""
    url = empty_schema(postgres_server)
    with ledger.open(url) as book, psycopg.connect(url, autocommit=True) as outside:
        outside.execute("SET synchronous_commit = off")
        outside.execute("CREATE TABLE other (number int)")

        def lsn(which: str) -> int:
            row = outside.execute(f"SELECT (pg_current_wal_{which}_lsn() - '0/0'::pg_lsn)::int8".encode()).fetchone()
            assert row is not None
            return int(row[0])

        ahead_count = 0
        for _ in range(50):
            outside.execute("INSERT INTO other VALUES (1)")
            end = lsn("insert")
            ahead_count += lsn("flush") < end
            book.database.wait_for_disk()
            assert lsn("flush") >= end - end % 8192 if end % 8192 <= 40 else lsn("flush") >= end
        assert ahead_count, "no commit was seen before it was durable: this test tells nothing"


def test_who_follows_waits_for_the_disk_before_each_commit(book: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    book.append("table", STREAM, [missing(0)])
    positions: list[int] = []
    monkeypatch.setattr(book.database, "wait_for_disk", lambda: positions.append(book.head()[0]))
    following = book.follow(stop=threading.Event())
    for number in range(1, 5):
        book.append("table", STREAM, [missing(number)])
    for commit in following:
        assert positions
        assert commit.position <= max(positions)
        if commit.position == book.head()[0]:
            break
    assert commit.position == 6
    following.close()  # type: ignore[attr-defined]  # it is a generator


@pytest.mark.postgres
def test_who_watches_hears_of_appends_after_the_connection_was_cut(postgres_server: str) -> None:
    """A server that was restarted leaves no page that says "live" and never hears again."""
    url = empty_schema(postgres_server)
    with ledger.open(url) as writes, ledger.open(url) as looks:
        event = threading.Event()
        with looks.database.watch(event.set):
            assert event.wait(10), "who begins to watch is told once"
            with psycopg.connect(postgres_server, autocommit=True) as connection:
                cut = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE query LIKE 'LISTEN %%'"
                assert connection.execute(cut).fetchone() == (1,)
            event.clear()
            assert event.wait(10), "it is said that something may have come meanwhile"
            event.clear()
            assert event.wait(10), "and again when it listens again"
            event.clear()
            writes.append("table", STREAM, [missing(1)])
            assert event.wait(10)
            assert looks.head() == writes.head()
