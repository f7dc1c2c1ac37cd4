"""`handledger device`: each wrong name gets its own message."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.store.open_ledger import open_ledger
from tests.cli.conftest import Run


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["add"], "the device's name is missing"),
        (["add", "tablet-" + "3" * 60], "the device's name has more than 60 characters"),
        (["add", "tablet\u200b3"], "the device's name has characters that can't be printed"),
        (["retire"], "the device's name is missing"),
        (["retire", "tablet-9"], "no device is called 'tablet-9'"),
        (["list", "tablet-3"], "'tablet-3' is not expected here"),
    ],
)
def test_a_wrong_name_says_what_is_wrong_with_it(run: Run, tmp_path: Path, words: list[str], message: str) -> None:
    url = str(tmp_path / "room.ledger")
    open_ledger(url).close()
    result = run("device", *words, "--ledger", url)
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert run("device", "--ledger", url).out == "No device may record.\n"
