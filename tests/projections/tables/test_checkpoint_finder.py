"""What is said of a hand is the same whether its table is walked from the first hand or from where a walk is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.export.audience import HOUSE
from ledger.hand.ending import PotAwarded
from ledger.intake import import_paths
from ledger.store import open as open_ledger
from ledger.store.hands.hand_accounts import TableKey
from projections.books import rulebook
from projections.table_walk.replay import replay_from
from projections.table_walk.table_context import pick_table_books
from projections.tables.checkpoint_finder import CheckpointFinder
from projections.tables.due_on_hand import find_dues_on_hand
from projections.tables.knock_ons import KnockOns
from projections.tables.table_set import update_tables
from tests.conftest import scale_examples, thin_out
from tests.evenings.script import script
from tests.projections.tables.test_judging import corrected, parts, taken_back
from tests.projections.test_doubts import wrong_evenings
from web.pages import hand_page
from web.pages.hand_frames import Viewer
from web.pages.page_judgement import BookChoice

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.store import Ledger
    from projections.books.rulebook import Rulebook

BOOKS = ("hilton", "rrop4")


def describe_hand(ledger: Ledger, stream: str, books: list[Rulebook]) -> tuple[object, ...]:
    """All that is said of a hand: its page, what was due on it, what it led to."""
    row = ledger.hand(stream)
    assert row is not None
    (table,) = ledger.tables()
    place = TableKey(row.venue, row.tournament, row.table)
    (page,) = hand_page.build_pages(ledger, [row], BookChoice(books), Viewer(HOUSE))
    led = [KnockOns(ledger, books).follow_hand(place, stream, book) for book in books]
    return page, find_dues_on_hand(ledger, table, books, row.number), led


def from_the_first(ledger: Ledger, stream: str, books: list[Rulebook]) -> tuple[object, ...]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CheckpointFinder, "find_stored_checkpoint", lambda *_: None)
        patch.setattr(CheckpointFinder, "build_checkpoint", lambda *_: None)
        return describe_hand(ledger, stream, books)


@settings(max_examples=scale_examples(20), deadline=None)
@given(data=st.data())
def test_a_walk_from_where_one_is_kept_says_what_one_from_the_first_hand_says(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    _, evening = data.draw(st.sampled_from(wrong_evenings()))
    cuts = st.lists(st.integers(1, len(evening.hands) - 1), max_size=3, unique=True)
    folder = tmp_path_factory.mktemp("night")
    books = [rulebook.load(name) for name in BOOKS]
    files = parts(script(evening), data.draw(cuts))
    judge_before = data.draw(st.integers(0, len(files)))  # how many came in before the table was judged first
    with pytest.MonkeyPatch.context() as patch, open_ledger(folder / "x.ledger") as ledger:
        patch.setattr("projections.tables.stored_walks.CHECKPOINT_HANDS", data.draw(st.integers(1, 5)))
        for index, text in enumerate(data.draw(st.permutations(files))):
            (folder / f"{index}.hand").write_text(text)
            import_paths(ledger, [folder / f"{index}.hand"])
            if data.draw(st.booleans()):
                corrected(ledger, data)
            if index >= judge_before:
                update_tables(ledger, books, results=False)
        for row in thin_out(list(ledger.hands(standing=True))):
            assert describe_hand(ledger, row.stream.hex, books) == from_the_first(ledger, row.stream.hex, books)


def test_the_walk_to_a_hand_begins_at_the_last_one_that_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("projections.tables.stored_walks.CHECKPOINT_HANDS", 2)
    _, evening = wrong_evenings()[0]
    (text,) = parts(script(evening), [])
    books = pick_table_books([rulebook.load(name) for name in BOOKS])
    path = tmp_path / "night.hand"
    path.write_text(text)
    with open_ledger(tmp_path / "x.ledger") as ledger:
        import_paths(ledger, [path])
        rows = list(ledger.hands())
        place = TableKey(*rows[0][1:4])
        assert len(rows) > 5
        assert CheckpointFinder(ledger).find_stored_checkpoint(place, rows[5].stream.hex, books) is None, (
            "nobody judged the table yet"
        )
        update_tables(ledger, books, results=False)
        stops = [rows[index // 2 * 2].number for index in range(len(rows))]
        assert first_of_each(ledger, place, books) == stops
        award = next(
            index for index, event in enumerate(ledger.events(rows[1].stream), 1) if isinstance(event, PotAwarded)
        )
        taken_back(ledger, rows[1], award)
        update_tables(ledger, books, results=False)
        assert first_of_each(ledger, place, books) == stops, "a table of which a hand was corrected, too"


def first_of_each(ledger: Ledger, place: TableKey, books: list[Rulebook]) -> list[str]:
    """Return at which hand the walk to each hand of a table begins."""
    rows = list(ledger.hands(standing=True))
    table_checkpoints = [CheckpointFinder(ledger).find_stored_checkpoint(place, row.stream.hex, books) for row in rows]
    return [
        next(iter(replay_from(table_checkpoint, books))).hand.number
        for table_checkpoint in table_checkpoints
        if table_checkpoint is not None
    ]
