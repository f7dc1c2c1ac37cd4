"""What is asked of the real hands of this room beyond `tests/formats/test_known.py`: no bet is returned that the room did not print."""

from __future__ import annotations

import pytest

from tests.formats.support import Read

pytestmark = pytest.mark.data


def test_no_bet_is_returned_that_the_room_did_not_print(files: list[Read]) -> None:
    assert [a.opened.number for file in files for a in file.accounts if a.inferred] == []
