"""A standby of PostgreSQL is read like the primary; whoever writes to it hears which server takes changes."""

from __future__ import annotations

import os
from pathlib import Path

import psycopg
import pytest

import ledger
from ledger.errors import StoreError
from ledger.house.events import StaffRegistered
from ledger.intake import import_paths
from ledger.streams import HOUSE
from tests.cli.conftest import Run, run
from tests.intake.hands import hands
from tests.postgres import NoPostgresError, ServerUrl, server

__all__ = ["run"]

pytestmark = pytest.mark.postgres


def make_standby(url: ServerUrl) -> None:
    """Let the server start again as a standby, which follows a primary that never answers."""
    with psycopg.connect(url) as connection:
        row = connection.execute("SHOW data_directory").fetchone()
    assert row
    signal = Path(row[0]) / "standby.signal"
    signal.touch()
    owner = signal.parent.stat()
    os.chown(signal, owner.st_uid, owner.st_gid)
    url.restart()


def test_a_standby_is_read_and_whoever_writes_to_it_is_sent_to_the_primary(run: Run, tmp_path: Path) -> None:
    try:
        with server() as url:
            night, later = tmp_path / "night.phhs", tmp_path / "later.phhs"
            night.write_text(hands(1, 2))
            later.write_text(hands(3, 4))
            with ledger.open(url) as opened:
                import_paths(opened, [night])
            make_standby(url)
            refused_on_a_standby(run, url, later)
    except NoPostgresError as error:
        pytest.skip(str(error))


def refused_on_a_standby(run: Run, url: str, path: Path) -> None:
    """Read the ledger, then try to write to it."""
    for reads in (
        ("log",),
        ("show", "1"),
        ("verify",),
        ("results",),
        ("audit", "-r", "hilton"),
        ("due", "-r", "hilton"),
    ):
        result = run(*reads, "--ledger", url)
        assert result.code in {0, 1}, (reads, result)
    opened = ("case", "open", "1", "--claim", "x", "--by", "floor")
    for writes in (("import", str(path)), opened, ("seal", "--new-key", "--key", str(path.with_name("k")))):
        result = run(*writes, "--ledger", url)
        words = " ".join((result.out + result.err).split())
        assert result.code == 2, (writes, words)
        assert "takes no changes" in words, (writes, words)
        assert "primary" in words, (writes, words)
        assert "Free some space" not in words, (writes, words)
    with ledger.open(url) as standby, pytest.raises(StoreError, match="takes no changes"):
        standby.append("house", HOUSE, [StaffRegistered("a" * 16, "dealer")])
