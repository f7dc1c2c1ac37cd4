"""What Everest's files say in their own way: one word for all bets, blinds by amount, cents."""

from __future__ import annotations

from pathlib import Path

from ledger.account import Account
from ledger.formats.everest import FORMAT
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.agreement import contradicts
from ledger.hand.fold import fold
from tests.formats.support import read

SAMPLES = Path(__file__).parent / "samples"


def hands(name: str) -> list[Account]:
    found = read(FORMAT, (SAMPLES / f"{name}.xml").read_bytes())
    return [item for item in found if isinstance(item, Account)]


def of(account: Account, *kinds: type) -> list:
    return [event for event in account.events if isinstance(event, kinds)]


def test_a_bet_is_a_check_a_bet_a_call_or_a_raise_as_the_bet_before_shows() -> None:
    (hand,) = hands("limit")
    assert of(hand, b.Called, b.Raised, b.Bet) == [
        b.Called(1, 2, 2),
        b.Raised(3, 2, 4),
        b.Called(1, 2, 4),
        b.Bet(3, 2, 2),
    ]
    first, _ = hands("cash")
    assert b.Checked(6) in first.events


def test_blinds_are_told_apart_by_their_amounts() -> None:
    first, second = hands("cash")
    assert of(first, o.BlindPosted) == [
        o.BlindPosted(2, "small", 50),
        o.BlindPosted(3, "big", 100),
        o.BlindPosted(6, "makeup-small", 0, 50),
        o.BlindPosted(6, "entry", 100),
    ]
    (limit,) = hands("limit")
    assert of(limit, o.BlindPosted) == [o.BlindPosted(3, "big", 2)]
    assert o.BlindPosted(5, "small", 50) in second.events  # of a chair that nobody lists


def test_the_last_pot_tells_rake_and_tax() -> None:
    first, _ = hands("cash")
    assert of(first, e.DropTaken) == [e.DropTaken("rake", 100), e.DropTaken("tax", 20)]
    assert e.ResultDeclared("total-pot", amount=2970) in first.events


def test_hole_cards_come_one_by_one() -> None:
    first, _ = hands("cash")
    assert [event.cards for event in of(first, d.HoleCardsDealt)] == ["8h", "Tc", "Qc", "Ah"]


def test_a_limit_game_s_stakes_are_its_bets() -> None:
    (hand,) = hands("limit")
    (game,) = of(hand, o.GameSet)
    assert (game.blinds, game.bets) == ((1, 2), (2, 4))


def test_what_is_damaged_says_what_it_is() -> None:
    found = read(FORMAT, (SAMPLES / "damaged.xml").read_bytes())
    codes = [getattr(item, "code", "hand") for item in found]
    assert codes == ["no-header", "unknown-game", "header", "cut-off", "seat", "hand"]


def test_antes_and_a_board_that_comes_at_once_are_read() -> None:
    (hand,) = (item for item in read(FORMAT, ALL_IN.encode()) if isinstance(item, Account))
    assert of(hand, o.AntePosted) == [o.AntePosted(1, 3000), o.AntePosted(4, 3000)]
    assert [(street.street, street.cards) for street in of(hand, d.BoardDealt)] == [
        ("flop", "8s9cJh"),
        ("turn", "6c"),
        ("river", "3s"),
    ]
    assert of(hand, o.BlindPosted)[0] == o.BlindPosted(1, "small", 15000)
    (game,) = of(hand, o.GameSet)
    assert (game.exponent, game.blinds) == (2, (15000, 30000))
    assert not of(hand, e.LineUnread)
    assert not contradicts(fold(hand.events))


def test_a_board_of_four_cards_at_once_is_no_street() -> None:
    (hand,) = (item for item in read(FORMAT, ALL_IN.replace(", 3s<", "<").encode()) if isinstance(item, Account))
    assert not of(hand, d.BoardDealt)
    assert len(of(hand, e.LineUnread)) == 1


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
