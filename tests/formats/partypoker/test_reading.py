"""partypoker's text becomes the right events, and whatever the bytes look like nothing is lost."""

from __future__ import annotations

import pytest

from ledger.account import Account, Reject
from ledger.formats.partypoker import FORMAT
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.fold import fold
from ledger.presence import WordsSaid
from ledger.table.pools import ANONYMOUS
from ledger.vocabulary import Witness
from tests.formats.support import events_of, new_people, read, read_hand, texts, unread

sample = texts("partypoker")


def test_an_award_that_counts_a_bet_nobody_called_is_parted_from_it() -> None:
    account = read_hand(FORMAT, sample("cash"))
    (back,) = [k for k, event in enumerate(account.events) if isinstance(event, b.BetReturned)]
    assert account.events[back] == b.BetReturned(5, 6100)
    assert back in account.inferred
    assert [event.amount for event in events_of(account, e.PotAwarded)] == [12700]  # the side pot was the bet


def test_the_rake_of_a_cash_game_is_inferred_and_a_tournament_has_none() -> None:
    account = read_hand(FORMAT, sample("cash"))
    (drop,) = events_of(account, e.DropTaken)
    assert drop.amount == 300
    assert account.events.index(drop) in account.inferred
    assert not account.opened.witnesses & Witness.DROP
    assert not events_of(read_hand(FORMAT, sample("silent-blinds")), e.DropTaken)


def test_what_is_missing_of_a_pot_is_no_rake_where_it_is_too_much() -> None:
    text = sample("cash").replace("wins $127 USD", "wins $27 USD")
    account = read_hand(FORMAT, text)
    assert not events_of(account, e.DropTaken)
    assert fold(account.events).conservation() == 10300


def test_blinds_that_a_tournament_leaves_out_are_inferred_from_who_acts_first() -> None:
    account = read_hand(FORMAT, sample("silent-blinds"))
    posts = events_of(account, o.BlindPosted)
    assert [(post.seat, post.role, post.live) for post in posts] == [(6, "small", 150), (7, "big", 300)]
    assert all(account.events.index(post) in account.inferred for post in posts)
    assert not account.opened.witnesses & Witness.POSTS


def test_the_level_that_changed_between_header_and_deal_is_the_one_in_force() -> None:
    account = read_hand(FORMAT, sample("silent-blinds"))
    (costs,) = events_of(account, o.TournamentSet)
    (game,) = events_of(account, o.GameSet)
    assert (costs.level, game.blinds, game.ante) == ("4", (150, 300), 25)


def test_a_player_whom_the_seat_list_leaves_out_gets_the_chair_that_fits() -> None:
    account = read_hand(FORMAT, sample("strangers"))
    seats = {event.seat: event.stack for event in events_of(account, o.SeatDealtIn)}
    assert seats == {1: 4120, 3: 2935, 4: 2500, 6: 2380, 2: None}
    assert [event.seat for event in events_of(account, b.Folded)] == [1, 2, 4, 3]


def test_who_acts_where_the_list_has_a_mask_is_the_player_whose_turn_it_is() -> None:
    people = new_people()
    account = read_hand(FORMAT, sample("masked-list"), people=people)
    names = {2: "Pim", 3: "Quill", 4: "Orla", 5: "Rhea", 6: "Sten", 1: "Thea Two"}
    seated = events_of(account, o.SeatDealtIn)
    assert {dealt_in.seat: dealt_in.player for dealt_in in seated} == {
        seat: people.player("partypoker", name) for seat, name in names.items()
    }
    masked = [k for k, event in enumerate(account.events) if event in seated and event.seat != 4]
    assert set(masked) <= set(account.inferred)
    assert b.Raised(1, 6, 8) in account.events


def test_who_is_called_by_the_seat_to_the_end_is_the_chair_and_no_person() -> None:
    people = new_people()
    account = read_hand(FORMAT, sample("mailed-jackpot"), people=people)
    assert {event.seat: people.name(event.player) for event in events_of(account, o.SeatDealtIn)} == {
        1: "Seat 1 of 422627001-1",
        2: "Hero",
        3: "Seat 3 of 422627001-1",
    }
    assert events_of(account, o.OptionSet) == [o.OptionSet(*ANONYMOUS)]
    assert not events_of(
        read_hand(FORMAT, sample("masked-list")), o.OptionSet
    )  # all but two are called by their names in time
    assert account.inferred
    assert not any(isinstance(account.events[k], o.SeatDealtIn) for k in account.inferred)
    assert [event.seat for event in events_of(account, d.HoleCardsDealt)] == [2]


def test_a_hand_that_is_set_in_is_read_like_one_that_is_not() -> None:
    lines = sample("cash").splitlines()
    head = next(k for k, line in enumerate(lines) if line.startswith("*****"))
    inset = "\n".join(line if k < head else f"    {line}" for k, line in enumerate(lines))
    assert read_hand(FORMAT, inset).events == read_hand(FORMAT, sample("cash")).events


def test_who_checks_a_blind_that_no_line_posts_has_posted_it() -> None:
    posts = events_of(read_hand(FORMAT, sample("strangers")), o.BlindPosted)
    assert [(post.seat, post.role, post.live) for post in posts] == [(1, "small", 10), (2, "big", 25), (4, "entry", 25)]


def test_a_second_small_blind_counts_unless_its_call_shows_that_it_does_not() -> None:
    live, dead = (
        [post for post in events_of(read_hand(FORMAT, text), o.BlindPosted) if post.seat == 2]
        for text in (sample("cash"), sample("cash").replace("posts calls [$1 USD]", "posts calls [$2 USD]"))
    )
    assert [(post.live, post.dead) for post in live] == [(100, 0)]
    assert [(post.live, post.dead) for post in dead] == [(0, 100)]


def test_calls_tell_what_the_number_behind_raises_is() -> None:
    text = sample("calls-tell-raises")
    assert [event.to for event in events_of(read_hand(FORMAT, text), b.Raised)] == [300, 900]
    added = text.replace("Ada raises [$3", "Ada raises [$2.50").replace("Bo raises [$9", "Bo raises [$8")
    assert [event.to for event in events_of(read_hand(FORMAT, added), b.Raised)] == [300, 900]


def test_an_act_in_the_chat_is_chat() -> None:
    people = new_people()
    account = read_hand(FORMAT, sample("cash"), people=people)
    (message,) = events_of(account, WordsSaid)
    assert (message.seat, people.words(message.words)) == (4, "nice hand, Di Di folds")
    assert 5 not in {event.seat for event in events_of(account, b.Folded)}


def test_the_summary_of_the_mailed_form_is_declared_and_its_cards_are_learned() -> None:
    account = read_hand(FORMAT, sample("mailed"))
    ends = {event.seat: event.amount for event in events_of(account, e.ResultDeclared) if event.what == "end-stack"}
    assert ends == {1: 4805150, 2: 2062800, 3: 2466700, 4: 10917250}
    assert events_of(account, d.HoleCardsLearned) == [d.HoleCardsLearned(2, "KhQc"), d.HoleCardsLearned(4, "9s9c")]
    assert [event.all_in for event in events_of(account, b.Raised)] == [True, None]
    assert account.opened.witnesses & Witness.STACKS_AFTER


def test_who_sits_out_in_the_summary_was_not_dealt_in() -> None:
    text = sample("mailed").replace("Ada folds\n", "").replace("Ada posts ante (15000)\n", "")
    text = text.replace("balance 4805150, lost 15000 (folded)", "balance 4820150, sits out")
    (out,) = events_of(read_hand(FORMAT, text), o.SeatLeftOut)
    assert (out.seat, out.reason, out.stack) == (1, "sitting-out", 4820150)


def test_a_hand_that_was_sold_to_the_house_says_so() -> None:
    text = sample("mailed").replace("net +1076400[", "net +1076400, cashed out 2013700[")
    assert events_of(read_hand(FORMAT, text), b.CashOutTaken) == [b.CashOutTaken(2, 2013700)]


@pytest.mark.parametrize(
    ("timestamp", "moment"),
    [
        ("Thursday, January 15, 15:04:05 EST 2026", 1768507445000),
        ("Thu Jan 15 15:04:05 ET 2026", 1768507445000),
        ("Thursday, January 15, 21:04:05 CET 2026", 1768507445000),
        ("Thursday, January 15, 21:04:05 2026", None),
        ("Thursday, January 15, 21:04:05 IST 2026", None),
        ("Thursday, Brumaire 15, 21:04:05 CET 2026", None),
        ("Thursday, February 30, 21:04:05 CET 2026", None),
        ("Monday, January 15, 15:04:05 MSK 2012", 1326625445000),
        ("Monday, January 15, 15:04:05 MSK 2016", 1452859445000),
    ],
)
def test_moments_need_a_zone_that_means_one_thing(timestamp: str, moment: int | None) -> None:
    text = sample("cash").replace("Thursday, January 15, 15:04:05 EST 2026", timestamp)
    opened = read_hand(FORMAT, text).opened
    assert (opened.started, opened.written) == (moment, timestamp)


@pytest.mark.parametrize(
    ("amount", "chips"),
    [
        ("$1,270.50 USD", 127050),
        ("$12,5 USD", 1250),
        ("0,35 €", 35),
        ("$1 270 USD", 127000),
        ("$1\xa0270,5", 127050),
        ("$9.08  USD", 908),
        ("$1000", 100000),
    ],
)
def test_amounts_of_all_shapes(amount: str, chips: int) -> None:
    text = sample("cash").replace("( $200.50 USD )", f"( {amount} )")
    assert [event.stack for event in events_of(read_hand(FORMAT, text), o.SeatDealtIn) if event.seat == 1] == [chips]


@pytest.mark.parametrize(
    ("game", "variant", "bets"),
    [("$0.50/$1 Omaha Hi-Lo", "omaha8", (50, 100)), ("$1/$2 USD 7 Card Stud Hi-Lo", "stud8", (100, 200))],
)
def test_fixed_limit_of_old_is_in_no_word(game: str, variant: str, bets: tuple[int, ...]) -> None:
    text = sample("of-old-limit").replace("$2/$4 Hold'em", game)
    event = read_hand(FORMAT, text.partition("** Dealing Flop")[0]).events[1]
    assert isinstance(event, o.GameSet)
    assert (event.variant, event.betting, event.bets) == (variant, "limit", bets)


@pytest.mark.parametrize("amount", ["1e999999", "9" * 5000, "٣", "-5", "", "$", "NaN", "1_000"])
def test_what_is_no_amount_rejects_that_hand_alone(amount: str) -> None:
    bad = sample("cash").replace("raises [$8 USD]", f"raises [{amount}]")
    first, reject, last = read(FORMAT, sample("stud") + "\n\n" + bad + "\n\n" + sample("mailed"))
    assert isinstance(first, Account)
    assert isinstance(last, Account)
    assert isinstance(reject, Reject)
    assert reject.code == "amount"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("***** Hand History for Game 900000000101 *****", "***** Hand History for Game ! *****", "header"),
        ("NL Texas Hold'em", "NL Chess", "unknown-game"),
        (" - Thursday, January", " - January", "header"),
        ("Seat ", "Chair ", "cut-off"),
        ("Seat 1:", "Seat 2:", "seat"),
        ("Seat 1:", "Seat 99:", "seat"),
    ],
)
def test_a_head_that_cannot_be_read_is_a_reject_that_says_why(old: str, new: str, code: str) -> None:
    (reject,) = read(FORMAT, sample("cash").replace(old, new))
    assert isinstance(reject, Reject)
    assert reject.code == code


def test_a_line_nobody_knows_is_kept() -> None:
    people = new_people()
    text = sample("stud").replace("Cy folds\n", "Cy folds\nThe lights went out\n")
    assert unread(read_hand(FORMAT, text, people=people), people) == ["The lights went out"]


def test_a_hand_that_ends_early_is_kept_without_its_end() -> None:
    account = read_hand(FORMAT, sample("cash").partition("** Dealing Turn")[0])
    assert not events_of(account, e.HandCompleted)
    assert not events_of(account, e.DropTaken)
    assert fold(account.events).street == "flop"


@pytest.mark.parametrize("name", ["a: b", "x [y]", "(z)", "folds", "has left the table", "Ad, Kh", "** Dealing"])
def test_any_name_is_a_name(name: str) -> None:
    text = sample("silent-blinds")
    renamed = "\n".join(
        line if line.startswith("**") or "Table" in line else line.replace("Bo", name) for line in text.split("\n")
    )
    people, other_people = new_people(), new_people()
    assert [type(event) for event in read_hand(FORMAT, renamed, people=people).events] == [
        type(event) for event in read_hand(FORMAT, text, people=other_people).events
    ]


@pytest.mark.parametrize(
    "line",
    ["Ada wins " * 8000, "Ada: " * 9000, "[" * 65536, "Ada shows [" * 6000, "** Dealing " * 6000, "Seat 1: " * 8000],
)
def test_a_very_long_line_is_one_line(line: str) -> None:
    text = sample("stud")
    account = read_hand(FORMAT, text.replace("Cy folds\n", f"Cy folds\n{line}\n"))
    assert len(account.events) == len(read_hand(FORMAT, text).events) + 1


def test_two_winners_on_one_line_are_two_awards_and_words_that_look_so_are_none() -> None:
    text = sample("cash")
    line = next(text_line for text_line in text.splitlines() if " wins $127 USD" in text_line)
    name = line.partition(" wins ")[0]
    glued = text.replace(
        line,
        f"{name} wins $100 USD from the main pot with a pair of Sixes.{name} wins $27 USD from the main pot with a pair of Sixes.",
    )
    account = read_hand(FORMAT, glued)
    assert sum(event.amount for event in events_of(account, e.PotAwarded)) == sum(
        event.amount for event in events_of(read_hand(FORMAT, text), e.PotAwarded)
    )
    assert len(events_of(account, e.PotAwarded)) == 2
    chatty_account = read_hand(
        FORMAT, text.replace(line, f"{name}: so.{name} wins $27 USD and {name} wins $2 USD\n{line}")
    )
    assert len(events_of(chatty_account, e.PotAwarded)) == 1


def test_a_hand_that_was_read_and_of_which_no_line_says_that_it_was_shown() -> None:
    text = sample("cash")
    assert read_hand(FORMAT, text).opened.witnesses & Witness.SHOWDOWN
    lines = text.splitlines(keepends=True)
    text_without_showdown = "".join(line for line in lines if " shows [" not in line)
    assert text_without_showdown != text
    assert not read_hand(FORMAT, text_without_showdown).opened.witnesses & Witness.SHOWDOWN


def test_a_summary_that_lists_the_hands_does_not_say_who_showed() -> None:
    account = read_hand(FORMAT, HAND_WITH_LIST)
    assert [event.seat for event in events_of(account, d.HoleCardsLearned)] == [2, 3]
    assert not account.opened.witnesses & Witness.SHOWDOWN


HAND_WITH_LIST = """***** Hand History For Game 18200001ab *****
20/40 Tourney Texas Holdem Game Table (NL) (SNG JackPot Tournament #18200002) (Buyin $0.23 + $0.02) - Thu Jan 15 18:57:46 EST 2026
Table (18200002) Table #1 (Real Money) -- Seat 2 is the button
Total number of players : 2/3
Seat 2: Pim (300)
Seat 3: Orla (1200)
Pim posts small blind (20)
Orla posts big blind (40)
** Dealing down cards **
Dealt to Orla [ Ah, Ks ]
Pim raises 280 to 300
Pim is all-In.
Orla calls (260)
** Dealing Flop ** : [ 4d, 8c, 9s ]
** Dealing Turn ** : [ 6d ]
** Dealing River ** : [ Kd ]
Creating Main Pot with 600 with Orla
** Summary **
Main Pot: 600
Board: [ 4d, 8c, 9s, 6d, Kd ]
Pim balance 0, lost 300[ 8h, 3d ] [ a pair of eights -- 8h,8c,Kd,9s,6d ]
Orla balance 1500, bet 300, collected 600, net +300[ Ah, Ks ] [ a pair of kings -- Kd,Ks,Ah,8c,6d ]
"""


LIMIT = """***** Hand History for Game 88000001 *****
FL Texas Hold'em  Trny:7700001 Level:4  Stakes(200/400) - Tuesday, July 17, 21:38:11 EDT 2012
Table $5 Made Up (7700002) Table #3 (Real Money)
Seat 4 is the button
Total number of players : 5/6
Seat 1: Ada ( 2,000 )
Seat 2: Bo ( 2,000 )
Seat 3: Cy ( 2,000 )
Seat 4: Di ( 2,000 )
Seat 6: Eve ( 2,000 )
Trny:7700001 Level:4
Stakes(200/400)
** Dealing down cards **
Dealt to Cy [  5h Ac ]
Bo folds
Cy folds
Di raises [400]
Eve calls [300]
Ada calls [200]
** Dealing Flop ** [ 7h, Qs, 3c ]
Eve checks
Ada checks
Di bets [200]
Eve folds
Ada folds
Di does not show cards.
Di wins 1,400 chips
"""


LIMIT_BLINDS = [(6, "small", 100, 0), (1, "big", 200, 0)]


def blinds(text: str) -> list[tuple[int, str, int, int]]:
    return [(post.seat, post.role, post.live, post.dead) for post in events_of(read_hand(FORMAT, text), o.BlindPosted)]


def test_blinds_of_a_limit_tournament_are_the_lower_bet_and_half_of_it() -> None:
    assert blinds(LIMIT) == LIMIT_BLINDS
    assert fold(read_hand(FORMAT, LIMIT).events).conservation() == 0


def test_folds_that_are_told_out_of_turn_do_not_move_the_blinds() -> None:
    swapped = LIMIT.replace("Bo folds\nCy folds", "Cy folds\nBo folds")
    assert blinds(swapped) == LIMIT_BLINDS
    two = LIMIT.replace("Bo folds\nCy folds\nDi raises [400]", "Di raises [400]").replace(
        "Ada calls [200]", "Ada calls [200]\nBo folds\nCy folds"
    )
    assert blinds(two) == LIMIT_BLINDS


def test_a_stack_that_the_acts_disprove_shortens_no_blind() -> None:
    text = LIMIT.replace("( 2,000 )", "( 1 )")
    assert blinds(text) == LIMIT_BLINDS


CASH = """***** Hand History for Game 88000002 *****
$10 USD NL Texas Hold'em - Monday, September 3, 00:26:18 ET 2012
Table Made Up (Real Money)
Seat 1 is the button
Total number of players : 4
Seat 1: Ada ( $10 USD )
Seat 2: Bo ( $10 USD )
Seat 3: Cy ( $10 USD )
Seat 4: Di ( $10 USD )
Bo posts small blind [$0.05 USD].
Cy posts big blind [$0.10 USD].
** Dealing down cards **
Di calls [$0.10 USD].
Ada checks.
Bo folds.
Cy checks.
** Dealing Flop ** [ Td, Qc, 6d ]
Cy bets [$0.20 USD].
Di folds.
Ada folds.
Cy does not show cards.
Cy wins $0.58 USD
"""


def test_more_paid_out_than_went_in_shows_the_dead_small_blind_of_a_silent_post() -> None:
    assert blinds(CASH) == [(2, "small", 5, 0), (3, "big", 10, 0), (1, "makeup-small", 0, 5), (1, "entry", 10, 0)]
    account = read_hand(FORMAT, CASH)
    assert [drop.amount for drop in events_of(account, e.DropTaken)] == [2]
    assert fold(account.events).conservation() == 0
    balanced_text = CASH.replace("$0.58", "$0.54")
    assert (1, "makeup-small", 0, 5) not in blinds(balanced_text)


def test_a_post_right_behind_somebody_who_sits_out_is_a_line_of_its_own() -> None:
    text = (
        CASH.replace("Seat 4: Di", "Seat 4: Di")
        .replace("Cy posts big", "Di is sitting outCy posts big")
        .replace("Di calls [$0.10 USD].\n", "")
    )
    text = text.replace("Di folds.\n", "").replace("Cy wins $0.58 USD", "Cy wins $0.45 USD")
    people = new_people()
    account = read_hand(FORMAT, text, people=people)
    assert unread(account, people) == []
    assert [(event.seat, event.reason) for event in events_of(account, o.SeatLeftOut)] == [(4, "sitting-out")]
    assert (3, "big", 10, 0) in blinds(text)


@pytest.mark.parametrize("tail", ["\0", "\r\n\0", "\0\r\n\0\n"])
def test_the_end_of_a_string_behind_the_last_line_is_nothing(tail: str) -> None:
    assert read_hand(FORMAT, CASH.rstrip() + tail).events == read_hand(FORMAT, CASH).events


def test_a_hole_behind_the_last_line_is_damage() -> None:
    (torn,) = read(FORMAT, CASH + "\0\0\0")
    assert isinstance(torn, Reject)
    assert torn.code == "damaged"


def test_a_knock_out_is_a_bounty_and_a_row_that_is_written_twice_is_one_player() -> None:
    account = read_hand(FORMAT, sample("knock-out"))
    assert not events_of(account, e.LineUnread)
    assert [event.seat for event in events_of(account, o.SeatDealtIn)] == [5, 2, 7]
    assert events_of(account, e.BountyWon) == [e.BountyWon(2, 80, 7)]
    (item,) = read(FORMAT, sample("knock-out").replace("Seat 7: Cy ( 3,450 )", "Seat 7: Cy ( 3,451 )", 1))
    assert isinstance(item, Reject)  # two rows that differ are two players


def test_a_knock_out_without_an_amount_is_not_understood() -> None:
    account = read_hand(FORMAT, sample("knock-out").replace("$0.80 USD bounty", "large bounty"))
    assert not events_of(account, e.BountyWon)
    assert len(events_of(account, e.LineUnread)) == 1


def test_a_pool_whose_players_change_tables_stands_between_stakes_and_game() -> None:
    account = read_hand(FORMAT, sample("cash"))
    text = sample("cash")
    line = next(line for line in text.splitlines() if " NL " in line)
    pool = read_hand(FORMAT, text.replace(line, line.replace(" NL ", " fastforward NL ", 1)))
    assert events_of(pool, o.OptionSet) == [*events_of(account, o.OptionSet), o.OptionSet("other", "fastforward")]
    assert events_of(pool, o.GameSet) == events_of(account, o.GameSet)
    assert [event for event in pool.events[1:] if not isinstance(event, o.OptionSet)] == [
        event for event in account.events[1:] if not isinstance(event, o.OptionSet)
    ]


def test_who_joins_the_table_is_nobody_whom_the_list_masks() -> None:
    people = new_people()
    text = sample("masked-list").split("\n\n\n")[0].replace("** Dealing", "Pim has joined the table.\n** Dealing", 1)
    text = text.replace("6/6 \n", "6/7 \n").replace("Pim did not respond in time\nPim folds\n", "Pim folds\n")
    seats = {
        event.player: (event.seat, event.stack)
        for event in events_of(read_hand(FORMAT, text, people=people), o.SeatDealtIn)
    }
    assert seats[people.player("partypoker", "Pim")] == (7, None)


def test_hands_that_are_shown_behind_the_payment_tell_no_order_of_the_showdown() -> None:
    text = sample("from-a-tracker")
    late_text = text.rstrip() + "\nHero shows [Kd, Kh ]\nBea shows [2d, 2h ]\n"
    assert not read_hand(FORMAT, late_text).opened.witnesses & Witness.SHOWDOWN
    assert read_hand(FORMAT, text).opened.witnesses & Witness.SHOWDOWN
