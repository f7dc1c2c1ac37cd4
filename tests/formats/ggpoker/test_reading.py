"""GGPoker text becomes the right events: PokerStars' grammar, and what GGPoker adds to it."""

from __future__ import annotations

import pytest

from ledger.account import Account, Reject
from ledger.formats.ggpoker import FORMAT
from ledger.formats.pokerstars import FORMAT as POKERSTARS
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.fold import fold
from ledger.vocabulary import Witness
from tests.formats.support import events_of, new_people, read, read_hand, texts, unbalanced, unread
from tests.pace import out_of_proportion

sample = texts("ggpoker")


def test_a_straddle_is_the_total_of_the_street() -> None:
    account = read_hand(
        FORMAT,
        sample("straddles-and-drop")
        .replace("77aa77aa: straddle $2", "0f0f0f0f: straddle $2")
        .replace("calls $10", "calls $12")
        .replace("Total pot $34", "Total pot $35")
        .replace("side pot", "pot"),
    )
    first, second = events_of(account, o.StraddlePosted)
    assert (first.seat, first.amount, first.kind) == (3, 100, "straddle")  # on top of the blind
    assert (second.seat, second.amount, second.kind) == (5, 400, "restraddle")
    assert second.all_in


def test_money_that_the_room_drops_into_the_pot_is_seeded() -> None:
    account = read_hand(FORMAT, sample("straddles-and-drop"))
    assert events_of(account, o.PotSeeded) == [o.PotSeeded("promotion", 500)]


def test_a_missed_small_blind_is_dead_and_a_missed_big_blind_counts() -> None:
    posts = events_of(read_hand(FORMAT, sample("missed-blinds-and-cashouts")), o.BlindPosted)
    assert [(post.seat, post.role, post.live, post.dead) for post in posts[2:]] == [
        (4, "makeup-small", 0, 200),
        (4, "entry", 500, 0),
        (5, "makeup-big", 500, 0),
    ]


def test_a_missed_small_blind_counts_where_the_next_call_shows_it() -> None:
    text = sample("missed-blinds-and-cashouts")
    text = text.replace("0f0f0f0f: posts big blind $5\n", "")
    text = text.replace("0f0f0f0f: checks", "0f0f0f0f: calls $3")
    (post,) = [post for post in events_of(read_hand(FORMAT, text), o.BlindPosted) if post.role == "makeup-small"]
    assert (post.live, post.dead) == (200, 0)


def test_cash_outs_and_insurance_are_dealings_with_the_house() -> None:
    account = read_hand(FORMAT, sample("missed-blinds-and-cashouts"))
    assert events_of(account, b.CashOutTaken) == [b.CashOutTaken(2, None, 0), b.CashOutTaken(2, None, 2268)]
    assert events_of(account, b.InsuranceBought) == [b.InsuranceBought(4, 400, 2000)]
    state = fold(account.events)
    assert state.stack(2) == 200 + 20100 - 2268
    assert state.stack(4) == -400  # the premium comes on top of the stack that was lost


def test_a_price_that_the_house_pays_is_the_seller_s() -> None:
    text = sample("missed-blinds-and-cashouts").replace("Pays Cashout Risk ($22.68)", "Receives Cashout ($9.98)")
    assert events_of(read_hand(FORMAT, text), b.CashOutTaken)[-1] == b.CashOutTaken(2, 998)


def test_a_premium_that_differs_from_the_one_that_was_bought_is_kept_unread() -> None:
    people = new_people()
    text = sample("missed-blinds-and-cashouts").replace("insurance ($4)", "insurance ($5)")
    account = read_hand(FORMAT, text, people=people)
    assert unread(account, people) == ["0f0f0f0f: pay premium of all-in insurance ($5)"]


def test_three_runs_are_three_boards_and_awards() -> None:
    account = read_hand(FORMAT, sample("three-runs"))
    assert events_of(account, b.RunsAgreed) == [b.RunsAgreed(3)]
    assert [(event.seat, event.run) for event in events_of(account, e.PotAwarded)] == [(2, 1), (1, 2), (2, 3)]


def test_the_heading_of_a_showdown_is_one_only_where_two_hands_are_left() -> None:
    assert not events_of(read_hand(FORMAT, sample("hostile-names")), e.ShowdownBegun)
    assert events_of(read_hand(FORMAT, sample("tournament-bounty")), e.ShowdownBegun)


@pytest.mark.parametrize(
    ("game", "variant", "betting"),
    [
        ("Hold'em No Limit", "holdem", "no-limit"),
        ("PLO", "omaha", "pot-limit"),
        ("PLO-6", "omaha6", "pot-limit"),
        ("Omaha Pot Limit", "omaha", "pot-limit"),
        ("PLO-5 Hi-Lo", "omaha5-8", "pot-limit"),
        ("Omaha Hi/Lo Pot Limit", "omaha8", "pot-limit"),
        ("5 Card Omaha Pot Limit", "omaha5", "pot-limit"),
        ("ShortDeck", "short-deck", "no-limit"),
        ("Hold'em Fixed Limit", "holdem", "limit"),
        ("AoF Hold'em No Limit", "holdem", "no-limit"),
        ("Omaha (NL postflop)", "omaha", "no-limit"),
    ],
)
def test_the_room_names_games_in_many_ways(game: str, variant: str, betting: str) -> None:
    text = sample("hostile-names").replace("Omaha Hi-Lo Pot Limit", game)
    (event,) = events_of(read_hand(FORMAT, text), o.GameSet)
    assert (event.variant, event.betting) == (variant, betting)


def test_a_tournament_header_holds_any_name_a_level_and_an_ante() -> None:
    account = read_hand(FORMAT, sample("tournament-bounty"))
    (costs,) = events_of(account, o.TournamentSet)
    assert (costs.level, costs.written) == ("12", "L-03: $25 Bounty (Flight 2), Hot Hold'em No Limit")
    (game,) = events_of(account, o.GameSet)
    assert (game.blinds, game.ante, game.unit) == ((175, 350), 45, "chips")
    assert account.opened.tournament == "90004"


def test_a_short_deck_tournament_has_one_blind() -> None:
    text = sample("tournament-bounty")
    head, _, body = text.partition("\n")
    game, _, date = head.rpartition(" - ")
    name = game.rpartition(" - ")[0].replace("Hold'em No Limit", "Short Deck No Limit")
    (event,) = events_of(read_hand(FORMAT, f"{name} - Level12(350) - {date}\n{body}"), o.GameSet)
    assert (event.variant, event.blinds, event.ante) == ("short-deck", (350,), 0)


def test_the_time_has_no_zone_and_is_kept_as_written() -> None:
    opened = read_hand(FORMAT, sample("three-runs")).opened
    assert (opened.started, opened.written) == (None, "2025/03/02 21:20:00")


def test_silence_about_clocks_and_presence_is_no_evidence() -> None:
    witnesses = read_hand(FORMAT, sample("three-runs")).opened.witnesses
    assert not witnesses & (Witness.CLOCKS | Witness.PRESENCE | Witness.POTS)
    assert witnesses & Witness.OWN_CARDS


def test_rush_and_cash_is_told_as_an_option() -> None:
    assert events_of(read_hand(FORMAT, sample("straddles-and-drop")), o.OptionSet) == [
        o.OptionSet("other", "rush and cash")
    ]


def test_a_line_nobody_knows_is_kept_and_the_hand_is_incomplete() -> None:
    people = new_people()
    text = sample("three-runs").replace("0f0f0f0f: folds\n", "0f0f0f0f: folds\n0f0f0f0f: whistles\n")
    account = read_hand(FORMAT, text, people=people)
    assert unread(account, people) == ["0f0f0f0f: whistles"]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("Hold'em No Limit  (", "Chess (", "unknown-game"),
        ("($0.5/$1)", "", "header"),
        (" - 2025/03/02 21:20:00", "", "header"),
        ("#HD900000002", "#HD-9", "header"),
        ("Seat 1: a1b2c3d4 ($30 in", "Seat 99: a1b2c3d4 ($30 in", "seat"),
        ("raises $2 to $3", "raises $2 to $3e9", "amount"),
    ],
)
def test_what_cannot_be_read_is_rejected_with_its_reason(old: str, new: str, code: str) -> None:
    (item,) = read(FORMAT, sample("three-runs").replace(old, new))
    assert isinstance(item, Reject)
    assert item.code == code
    assert item.line == 1


def test_a_hand_of_pokerstars_among_them_is_another_room_s() -> None:
    text = "PokerStars Hand #1:  Hold'em No Limit ($1/$2 USD) - 2020/01/01 1:00:00 ET\nTable 'x'\n"
    first, second = read(FORMAT, sample("short-deck") + "\n\n" + text)
    assert isinstance(first, Account)
    assert isinstance(second, Reject)
    assert second.code == "other-room"


def test_each_of_the_two_grammars_keeps_its_own_words() -> None:
    people = new_people()
    stars = (
        sample("short-deck")
        .replace("Poker Hand #SD9", "PokerStars Hand #9")
        .replace("ShortDeck No Limit ($1)", "Hold'em No Limit ($1/$1 USD)")
    )
    read_hand(FORMAT, sample("short-deck"), people=people)
    account = read_hand(POKERSTARS, stars, people=people)
    assert unread(account, people)[0] == "c4c4c4c4: straddle $2"


@pytest.mark.parametrize(
    "line",
    [
        "Hero: get an all-in insurance (premium (" + "$1/" * 20000,
        "Hero: straddle $" + "9" * 60000,
        "Cash Drop to Pot :" + " total" * 9000,
        "Hero: collected" * 5000,
        "Hero: Pays" + " (" * 30000,
    ],
)
def test_a_very_long_line_is_one_line_or_one_reject(line: str) -> None:
    text = sample("three-runs").replace("0f0f0f0f: folds\n", f"0f0f0f0f: folds\n{line}\n")
    (item,) = read(FORMAT, text)
    assert isinstance(item, Reject | Account)


TWO_BOARDS = sample("club-two-boards")


def test_acts_that_a_club_tells_once_for_each_board_count_once() -> None:
    first = read(FORMAT, TWO_BOARDS)[0]
    assert isinstance(first, Account)
    assert len(events_of(first, b.Raised)) == 1
    assert [event.board for event in events_of(first, d.BoardDealt)] == [1, 2] * 3
    assert [(event.seat, event.board) for event in events_of(first, e.PotAwarded)] == [(3, 1), (5, 2)]
    assert unbalanced(first) == []


def test_acts_that_differ_between_the_boards_are_not_passed_over() -> None:
    index = TWO_BOARDS.index("*** FLOP *** [9d 5d 4h]")
    differs = TWO_BOARDS[:index] + TWO_BOARDS[index:].replace("calls $25", "calls $24", 1)
    people = new_people()
    first = read(FORMAT, differs, people=people)[0]
    assert isinstance(first, Account)
    assert len(events_of(first, b.Raised)) == 1
    assert unread(first, people)[0] == "5e0d71a9: calls $24"


@pytest.mark.parametrize(("cards", "variant"), [("", "omaha5"), (" 9s", "omaha6")])
def test_the_cards_tell_which_omaha_a_club_dealt(cards: str, variant: str) -> None:
    text = TWO_BOARDS.replace("[Ks Jh Th 8h 2c]", f"[Ks Jh Th 8h 2c{cards}]")
    first = read(FORMAT, text)[0]
    assert isinstance(first, Account)
    assert events_of(first, o.GameSet)[0].variant == variant


def test_antes_alone_before_the_flop_are_a_bomb_pots() -> None:
    text = TWO_BOARDS
    acted = text.replace("*** FLOP", "Hero: checks\n*** FLOP", 1)
    changed_text = text.replace("Hero: posts the ante $6\n", "", 1)
    for source, kind, options in ((text, "bomb-pot", 1), (acted, "ante", 0), (changed_text, "ante", 0)):
        first = read(FORMAT, source)[0]
        assert isinstance(first, Account)
        assert {event.kind for event in events_of(first, o.AntePosted)} == {kind}
        assert events_of(first, o.OptionSet) == [o.OptionSet("bomb-pot", 600)] * options


def test_what_is_inferred_of_a_bomb_pot_leaves_the_returns_witnessed() -> None:
    first = read(FORMAT, TWO_BOARDS)[0]
    assert isinstance(first, Account)
    assert first.opened.witnesses & Witness.RETURNED_BETS


MUCKED = """\
Poker Hand #HD900000041: Hold'em No Limit  ($0.02/$0.05) - 2026/03/18 04:12:52
Table 'NLHGold900' 6-max Seat #2 is the button
Seat 2: 42c6a201 ($6 in chips)
Seat 4: Hero ($2 in chips)
Seat 5: af2fad53 ($9 in chips)
Hero: posts small blind $0.02
af2fad53: posts big blind $0.05
*** HOLE CARDS ***
Dealt to 42c6a201
Dealt to Hero [2s kc]
Dealt to af2fad53
*** PREFLOP ***
42c6a201: calls $0.05
Hero: folds
af2fad53: checks
*** FLOP *** [2d 3c Kd]
af2fad53: checks
42c6a201: checks
*** TURN *** [2d 3c Kd] [Ks]
af2fad53: checks
42c6a201: checks
*** RIVER *** [2d 3c Kd Ks] [7h]
af2fad53: checks
42c6a201: Bet & Muck $0.05
af2fad53: calls $0.05
42c6a201: Bet & Muck folds
af2fad53: shows [Ah 8d] (Pair of Kings)
*** SHOWDOWN ***
af2fad53 collected $0.21 from pot
*** SUMMARY ***
Total pot $0.22 | Rake $0.01 | Jackpot $0 | Bingo $0
Board [2d 3c Kd Ks 7h]
Seat 2: 42c6a201 (button) folded on the River
Seat 4: Hero (small blind) folded before Flop
Seat 5: af2fad53 (big blind) showed [Ah 8d] and won ($0.21) with Pair of Kings
"""


def test_who_bets_and_mucks_has_bet_and_does_not_show() -> None:
    people = new_people()
    account = read_hand(FORMAT, MUCKED, people=people)
    assert unread(account, people) == []
    assert unbalanced(account) == []
    assert events_of(account, b.Bet) == [b.Bet(2, 5, 5, False)]
    assert events_of(account, e.CardsMucked) == [e.CardsMucked(2)]
    assert [fold.seat for fold in events_of(account, b.Folded)] == [4]


def test_a_first_line_with_the_room_s_whole_name_begins_at_its_front() -> None:
    text = MUCKED.replace("Poker Hand #", "GGPoker Hand #")
    assert read_hand(FORMAT, text + "\n").events == read_hand(FORMAT, MUCKED).events
    assert len(read(FORMAT, text + "\n" + text.replace("Hand #RC", "Hand #RC1", 1))) == 2


def test_small_letters_are_cards_too() -> None:
    assert [(dealt.seat, dealt.cards) for dealt in events_of(read_hand(FORMAT, MUCKED), d.HoleCardsDealt)] == [
        (4, "2sKc")
    ]


def test_blank_lines_between_the_lines_of_a_hand_tell_nothing() -> None:
    for text in (MUCKED, sample("straddles-and-drop"), sample("club-two-boards").split("\n\n")[0]):
        assert read_hand(FORMAT, text.replace("\n", "\n\n")).events == read_hand(FORMAT, text).events


def test_a_turn_that_tells_the_flop_too_deals_both() -> None:
    text = MUCKED.replace("*** FLOP *** [2d 3c Kd]\naf2fad53: checks\n42c6a201: checks\n", "")
    boards = events_of(read_hand(FORMAT, text), d.BoardDealt)
    assert [(dealt.street, dealt.cards) for dealt in boards] == [("flop", "2d3cKd"), ("turn", "Ks"), ("river", "7h")]


def test_a_tournament_s_name_of_many_words_costs_no_more_than_its_length() -> None:
    def read_long_name(words: int) -> None:
        text = sample("tournament-bounty").replace("Hot Hold'em", "Hot " + "and cold " * words + "Hold'em", 1)
        (item,) = read(FORMAT, text)
        assert isinstance(item, Account)
        assert events_of(item, o.GameSet)[0].variant == "holdem"

    assert out_of_proportion(read_long_name, 4500, 9000) is None


def test_a_card_for_more_time_that_stands_in_the_summary_is_no_award() -> None:
    text = """Poker Hand #RC9900001777: Hold'em No Limit ($0.05/$0.10) - 2026/01/25 12:00:00
Table 'RushAndCash99017' 6-max Seat #1 is the button
Seat 1: Hero ($10 in chips)
Seat 2: a1b2c3d4 ($9 in chips)
Seat 3: b1b2c3d4 ($8 in chips)
a1b2c3d4: posts small blind $0.05
b1b2c3d4: posts big blind $0.10
*** HOLE CARDS ***
Dealt to Hero [Ah Kd]
Hero: raises $0.15 to $0.25
a1b2c3d4: folds
b1b2c3d4: folds
Uncalled bet ($0.15) returned to Hero
*** SHOWDOWN ***
Hero collected $0.25 from pot
*** SUMMARY ***
Total pot $0.25 | Rake $0 | Jackpot $0 | Bingo $0 | Fortune $0 | Tax $0
Seat 1: Hero (button) collected ($0.25) and received Time Bank Card ($0.02)
Seat 2: a1b2c3d4 (small blind) folded before Flop
Seat 3: b1b2c3d4 (big blind) folded before Flop
"""
    people = new_people()
    hand = read_hand(FORMAT, text, people=people)
    assert not unread(hand, people)
    assert not unbalanced(hand)
    assert [event.amount for event in events_of(hand, e.PotAwarded)] == [25]


def test_a_point_that_the_stakes_lost_is_put_back() -> None:
    text = sample("ante-in-the-stakes")
    first = text[: text.index("Poker Hand #", 1)] if "Poker Hand #" in text[1:] else text
    lost = read_hand(FORMAT, first.replace("($0.05/$0.1($0.02))", "($005/$0.1($002))", 1))
    assert events_of(lost, o.GameSet) == events_of(read_hand(FORMAT, first), o.GameSet)
    assert events_of(lost, o.GameSet)[0].blinds == (5, 10)
