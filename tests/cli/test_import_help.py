"""`handledger import --help` names what can be named."""

from __future__ import annotations

from ledger import formats
from tests.cli.conftest import Run


def test_every_format_is_named_and_no_line_is_wide(run: Run) -> None:
    told = run("import", "--help").out
    assert set(formats.NAMES) <= set(told.partition("Formats, by name:")[2].split())
    assert all(len(line) <= 100 for line in told.splitlines())
