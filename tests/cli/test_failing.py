"""What a mistyped command line is answered with."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Run


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (
            ["case", "close", "2026-1"],
            "handledger: Missing argument 'outcome'. Choose from: upheld, partly-upheld, denied,",
        ),
        (
            ["people", "forget", "Anna", "--basis", "none"],
            "handledger: Invalid value for '--basis': 'none' is not one of 'request',",
        ),
    ],
)
def test_choices_are_said_on_one_line_in_plain_words(run: Run, typed: list[str], message: str) -> None:
    refused = run(*typed)
    assert refused.code == 2
    first, *examples, last = refused.err.splitlines()
    assert first.startswith(message)
    assert "\\x" not in first
    assert all(line.startswith(f"  For example: handledger {' '.join(typed[:2])}") for line in examples)
    assert last == f"  Try: handledger {' '.join(typed[: 2 if typed[0] == 'case' else 1])} --help"
