"""The Winning Poker Network's two notations become the right events, whatever the bytes look like."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ledger.account import Account, Reject
from ledger.formats.wpn import FORMAT
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.fold import fold
from ledger.presence import ConnectionLost, PlayerAway, WaitDeclared
from ledger.vocabulary import Witness
from tests.formats.support import events_of, new_people, read, read_hand, texts, unread
from tests.pace import out_of_proportion

SAMPLES = Path(__file__).parent / "samples"
NAMES = sorted(path.stem for path in SAMPLES.glob("*.txt"))
STARTED = [name for name in NAMES if name.startswith("started")]
NUMBERED = [name for name in NAMES if name.startswith("numbered")]


sample = texts("wpn")


def accounts(name: str) -> list[Account]:
    return [item for item in read(FORMAT, sample(name)) if isinstance(item, Account)]


@pytest.mark.parametrize("name", STARTED)
def test_what_the_room_says_each_one_won_or_lost_is_what_the_replay_says(name: str) -> None:
    for account in accounts(name):
        state = fold(account.events)
        for result in events_of(account, e.ResultDeclared):
            start = state.start.get(result.seat)
            if result.what == "net" and start is not None:
                assert state.stack(result.seat) - start == result.amount


def test_a_wide_file_whose_last_line_end_is_broken_is_read() -> None:
    raw = ("\ufeff" + sample("started-stud")).encode("utf-16-le").removesuffix(b"\0")
    (account,) = read(FORMAT, raw, encoding="utf-16-le")
    assert isinstance(account, Account)
    assert account.events == accounts("started-stud")[0].events


def test_posts_are_live_or_dead_as_their_words_say() -> None:
    posts = events_of(accounts("started-posts")[0], o.BlindPosted)
    assert [(post.seat, post.role, post.live, post.dead) for post in posts] == [
        (3, "small", 300, 0),
        (4, "big", 600, 0),
        (6, "makeup-small", 0, 300),
        (6, "entry", 600, 0),
        (1, "makeup-small", 300, 0),  # half a blind, live: its next call adds the other half
    ]


def test_a_raise_is_what_the_player_adds_in_the_first_generation() -> None:
    raises = events_of(accounts("started-posts")[0], b.Raised)
    assert [(act.seat, act.added, act.to, act.all_in) for act in raises] == [
        (3, 2100, 2400, None),
        (3, 14000, 14000, None),
        (1, 14600, 21600, True),
    ]


def test_a_raise_names_the_total_in_the_second_generation() -> None:
    raises = events_of(accounts("numbered-run-twice")[0], b.Raised)
    assert [(act.seat, act.added, act.to, act.all_in) for act in raises] == [(2, 9050, 9150, True)]


def test_all_in_before_the_first_card_is_a_post_that_the_stack_did_not_cover() -> None:
    first, second = accounts("started-short-posts")
    assert o.AntePosted(8, 5, False, "ante", True) in first.events
    assert [blind.seat for blind in events_of(first, o.BlindPosted)] == [6, 7]
    assert events_of(second, o.BlindPosted) == [
        o.BlindPosted(6, "small", 25, 0, True),
        o.BlindPosted(7, "big", 55, 0, True),
    ]
    assert [b.Called(4, 150, 150)] == events_of(second, b.Called)
    assert events_of(first, b.Bet) == [b.Bet(6, 387, 387)]


POSTS = """Game started at: 2017/8/19 14:2:58
Game ID: 775900003 75/150 $10 Freeroll, Table 27 (Hold'em)
Seat 4 is the button
Seat 4: Pim (600).
Seat 6: Quill (400).
Seat 7: Rhea (30).
{}
Player Quill received a card.
Player Quill received a card.
Player Rhea received a card.
Player Rhea received a card.
Player Pim received a card.
Player Pim received a card.
Player Pim folds
"""


@pytest.mark.parametrize(
    ("lines", "posted"),
    [
        ("Player Rhea allin (30)\nPlayer Quill ante (40)", o.AntePosted(7, 30, False, "ante", True)),
        ("Player Quill ante (40)\nPlayer Rhea allin (30)", o.AntePosted(7, 30, False, "ante", True)),
        ("Player Rhea allin (30)\nPlayer Pim has big blind (150)", o.BlindPosted(7, "small", 30, 0, True)),
        ("Player Quill has small blind (75)\nPlayer Rhea allin (30)", o.BlindPosted(7, "big", 30, 0, True)),
        ("Player Rhea allin (30)", o.BlindPosted(7, "big", 30, 0, True)),
    ],
)
def test_what_a_short_post_is_the_posts_around_it_tell(lines: str, posted: Any) -> None:
    account = read_hand(FORMAT, POSTS.format(lines))
    assert posted in account.events
    assert not events_of(account, b.Bet)


def test_the_number_that_a_tracker_notes_behind_the_first_line_is_the_tournament_s() -> None:
    noted = " *** Summary: GameType: NL, TournamentId: 5550777, TournamentBuyIn: 13.20"
    text = POSTS.format("Player Quill has small blind (75)").replace("2:58", "2:58" + noted, 1)
    opened = read_hand(FORMAT, text).events[0]
    assert (opened.tournament, opened.written) == ("5550777", "2017/8/19 14:2:58")


def test_each_short_tournament_of_a_file_has_the_name_that_stands_before_it() -> None:
    first, second = accounts("numbered-short-tournaments")
    assert events_of(first, o.TournamentSet)[0].written == "SNG 2.0 $4.40"
    assert events_of(second, o.TournamentSet)[0].written == "Jackpot Poker $2"
    assert first.events[0].tournament == "880011"
    assert second.events[0].tournament == "880012"


def test_who_gets_no_cards_is_left_out_with_the_reason() -> None:
    account = accounts("started-posts")[0]
    assert [(out.seat, out.reason) for out in events_of(account, o.SeatLeftOut)] == [
        (5, "waiting-for-big-blind"),
        (7, "unknown"),
    ]
    assert events_of(account, WaitDeclared) == [WaitDeclared(5)]
    assert events_of(account, b.ClockExpired) == [b.ClockExpired(5)]
    second = accounts("numbered-side-pots")[0]
    assert [(out.seat, out.stack, out.reason) for out in events_of(second, o.SeatLeftOut)] == [
        (5, 0, "sitting-out"),
        (7, None, "waiting-for-button"),
        (8, 260415, "waiting-for-big-blind"),
    ]


def test_cards_that_come_one_by_one_are_one_hand() -> None:
    (dealt,) = events_of(accounts("started-posts")[0], d.HoleCardsDealt)
    assert (dealt.seat, dealt.cards) == (4, "TcKh7d7s")
    stud = events_of(accounts("started-stud")[0], d.HoleCardsDealt)
    assert [(card.cards, card.up, card.how) for card in stud[:3]] == [
        ("????8c", "ddu", "dealt-up"),
        ("7hTs2d", "ddu", "owner"),
        ("????4s", "ddu", "dealt-up"),
    ]
    assert [street.street for street in events_of(accounts("started-stud")[0], d.StreetDealt)] == [
        "fourth",
        "fifth",
        "sixth",
        "seventh",
    ]


def test_where_the_blinds_are_half_the_stakes_the_limit_is_fixed() -> None:
    (game,) = events_of(accounts("started-limit-disconnected")[0], o.GameSet)
    assert (game.variant, game.betting, game.bets, game.blinds) == ("omaha8", "limit", (2000, 4000), ())
    (game,) = events_of(accounts("started-posts")[0], o.GameSet)
    assert (game.variant, game.betting, game.blinds) == ("omaha", "pot-limit", (300, 600))


def test_who_loses_the_connection_plays_on_for_the_pot_so_far() -> None:
    account = accounts("started-limit-disconnected")[0]
    assert [lost.seat for lost in events_of(account, ConnectionLost)] == [2]
    assert b.Called(2, 0, 0, True) in account.events


def test_a_jackpot_s_fee_that_no_line_tells_is_inferred() -> None:
    account = accounts("started-hidden-jackpot")[0]
    index = account.events.index(e.DropTaken("jackpot", 40))
    assert index in account.inferred
    assert e.DropTaken("rake", 20) in account.events
    assert o.OptionSet("other", "cap") in account.events


def test_no_fee_is_inferred_at_a_table_without_a_jackpot() -> None:
    text = sample("started-hidden-jackpot").replace(" (JP)", "")
    account = read_hand(FORMAT, text)
    assert not [drop for drop in events_of(account, e.DropTaken) if drop.kind == "jackpot"]
    assert fold(account.events).conservation() == 40


def test_a_stranger_is_the_one_player_whom_no_other_line_names() -> None:
    account = accounts("started-strangers")[0]
    assert [(post.seat, post.live) for post in events_of(account, o.BlindPosted)] == [(3, 200), (5, 400)]
    assert [(act.seat, act.added) for act in events_of(account, b.Called)] == [(5, 600)]
    assert [event.seat for event in events_of(account, PlayerAway)] == [4]


def test_a_stranger_without_an_empty_place_in_the_list_gets_a_chair() -> None:
    account = accounts("started-strangers")[1]
    seated = [seat for seat in events_of(account, o.SeatDealtIn) if seat.stack is None]
    assert [seat.seat for seat in seated] == [1]  # the button, where nobody sits
    assert account.events.index(seated[0]) in account.inferred
    assert account.opened.tournament
    assert (account.opened.table, account.opened.seats) == ("5", 8)


def test_awards_stand_in_the_summary_where_nobody_shows() -> None:
    (award,) = events_of(accounts("numbered-stud")[0], e.PotAwarded)
    assert (award.seat, award.amount) == (7, 73)
    awards = events_of(accounts("numbered-side-pots")[0], e.PotAwarded)
    assert [(award.pot, award.amount) for award in awards] == [(0, 21710), (1, 99260)]


def test_two_runs_have_two_boards_and_two_summaries() -> None:
    account = accounts("numbered-run-twice")[0]
    assert events_of(account, b.RunsAgreed) == [b.RunsAgreed(2)]
    assert [(award.seat, award.run) for award in events_of(account, e.PotAwarded)] == [(2, 1), (1, 2)]
    assert [(run.cards, run.run) for run in events_of(account, d.BoardDealt)][3:] == [
        ("5h2d7c", 2),
        ("9d", 2),
        ("Kh", 2),
    ]
    totals = [event.amount for event in events_of(account, e.ResultDeclared) if event.what == "total-pot"]
    assert totals == [18300]


def test_halves_are_told_where_the_room_tells_them() -> None:
    awards = events_of(accounts("numbered-tournament")[0], e.PotAwarded)
    assert [(award.half, award.amount) for award in awards] == [("high", 3123), ("low", 3122)]


def test_the_draw_for_the_button_is_no_deal() -> None:
    people = new_people()
    account = read_hand(FORMAT, sample("numbered-tournament"), people=people)
    (dealt,) = events_of(account, d.HoleCardsDealt)
    assert dealt.cards == "Kd8d3sQh"
    assert "Dealt to Bo [8s]" in [people.words(remark.text) for remark in events_of(account, e.RemarkNoted)]


def test_a_cap_raises_by_what_is_left_up_to_it() -> None:
    (raised,) = [act for act in events_of(accounts("numbered-hostile-names")[0], b.Raised) if act.to == 90]
    assert (raised.seat, raised.added) == (1, 90)


@pytest.mark.parametrize(
    ("name", "tournament", "title"),
    [
        ("HH20180203 T5550123-G88800456.txt", "5550123", "$10 Freeroll"),
        ("HH20180203 G88800456.txt", "$10 Freeroll", "$10 Freeroll"),
    ],
)
def test_the_name_of_the_file_tells_the_tournament(name: str, tournament: str, title: str) -> None:
    text = sample("started-posts").replace("3/6 Feldspar   (Short)", "50/100 $10 Freeroll, Table 18")
    account = read_hand(FORMAT, text.replace("(3)", "(50)").replace("(6)", "(100)"), name=name)
    assert (account.opened.tournament, account.opened.table) == (tournament, "18")
    assert events_of(account, o.TournamentSet)[0].written == title


def test_the_name_of_the_file_tells_the_tournament_s_name() -> None:
    name = "HH20200912 SITGOID-G5550011T25 TN-$0{FULLSTOP}75 Hold'em GAMETYPE-Omaha CUR-REAL.txt"
    text = sample("numbered-tournament").replace("$3,000 GTD Tournament", "Tournament")
    account = read_hand(FORMAT, text, name=name)
    (costs,) = events_of(account, o.TournamentSet)
    assert (costs.level, costs.written) == ("2", "$0.75 Hold'em")
    assert account.opened.tournament == "880021"


def test_play_money_is_told_by_the_file_s_or_the_table_s_name() -> None:
    play = read_hand(FORMAT, sample("numbered-stud"), name="HH2 CASHID-G1T1 TN-x CUR-PLAY OND-F.txt")
    assert events_of(play, o.GameSet)[0].unit == "play"
    table = sample("started-hidden-jackpot").replace("Ophir (JP)", "PM Hold`em 5/10")
    assert events_of(read_hand(FORMAT, table), o.GameSet)[0].unit == "play"


def test_moments_are_known_in_the_second_generation_alone() -> None:
    assert accounts("started-posts")[0].opened.started is None
    assert accounts("started-posts")[0].opened.written == "2015/6/4 17:8:21"
    assert accounts("numbered-stud")[0].opened.started == 1615275494000


def test_silence_is_evidence_only_for_what_each_generation_tells() -> None:
    first = accounts("started-posts")[0].opened.witnesses
    second = accounts("numbered-stud")[0].opened.witnesses
    assert not first & (Witness.POTS | Witness.RUNS | Witness.SHOWDOWN)
    assert second & Witness.POTS
    assert not second & (Witness.CLOCKS | Witness.RUNS)


def test_the_longest_name_that_fits_is_meant() -> None:
    account = accounts("numbered-hostile-names")[0]
    assert [event.seat for event in events_of(account, b.Folded)] == [3, 4, 2]
    assert [event.seat for event in events_of(account, o.AntePosted)] == [1, 2, 3, 4]
    assert account.opened.table == "Tansy (Cap) 9-max Seat #2 is the button"


@pytest.mark.parametrize("name", [*STARTED[:1], *NUMBERED[:1]])
def test_a_line_nobody_knows_is_kept_and_the_hand_is_incomplete(name: str) -> None:
    people = new_people()
    lines = sample(name).split("\n")
    flop_index = next(k for k, line in enumerate(lines) if line.startswith("*** FLOP"))
    lines[flop_index:flop_index] = ["The lights went out", "Player Ada whistles"]
    account = read(FORMAT, "\n".join(lines), people=people)[0]
    assert isinstance(account, Account)
    assert unread(account, people) == ["The lights went out", "Player Ada whistles"]


@pytest.mark.parametrize(
    ("name", "old", "new", "code"),
    [
        ("started-posts", "(Omaha)", "(Belote)", "unknown-game"),
        ("started-posts", " 3/6 ", " ", "header"),
        ("started-posts", "Game ID: 900000001", "Game", "cut-off"),
        ("started-posts", "Seat 1: Ada (240).", "Seat 1: Ada", "seat"),
        ("started-posts", "raises (21)", "raises (1e9)", "amount"),
        ("numbered-stud", "7Stud(", "Chess(", "unknown-game"),
        ("numbered-stud", " - 2021/03/09 07:38:14 UTC", "", "header"),
        ("numbered-stud", "Wexcombe 8-max", "Wexcombe", "cut-off"),
        ("numbered-stud", "Seat 1: Hero ($1.46)", "Seat 1: ", "seat"),
        ("numbered-stud", "calls $0.20", "calls $٣", "amount"),
    ],
)
def test_what_cannot_be_read_is_rejected_with_its_reason(name: str, old: str, new: str, code: str) -> None:
    item = read(FORMAT, sample(name).replace(old, new))[0]
    assert isinstance(item, Reject)
    assert item.code == code


@pytest.mark.parametrize("name", ["started-posts", "numbered-side-pots"])
@pytest.mark.parametrize(
    ("begins", "goes_on"),
    [
        ("", "Player "),
        ("Player x has big blind (", "9"),
        ("*** FLOP *** ", "[2c]"),
        ("", "Main pot "),
        ("Dealt to Ada ", "["),
        ("", "Seat 1: "),
        ("", "won "),
        ("", "Ada collected $1 from "),
        ("", "Uncalled bet ("),
        ("", " "),
        ("Player 0 folds", "\nPlayer {} folds"),
    ],
)
def test_a_very_long_line_or_many_strangers_take_time_in_proportion(name: str, begins: str, goes_on: str) -> None:
    lines = sample(name).split("\n")
    flop_index = next(k for k, text_line in enumerate(lines) if text_line.startswith("*** FLOP"))

    def read_long(size: int) -> None:
        long_text = begins + "".join(goes_on.format(turn) for turn in range(size // len(goes_on)))
        (item,) = read(FORMAT, "\n".join([*lines[:flop_index], long_text, *lines[flop_index:]]))
        assert isinstance(item, Account | Reject)

    assert out_of_proportion(read_long, 32_000, 64_000) is None


def test_runs_that_were_agreed_on_and_a_bomb_pot() -> None:
    account = read_hand(FORMAT, sample("numbered-bomb-pot-agreed-runs"))
    assert events_of(account, b.RunsAgreed) == [b.RunsAgreed(2)]
    assert [(won.seat, won.amount, won.pot, won.run) for won in events_of(account, e.PotAwarded)] == [
        (3, 18350, 0, 1),
        (1, 18350, 0, 2),
    ]
    assert [ante.kind for ante in events_of(account, o.AntePosted)] == ["bomb-pot"] * 3
    boards = [event for event in events_of(account, e.ResultDeclared) if event.what == "board"]
    assert [(board.number, board.cards) for board in boards] == [(1, "9h4c2dKd3h"), (2, "9h4c2d4sJc")]


def test_cards_that_a_line_names_behind_an_article_are_dealt() -> None:
    account = read_hand(FORMAT, sample("started-hidden-jackpot").replace("received card: [", "received a card: ["))
    assert [deal.cards for deal in events_of(account, d.HoleCardsDealt)] == ["QdJs"]


def test_a_hand_that_the_summary_says_was_mucked_and_nothing_more() -> None:
    text = sample("numbered-side-pots").replace("Seat 1: Ada folded on the Turn", "Seat 1: Ada mucked [Kd 4c 9s 6s]")
    people = new_people()
    account = read_hand(FORMAT, text, people=people)
    assert not unread(account, people)
    assert (1, "Kd4c9s6s") in [(event.seat, event.cards) for event in events_of(account, d.HoleCardsLearned)]


def test_a_seat_that_breaks_off_within_its_stack_is_no_player_of_that_name() -> None:
    (item,) = read(FORMAT, sample("numbered-side-pots").replace("Seat 3: Bo ($860.45)", "Seat 3: Bo ($860"))
    assert isinstance(item, Reject)
    assert item.code == "seat"


def test_a_card_more_than_the_game_deals_is_dealt_to_nobody() -> None:
    text, people = sample("started-hidden-jackpot"), new_people()
    line = next(line for line in text.splitlines() if " received card: [" in line)
    account, original = (
        next(item for item in read(FORMAT, version, people=people) if isinstance(item, Account))
        for version in (text.replace(line, f"{line}\n{line}", 1), text)
    )
    second = [version for version in text.splitlines() if " received card: [" in version][1]
    assert unread(account, people) == [second.strip()]
    assert [len(dealt.cards) for dealt in events_of(account, d.HoleCardsDealt)] == [
        len(dealt.cards) for dealt in events_of(original, d.HoleCardsDealt)
    ]


def test_the_summary_tells_of_cards_that_were_shown_and_folded() -> None:
    text = """Hand #900000881 - Holdem (No Limit) - $0.05/$0.10 - 2026/02/03 10:00:00 UTC
Avoca 6-max Seat #1 is the button
Seat 1: Ada ($10.00)
Seat 2: Bo ($10.00)
Ada posts the small blind $0.05
Bo posts the big blind $0.10
*** HOLE CARDS ***
Dealt to Ada [Qc 2c]
Ada raises $0.25 to $0.30
Bo raises $0.80 to $0.90
Ada folds
Ada shows [Qc 2c]
Uncalled bet ($0.60) returned to Bo
Bo does not show
*** SUMMARY ***
Total pot $0.60
Seat 1: Ada (button) (small blind) showed [Qc 2c] and folded on the Pre-Flop
Seat 2: Bo (big blind) did not show and won $0.60
"""
    account = read_hand(FORMAT, text)
    assert not events_of(account, e.LineUnread)
    assert events_of(account, e.CardsShown) == [e.CardsShown(1, "Qc2c")]
