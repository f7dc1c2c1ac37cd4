"""Original bytes: kept once, given back to the byte, sliced without unpacking all."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Iterator
from hashlib import sha256

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ledger
from ledger.errors import NothingFoundError, UsageError
from ledger.store import Ledger
from ledger.store.log.stored_sources import BLOCK_BYTES
from tests.ledger.store.hands import SOURCE, draft

TEXT = random.Random(7).randbytes(BLOCK_BYTES // 2) + b"PokerStars Hand #1: Hold'em\r\n" * 40_000


@pytest.mark.parametrize(
    "data", [b"", b"x", TEXT, TEXT[:BLOCK_BYTES], TEXT[: 2 * BLOCK_BYTES], TEXT[: BLOCK_BYTES + 1]]
)
def test_bytes_come_back_as_they_were(book: Ledger, data: bytes) -> None:
    digest = book.sources.store(data)
    assert digest == book.people.source_id(sha256(data).digest())[0].hex() != sha256(data).hexdigest()
    assert book.sources.read_all(digest) == data
    assert book.sources.length(digest) == len(data)
    assert book.verify() == []


def test_the_same_bytes_are_kept_once_however_they_come(book: Ledger) -> None:
    pieces = [TEXT[index : index + 70_001] for index in range(0, len(TEXT), 70_001)]
    assert book.sources.store(iter(pieces)) == book.sources.store(TEXT) == book.sources.store(iter(pieces))
    assert [row.length for row in book.sources] == [len(TEXT)]
    with book.database.reading() as link:
        count = link.execute("SELECT count(*) FROM blocks").fetchone()[0]
    assert count == -(-len(TEXT) // BLOCK_BYTES)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(start=st.integers(-5, len(TEXT) + 5), length=st.integers(0, 3 * BLOCK_BYTES))
def test_a_slice_is_the_slice_of_the_bytes(kept: tuple[Ledger, str], start: int, length: int) -> None:
    book, digest = kept
    expected = TEXT[start : start + length] if start >= 0 else b""
    assert book.sources.slice(digest, start, length) == expected


@pytest.fixture
def kept() -> Iterator[tuple[Ledger, str]]:
    with ledger.open("sqlite://") as book:
        yield book, book.sources.store(TEXT)


def test_a_source_named_before_its_bytes_came_is_one_source(book: Ledger) -> None:
    digest = book.people.source_id(sha256(TEXT).digest())[0].hex()
    hand_draft = draft(1, book.people)
    place = hand_draft.recorded.source._replace(source=digest)
    book.append_all([hand_draft._replace(recorded=hand_draft.recorded._replace(source=place))])
    assert not book.sources.has_bytes(digest)
    with pytest.raises(NothingFoundError):
        book.sources.read_all(digest)
    book.sources.store(iter([TEXT]))
    assert book.sources.slice(digest, 3, 9) == TEXT[3:12]
    assert next(book.hands()).source == digest
    assert book.verify() == []


def test_a_source_that_breaks_off_leaves_nothing(book: Ledger) -> None:
    def broken() -> Iterator[bytes]:
        yield TEXT
        raise OSError("the stick was pulled")

    with pytest.raises(OSError, match="pulled"):
        book.sources.store(broken())
    assert list(book.sources) == []
    with book.database.reading() as link:
        assert link.execute("SELECT count(*) FROM blocks").fetchone()[0] == 0


def test_what_a_crash_left_behind_is_cleared_a_day_later(book: Ledger) -> None:
    for age, left_count in ((0, 2), (25 * 3600 * 1000, 1)):
        with book.writing() as link:
            link.execute("DELETE FROM sources WHERE digest IS NULL")
            link.execute(
                "INSERT INTO sources (id, digest, length, name) VALUES (77, NULL, NULL, ?)",
                (f"staged {book.now() - age}",),
            )
        book.sources.store(b"x%d" % age)
        with book.database.reading() as link:
            count = link.execute("SELECT count(*) FROM sources WHERE digest IS NULL").fetchone()[0]
        assert count == left_count - 1


def test_an_unknown_source_is_said_so(book: Ledger) -> None:
    with pytest.raises(NothingFoundError):
        book.sources.slice(SOURCE, 0, 5)
    for wrong in ("", "zz", "ab", SOURCE + "00", "' OR 1=1"):
        with pytest.raises(UsageError, match="SHA-256"):
            book.sources.read_all(wrong)


@pytest.mark.slow
def test_a_large_file_needs_little_memory(tmp_path: object) -> None:
    piece = b"".join(b"PokerStars Hand #%d: Hold'em No Limit\r\n" % n for n in range(25_000))

    def large() -> Iterator[bytes]:
        for _ in range(200):
            yield piece

    with ledger.open(f"{tmp_path}/large.ledger") as book:
        tracemalloc.start()
        digest = book.sources.store(large())
        assert book.sources.slice(digest, 150 * len(piece), 500) == piece[:500]
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < 20_000_000
