"""Without `-r` the book that the house adopted is taken: for that table, at that time."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from ledger.entry import NO_ORIGIN, Entry, EventOrigin, Provenance
from ledger.event import Event
from ledger.house.books import find_books_in_force, read_adoptions
from ledger.house.events import RulebookAdopted, RulebookRetired
from ledger.store import open as open_ledger
from ledger.streams import HOUSE
from projections.books import rulebook
from tests.cli.conftest import Run


def ms(text: str) -> int:
    return int(datetime.fromisoformat(f"{text}+00:00").timestamp() * 1000)


def adopt(book: str, **told: Any) -> RulebookAdopted:
    book_file = rulebook.load(book)
    return RulebookAdopted(book, **({"edition": book_file.edition, "digest": book_file.digest} | told))


House = Callable[..., str]


@pytest.fixture
def house(sampled: Path, tmp_path: Path) -> House:
    """Makes a ledger with the sample hands, of a house that did these things."""

    def make_ledger(*events: Event) -> str:
        url = shutil.copy(sampled, tmp_path / "x.ledger")
        with open_ledger(url) as book:
            if events:
                book.append("house", HOUSE, list(events), recorded=Provenance(ms("2026-11-01"), writer="test"))
        return str(url)

    return make_ledger


def test_the_adopted_book_is_audited_as_if_it_had_been_asked_for(run: Run, house: House) -> None:
    url = house(adopt("rrop4", since=ms("2020-01-02")))
    result = run("audit", "--table", "T3", "--ledger", url)
    named_result = run("audit", "-r", "rrop4", "--table", "T3", "--ledger", url)
    assert result.code == named_result.code == 1
    assert "under rrop4 (adopted 2020-01-02) and for contradictions in the record: " in result.out
    assert result.out.replace(" (adopted 2020-01-02)", "") == named_result.out
    (_, ref) = run("audit", "--table", "T3", "--ledger", url, "--format", "json").document["books"]
    assert (ref["name"], ref["adopted"]) == ("rrop4", "2020-01-02")
    (_, ref) = run("audit", "-r", "rrop4", "--table", "T3", "--ledger", url, "--format", "json").document["books"]
    assert "adopted" not in ref, "it was asked for"


def test_each_table_is_judged_under_its_own_book(run: Run, house: House) -> None:
    url = house(adopt("rrop4"), adopt("hilton", table="T3", since=ms("2020-01-02")))
    document = run("audit", "--ledger", url, "--format", "json").document
    assert {ref["name"] for ref in document["books"]} == {"record", "rrop4", "hilton"}
    parts = {"hilton": 0, "rrop4": 0}
    for finding in document["findings"]:
        if finding["book"] in parts:
            assert (finding["hand"]["table"] == "T3") == (finding["book"] == "hilton")
            parts[finding["book"]] += 1
    at_3 = run("audit", "-r", "hilton", "--table", "T3", "--ledger", url, "--format", "json").document
    assert parts["hilton"] == sum(f["book"] == "hilton" for f in at_3["findings"]) > 0
    every = run("audit", "-r", "rrop4", "--ledger", url, "--format", "json").document
    assert document["summary"]["hands"] == every["summary"]["hands"]
    rows = {(row["book"], row["clause"]): row for row in document["coverage"]}
    assert len(rows) == len(document["coverage"])
    kinds = ("clean", "found", "cannot_tell", "not_applicable", "not_built", "no_judgement")
    assert sum(rows["record", "R1"][kind] for kind in kinds) == every["summary"]["hands"]
    assert sum(rows["hilton", "B8a.1"][kind] for kind in kinds) == at_3["summary"]["hands"]


def test_owed_takes_the_book_of_now_or_of_the_hand_that_is_asked_for(run: Run, house: House) -> None:
    url = house(adopt("hilton"), adopt("rrop4", since=ms("2026-10-01")))
    result = run("due", "T3", "--ledger", url)
    assert result.code == 0
    assert "under rrop4 (" in result.out
    assert "), adopted from 2026-10-01" in result.out
    document = run("due", "T3", "--before", "712", "--ledger", url, "--format", "json").document
    started = next(
        hand["started"]
        for hand in run("log", "--ledger", url, "--format", "json").document["hands"]
        if hand["number"] == "712"
    )
    expected_book = "hilton" if started < ms("2026-10-01") else "rrop4"
    assert [ref["name"] for ref in document["books"]] == [expected_book]


@pytest.mark.parametrize("command", [["audit"], ["due", "T3"]])
@pytest.mark.parametrize(
    ("events", "message"),
    [
        ([], "the house hasn't adopted one"),
        ([adopt("hilton", table="T9")], "no rulebook is adopted for table 'T3'"),
        (
            [adopt("hilton"), RulebookRetired("hilton", rulebook.load("hilton").edition, until=0)],
            "no rulebook is adopted",
        ),
        ([adopt("hilton", since=ms("2999-01-01"))], "no rulebook is adopted"),
        ([RulebookAdopted("../../x.toml", "1", "")], "the file is missing here"),
        ([adopt("hilton", digest="0" * 64)], "the house adopted another text of"),
        ([adopt("hilton", edition="of 1874")], "no edition 'of 1874'"),
    ],
)
def test_where_no_book_is_known_for_certain_it_has_to_be_said(
    run: Run, house: House, command: list[str], events: list[Event], message: str
) -> None:
    if command == ["audit"] and not events:
        pytest.skip("an audit without a book then judges the record alone")
    url = house(*events)
    table = ["--table", "T3"] if command == ["audit"] else []
    result = run(*command, *table, "--ledger", url)
    assert result.code == 2
    assert message in " ".join((result.out + result.err).split())
    assert "Traceback" not in result.err


def test_a_book_that_is_not_here_spoils_nothing_where_it_is_not_in_force(run: Run, house: House) -> None:
    url = house(adopt("hilton"), RulebookAdopted("my.toml", "1", "", table="T99"))
    for command in (["floor", "T3"], ["due"], ["fairness"], ["findings"], ["rates", "--by", "table"]):
        assert run(*command, "--ledger", url).code in (0, 1), command
    everywhere = house(RulebookAdopted("my.toml", "1", "", table="T3"))
    assert "the file is missing here" in run("floor", "T3", "--ledger", everywhere).err


def test_an_audit_without_a_book_judges_the_record_and_says_which_books_there_are(run: Run, house: House) -> None:
    result = run("audit", "--table", "T3", "--format", "json", "--ledger", house())
    document = json.loads(result.out)
    assert result.code == (1 if document["findings"] else 0)
    assert [book["name"] for book in document["books"]] == ["record"]
    assert {row["book"] for row in document["coverage"]} == {"record"}
    assert all(name in result.err for name in rulebook.list_names())


def test_a_book_that_another_took_the_place_of_was_in_force_nowhere(run: Run, house: House) -> None:
    url = house(RulebookAdopted("gone", "1", "0" * 64), adopt("hilton"))
    assert run("audit", "--table", "T3", "--ledger", url).code == 1
    assert run("floor", "T3", "--ledger", url).code in (0, 1)
    assert "Not judged" not in run("findings", "--ledger", url).err
    adoptions = entries(adopt("rrop4"), adopt("hilton"))
    assert books(adoptions, "R", "T", None) == ["hilton"], "of hands that tell no time, too"
    readoptions = entries(RulebookAdopted("a", "1", ""), RulebookAdopted("b", "1", ""), RulebookAdopted("a", "1", ""))
    assert books(readoptions, "R", "T", 5) == books(readoptions, "R", "T", None) == ["a"]


def entries(*events: Event, time: int | None = None) -> list[Entry]:
    mark = NO_ORIGIN if time is None else EventOrigin(time=time)
    return [Entry(HOUSE, n, n, event, mark, Provenance(70)) for n, event in enumerate(events, 1)]


def books(entries: list[Entry], venue: str, table: str, time: int | None) -> list[str]:
    return [adoption.book for adoption in find_books_in_force(read_adoptions(entries), venue, table, time)]


def test_the_narrowest_counts_then_the_last_begun_then_the_last_told() -> None:
    adoptions = entries(
        RulebookAdopted("all", "1", ""),
        RulebookAdopted("later", "1", "", since=20),
        RulebookAdopted("room", "1", "", "Room", since=30),
        RulebookAdopted("table", "1", "", "Room", "T1", since=40),
        RulebookAdopted("early", "1", "", since=10),
        RulebookAdopted("again", "1", "", "Room", "T1", since=40),
    )
    assert books(adoptions, "Elsewhere", "T1", 5) == ["all"]
    assert books(adoptions, "Elsewhere", "T1", 19) == ["early"]
    assert books(adoptions, "Elsewhere", "T1", 20) == ["later"]
    assert books(adoptions, "Room", "T1", 29) == ["later"]
    assert books(adoptions, "Room", "T2", 50) == ["room"]
    assert books(adoptions, "Room", "T1", 39) == ["room"]
    assert books(adoptions, "Room", "T1", 40) == ["again"]


def test_what_is_retired_is_in_force_until_then() -> None:
    retirement = RulebookRetired("b", "1")
    changes = [RulebookAdopted("b", "1", "", since=10), retirement]
    assert books(entries(*changes), "R", "T", 69) == ["b"], "retired when that was recorded"
    assert books(entries(*changes), "R", "T", 70) == []
    assert books(entries(*changes, time=50), "R", "T", 50) == [], "or when it says it happened"
    retired_at_30 = RulebookRetired("b", "1", until=30)
    assert books(entries(changes[0], retired_at_30), "R", "T", 29) == ["b"]
    assert books(entries(changes[0], retired_at_30), "R", "T", 30) == []
    other_edition = RulebookRetired("b", "2", until=30)
    assert books(entries(changes[0], other_edition), "R", "T", 30) == ["b"], "another edition"
    twice = entries(
        changes[0], retired_at_30, RulebookAdopted("b", "1", "", since=40), RulebookRetired("b", "1", until=60)
    )
    assert [books(twice, "R", "T", time) for time in (29, 35, 45, 65)] == [["b"], [], ["b"], []]


def test_a_hand_without_a_time_has_every_book_that_may_have_been_in_force() -> None:
    always = RulebookAdopted("a", "1", "")
    later = RulebookAdopted("b", "1", "", since=20)
    assert books(entries(always), "R", "T", None) == ["a"]
    assert books(entries(always, later), "R", "T", None) == ["a", "b"]
    table_adoption = RulebookAdopted("c", "1", "", "R", "T")
    assert books(entries(always, later, table_adoption), "R", "T", None) == ["c"]
    assert books(
        entries(always, later, table_adoption, RulebookRetired("c", "1", "R", "T", until=5)), "R", "T", None
    ) == ["a", "b", "c"]


def test_a_book_is_adopted_and_retired_from_the_command_line(run: Run, house: House) -> None:
    url = house()
    assert run("rules", "adopt", "rrop4", "--table", "T3", "--since", "2020-01-02", "--ledger", url).code == 0
    assert "rrop4 (adopted 2020-01-02)" in run("audit", "--table", "T3", "--ledger", url).out
    result = run("rules", "retire", "rrop4", "--ledger", url)
    assert (result.code, "rrop4 is adopted only at table T3\n  Add --table T3." in result.err) == (2, True)
    retirement = run(
        "rules", "retire", "rrop4", "--table", "T3", "--since", "2020-01-03", "--ledger", url, "--format", "json"
    )
    assert retirement.document["recorded"] == "retire"
    assert run("audit", "--table", "T3", "--ledger", url).code == 2


@pytest.mark.parametrize("wrong", [["adopt"], ["adopt", "none"], ["adopt", "rrop4", "--since", "soon"]])
def test_what_cannot_be_adopted_is_said(run: Run, house: House, wrong: list[str]) -> None:
    assert run("rules", *wrong, "--ledger", house()).code == 2


def test_adopting_and_retiring_name_the_time_and_the_book_that_stays(run: Run, house: House) -> None:
    url = house()

    def rules(*words: str) -> str:
        result = run("rules", *words, "--ledger", url)
        return " ".join((result.out + result.err).split())

    first = rules("adopt", "hilton", "--table", "T3", "--since", "2020-01-02")
    assert "is adopted at table T3 from 2020-01-02 00:00 UTC" in first
    second = rules("adopt", "rrop4", "--table", "T3")
    assert "rrop4 (4-r3) is adopted at table T3 up to 2020-01-02 00:00 UTC" in second
    assert "From then on hilton (undated-r3) stays in force." in second
    assert "adopted from 2020-01-02\n" in run("due", "T3", "--ledger", url).out
    end_command = second.partition("To end that: handledger rules ")[2].split("See")[0].split()
    assert end_command == ["retire", "hilton", "--table", "T3", "--since", "2020-01-02T00:00:00Z"]
    assert "hilton (undated-r3) is retired at table T3 from 2020-01-02 00:00 UTC" in rules(*end_command)
    assert "under rrop4 (4-r3), adopted for all hands\n" in run("due", "T3", "--ledger", url).out
    assert "hilton isn't adopted, or is retired already" in rules("retire", "hilton")
    assert "rrop4 is adopted only at table T3 Write --table T3." in rules("retire", "rrop4", "--table", "T4")
    assert "hilton (undated-r3) now replaces rrop4 (4-r3) for past hands at table T3." in rules(
        "adopt", "hilton", "--table", "T3"
    )
    assert "( in the room)" not in rules("adopt", "hilton", "--table", "T3", "--since", "0001-01-01")


def test_retiring_names_the_book_that_is_in_force_then(run: Run, house: House) -> None:
    url = house()

    def rules(*words: str) -> str:
        return " ".join(run("rules", *words, "--ledger", url).out.split())

    rules("adopt", "rrop4", "--table", "T3", "--since", "2020-01-02")
    rules("adopt", "rrop4", "--table", "T3")
    retired = rules("retire", "rrop4", "--table", "T3")
    assert "rrop4 (4-r3) is retired at table T3. In force there now: rrop4 (4-r3), adopted from 2020-01-02" in retired
    assert "In force" not in rules("retire", "rrop4", "--table", "T3")
    rules("adopt", "hilton")
    rules("adopt", "bicycle", "--table", "T3")
    assert "In force there now: hilton (undated-r3)." in rules("retire", "bicycle", "--table", "T3")
    rules("adopt", "rrop4", "--venue", "Elsewhere")
    rules("adopt", "bicycle", "--table", "T3")
    assert "In force" not in rules("retire", "bicycle", "--table", "T3"), "it depends on the room"
