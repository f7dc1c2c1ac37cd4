"""Winamax text becomes the right events, each at its place, whatever the bytes look like."""

from __future__ import annotations

import pytest

from ledger.account import Account, Reject
from ledger.formats.winamax import FORMAT
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.table.pools import has_pool_option
from ledger.vocabulary import Witness
from tests.formats.support import events_of, new_people, read, read_hand, texts, unbalanced, unread

sample = texts("winamax")


def test_a_bet_that_nobody_called_is_paid_out_with_the_pots_and_not_returned() -> None:
    account = read_hand(FORMAT, sample("side-pot-and-late-post"))
    assert not events_of(account, b.BetReturned)
    awards = [(award.amount, award.pot) for award in events_of(account, e.PotAwarded)]
    assert awards == [(3000, 1), (3510, 0)]


def test_a_bet_that_the_declared_pot_does_not_hold_is_returned_and_derived() -> None:
    text = sample("both-blinds-on-one-line").replace("23.50€", "11.50€")
    account = read_hand(FORMAT, text)
    index = next(i for i in account.inferred if isinstance(account.events[i], b.BetReturned))
    assert account.events[index] == b.BetReturned(3, 1200)
    assert unbalanced(account) == []


def test_posts_out_of_position_are_dead_and_live() -> None:
    posts = events_of(read_hand(FORMAT, sample("side-pot-and-late-post")), o.BlindPosted)
    assert [(post.seat, post.role, post.live, post.dead) for post in posts] == [
        (1, "small", 25, 0),
        (2, "big", 50, 0),
        (3, "makeup-small", 0, 25),
        (3, "makeup-big", 50, 0),
    ]


def test_both_blinds_on_the_small_blind_s_line_are_parted_by_the_stakes() -> None:
    account = read_hand(FORMAT, sample("both-blinds-on-one-line"))
    small, big = events_of(account, o.BlindPosted)[2:]
    assert (small.role, small.live, small.dead) == ("makeup-small", 0, 100)
    assert (big.role, big.live, big.dead) == ("makeup-big", 200, 0)
    assert account.events.index(big) in account.inferred


def test_what_the_client_writes_for_forums_is_what_a_file_of_it_says() -> None:
    people = new_people()
    account = read_hand(FORMAT, sample("for-forums"), people=people)
    assert unread(account, people) == []
    assert unbalanced(account) == []
    assert [board.cards for board in events_of(account, d.BoardDealt)] == ["3d6d9c", "4h", "Qh"]
    assert [(event.seat, event.cards) for event in events_of(account, e.CardsShown)] == [(3, "As3h"), (2, "9s9d")]
    remarks = [people.words(remark.text) for remark in events_of(account, e.RemarkNoted)]
    assert remarks[0].startswith("Player Info: Seat1: P1-0123")
    start, length = account.places[2 * account.events.index(events_of(account, d.BoardDealt)[1]) :][:2]
    source = sample("for-forums").encode()
    assert source[account.start + start :][:length].decode().strip() == "[b]TURN[/b]"


def test_a_raise_among_the_posts_is_both_blinds() -> None:
    posts = events_of(read_hand(FORMAT, sample("posts-as-a-raise")), o.BlindPosted)
    assert [(post.seat, post.live, post.dead) for post in posts] == [(1, 0, 100), (1, 200, 0), (1, 0, 100), (3, 200, 0)]


def test_a_bet_against_a_bet_is_a_raise_by_what_it_adds() -> None:
    (raised,) = [act for act in events_of(read_hand(FORMAT, sample("tournament-ante")), b.Raised) if act.seat == 3]
    assert (raised.added, raised.to) == (365, 525)


def test_a_raise_for_less_than_the_bet_tells_what_the_seat_had_left() -> None:
    account = read_hand(FORMAT, sample("razz-short-raise"))
    (raised,) = events_of(account, b.Raised)
    assert (raised.added, raised.to) == (1270, 2070)
    assert events_of(account, b.Completed) == [b.Completed(3, 2000, 2000)]


def test_who_does_nothing_was_not_dealt_in() -> None:
    account = read_hand(FORMAT, sample("both-blinds-on-one-line"))
    (out,) = events_of(account, o.SeatLeftOut)
    assert (out.seat, out.reason) == (5, "sitting-out")
    assert events_of(account, o.BlindSkipped) == [o.BlindSkipped("big", 5)]
    assert account.events.index(out) in account.inferred


def test_a_hand_that_breaks_off_leaves_nobody_out() -> None:
    text = sample("side-pot-and-late-post").partition("Ada folds")[0]
    account = read_hand(FORMAT, text)
    assert len(events_of(account, o.SeatDealtIn)) == 5
    assert not events_of(account, e.HandCompleted)


def test_the_rake_comes_on_top_of_the_pot_that_is_declared() -> None:
    account = read_hand(FORMAT, sample("side-pot-and-late-post"))
    assert e.ResultDeclared("total-pot", None, 6510 + 170) in account.events
    assert e.DropTaken("rake", 170) in account.events


def test_a_rounded_pot_is_a_remark_and_no_result() -> None:
    people = new_people()
    account = read_hand(FORMAT, sample("tournament-ante"), people=people)
    assert [people.words(event.text) for event in events_of(account, e.RemarkNoted)] == ["Total pot 4.68k"]
    assert not [event for event in events_of(account, e.ResultDeclared) if event.what == "total-pot"]


def test_a_tournament_s_name_may_hold_anything() -> None:
    account = read_hand(FORMAT, sample("tournament-ante"))
    opened = account.opened
    assert (opened.tournament, opened.table, opened.number) == ("5557123", "46", "900000000000000004-31-1308511653")
    assert opened.started == 1308508053000  # two hours before UTC
    (costs,) = events_of(account, o.TournamentSet)
    assert (costs.level, costs.buy_in, costs.bounty, costs.fee, costs.currency) == ("9", 450, 450, 100, "EUR")
    assert [seat.bounty for seat in events_of(account, o.SeatDealtIn)] == [0, 225, 0]


def test_stud_deals_street_by_street_and_pays_halves() -> None:
    account = read_hand(FORMAT, sample("stud-hi-lo"))
    dealt = events_of(account, d.HoleCardsDealt)
    assert [(card.cards, card.up, card.how) for card in dealt[:4]] == [
        ("8d2d6d", "ddu", "owner"),
        ("????9h", "ddu", "dealt-up"),
        ("Kc", "u", "dealt-up"),
        ("3c", "u", "dealt-up"),
    ]
    assert [(card.cards, card.how) for card in dealt[-2:]] == [("??", "unknown"), ("4h", "owner")]
    assert [award.half for award in events_of(account, e.PotAwarded)] == ["high", "low"]


def test_draws_tell_what_was_thrown_away_and_what_came() -> None:
    account = read_hand(FORMAT, sample("triple-draw"))
    assert events_of(account, d.CardsDiscarded)[:2] == [d.CardsDiscarded(1, 2), d.CardsDiscarded(4, 2, "KcKd")]
    assert events_of(account, d.CardsDrawn) == [d.CardsDrawn(4, "7s9c"), d.CardsDrawn(4, "8d")]
    assert events_of(account, d.StoodPat) == [d.StoodPat(4), d.StoodPat(1)]
    (game,) = events_of(account, o.GameSet)
    assert (game.unit, game.bets, game.blinds) == ("play", (50, 100), ())


def test_money_that_the_room_adds_and_its_fast_tables_are_told() -> None:
    account = read_hand(FORMAT, sample("both-blinds-on-one-line"))
    assert events_of(account, o.PotSeeded) == [o.PotSeeded("promotion", 400)]
    assert events_of(account, o.OptionSet) == [o.OptionSet("other", "go fast")]


@pytest.mark.parametrize("kind", ["Go Fast", "ESCAPE", "HOLD-UP"])
def test_players_of_a_fast_table_are_a_pool(kind: str) -> None:
    account = read_hand(FORMAT, sample("both-blinds-on-one-line").replace("Go Fast", kind, 1))
    assert has_pool_option([(option.option, option.value) for option in events_of(account, o.OptionSet)])


def test_the_longest_name_that_fits_is_meant() -> None:
    account = read_hand(FORMAT, sample("hostile-names"))
    assert [event.seat for event in events_of(account, b.Folded)] == [4, 2, 3]
    assert events_of(account, d.BoardDealt) == [d.BoardDealt("flop", "2c7dKc")]


def test_silence_about_returned_bets_and_presence_is_no_evidence() -> None:
    witnesses = read_hand(FORMAT, sample("triple-draw")).opened.witnesses
    assert not witnesses & (Witness.RETURNED_BETS | Witness.PRESENCE | Witness.CLOCKS)


@pytest.mark.parametrize(
    ("game", "variant", "betting"),
    [
        ("Omaha5 pot limit", "omaha5", "pot-limit"),
        ("Omaha8 pot limit", "omaha8", "pot-limit"),
        ("5 Card Omaha Hi/Lo pot limit", "omaha5-8", "pot-limit"),
        ("7stud8 fixed limit", "stud8", "limit"),
        ("2-7 Triple Draw fixed limit", "triple-27", "limit"),
        ("HOLDEM NO LIMIT", "holdem", "no-limit"),
    ],
)
def test_games_by_all_their_names(game: str, variant: str, betting: str) -> None:
    text = sample("posts-as-a-raise").replace("Holdem no limit", game)
    (event,) = events_of(read_hand(FORMAT, text), o.GameSet)
    assert (event.variant, event.betting) == (variant, betting)


def test_a_line_nobody_knows_is_kept_and_the_hand_is_incomplete() -> None:
    people = new_people()
    text = sample("posts-as-a-raise").replace("Cy checks\n", "Cy checks\nCy whistles\nRain\n")
    assert unread(read_hand(FORMAT, text, people=people), people) == ["Cy whistles", "Rain"]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("Holdem no limit", "Belote", "unknown-game"),
        (" (1€/2€)", "", "header"),
        (" - 2015/03/11", " 2015/03/11", "header"),
        ("Seat 1: Ada (200€)", "Seat 77: Ada (2)", "seat"),
        ("Seat 1: Ada (200€)", "Seat 1: Ada", "seat"),
        ("calls 2€", "calls 2€€x", "amount"),
        ("Seat 2: Bo", "Seat 1: Bo", "seat"),
        ("(1€/2€)", "(1/2/3/4)", "header"),
    ],
)
def test_what_cannot_be_read_is_rejected_with_its_reason(old: str, new: str, code: str) -> None:
    (item,) = read(FORMAT, sample("posts-as-a-raise").replace(old, new))
    assert isinstance(item, Reject)
    assert item.code == code


def test_a_head_alone_is_cut_off() -> None:
    (item,) = read(FORMAT, sample("razz-short-raise").partition("\n")[0])
    assert isinstance(item, Reject)
    assert item.code == "cut-off"


def test_a_tournament_summary_is_no_hand() -> None:
    (item,) = read(FORMAT, "Winamax Poker - Tournament summary : Expresso(1)\nPlayer : Ada\n")
    assert isinstance(item, Reject)
    assert item.code == "not-a-hand"


@pytest.mark.parametrize(
    "line",
    [
        "Bo " * 20000,
        "Bo posts small blind " + "9" * 60000,
        "*** FLOP *** " + "[2c]" * 16000,
        "Bo collected 1€ from " * 3000,
        "Dealt to Bo " + "[" * 60000,
        "Seat 1: " * 8000,
        "Bo discard " + "1 " * 30000,
        " " * 65536,
        "Hold-up to Pot" + " total " * 9000,
    ],
)
def test_a_very_long_line_is_one_line_or_one_reject(line: str) -> None:
    text = sample("posts-as-a-raise").replace("Cy checks\n", f"Cy checks\n{line}\n")
    (item,) = read(FORMAT, text)
    assert isinstance(item, Account | Reject)


def test_stud_may_name_its_streets_in_words() -> None:
    text = sample("stud-hi-lo")
    worded = text.replace("brings in", "bring-in")
    for number, word in (("3rd", "THIRD"), ("4th", "FOURTH"), ("5th", "FIFTH"), ("6th", "SIXTH"), ("7th", "SEVENTH")):
        worded = worded.replace(f"*** {number} STREET ***", f"*** {word} ***")
    assert "STREET" not in worded.partition("*** SUMMARY")[0]
    assert read_hand(FORMAT, worded).events == read_hand(FORMAT, text).events


def test_who_stands_pat_may_be_told_with_the_cards() -> None:
    text = sample("triple-draw")
    assert "Bo discard 0 card" in text
    account = read_hand(FORMAT, text)
    for pat in ("stands pat", "stands pat [2c 3d 4h 7s 9c]"):
        assert read_hand(FORMAT, text.replace("Bo discard 0 card", f"Bo {pat}")).events == account.events
    people = new_people()
    odd = read_hand(FORMAT, text.replace("Bo discard 0 card", "Bo stands up"), people=people)
    assert unread(odd, people) == ["Bo stands up"]


def test_a_stack_that_is_not_told_is_unknown() -> None:
    text = sample("both-blinds-on-one-line").replace("Seat 1: Ada (200€)", "Seat 1: Ada ()", 1)
    stacks = {event.seat: event.stack for event in events_of(read_hand(FORMAT, text), o.SeatDealtIn)}
    assert (stacks[1], stacks[2]) == (None, 20_000)


def test_a_blind_that_somebody_denies_who_is_not_listed_is_a_remark() -> None:
    people = new_people()
    text = sample("posts-as-a-raise").replace("*** PRE-FLOP ***", "Nobody deny BB 0€\n*** PRE-FLOP ***", 1)
    account = read_hand(FORMAT, text, people=people)
    assert unread(account, people) == []
    assert [people.words(remark.text) for remark in events_of(account, e.RemarkNoted)] == ["Nobody deny BB 0€"]
    seated = text.replace("Nobody deny", "Bo deny")
    assert events_of(read_hand(FORMAT, seated), o.BlindSkipped) == [o.BlindSkipped("big", 2)]


def test_stud_without_its_first_heading_deals_its_open_cards_open() -> None:
    account = read_hand(FORMAT, sample("stud-hi-lo").replace("*** 3rd STREET ***", "*** 3rd STREE"))
    dealt = events_of(account, d.HoleCardsDealt)
    assert [(card.cards, card.up) for card in dealt[:2]] == [("8d2d6d", "ddu"), ("????9h", "ddu")]


def test_seat_0_sits_behind_seat_9_and_may_have_the_button() -> None:
    text = """Winamax Poker - CashGame - HandId: #8270134-804-1382586777 - Omaha pot limit (1€/2€) - 2015/12/15 04:29:17 UTC
Table: 'Own Port' 5-max (real money) Seat #0 is the button
Seat 0: Ada (865.05€)
Seat 1: Bo (200€)
Seat 2: Cy (266€)
*** ANTE/BLINDS ***
Bo posts small blind 1€
Cy posts big blind 2€
*** PRE-FLOP ***
Ada folds
Bo folds
Cy collected 3€ from pot
*** SUMMARY ***
Total pot 3€ | No rake
Seat 2: Cy (big blind) won 3€
"""
    hand = read_hand(FORMAT, text)
    assert [event.seat for event in events_of(hand, o.SeatDealtIn)] == [10, 1, 2]
    assert events_of(hand, o.ButtonPlaced) == [o.ButtonPlaced(10)]
    assert not unbalanced(hand)
    # Where nobody sits there, it is no button.
    assert not events_of(read_hand(FORMAT, text.replace("Seat 0:", "Seat 4:")), o.ButtonPlaced)
