"""What is asked of the real hands of this room beyond `tests/formats/test_known.py`: balances and moments follow from the acts."""

from __future__ import annotations

import pytest

from ledger.hand.betting import Called, Folded
from tests.formats.support import Read, balances

pytestmark = pytest.mark.data


def test_balances_behind_every_act_are_what_the_acts_lead_to(files: list[Read]) -> None:
    assert balances(account for file in files for account in file.accounts) > 40


def test_every_act_has_its_moment_in_the_order_of_the_record(files: list[Read]) -> None:
    for file in files:
        for account in file.accounts:
            acts = [index for index, e in enumerate(account.events) if isinstance(e, Called | Folded)]
            assert all(index in account.times for index in acts)
            assert sorted(account.times[index] for index in acts) == [account.times[index] for index in acts]
