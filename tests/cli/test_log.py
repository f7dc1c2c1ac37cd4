"""`handledger log`: only the hands of some days, and of one player."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from ledger.intake import import_paths
from ledger.store import open as open_ledger
from tests.cli.conftest import Run
from tests.projections.test_sitting import HEAD


def hand(number: int, at: str, names: tuple[str, str]) -> str:
    seats = "\n".join(f'seat {seat} "{name}" 1000' for seat, name in enumerate(names, 1))
    return f"hand {number} {at}\n{seats}\nbutton 1\n1 posts small 5\n2 posts big 10\n1 folds\nend\n"


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("log")
    hands = [
        hand(1, "2026-01-01T23:59:59Z", ("Anna", "Bob")),
        hand(2, "2026-01-02T00:00:00Z", ("Cleo", "Bob")),
        hand(3, "2026-01-02T23:59:59Z", ("Cleo", "Anna")),
        hand(4, "2026-01-03T00:00:00Z", ("anna78", "Bob")),
    ]
    (folder / "x.hand").write_text(f'handscript 1\nvenue "Room"  table T1\n{HEAD}{"".join(hands)}')
    with open_ledger(folder / "l") as ledger:
        summary = import_paths(ledger, [folder / "x.hand"])
        assert summary.total.new == 4, [file.rejects for file in summary.files]
    return str(folder / "l")


def numbers(run: Run, url: str, *more: str) -> list[str]:
    found = run("log", "--ledger", url, "--format", "json", *more)
    assert found.code == 0, found.err
    document: Any = found.document
    return [told["number"] for told in document["hands"]]


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        (["--since", "2026-01-02"], "234"), (["--until", "2026-01-02"], "123"),
        (["--since", "2026-01-02", "--until", "2026-01-02"], "23"),
        (["--since", "2026-01-02T00:00:01"], "34"), (["--until", "2026-01-02T23:59:59Z"], "12"),
        (["--since", "2026-01-03T01:00:00+01:00"], "4"), (["--since", "2026-01-02", "-n", "1"], "2"),
        (["--since", "2026-01-02", "--table", "T1", "--source", "x.hand"], "234"),
        (["--player", "Anna"], "13"), (["--player", "Room/Bob"], "124"),
        (["--player", "Cleo", "--until", "2026-01-02T12:00"], "2"), (["--player", "Anna", "-n", "1"], "1"),
    ],
)  # fmt: skip
def test_only_the_hands_that_fit_are_listed(
    run: Run, night: str, told: list[str], expected: str
) -> None:
    assert numbers(run, night, *told) == list(expected)


def test_who_was_said_to_be_the_same_person_is_listed_under_every_name(
    run: Run, night: str, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    copy.write_bytes(Path(night).read_bytes())
    assert run("people", "merge", "Anna", "anna78", "--why", "one passport", "--ledger", str(copy)).code == 0  # fmt: skip
    for name in ("Anna", "anna78"):
        assert numbers(run, str(copy), "--player", name) == ["1", "3", "4"]


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (["--since", "yesterday"], "--since: 'yesterday' is no day and no time"),
        (["--until", "2026-02-30"], "--until: '2026-02-30' is no day and no time"),
        (["--since", "2026-01-04"], "no hands match"), (["--player", "Dora"], "nobody is called 'Dora'"),
        (["--until", "9999-12-31", "--since", "9999-12-31"], "no hands match"),
    ],
)  # fmt: skip
def test_what_fits_nothing_or_means_nothing_is_said(
    run: Run, night: str, told: list[str], said: str
) -> None:
    found = run("log", "--ledger", night, *told)
    assert found.code == 2
    assert said in found.err


def test_the_text_tells_when_the_listed_hands_began(run: Run, night: str) -> None:
    (line,) = run("log", "--since", "2026-01-03", "--ledger", night).out.splitlines()
    when = datetime(2026, 1, 3, tzinfo=UTC).strftime("%Y-%m-%d %H:%M")
    assert line.startswith(f"4  {when}  T1")
