"""CoinPoker's text becomes the right events: what it writes that PokerStars does not."""

from __future__ import annotations

import pytest

from ledger.account import Account, Reject
from ledger.formats import recognise
from ledger.formats.cointext import FORMAT
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.fold import fold
from ledger.people import People
from ledger.table.pools import ANONYMOUS
from tests.formats.support import events_of, new_people, read, texts, unbalanced, unread

sample = texts("coinpoker-text")


def hands(name: str = "cash") -> list[Account]:
    return [item for item in read(FORMAT, sample(name)) if isinstance(item, Account)]


def names(account: Account, people: People) -> dict[int, str | None]:
    return {event.seat: people.name(event.player) for event in events_of(account, o.SeatDealtIn)}


def test_who_sits_under_an_alias_is_called_after_the_chair_and_the_records_owner_is_the_hero() -> None:
    people = new_people()
    first, second, third, named_hand = (item for item in read(FORMAT, sample("aliases"), people=people))
    assert isinstance(named_hand, Account)
    for account in (first, second, third):
        assert isinstance(account, Account)
        assert names(account, people) == {
            3: "Hero",
            1: "Seat 1 of 100021",
            2: "Seat 2 of 100021",
            6: "Seat 6 of 100021",
        }
        (option,) = events_of(account, o.OptionSet)
        assert (option.option, option.value) == ANONYMOUS
        assert account.events.index(option) in account.inferred
        assert not events_of(account, e.LineUnread)
        assert unbalanced(account) == []
    assert names(named_hand, people) == {1: "Bram", 2: "deadbeef", 3: "Hero"}
    assert events_of(named_hand, o.OptionSet) == []
    assert {name for _, name in people.names.values()} & {"a1b2c3d4", "b0b0b0b0"} == set()


def test_a_row_that_is_damaged_behind_an_alias_makes_no_names_of_the_others() -> None:
    people = new_people()
    account = read(FORMAT, sample("aliases").replace("99887766 (₮55.50", "99887766 ₮55.50"), people=people)[0]
    assert isinstance(account, Account)
    assert names(account, people) == {3: "Hero", 1: "Seat 1 of 100021", 2: "Seat 2 of 100021"}


def test_the_hero_keeps_a_name_of_another_form() -> None:
    people = new_people()
    account = read(FORMAT, sample("aliases").replace("Hero", "Bram"), people=people)[0]
    assert isinstance(account, Account)
    assert names(account, people)[3] == "Bram"
    assert names(account, people)[1] == "Seat 1 of 100021"


@pytest.mark.parametrize(
    ("name", "index", "changes"),
    [
        ("older", 3, {"Ottilie": "deadbeef", "Quill": "0badcafe"}),
        ("aliases", 0, {"a1b2c3d4": "A1B2C3D4"}),
        ("aliases", 0, {"a1b2c3d4": "a1b2c3d"}),
        ("aliases", 0, {"a1b2c3d4": "0f1e2d3c"}),
        ("aliases", 0, {"99887766 (₮55.50": "Bram ₮55.50"}),
        ("aliases", 0, {"Dealt to Hero [9c 8c]": "Dealt to 99887766 [9c 8c]"}),
    ],
)
def test_names_stay_where_one_has_another_form_or_the_text_is_of_the_time_of_names(
    name: str, index: int, changes: dict[str, str]
) -> None:
    text = sample(name)
    for old_text, new_text in changes.items():
        text = text.replace(old_text, new_text)
    people = new_people()
    account = read(FORMAT, text, people=people)[index]
    assert isinstance(account, Account)
    assert events_of(account, o.OptionSet) == []
    assert not any("Seat" in (player_name or "") for player_name in names(account, people).values())


def test_a_line_before_the_seats_is_not_taken_for_what_was_inferred() -> None:
    text = (
        sample("cash").replace("SPLASH dropped ₮2\n", "").replace("Seat 2: Hero", "SPLASH dropped ₮2\nSeat 2: Hero", 1)
    )
    account = read(FORMAT, text)[0]
    assert isinstance(account, Account)
    inferred = [account.events[index] for index in account.inferred]
    assert o.OptionSet(*ANONYMOUS) in inferred
    assert not any(isinstance(event, o.PotSeeded) for event in inferred)


def test_every_chip_is_accounted_for() -> None:
    assert [unbalanced(account) for account in hands()] == [[]] * 5


def test_the_game_is_named_in_the_room_s_way() -> None:
    games = [events_of(account, o.GameSet)[0] for account in hands()]
    assert [(game.variant, game.betting, game.format, game.unit, game.exponent, game.ante) for game in games] == [
        ("holdem", "no-limit", "cash", "USDT", 2, 0),
        ("holdem", "no-limit", "cash", "USDT", 2, 10),
        ("holdem", "no-limit", "cash", "USDT", 2, 200),
        ("holdem", "no-limit", "tournament", "chips", 0, 100),
        ("holdem", "no-limit", "cash", "USDT", 2, 0),
    ]
    omaha = events_of(hands("splash-to-several")[0], o.GameSet)[0]
    assert (omaha.variant, omaha.betting) == ("omaha", "pot-limit")


def test_stakes_without_a_sign_are_cash_where_a_blank_keeps_its_place_and_a_tournament_has_a_number() -> None:
    cash, knocked, cancelled, sided = hands("older")
    games = [(events_of(account, o.GameSet)[0], account.opened) for account in (cash, knocked, cancelled)]
    assert [(game.format, game.unit, game.blinds, game.ante) for game, _ in games] == [
        ("cash", "USDT", (25, 50), 0),
        ("tournament", "chips", (150, 300), 40),
        ("tournament", "chips", (150, 300), 40),
    ]
    assert [(opened.tournament, opened.table) for _, opened in games] == [
        ("", "NL ₮50 VII"),
        ("700123", "9"),
        ("700123", "9"),
    ]
    assert not any(events_of(account, e.LineUnread) for account in (cash, knocked, cancelled))
    assert [unbalanced(account) for account in (cash, knocked, sided)] == [[]] * 3
    assert [(award.pot, award.amount) for award in events_of(sided, e.PotAwarded)] == [(1, 1200), (None, 4500)]


def test_an_all_in_raise_without_a_total_is_what_was_left() -> None:
    cash, knocked, *_ = hands("older")
    assert events_of(cash, b.Raised)[-1] == b.Raised(3, 1250, 1275, True)
    assert events_of(knocked, b.Raised)[-1] == b.Raised(6, 2000, 2300, True)


def test_who_did_not_post_the_big_blind_is_not_in_the_hand_and_a_dead_small_one_is_dead() -> None:
    cash = hands("older")[0]
    assert events_of(cash, o.BlindSkipped) == [o.BlindSkipped("big", 4)]
    assert [event.seat for event in events_of(cash, o.SeatLeftOut)] == [4, 6, 7]
    assert events_of(cash, o.BlindPosted)[2] == o.BlindPosted(2, "makeup-small", 0, 25, False)


def test_a_cancelled_hand_is_void_and_nobody_won_what_he_got_back() -> None:
    cancelled = hands("older")[2]
    assert events_of(cancelled, e.HandVoided) == [e.HandVoided("cancelled")]
    assert events_of(cancelled, e.ResultDeclared) == events_of(cancelled, e.PotAwarded) == []


def test_moments_are_told_in_the_zone_of_whoever_exported() -> None:
    assert [account.opened.started for account in hands()] == [
        1783159275000,
        1784364362000,
        1784364602000,
        1786363290000,
        1780854995000,
    ]
    winter = sample("cash").replace("2026/07/18 10:46:02 CEST", "2026/01/18 10:46:02 CET")
    account = read(FORMAT, winter)[1]
    assert isinstance(account, Account)
    assert account.opened.started is None


def test_an_automatic_post_enters() -> None:
    for account, seat, amount in ((hands()[0], 3, 100), (hands()[4], 1, 20)):
        assert events_of(account, o.BlindPosted)[-1] == o.BlindPosted(seat, "entry", amount, 0, False)


def test_all_in_is_a_bet_a_call_or_a_raise_of_so_many_chips_more() -> None:
    second = hands()[1]
    assert [(act.seat, act.added, act.to, act.all_in) for act in events_of(second, b.Raised)] == [
        (2, 550, 600, False),
        (1, 1390, 1390, True),
        (2, 4890, 5390, True),
    ]
    events = events_of(hands("splash-to-several")[0], b.Called)
    assert events == []
    short_all_in = sample("splash-to-several").replace("Hero: ALLIN ₮2\n", "Hero: ALLIN ₮1\n")
    account = read(FORMAT, short_all_in)[0]
    assert isinstance(account, Account)
    assert events_of(account, b.Called) == [b.Called(2, 100, 101, True)]
    flop = sample("cash").replace("Hero: bets ₮3\n", "Hero: ALLIN ₮34.70\n").replace("RETURN ₮3\n", "RETURN ₮34.70\n")
    pushed = read(FORMAT, flop)[2]
    assert isinstance(pushed, Account)
    assert events_of(pushed, b.Bet) == [b.Bet(5, 3470, 3470, True)]


def test_a_blind_may_put_somebody_all_in() -> None:
    assert events_of(hands()[3], o.BlindPosted)[1] == o.BlindPosted(2, "big", 627, 0, True)


def test_a_straddle_behind_a_name() -> None:
    assert events_of(hands()[1], o.StraddlePosted) == [o.StraddlePosted(1, 200, all_in=False)]


def test_what_nobody_called_goes_back() -> None:
    assert [events_of(account, b.BetReturned) for account in hands()] == [
        [b.BetReturned(4, 1190)],
        [b.BetReturned(2, 4000)],
        [b.BetReturned(5, 300)],
        [b.BetReturned(3, 173)],
        [],
    ]


def test_a_splash_goes_to_the_one_who_was_paid_and_that_is_inferred() -> None:
    people = new_people()
    account = read(FORMAT, sample("cash"), people=people)[0]
    assert isinstance(account, Account)
    assert events_of(account, o.PotSeeded) == [o.PotSeeded("splash", 200)]
    award, splash = events_of(account, e.PotAwarded)
    assert (award.amount, splash.amount, splash.seat) == (282, 200, 4)
    assert account.events.index(splash) in account.inferred
    remarks = [people.texts[remark.text] for remark in events_of(account, e.RemarkNoted)]
    assert "Seat 4: 3c4d5e6f won (₮2.82)" in remarks


def test_where_several_were_paid_nobody_is_told_to_have_got_the_splash() -> None:
    (account,) = hands("splash-to-several")
    assert fold(account.events).conservation() == 200
    assert [award.amount for award in events_of(account, e.PotAwarded)] == [191, 191]


def test_the_house_takes_a_fee_for_its_splashes() -> None:
    assert events_of(hands()[0], e.DropTaken) == [e.DropTaken("rake", 15), e.DropTaken("other", 3)]


def test_a_bomb_pot_has_two_boards_and_no_second_run() -> None:
    account = hands()[2]
    assert [(deal.street, deal.board, deal.run) for deal in events_of(account, d.BoardDealt)] == [
        ("flop", 1, 1),
        ("flop", 2, 1),
    ]
    assert {ante.kind for ante in events_of(account, o.AntePosted)} == {"bomb-pot"}
    assert events_of(account, b.RunsAgreed) == []


def test_runs_are_told_and_a_hand_run_once_is_no_agreement() -> None:
    assert [events_of(account, b.RunsAgreed) for account in hands()] == [[], [b.RunsAgreed(2)], [], [], []]
    assert [won.run for won in events_of(hands()[1], e.PotAwarded)] == [1, 2]


def test_a_hand_shown_behind_an_award_was_shown_at_the_showdown() -> None:
    assert {event.after for account in hands() for event in events_of(account, e.CardsShown)} == {False}


def test_who_cashed_out_is_told_once() -> None:
    assert events_of(hands()[4], b.CashOutTaken) == [b.CashOutTaken(5, 600, 20)]


@pytest.mark.parametrize(
    ("intact_text", "damaged_text", "code"),
    [
        ("NLH (₮0.50/₮1)", "Go Fish (₮0.50/₮1)", "unknown-game"),
        ("NLH (₮0.50/₮1)", "NLH (₮1)", "header"),
        ("(₮0.50/₮1) 2026/07/04 18:01:15 +08", "(₮0.50/₮1)", "header"),
        ("(₮41.25 in chips)", "(much in chips)", "amount"),
    ],
)
def test_what_is_damaged_is_a_reject_and_the_next_hand_is_read(intact_text: str, damaged_text: str, code: str) -> None:
    torn, *following_items = read(FORMAT, sample("cash").replace(intact_text, damaged_text, 1))
    assert isinstance(torn, Reject)
    assert torn.code == code
    assert len(following_items) == 4
    assert {type(item) for item in following_items} == {Account}


def test_a_line_nobody_knows_is_kept() -> None:
    people = new_people()
    account = read(FORMAT, sample("cash").replace("Hero: folds\n", "Hero: SINGS ₮2\nHero: folds\n", 1), people=people)[
        0
    ]
    assert isinstance(account, Account)
    assert unread(account, people) == ["Hero: SINGS ₮2"]


def test_it_is_nobody_else_s() -> None:
    format_ = recognise(sample("cash").encode())
    assert format_ is not None
    assert format_.name == "coinpoker-text"
