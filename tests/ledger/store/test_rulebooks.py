"""Files of rulebooks beside the log, in SQLite and PostgreSQL alike."""

from __future__ import annotations

from hashlib import sha256

import pytest

from ledger.entry import Provenance
from ledger.errors import IntegrityError
from ledger.house.events import RulebookAdopted
from ledger.store import Ledger
from ledger.store.requests import rulebook_files
from ledger.store.requests.rulebook_files import StoredBookFile
from ledger.streams import HOUSE


def hexed(data: bytes) -> str:
    return sha256(data).hexdigest()


ALONE = StoredBookFile(hexed(b"alone"), "", b"alone")
OVERLAY = StoredBookFile(hexed(f"{ALONE.digest}\n{hexed(b'over')}".encode()), ALONE.digest, b"over")


def test_files_are_kept_once_each_by_the_digest_of_its_book(book: Ledger) -> None:
    assert rulebook_files.list_kept_books(book) == {}
    rulebook_files.create_table(book)
    rulebook_files.create_table(book)
    with book.writing() as link:
        assert rulebook_files.store_files(link, [OVERLAY, ALONE]) == 2
    with book.writing() as link:
        assert rulebook_files.store_files(link, [OVERLAY, ALONE]) == 0
        assert rulebook_files.store_files(link, [OVERLAY._replace(data=b"\0\xff")]) == 1
    assert rulebook_files.list_kept_books(book) == {ALONE.digest: "", OVERLAY.digest: ALONE.digest}
    assert sorted(rulebook_files.read_all_files(book)) == sorted([ALONE, OVERLAY._replace(data=b"\0\xff")])
    huge = OVERLAY._replace(data=b"x" * (rulebook_files.BYTES_MOST + 1))
    with book.writing() as link:
        rulebook_files.store_files(link, [huge])
    with pytest.raises(IntegrityError):
        rulebook_files.read_file(book, OVERLAY.digest)


def test_other_bytes_and_files_that_nobody_adopted_are_noticed(book: Ledger) -> None:
    rulebook_files.create_table(book)
    with book.writing() as link:
        rulebook_files.store_files(link, [OVERLAY, ALONE])
    assert [problem.reason.split(", and ")[1] for problem in book.verify()] == ["the house never adopted it"] * 2
    book.append(
        "house", HOUSE, [RulebookAdopted("over", "1", OVERLAY.digest)], recorded=Provenance(book.now(), writer="test")
    )
    assert book.verify() == [], "what it extends is kept for it"
    for wrong in (OVERLAY._replace(data=b"other"), OVERLAY._replace(base=""), OVERLAY._replace(base=hexed(b"else"))):
        with book.writing() as link:
            rulebook_files.store_files(link, [wrong])
        assert {problem.code for problem in book.verify()} == {"rulebook"}
