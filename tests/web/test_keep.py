"""The page on which a table is kept, as a server answers it: forms, numbered acts and findings."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest

from ledger.entry import Provenance
from ledger.formats.handscript import write_lines
from ledger.house.events import RulebookAdopted
from ledger.store import open as open_ledger
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.hands.table_streams import table_entries as told_to
from ledger.streams import HOUSE, table_stream
from ledger.table.events import HandPlayed, TableOpened
from ledger.table.fold import fold_table_entries
from ledger.table.order import put_in_order
from projections.books import rulebook
from tests.web.serving import AUDITOR, FLOOR, VIEWER, Served, serving

T7 = {"venue": "Riverside Cardroom", "tournament": "", "name": "T7"}
PAGE = f"/keep?{urlencode(T7)}"
BEGIN = (
    "hand 1",
    "seat 1 Ana 500",
    "seat 2 Bo 500",
    "seat 3 Cy 500",
    "button 1",
    "2 posts small 2",
    "3 posts big 5",
    "deal done",
)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with open_ledger(tmp_path / "x.ledger") as ledger:
        book = rulebook.load("hilton")
        adopted = RulebookAdopted(book.name, book.edition, book.digest)
        ledger.append("house", HOUSE, [adopted], recorded=Provenance(ledger.now()))
        with serving(ledger, writes=True) as server:
            yield server


def press(served: Served, **said: str) -> tuple[int, str]:
    status, text, _ = served.send("/keep", **T7, **said)
    return status, text


def begin(served: Served) -> None:
    assert press(served, game="holdem no-limit cash blinds 2/5 unit USD 2", seats="9")[0] == 303
    for line in BEGIN:
        assert press(served, written=line)[0] == 303


def lines(served: Served) -> list[str]:
    row = max(served.ledger.hands(), key=lambda one: one.position)
    return write_lines(served.ledger.events(row.stream), served.ledger.people)


def test_a_hand_is_kept_with_buttons_alone(served: Served) -> None:
    assert "What is played here?" in served.ask(PAGE, key=FLOOR)[1]
    begin(served)
    text = served.ask(PAGE, key=FLOOR)[1]
    assert "Seat 1 Ana is to act" in text
    assert "Call $5" in text
    for fields in (
        {"line": "r {amount}", "amount": "15"},
        {"line": "f"},
        {"line": "c"},
        {"line": "{cards}", "cards": "7h2cKd"},
        {"line": "k"},
        {"line": "r {amount}", "amount": "20"},
        {"line": "f"},
        {"line": "."},
        {"line": "."},
        {"line": "."},
    ):
        assert press(served, **fields)[0] == 303, fields
    assert (
        lines(served)[-9:]
        == [
            *(
                "1 raises to 15",
                "2 folds",
                "3 calls 10",
                "flop 7h 2c Kd",
                "3 checks",
                "1 bets 20",
                "3 folds",
                "1 uncalled 20",
                "1 wins 32",
            ),
            "completed",
        ][-9:]
    )
    assert "Next hand 2" in served.ask(PAGE, key=FLOOR)[1]
    assert press(served, line=".")[0] == 303
    assert not list(served.ledger.verify())


def table_lines(served: Served) -> list[str]:
    """What the table was told, as lines, amounts in cents."""
    events = served.ledger.events(table_stream(T7["venue"], "", "T7"))
    return [
        write_lines([event], served.ledger.people)[0]
        for event in events
        if not isinstance(event, HandPlayed | TableOpened)
    ]


def test_between_hands_each_seat_has_a_menu_and_empty_chairs_are_taken(served: Served) -> None:
    assert press(served, game="holdem no-limit cash blinds 2/5 unit USD 2", seats="9")[0] == 303
    sits = "{seat} sits {who} walk-in[ stack {chips}]"
    assert press(served, line=sits, seat="3", who='Lu "Ace" Bo', chips="200")[0] == 303
    assert press(served, line=sits, seat="5", who="Kim", chips="")[0] == 303
    for line in ("3 away", "3 back", "5 leaves"):
        assert press(served, line=line)[0] == 303
    assert press(served, line="3 adds {chips}", chips="50")[0] == 303
    assert press(served, line="3 removes {chips}", chips="25.50")[0] == 303
    assert table_lines(served) == [
        '3 sits "Lu \\"Ace\\" Bo" walk-in stack 20000',
        "5 sits Kim walk-in",
        "3 away",
        "3 back",
        "5 leaves Kim",
        "3 adds 5000",
        "3 removes 2550",
    ]
    text = served.ask(PAGE, key=FLOOR)[1]
    assert "Lu &#34;Ace&#34; Bo" in text
    assert "$224.50" in text
    assert 'value="3 leaves"' in text
    assert "<option>3</option>" not in text
    assert "<option>5</option>" in text


def test_a_name_that_is_typed_is_never_more_than_a_name(served: Served) -> None:
    press(served, game="holdem no-limit cash blinds 2/5 unit USD 2", seats="9")
    name = 'Eve" walk-in; 4 sits "Mal \\'
    assert press(served, line="{seat} sits {who} walk-in[ stack {chips}]", seat="3", who=name, chips="")[0] == 303
    assert len(table_lines(served)) == 1
    (seat,) = fold_table_entries(put_in_order(told_to(served.ledger, TableKey(T7["venue"], "", "T7")))).seats.values()
    assert served.ledger.people.name(seat.player) == name


def test_what_is_wrong_is_said_on_the_page_and_what_was_typed_stays(served: Served) -> None:
    begin(served)
    status, text = press(served, written="1 raises 20")
    assert status == 422
    assert "Write: 1 raises to 20" in text
    assert 'value="1 raises 20"' in text


def test_a_finding_is_shown_at_once(served: Served) -> None:
    begin(served)
    press(served, written="3 calls 0")
    press(served, line="2 folds")
    assert "Found so far" in served.ask(PAGE, key=FLOOR)[1]


def test_what_only_the_end_of_a_hand_shows_is_shown_when_it_ended(served: Served) -> None:
    begin(served)
    press(served, line="1 wins 5; end")
    text = served.ask(PAGE, key=FLOOR)[1]
    assert "Found in the last hand" in text
    assert "record R1" in text


def test_the_same_press_sent_twice_is_recorded_once(served: Served) -> None:
    begin(served)
    assert press(served, line="f", once="abc")[0] == 303
    assert press(served, line="f", once="abc")[0] == 303
    assert lines(served)[-1] == "1 folds"


def test_a_page_numbers_its_acts_and_each_number_is_taken_once(served: Served) -> None:
    begin(served)
    position = json.loads(served.ask(PAGE.replace("/keep?", "/keep.json?"), key=FLOOR)[1])["position"]
    first = {"written": "f", "sender": "pad", "number": 1, "seat": 1, "since": position}
    for is_repeated in (False, True):
        status, answer = served.tell("/keep.json", **T7, **first)
        assert (status, answer["recorded"], answer["again"], answer["reached"]) == (
            200,
            True,
            is_repeated,
            position + 1,
        )
    status, answer = served.tell("/keep.json", **T7, **{**first, "written": "c"})
    assert (status, answer["last"]) == (409, 1)
    assert answer["message"] == "something else is recorded under this key: 1 folds"
    status, answer = served.tell("/keep.json", **T7, written="c", sender="pad", number=3, seat=2)
    assert (status, answer["last"], answer["message"]) == (
        *(409, 1),
        "act 2 is missing: act 3 of this page comes after it",
    )
    assert served.tell("/keep.json", **T7, written="c", sender="pad", number=2, seat=2)[0] == 200
    assert lines(served)[-2:] == ["1 folds", "2 calls 3"]


def test_braces_in_a_numbered_act_are_words(served: Served) -> None:
    begin(served)
    position = json.loads(served.ask(PAGE.replace("/keep?", "/keep.json?"), key=FLOOR)[1])["position"]
    act = {"written": 'remark "a {who} b[ {x}]"', "sender": "pad", "number": 1, "since": position}
    assert served.tell("/keep.json", **T7, **act)[0] == 200
    assert lines(served)[-1] == 'remark "a {who} b[ {x}]"'


def test_who_is_late_is_told_what_the_other_did(served: Served) -> None:
    begin(served)
    assert press(served, line="f", behind="9")[0] == 303
    status, text = press(served, line="c", behind="9")
    assert status == 409
    assert "this table has moved on" in text
    assert "1 folds" in text


def test_who_is_ahead_is_told_what_is_missing(served: Served) -> None:
    begin(served)
    status, text = press(served, line="f", behind="12")
    assert status == 409
    assert "this hand has 9 events, not 12: events 10 to 12 are missing" in text
    assert "the hand ended" not in text


@pytest.mark.parametrize("key", [AUDITOR, VIEWER])
def test_only_the_floor_keeps_tables(served: Served, key: str) -> None:
    assert served.ask(PAGE, key=key)[0] == 403


def test_for_reading_there_is_no_such_page(tmp_path: Path) -> None:
    with open_ledger(tmp_path / "x.ledger") as ledger, serving(ledger) as server:
        assert server.ask(PAGE, key=FLOOR)[0] == 403
        assert server.ask("/api/1/me", key=FLOOR)[0] == 404
