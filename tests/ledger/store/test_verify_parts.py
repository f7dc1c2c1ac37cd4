"""A log that is followed in parts, here or in processes, has the problems of one that is followed in one go."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger import marks
from ledger.errors import IntegrityError
from ledger.intake import import_paths
from ledger.store import Ledger
from ledger.store import open as open_ledger

SAMPLES = Path("cli/samples")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A ledger of some dozens of commits."""
    with open_ledger(tmp_path / "x.ledger") as ledger:
        import_paths(ledger, [SAMPLES])
    return tmp_path / "x.ledger"


def find_problems(ledger: Ledger, jobs: int = 1) -> list[tuple[int | None, str, str]]:
    return [(p.position, p.code, p.reason) for p in ledger.verify(jobs=jobs)]


DAMAGE = (
    "UPDATE log SET data = replace(data, 'HandOpened', 'HandOpenet') WHERE position = (SELECT max(position) FROM log WHERE kind = 1)",
    "UPDATE log SET at = at + 1 WHERE position IN (SELECT position FROM log ORDER BY position LIMIT 3 OFFSET 9)",
    "DELETE FROM log WHERE position = (SELECT position FROM log ORDER BY position LIMIT 1 OFFSET 10)",
    "UPDATE hands SET number = number || 'x' WHERE position = (SELECT max(position) FROM hands)",
    "DELETE FROM names WHERE id = (SELECT max(id) FROM names)",
    "UPDATE log SET marks = x'0080' WHERE position = (SELECT max(position) FROM log WHERE kind = 1)",
)


@pytest.mark.slow
@pytest.mark.parametrize("damage", [None, *DAMAGE])
def test_parts_and_processes_find_the_same(path: Path, damage: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    if damage is not None:
        with closing(sqlite3.connect(path)) as link:
            for trigger in ("log_unchanged", "log_kept"):
                link.execute(f"DROP TRIGGER {trigger}")
            assert link.execute(damage).rowcount
            link.commit()
    with open_ledger(path, read_only=True) as ledger:
        all_problems = find_problems(ledger)
        assert bool(all_problems) is (damage is not None)
        monkeypatch.setattr("ledger.store.verify.log_checks._PART_COMMITS", 10)
        assert find_problems(ledger) == all_problems
        if damage in (None, DAMAGE[1]):
            assert find_problems(ledger, jobs=2) == all_problems


@given(st.binary(max_size=40), st.integers(1, 8))
def test_marks_hold_where_they_can_be_read(packed: bytes, count: int) -> None:
    try:
        marks.unpack_origins(packed, count)
    except IntegrityError:
        assert not marks.is_packed_origins(packed, count)
    else:
        assert marks.is_packed_origins(packed, count) or len(packed) > 9
