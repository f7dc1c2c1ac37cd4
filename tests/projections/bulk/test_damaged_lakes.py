"""Damage to a lake, or to what was found in one, that ended in a fault of the program, or in another answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.torture.questions import Answer, ask
from tests.torture.spoiled_lakes import LakeChange, Lakes
from tests.torture.tampering import short_rests

pytest.importorskip("duckdb")


@pytest.fixture(scope="module")
def lakes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lakes]:
    """A sealed lake, and what was found in it."""
    with short_rests():
        yield Lakes(tmp_path_factory.mktemp("lakes"), straight=False)


def changed(lakes: Lakes, file: str, target: str, damage: str) -> tuple[LakeChange, bool]:
    """Return one of the changes of the lake, by its words."""
    return next(
        change
        for change in lakes.changes()
        if change[0].file.endswith(file) and change[0].target == target and change[0].what.startswith(damage)
    )


FIT = "receipts made to fit"


@pytest.mark.parametrize(
    ("file", "target", "damage", "outcome"),
    [
        ("house.parquet", "count", "None in", "found"),
        ("house.parquet", "clock", "None in", "found"),
        ("house.parquet", "position", "-2147483648 in", "found"),
        ("00001.parquet", "kind", "-1 in", "found"),
        ("sources.parquet", "sha256", "column renamed", "found"),
        ("sources.parquet", "", "all rows taken away", "found"),
        ("lake.json", "sources", "None", "found"),
        ("run.json", "receipts", "doubled", "named"),
        ("results.parquet", "pot", "4611686018427387904 in", "named"),
        ("seats.parquet", "showdown", "None in", "named"),
        ("results.parquet", "unit", "column renamed", "named"),
        ("findings.parquet", "", "its end garbage", "named"),
    ],
)
def test_damage_is_named(lakes: Lakes, file: str, target: str, damage: str, outcome: str) -> None:
    assert lakes.outcome(*changed(lakes, file, target, damage)).what == outcome


@pytest.mark.parametrize(
    ("file", "target", "damage"),
    [
        ("house.parquet", "count", "None in"),
        ("sources.parquet", "sha256", "column renamed"),
        ("00001.parquet", "version", "None in"),
        ("00001.parquet", "start", "None in"),
        ("00001.parquet", "unread", "-1 in"),
        ("sources.parquet", "", "the last row taken away"),
        ("sources.parquet", "digest", "swapped"),
    ],
)
def test_damage_with_receipts_that_fit_is_named(lakes: Lakes, file: str, target: str, damage: str) -> None:
    change = next(
        one
        for one in lakes.changes()
        if one[0].file.endswith(file)
        and one[0].target == target
        and one[0].what.startswith(damage)
        and one[0].what.endswith(FIT)
    )
    assert lakes.outcome(*change).what in {"found", "named"}


def test_findings_that_were_damaged_are_found_again(lakes: Lakes, tmp_path: Path) -> None:
    lake, out = str(lakes.folder / "sound.lake"), tmp_path / "found"

    def audit() -> Answer:
        return ask(("lake", "audit", lake, "--out", str(out), "-r", "hilton"), {})

    sound = audit()
    (results,) = out.rglob("*.results.parquet")
    data = results.read_bytes()
    results.write_bytes(data[:100] + bytes([data[100] ^ 1]) + data[101:])
    answer = ask(("lake", "log", str(out)), {})
    assert (answer.code, "has other bytes than were written" in answer.err) == (4, True)
    assert audit()[:2] == sound[:2]
    assert ask(("lake", "log", str(out)), {}).code == 0
