"""What nobody could read of a table's hands is the same whether all tables are asked or one, and costs few questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.formats.handscript.context import Settings
from ledger.intake import import_paths
from ledger.recording.recorder import Recorder
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.store.hands.hand_accounts import TableKey
from projections.books.rulebook import load
from projections.live.live_table import LiveTable
from projections.table_walk import unread_lines as unread
from projections.table_walk.played_tables import list_places
from projections.table_walk.unread_lines import find_unread_lines, group_by_table
from tests.conftest import scale_examples

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ledger.store import HandRow

HEAD = "handscript 1\nvenue Room table {}\nwitness live-table\ngame holdem no-limit cash blinds 1/2\n"
HAND = "hand {}\nseat 1 Ann 200; seat 2 Bo 200\nbutton 1\n1 posts small 1; 2 posts big 2; deal done\n{}1 folds\n2 wins 2\nend\n"
UNREADABLE_LINE = "nobody knows what this says\n"


def file(folder: Path, name: str, lines_told: list[tuple[str, int, str]]) -> None:
    """Write hands: table, number, and what is wrong with it ("", "in" the hand, "behind" it)."""
    text = ""
    for table, number, wrong in lines_told:
        text += HEAD.format(table) + HAND.format(number, UNREADABLE_LINE if wrong == "in" else "")
        text += UNREADABLE_LINE if wrong == "behind" else ""
    (folder / name).write_text(text)


@settings(max_examples=scale_examples(20), deadline=None)
@given(data=st.data())
def test_of_one_table_it_is_what_it_is_among_all(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    folder, numbers = tmp_path_factory.mktemp("files"), iter(range(1, 99))
    hand = st.tuples(st.sampled_from(["T1", "T2"]), st.sampled_from(["", "", "in", "behind"]))
    for index, chosen_parts in enumerate(
        data.draw(st.lists(st.lists(hand, min_size=1, max_size=4), min_size=1, max_size=5))
    ):
        file(folder, f"{index}.hand", [(table, next(numbers), wrong) for table, wrong in chosen_parts])
    with open_ledger(":memory:") as ledger:
        import_paths(ledger, [folder])
        every = group_by_table(ledger, find_unread_lines(ledger))
        for place in list_places(ledger):
            assert find_unread_lines(ledger, place) == every.get(place, {})


def test_many_sources_are_asked_for_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each question reads the index of all hands: one for each source made a ledger of 4,000 files slow at every act."""
    for index in range(30):
        file(tmp_path, f"{index}.hand", [("T1", 2 * index + 1, "behind"), ("T1", 2 * index + 2, "")])
    with open_ledger(":memory:") as ledger:
        import_paths(ledger, [tmp_path])
        queries: list[dict[str, object]] = []
        hands = Ledger.hands

        def counted(self: Ledger, **wanted: object) -> Iterator[HandRow]:
            queries.append(wanted)
            return hands(self, **wanted)  # type: ignore[arg-type]  # passed on as it came

        monkeypatch.setattr(Ledger, "hands", counted)
        unread_lines = group_by_table(ledger, find_unread_lines(ledger))[TableKey("Room", "", "T1")]
        assert len(unread_lines) == 30
        assert len(queries) == 2, "hands with unread lines, and hands of the sources that have rejects"


def test_a_table_kept_live_does_not_ask_what_other_tables_were_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file(tmp_path, "a.hand", [("T1", 1, "behind"), ("T1", 2, "")])
    with open_ledger(":memory:") as ledger:
        import_paths(ledger, [tmp_path])

        def never(_: Ledger) -> None:
            raise AssertionError("what was rejected of other tables' sources was read")

        monkeypatch.setattr(unread, "iter_open_rejects", never)
        place = TableKey("Room", "", "T9")
        recorder = Recorder(ledger, Settings("Room", "T9", 6))
        live_table = LiveTable(ledger, place, [load("hilton")])
        for line in ["game holdem no-limit cash blinds 1/2", *HAND.format(1, "").splitlines()]:
            recorder.tell(line)
            live_table.refresh()
        assert live_table.state.number == "1"
