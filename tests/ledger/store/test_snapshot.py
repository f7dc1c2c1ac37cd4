"""What several statements see together, read without SQLAlchemy."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import pytest

from ledger.errors import StoreError
from ledger.store import open as open_ledger
from ledger.table.events import HandsMissing


def test_a_snapshot_stays_as_it_was_while_others_write(tmp_path: Path) -> None:
    with open_ledger(tmp_path / "one.ledger") as ledger:
        database = ledger.database
        ledger.append("table", uuid4(), [HandsMissing("1")])
        with database.snapshot() as link:
            end = database.read_end(link)
            ledger.append("table", uuid4(), [HandsMissing("2")])
            assert database.read_end(link) == end
        with database.snapshot() as link:
            assert database.read_end(link) == (end[0] + 1, bytes.fromhex(ledger.head()[1]))


def test_a_snapshot_that_failed_leaves_a_connection_that_works(tmp_path: Path) -> None:
    with open_ledger(tmp_path / "one.ledger") as ledger:
        with pytest.raises(StoreError), ledger.database.snapshot() as link:
            link.execute("SELECT * FROM nowhere")
        assert not ledger.database.has_table("nowhere")
        assert ledger.database.has_table("log")
