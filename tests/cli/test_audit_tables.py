"""`audit` over a ledger: whatever came in when, each hand is judged in its place at its table."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from ledger.hand.ending import CorrectionMade
from ledger.hand.opening import ButtonPlaced
from ledger.intake import import_paths
from ledger.store import open as open_ledger
from tests.cli.conftest import Run
from tests.projections.test_table_context import HEAD, hand


def file(folder: Path, name: str, table: str, *parts: str) -> Path:
    path = folder / f"{name}.hand"
    head = f'handscript 1\nvenue "Room"  table {table}\nwitness live-table\n{HEAD}'
    path.write_text(head + "\n".join(parts) + "\n")
    return path


def ledger(folder: Path, name: str, files: Iterable[Path]) -> str:
    url = str(folder / f"{name}.ledger")
    with open_ledger(url) as book:
        for path in files:
            import_paths(book, [path])
    return url


def audit_document(run: Run, url: str, *more: str) -> Any:
    result = run("audit", "-r", "hilton", "-r", "rrop4", "--ledger", url, "--format", "json", *more)
    assert result.code == 1, result.err
    text = json.dumps(result.document)
    for row in result.document["findings"]:  # the ids of people, and so of streams, differ
        text = text.replace(row["hand"]["stream"], "")
    return json.loads(text)


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    """Four hands in three files, one of another table, the second hand with a wrong button."""
    start = "game-started at 2026-11-21T19:00:00Z"
    return [
        file(tmp_path, "a", "T1", start, hand(1, button=5)),
        file(tmp_path, "b", "T1", hand(2, button=3)),
        file(tmp_path, "c", "T2", start, hand(1, button=5), hand(2, button=3), hand(3, button=4)),
        file(tmp_path, "d", "T1", "3 away at 2026-11-21T20:02:30Z", hand(3, button=4)),
    ]


def test_the_order_in_which_hands_arrive_changes_nothing(run: Run, tmp_path: Path, files: list[Path]) -> None:
    complete = audit_document(run, ledger(tmp_path, "whole", files))
    hands_in_order = [(row["hand"]["table"], row["hand"]["number"]) for row in complete["findings"]]
    assert hands_in_order == sorted(hands_in_order)
    assert set(hands_in_order) >= {("T1", "2"), ("T2", "2")}
    for index, order in enumerate(permutations(files)):
        if index % 5 == 1:  # five of the twenty-four
            assert audit_document(run, ledger(tmp_path, f"l{index}", order)) == complete


def test_a_hand_that_is_asked_for_is_judged_with_those_before_it(run: Run, tmp_path: Path, files: list[Path]) -> None:
    url = ledger(tmp_path, "whole", files)
    complete = audit_document(run, url)
    of_table = audit_document(run, url, "--table", "T2")
    assert of_table["findings"] == [row for row in complete["findings"] if row["hand"]["table"] == "T2"]
    with open_ledger(url) as book:
        stream = next(row.stream.hex for row in book.hands(table="T2", number="2"))
    alone = audit_document(run, url, stream)
    assert alone["summary"]["hands"] == 1
    assert alone["findings"] == [row for row in of_table["findings"] if row["hand"]["number"] == "2"]


def test_a_second_telling_is_judged_when_it_is_asked_for(run: Run, tmp_path: Path, files: list[Path]) -> None:
    path = file(tmp_path, "again", "T1", hand(2, button=1))
    url = ledger(tmp_path, "two", [*files, path])
    assert "2" in {r["hand"]["number"] for r in audit_document(run, url, "--table", "T1")["findings"]}
    with open_ledger(url) as book:
        second = next(row for row in book.hands(table="T1", number="2") if row.account == 2)
    result = run("audit", "-r", "hilton", "--ledger", url, "--format", "json", f"{second.stream.hex}~2")
    assert (result.code, result.document["summary"]["hands"]) == (0, 1)


def test_a_hand_corrected_later_is_judged_as_corrected_and_so_are_those_behind_it(run: Run, tmp_path: Path) -> None:
    start = "game-started at 2026-11-21T19:00:00Z"
    evening = file(tmp_path, "e", "T1", start, hand(1, button=5), hand(2, button=3), hand(3, button=2))
    url = ledger(tmp_path, "e", [evening])
    assert {r["hand"]["number"] for r in audit_document(run, url)["findings"]} == {"2", "3"}
    with open_ledger(url) as book:
        row = next(iter(book.hands(number="2")))
        events = book.events(row.stream)
        posts = [v for v, e in enumerate(events, 1) if type(e).__name__ == "BlindPosted"]
        button = next(v for v, e in enumerate(events, 1) if isinstance(e, ButtonPlaced))
        new = [
            type(events[v - 1])(seat, events[v - 1].role, events[v - 1].live)  # type: ignore[attr-defined, call-arg]  # these are blinds
            for v, seat in zip(posts, (2, 3), strict=True)
        ]
        correction = CorrectionMade(voids=(button, *posts), after=posts[-1], count=3)
        book.append("hand", row.stream, [correction, ButtonPlaced(1), *new])
    result = run("audit", "-r", "hilton", "--ledger", url, "--format", "json", "--table", "T1")
    numbers = {f["hand"]["number"] for f in result.document["findings"] if "B1" in f["clause"]}
    assert "3" not in numbers
