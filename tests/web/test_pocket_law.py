"""The page in the pocket answers as Python does here: the same requests, letter for letter, over random evenings."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from handledger.pocket import answer_request
from tests.conftest import ROOT, script
from tests.laws import size
from tests.web.pocket import NODE, build_folder, lay_out_engine, needs_node, needs_pyodide

pytestmark = [pytest.mark.law, pytest.mark.slow, needs_node, needs_pyodide]

ADAPTERS = ROOT / "conformance" / "adapters"
GAMES = (
    "limit 10/20",
    "no-limit 1/2",
    "no-limit 2/5",
    "NL 2/5 ante 1",
    "limit 3/6 blinds 1/3",
    "no-limit 0.5/1",
    "PLO 5/5",
)
BOOKS = ("hilton", "rrop4", "bicycle", "house-burn")
LANGUAGES = ("en", "en", "en", "es", "vi", "zh")
NAMES = ("Ana", "Bo", "Cy", "Đức", "王芳", "<b>x</b>", "O'Neil", 'a "b" c', "\u202eevil", "x" * 100)


class Evening:
    """A random evening at one table: mostly what may happen, sometimes what can't."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.language = self.chance.choice(LANGUAGES)
        is_tournament = self.chance.random() < 0.2
        self.table: dict[str, Any] = {
            "handledger": "table/1",
            "game": self.chance.choice(GAMES),
            "seats": self.chance.randint(3, 10),
            "rulebook": self.chance.choice(("tda2024", "hilton")) if is_tournament else self.chance.choice(BOOKS),
            "tournament": is_tournament,
            "options": {},
            "steps": [],
        }
        self.seated: dict[int, str] = {}
        self.due: dict[str, Any] = {}
        self.exchanges: list[tuple[str, str]] = []

    def ask(self, **request: object) -> dict[str, Any]:
        text = json.dumps({**request, "language": self.language})
        answer = answer_request(text)
        self.exchanges.append((text, answer))
        return json.loads(answer)

    def show(self, *steps: dict[str, Any]) -> None:
        table = {**self.table, "steps": [*self.table["steps"], *steps]}
        answer = self.ask(ask="show", table=table, books=[table["rulebook"]])
        if "error" in answer:
            return
        self.table, self.due = answer["table"], answer["due"][table["rulebook"]]
        self.seated = {player["seat"]: player["presence"] for player in answer["seated"]}

    def sit(self, count: int) -> list[dict[str, Any]]:
        free_seats = [seat for seat in range(1, self.table["seats"] + 1) if seat not in self.seated]
        seats = self.chance.sample(free_seats, min(count, len(free_seats)))
        return [{"do": "sit", "seat": seat, "name": f"{self.chance.choice(NAMES)[:90]} {seat}"} for seat in seats]

    def choose_step(self) -> list[dict[str, Any]]:
        chance = self.chance
        roll = chance.random()
        if roll < 0.5 or not self.seated:
            return [{"do": "deal"}]
        if roll < 0.6:
            return [{"do": "deal", "button": chance.randint(1, self.table["seats"])}]
        if roll < 0.7:
            return self.sit(1)
        seat = chance.choice(sorted(self.seated))
        choices = next((due["choices"] for due in self.due.get("seats", ()) if due["seat"] == seat), [])
        if choices and roll < 0.85:
            return [{"do": "choose", "seat": seat, "pick": chance.choice(choices)}]
        if roll < 0.97:
            return [
                {
                    "do": "back" if self.seated[seat] == "away" else chance.choice(("away", "away", "leave")),
                    "seat": seat,
                }
            ]
        return [{"do": "choose", "seat": seat, "pick": "raise"}, {"do": "leave", "seat": 99}][chance.randrange(2) :][:1]

    def play(self) -> list[tuple[str, str]]:
        for step in self.sit(self.chance.randint(2, self.table["seats"])):
            self.show(step)
        self.show({"do": "deal", "button": self.chance.choice(sorted(self.seated) or [1])})
        for _ in range(self.chance.randint(4, 16)):
            self.show(*self.choose_step())
        self.ask(ask="show", table=self.table, books=list(BOOKS))
        self.ask(ask="faults", table=self.table)
        self.ask(
            ask="check", table=self.table, deal={"do": "deal", "button": self.chance.choice(sorted(self.seated) or [1])}
        )
        text = self.ask(ask="write", table=self.table).get("text", "")
        self.ask(ask="read", text=text, book=self.table["rulebook"])
        return self.exchanges


def ask_page(requests: list[str], tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> list[dict[str, Any]]:
    """Return the answers of the page's Python, run by Node."""
    engine = lay_out_engine(build_folder(tmp_path_factory), tmp_path / "engine")
    asked, answered = tmp_path / "requests", tmp_path / "answers"
    asked.write_text("".join(f"{request}\n" for request in requests), "utf-8")
    command = [NODE, str(engine / "law.mjs"), str(engine), str(asked), str(answered)]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr[-2000:]
    answers = [json.loads(line) for line in answered.read_text("utf-8").splitlines()]
    assert len(answers) == len(requests)
    return answers


def test_the_page_answers_as_python_does_here(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> None:
    exchanges = [exchange for seed in range(size(12, 1000)) for exchange in Evening(seed).play()]
    answers = ask_page([request for request, _ in exchanges], tmp_path_factory, tmp_path)
    assert len(answers) > 100
    assert any("error" in answer for answer in answers)  # what can't be is among them
    for (request, here), there in zip(exchanges, answers, strict=True):
        assert there == json.loads(here), request


def test_the_page_is_right_where_the_conformance_suite_asks(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    """The suite holds the answers of `Table` against its own; here the page gives the same for each case's table."""
    adapter = script(ADAPTERS / "handledger_adapter.py")
    files = [ROOT / "conformance" / "button" / name for name in ("hand-written.json", "drawn.json")]
    cases = [case for path in files for case in json.loads(path.read_text("utf-8"))["cases"]]
    tables = [adapter.play_history(case) for case in cases[:: size(8, 1)]]
    requests = [
        json.dumps({"ask": "show", "table": table.to_dict(), "books": [table.rulebook.name], "language": "en"})
        for table in tables
    ]
    answers = ask_page(requests, tmp_path_factory, tmp_path)
    for table, answer in zip(tables, answers, strict=True):
        assert answer["due"][table.rulebook.name] == json.loads(msgspec.json.encode(table.due()))
