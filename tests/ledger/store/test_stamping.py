"""Time stamps beside the checkpoints of a ledger, in SQLite and PostgreSQL alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.errors import ProofError
from ledger.seal import stamps
from ledger.seal.note import read_checkpoint, read_note, strip_cosignatures
from ledger.store import Ledger
from ledger.store.seals import time_stamps
from tests.authority import Authority
from tests.ledger.store.hands import draft
from tests.ledger.store.test_sealing import Signer


def test_a_stamp_is_kept_once_with_the_checkpoint_it_is_over(
    book: Ledger, tmp_path: Path, authority: Authority
) -> None:
    signer, roots = Signer(tmp_path, book), stamps.read_roots(authority.roots.read_bytes())
    book.append_all([draft(1, book.people)])
    assert time_stamps.list_all_stamps(book) == []
    stream = next(book.hands()).stream
    with pytest.raises(ProofError):
        time_stamps.request_stamp(book)
    first = signer.seal(book).note
    answer = authority.answer(time_stamps.request_stamp(book))
    book.append_all([draft(2, book.people)])
    note = signer.seal(book).note
    stamped = time_stamps.add_stamp(book, answer, roots)
    assert stamped.size == read_checkpoint(read_note(first)).size, "it may come back late"
    assert stamped.is_new
    assert not time_stamps.add_stamp(book, answer, roots).is_new
    assert time_stamps.list_stamps(book, stamped.size) == [answer]
    assert list(time_stamps.check_stamps(book, roots)) == [(stamped.size, stamped.checked_stamp)]
    assert book.verify() == []
    assert time_stamps.find_proving_checkpoint(book, stream) == first
    second = [row.stream for row in book.hands()][-1]
    assert time_stamps.find_proving_checkpoint(book, second) == note, "no stamp covers it"
    with pytest.raises(ProofError, match="no checkpoint of this ledger"):
        time_stamps.add_stamp(book, authority.over(strip_cosignatures(first) + b" "), roots)
