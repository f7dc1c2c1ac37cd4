"""A room begins without a ledger: what sets it up makes one, and nothing else does."""

from __future__ import annotations

from pathlib import Path

import pytest
import uvicorn

from ledger.store import open as open_ledger
from ledger.store.requests import sign_ins
from tests.cli.conftest import Run


def test_people_are_added_before_the_first_start(run: Run, tmp_path: Path) -> None:
    url = str(tmp_path / "room.ledger")
    result = run("user", "add", "Maria", "--role", "dealer", "--ledger", url)
    assert result.code == 0
    assert f"New, empty ledger: {url}" in result.err
    again = run("user", "add", "Flo", "--role", "floor", "--ledger", url)
    assert "New" not in again.err
    with open_ledger(url, create=False) as ledger:
        assert [user.role for user in sign_ins.list_users(ledger).values()] == ["dealer", "floor"]


def test_a_device_is_added_before_the_first_start(run: Run, tmp_path: Path) -> None:
    url = str(tmp_path / "room.ledger")
    assert run("device", "add", "tablet-3", "--ledger", url).code == 0
    assert "tablet-3" in run("device", "--ledger", url).out


def test_a_server_that_may_write_makes_the_ledger(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uvicorn.Server, "run", lambda *_, **__: None)
    url = str(tmp_path / "room.ledger")
    result = run("serve", "--write", "--port", "0", "--ledger", url)
    assert f"New, empty ledger: {url}" in result.err
    assert "for the floor" in result.out
    with open_ledger(url, create=False) as ledger:
        assert list(ledger.hands()) == []


@pytest.mark.parametrize("command", [("serve",), ("user",), ("user", "code", "Maria"), ("device",), ("device", "add")])
def test_nothing_else_makes_one(run: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    url = tmp_path / "room.ledger"
    result = run(*command, "--ledger", str(url))
    assert result.code == 2
    assert "there is no ledger" in result.err
    assert not url.exists()
