"""Full Tilt's text becomes the right events, each at its place, whatever the bytes look like."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger import formats
from ledger.account import Account, Reject
from ledger.formats.fulltilt import FORMAT
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.fold import fold
from ledger.presence import ChipsAdded, SeatLeft, WordsSaid
from tests.formats.support import events_of, new_people, read, read_hand, texts, unbalanced, unread

SAMPLES = Path(__file__).parent / "samples"
NAMES = sorted(path.stem for path in SAMPLES.glob("*.txt"))


sample = texts("fulltilt")


def test_the_button_stands_before_the_posts_though_the_text_names_it_behind() -> None:
    account = read_hand(FORMAT, sample("posts-and-presence"))
    kinds = [type(event) for event in account.events]
    assert kinds.index(o.ButtonPlaced) < kinds.index(o.BlindPosted)
    index = account.events.index(o.ButtonPlaced(6))
    start, length = account.places[2 * index : 2 * index + 2]
    text = sample("posts-and-presence").encode()[account.start :][start : start + length]
    assert text == b"The button is in seat #6"


def test_a_dead_small_blind_does_not_count_and_a_post_out_of_turn_does() -> None:
    posts = events_of(read_hand(FORMAT, sample("posts-and-presence")), o.BlindPosted)[2:]
    assert [(post.seat, post.role, post.live, post.dead) for post in posts] == [
        (4, "makeup-small", 0, 100),
        (4, "entry", 200, 0),
    ]


def test_the_stakes_name_the_cap_and_the_table_its_kind() -> None:
    assert events_of(read_hand(FORMAT, sample("posts-and-presence")), o.OptionSet) == [
        o.OptionSet("bet-cap", 8000),
        o.OptionSet("other", "shallow"),
    ]


def test_words_of_those_who_watch_are_no_acts() -> None:
    people = new_people()
    account = read_hand(FORMAT, sample("posts-and-presence"), people=people)
    events = events_of(account, WordsSaid)
    assert [(event.seat, people.name(event.player)) for event in events] == [(None, "Hal Hal"), (2, "Bo")]
    assert [event.seat for event in events_of(account, b.Folded)] == [1, 2]
    assert [event.amount for event in events_of(account, ChipsAdded)] == [10000]


def test_runs_have_boards_showdowns_and_awards_of_their_own() -> None:
    account = read_hand(FORMAT, sample("run-twice"))
    assert events_of(account, b.RunsAgreed) == [b.RunsAgreed(2)]
    assert [(event.street, event.run) for event in events_of(account, d.BoardDealt)] == [
        ("flop", 1),
        ("turn", 1),
        ("river", 1),
        ("turn", 2),
        ("river", 2),
    ]
    assert [(event.seat, event.run, event.amount) for event in events_of(account, e.PotAwarded)] == [
        (1, 1, 9345),
        (2, 1, 9345),
        (1, 2, 18690),
    ]
    assert [event.run for event in events_of(account, e.ShowdownBegun)] == [1, 2]


def test_pots_and_halves_are_told_apart() -> None:
    assert [
        (event.seat, event.pot, event.half) for event in events_of(read_hand(FORMAT, sample("side-pots")), e.PotAwarded)
    ] == [(2, 1, "high"), (8, 1, "low"), (6, 0, "high"), (8, 0, "low")]


def test_an_ante_that_is_more_than_the_other_has_goes_back_as_a_post() -> None:
    account = read_hand(FORMAT, sample("razz-short-ante"))
    assert events_of(account, o.PostReturned) == [o.PostReturned(1, 3, "ante", True)]
    assert not events_of(account, b.BetReturned)


def test_who_won_is_taken_from_the_summary_where_no_line_says_it() -> None:
    assert events_of(read_hand(FORMAT, sample("only-the-summary-pays")), e.PotAwarded) == [e.PotAwarded(1, 4)]


def test_a_returned_bet_that_is_not_printed_is_derived() -> None:
    text = sample("only-the-summary-pays").replace("Uncalled bet of €0.03 returned to Ada\n", "")
    account = read_hand(FORMAT, text)
    (event,) = events_of(account, b.BetReturned)
    assert event == b.BetReturned(1, 3)
    assert account.events.index(event) in account.inferred


@pytest.mark.parametrize(
    ("game", "variant", "betting"),
    [
        ("NL Hold'em", "holdem", "no-limit"),
        ("CAP NL Hold'em", "holdem", "no-limit"),
        ("$40 Cap No Limit Hold'em", "holdem", "no-limit"),
        ("FL Omaha H/L", "omaha8", "limit"),
        ("Pot Limit 5 Card Omaha Hi", "omaha5", "pot-limit"),
        ("Limit Stud H/L", "stud8", "limit"),
        ("PL Courchevel Hi", "courchevel", "pot-limit"),
        ("Limit A-5 Triple Draw", "triple-a5", "limit"),
        ("FL Badugi", "badugi", "limit"),
        ("No Limit 2-7 Single Draw", "single-27", "no-limit"),
        ("Limit 5 Card Draw", "draw5", "limit"),
    ],
)
@pytest.mark.parametrize("stakes_first", [True, False])
def test_the_room_names_games_in_many_ways(game: str, variant: str, betting: str, stakes_first: bool) -> None:
    stakes_and_game = f"€0.01/€0.02 - {game}" if stakes_first else f"{game} - €0.01/€0.02"
    text = sample("only-the-summary-pays").replace("€0.01/€0.02 - No Limit Hold'em", stakes_and_game)
    (event,) = events_of(read_hand(FORMAT, text), o.GameSet)
    assert (event.variant, event.betting) == (variant, betting)
    assert (event.bets or event.blinds) == (1, 2)


def test_thousands_are_written_as_k() -> None:
    text = sample("only-the-summary-pays").replace("€0.01/€0.02", "500K/1000K").replace("€", "")
    (game,) = events_of(read_hand(FORMAT, text), o.GameSet)
    assert (game.unit, game.blinds) == ("play", (50000000, 100000000))  # the blinds posted have cents


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("Game #900000306", "Game #x", "header"),
        ("Omaha Hi/Lo", "Chess", "unknown-game"),
        (" - 2011/02/16", "", "header"),
        ("Seat ", "Chair ", "cut-off"),
        ("Seat 5:", "Seat 6:", "seat"),
        ("(148000001), ", "", "header"),
        ("calls 400", "calls 3x", "amount"),
        ("Full Tilt Poker Game #", "Full Tilt Poker Tournament Summary ", "not-a-hand"),
    ],
)
def test_a_hand_that_cannot_be_read_is_a_reject_that_says_why(old: str, new: str, code: str) -> None:
    (reject,) = read(FORMAT, sample("side-pots").replace(old, new))
    assert isinstance(reject, Reject)
    assert reject.code == code


def test_a_whole_hand_without_its_list_of_seats_is_not_said_to_break_off() -> None:
    head, deal, acts = sample("side-pots").partition("*** HOLE CARDS ***")
    unlisted = "".join(line for line in head.splitlines(keepends=True) if not line.startswith("Seat "))
    (reject,) = read(FORMAT, unlisted + deal + acts)
    assert isinstance(reject, Reject)
    assert (reject.code, reject.reason) == ("cut-off", "the hand has no list of seats")


@pytest.mark.parametrize("amount", ["1e999999", "9" * 5000, "3٣", "1_000"])
def test_what_is_no_amount_rejects_that_hand_alone(amount: str) -> None:
    bad = sample("run-twice").replace("raises to $54", f"raises to ${amount}")
    first, reject, last = read(FORMAT, "\n\n".join((sample("side-pots"), bad, sample("side-pots"))))
    assert isinstance(first, Account)
    assert isinstance(last, Account)
    assert isinstance(reject, Reject)
    assert reject.code == "amount"


NOTICES = """Time has expired
The blinds are now $2/$4
The antes are now $1
Bo has 120 seconds to reconnect
Bo is feeling happy
Bo is being treated as all-in
Ada was removed from the table for failing to post
Fay has left the table
Ivy leaves the table
Cy Cy finished the tournament in 12th place
Di: D finished the tournament
Ada finished in 3rd place
Ada is in the lead
Pair on board - a double bet is allowed
No low hand qualified
"""


def test_notices_between_the_acts_are_known() -> None:
    people = new_people()
    text = sample("posts-and-presence").replace("Fay stands up\n", NOTICES)
    account = read_hand(FORMAT, text, people=people)
    assert unread(account, people) == []
    assert [(event.seat, event.reason) for event in events_of(account, SeatLeft)] == [
        (1, "missed-post"),
        (6, "left"),
        (None, "left"),
    ]
    assert events_of(account, e.PlayerFinished) == [
        e.PlayerFinished(4, 12),
        e.PlayerFinished(5, None),
        e.PlayerFinished(1, 3),
    ]
    state = fold(read_hand(FORMAT, sample("posts-and-presence")).events)
    assert fold(account.events).street == state.street


def test_a_line_nobody_knows_is_kept() -> None:
    people = new_people()
    text = sample("side-pots").replace("Bo folds\n", "Bo folds\nThe lights went out\n")
    text = text.replace("Rake 0\n", "Rake 0\nAnd on again\n")
    assert unread(read_hand(FORMAT, text, people=people), people) == ["The lights went out", "And on again"]


def test_a_hand_that_ends_early_is_kept_without_its_end() -> None:
    account = read_hand(FORMAT, sample("side-pots").partition("*** TURN")[0])
    assert not events_of(account, e.HandCompleted)
    assert fold(account.events).street == "flop"


@pytest.mark.parametrize("name", ["a: b", "x [y]", "folds", "(Observer)", "Ad Kh", "*** FLOP", "wins the pot"])
def test_any_name_is_a_name(name: str) -> None:
    text = sample("side-pots")
    renamed = "\n".join(
        line if line.startswith(("***", "Full")) else line.replace("Di", name) for line in text.split("\n")
    )
    people, other_people = new_people(), new_people()
    assert [type(event) for event in read_hand(FORMAT, renamed, people=people).events] == [
        type(event) for event in read_hand(FORMAT, text, people=other_people).events
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Ada wins " * 8000,
        "Ada: " * 9000,
        "[" * 65536,
        "Ada shows [" * 6000,
        "*** FLOP *** [" * 5000,
        "Dealt to " * 8000,
    ],
)
def test_a_very_long_line_is_one_line(line: str) -> None:
    text = sample("side-pots")
    account = read_hand(FORMAT, text.replace("Bo folds\n", f"Bo folds\n{line}\n"))
    assert len(account.events) == len(read_hand(FORMAT, text).events) + 1


def test_the_format_is_recognised_before_any_that_reads_the_same_heads() -> None:
    assert all(formats.recognise(sample(name).encode()) is FORMAT for name in NAMES)
    assert FORMAT.sniff(b"PokerStars Hand #1:  Hold'em\n") == 0


FIVE_CARDS = """Full Tilt Poker Game #900000888: Own Evening (90000888), Table 1 - 800/1600 Ante 150 - Limit 5 Card Stud - 18:30:57 ET - 2013/03/31
Seat 1: Ada (4,950)
Seat 2: Bo (27,915)
Seat 6: Hero (17,724)
Ada antes 150
Bo antes 150
Hero antes 150
*** 2ND STREET *** (Total Pot: 450, 3 Players)
Dealt to Ada [Kc]
Dealt to Bo [Qh]
Dealt to Hero [6s] [5h]
Hero is low with [5h]
Hero brings in for 250
Ada completes it to 800
Bo calls 800
Hero folds
*** 3RD STREET *** (Total Pot: 2,300, 2 Players)
Dealt to Ada [Kc] [Tc]
Dealt to Bo [Qh] [3h]
Ada bets 800
Bo calls 800
*** 4TH STREET *** (Total Pot: 3,900, 2 Players)
Dealt to Ada [Kc Tc] [Qd]
Dealt to Bo [Qh 3h] [Kd]
Ada bets 1,600
Bo calls 1,600
*** 5TH STREET *** (Total Pot: 7,100, 2 Players)
Dealt to Ada [Kc Tc Qd] [3d]
Dealt to Bo [Qh 3h Kd] [Ah]
Bo bets 1,600
Ada folds
Uncalled bet of 1,600 returned to Bo
Bo mucks
Bo wins the pot (7,100)
*** SUMMARY ***
Total pot 7,100 | Rake 0
Seat 1: Ada folded on 5th St.
Seat 2: Bo collected (7,100), mucked
Seat 6: Hero folded on 2nd St.
"""


def test_five_card_stud_deals_one_card_down_and_calls_its_streets_by_the_cards_of_a_hand() -> None:
    people = new_people()
    hand = read_hand(FORMAT, FIVE_CARDS, people=people)
    assert not unread(hand, people)
    assert not unbalanced(hand)
    dealt = [(event.seat, event.cards, event.up) for event in events_of(hand, d.HoleCardsDealt)]
    assert dealt[:4] == [(1, "??Kc", "du"), (2, "??Qh", "du"), (6, "6s5h", "du"), (1, "Tc", "u")]
    assert [event.street for event in events_of(hand, d.StreetDealt)] == ["third", "fourth", "fifth"]
    assert events_of(hand, o.BringInPosted) == [o.BringInPosted(6, 250, all_in=False)]
    assert events_of(hand, b.Completed) == [b.Completed(1, 800, 800, all_in=False)]


@pytest.mark.parametrize(
    ("stakes", "blinds"), [("2K/4K", (2_000, 4_000)), ("2M/4M", (2 * 10**6, 4 * 10**6)), ("2B/2B", (2 * 10**9,) * 2)]
)
def test_stakes_may_be_written_in_thousands_and_more(stakes: str, blinds: tuple[int, ...]) -> None:
    text = f"""Full Tilt Poker Game #900000889: $300 Own Flipout (90000889), Table 1 - NL Hold'em - {stakes} Ante 2B - 04:46:00 ET - 2014/08/07
Seat 1: Ada (3,000)
Seat 2: Bo (3,000)
Ada antes 3,000, and is all in
Bo antes 3,000, and is all in
The button is in seat #1
*** HOLE CARDS ***
*** FLOP *** [4s 8h Ts]
*** TURN *** [4s 8h Ts] [5h]
*** RIVER *** [4s 8h Ts 5h] [6d]
Ada shows a pair of Sixes
Bo shows two pair, Eights and Fours
Bo wins the pot (6,000) with two pair, Eights and Fours
*** SUMMARY ***
Total pot 6,000 | Rake 0
Board: [4s 8h Ts 5h 6d]
Seat 1: Ada (button) showed [9h 6s] and lost with a pair of Sixes
Seat 2: Bo showed [8c 4h] and won (6,000) with two pair, Eights and Fours
"""
    hand = read_hand(FORMAT, text)
    (game,) = events_of(hand, o.GameSet)
    assert (game.blinds, game.ante) == (blinds, 2 * 10**9)
    assert not unbalanced(hand)


def test_irish_gives_up_two_cards_behind_the_flop_and_no_street_begins() -> None:
    account = _hands("irish-discards")[0]
    assert events_of(account, d.CardsDiscarded) == [d.CardsDiscarded(3, 2), d.CardsDiscarded(4, 2, "9h9c")]
    assert fold(account.events).hole_cards(4) == ["Ts", "Kc"]
    assert not events_of(account, d.StreetDealt)


def test_a_side_pot_that_is_not_run_twice_counts_into_what_the_summary_says_was_collected() -> None:
    account = _hands("irish-discards")[1]
    assert [(won.seat, won.amount, won.pot, won.run) for won in events_of(account, e.PotAwarded)] == [
        (2, 5940, 1, 1),
        (2, 4400, None, 1),
        (1, 4400, None, 2),
    ]
    assert (2, 10340) in [
        (event.seat, event.amount) for event in events_of(account, e.ResultDeclared) if event.what == "collected"
    ]
    assert unbalanced(account) == []


def _hands(name: str) -> list[Account]:
    return [item for item in read(FORMAT, sample(name)) if isinstance(item, Account)]
