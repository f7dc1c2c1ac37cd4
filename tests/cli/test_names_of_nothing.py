"""A path or a projection that isn't there leaves nothing behind, and its refusal names what there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from handledger import run_projection
from ledger.errors import UsageError
from tests.cli.conftest import Run


def test_a_path_that_is_not_there_leaves_no_ledger_and_no_key(run: Run, tmp_path: Path) -> None:
    result = run("import", str(tmp_path / "nothere"), "--ledger", str(tmp_path / "new.ledger"))
    assert result.code == 2
    assert "no such file or directory" in result.err
    assert "Created the key" not in result.out + result.err
    assert not list(tmp_path.iterdir())


def test_a_projection_that_is_none_is_answered_with_those_there_are() -> None:
    with pytest.raises(UsageError, match="no projection is called 'result'"), run_projection("sqlite://", "result"):
        pass
