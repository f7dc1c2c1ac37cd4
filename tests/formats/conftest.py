"""The real hands of a room, for the tests of its own folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.people import People
from tests.formats.known import read_real_hands
from tests.formats.support import Read


@pytest.fixture
def people(request: pytest.FixtureRequest, data_dir: Path) -> People:
    """The people in the hands of `files`."""
    return read_real_hands(request.path.parent.name, data_dir)[0]


@pytest.fixture
def files(request: pytest.FixtureRequest, data_dir: Path) -> list[Read]:
    """The files of the folder that the room's `known.toml` names."""
    return read_real_hands(request.path.parent.name, data_dir)[1]
