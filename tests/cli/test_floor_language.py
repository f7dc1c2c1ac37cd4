"""`due` and `floor` leave no English word on the screen in another language, but names, games, books and commands."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import Run

TABLES = ("T3", "T7", "Vesta III", "Autumn Cup/Final")
WORD = re.compile(r"(?<![\w'@-])[a-z]{3,}(?![\w'-])")
KEPT_WORDS = {
    "button",
    "blind",
    "pot",
    "straddle",
    "kill",
    "hilton",
    "record",
    "undated",
    "error",
    "quiet",
    "fox",
    "tide",
    "pool",
}
"""Loanwords of dealers, names of books and players, and words that another language spells alike."""


def english_words(screen: str) -> set[str]:
    """The small-letter words of a screen, without its lines of commands."""
    lines = [line for line in screen.splitlines() if "handledger " not in line]
    return set(WORD.findall("\n".join(lines))) - KEPT_WORDS


@pytest.mark.parametrize("language", ["es", "vi", "zh"])
def test_due_and_floor_speak_one_language(run: Run, sampled: Path, tmp_path: Path, language: str) -> None:
    ledger = str(shutil.copy(sampled, tmp_path))
    for table in TABLES:
        for command in (["due"], ["floor"], ["due", "--before", "705"]):
            if len(command) > 1 and table != "T3":
                continue
            words = [*command, table, "-r", "hilton", "--ledger", ledger]
            english, translated = run(*words).out, run(*words, "--language", language).out
            assert translated
            assert not english_words(english) & english_words(translated), translated
