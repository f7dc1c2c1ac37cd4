"""The examples run as they are, and print what they promise."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.util import find_spec

import pytest

from tests.conftest import ROOT

RUNS = {
    "home_game.py": "Flo",
    "tournament_director.py": "no-limit 300/600 ante 75 Button seat 5",
    "converter.py phh cli/samples/riverside-limit-evening.hand": "variant = 'FT'",
    "projection.py": "hands",
    "notebook.py": "rrop4 blinds.9.1",
}


def run(arguments: list[str]) -> str:
    """Return what a program prints."""
    result = subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.mark.slow  # seconds; left out of `make check`
@pytest.mark.parametrize("command", RUNS)
def test_an_example_prints_what_it_promises(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    name, *arguments = command.split()
    assert RUNS[command] in run([f"examples/{name}", *arguments])


@pytest.mark.slow
@pytest.mark.skipif(bool(find_spec("pandas") or find_spec("polars")), reason="there is a library of data frames")
def test_the_notebook_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    assert "pip install pandas" in run(["examples/notebook.py"])


def test_every_example_is_run() -> None:
    files = {path.name for path in (ROOT / "examples").glob("*.py")}
    assert files == {command.split()[0] for command in RUNS}


def test_the_ten_lines_of_the_readme_print_what_it_shows() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    section = readme[readme.index("## Ten lines of Python") :]
    fences = re.findall(r"```(?:python)?\n(.*?)```", section, re.DOTALL)
    assert run(["-c", fences[0]]) == fences[1]
    assert len([line for line in fences[0].splitlines() if line.strip()]) <= 10


def test_the_programs_of_the_library_page_print_what_it_shows() -> None:
    page = (ROOT / "docs/library.md").read_text("utf-8")
    opening = page[: page.index("## A table without a file")]
    first, printed, second = re.findall(r"```(?:python)?\n(.*?)```", opening, re.DOTALL)[:3]
    assert run(["-c", first]) == printed
    assert "Bo must wait 1 hand." in run(["-c", f"import handledger\n{second}"])
