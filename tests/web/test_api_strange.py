"""Whatever a device sends, well-formed or not, is answered: nothing it says keeps a table from being read again."""

from __future__ import annotations

import json
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import ledger
from ledger.errors import HandledgerError
from ledger.event import Event
from ledger.hand.events import HandEvent
from ledger.house.events import DeviceEnrolled
from ledger.store.hands.hand_accounts import TableKey
from ledger.table.events import TableEvent
from web.api.api_errors import ProblemError
from web.api.device_requests import Events, Lines, NewTable
from web.api.tables import RecordedTables

PLACE = TableKey("Room", "", "T1")
DEVICE = DeviceEnrolled("tablet", "", cards=True)
BEGIN = ["hand 1", "seat 1 Ana 500", "seat 2 Bo 500", "button 1", "1 posts small 2", "2 posts big 5", "deal done"]

CARDS = st.sampled_from(("", "Ah", "AhKd", "7h2cKd", "????", "Ah??", "Jk", "Xx", "7h 2c"))
NUMBERS = st.sampled_from((1, 2, 3, 9, 0, -1, 500, 10**6, 2**40))
TEXTS = st.sampled_from(("", "x", "t" + "a" * 16, "a" * 16, "holdem", "hand", "\x00", "\u202e"))


def strange(kind: type[Event]) -> st.SearchStrategy[list[Any]]:
    """Return arrays that are nearly an event: some are one, and few that are one make sense."""
    fields = [field.encode_name for field in msgspec.structs.fields(kind)]
    value = st.one_of(NUMBERS, CARDS, TEXTS, st.none(), st.booleans(), st.lists(NUMBERS, max_size=3))
    typed = st.from_type(kind).map(lambda event: json.loads(msgspec.json.encode(event)))
    loose = st.lists(value, max_size=len(fields)).map(lambda told: [kind.__name__, *told])
    return st.one_of(typed, loose)


KINDS = (*get_args(HandEvent), *get_args(TableEvent))
EVENTS = st.sampled_from(KINDS).flatmap(strange)
LINES = st.one_of(
    st.sampled_from(
        (
            "f",
            "c",
            "k",
            "a",
            "u",
            "m",
            ".",
            "",
            "r 40",
            "b 999999999999",
            "s AhKd",
            "7h2cKd",
            "stop",
            "end",
            "hand 2",
            "undo",
        )
    ),
    st.text(max_size=40),
    st.tuples(
        st.sampled_from(("1", "2", "9", "?")),
        st.sampled_from(("folds", "calls 5", "raises to 15", "wins 7", "leaves Ana", "shows AhAh")),
    ).map(" ".join),
)
STEPS = st.one_of(
    st.lists(EVENTS, min_size=1, max_size=3).map(lambda told: ("events", told)),
    LINES.map(lambda line: ("lines", [line])),
)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::hypothesis.errors.NonInteractiveExampleWarning")
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(steps=st.lists(STEPS, min_size=1, max_size=12))
@example(steps=[("events", [["BoardDealt", "flop", "AhAhAh"]]), ("events", [["PotAwarded", 1, -5]]), ("lines", ["."])])
@example(steps=[("events", [["GameSet", "runes", "limit", "cash", "USD", 400]]), ("lines", ["c"])])
@example(
    steps=[
        ("events", [["SeatDealtIn", 99, "", None]]),
        ("events", [["ButtonPlaced", 99]]),
        ("lines", ["stop"]),
        ("lines", ["."]),
    ]
)
def test_whatever_is_sent_the_table_can_be_read_and_the_ledger_is_sound(steps: list[tuple[str, list[Any]]]) -> None:
    with ledger.open("sqlite://") as book:
        tables = RecordedTables(book, ["hilton"])
        tables.open(PLACE, DEVICE, NewTable("holdem no-limit cash blinds 2/5 unit USD 2"))
        tables.record_lines(PLACE, DEVICE, Lines(list(BEGIN)))
        for index, (kind, content) in enumerate(steps):
            try:
                if kind == "lines":
                    tables.record_lines(PLACE, DEVICE, Lines(content, key=str(index)))
                else:
                    tables.record_events(
                        PLACE,
                        DEVICE,
                        Events([msgspec.Raw(json.dumps(event).encode()) for event in content], key=str(index)),
                    )
            except (ProblemError, HandledgerError):
                pass
            live = tables.build_live_document(PLACE, DEVICE)
            json.dumps(msgspec.to_builtins(live, str_keys=True))
        assert not list(book.verify())
