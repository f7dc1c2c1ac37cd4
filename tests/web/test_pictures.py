"""Pages look as their pictures in docs/pages do; a part that moved is noticed."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from tests.conftest import ROOT
from tests.web.browser import needs_chromium
from tests.web.pictures import FOLDER, MAX_SHARE, POCKET, SHOTS, TAPE, differing, serve_pages, take_picture, visited

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def _drawn_with() -> str:
    """The font that this machine draws these pages with."""
    if shutil.which("fc-match") is None:
        return ""
    return subprocess.run(["fc-match", "DejaVu Sans"], capture_output=True, text=True, check=False).stdout


pytestmark = [
    needs_chromium,
    pytest.mark.slow,
    pytest.mark.skipif("DejaVuSans" not in _drawn_with(), reason="the pictures are drawn with DejaVu Sans"),
]


@pytest.fixture(scope="module")
def places() -> Iterator[tuple[str, str, Browser]]:
    with serve_pages() as addresses:
        yield addresses


@pytest.mark.parametrize("name", SHOTS)
def test_a_page_looks_as_its_picture(name: str, places: tuple[str, str, Browser], tmp_path: Path) -> None:
    with visited(SHOTS[name], *places) as page, Image.open(FOLDER / f"{name}.png") as reference:
        share = differing(take_picture(page, tmp_path / "now.png"), reference)
    assert share <= MAX_SHARE, f"{share:.4f} of it differs: look at it, and take it anew with make picture"


@pytest.mark.parametrize(
    ("name", "moved"),
    [
        ("hand", ".finding"),
        ("hand", ".wide .seat"),
        ("phone", ".controls"),
        ("evening", "main .strip, .strip"),
        ("tables", "main tbody th"),
        ("table", "main section"),
        ("findings", ".found"),
        ("keep", ".felt"),
        ("person", "main section"),
    ],
)
def test_a_part_that_moved_would_be_noticed(
    name: str, moved: str, places: tuple[str, str, Browser], tmp_path: Path
) -> None:
    with visited(SHOTS[name], *places) as page, Image.open(FOLDER / f"{name}.png") as reference:
        page.locator(moved).first.evaluate(
            "(one) => { one.style.translate = '40px 12px'; if (one.closest('svg')) one.setAttribute('transform', 'translate(40 12)'); }"
        )
        assert differing(take_picture(page, tmp_path / "now.png"), reference) > MAX_SHARE


def test_pictures_are_small_and_three_stand_in_the_readme() -> None:
    assert {file.stem for file in FOLDER.glob("*.png")} == {*SHOTS, POCKET, TAPE}
    assert max(file.stat().st_size for file in FOLDER.glob("*.png")) < 60_000
    assert len(set(re.findall(r"\(docs/pages/(\w+)\.png\)", (ROOT / "README.md").read_text()))) == 3
