"""What Merge's files say in their own way: raises, stacks, posts and uncalled bets of each version."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.account import Account
from ledger.formats.merge import FORMAT
from ledger.formats.merge.header import parse_cards, parse_start_time
from ledger.hand import betting as b
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.vocabulary import Witness
from tests.formats.support import new_people, read, read_hand, unread

SAMPLES = Path(__file__).parent / "samples"


def hands(name: str) -> list[Account]:
    items = read(FORMAT, (SAMPLES / f"{name}.xml").read_bytes())
    return [item for item in items if isinstance(item, Account)]


def events_of(account: Account, kind: type) -> list:
    return [event for event in account.events if isinstance(event, kind)]


GAME = """<description type="Holdem" stakes="No Limit ($1/$2)"/>
<game id="5-1" starttime="{when}" numholecards="2" gametype="2" realmoney="true" data="x|Own|5|5-1|false">
<players dealer="0"><player seat="0" nickname="Ada" balance="$50.00" dealtin="true" />
<player seat="1" nickname="Boris" balance="$50.00" dealtin="true" /></players>
<round id="BLINDS"><event type="SMALL_BLIND" player="0" amount="1.00"/><event type="BIG_BLIND" player="1" amount="2.00"/></round>
<round id="PREFLOP">{acts}</round>
<round id="END_OF_GAME">{end}</round></game>"""


def game(acts: str = "", end: str = "", played_at: str = "20120101000000") -> str:
    return GAME.format(acts=acts, end=end, when=played_at)


@pytest.mark.parametrize(("played_at", "total"), [("20100907235959", 600), ("20100908000000", 500)])
def test_a_raise_is_chips_added_in_files_before_the_8th_of_september_2010(played_at: str, total: int) -> None:
    account = read_hand(FORMAT, game('<event type="RAISE" player="0" amount="5.00"/>', played_at=played_at))
    assert events_of(account, b.Raised) == [b.Raised(1, total - 100, total)]


def test_what_a_file_without_a_version_tells_of_stacks_is_behind_the_posts() -> None:
    first, second = hands("tournament")
    stacks = {event.seat: event.stack for event in events_of(first, o.SeatDealtIn)}
    assert stacks == {1: 3315, 2: 2810, 4: 135, 6: 2640}
    stack_by_seat = {event.seat: event.stack for event in events_of(second, o.SeatDealtIn)}
    assert stack_by_seat == {1: 4380, 2: 690, 9: 4910}
    assert not any(isinstance(second.events[index], o.SeatDealtIn) for index in second.inferred)


def test_an_all_in_of_nothing_is_what_is_missing_in_the_pots() -> None:
    (first, _) = hands("tournament")
    post = next(event for event in events_of(first, o.BlindPosted) if event.seat == 4)
    assert post == o.BlindPosted(4, "small", 110, 0, all_in=True)
    assert first.events.index(post) in first.inferred


def test_a_bet_that_is_paid_out_with_the_pot_is_parted_from_it() -> None:
    won = '<winner amount="7.00" uncalled="false" potnumber="1" player="0" pottype="n"/>'
    acts = '<event type="RAISE" player="0" amount="5.00"/><event type="FOLD" player="1"/>'
    account = read_hand(FORMAT, game(acts, won))
    assert events_of(account, b.BetReturned) == [b.BetReturned(1, 300)]
    assert events_of(account, e.PotAwarded) == [e.PotAwarded(1, 400, 0)]
    assert events_of(account, e.DropTaken) == []


def test_a_bet_that_is_told_as_uncalled_is_read() -> None:
    won = (
        '<winner amount="4.00" uncalled="false" potnumber="1" player="0" pottype="n"/>'
        '<winner amount="3.00" uncalled="true" potnumber="2" player="0" pottype="n"/>'
    )
    acts = '<event type="RAISE" player="0" amount="5.00"/><event type="FOLD" player="1"/>'
    account = read_hand(FORMAT, game(acts, won))
    assert events_of(account, b.BetReturned) == [b.BetReturned(1, 300)]
    assert not account.inferred


def test_a_hand_without_winners_is_not_over_and_nothing_is_given_back() -> None:
    account = read_hand(FORMAT, game('<event type="RAISE" player="0" amount="5.00"/>'))
    assert events_of(account, e.HandCompleted) == []
    assert events_of(account, b.BetReturned) == []


def test_the_zone_of_a_wall_time_shows_in_the_first_events_moment() -> None:
    assert parse_start_time("20110616094517", 1308235509586) == 1308235517000  # five hours west
    assert parse_start_time("20140106083915", 1389022755369) == 1389022755000  # a converter's: seven
    assert parse_start_time("2012/09/27 17:12:48 -0400", None) == 1348780368000
    assert parse_start_time("20110616094517", None) is None
    assert parse_start_time("yesterday", 1308235509586) is None


def test_times_are_witnessed_where_every_event_has_its_own() -> None:
    witnesses = [account.opened.witnesses & Witness.TIMES for account in hands("cash")]
    assert all(witnesses)
    (early_account,) = hands("early")
    assert not early_account.opened.witnesses & Witness.TIMES


def test_a_comment_in_quotes_that_breaks_a_tag_is_kept_as_it_stands() -> None:
    people = new_people()
    text = (SAMPLES / "strange.xml").read_bytes()
    account = next(item for item in read(FORMAT, text, people=people) if isinstance(item, Account))
    assert any('text="an odd " mark"/>' in line for line in unread(account, people))


def test_cards_that_nobody_saw_are_null_or_nothing() -> None:
    assert parse_cards("null,null,7s") == parse_cards(",,7s") == "????7s"
    assert parse_cards("7s,Zz") is None


def test_what_is_damaged_says_what_it_is() -> None:
    items = read(FORMAT, (SAMPLES / "damaged.xml").read_bytes())
    codes = [getattr(item, "code", "hand") for item in items]
    assert codes == ["no-header", "unknown-game", "cut-off", "seat", "amount", "hand", "dtd"]


def test_an_all_in_said_again_is_a_remark_and_of_who_has_chips_left_it_is_unread() -> None:
    text = (SAMPLES / "cash.xml").read_bytes()
    turn = b'<round id="POSTTURN" sequence="4">'
    unread_before = len(events_of(hands("cash")[0], e.LineUnread))

    def repeat_all_in(player: bytes) -> tuple[int, int]:
        line = b'<event sequence="16" type="ALL_IN" timestamp="1346759916000" player="%s"/>' % player
        item = read(FORMAT, text.replace(turn, turn + line, 1))[0]
        assert isinstance(item, Account)
        return len(events_of(item, e.RemarkNoted)), len(events_of(item, e.LineUnread)) - unread_before

    assert repeat_all_in(b"1") == (1, 0)
    assert repeat_all_in(b"4") == (0, 1)
