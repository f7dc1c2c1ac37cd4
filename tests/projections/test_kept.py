"""What an audit keeps on the disk is what it was given: in order, to the last sign, at any size."""

from __future__ import annotations

import gc
import tracemalloc
from itertools import islice

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.files import disk_spool
from ledger.files.disk_spool import DiskSpool
from projections.audit.audit_result import merge_books
from projections.audit.auditor import Auditor, judge
from projections.books.rulebook import load
from projections.reports.audit_json import encode_document
from tests.conftest import scale_examples
from tests.projections.test_audit import all_cases


class Item(msgspec.Struct, frozen=True):
    text: str
    seat: int | None
    more: list[str] = []


ITEMS = st.builds(
    Item,
    # lone surrogates too: names in a damaged record hold them
    text=st.text(st.characters(exclude_categories=[])),
    seat=st.none() | st.integers(),
    more=st.lists(st.text(), max_size=2),
)


@given(items=st.lists(ITEMS, max_size=12), later=st.lists(ITEMS, max_size=4), cut=st.integers(-3, 14))
def test_it_reads_as_a_list_of_the_same_items(items: list[Item], later: list[Item], cut: int) -> None:
    disk_spool = DiskSpool(Item)
    disk_spool.extend(items)
    assert list(disk_spool) == items
    assert disk_spool[:cut] == items[:cut]
    first = iter(disk_spool)
    items_seen = [next(first) for _ in items[:1]]
    disk_spool.extend(later)  # between two reads
    assert [*items_seen, *first] == items
    assert list(disk_spool) == [*items, *later]
    assert len(disk_spool) == len(items) + len(later)
    assert [disk_spool[index] for index in range(-len(disk_spool), 0)] == [*items, *later]


def test_an_audit_that_keeps_on_the_disk_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_spool, "_MEMORY_BYTES", 1000)  # all is written to a file
    books = [load("hilton"), load("rrop4")]
    hands = list(islice(all_cases(), scale_examples(400)))
    auditor, disk_auditor = Auditor(books), Auditor(books, on_disk=True)
    for hand in hands:
        assert auditor.judge_hand(hand) == disk_auditor.judge_hand(hand)
    audit_result = disk_auditor.result()
    assert isinstance(audit_result.findings, DiskSpool)
    assert isinstance(audit_result.differences, DiskSpool)
    assert audit_result.findings
    assert audit_result.differences
    assert encode_document(audit_result) == encode_document(auditor.result())
    assert encode_document(merge_books([audit_result, disk_auditor.result()])) == encode_document(
        merge_books([auditor.result(), auditor.result()])
    )


@pytest.mark.slow
def test_findings_take_no_memory_but_their_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_spool, "_MEMORY_BYTES", 1000)
    books = [load("hilton"), load("rrop4")]
    hands = [hand for hand in islice(all_cases(), 100) if judge(hand, books[0]).findings][:8] * 10
    grown = {}
    for on_disk in (True, False):
        running = Auditor(books, on_disk=on_disk)
        for is_repeated in (False, True):  # the first time fills what the coverage names
            gc.collect()
            tracemalloc.start()
            try:
                for hand in hands:
                    running.judge_hand(hand)
                gc.collect()
                grown[on_disk] = tracemalloc.get_traced_memory()[0] / len(hands)
            finally:
                tracemalloc.stop()
            assert is_repeated or running.result().findings
    assert grown[False] > 1000, grown  # kept in memory, they are seen
    assert grown[True] < 200, grown  # some four findings for a hand, eight bytes each
