"""The key of a ledger's ids: where it lies, what needs it, what does not, and that by it people are known again."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import ledger
from ledger.errors import PeopleKeyError
from ledger.intake import ImportOptions, import_paths
from ledger.store.people import people_key
from ledger.store.requests.erasure import erase, list_blind_spots
from ledger.store.requests.key_export import export_key
from ledger.store.verify.blind_spots import NAMES_UNMATCHED
from tests.conftest import scale_examples
from tests.intake.hands import hands
from tests.ledger.store import older

posix = pytest.mark.skipif(os.name != "posix", reason="rights of files are POSIX's here")
NAME = "Zephyrine Quux"
VENUE = "Testing room"


def night(folder: Path, *numbers: int, name: str = NAME) -> Path:
    path = folder / f"night{'-'.join(map(str, numbers))}.phhs"
    path.write_text(hands(*numbers, names=(name, "Bob")))
    return path


def lost(url: str, folder: Path) -> ledger.Ledger:  # type: ignore[name-defined]  # opened as on another machine
    return ledger.open(url, people_key=folder / "nowhere.key")


def test_the_key_of_a_new_ledger_lies_outside_it_for_its_owner_alone(url: str, tmp_path: Path) -> None:
    place = tmp_path / "deep" / "people.key"
    with ledger.open(url, people_key=place) as book:
        assert book.key_made == place
        secret = book.people.secret
        with book.database.reading() as link:
            about = dict(link.execute("SELECT name, value FROM about").fetchall())
    if os.name == "posix":
        assert place.stat().st_mode & 0o777 == 0o600
    assert set(about) == {"ledger", "layout", "ids"}
    assert secret.hex() not in "".join(about.values())
    key = bytes.fromhex(place.read_text().split()[-1])
    assert secret == people_key.derive_secret(key, about["ledger"], "salted") != key
    with ledger.open(url, people_key=place) as book:
        assert book.key_made is None
        assert book.people.secret == secret


@posix
def test_it_lies_in_the_settings_folder_where_nobody_says_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HANDLEDGER_PEOPLE_KEY")
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    with ledger.open(tmp_path / "x.ledger") as book:
        path = people_key.find_default_path(book.id)
        assert book.key_made == path
        assert path.is_relative_to(tmp_path / "home")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "other"))
    with ledger.open(tmp_path / "y.ledger") as book:
        assert book.key_made is not None
        assert book.key_made.is_relative_to(tmp_path / "other")


def test_one_key_serves_many_ledgers_and_their_ids_have_nothing_in_common(
    new_url: Callable[[], str], tmp_path: Path
) -> None:
    place = tmp_path / "people.key"
    all_ids = []
    for _ in range(2):
        with ledger.open(new_url(), people_key=place) as book:
            all_ids.append(book.people.player(VENUE, NAME))
    assert all_ids[0] != all_ids[1]


@posix
def test_without_a_home_or_where_nothing_can_be_written_it_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("HANDLEDGER_PEOPLE_KEY")
    monkeypatch.setattr(people_key.platformdirs, "user_config_dir", lambda *_a, **_k: "~/.config/handledger")
    with pytest.raises(PeopleKeyError, match="no home folder") as no_home:
        ledger.open(tmp_path / "x.ledger")
    assert "--people-key" in no_home.value.hint
    (tmp_path / "file").write_text("")
    with pytest.raises(PeopleKeyError, match="can be made at"):
        ledger.open(tmp_path / "y.ledger", people_key=tmp_path / "file" / "people.key")
    with pytest.raises(ledger.errors.NoLedgerError):  # type: ignore[attr-defined]  # a module
        ledger.open(tmp_path / "y.ledger", read_only=True)


def test_a_ledger_in_memory_leaves_no_key_behind(tmp_path: Path) -> None:
    place = tmp_path / "people.key"
    with ledger.open("sqlite://", people_key=place) as book:
        assert book.people.player(VENUE, NAME)
        assert book.key_made is None
    assert not place.exists()


def test_where_no_ledger_could_be_made_no_key_is_left(tmp_path: Path) -> None:
    (tmp_path / "x.ledger").write_bytes(b"no database" * 100)
    with pytest.raises(ledger.errors.HandledgerError):  # type: ignore[attr-defined]  # a module
        ledger.open(tmp_path / "x.ledger", people_key=tmp_path / "people.key")
    assert not (tmp_path / "people.key").exists()


BROKEN = {
    "missing": (lambda path: path.unlink(), "is not at"),
    "another": (lambda path: (path.unlink(), people_key.write_key(path, b"k" * 32)), "key of other ids"),
    "empty": (lambda path: path.write_text(""), "holds no key"),
    "cut": (lambda path: path.write_text(path.read_text()[:-9]), "holds no key"),
    "no text": (lambda path: path.write_bytes(b"\xff\xfe\0" * 99), "holds no key"),
    "two": (lambda path: path.write_text(path.read_text() * 2), "holds no key"),
    "huge": (lambda path: path.write_bytes(b"a" * 10_000_000), "holds no key"),
    "folder": (lambda path: (path.unlink(), path.mkdir()), "cannot be read"),
    "open to others": (lambda path: path.chmod(0o640), "others may read"),
    "pipe": (lambda path: (path.unlink(), os.mkfifo(path, 0o600)), "no regular file"),
}


@posix
@pytest.mark.parametrize("damage", BROKEN)
def test_without_its_key_a_ledger_reads_verifies_and_forgets_and_says_what_it_lacks(
    damage: str, tmp_path: Path
) -> None:
    place, url = tmp_path / "people.key", str(tmp_path / "x.ledger")
    with ledger.open(url, people_key=place) as book:
        import_paths(book, [night(tmp_path, 1)])
    breaks, message = BROKEN[damage]
    breaks(place)
    with ledger.open(url, people_key=place) as book:
        head = book.head()
        for needs in (
            lambda: import_paths(book, [night(tmp_path, 2)]),
            lambda: import_paths(book, [night(tmp_path, 2)], ImportOptions(dry_run=True)),
            lambda: book.people.player(VENUE, "Nobody"),
            lambda: book.people.pseudonym(book.people.find_players("Bob")[0]),
        ):
            with pytest.raises(PeopleKeyError, match=message) as error:
                needs()
            assert error.value.hint
            assert error.value.exit_code == 2
        assert book.head() == head, "nothing was written"
        assert book.verify() == []
        assert NAMES_UNMATCHED not in list_blind_spots(book)
        (person,) = book.people.find_players(NAME)
        assert book.people.name(person) == NAME
        reason = book.people.text("told without the key")
        assert reason != book.people.reference("told without the key")
        with book.writing() as link:
            book.people.store_fresh(link)
        erase(book, person)
        assert book.people.find_players(NAME) == []
        assert book.verify() == []


def test_two_machines_need_the_same_key(url: str, tmp_path: Path) -> None:
    first_key, second_key = tmp_path / "here.key", tmp_path / "there.key"
    with ledger.open(url, people_key=first_key) as book:
        import_paths(book, [night(tmp_path, 1)])
    with ledger.open(url, people_key=second_key) as book, pytest.raises(PeopleKeyError, match="is not at"):
        import_paths(book, [night(tmp_path, 2)])
    shutil.copy(first_key, second_key)
    with ledger.open(url, people_key=second_key) as book:
        import_paths(book, [night(tmp_path, 2)])
        assert len(book.people.find_players(NAME)) == 1
        assert book.verify() == []


def test_a_key_that_the_environment_names_does_not_hide_that_at_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people_key, "find_default_path", lambda ledger: tmp_path / "home" / f"{ledger}.key")
    monkeypatch.delenv("HANDLEDGER_PEOPLE_KEY")
    with ledger.open(tmp_path / "x.ledger") as book:
        key_made = book.key_made
    people_key.write_key(tmp_path / "another.key", b"k" * 32)
    monkeypatch.setenv("HANDLEDGER_PEOPLE_KEY", str(tmp_path / "another.key"))
    with ledger.open(tmp_path / "x.ledger") as book:
        book.people.require_secret()
        assert book.people.ids.path == key_made


@settings(max_examples=scale_examples(15), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    name=st.text(
        st.characters(exclude_categories=["Cs", "Cc", "Zs", "Zl", "Zp"], exclude_characters='"\\'),
        min_size=6,
        max_size=20,
    ),
    old=st.booleans(),
    moved=st.booleans(),
    jobs=st.sampled_from([1, 2]),
)
def test_who_was_forgotten_does_not_come_back_with_another_file(
    tmp_path_factory: pytest.TempPathFactory, name: str, old: bool, moved: bool, jobs: int
) -> None:
    """The law of recognition: whatever file comes, by whichever process, before or after the key moved."""
    folder = tmp_path_factory.mktemp("law")
    url, place = str(folder / "x.ledger"), folder / "people.key"
    if old:
        older.make(url)
    with ledger.open(url, people_key=place) as book:
        import_paths(book, [night(folder, 1, name=name)])
        (person,) = book.people.find_players(name)
        erase(book, person)
        if old and moved:
            export_key(book, place)
    with ledger.open(url, people_key=place) as book:
        assert book.people.player(VENUE, name) == person
        book.people.forget(person)
        total = import_paths(
            book, [night(folder, 1, name=name), night(folder, 2, name=name)], ImportOptions(jobs=jobs)
        ).total
        assert (total.new, total.same) == (1, 1)
        assert book.people.find_players(name) == []
        assert book.people.name(person) is None
        with book.database.reading() as link:
            assert old or link.execute("SELECT 1 FROM salts WHERE id = ?", (person,)).fetchone() is None
        assert book.verify() == []


def test_the_key_moves_out_of_an_older_ledger_and_its_ids_stay(url: str, tmp_path: Path) -> None:
    secret, place = older.make(url), tmp_path / "people.key"
    with ledger.open(url) as book:
        assert book.people.secret.hex() == secret
        import_paths(book, [night(tmp_path, 1)])
        (person,) = book.people.find_players(NAME)
        assert book.verify() == []
        assert export_key(book, place).path == place
        assert book.verify() == []
        import_paths(book, [night(tmp_path, 2)])
    with ledger.open(url, people_key=place) as book:
        assert book.people.find_players(NAME) == [person]
        assert book.people.player(VENUE, NAME) == person
        import_paths(book, [night(tmp_path, 3)])
        assert book.verify() == []
        with pytest.raises(PeopleKeyError, match="does not lie in it"):
            export_key(book, place)
    with lost(url, tmp_path) as book:
        book.people.text("told without the key")
        with book.writing() as link:
            book.people.store_fresh(link)
        assert book.verify() == []
        assert NAMES_UNMATCHED in list_blind_spots(book)
    with ledger.open(url, people_key=place) as book:
        with book.writing() as link:
            link.execute("UPDATE names SET name = 'Mallory' WHERE id = ?", (person,))
        assert [p.code for p in book.verify()] == ["name"]
    if url.startswith("sqlite"):
        assert secret.encode() not in Path(url.removeprefix("sqlite:///")).read_bytes()


def wait_for_other_readers(server: psycopg.Connection) -> None:
    """Wait until no other session holds a snapshot: VACUUM keeps the older states that it may still read."""
    query = "SELECT query FROM pg_stat_activity WHERE backend_xmin IS NOT NULL AND pid <> pg_backend_pid()"
    while server.execute(query).fetchall():  # only the time limit of the test ends it
        time.sleep(0.1)


@pytest.mark.postgres
def test_a_server_keeps_no_byte_of_a_moved_key_in_its_tables(postgres_server: str, tmp_path: Path) -> None:
    from tests.ledger.store.conftest import empty_schema  # noqa: PLC0415 - needs the server

    url = empty_schema(postgres_server)
    secret = older.make(url)
    with psycopg.connect(url, autocommit=True) as server:
        server.execute("ANALYZE about")
        wait_for_other_readers(server)
    with ledger.open(url) as book:
        export_key(book, tmp_path / "people.key")
    with psycopg.connect(url, autocommit=True) as server:
        server.execute("CHECKPOINT")
        row = server.execute("SELECT current_setting('data_directory'), pg_relation_filepath('about')").fetchone()
        stats = server.execute(
            "SELECT coalesce(string_agg(histogram_bounds::text || most_common_vals::text, ''), '') FROM pg_stats"
        ).fetchone()
        rows = server.execute("SELECT string_agg(value, ' ') FROM about").fetchone()
    assert row is not None and stats is not None and rows is not None  # noqa: PT018 - for the types
    assert secret not in rows[0] + stats[0]
    assert secret.encode() not in (Path(row[0]) / row[1]).read_bytes()


def test_a_cut_between_file_and_ledger_is_gone_on_with(tmp_path: Path) -> None:
    url, place = str(tmp_path / "x.ledger"), tmp_path / "people.key"
    secret = older.make(url)
    people_key.write_key(place, bytes.fromhex(secret))
    with ledger.open(url) as book:
        assert export_key(book, place).path == place
    people_key.write_key(tmp_path / "other.key", b"k" * 32)
    url = str(tmp_path / "y.ledger")
    older.make(url)
    with ledger.open(url) as book, pytest.raises(PeopleKeyError, match="already"):
        export_key(book, tmp_path / "other.key")
    with ledger.open(url) as book:
        assert book.people.ids.key_inside
        assert book.verify() == []


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE about SET value = 'keyed:' || substr(value, 8) WHERE name = 'ids'",
        "UPDATE about SET value = 'salted:00112233445566778899aabbccddeeff' WHERE name = 'ids'",
        "DELETE FROM salts",
        "UPDATE salts SET salt = zeroblob(16)",
        "INSERT INTO salts VALUES ('AAAAAAAAAAAAAAAA', x'00')",
        "UPDATE names SET name = 'Mallory' WHERE name = 'Bob'",
    ],
)
def test_what_ids_are_made_with_cannot_be_changed_unnoticed_without_the_key(sql: str, tmp_path: Path) -> None:
    url = str(tmp_path / "x.ledger")
    with ledger.open(url, people_key=tmp_path / "people.key") as book:
        import_paths(book, [night(tmp_path, 1)])
        with book.writing() as link:
            link.execute(sql)
    with lost(url, tmp_path) as book:
        assert book.verify() != []
