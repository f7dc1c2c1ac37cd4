"""A short run of each reader's fuzz target; the long one is `python -m tests.fuzz --target NAME`."""

from __future__ import annotations

from random import Random

import pytest

from ledger import formats
from tests.conftest import thin_out
from tests.fuzz.check import check, corpus
from tests.fuzz.mutate import mutated
from tests.laws import size


@pytest.mark.parametrize("name", formats.NAMES)
def test_a_format_has_samples_to_start_from_and_reads_them(name: str) -> None:
    sources = corpus(name)
    assert sources
    for data in thin_out(sources):
        check(name, data)


@pytest.mark.parametrize("name", formats.NAMES)
def test_a_few_signs_are_accounted_for_though_no_hand_begins(name: str) -> None:
    for data in (b"", b" \n", b"[", b"[[[", b"[]", b"{", b"{}", b"<", b"***", b"#", b"\0", b"\xef\xbb\xbf["):
        check(name, data)


@pytest.mark.law
@pytest.mark.slow
@pytest.mark.parametrize("name", formats.NAMES)
def test_nothing_but_items_leaves_a_reader(name: str) -> None:
    sources, random = corpus(name), Random(5)
    for _ in range(
        size(30, 1_200) if name == "handscript" else size(100, 4_000)
    ):  # each damaged line of handscript is advised on
        check(name, mutated(random.choice(sources), sources, random))
