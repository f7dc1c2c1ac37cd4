"""Tables for spreadsheets and columns: every amount a number, no cell a formula, nothing left out."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from uuid import UUID

import pytest

from ledger.entry import NO_ORIGIN, Entry, EventOrigin, Provenance, SourceSpan
from ledger.errors import MissingExtraError
from ledger.event import topic
from ledger.export import events as exported
from ledger.export.events import ExportedEvent, write_json_lines, write_parquet
from ledger.export.seats import COLUMNS, write_header_line, write_seat_rows
from ledger.formats.ohh import FORMAT
from ledger.hand.dealing import BoardWithdrawn
from ledger.people import People
from tests.conftest import ROOT
from tests.formats.support import new_people, read_hand

SAMPLE = ROOT / "tests/formats/ohh/samples/dead-post.ohh"


def make_events(people: People) -> list[ExportedEvent]:
    account = read_hand(FORMAT, SAMPLE.read_bytes().replace(b'"Ada"', b'"=cmd|1"'), people=people)
    opened = account.opened
    recorded = Provenance(1_700_000_000_000, source=SourceSpan("ab" * 32, 100, 50))
    return [
        ExportedEvent(
            Entry(UUID(int=7), index + 1, index + 11, event, EventOrigin(index, 5) if index else NO_ORIGIN, recorded),
            event,
            opened,
        )
        for index, event in enumerate(account.events)
    ]


def test_each_seat_is_a_row_and_its_numbers_are_numbers() -> None:
    names = new_people()
    text = write_header_line() + "".join(write_seat_rows([fact.event for fact in make_events(names)], names))
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["seat"] for row in rows] == ["1", "2", "3", "4", "5"]
    assert set(rows[0]) == set(COLUMNS)
    winner, out = rows[4], rows[2]
    assert (winner["won"], winner["put_in"], winner["net"], winner["end_stack"]) == (
        "125.00",
        "59.00",
        "66.00",
        "316.00",
    )
    assert (winner["position"], winner["cards"], winner["shown"]) == ("BTN", "Ah Kh", "Ah Kh")
    assert (out["dealt_in"], out["won"]) == ("sitting-out", "")
    assert sum(float(row["net"] or 0) for row in rows) == -3  # the rake


def test_a_name_is_no_formula() -> None:
    names = new_people()
    text = "".join(write_seat_rows([fact.event for fact in make_events(names)], names))
    assert "'=cmd|1" in text
    assert ",=cmd" not in text


def test_an_event_is_a_line_of_json_with_the_name_beside_it() -> None:
    names = new_people()
    lines = [json.loads(line) for line in write_json_lines(make_events(names), names)]
    assert [line["version"] for line in lines] == list(range(1, len(lines) + 1))
    assert next(line for line in lines if line["topic"] == "hand.seat-dealt-in")["name"] == "=cmd|1"


def test_parquet_holds_every_event_with_its_place(tmp_path: Path) -> None:
    pyarrow = pytest.importorskip("pyarrow.parquet")
    names = new_people()
    facts = make_events(names)
    assert write_parquet([(facts, names)], tmp_path / "x.parquet") == len(facts)
    table = pyarrow.read_table(tmp_path / "x.parquet").to_pylist()
    assert [row["topic"] for row in table] == [topic(type(fact.event)) for fact in facts]
    raised = next(row for row in table if row["topic"] == "hand.raised")
    assert (raised["seat"], raised["amount"], raised["to"]) == (5, 800, 800)
    assert (raised["start"], raised["length"]) == (100 + raised["version"] - 1, 5)
    dead = next(row for row in table if row["topic"] == "hand.blind-posted" and "makeup-small" in row["event"])
    assert dead["amount"] == 100
    assert json.loads(raised["event"])["seat"] == 5


def test_a_word_where_other_events_have_a_number_is_left_to_the_whole_event(tmp_path: Path) -> None:
    """The deck that a withdrawn board goes `to` isn't the amount that a bet is made `to`."""
    pyarrow = pytest.importorskip("pyarrow.parquet")
    names = new_people()
    withdrawn, *_ = make_events(names)
    withdrawn = withdrawn._replace(event=BoardWithdrawn("turn", "7h", to="deck"))
    write_parquet([([withdrawn], names)], tmp_path / "x.parquet")
    (row,) = pyarrow.read_table(tmp_path / "x.parquet").to_pylist()
    assert (row["to"], row["cards"]) == (None, "7h")
    assert json.loads(row["event"])["to"] == "deck"


def test_without_its_part_parquet_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def missing(name: str) -> object:
        raise ImportError(name)

    monkeypatch.setattr(exported, "import_module", missing)
    with pytest.raises(MissingExtraError, match="Parquet"):
        write_parquet([], tmp_path / "x.parquet")
