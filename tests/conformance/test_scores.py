"""The scores in docs/conformance.md are those of the engines at hand; `--regen` writes them."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
from collections.abc import Callable, Mapping
from functools import cache

import pytest

from conformance.run import run
from tests.conformance.suite import SUITE, button_cases, read_document
from tests.conftest import ROOT

PAGE = ROOT / "docs" / "conformance.md"
METHODS = ("dead", "moving", "simplified")
HEAD = (
    "| engine | asked | right of asked | dead | moving | simplified | can't be asked |\n|---|---|---|---|---|---|---|\n"
)


def score_python(adapter: str) -> dict[str, int]:
    return dict(run(importlib.import_module(f"conformance.adapters.{adapter}"), button_cases())[0])


def score_poker_ts() -> dict[str, int]:
    folder = os.environ.get("HANDLEDGER_POKER_TS", "")
    if not folder or not shutil.which("node"):
        pytest.skip("HANDLEDGER_POKER_TS names no folder with poker-ts in its node_modules")
    command = ["node", str(SUITE / "run.mjs"), str(SUITE / "adapters" / "poker-ts.mjs")]
    process = subprocess.run(command, env={**os.environ, "ENGINE": folder}, capture_output=True, text=True, check=True)
    lines = [line.split(maxsplit=1) for line in process.stdout.splitlines() if line.startswith(" ")]
    return {name: int(count) for count, name in lines}


def score_pypokerengine() -> dict[str, int]:
    pytest.importorskip("pypokerengine", reason="PyPokerEngine isn't installed")
    return score_python("pypokerengine_adapter")


def score_pokerkit() -> dict[str, int]:
    return score_python("pokerkit_adapter")


@cache
def run_handledger() -> tuple[dict[str, int], list[str]]:
    score, wrong = run(importlib.import_module("conformance.adapters.handledger_adapter"), button_cases())
    return dict(score), wrong


def score_handledger() -> dict[str, int]:
    return run_handledger()[0]


ENGINES: Mapping[str, Callable[[], dict[str, int]]] = {
    "handledger": score_handledger,
    "PokerKit 0.7": score_pokerkit,
    "PyPokerEngine 1.0.1": score_pypokerengine,
    "poker-ts 1.5": score_poker_ts,
}


def write_row(engine: str, score: Mapping[str, int]) -> str:
    asked_count = score.get("all cases: right", 0) + score.get("all cases: wrong", 0)

    def share(name: str) -> str:
        right, wrong = score.get(f"{name}: right", 0), score.get(f"{name}: wrong", 0)
        return f"{right} of {right + wrong}" if right + wrong else "-"

    columns = [str(asked_count), share("all cases"), *(share(f"{method} button") for method in METHODS)]
    left_out = sum(count for name, count in score.items() if name.startswith("not supported"))
    return f"| {engine} | {' | '.join(columns)} | {left_out} |\n"


def written_rows() -> dict[str, str]:
    text = PAGE.read_text(encoding="utf-8")
    table = text.partition("<!-- scores")[2].partition("<!-- /scores -->")[0]
    lines = [line for line in table.splitlines(keepends=True) if line.startswith("| ")][1:]
    return {line.split("|")[1].strip(): line for line in lines}


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_the_page_has_the_score_of_an_engine(engine: str, regen: bool) -> None:
    row = write_row(engine, ENGINES[engine]())
    rows = written_rows()
    if regen:
        rows[engine] = row
        write_table([rows[name] for name in ENGINES if name in rows])
    assert written_rows().get(engine) == row


def write_table(rows: list[str]) -> None:
    text = PAGE.read_text(encoding="utf-8")
    head, mark, tail = text.partition("<!-- scores")
    comment = tail.partition("\n")[0]
    page_end = tail.partition("<!-- /scores -->")[2]
    PAGE.write_text(f"{head}{mark}{comment}\n{HEAD}{''.join(rows)}<!-- /scores -->{page_end}", encoding="utf-8")


@pytest.mark.slow
def test_handledger_is_right_in_every_case() -> None:
    score, wrong = run_handledger()
    assert wrong == []
    assert score["all cases: right"] >= 500
    assert not [name for name in score if name.startswith(("not supported", "answered"))]


def test_handledger_is_right_in_every_case_that_was_written_by_hand() -> None:
    cases = read_document(SUITE / "button" / "hand-written.json")["cases"]
    score, wrong = run(importlib.import_module("conformance.adapters.handledger_adapter"), cases)
    assert wrong == []
    assert score["all cases: right"] == len(cases)
