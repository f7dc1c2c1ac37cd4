"""Editions of rulebooks: what was released never changes, and can be asked for as NAME@EDITION."""

from __future__ import annotations

from hashlib import sha256
from types import ModuleType

import pytest

from ledger.errors import RulebookError
from projections.books import rulebook
from projections.books.rulebook import BUILT_IN, list_editions, list_names, load
from tests.conftest import ROOT, script

BOOKS = ROOT / "projections" / "rulebooks"
RELEASED = BOOKS / "released"


@pytest.fixture
def releasing() -> ModuleType:
    return script(ROOT / "docs/release_books.py")


def test_a_released_edition_is_what_it_was_to_the_byte() -> None:
    if not RELEASED.exists():
        assert all(list_editions(name) == [load(name).edition] for name in list_names())
        return
    lines = (RELEASED / "SHA256SUMS").read_text("utf-8").splitlines()
    digests_told = {name: digest for digest, name in (line.split("  ") for line in lines)}
    assert {path.name for path in RELEASED.glob("*.toml")} == set(digests_told)
    for name, digest in digests_told.items():
        assert sha256((RELEASED / name).read_bytes()).hexdigest() == digest, name


def test_a_book_that_changed_since_its_release_has_another_edition() -> None:
    for name in [*list_names(), BUILT_IN]:
        released_path = RELEASED / f"{name}@{load(name).edition}.toml"
        if released_path.exists():
            assert released_path.read_bytes() == (BOOKS / f"{name}.toml").read_bytes(), (
                f"{name}.toml has changed since edition {load(name).edition!r} was released: give it another `edition`"
            )


def test_every_edition_can_still_be_loaded_and_names_detectors_that_there_are() -> None:
    for name in list_names():
        for edition in list_editions(name):
            book = load(f"{name}@{edition}")
            assert book.edition == edition
            assert all(clause.run for clause in book.clauses.values() if clause.kind == "detector")


def test_the_newest_edition_goes_by_the_plain_name() -> None:
    for name in list_names():
        newest = load(name)
        book = load(f"{name}@{newest.edition}")
        assert (book.name, book.digest) == (name, newest.digest)


def test_no_edition_of_that_name_lists_those_there_are() -> None:
    with pytest.raises(RulebookError, match="no edition '1' of rrop4") as error:
        load("rrop4@1")
    assert load("rrop4").edition in error.value.hint


def test_releasing_keeps_a_book_and_refuses_to_change_it(
    releasing: ModuleType, tmp_path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("rrop4", "house-burn"):
        (tmp_path / f"{name}.toml").write_bytes((BOOKS / f"{name}.toml").read_bytes())
    edition = load("rrop4").edition
    released, wrong = releasing.release(tmp_path, ["rrop4", "house-burn"])
    assert (len(released), wrong) == (2, [])
    assert releasing.release(tmp_path, ["rrop4", "house-burn"]) == ([], [])
    book = tmp_path / "rrop4.toml"
    changed = book.read_text("utf-8").replace('"the house chooses"', '"as the house likes"')
    book.write_text(changed, "utf-8")
    released, wrong = releasing.release(tmp_path, ["rrop4", "house-burn"])
    assert released == []
    assert "give it another edition" in wrong[0]
    book.write_text(changed.replace(f'edition = "{edition}"', 'edition = "4-r9"'), "utf-8")
    assert releasing.release(tmp_path, ["rrop4", "house-burn"]) == (["rrop4@4-r9.toml"], [])
    assert len((tmp_path / "released" / "SHA256SUMS").read_text().splitlines()) == 3

    monkeypatch.setattr(rulebook, "_rulebooks_folder", lambda: tmp_path)
    load.cache_clear()
    try:
        assert list_editions("rrop4") == [edition, "4-r9"]
        old, new = load(f"rrop4@{edition}"), load("rrop4")
        assert (old.name, new.name) == (f"rrop4@{edition}", "rrop4")
        key = "button.method.tournament"
        assert old.policy.get(key).says == "the house chooses"
        assert new.policy.get(key).says == "as the house likes"
        assert old.digest != new.digest
        room = tmp_path / "room.toml"
        room.write_text(f'[rulebook]\ntitle = "x"\nedition = "1"\nsource = "x"\nextends = "rrop4@{edition}"\n')
        assert load(str(room)).policy.get(key).says == "the house chooses"
    finally:
        load.cache_clear()


def test_a_book_that_cannot_be_loaded_is_not_released(releasing: ModuleType, tmp_path) -> None:
    (tmp_path / "rrop4.toml").write_text("[rulebook]\n")
    with pytest.raises(RulebookError, match="title"):
        releasing.release(tmp_path, ["rrop4"])
    assert not (tmp_path / "released").exists()
