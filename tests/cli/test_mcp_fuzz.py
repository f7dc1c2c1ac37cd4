"""Whatever an assistant asks, it gets an answer or an error of ours, within its bounds, and the server goes on."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from handledger.mcp_server.answer_text import MIN_CHARACTERS
from handledger.mcp_server.tools import ServerOptions
from tests import laws
from tests.cli.assistants import Call, Reply, ask_all
from tests.cli.conftest import copy_ledger

WORDS: list[Any] = [
    *(
        "T3",
        "T7",
        "T3/712",
        "T3/712@14",
        "T3/712@flop",
        "T3/99999",
        "T7/408",
        "Vesta III",
        '"Vesta III"/260511000008',
        "712",
        "@",
        "/",
    ),
    *(
        "hilton",
        "rrop4",
        "tda2024",
        "hoyle",
        "record",
        "hilton@1999",
        "../../etc/passwd",
        "x.toml",
        "B8a.1",
        "B15a.1",
        "Z9",
    ),
    *("pot", "net:3", "net:99", "due:3", "button", "finding", "finding:f5c022a4", "put:-1", "2026-1", "1", ""),
    *(
        "pot>=20",
        "player:Kim",
        "player:*",
        "clause:hilton.B*",
        "-position:BTN",
        "day:2026-11-21",
        "net<-1 or (",
        "saved:x",
        "hand:T3/712",
    ),
    *(
        "\x00",
        "\ud800",
        "\u202eKim",
        "<handledger-data>",
        "a" * 5_000,
        "?" * 200,
        "T3/712~2",
        "T3/712/2nd",
        "night.txt:1",
    ),
]
ODD_VALUES: list[Any] = [None, True, 0, -1, 1, 2**70, 1.5, [], {}, ["T3"], {"a": 1}, [[]], "x"]
ARGUMENTS = (
    "table",
    "document",
    "before_hand",
    "rulebooks",
    "hands",
    "query",
    "start",
    "address",
    "figure",
    "book",
    "clause",
    "text",
    "number",
)
FITTING = {
    "due": ("table", "document", "before_hand", "rulebooks"),
    "audit": ("hands", "table", "query", "rulebooks", "start"),
    "why": ("address", "figure", "rulebooks"),
    "show": ("address", "start"),
    "rules": ("book", "clause", "start"),
    "search": ("text", "query", "start"),
    "case": ("number", "start"),
}
SENSIBLE: dict[str, list[Any]] = {
    "table": ["T3", "T7", "Vesta III"],
    "before_hand": ["T3/712", "T7/408", "712"],
    "rulebooks": [["hilton"], ["rrop4", "tda2024"], []],
    "hands": [["T3/712"], ["T7/408", "T3/715"], []],
    "query": ["pot>=20", "table:T7", "clause:hilton.B*", "player:Kim", "-position:BTN"],
    "address": ["T3/712", "T7/408", "T3/712@14", "T3/712@flop", "T3"],
    "figure": ["pot", "net:3", "due:3", "button", "finding"],
    "book": ["hilton", "rrop4", "tda2024"],
    "clause": ["B8a.1", "B15a.1", "B11b.1"],
    "text": ["T3", "Kim", "straddle", "712"],
    "number": ["2026-1", ""],
    "start": [1, 2, 10],
}
STEPS = ("sit", "leave", "away", "back", "move", "set_stack", "choose", "change_game", "deal", "lines", "bet")
GAMES = (
    "limit 10/20",
    "no-limit 1/3",
    "PLO 5/5",
    "NL 2/5 ante 1",
    "limit 3/6 blinds 1/3",
    "tennis",
    "",
    "no-limit 0/0",
)


def draw_value(rng: random.Random) -> Any:
    return rng.choice(ODD_VALUES) if rng.random() < 0.2 else rng.choice(WORDS)


def draw_step(rng: random.Random) -> Any:
    step: dict[str, Any] = {"do": rng.choice(STEPS), "seat": rng.choice((1, 2, 3, 4, 5, 9, 10, 0, "1"))}
    if step["do"] == "sit" or rng.random() < 0.1:
        step["name"] = rng.choice(("Ana", "Bo", "Cy", "Di", "<b>", "\u202e", ""))
    if step["do"] == "deal" and rng.random() < 0.9:
        del step["seat"]
    for name in rng.sample(
        ("to", "chips", "pick", "game", "button", "posts", "dealt", "stack", "lines"), rng.choice((0, 0, 1, 2))
    ):
        step[name] = rng.choice((1, 2, 3, 500, "post", "wait", rng.choice(GAMES), {"3": 5}, [1, 2], None, -5))
    return step if rng.random() < 0.97 else draw_value(rng)


def draw_table(rng: random.Random) -> Any:
    seated = [{"do": "sit", "seat": seat, "name": f"P{seat}"} for seat in rng.sample(range(1, 10), rng.randint(0, 7))]
    table = {
        "handledger": "table/1",
        "game": rng.choice(GAMES),
        "seats": rng.choice((9, 9, 9, 2, 6, 0, -1, 10**9)),
        "rulebook": rng.choice(("hilton", "rrop4", "tda2024", None, "hoyle")),
        "steps": [*seated, *(draw_step(rng) for _ in range(rng.randint(0, 6)))],
    }
    if rng.random() < 0.2:
        table[rng.choice(("options", "picks", "unit", "exponent", "tournament", "extra", "steps", "game"))] = (
            draw_value(rng)
        )
    return table if rng.random() < 0.95 else draw_value(rng)


def draw_argument(rng: random.Random, name: str) -> Any:
    if name == "document":
        return draw_table(rng)
    if rng.random() < 0.6:
        return rng.choice(SENSIBLE[name])
    if name == "start":
        return rng.choice((1, 1, 2, 10, 10**6, 0, -1, "1", None))
    if name in ("rulebooks", "hands") and rng.random() < 0.9:
        return [draw_value(rng) for _ in range(rng.randint(0, 3))]
    return draw_value(rng)


def draw_calls(rng: random.Random, count: int) -> Iterator[Call]:
    for _ in range(count):
        tool = rng.choice((*FITTING, "record", "")) if rng.random() < 0.05 else rng.choice([*FITTING])
        names = FITTING.get(tool, ARGUMENTS) if rng.random() < 0.9 else ARGUMENTS
        chosen_names = rng.sample(names, rng.randint(0, min(3, len(names))))
        yield tool, {name: draw_argument(rng, name) for name in chosen_names}


def is_sendable(call: Call) -> bool:
    """Whether JSON of UTF-8 can hold it: half a surrogate pair can't be sent."""
    try:
        repr(call).encode().decode("unicode_escape").encode()
    except UnicodeError:
        return False
    return True


def find_fault(call: Call, reply: Reply) -> str:
    """Return what is wrong with a reply; "" if nothing is."""
    data = reply.data
    if len(reply.text) > MIN_CHARACTERS:
        return f"{call}: {len(reply.text)} characters"
    if not reply.is_error:
        return ""
    error = data["error"]
    return "" if error["code"] not in ("fault", "error") and error["message"] else f"{call}: {error}"


@pytest.mark.law
@pytest.mark.parametrize("naming", ["keep", "position"])
def test_random_calls_get_answers_or_errors_of_ours(naming: Any, sampled: Path, tmp_path: Path) -> None:
    path = copy_ledger(sampled, tmp_path)
    before = hashlib.sha256(path.read_bytes()).digest()
    calls = [call for call in draw_calls(random.Random(naming), laws.size(80, 5_000)) if is_sendable(call)]
    replies = ask_all(calls, ServerOptions(str(path), naming), MIN_CHARACTERS)
    faults = [fault for call, reply in zip(calls, replies, strict=True) if (fault := find_fault(call, reply))]
    assert not faults, "\n".join(faults[:5])
    assert sum(not reply.is_error for reply in replies) > len(replies) // 12
    assert hashlib.sha256(path.read_bytes()).digest() == before
