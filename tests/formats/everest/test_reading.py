"""What Everest's files say in their own way: one word for all bets, blinds by amount, cents."""

from __future__ import annotations

from pathlib import Path

from ledger.account import Account
from ledger.formats.everest import FORMAT
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.agreement import is_contradictory
from ledger.hand.fold import fold
from tests.formats.support import read

SAMPLES = Path(__file__).parent / "samples"


def hands(name: str) -> list[Account]:
    items = read(FORMAT, (SAMPLES / f"{name}.xml").read_bytes())
    return [item for item in items if isinstance(item, Account)]


def events_of(account: Account, *kinds: type) -> list:
    return [event for event in account.events if isinstance(event, kinds)]


def test_a_bet_is_a_check_a_bet_a_call_or_a_raise_as_the_bet_before_shows() -> None:
    (hand,) = hands("limit")
    assert events_of(hand, b.Called, b.Raised, b.Bet) == [
        b.Called(1, 2, 2),
        b.Raised(3, 2, 4),
        b.Called(1, 2, 4),
        b.Bet(3, 2, 2),
    ]
    first, _ = hands("cash")
    assert b.Checked(6) in first.events


def test_blinds_are_told_apart_by_their_amounts() -> None:
    first, second = hands("cash")
    assert events_of(first, o.BlindPosted) == [
        o.BlindPosted(2, "small", 50),
        o.BlindPosted(3, "big", 100),
        o.BlindPosted(6, "makeup-small", 0, 50),
        o.BlindPosted(6, "entry", 100),
    ]
    (limit,) = hands("limit")
    assert events_of(limit, o.BlindPosted) == [o.BlindPosted(3, "big", 2)]
    assert o.BlindPosted(5, "small", 50) in second.events  # of a chair that nobody lists


def test_the_last_pot_tells_rake_and_tax() -> None:
    first, _ = hands("cash")
    assert events_of(first, e.DropTaken) == [e.DropTaken("rake", 100), e.DropTaken("tax", 20)]
    assert e.ResultDeclared("total-pot", amount=2970) in first.events


def test_hole_cards_come_one_by_one() -> None:
    first, _ = hands("cash")
    assert [event.cards for event in events_of(first, d.HoleCardsDealt)] == ["8h", "Tc", "Qc", "Ah"]


def test_a_limit_game_s_stakes_are_its_bets() -> None:
    (hand,) = hands("limit")
    (game,) = events_of(hand, o.GameSet)
    assert (game.blinds, game.bets) == ((1, 2), (2, 4))


def test_what_is_damaged_says_what_it_is() -> None:
    items = read(FORMAT, (SAMPLES / "damaged.xml").read_bytes())
    codes = [getattr(item, "code", "hand") for item in items]
    assert codes == ["no-header", "unknown-game", "header", "cut-off", "seat", "hand"]


def test_antes_and_a_board_that_comes_at_once_are_read() -> None:
    (hand,) = (item for item in read(FORMAT, ALL_IN.encode()) if isinstance(item, Account))
    assert events_of(hand, o.AntePosted) == [o.AntePosted(1, 3000), o.AntePosted(4, 3000)]
    assert [(street.street, street.cards) for street in events_of(hand, d.BoardDealt)] == [
        ("flop", "8s9cJh"),
        ("turn", "6c"),
        ("river", "3s"),
    ]
    assert events_of(hand, o.BlindPosted)[0] == o.BlindPosted(1, "small", 15000)
    (game,) = events_of(hand, o.GameSet)
    assert (game.exponent, game.blinds) == (2, (15000, 30000))
    assert not events_of(hand, e.LineUnread)
    assert not is_contradictory(fold(hand.events))


def test_a_board_of_four_cards_at_once_is_no_street() -> None:
    (hand,) = (item for item in read(FORMAT, ALL_IN.replace(", 3s<", "<").encode()) if isinstance(item, Account))
    assert not events_of(hand, d.BoardDealt)
    assert len(events_of(hand, e.LineUnread)) == 1


ALL_IN = """<SESSION time="1335014137" tableName="7500-0" id="7500" type="tournament" money="" screenName="Ada" game="hold-em" gametype="no-limit"/>
<HAND time="1335014999" id="7500000009" index="38" blinds="150/300" stakes="150/300">
  <SEAT position="0" name="Boris" balance="189000"/>
  <SEAT position="3" name="Ada" balance="14500"/>
  <ANTE position="0" amount="3000"/>
  <ANTE position="3" amount="3000"/>
  <SWEEP rake="0" tax="0">6000</SWEEP>
  <DEALER position="0"/>
  <BLIND position="0" amount="15000" penalty="0"/>
  <BLIND position="3" amount="11500" penalty="0"/>
  <HOLE position="0">--</HOLE>
  <HOLE position="3">9h</HOLE>
  <HOLE position="0">--</HOLE>
  <HOLE position="3">8c</HOLE>
  <PUSH position="0" amount="3500"/>
  <SWEEP rake="0" tax="0">29000</SWEEP>
  <SHOW position="0">5d, 6s</SHOW>
  <SHOW position="3">9h, 8c</SHOW>
  <COMMUNITY>8s, 9c, Jh, 6c, 3s</COMMUNITY>
  <WIN position="3" amount="29000" pot="0" potAmount="29000"/>
</HAND>
"""


TOURNAMENT = """<SESSION time="1" tableName="T 1" id="77" type="tournament" money="" game="hold-em" gametype="no-limit"/>
<HAND time="1342300001" id="900001" index="0" blinds="{}" stakes="">
  <SEAT position="0" name="Ada" balance="35000"/>
  <SEAT position="1" name="Bo" balance="1000000"/>
  <DEALER position="0"/>
  <ANTE position="0" amount="35000"/>
  <ANTE position="1" amount="35000"/>
  <BLIND position="1" amount="350000" penalty="0"/>
  <HOLE position="0">As</HOLE>
  <PUSH position="1" amount="350000"/>
  <SWEEP rake="0">70000</SWEEP>
  <WIN position="1" amount="70000" pot="0" potAmount="70000"/>
</HAND>
<PRIZE name="Ada" place="8" prize="90 €"/>
"""


def test_antes_of_a_tournament_are_hundredths_and_a_prize_is_a_remark() -> None:
    (hand,) = read(FORMAT, TOURNAMENT.format("1 750/3 500").encode())
    assert isinstance(hand, Account)
    assert events_of(hand, o.AntePosted) == [o.AntePosted(1, 35000), o.AntePosted(2, 35000)]
    assert events_of(hand, o.GameSet)[0].blinds == (175000, 350000)
    assert len(events_of(hand, e.RemarkNoted)) == 1
    assert events_of(hand, e.LineUnread) == []


def test_three_amounts_are_no_blinds() -> None:
    (hand,) = read(FORMAT, TOURNAMENT.format("1 750/3 500/350").encode())
    assert isinstance(hand, Account)
    assert events_of(hand, o.GameSet)[0].blinds == ()
