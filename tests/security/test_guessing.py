"""Who has the bytes and not the key cannot confirm that a name was forgotten; who has the key knows it again."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import ledger
from ledger.evidence import bundle as bundles
from ledger.intake import ImportOptions, import_paths
from ledger.seal import keys
from ledger.seal.note import HeldKey
from ledger.store.requests.erasure import erase
from ledger.store.seals import sealer
from tests.cli.conftest import Run, run
from tests.intake.hands import hands
from tests.ledger.store import older
from tests.ledger.store.plain import plain_sqlite
from tests.security.guessing import Guesser

__all__ = ["run"]

VENUE, NAME = "Testing room", "Zephyrine Quux"
TEXT = f"{NAME} asked for the floor"


class Room:
    """A folder with a ledger, the file that was imported, and its key elsewhere."""

    def __init__(self, folder: Path, *, old: bool, hide: bool = False) -> None:
        self.data, self.key = folder / "data", folder / "elsewhere" / "people.key"
        self.file, self.source = self.data / "x.ledger", folder / "night.phhs"
        self.data.mkdir(parents=True)
        self.source.write_text(hands(1, names=(NAME, "Bob")))
        if old:
            older.make(str(self.file))
        with ledger.open(self.file, people_key=self.key) as book:
            import_paths(book, [self.source], ImportOptions(hide_cards=hide))
            book.people.text(TEXT)
            with book.writing() as link:
                book.people.store_fresh(link)
            self.stream = next(book.hands()).stream
            private = keys.create_key(folder / "elsewhere" / "seal.key")
            sealer.seal(
                book, HeldKey(sealer.origin(book), private), keys.SignatureMemory(folder / "elsewhere" / "seal.key")
            )

    def forget(self) -> None:
        """Forget the person, with the journal still there, as while another program reads."""
        with ledger.open(self.file, people_key=self.key) as book:
            (person,) = book.people.find_players(NAME)
            erase(book, person)

    def everything(self) -> Guesser:
        """What lies with the ledger: its file, journal, list of forgotten people, and a backup."""
        backup = self.data / "backup"
        backup.mkdir(exist_ok=True)
        for file in self.data.iterdir():
            if file.is_file():
                shutil.copy(file, backup / file.name)
        return Guesser.of_folders([self.data])


@pytest.fixture(scope="module")
def forgotten(tmp_path_factory: pytest.TempPathFactory) -> Room:
    room = Room(tmp_path_factory.mktemp("new"), old=False)
    room.forget()
    return room


def blackened(room: Room, name: str) -> bytes:
    """The file that was imported, put together again from what is kept of it and a guess."""
    with ledger.open(room.file, read_only=True) as book:
        (row,) = book.sources
        source_bytes = book.sources.read_all(row.digest)
    assert NAME.encode() not in source_bytes
    return source_bytes.replace(b"*" * len(NAME), name.encode())


@pytest.mark.slow
def test_the_guesser_finds_what_can_be_found(tmp_path: Path) -> None:
    """The control: names that are known, and every name of a ledger that holds its own key."""
    guesser = Room(tmp_path / "new", old=False).everything()
    assert guesser.confirms(VENUE, NAME)
    assert not guesser.confirms(VENUE, "Somebody Else")
    room = Room(tmp_path / "old", old=True)
    room.forget()
    old = room.everything()
    assert old.confirms(VENUE, NAME)
    assert old.confirms_text(TEXT)
    assert old.confirms_source(blackened(room, NAME))
    assert not old.confirms(VENUE, "Somebody Else")
    assert not old.confirms_source(blackened(room, "Somebody Other"))


def test_without_the_key_nothing_of_the_ledger_confirms_a_guess(forgotten: Room) -> None:
    guesser = forgotten.everything()
    assert not guesser.confirms(VENUE, NAME)
    assert not guesser.confirms_text(TEXT)
    assert not guesser.confirms_source(blackened(forgotten, NAME))
    assert guesser.confirms(VENUE, "Bob"), "who was not forgotten is known, by name"


def test_with_the_key_a_guess_is_confirmed_as_the_verdict_of_forgetting_says(forgotten: Room, run: Run) -> None:
    with ledger.open(forgotten.file, people_key=forgotten.key) as book:
        assert book.people.is_forgotten(book.people.player(VENUE, NAME))
        (bob,) = book.people.find_players("Bob")
    copy = forgotten.data.parent / "copy.ledger"
    shutil.copy(forgotten.file, copy)
    result = run("people", "forget", bob, "--ledger", str(copy), "--people-key", str(forgotten.key))
    assert result.code == 0
    text = " ".join(result.out.split())  # its lines are wrapped
    assert "anyone with the key of this ledger's ids" in text
    assert "nobody else can" in text


def test_no_evidence_confirms_a_guess(tmp_path: Path) -> None:
    """Nor a hidden card: whoever has all of a file but that could try all 52 at the file's SHA-256."""
    for old in (True, False):
        room = Room(tmp_path / str(old), old=old, hide=True)
        with ledger.open(room.file, people_key=room.key) as book:
            note = sealer.checkpoint(book)
            bundle = bundles.make_bundle(book, room.stream, note, audience=bundles.PUBLIC)
        guesser = Guesser(bundle)
        assert not guesser.confirms(VENUE, NAME), "not even of who is not forgotten"
        is_confirmed = guesser.confirms_source(room.source.read_bytes())
        assert is_confirmed is old, "an older ledger names a file by its SHA-256"


@pytest.mark.slow
def test_a_journal_that_another_program_holds_open_is_said(tmp_path: Path, run: Run) -> None:
    room = Room(tmp_path, old=True)
    with plain_sqlite(room.file) as other_connection:
        other_connection.execute("BEGIN")
        other_connection.execute("SELECT count(*) FROM log").fetchone()
        place = tmp_path / "elsewhere" / "moved.key"
        result = run("people", "key", "--take-out", "--ledger", str(room.file), "--people-key", str(place))
    assert result.code == 0
    assert "not reached: the journal next to the ledger" in result.out


@pytest.mark.parametrize("naming", ["keep", "position", "pseudonym"])
def test_no_export_confirms_a_guess(forgotten: Room, run: Run, naming: str) -> None:
    result = run(
        "export",
        "--to",
        "jsonl",
        "--names",
        naming,
        "--ledger",
        str(forgotten.file),
        "--people-key",
        str(forgotten.key),
    )
    assert result.code == 0
    guesser = Guesser(result.out.encode())
    assert not guesser.confirms(VENUE, NAME)
    assert not guesser.confirms_source(blackened(forgotten, NAME))


def test_moving_the_key_out_leaves_no_byte_of_it(tmp_path: Path, run: Run) -> None:
    room = Room(tmp_path, old=True)
    room.forget()
    with ledger.open(room.file, read_only=True) as book:
        secret = book.people.secret
        ids = {
            e.player
            for c in book.commits(kind="hand")
            for e in book.mapper.decode(c.kind, c.data)
            if hasattr(e, "player")
        }
    assert secret.hex().encode() in room.file.read_bytes()
    assert "the key of its ids is in the ledger itself" in run("verify", "--ledger", str(room.file)).out
    assert "the key of its ids is in the ledger itself" in run("people", "--ledger", str(room.file)).out
    place = tmp_path / "elsewhere" / "moved.key"
    result = run("people", "key", "--take-out", "--ledger", str(room.file), "--people-key", str(place))
    assert (result.code, str(place) in result.out) == (0, True)
    shutil.rmtree(room.data / "backup", ignore_errors=True)
    guesser = room.everything()
    assert secret not in guesser.seen
    assert secret.hex().encode() not in guesser.seen
    assert not guesser.confirms(VENUE, NAME)
    for args in (("verify",), ("people",)):
        command_result = run(*args, "--ledger", str(room.file), "--people-key", str(place))
        assert command_result.code == 0
        assert "is in the ledger itself" not in command_result.out
    with ledger.open(room.file, people_key=place) as book:
        assert book.people.secret == secret
        assert book.people.player(VENUE, NAME) in ids, "ids stay as they were"
        assert book.verify() == []
        total = import_paths(book, [room.source]).total
        assert (total.new, total.same) == (0, 1)
        assert book.verify() == []
    second_result = run("people", "key", "--take-out", "--ledger", str(room.file), "--people-key", str(place))
    assert second_result.code == 2
