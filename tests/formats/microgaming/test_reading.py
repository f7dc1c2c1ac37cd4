"""What Microgaming's files say in their own way: posts, all-ins, payments, names in base64."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.account import Account
from ledger.formats.microgaming import FORMAT, choose_readable_name, unpack_text
from ledger.hand import betting as b
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.presence import ConnectionLost
from tests.formats.support import new_people, read, read_hand, unbalanced

SAMPLES = Path(__file__).parent / "samples"


def hands(name: str) -> list[Account]:
    items = read(FORMAT, (SAMPLES / f"{name}.xml").read_bytes())
    return [item for item in items if isinstance(item, Account)]


def events_of(account: Account, kind: type) -> list:
    return [event for event in account.events if isinstance(event, kind)]


def test_a_post_to_play_is_live_and_counts_toward_a_raise() -> None:
    first, _ = hands("cash")
    assert o.BlindPosted(1, "entry", 1000) in first.events
    assert b.Raised(1, 2400, 3400) in first.events


def test_a_dead_small_blind_that_is_left_out_shows_in_the_end_stack_and_the_pot() -> None:
    _, second = hands("cash")
    post = o.BlindPosted(1, "makeup-small", 0, 5)
    assert second.events.index(post) in second.inferred


def test_a_bet_that_nobody_called_is_parted_from_what_was_won() -> None:
    _, second = hands("cash")
    assert events_of(second, b.BetReturned) == [b.BetReturned(4, 20)]
    assert events_of(second, e.PotAwarded) == [e.PotAwarded(4, 29, 0)]


def test_an_all_in_before_the_big_blind_is_the_small_one() -> None:
    (hand,) = hands("tournament")
    assert events_of(hand, o.BlindPosted) == [
        o.BlindPosted(6, "small", 15, 0, all_in=True),
        o.BlindPosted(9, "big", 30),
    ]
    assert (hand.opened.tournament, hand.opened.table) == ("16000001", "10")


def test_who_is_said_to_sit_out_and_acts_is_dealt_in() -> None:
    (hand,) = hands("tournament")
    assert {event.seat for event in events_of(hand, o.SeatDealtIn)} == {1, 3, 6, 9}


def test_a_jackpot_s_contribution_goes_from_a_stack_to_the_house() -> None:
    first, _ = hands("cash")
    assert o.DeadMoneyTaken(5, 3) in first.events
    assert e.DropTaken("jackpot", 3) in first.events


def test_names_of_which_letters_are_lost_are_unpacked() -> None:
    assert unpack_text("rCA=") == "€"
    assert choose_readable_name("Ada", "QgBvAA==") == "Ada"
    assert choose_readable_name("A?a", "QgBvAA==") == "Bo"
    assert choose_readable_name("A?a", "no base64!") == "A?a"
    assert hands("cash")[0].opened.table == "Own - €1K"


@pytest.mark.parametrize("odd", ["=", "====", "QQ", "é", "Q" * 1000, "ANg="])
def test_what_is_no_text_in_base64_is_nothing(odd: str) -> None:
    assert unpack_text(odd) == ""


def test_what_is_damaged_says_what_it_is() -> None:
    items = read(FORMAT, (SAMPLES / "damaged.xml").read_bytes(), people=new_people())
    codes = [getattr(item, "code", "hand") for item in items]
    assert codes == ["header", "unknown-game", "amount", "cut-off", "seat", "hand"]


def test_a_lost_connection_is_of_a_seat_that_plays() -> None:
    act = b'<Gameplay>\n<Action seq="0" type="Disconnect" seat="%s" value="30000" />'
    text = (SAMPLES / "cash.xml").read_bytes()
    first = read(FORMAT, text.replace(b"<Gameplay>", act % b"3", 1))[0]
    assert isinstance(first, Account)
    assert [event.seat for event in events_of(first, ConnectionLost)] == [3]
    assert events_of(first, e.LineUnread) == []
    first = read(FORMAT, text.replace(b"<Gameplay>", act % b"9", 1))[0]
    assert isinstance(first, Account)
    assert events_of(first, ConnectionLost) == []
    assert len(events_of(first, e.LineUnread)) == 1
    changed_text = text.replace(b'alias="Cleo"', b'alias="Ada"', 1)
    first = read(FORMAT, changed_text.replace(b"<Gameplay>", act % b"3", 1))[0]
    assert isinstance(first, Account)
    assert events_of(first, ConnectionLost) == [ConnectionLost(3)]


WITHOUT_A_VERSION = """<Game id="900000009" date="2011-11-02 23:08:51" tablename="Own" stakes="0.05|0.10" betlimit="NL" \
tabletype="Cash Game" gametypeid="1" gametype="Hold&apos;em" realmoney="true" currencysymbol="rCA=" playerseat="0" \
betamount="0" istournament="0" rake="0">
<Seats>
<Seat num="1" alias="Ada" balance="10.00" endbalance="0.00" dealer="true"/>
<Seat num="2" alias="Bo" balance="10.00" endbalance="20.00"/>
</Seats>
<Gameplay>
<Action seq="1" type="SmallBlind" seat="1" value="0.05"/>
<Action seq="2" type="BigBlind" seat="2" value="0.10"/>
<Action seq="3" type="Raise" seat="1" value="0.30"/>
<Action seq="4" type="Call" seat="2" value="0.30"/>
<Action seq="5" type="DealFlop"><Card value="A" suit="s"/><Card value="9" suit="s"/><Card value="2" suit="c"/></Action>
<Action seq="6" type="Bet" seat="2" value="0.60"/>
<Action seq="7" type="Raise" seat="1" value="1.80"/>
<Action seq="8" type="Raise" seat="2" value="4.00"/>
<Action seq="9" type="AllIn" seat="1" value="7.90"/>
<Action seq="10" type="AllIn" seat="2" value="5.70"/>
<Action type="Win"><Seat num="2" amount="20.00" pot="0" type="" lowhandwin="0"/></Action>
</Gameplay>
</Game>
"""


def test_acts_of_a_file_without_a_version_tell_the_street_s_total_and_all_ins_what_is_added() -> None:
    hand = read_hand(FORMAT, WITHOUT_A_VERSION)
    raises = events_of(hand, b.Raised)
    assert [(act.added, act.to) for act in raises] == [(25, 30), (180, 180), (340, 400), (790, 970)]
    assert events_of(hand, b.Called)[-1] == b.Called(2, 570, 970, all_in=True)
    assert not unbalanced(hand)
