"""Names live in the vault alone, come back as they came, and can be taken out for good."""

from __future__ import annotations

from pathlib import Path

import pytest

import ledger
from ledger.hand.ending import HandCompleted
from ledger.hand.opening import HandOpened, SeatDealtIn
from ledger.house.events import PersonErased
from ledger.store import Ledger
from ledger.store.requests.erasure import erase
from ledger.streams import HOUSE
from tests.ledger.store.hands import draft

NAMES = [
    "Anna",
    "",
    "[/red]",
    "<script>",
    "a\0b",
    "\ud800half",
    "\ufdd0x",
    "\u202eevil",
    "=1+1",
    "a\nb",
    "Ä" * 10_000,
    "'); DROP TABLE names; --",
    "%s ? %(x)s",
]


@pytest.mark.parametrize("name", NAMES)
def test_hostile_names_and_texts_come_back_as_they_came(url: str, name: str) -> None:
    with ledger.open(url) as book:
        player, ref = book.people.player("V", name), book.people.text(name + "!")
        book.append_all([draft(1, book.people)])
    with ledger.open(url) as book:
        assert book.people.name(player) == name
        assert book.people.find_person(player) == ("V", name)
        assert book.people.words(ref) == name + "!"
        assert book.people.find_players(name) == book.people.find_players(name, "V") == [player]


def test_names_are_stored_with_the_events_that_speak_of_them_or_not_at_all(book: Ledger) -> None:
    player = book.people.player("V", "Anna")
    with pytest.raises(ledger.errors.HandledgerError):
        book.append_all([draft(1, book.people), draft(1, book.people)._replace(data=b"[")])
    with book.database.reading() as link:
        assert link.execute("SELECT count(*) FROM names").fetchone()[0] == 0
    book.append_all([draft(1, book.people)])
    with book.database.reading() as link:
        assert link.execute("SELECT name FROM names WHERE id = ?", (player,)).fetchone()[0] == "Anna"


def test_two_ledgers_know_the_same_person_by_other_ids(new_url: object) -> None:
    with ledger.open(new_url()) as first_ledger, ledger.open(new_url()) as second_ledger:  # type: ignore[operator] # a fixture
        assert first_ledger.people.player("V", "Anna") != second_ledger.people.player("V", "Anna")


def test_no_name_is_in_an_event(book: Ledger) -> None:
    book.append_all([draft(n, book.people) for n in range(5)])
    assert not [c for c in book.commits() if b"player 1" in c.data]


def test_an_erased_name_is_gone_and_stays_gone(url: str) -> None:
    with ledger.open(url) as book:
        player = book.people.player("PokerStars", "player 1")
        book.append_all([draft(n, book.people) for n in range(5)])
        head = book.head()
        book.people.read_before.results_of("rows")["Seat 1: player 1"] = 1
        erase(book, player, role="manager")
        assert book.people.name(player) is None
        assert book.people.read_before.results_of("rows") == {}
        assert isinstance(book.events(HOUSE)[-1], PersonErased)
        assert book.head()[0] == head[0] + 1
        book.append_all([draft(n, book.people, amount=300) for n in range(5)])
    with ledger.open(url) as book:
        book.append_all([draft(n, book.people, amount=400) for n in range(5)])
        assert book.people.find_players("player 1") == []
        assert book.people.find_players("player 2") != []
        assert book.verify() == []


def test_no_byte_of_an_erased_name_is_left_in_the_files(tmp_path: Path) -> None:
    secret = "Zephyrine Quux"
    with ledger.open(tmp_path / "x.ledger") as book:
        player = book.people.player("V", secret)
        book.append(
            "hand",
            draft(1, book.people).stream,
            [HandOpened("V", "T", "1", 0), SeatDealtIn(1, player, 5), HandCompleted()],
        )
        assert any(secret.encode() in file.read_bytes() for file in tmp_path.iterdir())
        erase(book, player)
        assert not any(secret.encode() in file.read_bytes() for file in tmp_path.iterdir())
    assert not any(secret.encode() in file.read_bytes() for file in tmp_path.iterdir())
