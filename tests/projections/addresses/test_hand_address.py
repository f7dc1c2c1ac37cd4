"""The address that is printed of a hand names that hand, and no other, whatever rooms, tables and numbers are called."""

import shutil
import tempfile
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.errors import AddressError, NothingFoundError
from ledger.formats.handscript.tokens import write_word
from ledger.intake import import_paths
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.store.hands.hand_accounts import TableKey
from projections.addresses import hand_address
from projections.addresses.address_book import AddressBook
from tests.laws import size
from tests.postgres import server

ROOMS = ["V", "T7", "219", "Desert Palms"]
TOURNAMENTS = ["", "88", "T7"]
TABLES = ["T7", "219", "V", "a/b", 'a"b', "Alcor II", "2026-11-20", "2nd", "-x", "T7#3", "a~2", "a@3", "a:5", "\x1b[2J"]
NUMBERS = ["1", "2", "3", "219", "2nd", "2026-11-20", "1/2", "T7", "3~1", "7@flop"]
DAYS = ["2026-11-20", "2026-11-21", ""]


class Evening(NamedTuple):
    """A table on one evening."""

    room: str
    tournament: str
    table: str
    day: str
    numbers: list[str]
    chips: int

    def text(self) -> str:
        tournament = f"  tournament {write_word(self.tournament)}" if self.tournament else ""
        form = "tournament" if self.tournament else "cash"
        lines = [
            "handscript 1",
            f"venue {write_word(self.room)}{tournament}  table {write_word(self.table)}  seats 9",
            f"game holdem no-limit {form} blinds 1/2 unit chips 0",
        ]
        for item_index, number in enumerate(self.numbers):
            began = f" {self.day}T20:{item_index:02}:00Z" if self.day else ""
            lines += [
                f"hand {write_word(number)}{began}",
                f"stacks 1:{self.chips} 2:{self.chips + item_index}",
                "button 1",
            ]
            lines += ["1 posts small 1", "2 posts big 2", "deal", "1 folds", "2 uncalled 1", "2 wins 2", "end"]
        return "\n".join(lines) + "\n"


EVENINGS = st.builds(
    Evening,
    st.sampled_from(ROOMS),
    st.sampled_from(TOURNAMENTS),
    st.sampled_from(TABLES),
    st.sampled_from(DAYS),
    st.lists(st.sampled_from(NUMBERS), min_size=1, max_size=3, unique=True),
    st.integers(100, 103),
)


def filled(folder: Path, evenings: list[Evening], url: str = "") -> Ledger:
    """Return a ledger of some evenings, each from a file of its own."""
    ledger = open_ledger(url or folder / "l", people_key=folder / "people.key")
    for item_index, evening in enumerate(evenings):
        file = folder / f"{item_index}.hand"
        file.write_text(evening.text())
        summary = import_paths(ledger, [file])
        assert not summary.total.rejected, evening
    return ledger


def holds(ledger: Ledger) -> None:
    """Check that each hand has an address that names it, alone."""
    book = AddressBook(ledger)
    printed = [(row, book.find_hand_address(row)) for row in ledger.hands()]
    assert len({text for _, text in printed}) == len(printed)
    for row, text in printed:
        assert row.stream.hex not in text, "nobody has to type an id"
        index = hand_address.find(ledger, text)
        assert (index.row.stream, index.version) == (row.stream, None), text
        index = hand_address.find(ledger, book.find_hand_address(row, 3))
        assert (index.row.stream, index.version) == (row.stream, 3), text
        assert book.find_stream_address(row.stream.hex) == text
        assert (
            row.stream
            in {hand_row.stream for hand_row in hand_address.find_matching(ledger, book.find_hand_address(row, 3))}
            or not row.stands
        )
    for table in ledger.tables():
        assert hand_address.find_table(ledger, book.find_table_address(TableKey(*table[:3])))[:3] == table[:3]


@pytest.mark.law
@given(st.lists(EVENINGS, min_size=1, max_size=6))
@settings(max_examples=size(25, 2_000), deadline=None)
def test_the_printed_address_names_the_hand_and_no_other(evenings: list[Evening]) -> None:
    folder = Path(tempfile.mkdtemp())
    try:
        with filled(folder, evenings) as ledger:
            holds(ledger)
    finally:
        shutil.rmtree(folder)


@pytest.mark.postgres
def test_they_are_the_same_in_postgresql(tmp_path: Path) -> None:
    evenings = [V7, V7._replace(day="2026-11-21", chips=300), V7._replace(table='a"b'), V7._replace(room="W")]
    with server() as url, filled(tmp_path, evenings, url) as ledger:
        holds(ledger)


V7 = Evening("V", "", "T7", "2026-11-20", ["1", "2", "3"], 100)


def make_ledger(*evenings: Evening, tmp_path: Path) -> Ledger:
    return filled(tmp_path, list(evenings))


def addresses(ledger: Ledger) -> list[str]:
    book = AddressBook(ledger)
    return [book.find_hand_address(row) for row in ledger.hands()]


def test_no_more_is_printed_than_is_needed(tmp_path: Path) -> None:
    evening = Evening("V", "", "T7", "2026-11-20", ["3"], 100)
    cases = {
        "T7/3": [],
        "V/T7/3": [evening._replace(room="W")],
        "T7/3/2026-11-20": [evening._replace(day="2026-11-21")],
        "T7/3/1st": [evening._replace(day="2026-11-20", chips=4000)],
    }
    for number, (printed, other_hands) in enumerate(cases.items()):
        (folder := tmp_path / str(number)).mkdir()
        with make_ledger(evening, *other_hands, tmp_path=folder) as ledger:
            if len(addresses(ledger)) == 1 + len(other_hands):
                assert addresses(ledger)[0].removesuffix("~2") in (printed, "T7/3"), printed
            holds(ledger)


def test_two_tables_and_two_tournaments_are_told_apart_by_name(tmp_path: Path) -> None:
    cash = V7._replace(numbers=["3"])
    first, second = cash._replace(tournament="88"), cash._replace(tournament="89")
    with make_ledger(cash, first, second, V7._replace(table="T8", numbers=["3"]), tmp_path=tmp_path) as ledger:
        assert addresses(ledger)[1:] == ["88/T7/3", "89/T7/3", "T8/3"]
        holds(ledger)
        with pytest.raises(AddressError, match=r"'3' matches 4 hands: .*88/T7/3, 89/T7/3, T8/3"):
            hand_address.find(ledger, "3")
        assert hand_address.find(ledger, "T8/3").row.table == "T8"
        with pytest.raises(AddressError, match="3 tables are called 'T7'") as error:
            hand_address.find_table(ledger, "T7")
        assert "88/T7, 89/T7" in error.value.hint


def test_what_could_mean_two_things_is_refused_and_both_are_named(tmp_path: Path) -> None:
    twice = V7._replace(numbers=["219"])
    with make_ledger(
        twice,
        twice._replace(day="2026-11-21", chips=300),
        V7._replace(table="219", numbers=["2", "3"]),
        tmp_path=tmp_path,
    ) as ledger:
        with pytest.raises(AddressError, match=r"'219/2' matches 2 hands: V/219/2, T7/219/2026-11-21"):
            hand_address.find(ledger, "219/2")
        assert hand_address.find(ledger, "V/219/2").row.number == "2"
        assert hand_address.find(ledger, "219/3").row.table == "219"
        assert hand_address.find(ledger, "219/2026-11-21") == hand_address.find(ledger, "T7/219/2nd")
        holds(ledger)


@pytest.mark.parametrize(
    ("typed", "message", "hint"),
    [
        ("T7#3", "'T7#3' isn't an address: # could mean a hand or an event", "Hand 3 of the table is T7/3."),
        ("T7/9", "no hand '9' at table 'T7'", "handledger log --table T7 lists its hands."),
        ("T8/3", "no table is called 'T8'", "Did you mean 'T7'?"),
        ("W/T7/3", "no table is called 'W/T7'", "Did you mean 'T7'?"),
        ("T7/3~2", "hand '3' has no account 2", ""),
        ("T7/3/2026-11-25", "no hand '3' at table 'T7' on '2026-11-25'", "There is T7/3."),
        ('"T7/3', "a quote in '\"T7/3' doesn't close before a /", 'Quote each name by itself: "Alcor II"/408.'),
        ("T7//3", "'T7//3' isn't an address", "Write TABLE/HAND: T7/408."),
        ("T7/3@99", "hand '3' has 12 events; there's no event 99", ""),
    ],
)
def test_what_names_no_hand_says_why(typed: str, message: str, hint: str, tmp_path: Path) -> None:
    with make_ledger(V7, tmp_path=tmp_path) as ledger, pytest.raises((AddressError, NothingFoundError)) as error:
        hand_address.find(ledger, typed)
    assert error.value.message == message
    assert error.value.hint.startswith(hint)


def test_an_address_of_very_many_names_is_refused_like_any_other(tmp_path: Path) -> None:
    """The errors for unknown hands and unknown tables once called each other for each name."""
    with (
        make_ledger(V7, tmp_path=tmp_path) as ledger,
        pytest.raises(NothingFoundError, match="no table is called 'T/4117/"),
    ):
        hand_address.find(ledger, "T/4117/" * 400 + "9")
