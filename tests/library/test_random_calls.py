"""Random calls of a `Table`: whatever is passed, only errors of ours leave it, and the table goes on."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any

import pytest

from handledger.answers import Due
from handledger.table import Table
from ledger.errors import HandledgerError
from tests.laws import size

GAMES = (
    "limit 10/20",
    "no-limit 1/3",
    "PLO 5/5",
    "limit stud 10/20",
    "no-limit blinds 1/2/5",
    "NL 2/5 ante 1",
    "2/5",
    "",
    "x" * 999,
)
BOOKS = ("hilton", "rrop4", "bicycle", "tda2024", "house-burn", "nobody", None, 7)
STRANGE: tuple[Any, ...] = (
    *(None, True, -1, 0, 1, 2, 3, 4, 5, 9, 64, 10**18, 1.5, float("nan"), "", "Ana", "1", "\ud800", "\x1b[2J", "a\nb"),
    *(
        b"1",
        [],
        [1, 2],
        (1, 2, 3),
        {},
        {1: 5, 2: 10},
        {1: {"small blind": 5, "dead": 1}},
        {1: {"x": 1}},
        {"1": 5},
        object(),
    ),
    *(
        {"do": "sit"},
        {"handledger": "table/1"},
        {2: -5},
        {2: 10**20},
        "post",
        "wait",
        "play",
        "broken-game",
        set(),
        range(3),
    ),
)
CALLS = (
    "sit",
    "leave",
    "away",
    "back",
    "move",
    "set_stack",
    "choose",
    "change_game",
    "deal",
    "check",
    "due",
    "undo",
    "owes",
)


def usual(rng: Random, name: str) -> tuple[Any, ...]:
    """Return arguments as a program would pass them."""
    seat = rng.randint(1, 7)
    return {
        "sit": (seat, f"P{rng.randint(1, 9)}", rng.choice((None, None, 0, 5, 300))),
        "move": (seat, rng.randint(1, 7)),
        "set_stack": (seat, rng.choice((0, 3, 500))),
        "choose": (seat, rng.choice(("post", "wait", "play", None))),
        "change_game": (rng.choice(GAMES),),
        "deal": rng.choice(((), (seat,), (None, {seat: 5, 3: 10}))),
        "check": rng.choice(((), (seat,), (None, {seat: 5, 3: 10}))),
        "due": (),
        "undo": (),
        "owes": (seat, rng.choice(("small blind", "big blind"))),
    }.get(name, (seat,))


@pytest.mark.law
@pytest.mark.parametrize("seed", range(size(4, 100)))
def test_only_errors_of_ours_leave_a_table(seed: int) -> None:
    rng = Random(seed)
    table = None
    errors: list[HandledgerError] = []
    for _ in range(size(50, 100)):
        try:
            if table is None or rng.random() < 0.02:
                table = Table(
                    rng.choice(GAMES),
                    seats=rng.choice((6, 7, 9, 1, "x")),  # type: ignore[arg-type]  # wrong on purpose
                    rulebook=rng.choice(BOOKS),  # type: ignore[arg-type]  # as above
                    running=rng.random() < 0.5,
                )
            name = rng.choice(CALLS)
            arguments = usual(rng, name)
            if rng.random() < 0.2:
                arguments = tuple(rng.choice(STRANGE) if rng.random() < 0.5 else value for value in arguments)
            answer = getattr(table, name)(*arguments)
        except HandledgerError as error:
            errors.append(error)
        else:
            if isinstance(answer, Due):
                assert Table.from_dict(table.to_dict()).due() == answer
    assert all(error.message and error.hint for error in errors)


@pytest.mark.law
@pytest.mark.parametrize("seed", range(size(60, 3000)))
def test_only_errors_of_ours_leave_a_document(seed: int) -> None:
    rng = Random(seed)
    table = Table("limit 10/20", seats=6, rulebook="hilton")
    for seat in range(1, 5):
        table.sit(seat, f"P{seat}")
    table.deal()
    document: Any = table.to_dict()
    for _ in range(rng.randint(1, 3)):
        target = rng.choice(
            (
                document,
                rng.choice(document["steps"])
                if isinstance(document.get("steps"), list) and document["steps"]
                else document,
            )
        )
        if isinstance(target, dict) and target:
            target[rng.choice(list(target))] = rng.choice(STRANGE)
    with suppress(HandledgerError):
        Table.from_dict(document)
        Table.from_handscript(rng.choice(STRANGE))
