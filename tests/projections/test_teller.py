"""Who comes, goes, is away or loses the connection is told in sentences, not by the fields of an event."""

from __future__ import annotations

import pytest

from ledger import presence as p
from ledger.event import Event
from ledger.hand import betting as b
from ledger.hand import opening as o
from ledger.people import People
from projections.reports.event_text import EventDescriber

PEOPLE = People(bytes(32))
CY = PEOPLE.player("Room", "Cy")


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (p.SeatTaken(4, CY, "walk-in", 20000), "4 Cy sits down with $200 (walk in)"),
        (p.SeatTaken(4, CY), "4 Cy sits down"),
        (p.SeatLeft(4, CY, "left", 0), "4 Cy leaves the table with $0"),
        (p.SeatLeft(None, CY, "busted"), "Cy leaves the table (busted)"),
        (p.SeatMoved(CY, 3, 4), "Cy moves from seat 3 to seat 4"),
        (p.PlayerAway(4, CY, None, "sits-out"), "4 Cy is away (sits out)"),
        (p.PlayerAway(4, CY, False, "away"), "4 Cy is away, not in the room"),
        (p.PlayerBack(4, CY), "4 Cy is back"),
        (p.PlayerBusted(4, CY), "4 Cy has no chips left"),
        (p.ConnectionLost(4), "seat 4 loses the connection"),
        (p.ConnectionRestored(None, CY), "Cy is connected again"),
        (p.ChipsAdded(4, 5000, "rebuy", "player", CY), "4 Cy adds $50 (rebuy)"),
        (p.StackCounted(4, 5000), "seat 4 is counted to have $50"),
        (b.TimeBankUsed(4, 30), "seat 4 uses the time bank, 30 seconds"),
        (b.ClockExpired(4), "time ran out for seat 4"),
        (b.CashOutTaken(4, 5000, 50), "seat 4 cashes out for $50, fee $0.50"),
        (b.RunsAgreed(2), "the rest of the board is run 2 times"),
        (o.BlindSkipped("small", None, "dead-small-blind"), "nobody posts the small blind (dead small blind)"),
        (o.BlindSkipped("big", 4), "seat 4 does not post the big blind"),
    ],
)
def test_it_is_told_in_a_sentence(event: Event, sentence: str) -> None:
    teller = EventDescriber(PEOPLE)
    teller.remember(o.GameSet("holdem", "no-limit", "cash", "USD", 2, (100, 200)))
    assert teller.describe(event) == sentence
