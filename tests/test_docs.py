"""Pages that are made from the program are those that the program makes."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from ledger import formats
from tests.conftest import ROOT, script


@pytest.fixture
def generator() -> ModuleType:
    return script(ROOT / "docs/generate.py")


def test_every_generated_page_is_up_to_date(generator: ModuleType) -> None:
    for path, text in generator.wanted().items():
        assert path.read_text("utf-8") == text, f"{path.name}: run make docs"


def test_a_page_that_lacks_or_differs_is_noticed(
    generator: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generator, "HERE", tmp_path)
    monkeypatch.setattr(generator, "PAGES", {"vocabulary.md": "vocabulary_page"})
    monkeypatch.setattr(generator, "FOLDERS", {})
    assert generator.main(["--check"]) == 1
    assert generator.main([]) == 0
    assert generator.main(["--check"]) == 0
    (tmp_path / "vocabulary.md").write_text("by hand")
    assert generator.main(["--check"]) == 1


def test_what_each_format_records_is_on_its_page(generator: ModuleType) -> None:
    page = generator.wanted()[ROOT / "docs/formats/README.md"]
    heads = [line.split(" | ")[1:] for line in page.splitlines() if line.startswith("| | ")]
    listed = {name.strip(" |") for head in heads for name in head} - {""}
    assert listed >= set(formats.NAMES) - {"handscript"}, "a reader's WITNESSES stand in a module of its package"


@pytest.mark.slow
def test_a_page_that_nothing_makes_any_more_is_noticed_and_removed(
    generator: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generator, "HERE", tmp_path)
    monkeypatch.setattr(generator, "PAGES", {})
    generator.main([])
    assert (tmp_path / "rules" / "hilton.md").exists()
    (tmp_path / "rules" / "gone.md").write_text("of a book that is no more")
    assert generator.main(["--check"]) == 1
    generator.main([])
    assert not (tmp_path / "rules" / "gone.md").exists()
    assert generator.main(["--check"]) == 0
