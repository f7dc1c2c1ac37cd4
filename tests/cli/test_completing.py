"""What Tab offers: fields and values of a query, tables, people and clauses; nothing where there is no ledger."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.main import run
from cli.options.completion import suggest_clauses, suggest_people, suggest_queries, suggest_tables
from projections.queries.query_checks import check_query
from projections.queries.query_grammar import parse_syntax


@pytest.fixture(scope="module")
def url(room: Path) -> str:
    return str(room)


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("ta", "table:"),
        ("pot>=2 pos", "pot>=2 position:"),
        ("(showdown or winn", "(showdown or winner"),
        ("table:Own", 'table:"Own Sample I"'),
        ('table:"own sample ii', 'table:"Own Sample II"'),
        ("-player:Ad", "-player:Ada"),
        ("clause:hilton.B8", "clause:hilton.B8a.1"),
        ("position:B", "position:BTN"),
        ("flag:run", "flag:run-it-twice"),
        ("showd", "showdown"),
    ],
)
def test_the_last_word_of_a_query_is_completed(url: str, typed: str, offered: str) -> None:
    completions = suggest_queries(url, typed)
    assert offered in completions
    for completion in completions:
        if not completion.endswith(":") and "(" not in completion and "pos" not in typed:
            check_query(parse_syntax(completion), completion)


def test_names_are_offered_in_either_case(url: str) -> None:
    assert "Own Sample I" in suggest_tables(url, "own s")
    assert "Ada" in suggest_people(url, "ad")
    assert all(clause.startswith("rrop4.blinds") for clause in suggest_clauses(None, "rrop4.blinds"))


@pytest.mark.parametrize(
    "words", ["log --ledger {} --table Own", "audit --ledger {} --table Own", "seats --ledger {} Own"]
)
def test_what_stands_behind_ledger_is_the_ledger_that_is_asked(
    url: str, words: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("_HANDLEDGER_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", f"handledger {words.format(url)}")
    monkeypatch.setenv("COMP_CWORD", str(len(words.split())))
    with pytest.raises(SystemExit):
        run([])
    assert "Own Sample I" in capsys.readouterr().out


def test_without_a_ledger_nothing_is_offered_and_nothing_said(tmp_path: Path) -> None:
    nowhere = str(tmp_path / "none.ledger")
    assert suggest_tables(nowhere, "") == suggest_people(nowhere, "") == suggest_queries(nowhere, "table:T") == []
