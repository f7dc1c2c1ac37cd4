"""Lines and games that few files hold: other draws, mixed limits, programs that imitate the room."""

from __future__ import annotations

import pytest

from ledger.account import Account
from ledger.formats.pokerstars.event_writer import write
from ledger.hand import betting as b
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.dealing import BoardDealt
from ledger.hand.fold import fold
from ledger.presence import ChipsAdded, ConnectionLost
from tests.formats.pokerstars.support import new_people, read_hand, sample
from tests.formats.support import unbalanced, unread

HAND = """\
PokerStars Hand #900000000401:  Omaha Pot Limit ($2/$4 USD) - 2026/02/11 12:00:00 ET
Table 'Castor' 6-max Seat #1 is the button
Seat 1: Ada ($400 in chips)
Seat 2: Bo ($400 in chips)
Ada: posts small blind $2
Bo: posts big blind $4
*** HOLE CARDS ***
Ada: raises $8 to $12
Bo: raises $388 to $400 and is all-in
Ada: calls $388 and is all-in
"""
TWICE = """\
Players agree to Run It Twice
*** FLOP 1 *** [2h 3h 4h]
*** TURN 1 *** [2h 3h 4h] [5h]
*** RIVER 1 *** [2h 3h 4h 5h] [6h]
*** FLOP 2 *** [2c 3c 4c]
*** TURN 2 *** [2c 3c 4c] [5c]
*** RIVER 2 *** [2c 3c 4c 5c] [6c]
*** SHOW DOWN ***
Ada: shows [As Ks Qs Js] (a flush)
Bo: mucks hand
Ada collected $399 from pot
Ada collected $399 from pot
*** SUMMARY ***
Total pot $800 | Rake $2
Board 1 [2h 3h 4h 5h 6h]
Board 2 [2c 3c 4c 5c 6c]
Seat 1: Ada (small blind) collected ($798)
Seat 2: Bo (big blind) mucked
"""


def events_of(account: Account, kind: type) -> list:
    return [event for event in account.events if isinstance(event, kind)]


def test_runs_that_are_numbered_behind_the_street_are_runs() -> None:
    hand = read_hand(HAND + TWICE)
    assert not events_of(hand, e.LineUnread)
    assert events_of(hand, b.RunsAgreed) == [b.RunsAgreed(2)]
    assert [(dealt.run, dealt.street, dealt.cards) for dealt in events_of(hand, BoardDealt)] == [
        (1, "flop", "2h3h4h"),
        (1, "turn", "5h"),
        (1, "river", "6h"),
        (2, "flop", "2c3c4c"),
        (2, "turn", "5c"),
        (2, "river", "6c"),
    ]
    assert [(event.number, event.cards) for event in events_of(hand, e.ResultDeclared) if event.what == "board"] == [
        (1, "2h3h4h5h6h"),
        (2, "2c3c4c5c6c"),
    ]
    assert fold(hand.events).conservation() == 0


def test_a_pot_limit_before_the_flop_alone_is_an_option_and_is_written_again() -> None:
    game = "Hold'em Pot Limit Pre-Flop, No Limit Post-Flop"
    text = sample("tournament-bounty")
    assert text.count("Hold'em No Limit") == 1
    people = new_people()
    hand = read_hand(text.replace("Hold'em No Limit", game), people)
    (game_set,) = events_of(hand, o.GameSet)
    assert (game_set.variant, game_set.betting, game_set.written) == ("holdem", "no-limit", game)
    options = [o.OptionSet("other", "pot limit before the flop, no limit after")]
    assert events_of(hand, o.OptionSet) == options
    export = write(hand.events, people)
    assert "house options (1)" not in export.losses
    assert events_of(read_hand(export.text, people), o.OptionSet) == options


def test_a_level_without_a_number_of_its_tournament_is_one_all_the_same() -> None:
    text = HAND.replace("Omaha Pot Limit ($2/$4 USD)", "HORSE (Omaha Hi/Lo Limit) - Level II (20/40)").replace("$", "")
    (game,) = events_of(read_hand(text), o.GameSet)
    assert (game.variant, game.betting, game.format, game.bets) == ("omaha8", "limit", "tournament", (20, 40))
    (costs,) = events_of(read_hand(text), o.TournamentSet)
    assert (costs.level, costs.buy_in) == ("II", None)


@pytest.mark.parametrize(
    "line", ["The deck is reshuffled", "Table leave user", '# {"gt":"PLO","tn":"Castor","pn":{"1":"Ada"}}']
)
def test_lines_without_an_event_are_kept_in_their_words(line: str) -> None:
    people = new_people()
    hand = read_hand(HAND + line + "\n" + TWICE, people)
    assert [people.texts[remark.text] for remark in events_of(hand, e.RemarkNoted)] == [line]
    assert not events_of(hand, e.LineUnread)


def test_a_fold_of_somebody_who_lost_the_connection_is_both() -> None:
    text = sample("old-without-returns").replace("Cy: folds", "Cy: folds (disconnect)")
    hand = read_hand(text)
    assert [lost.seat for lost in events_of(hand, ConnectionLost)] == [3]
    assert events_of(hand, b.Folded) == events_of(read_hand(sample("old-without-returns")), b.Folded)


def test_chips_put_on_the_table_behind_a_hand_are_added() -> None:
    hand = read_hand(HAND + TWICE.replace("*** SUMMARY", "Bo: Table deposit $400\n*** SUMMARY"))
    assert [(added.seat, added.amount) for added in events_of(hand, ChipsAdded)] == [(2, 40000)]


def test_a_courchevel_board_is_read_as_the_room_once_ran_its_headings_together() -> None:
    text = sample("courchevel-straddle")
    first = next(line for line in text.splitlines() if line.startswith("*** PRE-FLOP *** ["))
    flop = next(line for line in text.splitlines() if line.startswith("*** FLOP *** ["))
    card, flop_cards = first.rpartition("[")[2].rstrip("]"), flop.rpartition("[")[2].rstrip("]")
    glued = flop_cards.removeprefix(card + " ").replace(" ", "", 1)
    odd = text.replace(first, f"*** HOLE CARDS *** [{card}]*** HOLE CARDSPRE-FLOP *** [{card}]")
    odd = odd.replace(flop, f"*** FLOP *** [{card}] [{card}{glued}]")
    assert odd != text
    assert read_hand(odd).events == read_hand(text).events


RAISED = """\
Run It Once Poker Hand #90000501: Omaha Pot Limit (€0.10/€0.20) - 2026/04/19 17:52 UTC [2026/04/19 18:52 CET]
Table ID '90000502' 6-Max Seat #1 is the button
Seat 1: Ada A (€20 in chips)
Seat 2: Bo B (€10 in chips)
Ada A: posts small blind €0.10
Bo B: posts big blind €0.20
*** HOLE CARDS ***
Ada A: calls €0.10
Bo B: checks
*** FLOP *** [5c Tc 9h]
Bo B: checks
Ada A: bets €1.60
Bo B: raises €8.20 to €9.80
Ada A: raises €8.40 to €18.20
*** TURN *** [5c Tc 9h] [Qd]
*** RIVER *** [5c Tc 9h Qd] [2h]
*** SHOWDOWN ***
Uncalled bet (€10) returned to Ada A
Ada A collected €19.50 from pot
*** SUMMARY ***
Total pot €20 | Rake €0.50
Board [5c Tc 9h Qd 2h]
"""


def test_a_raise_that_told_what_it_added_shows_it_by_what_comes_back() -> None:
    hand = read_hand(RAISED)
    assert [(raised.seat, raised.added, raised.to) for raised in events_of(hand, b.Raised)][-1] == (1, 1820, 1980)
    assert events_of(hand, b.BetReturned) == [b.BetReturned(1, 1000)]
    assert fold(hand.events).conservation() == 0


def test_a_tournament_without_a_number_is_written_as_one() -> None:
    people = new_people()
    text = HAND.replace("Omaha Pot Limit ($2/$4 USD)", "Omaha Pot Limit - Level II (20/40)").replace("$", "")
    hand = read_hand(text, people)
    export = write(hand.events, people)
    assert export.losses == []
    assert read_hand(export.text, people).events == hand.events


def test_a_tournament_of_which_no_level_is_told_is_not_written_as_a_cash_game_without_a_word() -> None:
    people = new_people()
    hand = read_hand(
        HAND.replace("Omaha Pot Limit ($2/$4 USD)", "Omaha Pot Limit - Level II (20/40)").replace("$", ""), people
    )
    events = [event for event in hand.events if not isinstance(event, o.TournamentSet)]
    assert "that it is a tournament (1)" in write(events, people).losses


def test_what_a_tournament_costs_is_not_said_to_be_nothing_where_nobody_told_it() -> None:
    people = new_people()
    events = [*read_hand(sample("tournament-bounty"), people).events]
    index = next(index for index, event in enumerate(events) if isinstance(event, o.TournamentSet))
    for costs in (o.TournamentSet("I"), o.TournamentSet("I", 0, 0, None, "USD", "Freeroll")):
        events[index] = costs
        (tournament,) = events_of(read_hand(write(events, people).text, people), o.TournamentSet)
        assert tournament.buy_in == costs.buy_in


def test_antes_and_raises_in_the_words_of_a_converter_behind_the_cards() -> None:
    text = """PokerStars Hand #900000000778:  Tournament #7001, $0+$0 Hold'em No Limit - Level 1 (50/100) - 2026/01/15 21:04:05
Table 'Own 7001' 2-max Seat #1 is the button
Seat 1: Ada (2000 in chips)
Seat 4: Bo (1800 in chips)
*** HOLE CARDS ***
Dealt to Ada [Ah Kh]
Ada: posts an ante of 10
Bo: posts an ante of 10
Ada: posts small blind 50
Bo: posts big blind 100
Ada: raises to 300
Bo: folds
Uncalled bet (200) returned to Ada
Ada: doesn't show hand
Ada collected 220 from pot
*** SUMMARY ***
Total pot 220 | Rake 0
Seat 1: Ada (small blind) collected (220)
Seat 4: Bo (big blind) folded before Flop (didn't bet)
"""
    people = new_people()
    hand = read_hand(text, people)
    assert not unread(hand, people)
    assert not unbalanced(hand)
    assert [event for event in hand.events if isinstance(event, o.AntePosted)] == [
        o.AntePosted(1, 10, all_in=False),
        o.AntePosted(4, 10, all_in=False),
    ]
    assert b.Raised(1, 250, 300, all_in=False) in hand.events


def test_amounts_in_rupees_are_parted_from_their_sign_by_a_blank() -> None:
    cash, tournament = read_hand(sample("rupees")), read_hand(sample("rupees-tournament"))
    (game,) = events_of(cash, o.GameSet)
    assert (game.unit, game.blinds) == ("INR", (1000, 2000))
    assert [(won.seat, won.amount) for won in events_of(cash, e.PotAwarded)] == [(1, 124050)]
    assert [drop.amount for drop in events_of(cash, e.DropTaken)] == [5000]
    assert not events_of(cash, e.LineUnread)
    assert not unbalanced(cash)
    (costs,) = events_of(tournament, o.TournamentSet)
    assert (costs.buy_in, costs.fee, costs.currency) == (8800, 1200, "INR")


CLONE = """\
9stacks Poker Hand #90000613:  Hold'em No Limit (50/100) - 2026/03/15 09:02:11 UTC
Table 'MID (50/100) #4'(90000044) 6-max (Real Money) Seat #2 is the button
Seat 2: Ada (8,250.75 in chips)
Seat 3: Bo (9,100.00 in chips)
Seat 5: Cy (4,000.00 in chips)
Bo: posts small blind 50
Cy: posts big blind 100
Ada: unknown 200
*** HOLE CARDS ***
Dealt to Bo [8c 3d]
Bo: folds
Cy: raises 400 to 500
Ada: folds
Uncalled bet (300) returned to Cy
*** SHOW DOWN ***
Cy: doesn't show hand
Cy collected 450 from pot
*** SUMMARY ***
Total pot 450 | Rake 0
Seat 2: Ada (button) folded before Flop (didn't bet)
Seat 3: Bo (small blind) folded before Flop
Seat 5: Cy (big blind) collected (450)
"""


def test_a_post_whose_name_a_program_did_not_know_is_a_straddle_above_the_big_blind() -> None:
    hand = read_hand(CLONE)
    assert [(post.seat, post.amount) for post in events_of(hand, o.StraddlePosted)] == [(2, 20000)]
    assert events_of(hand, o.GameSet)[0].unit == "chips"  # said to be real money, and no currency is named
    assert not events_of(hand, e.LineUnread)
    assert not unbalanced(hand)
    assert len(events_of(read_hand(CLONE.replace("unknown 200", "unknown 100")), e.LineUnread)) == 1
