"""What is asked of the real hands of this room beyond `tests/formats/test_known.py`: what is written of them is valid and the same."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from ledger.account import Account
from ledger.formats.ohh import FORMAT
from ledger.formats.pokerstars import FORMAT as STARS
from ledger.hand import ending as e
from ledger.hand.betting import BetReturned, RunsAgreed
from ledger.hand.dealing import DealCompleted
from ledger.hand.opening import HandOpened
from tests.conftest import ROOT
from tests.formats.support import new_people, read_folder, read_hand, unbalanced

pytestmark = pytest.mark.data


INFERRED = (BetReturned, DealCompleted, RunsAgreed, e.ResultDeclared, HandOpened)
"""What a reader of the written hand infers itself, perhaps at another place, and what frames it."""

AS_TOLD = {"3406008447", "3405956177"}
"""The room gave back a whole blind that two had matched in part: written as told, read as the rules have it."""


@pytest.mark.slow
def test_what_is_written_of_real_hands_is_valid_balances_and_is_the_same_but_for_its_losses(data_dir: Path) -> None:
    people = new_people()
    validator = jsonschema.Draft202012Validator(
        json.loads((ROOT / "schemas/formats/ohh-1.4.7.json").read_text(encoding="utf-8"))
    )
    lossless = 0
    for form, name in ((FORMAT, "ohh"), (STARS, "pokerstars")):
        for read in read_folder(form, data_dir / name, people=people):
            for index, account in enumerate(read.accounts):
                assert FORMAT.write is not None
                export = FORMAT.write(account.events, people)
                if not export.text:
                    assert "has no word for" in export.losses[0]
                    continue
                if index % 10 == 0:
                    validator.validate(json.loads(export.text))
                round_trip = read_hand(FORMAT, export.text, people=people)
                assert not unbalanced(round_trip) or unbalanced(account) or account.opened.number in AS_TOLD
                if not export.losses:
                    assert _facts(round_trip) == _facts(account)
                    lossless += 1
    assert lossless > 500


def _facts(account: Account) -> list[object]:
    return [event for event in account.events if not isinstance(event, INFERRED)]
