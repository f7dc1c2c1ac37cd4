"""The language of sentences: chosen by an option or the environment, and never that of what a ledger stores."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from ledger.text.language import LANGUAGES, find_language, language_in_force, preferred_language, use_language
from projections.reports.fact_names import find_silence
from projections.sentences import unknowns
from tests.cli.conftest import Run

BUTTONS = {"en": "Button ", "es": "Botón: ", "vi": "Nút button: ", "zh": "庄位\uff1a"}

TRANSLATED_WORDS = {
    "es": ("ciega", "asiento", "botón"),
    "vi": ("blind lớn", "ghế", "ván"),
    "zh": ("大盲", "号位", "庄位"),
}


@pytest.fixture
def evening(sampled: Path, tmp_path: Path) -> str:
    return str(shutil.copy(sampled, tmp_path))


def stored_texts(path: str) -> list[str]:
    """Everything that a judgement stores."""
    queries = ("finding FROM kept_findings", "owing FROM obligations", "walk FROM rested_walks")
    with closing(sqlite3.connect(path)) as connection:
        return [
            str(json.loads(row[0])) for query in queries for row in connection.execute(f"SELECT {query} ORDER BY 1")
        ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_due_speaks_the_language_of_the_option(run: Run, evening: str, language: str) -> None:
    for words in (["--language", language, "due", "T3"], ["due", "T3", f"--language={language}"]):
        assert BUTTONS[language] in run(*words, "-r", "hilton", "--ledger", evening).out
    assert language_in_force() == "en"


def test_the_environment_chooses_and_the_option_wins(run: Run, evening: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HANDLEDGER_LANGUAGE", "es_MX.UTF-8")
    assert BUTTONS["es"] in run("due", "T3", "-r", "hilton", "--ledger", evening).out
    assert BUTTONS["zh"] in run("due", "T3", "-r", "hilton", "--ledger", evening, "--language", "zh-CN").out
    monkeypatch.setenv("HANDLEDGER_LANGUAGE", "tlh")
    assert BUTTONS["en"] in run("due", "T3", "-r", "hilton", "--ledger", evening).out


def test_an_unknown_language_is_refused_with_the_known_ones(run: Run) -> None:
    result = run("--language", "klingon", "hands")
    assert result.code == 2
    assert "'klingon'" in result.err
    assert "es (Español)" in result.err
    assert run("hands", "--language").err.startswith("handledger: the value of --language is missing")


@pytest.mark.slow
@pytest.mark.parametrize("language", ["es", "vi", "zh"])
def test_what_a_ledger_stores_is_english(run: Run, sampled: Path, tmp_path: Path, language: str) -> None:
    ledgers = {code: str(shutil.copy(sampled, tmp_path / f"{code}.ledger")) for code in ("en", language)}
    for code, path in ledgers.items():
        for command in (["audit", "-r", "hilton"], ["due", "--all"], ["log", "--where", "hilton"], ["due", "T3"]):
            book = ["-r", "hilton"] if command[0] == "due" else []
            run(*command, *book, "--language", code, "--ledger", path)
        run("rules", "adopt", "hilton", "--language", code, "--ledger", path)
        run("findings", "--language", code, "--ledger", path)
    texts = stored_texts(ledgers[language])
    assert any("big blind" in text for text in texts)
    assert not [text for text in texts for word in TRANSLATED_WORDS[language] if word in text]
    for command in (["findings"], ["audit", "-r", "hilton"]):  # the answers in English are those of an English ledger
        outputs = [run(*command, "--ledger", ledgers[code]).out for code in (language, "en")]
        assert len({re.sub(r"\d\d:\d\dZ", "", output) for output in outputs}) == 1  # not when each was adopted
    assert run("verify", "--ledger", ledgers[language], "--language", language).code == 0


def test_stored_dues_are_not_read_in_another_language(run: Run, evening: str) -> None:
    assert run("audit", "-r", "hilton", "--ledger", evening).code == 1
    assert BUTTONS["en"] in run("due", "T3", "-r", "hilton", "--ledger", evening).out
    assert BUTTONS["vi"] in run("due", "T3", "-r", "hilton", "--ledger", evening, "--language", "vi").out


def test_tags_of_languages() -> None:
    assert [find_language(tag) for tag in ("ES", " zh-TW ", "vi_VN.UTF-8", "C", "", "e")] == [
        "es",
        "zh",
        "vi",
        None,
        None,
        None,
    ]
    assert [
        preferred_language(text) for text in ("", "*", "de", "de,es;q=0.1", "en-US,en;q=0.9,es;q=0.8", "es;q=0")
    ] == [*("en", "en", "en", "es", "en", "en")]
    assert preferred_language("vi;q=0.9,zh;q=0.91") == "zh"


@pytest.mark.parametrize("language", LANGUAGES)
def test_questions_that_a_book_leaves_open_are_recognised_in_every_language(language: str) -> None:
    with use_language(language):
        assert find_silence(unknowns.blinds_of_two_in_book())
        assert find_silence(unknowns.substantial_action())
        assert not find_silence(unknowns.in_room(3))
