"""A table that is kept up to the moment is the table walked anew from its first hand, whatever came in when."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.formats.handscript.context import Settings
from ledger.hand.ending import CorrectionMade, PotAwarded
from ledger.intake import import_paths
from ledger.recording.recorder import Recorder
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.store.hands.hand_accounts import TableKey
from projections.books.rulebook import load
from projections.live.live_session import TableSession
from projections.live.live_table import LiveTable
from tests.conftest import scale_examples
from tests.evenings.script import script
from tests.projections.tables.test_judging import corrected, parts, taken_back
from tests.projections.test_doubts import wrong_evenings
from tests.web.nights import wrong_button

if TYPE_CHECKING:
    from uuid import UUID

    from ledger.hand.events import HandEvent
    from projections.live.live_document import FindingSoFar
    from projections.table_walk.table_context import TableWalk

PLACE = TableKey("Evening", "", "1")


def table_answers(live_table: LiveTable, events: list[HandEvent], stream: UUID) -> tuple[object, ...]:
    """All that is asked of a table: how it stands, what is due, and what is found in a hand that runs."""
    found_so_far = live_table.judge_running_hand(events, stream)
    return (
        live_table.state,
        [live_table.find_due(book) for book in live_table.books],
        found_so_far,
        live_table.judge_running_hand(events[: len(events) // 2], stream),
    )


def as_anew(ledger: Ledger, live_table: LiveTable) -> None:
    row = list(ledger.hands(**PLACE._asdict()))[-1]
    events = cast("list[HandEvent]", ledger.events(row.stream))
    assert table_answers(live_table, events, row.stream) == table_answers(
        LiveTable(ledger, PLACE, live_table.books), events, row.stream
    )


@pytest.mark.slow
@settings(max_examples=scale_examples(25), deadline=None)
@given(data=st.data())
def test_a_table_that_goes_on_is_the_table_walked_anew(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    book, evening = data.draw(
        st.sampled_from(
            [drawn_evening for drawn_evening in wrong_evenings() if drawn_evening[1].room.form != "tournament"]
        )
    )
    text = script(evening)
    cuts = st.lists(st.integers(1, len(evening.hands) - 1), max_size=6, unique=True)
    files = parts(text, data.draw(cuts))
    order = data.draw(st.one_of(st.just(range(len(files))), st.permutations(range(len(files)))))
    folder = tmp_path_factory.mktemp("night")
    with open_ledger(folder / "x.ledger") as ledger:
        live_table = LiveTable(ledger, PLACE, [load(book)])
        for file_index in order:
            (folder / f"{file_index}.hand").write_text(files[file_index])
            import_paths(ledger, [folder / f"{file_index}.hand"])
            as_anew(ledger, live_table)
            if data.draw(st.booleans()):
                corrected(ledger, data)
                as_anew(ledger, live_table)
        repeated_index = data.draw(st.sampled_from(range(len(files))))
        lines = files[repeated_index].splitlines()
        wagers = [i for i, line in enumerate(lines) if line.split()[1:2] in (["folds"], ["checks"], ["calls"])]
        if wagers:  # a file that was mended: its hands take the place of those that it told before
            lines[data.draw(st.sampled_from(wagers))] = "who knows what"
            (folder / f"{repeated_index}.hand").write_text("\n".join(lines) + "\n")
            import_paths(ledger, [folder / f"{repeated_index}.hand"])
            as_anew(ledger, live_table)


def an_evening(ledger: Ledger, folder: Path) -> tuple[LiveTable, list[str]]:
    """A table kept up to its last hand but two; and the files of the last two."""
    book, evening = wrong_evenings()[0]
    first, *later = parts(script(evening), [len(evening.hands) - 2, len(evening.hands) - 1])
    (folder / "first.hand").write_text(first)
    import_paths(ledger, [folder / "first.hand"])
    live_table = LiveTable(ledger, PLACE, [load(book)])
    as_anew(ledger, live_table)
    return live_table, later


@pytest.fixture
def walked(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Tables that are walked from their first hand."""
    from projections.live import live_table  # noqa: PLC0415 - its own name for it is what changes

    walks: list[object] = []
    table = live_table.TableWalk

    def start_walk(*args: object) -> TableWalk:
        walks.append(args)
        return table(*args)  # type: ignore[arg-type] # whatever it was given

    monkeypatch.setattr(live_table, "TableWalk", start_walk)
    return walks


@pytest.mark.parametrize("corrected", [False, True])
def test_behind_a_hand_a_table_is_not_walked_again(tmp_path: Path, walked: list[object], corrected: bool) -> None:
    with open_ledger(tmp_path / "x.ledger") as ledger:
        kept_ledger, later = an_evening(ledger, tmp_path)
        if corrected:
            row = next(iter(ledger.hands()))
            award = next(
                index for index, event in enumerate(ledger.events(row.stream), 1) if isinstance(event, PotAwarded)
            )
            taken_back(ledger, row, award)
            as_anew(ledger, kept_ledger)
        for text in later:
            walked.clear()
            (tmp_path / "more.hand").write_text(text)
            import_paths(ledger, [tmp_path / "more.hand"])
            assert kept_ledger.state.last_hand is not None
            assert not walked
        as_anew(ledger, kept_ledger)


def test_a_hand_that_was_corrected_without_a_word_to_the_table_counts_as_it_stands(tmp_path: Path) -> None:
    with open_ledger(tmp_path / "x.ledger") as ledger:
        kept_ledger, later = an_evening(ledger, tmp_path)
        row = list(ledger.hands(**PLACE._asdict()))[-1]
        events = ledger.events(row.stream)
        button = next(index for index, event in enumerate(events, 1) if type(event).__name__ == "ButtonPlaced")
        ledger.append("hand", row.stream, [CorrectionMade((button,), button, 0, "floor")])
        (tmp_path / "more.hand").write_text(later[0])
        import_paths(ledger, [tmp_path / "more.hand"])
        as_anew(ledger, kept_ledger)


def end(folder: Path, *, draws_each_time: bool) -> list[FindingSoFar]:
    """What is told when a hand with a wrong button ends, the second one; `each`: the page is drawn after each line."""
    with open_ledger(folder) as ledger:
        keeping = TableSession(Recorder(ledger, Settings("Riverside", "T7", 6)), ["rrop4"])
        keeping.take("game holdem no-limit cash blinds 2/5 unit USD 0")
        for line in wrong_button().splitlines():
            if line and not line.startswith(("handscript ", "venue ")):
                keeping.take(line)
                if draws_each_time:
                    keeping.document()
        return keeping.document().ended


def test_what_is_told_when_a_hand_ends_does_not_hang_on_when_the_page_was_drawn(tmp_path: Path) -> None:
    findings_told = end(tmp_path / "a", draws_each_time=True)
    assert any("Button" in found_so_far.saw for found_so_far in findings_told)
    assert findings_told == end(tmp_path / "b", draws_each_time=False)
