"""Acts that come again: once recorded they are known by device, table and key, and another act is never taken for one."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ledger
from ledger.errors import ConflictError, HandledgerError
from ledger.formats.handscript.context import Settings
from ledger.house.events import ClockChecked, DeviceEnrolled
from ledger.recording.author import Author
from ledger.recording.recorder import Recorder
from ledger.store import Ledger
from ledger.store.hands.hand_accounts import TableKey
from ledger.streams import HOUSE
from tests.conftest import ROOT
from tests.web.test_api import BEGIN, GAME, LOOKS, NO_CARDS_KEY, T7, Api, running
from web.api.api_errors import ProblemError
from web.api.device_requests import Events, Lines, NewTable, Undo
from web.api.keys import build_device_key, build_page_key
from web.api.page_acts import PageAct
from web.api.tables import RecordedTables

EVENING = ROOT / "cli" / "samples" / "riverside-nl-evening.hand"
T1, T2 = TableKey("Room", "", "T1"), TableKey("Room", "", "T2")
DEVICE = DeviceEnrolled("tablet", "", cards=True)
GAME_LINE = "holdem no-limit cash blinds 2/5 unit USD 2"


@pytest.fixture
def served(tmp_path: Any) -> Iterator[Api]:
    yield from running(str(tmp_path / "x.ledger"))


@pytest.fixture
def book() -> Iterator[Ledger]:
    with ledger.open("sqlite://") as opened:
        yield opened


def open_tables(book: Ledger, *places: TableKey) -> RecordedTables:
    tables = RecordedTables(book, ["hilton"])
    for place in places or (T1,):
        tables.open(place, DEVICE, NewTable(GAME_LINE))
        tables.record_lines(place, DEVICE, Lines(list(BEGIN)))
    return tables


def live_lines(tables: RecordedTables, place: TableKey = T1) -> list[str]:
    return [line.line for line in tables.build_live_document(place, DEVICE).lines]


# keys


def test_a_device_that_counts_from_one_at_two_tables_loses_nothing(served: Api) -> None:
    served.begin()
    t9 = {"venue": "Riverside", "table": "T9"}
    assert served.ask("POST", "/table", GAME, table=t9)[0] == 200
    assert served.lines(*BEGIN, table=t9, idempotent="0")[0] == 200
    for table in (T7, t9):
        assert served.lines("f", idempotent="1", table=table)[1]["again"] is False
        assert served.ask("GET", "/table", table=table)[1]["version"] == 10


def test_a_device_whose_counter_began_again_is_told_what_stands_there(served: Api) -> None:
    served.begin()
    assert served.lines("f", idempotent="1")[0] == 200
    status, answer = served.lines("c", idempotent="1")
    assert status == 409
    assert "something else is recorded under this key: 1 folds" in answer["title"]
    assert served.ask("GET", "/table")[1]["version"] == 10


PARTS = st.text(st.sampled_from("a1:%/"), max_size=4)


@given(first_act=st.tuples(PARTS, PARTS, st.integers(0, 12)), second_act=st.tuples(PARTS, PARTS, st.integers(0, 12)))
def test_two_acts_never_share_a_key(first_act: tuple[str, str, int], second_act: tuple[str, str, int]) -> None:
    places = (TableKey("a:b", "", "c"), TableKey("a", "b:", "c"))
    keys = [(place, act) for place in places for act in (first_act, second_act)]
    for (place, act), (second_place, second) in itertools.combinations(keys, 2):
        if act[1] and second[1] and (place, act) != (second_place, second):
            assert build_device_key(place, *act) != build_device_key(second_place, *second)
            assert build_page_key(place, act[1], act[2]) != build_page_key(second_place, second[1], second[2]) or (
                place == second_place and act[1:] == second[1:]
            )
            assert build_device_key(place, *act) != build_page_key(second_place, second[1], second[2])


def test_a_name_with_a_colon_is_no_other_device(book: Ledger) -> None:
    tables = open_tables(book)
    tables.record_lines(T1, DeviceEnrolled("dev", ""), Lines(["f"], key="1:5"))
    assert tables.record_lines(T1, DeviceEnrolled("dev:1", ""), Lines(["c"], key="5")).again is False
    assert live_lines(tables)[-2:] == ["1 folds", "2 calls 3"]


# the same, and another


def test_a_lost_answer_is_asked_for_again_in_view_of_what_was_seen_then(served: Api) -> None:
    served.begin()
    assert served.lines("f", idempotent="1", behind=9)[1]["again"] is False
    assert served.lines("c", key=NO_CARDS_KEY)[0] == 200
    status, answer = served.lines("f", idempotent="1", behind=9)
    assert (status, answer["again"]) == (200, True)


def test_the_first_new_act_of_a_request_is_held_against_what_was_seen(served: Api) -> None:
    served.begin()
    assert served.lines("f", idempotent="1", behind=9)[0] == 200
    assert served.lines("c", key=NO_CARDS_KEY)[0] == 200
    status, answer = served.lines("f", "c", idempotent="1", behind=9)
    assert status == 409
    assert "1 folds; 2 calls 3" in answer["title"]
    assert "1 line before it is recorded." in answer["detail"]
    assert served.ask("GET", "/table")[1]["version"] == 11


def test_a_request_that_broke_off_half_way_goes_on(book: Ledger) -> None:
    tables = open_tables(book)
    with pytest.raises(HandledgerError):
        tables.record_lines(T1, DEVICE, Lines(["f", "2 dances", "k"], key="1", seen_version=9))
    tables = RecordedTables(book, ["hilton"])
    assert tables.record_lines(T1, DEVICE, Lines(["f", "c", "k"], key="1", seen_version=9)).again
    assert live_lines(tables)[-3:] == ["1 folds", "2 calls 3", "3 checks"]


def test_enter_between_hands_is_held_against_what_was_seen(served: Api) -> None:
    served.begin()
    assert served.lines("f", "f", ".", ".", ".")[1]["live"]["running"] is False
    assert served.lines(".", behind=14)[0] == 409
    assert served.lines(".", behind=0)[1]["live"]["hand"] == "2"


def test_a_gap_is_refused_with_what_is_missing(served: Api) -> None:
    served.begin()
    status, answer = served.lines("f", behind=10)
    assert status == 409
    assert answer["title"] == "this hand has 9 events, not 10: event 10 is missing"


def test_a_device_without_cards_hears_of_none_from_what_was_first(served: Api) -> None:
    served.begin()
    assert served.lines("2 gets AhKd")[0] == 200
    status, answer = served.lines("f", behind=9, key=NO_CARDS_KEY)
    assert status == 409
    assert "2 gets ?? ??" in answer["title"]


def evening() -> list[str]:
    lines = [line.partition("  #")[0].strip() for line in EVENING.read_text().splitlines()[1:]]
    return [line for line in lines if line and not line.startswith(("#", "venue ", "game "))]


@pytest.mark.parametrize("hide", [False, True])
def test_each_line_of_an_evening_is_known_again_and_no_other_is(book: Ledger, hide: bool) -> None:
    tables = RecordedTables(book, hides_cards=hide)
    tables.open(T1, DEVICE, NewTable(GAME_LINE, 9))
    lines: list[str] = []
    for line in evening()[:160]:
        head_before = book.head()
        assert not tables.record_lines(T1, DEVICE, Lines([line], key=str(len(lines)))).again
        if book.head() != head_before:  # else it holds for what follows, and is no act
            lines.append(line)
    head = book.head()
    for restarted in (
        tables,
        RecordedTables(book, hides_cards=hide),
    ):  # the server that recorded them, and one that was started since
        for number, line in enumerate(lines):
            assert restarted.record_lines(T1, DEVICE, Lines([line], key=str(number), seen_version=0)).again, line
            other_line = lines[number - 1]
            if other_line != line:
                with pytest.raises(ConflictError, match="something else is recorded"):
                    restarted.record_lines(T1, DEVICE, Lines([other_line], key=str(number)))
    assert book.head() == head
    assert not book.people.fresh
    assert book.verify() == []


KEYS = (
    "f",
    "c",
    "k",
    "a",
    "r 20",
    "b 15",
    "u",
    ".",
    "7h2cKd",
    "Td",
    "3s",
    "s AhAd",
    "m",
    "stop",
    "3 away",
    "4 sits Di walk-in",
)
STEPS = st.lists(st.sampled_from((*KEYS, "floor-called", 'remark "x"', "1 folds; 2 folds", "1 leaves")), max_size=14)


@given(steps=STEPS, other_act=st.sampled_from(KEYS), begun_by=st.sampled_from((BEGIN, ["3 sits Cy walk-in stack 300"])))
def test_whatever_is_pressed_is_known_again_by_its_key(steps: list[str], other_act: str, begun_by: list[str]) -> None:
    with ledger.open("sqlite://") as book:
        tables = RecordedTables(book, ["hilton"])
        tables.open(T1, DEVICE, NewTable(GAME_LINE))
        tables.record_lines(T1, DEVICE, Lines(list(begun_by)))
        stored = []
        for number, line in enumerate(steps):
            try:
                position_before = book.head()[0]
                tables.record_lines(T1, DEVICE, Lines([line], key=str(number)))
            except (ProblemError, HandledgerError):
                continue
            if book.head()[0] > position_before:
                stored.append((str(number), line))
        head = book.head()
        for key, line in stored:
            assert tables.record_lines(T1, DEVICE, Lines([line], key=key)).again, line
            if other_act != line:
                try:
                    is_repeated = tables.record_lines(T1, DEVICE, Lines([other_act], key=key)).again
                except ConflictError:
                    continue
                assert is_repeated, (line, other_act)  # the same, said otherwise: `c` and `k`
        assert book.head() == head


def test_events_and_undo_are_compared_too(book: Ledger) -> None:
    tables = open_tables(book)
    fold, call = (msgspec.Raw(json.dumps(event).encode()) for event in (["Folded", 1], ["Called", 1, 500, 500]))
    assert not tables.record_events(T1, DEVICE, Events([fold], key="1", times=[7])).again
    assert not tables.undo(T1, DEVICE, Undo(key="2")).again
    tables.record_lines(T1, DEVICE, Lines(["c"]))
    assert tables.record_events(T1, DEVICE, Events([fold], key="1", times=[7], seen_version=9)).again
    assert tables.undo(T1, DEVICE, Undo(key="2", seen_version=10)).again
    with pytest.raises(ConflictError, match="1 folds"):
        tables.record_events(T1, DEVICE, Events([call], key="1", times=[7]))
    with pytest.raises(ConflictError, match="1 folds"):
        tables.record_events(T1, DEVICE, Events([fold], key="1", times=[8]))
    with pytest.raises(ConflictError, match="1 folds"):
        tables.undo(T1, DEVICE, Undo(key="1"))
    with pytest.raises(ConflictError, match="correction"):
        tables.undo(T1, DEVICE, Undo(key="2", reason="wrong seat"))


def test_a_proposed_hand_begins_whole_or_not_at_all(book: Ledger) -> None:
    tables = open_tables(book)
    tables.record_lines(T1, DEVICE, Lines(["f", "f", ".", ".", "."]))
    position_before = book.head()[0]
    assert not tables.record_lines(T1, DEVICE, Lines(["."], key="1", seen_version=0)).again
    document = tables.build_live_document(T1, DEVICE)
    assert [commit.key for commit in book.commits(position_before)][:2] == [
        build_device_key(T1, "tablet", "1", 0),
        build_device_key(T1, "tablet", "1", 0) + ":rest",
    ]
    tables.record_lines(T1, DEVICE, Lines(["."]))
    assert tables.record_lines(T1, DEVICE, Lines([""], key="1", seen_version=0)).again
    with pytest.raises(ConflictError):
        tables.record_lines(T1, DEVICE, Lines(["hand 2"], key="1"))
    assert document.hand == "2"


# ledgers of older programs


def former(book: Ledger, line: str, key: str, device: str = "tablet", table: str = "T1") -> None:
    recorder = Recorder(book, Settings("Room", table), author=Author(f"device:{device}"))
    recorder.tell(line, key=f"device:{device}:{key}:0")


def test_an_act_whose_answer_was_lost_with_the_older_program_is_known_again(book: Ledger) -> None:
    tables = open_tables(book)
    former(book, "1 folds", "7")
    assert tables.record_lines(T1, DEVICE, Lines(["f"], key="7", seen_version=9)).again
    assert not tables.record_lines(T1, DEVICE, Lines(["c"], key="8")).again
    assert live_lines(tables)[-2:] == ["1 folds", "2 calls 3"]


@pytest.mark.parametrize("difference", ["another act", "another table", "another device", "something since"])
def test_a_key_of_an_older_program_is_never_taken_for_another_act(book: Ledger, difference: str) -> None:
    tables = open_tables(book, T1, T2)
    table, device = (
        ("T2" if difference == "another table" else "T1"),
        ("x" if difference == "another device" else "tablet"),
    )
    former(book, "1 calls 5" if difference == "another act" else "1 folds", "7", device, table)
    if difference == "something since":
        tables.record_lines(T1, DEVICE, Lines(["2 calls 3"], key="8"))
    lines_before = len(live_lines(tables))
    assert not tables.record_lines(T1, DEVICE, Lines(["f"], key="7")).again
    assert len(live_lines(tables)) > lines_before


# clocks


def checks(book: Ledger) -> list[ClockChecked]:
    return [event for event in book.events(HOUSE) if isinstance(event, ClockChecked)]


def test_a_device_that_only_looks_adds_nothing(served: Api) -> None:
    served.begin()
    head_before = served.ledger.head()
    now_ms = served.ledger.now()
    for path, body in (
        ("/table/lines", {"lines": ["f"], "sent": now_ms + 90_000}),
        ("/table/events", {"events": [["Folded", 1]], "sent": now_ms + 90_000}),
        ("/table/undo", {"sent": now_ms + 90_000}),
        ("/table", {**GAME}),
    ):
        assert served.ask("POST", path, body, key=LOOKS)[0] == 403
    assert served.ask("POST", "/table", GAME, key=LOOKS, table={"venue": "Riverside", "table": "T99"})[0] == 403
    assert served.ask("GET", "/table", table={"venue": "Riverside", "table": "T99"})[0] == 404
    assert served.ledger.head() == head_before


@pytest.mark.parametrize("sent", [10**30, -1, 253_402_300_800_000, 2**63, 1.5, "soon"])
def test_a_time_that_is_none_is_refused(served: Api, sent: object) -> None:
    served.begin()
    head_before = served.ledger.head()
    assert served.lines("f", sent=sent)[0] == 400
    assert served.ask("POST", "/table/events", {"events": [["Folded", 1]], "at": [sent]})[0] == 400
    assert served.lines("f", behind=-1)[0] == 400
    assert served.ledger.head() == head_before


def test_a_clock_that_jumps_is_noted_once_a_minute(book: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    tables, clock = open_tables(book), [book.now()]
    monkeypatch.setattr(type(book), "now", lambda _: clock[0])
    for second in range(120):
        clock[0] += 1_000
        tables.record_lines(T1, DEVICE, Lines(['remark "x"'], sent=clock[0] + 60_000 * (second % 7)))
        if second % 30 == 0:
            tables = RecordedTables(book, ["hilton"])  # a server that is started again knows of it
    assert len(checks(book)) == 2


# numbered acts of a page


def act(tables: RecordedTables, line: str, number: int, **more: Any) -> tuple[bool, bool, int]:
    previous = more.pop("after", number - 1)
    return tables.record_act(
        more.pop("place", T1), DEVICE, PageAct(line, more.pop("sender", "pad"), number, previous, **more)
    )


def test_each_number_is_taken_once(book: Ledger) -> None:
    tables = open_tables(book)
    position = tables.build_live_document_at(T1, DEVICE)[1]
    first = act(tables, "f", 1, seat=1, seen_position=position)
    assert first == (True, False, position + 1)
    assert act(tables, "f", 1, seat=1, seen_position=position) == (True, True, position + 1)
    tables = RecordedTables(book, ["hilton"])
    assert act(tables, "f", 1, seat=1, seen_position=position) == (True, True, position + 1)
    assert act(tables, "c", 2, seat=2) == (True, False, position + 2)
    assert live_lines(tables)[-2:] == ["1 folds", "2 calls 3"]


def test_a_missing_number_is_named(book: Ledger) -> None:
    tables = open_tables(book)
    act(tables, "f", 1, seen_position=tables.build_live_document_at(T1, DEVICE)[1])
    with pytest.raises(ProblemError, match="acts 2 to 3 are missing: act 4 of this page comes after it") as caught:
        act(tables, "c", 4)
    assert (caught.value.status, caught.value.details) == (409, {"last": 1})
    assert not act(tables, "c", 4, after=1)[1]  # those between were refused, and their sender knows


def test_another_act_under_a_number_is_refused_with_what_stands_there(book: Ledger) -> None:
    tables = open_tables(book)
    position = tables.build_live_document_at(T1, DEVICE)[1]
    act(tables, "f", 1, seen_position=position)
    with pytest.raises(ProblemError, match="something else is recorded under this key: 1 folds"):
        act(tables, "c", 1, seen_position=position)
    with pytest.raises(ProblemError, match="act 1 of this page is recorded already"):
        act(tables, "c", 2, after=0, seen_position=position)


def test_what_another_device_did_between_two_acts_refuses_the_second(book: Ledger) -> None:
    tables = open_tables(book)
    act(tables, "f", 1, seen_position=tables.build_live_document_at(T1, DEVICE)[1])
    tables.record_lines(T1, DEVICE, Lines(["2 calls 3"]))
    for _ in range(2):
        with pytest.raises(ProblemError, match="this table has moved on: 2 calls 3"):
            act(tables, "f", 2, seat=2)
        tables = RecordedTables(book, ["hilton"])


def test_a_key_for_another_seat_is_refused(book: Ledger) -> None:
    tables = open_tables(book)
    with pytest.raises(ProblemError, match="it is the turn of seat 1, not of seat 2"):
        act(tables, "f", 1, seat=2, seen_position=tables.build_live_document_at(T1, DEVICE)[1])


def test_what_happened_since_is_said(book: Ledger) -> None:
    tables = open_tables(book)
    position = tables.build_live_document_at(T1, DEVICE)[1]
    tables.record_lines(T1, DEVICE, Lines(["f", "f", ".", ".", "."]))
    with pytest.raises(ProblemError, match="hand 1 ended"):
        act(tables, "c", 1, seen_position=position)
    position = tables.build_live_document_at(T1, DEVICE)[1]
    tables.record_lines(T1, DEVICE, Lines(["4 sits Di walk-in"]))
    with pytest.raises(ProblemError, match="4 sits Di walk-in"):
        act(tables, ".", 1, seen_position=position)


def test_keys_between_hands_are_known_again(book: Ledger) -> None:
    tables = RecordedTables(book, ["hilton"])
    tables.open(T1, DEVICE, NewTable(GAME_LINE))
    lines = ["3 Cy 300", "4 Dee 300", "5 Eve 300", "u", "b 3"]
    for key, line in enumerate(lines):
        assert not tables.record_lines(T1, DEVICE, Lines([line], key=str(key))).again, line
    head = book.head()
    for key, line in enumerate(lines):
        assert tables.record_lines(T1, DEVICE, Lines([line], key=str(key))).again, line
    with pytest.raises(ConflictError):
        tables.record_lines(T1, DEVICE, Lines(["b 4"], key="4"))
    assert book.head() == head
