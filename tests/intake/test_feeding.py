"""A hand that runs in a source that grows: in the ledger act by act, and in the end as an import tells it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger import formats
from ledger.entry import Provenance
from ledger.errors import UnreadableHandError
from ledger.formats import pokernow
from ledger.formats.handscript.context import Settings
from ledger.hand.corrections import apply_corrections
from ledger.hand.dealing import HoleCardsDealt
from ledger.hand.ending import CorrectionMade
from ledger.intake import import_paths
from ledger.intake.folder_watch import IMPORT_INTERVAL, QUIET_SECONDS
from ledger.intake.live_feed import Feed
from ledger.recording.choices import find_choices
from ledger.recording.recorder import Recorder
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.streams import table_stream
from ledger.table.events import HandPlayed
from projections.live.live_session import TableSession
from tests.conftest import scale_examples
from tests.intake.feeds import Room, corrections, facts, falling, fetched, hands, rising, rows, sessions

ROWS = rows()
SESSIONS = sessions(3)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with open_ledger(tmp_path / "l") as opened:
        yield opened


@pytest.fixture
def room(ledger: Ledger, tmp_path: Path) -> Room:
    return Room(ledger, tmp_path / "evening.csv")


def upto(words: str, nth: int = 1) -> int:
    """How many rows there are when the nth one with these words was written."""
    indexes = [index for index, row in enumerate(ROWS, 1) if words in row[0]]
    return indexes[nth - 1]


def import_plainly(data: bytes, name: str) -> tuple[dict[str, list[str]], object]:
    """What a ledger has that imports the whole file."""
    with TemporaryDirectory() as folder, open_ledger(Path(folder, "plain")) as book:
        path = Path(folder, name)
        path.write_bytes(data)
        import_paths(book, [path])
        return hands(book), facts(book)


def running(ledger: Ledger) -> Recorder:
    """The table as whoever records it sees it."""
    return Recorder(ledger, Settings("PokerNow", "evening", 10))


# -- the law


def follows(ledger: Ledger, room: Room, states: list[bytes], forgets: set[int]) -> None:
    """Watch a file through its states; in the end the ledger has what an import of the last one tells, once."""
    for index, data in enumerate(states):
        if index in forgets:
            room.begin()
        room.writes(data)
    room.writes(states[-1], last=True)
    assert (hands(ledger), facts(ledger)) == import_plainly(states[-1], room.path.name)
    assert ledger.verify() == []
    total = import_paths(ledger, [room.path]).total
    assert (total.new, total.second, total.superseded) == (0, 0, 0)
    assert total.same == len(hands(ledger))


@pytest.mark.parametrize("shape", [rising, falling, fetched])
@settings(max_examples=scale_examples(20))
@given(cuts=st.sets(st.integers(1, len(ROWS) - 1), max_size=40), forgets=st.sets(st.integers(0, 40), max_size=6))
def test_however_a_log_grows_its_hands_are_those_of_the_whole(
    shape: Callable[[list[list[str]]], bytes], cuts: set[int], forgets: set[int]
) -> None:
    name = "evening.json" if shape is fetched else "evening.csv"
    with TemporaryDirectory() as folder, open_ledger(Path(folder, "l")) as ledger:
        states = [shape(ROWS[:cut]) for cut in [*sorted(cuts), len(ROWS)]]
        follows(ledger, Room(ledger, Path(folder, name)), states, forgets)


@pytest.mark.slow
@given(
    cuts=st.sets(st.integers(1, len(rising(ROWS)) - 1), max_size=60), forgets=st.sets(st.integers(0, 60), max_size=6)
)
def test_however_an_appended_log_is_cut_within_its_rows_too(cuts: set[int], forgets: set[int]) -> None:
    log = rising(ROWS)
    with TemporaryDirectory() as folder, open_ledger(Path(folder, "l")) as ledger:
        states = [log[:cut] for cut in [*sorted(cuts), len(log)]]
        follows(ledger, Room(ledger, Path(folder, "evening.csv")), states, forgets)


@settings(max_examples=scale_examples(20))
@given(
    seen_states=st.sets(st.integers(0, len(SESSIONS) - 1), max_size=30), forgets=st.sets(st.integers(0, 30), max_size=4)
)
def test_however_a_session_of_pokergfx_is_seen(seen_states: set[int], forgets: set[int]) -> None:
    with TemporaryDirectory() as folder, open_ledger(Path(folder, "l")) as ledger:
        states = [SESSIONS[index] for index in [*sorted(seen_states), len(SESSIONS) - 1]]
        follows(ledger, Room(ledger, Path(folder, "PGFX.json")), states, forgets)


# -- act by act


def test_each_act_is_appended_once_as_it_comes_with_its_place(ledger: Ledger, room: Room) -> None:
    opened_rows = upto("posts a big blind")
    room.writes(rising(ROWS[: opened_rows - 1]))
    assert not list(ledger.hands())  # which blinds are played is not known yet
    room.writes(rising(ROWS[:opened_rows]))
    (row,) = ledger.hands()
    assert row.note == "live"
    table = running(ledger)
    assert table.stream == row.stream
    counts = []
    for count in range(opened_rows + 1, opened_rows + 5):
        room.writes(rising(ROWS[:count]))
        counts.append(len(ledger.entries(row.stream)))
    assert counts == sorted(set(counts))
    assert find_choices(running(ledger).state)[0].word in ("fold", "check", "street")
    log = rising(ROWS)
    start = log.index(b'"-- starting hand #1')
    last = ledger.entries(row.stream)[-1].mark
    assert log[start + last.start :].startswith(rising([ROWS[opened_rows + 3]]).split(b"\n")[1])
    assert last.length == len(rising([ROWS[opened_rows + 3]]).split(b"\n")[1])


def test_whoever_keeps_the_table_sees_the_hand_and_what_was_found_so_far(ledger: Ledger, room: Room) -> None:
    room.writes(rising(ROWS[: upto("Flop:")]))
    live = TableSession(running(ledger), ["rrop4"]).document()
    assert (live.hand, live.running, live.stage) == ("1", True, "betting")
    assert live.moment is not None
    assert live.moment.boards[0] == "2c7dTh"
    assert [line.line for line in live.lines][-1] == "flop 2c 7d Th"
    room.writes(rising(ROWS[: upto("Flop:") + 1]))
    assert TableSession(running(ledger), ["rrop4"]).document().version == live.version + 1


def test_row_by_row_the_stream_is_that_of_an_import_and_there_is_no_second_account(ledger: Ledger, room: Room) -> None:
    for count in range(1, len(ROWS) + 1):
        room.writes(rising(ROWS[:count]), seconds=0.4)
    assert [row.account for row in ledger.hands()] == [1, 1, 1, 1]
    assert corrections(ledger) == 2  # of hand 1: its log had not yet shown whose it is
    table = ledger.entries(table_stream("PokerNow", "", "evening"))
    events = [event for _, event in apply_corrections([(entry.version, entry.event) for entry in table])]
    assert [event.number for event in events if isinstance(event, HandPlayed)] == ["1", "2", "3"]
    assert running(ledger).running  # hand 4


def test_what_an_import_brings_meanwhile_is_not_told_again(ledger: Ledger, room: Room) -> None:
    room.writes(rising(ROWS[: upto("-- ending hand", 2) + 3]))
    room.waits(QUIET_SECONDS)
    assert sorted(hands(ledger)) == ["1", "2"]
    assert all(row.source for row in ledger.hands())
    room.writes(rising(ROWS))
    assert [row.number for row in ledger.hands() if not row.source] == ["4"]
    room.waits(QUIET_SECONDS)
    assert sorted(hands(ledger)) == ["1", "2", "3", "4"]


def test_what_happens_between_hands_comes_while_people_play(ledger: Ledger, room: Room) -> None:
    for count in range(1, upto("-- starting hand", 2) + 6):
        room.writes(rising(ROWS[:count]), seconds=IMPORT_INTERVAL / 20)
    assert running(ledger).running
    assert facts(ledger)


def test_a_row_that_was_written_anew_is_corrected_with_its_reason(ledger: Ledger, room: Room) -> None:
    opened_rows = upto("posts a big blind")
    room.writes(rising(ROWS[: opened_rows + 4]))
    (hand_before,) = hands(ledger).values()
    changed_rows = [list(row) for row in ROWS[: opened_rows + 4]]
    changed_rows[-1][0] = changed_rows[-1][0].rpartition('" ')[0] + '" folds'
    assert changed_rows[-1] != ROWS[opened_rows + 3]
    room.writes(rising(changed_rows))
    (hand_after,) = hands(ledger).values()
    assert hand_after[:-1] == hand_before[:-1]
    assert hand_after[-1].endswith("folds")
    (row,) = ledger.hands()
    (correction,) = [event for event in ledger.events(row.stream) if isinstance(event, CorrectionMade)]
    assert correction.by == "software"
    assert ledger.people.words(correction.why) == "the source changed as it grew"


def test_what_a_file_no_longer_holds_stands(ledger: Ledger, room: Room) -> None:
    opened_rows = upto("posts a big blind")
    room.writes(rising(ROWS[: opened_rows + 4]))
    hands_before = hands(ledger)
    room.writes(rising(ROWS[: opened_rows + 2]))
    room.waits(QUIET_SECONDS)
    assert hands(ledger) == hands_before
    assert corrections(ledger) == 0


def test_what_a_person_takes_back_meanwhile_stays_taken_back(ledger: Ledger, room: Room) -> None:
    opened_rows = upto("posts a big blind")
    room.writes(rising(ROWS[: opened_rows + 3]))
    table = running(ledger)
    version, _ = table.numbered[-1]
    table.undo(why="the dealer pushed the wrong button")
    end = upto("-- ending hand")
    for count in range(opened_rows + 4, end + 1):
        room.writes(rising(ROWS[:count]))
    (row,) = ledger.hands()
    remaining_events = apply_corrections(list(enumerate(ledger.events(row.stream), 1)))
    assert version not in [event for event, _ in remaining_events]
    assert len(remaining_events) == len(import_plainly(rising(ROWS[:end]), "evening.csv")[0]["1"]) - 1
    assert not running(ledger).running
    assert ledger.verify() == []


def test_two_watches_of_one_file_tell_each_act_once(ledger: Ledger, room: Room, tmp_path: Path) -> None:
    second_room = Room(ledger, tmp_path / "evening.csv")
    for count in range(1, upto("-- ending hand") + 1):
        for watching_room in (room, second_room):
            watching_room.writes(rising(ROWS[:count]))
    assert hands(ledger)["1"] == import_plainly(rising(ROWS[: upto("-- ending hand")]), "evening.csv")[0]["1"]
    assert len(list(ledger.hands())) == 1


def test_another_player_s_log_of_the_game_leaves_the_hand_alone(ledger: Ledger, room: Room, tmp_path: Path) -> None:
    opened_rows = upto("posts a big blind") + 2
    room.writes(rising(ROWS[:opened_rows]))
    (tmp_path / "other").mkdir()
    second_room = Room(ledger, tmp_path / "other" / "evening.csv")
    rows = [row for row in ROWS[:opened_rows] if not row[0].startswith("Your hand")]
    assert len(rows) < opened_rows
    second_room.writes(rising(rows))
    assert corrections(ledger) == 0
    assert len(list(ledger.hands())) == 1


def test_cards_that_were_not_shown_stay_apart(ledger: Ledger) -> None:
    feed = Feed(ledger, "PGFX.json", "", hide=True)
    for data in SESSIONS[:5]:
        feed.look(data, formats.get("pokergfx"), "utf-8")
    events = [event for row in ledger.hands() for event in ledger.events(row.stream)]
    remaining_events = [event.cards for event in events if isinstance(event, HoleCardsDealt)]
    assert remaining_events
    assert all(cards.startswith("{") for cards in remaining_events)
    assert corrections(ledger) == 0


# -- what cannot be followed


def test_a_log_that_runs_backwards_is_refused_where_it_comes_through_a_pipe() -> None:
    assert pokernow.FORMAT.find_complete is not None
    data = falling(ROWS)
    assert pokernow.FORMAT.find_complete(data, False) == (0, len(data))
    with pytest.raises(UnreadableHandError, match="runs backwards"):
        pokernow.FORMAT.find_complete(data, True)
    assert pokernow.FORMAT.find_complete(rising(ROWS), True)[1] == len(rising(ROWS))


def test_of_half_a_document_nothing_is_told(ledger: Ledger, tmp_path: Path) -> None:
    room = Room(ledger, tmp_path / "PGFX.json")
    document = SESSIONS[-1]
    json.loads(document)
    for part in (len(document) // 3, len(document) // 2, len(document) - 1):
        room.writes(document[:part])
    assert list(ledger.hands()) == []


def test_a_hand_that_somebody_keeps_by_hand_is_left_to_them(ledger: Ledger, room: Room) -> None:
    opened_rows = upto("posts a big blind")
    room.writes(rising(ROWS[: opened_rows + 2]))
    (row,) = ledger.hands()
    first = ledger.events(row.stream)
    with open_ledger(room.path.with_name("kept")) as other_ledger:
        other_ledger.append("hand", row.stream, first, recorded=Provenance(1, writer="device"))
        Room(other_ledger, room.path).writes(rising(ROWS[: opened_rows + 4]))
        assert other_ledger.events(row.stream) == first
