"""Each finding counts under the book that the house had adopted where and when the hand was played, whatever it adopted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import select

from ledger.entry import Provenance
from ledger.house.events import RulebookAdopted, RulebookRetired
from ledger.intake import import_paths
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.streams import HOUSE
from projections.audit.house_audit import House
from projections.books import rulebook
from projections.books.rulebook import BUILT_IN
from projections.tables.counted_findings import build_house_condition
from projections.tables.finding_tables import kept_findings
from projections.tables.hand_findings import decode_finding
from projections.tables.table_set import open_tables
from tests.cli.conftest import SAMPLES
from tests.conftest import scale_examples

BOOKS = ("hilton", "rrop4", "bicycle")


@pytest.fixture
def sampled(tmp_path: Path) -> Iterator[Ledger]:
    untold_path = tmp_path / "untold.hand"
    text = next(path for path in sorted(SAMPLES.glob("*.hand")) if "T3" in path.read_text()).read_text()
    lines = [line.rsplit(" ", 1)[0] if line.startswith("hand ") else line for line in text.splitlines()]
    untold_path.write_text("\n".join(lines).replace("T3", "T4") + "\n")
    with open_ledger(tmp_path / "x.ledger") as ledger:
        import_paths(ledger, [SAMPLES, untold_path])
        yield ledger


def adopt_at_random(ledger: Ledger, random: Random, times: list[int]) -> None:
    tables = [*ledger.tables()]
    for _ in range(random.randint(1, 6)):
        book, row = random.choice(BOOKS), random.choice(tables)
        place = random.choice([("", ""), (row.venue, ""), ("", row.table), (row.venue, row.table)])
        adopted_since = random.choice([None, *times])
        rulebook_found = rulebook.load(book)
        events = [RulebookAdopted(book, rulebook_found.edition, rulebook_found.digest, *place, adopted_since)]
        if random.random() < 0.3:
            events += [RulebookRetired(book, rulebook_found.edition, *place, random.choice(times))]
        ledger.append("house", HOUSE, events, recorded=Provenance(ledger.now(), writer="test"))


@pytest.mark.parametrize("seed", range(scale_examples(12)))
def test_in_the_database_as_hand_by_hand(sampled: Ledger, seed: int) -> None:
    rows = {row.position: row for row in sampled.hands()}
    assert any(row.started is None for row in rows.values())
    adopt_at_random(sampled, Random(seed), sorted(row.started for row in rows.values() if row.started is not None))
    house = House(sampled)
    books = house.list_books()
    with open_tables(sampled, books) as (keeping, numbers), keeping.core() as connection:
        columns = kept_findings.c
        counted = Counter(
            (position, judgement, book, decode_finding(data).fingerprint)
            for position, judgement, book, data in connection.execute(
                select(columns.position, columns.judgement, columns.book, columns.finding).where(
                    build_house_condition(sampled, books, numbers)
                )
            )
        )
        every = connection.execute(select(columns.position, columns.judgement, columns.book, columns.finding)).all()
    number = {book.digest: number for book, number in zip(books, numbers, strict=True)}
    expected_counts: Counter[tuple[int, int, str, str]] = Counter()
    record: set[tuple[int, str]] = set()
    for position, judgement, book, data in every:
        row, mark = rows[position], decode_finding(data).fingerprint
        if book == BUILT_IN:
            record.add((position, mark))
        elif judgement in {
            number[count_key.digest] for count_key in house.find_possible_books(row.venue, row.table, row.started)
        }:
            expected_counts[position, judgement, book, mark] += 1
    assert {count_key: count for count_key, count in counted.items() if count_key[2] != BUILT_IN} == expected_counts
    assert Counter((count_key[0], count_key[3]) for count_key in counted if count_key[2] == BUILT_IN) == Counter(
        record
    ), "each once"
