"""Pages that are made from the program are those that the program makes."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from ledger import formats
from tests.conftest import ROOT, script


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    return script(ROOT / "docs/generate.py")


@pytest.fixture(scope="module")
def expected_pages(generator: ModuleType) -> dict[Path, str]:
    """Every generated page as it should be."""
    pages: dict[Path, str] = generator.build_pages()
    return pages


def test_every_generated_page_is_up_to_date(expected_pages: dict[Path, str]) -> None:
    for path, text in expected_pages.items():
        assert path.read_text("utf-8") == text, f"{path.name}: run make docs"


@pytest.mark.slow
def test_a_page_that_lacks_or_differs_is_noticed(
    generator: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generator, "FOLDER", tmp_path)
    monkeypatch.setattr(generator, "PAGES", {"vocabulary.md": "vocabulary_page"})
    monkeypatch.setattr(generator, "FOLDERS", {})
    assert generator.main(["--check"]) == 1
    assert generator.main([]) == 0
    assert generator.main(["--check"]) == 0
    (tmp_path / "vocabulary.md").write_text("by hand")
    assert generator.main(["--check"]) == 1


def test_what_each_format_records_is_on_its_page(expected_pages: dict[Path, str]) -> None:
    page = expected_pages[ROOT / "docs/formats/README.md"]
    heads = [line.split(" | ")[1:] for line in page.splitlines() if line.startswith("| | ")]
    listed_formats = {name.strip(" |") for head in heads for name in head} - {""}
    assert listed_formats >= set(formats.NAMES) - {"handscript"}, (
        "a reader's WITNESSES stand in a module of its package"
    )


def test_the_phrases_of_a_reader_stand_on_its_page_with_the_events_that_they_make(
    expected_pages: dict[Path, str],
) -> None:
    page = expected_pages[ROOT / "docs/formats/unibet.md"]
    rows = dict(line.split(" | ")[:2] for line in page.splitlines() if line.startswith("| `{name} "))
    assert rows["| `{name} folds`"] == "`hand.folded`"
    assert rows["| `{name} raises {_} to {amount}`"] == "`hand.raised`, `hand.completed`"
    assert rows["| `{name} posts straddle {amount}`"] == "`hand.straddle-posted`"
    assert "`{street}` is the room's word for a street: `Flop`, `Turn`, `River`." in page


def test_a_page_without_a_place_for_its_phrases_is_noticed(
    generator: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    phrases = generator.import_module("phrases")
    for file in (ROOT / "docs/formats").glob("*.md"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    (tmp_path / "enet.md").write_text("# Enet, by hand", "utf-8")
    monkeypatch.setattr(phrases, "FOLDER", tmp_path)
    with pytest.raises(ValueError, match=r"enet\.md: .*are missing"):
        phrases.pages()


@pytest.mark.slow
def test_a_page_that_nothing_makes_any_more_is_noticed_and_removed(
    generator: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generator, "FOLDER", tmp_path)
    monkeypatch.setattr(generator, "PAGES", {})
    generator.main([])
    assert (tmp_path / "rules" / "hilton.md").exists()
    (tmp_path / "rules" / "gone.md").write_text("of a book that is no more")
    assert generator.main(["--check"]) == 1
    generator.main([])
    assert not (tmp_path / "rules" / "gone.md").exists()
    assert generator.main(["--check"]) == 0
