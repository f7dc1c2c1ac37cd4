"""What is asked of the real hands of this room beyond `tests/formats/test_known.py`: balances follow from the acts, low hands are those of the cards."""

from __future__ import annotations

import pytest

from ledger.hand.ending import CardsShown
from ledger.hand.evaluate import shares
from ledger.hand.fold import fold
from ledger.people import People
from tests.formats.support import Read, balances, events_of

pytestmark = pytest.mark.data


MADE_ANONYMOUS = {
    # By hand: every player's stack is 0, and cards stand in two places.
    "100": [
        "seat 2 declared end 7067, has 2767",
        "seat 3 declared end 0, has -2102",
        "seat 1 declared end 13115, has -50",
        "seat 5 declared end 1075, has -750",
    ],
    # By hand: stacks are round, the balances behind the acts are the true ones; the turn shows other
    # cards of the flop than the flop does.
    "144": ["seat 1 declared end 527028, has 525500"],
}


def test_balances_behind_every_act_are_what_the_acts_lead_to(files: list[Read]) -> None:
    assert balances(a for file in files for a in file.accounts if a.opened.number not in MADE_ANONYMOUS) > 50


def test_low_hands_that_the_record_names_are_those_of_the_cards(files: list[Read], people: People) -> None:
    """The ranks of the numbered cards are proven by this and by who won."""
    lows, won = [], 0
    for file in files:
        for account in file.accounts:
            if account.opened.number in MADE_ANONYMOUS:
                continue
            state = fold(account.events)
            board = "".join(state.boards[0])
            for event in events_of(account, CardsShown):
                words = people.texts[event.claim].split(")")[-1].split() if event.claim else []
                if len(words) == 5:
                    ranks = {event.cards[index] for index in range(0, 8, 2)}
                    lows.append(set(words) <= ranks | {board[index] for index in range(0, 10, 2)})
            pot_shares = shares(state)
            if not pot_shares.reason:
                won += 1
                due = {seat for part in pot_shares.parts for seat in part.winners}
                assert due == set(state.chips.awarded), account.opened.number
    assert lows == [True, True, True]
    assert won > 2
