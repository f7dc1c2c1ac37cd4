"""`owed --before` and `audit` on whole evenings: the commands say what the program holds hands against."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from projections.obligations.dues import Due
from tests.cli.conftest import Run
from tests.evenings import ROOMS, evening
from tests.evenings.judging import judge
from tests.evenings.script import script
from tests.projections.test_owed_and_audit import describe_due

pytestmark = pytest.mark.slow  # seconds; left out of `make check`


@pytest.mark.parametrize("name", ROOMS)
def test_the_commands_say_what_the_program_holds_hands_against(name: str, run: Run, tmp_path: Path) -> None:
    sample_evening = evening(name, 7, 8)
    path, book = tmp_path / "evening.hand", str(tmp_path / "x.ledger")
    text = script(sample_evening)
    if " tournament 77" in text:  # the facts between its hands are of the tournament's table too
        text = text.replace("venue Evening  table 1", "venue Evening  table 1  tournament 77", 1)
    path.write_text(text)
    assert run("import", str(path), "--ledger", book).code == 0
    options = ("-r", sample_evening.room.book, "--ledger", book, "--format", "json")
    for hand, due in zip(sample_evening.hands, judge(sample_evening)[1], strict=True):
        document = json.loads(run("due", "1", "--before", hand.number, *options).out)
        command_due = msgspec.convert(document["due"][0], Due)
        assert describe_due(command_due) == describe_due(due), script(sample_evening)
    assert json.loads(run("audit", *options).out)["findings"] == []
