"""`due`, `floor` and `findings` leave no English word on the screen in another language, but names, games, books and commands."""

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
    "flop",
    "turn",
    "kill",
    "hilton",
    "record",
    "intro",
    "undated",
    "error",
    "quiet",
    "fox",
    "tide",
    "pool",
}
"""Loanwords of dealers, names of books, clauses and players, and words that another language spells alike."""


def english_words(screen: str) -> set[str]:
    """The small-letter words of a screen, without its lines of commands."""
    lines = [line for line in screen.splitlines() if "handledger " not in line]
    return set(WORD.findall("\n".join(lines))) - KEPT_WORDS


@pytest.mark.parametrize("language", ["es", "vi", "zh"])
def test_lists_of_all_tables_and_findings_speak_one_language(
    run: Run, sampled: Path, tmp_path: Path, language: str
) -> None:
    ledger = str(shutil.copy(sampled, tmp_path))
    commands = [["due", "-r", "hilton"], ["findings"]]
    assert run("rules", "adopt", "hilton", "--ledger", ledger).code == 0
    for words in commands:
        english, translated = (
            run(*words, "--ledger", ledger).out,
            run(*words, "--ledger", ledger, "--language", language).out,
        )
        assert len(translated.splitlines()) >= 8
        assert not english_words(english) & english_words(translated), translated
        assert not re.search("[A-Z]{4,}", translated) or language != "zh", translated


WRONG_COMMANDS = (
    ["floor"],
    ["floor", "T9"],
    ["floor", "T3", "-n", "0"],
    ["floor", "T3", "-r", "hilton", "-r", "rrop4"],
    ["due", "-r", "hilton", "-r", "rrop4"],
    ["due", "T3", "-r", "nobook"],
    ["due", "T3", "--before", "T7/426"],
    ["due", "--as-of", "11/21/2026"],
    ["due", "--nearest"],
    ["findings", "--where", "pott:3"],
    ["findings", "--where", "T7"],
    ["findings", "--where", "pot>=200000"],
    ["findings", "--watch", "--as-of", "1"],
    ["findings", "T3"],
)


@pytest.mark.parametrize("language", ["es", "vi", "zh"])
@pytest.mark.parametrize("words", WRONG_COMMANDS, ids=" ".join)
def test_errors_speak_one_language(run: Run, sampled: Path, language: str, words: list[str]) -> None:
    english = run(*words, "--ledger", str(sampled))
    translated = run(*words, "--ledger", str(sampled), "--language", language)
    assert (translated.code, english.code) == (2, 2)
    common_lines = set(english.err.splitlines()) & set(translated.err.splitlines())
    assert not [line for line in common_lines if english_words(line) and line.strip() not in words]


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
