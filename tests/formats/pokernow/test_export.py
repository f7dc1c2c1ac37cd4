"""The JSON export of a hand tells what the log tells of it, as far as it goes."""

from __future__ import annotations

import json

from ledger import presence as p
from ledger.account import Account, Reject
from ledger.formats.pokernow import FORMAT
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from tests.formats.pokernow.samples_of import events_of, hand, sample
from tests.formats.support import new_people, read, unread


def test_the_export_of_a_hand_tells_what_the_log_of_it_tells() -> None:
    """But for who sat down, what the log's owner calls his hand, and what each of them witnesses."""
    log_, export = hand("evening.csv", "1"), hand("export.json", "1")
    left_out = (o.HandOpened, p.SeatTaken, d.RabbitShown)
    events = [event for event in log_.events if not isinstance(event, left_out)]
    assert sorted(map(repr, events)) == sorted(
        map(repr, (event for event in export.events if not isinstance(event, left_out)))
    )
    assert (log_.opened.table, log_.opened.number, log_.opened.started) == (
        export.opened.table,
        export.opened.number,
        export.opened.started,
    )
    acts = [event for event in events if isinstance(event, b.Called | b.Raised | b.Folded | b.Bet)]
    assert acts == [e_ for e_ in export.events if isinstance(e_, b.Called | b.Raised | b.Folded | b.Bet)]


def test_the_export_tells_runs_straddles_antes_and_a_bomb_pot() -> None:
    two, three = hand("export.json", "2"), hand("export.json", "3")
    assert events_of(two, o.StraddlePosted) == [o.StraddlePosted(1, 40)]
    assert [event.amount for event in events_of(two, o.AntePosted)] == [5, 5, 5]
    assert [(event.seat, event.run) for event in events_of(two, e.PotAwarded)] == [(1, 1), (4, 2), (1, 1), (1, 2)]
    assert events_of(two, b.RunsAgreed) == [b.RunsAgreed(2)]
    assert events_of(two, d.HoleCardsLearned) == [d.HoleCardsLearned(4, "9c9d")]
    assert {event.kind for event in events_of(three, o.AntePosted)} == {"bomb-pot"}
    assert [event.board for event in events_of(three, d.BoardDealt)] == [1, 2]
    assert [(event.board, event.half) for event in events_of(three, e.PotAwarded)] == [(1, "high"), (2, "low")]
    assert events_of(three, e.BountyWon) == [e.BountyWon(1, 25, None, "seven-deuce")]
    assert events_of(three, o.ButtonPlaced) == [o.ButtonPlaced(None)]


def test_numbers_that_nobody_knows_are_kept() -> None:
    people = new_people()
    accounts = [i for i in read(FORMAT, sample("export.json"), people=people) if isinstance(i, Account)]
    assert [len(unread(account, people)) for account in accounts] == [0, 0, 2]


def test_an_export_that_breaks_off_gives_its_whole_hands() -> None:
    document = json.loads(sample("export.json"))
    text = json.dumps({"gameId": document["gameId"], "playerId": "x", "hands": document["hands"]})
    cut = text[: text.index('"number": "2"')]
    items = read(FORMAT, cut)
    assert [type(item) for item in items] == [Account, Reject]
    assert items[1].code == "cut-off"
