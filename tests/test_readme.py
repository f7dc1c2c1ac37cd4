"""The README's tour is true: its commands print what it shows."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.conftest import run as run_here
from tests.conftest import ROOT

__all__ = ["run_here"]

pytestmark = pytest.mark.slow  # starts the program a dozen times

README = ROOT / "README.md"
TOURS = (README, ROOT / "docs" / "by-role.md")
MAX_TOUR_WORDS = 900
BLOCK = re.compile(r"^```\n\$ (handledger [^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def run(command: str, folder: Path) -> str:
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HANDLEDGER_URL": "demo/demo.ledger",
        "NO_COLOR": "1",
        "COLUMNS": "100",
    }
    result = subprocess.run(
        command, shell=True, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert "Traceback" not in result.stderr
    return result.stdout


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A demo for each page: the commands of a tour add to its ledger."""
    assert "Try these" in run("handledger demo --keep demo", tmp_path)
    return tmp_path


def steady(text: str) -> str:
    """The same text whatever the ledger's own secret: its ids and hashes are different each time."""
    text = re.sub(r"(head|fingerprint) [0-9a-f]{8,}", r"\1 …", text)
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


@pytest.mark.parametrize("page", TOURS, ids=lambda page: page.stem)
def test_the_tour_prints_what_it_shows(page: Path, folder: Path, regen: bool) -> None:
    text = page.read_text()
    blocks = BLOCK.findall(text)
    assert len(blocks) >= 5
    if regen:
        page.write_text(BLOCK.sub(lambda b: f"```\n$ {b[1]}\n{run(b[1], folder)}```", text))
        return
    for command, expected in blocks:
        assert steady(run(command, folder)) == steady(expected), command


def test_the_picture_is_what_the_program_prints(regen: bool) -> None:
    script = runpy.run_path(str(ROOT / "docs" / "picture.py"))
    picture = script["picture"](script["finding"]())
    if regen:
        script["PICTURE"].write_text(picture, "utf-8")
    assert script["PICTURE"].read_text("utf-8") == picture, "make picture"


def test_every_command_it_names_exists(run_here: Run) -> None:
    for name in set(re.findall(r"`handledger ([a-z-]+)", "".join(page.read_text() for page in TOURS))):
        result = run_here(name, "--help")
        assert (result.code, "Usage" in result.out) == (0, True), name


def test_the_first_page_is_short() -> None:
    text = README.read_text()
    opening, _, later_text = text.partition("![")
    assert len(re.findall(r"\.\s", opening)) == 2, "two sentences, then a picture"
    tour = later_text[later_text.index("## A tour") : later_text.index("## Where to go")]
    assert len(tour.split()) <= MAX_TOUR_WORDS
