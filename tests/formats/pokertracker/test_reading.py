"""Hands that PokerTracker exported become the right events, whatever the bytes look like."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger import formats
from ledger.account import Account, Reject
from ledger.formats.pokertracker import FORMAT
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.presence import ConnectionLost
from ledger.vocabulary import Witness
from tests.formats.support import events_of, new_people, read, read_hand, texts, unbalanced, unread

SAMPLES = sorted((Path(__file__).parent / "samples").glob("*.txt"))


sample = texts("pokertracker")


def hands(text: str) -> list[Account]:
    return [item for item in read(FORMAT, text) if isinstance(item, Account)]


@pytest.mark.parametrize(
    ("name", "venue"),
    [("everest", "Everest"), ("ipoker", "iPoker"), ("merge", "Merge"), ("microgaming", "Microgaming")],
)
def test_the_frame_tells_the_room(name: str, venue: str) -> None:
    assert {account.opened.venue for account in hands(sample(name))} == {venue}


def test_everest_writes_totals_of_raises_and_names_the_bets_it_gives_back() -> None:
    hand, _ = hands(sample("everest"))
    assert [(act.seat, act.added, act.to, act.all_in) for act in events_of(hand, b.Raised)] == [
        (1, 400, 400, None),
        (1, 9600, 9600, True),
    ]
    (returned,) = events_of(hand, b.BetReturned)
    assert (returned, hand.events.index(returned) in hand.inferred) == (b.BetReturned(1, 7000), False)
    assert e.DropTaken("rake", 300) in events_of(hand, e.DropTaken)


def test_a_dead_blind_is_dead_when_it_is_small_and_live_when_it_is_the_big_one() -> None:
    first, second = hands(sample("everest"))
    assert events_of(first, o.BlindPosted)[2:] == [
        o.BlindPosted(4, "makeup-small", 0, 50),
        o.BlindPosted(4, "entry", 100),
    ]
    assert events_of(second, o.BlindPosted)[2] == o.BlindPosted(4, "entry", 100)


def test_a_hand_shown_twice_is_one_showing() -> None:
    hand, second = hands(sample("everest"))
    assert [event.seat for event in events_of(hand, e.CardsShown)] == [1, 2]
    assert events_of(second, e.CardsMucked) == [e.CardsMucked(2, "7h7sJcTd")]
    assert [lost.seat for lost in events_of(second, ConnectionLost)] == [1]


def test_a_tournament_of_everest_is_no_game_for_dollars() -> None:
    text = sample("everest").replace("Table ", "Tourney ID: 900700, Table 900700-", 1)
    hand, cash = hands(text)
    (game,) = events_of(hand, o.GameSet)
    assert (game.format, game.unit) == ("tournament", "chips")
    assert (hand.opened.tournament, hand.opened.table.partition("-")[0]) == ("900700", "900700")
    assert len(events_of(hand, o.TournamentSet)) == 1
    assert events_of(cash, o.GameSet)[0].unit == "USD"


def test_who_is_listed_and_does_nothing_is_left_out() -> None:
    hand, _ = hands(sample("everest"))
    assert [out.seat for out in events_of(hand, o.SeatLeftOut)] == [5]


def test_the_archive_of_ipoker_writes_what_a_raise_adds() -> None:
    hand = hands(sample("ipoker"))[0]
    assert [(act.added, act.to) for act in events_of(hand, b.Raised)] == [(25000, 30000), (80000, 90000)]
    assert events_of(hand, d.BoardDealt)[1].cards == "2s"


def test_where_calls_fit_only_raises_that_add_they_are_read_so() -> None:
    hand = hands(sample("ipoker"))[3]
    assert [(act.added, act.to) for act in events_of(hand, b.Raised)] == [(250, 300), (800, 900)]
    totals = sample("ipoker").replace("Raise $2.50", "Raise $3.00").replace("Raise $8.00", "Raise $9.00")
    hand = hands(totals)[3]
    assert [(act.added, act.to) for act in events_of(hand, b.Raised)] == [(250, 300), (800, 900)]


def test_all_in_is_what_the_seat_has_left() -> None:
    hand = hands(sample("ipoker"))[1]
    assert events_of(hand, b.Bet) == [b.Bet(5, 4100, 4100, True)]
    assert events_of(hand, b.Called)[-1] == b.Called(1, 3100, 3100, True)
    (returned,) = events_of(hand, b.BetReturned)
    assert returned == b.BetReturned(5, 1000)
    assert hand.events.index(returned) in hand.inferred


def test_the_declared_pot_counts_the_rake_which_the_line_leaves_out() -> None:
    hand = hands(sample("ipoker"))[1]
    assert events_of(hand, e.ResultDeclared) == [e.ResultDeclared("total-pot", None, 8050)]
    assert events_of(hand, e.DropTaken) == [e.DropTaken("rake", 250)]


def test_a_tournament_tells_its_number_its_price_and_greenwich_time() -> None:
    hand = hands(sample("ipoker"))[2]
    assert (hand.opened.tournament, hand.opened.started) == ("900100", 1558637225000)
    (cost,) = events_of(hand, o.TournamentSet)
    assert (cost.buy_in, cost.fee, cost.currency) == (455, 45, "EUR")
    (game,) = events_of(hand, o.GameSet)
    assert (game.unit, game.exponent) == ("chips", 0)


def test_a_line_about_the_table_tells_its_chairs_and_a_tournament_s_blinds() -> None:
    text = sample("ipoker")
    info = "\nTable Info: Size: 3, Blinds: 10/20, Ante: 5\nTable "
    cash, tournament = read(FORMAT, text.replace("\nTable ", info))[1:3]
    assert isinstance(cash, Account)
    assert isinstance(tournament, Account)
    assert (cash.opened.seats, tournament.opened.seats) == (3, 3)
    assert [events_of(account, o.GameSet)[0].blinds for account in (cash, tournament)] == [(50, 100), (10, 20)]
    assert events_of(tournament, o.GameSet)[0].ante == 5
    item = read(FORMAT, text.replace("\nTable ", "\nTable Size 6\nTable "))[2]
    assert isinstance(item, Account)
    assert (item.opened.seats, item.opened.table) == (6, tournament.opened.table)
    assert tournament.opened.tournament == "900100"


def test_an_act_may_be_marked_all_in() -> None:
    text = sample("ipoker").replace("Ada: Raise (NF) ", "Ada: Raise (AI) ")
    assert [account.events for account in hands(text)] == [account.events for account in hands(sample("ipoker"))]


def test_merges_tournaments_list_stacks_behind_the_posts() -> None:
    hand = hands(sample("merge"))[0]
    assert [(seat.seat, seat.stack) for seat in events_of(hand, o.SeatDealtIn)] == [(1, 500), (2, 475), (3, 1025)]
    assert all(hand.events.index(seat) in hand.inferred for seat in events_of(hand, o.SeatDealtIn))


def test_merges_bet_that_nobody_called_is_told_or_within_the_award() -> None:
    _, uncounted, counted = hands(sample("merge"))
    assert events_of(uncounted, b.BetReturned) == [b.BetReturned(2, 4)]
    assert events_of(uncounted, e.PotAwarded) == [e.PotAwarded(2, 10)]
    assert events_of(counted, b.BetReturned) == [b.BetReturned(1, 60)]
    assert events_of(counted, e.PotAwarded) == [e.PotAwarded(1, 95)]
    assert events_of(counted, e.DropTaken) == [e.DropTaken("rake", 5)]


def test_microgaming_always_writes_what_is_added() -> None:
    hand = hands(sample("microgaming"))[1]
    assert [(act.added, act.to) for act in events_of(hand, b.Raised)] == [(175, 175), (500, 550), (1425, 1600)]


def test_an_older_microgaming_writes_the_totals_of_calls_and_raises() -> None:
    text = """** Game ID 900000034 starting - 2011-11-02 23:08:51
** Deal 7 (Deep) - €5 Min [Hold'em] (0.05|0.10 NL - € Cash Game) Real Money

- Ada sitting in seat 1 with €6.00 [Dealer]
- Bo sitting in seat 2 with €4.00
- Hero sitting in seat 3 with €5.00

Bo posted the small blind - €0.05
Hero posted the big blind - €0.10
** Dealing card to Hero: 2 of d, 2 of h
Ada raised - €0.30
Bo folded
Hero called - €0.30
** Dealing the flop: A of s, 10 of s, 2 of c
Hero bet - €0.60
Ada raised - €1.40
Hero raised - €3.00
Ada went all-in - €4.30
Hero went all-in - €1.70
Hero wins €9.60 from the main pot

End of game 900000034
"""
    (hand,) = hands(text)
    assert [(act.seat, act.added, act.to) for act in events_of(hand, b.Called)] == [(3, 20, 30), (3, 170, 470)]
    assert [(act.seat, act.added, act.to) for act in events_of(hand, b.Raised)] == [
        (1, 30, 30),
        (1, 140, 140),
        (3, 240, 300),
        (1, 430, 570),
    ]
    assert events_of(hand, b.BetReturned) == [b.BetReturned(1, 100)]
    assert unbalanced(hand) == []


def test_a_blind_that_takes_the_last_chips_is_a_blind() -> None:
    hand = hands(sample("microgaming"))[2]
    assert events_of(hand, o.BlindPosted) == [o.BlindPosted(1, "small", 15), o.BlindPosted(2, "big", 15, 0, True)]
    assert hand.opened.tournament == "900600"


def test_stacks_at_the_end_are_declared() -> None:
    hand = hands(sample("microgaming"))[0]
    declared = {event.seat: event.amount for event in events_of(hand, e.ResultDeclared)}
    assert declared == {1: 980, 2: 490, 4: 150, 5: 1029}


def test_a_line_nobody_knows_is_kept_and_the_hand_is_incomplete() -> None:
    people = new_people()
    text = sample("merge").replace("Ada: Fold\n", "Ada: Fold\nThe lights went out\nAda: Sings\n", 1)
    first = read(FORMAT, text, people=people)[0]
    assert isinstance(first, Account)
    assert unread(first, people) == ["The lights went out", "Ada: Sings"]


def test_a_big_blind_of_both_blinds_counts_up_to_the_big_one() -> None:
    text = """\
GAME #900000019: Texas Hold'em  NL $0.05/$0.10 2011-10-12 02:59:44
Table Own
Seat 1: Ada ($2.80 in chips)
Seat 2: Bo ($4.78 in chips) DEALER
Seat 3: Cy ($6.00 in chips)
Seat 4: Di ($6.00 in chips)
Cy: Post SB $0.05
Di: Post BB $0.10
Ada: Post BB $0.15
*** HOLE CARDS ***
Ada: Check
Bo: Raise (NF) $0.40
Cy: Fold
Di: Fold
Ada: Fold
*** SUMMARY ***
Total pot $0.70 Rake $0.00
Bo: wins $0.70
"""
    hand = read_hand(FORMAT, text)
    assert events_of(hand, o.BlindPosted)[2:] == [
        o.BlindPosted(1, "makeup-small", 0, 5),
        o.BlindPosted(1, "makeup-big", 10),
    ]
    assert unbalanced(hand) == []


@pytest.mark.parametrize(
    ("name", "old", "new", "code"),
    [
        ("everest", "No Limit Hold'em", "Limit Belote", "unknown-game"),
        ("everest", "Seat 1: Ada ($100.00)", "Seat 1: Ada $100.00", "seat"),
        ("everest", "#900000001:", "#9x:", "header"),
        ("everest", " - No Limit Hold'em - 22:33:12", "", "header"),
        ("merge", "Post SB $50.00", "Post SB $5e1", "amount"),
        ("merge", "Holdem NL", "7 Card Stud", "unknown-game"),
        ("microgaming", "[Hold'em]", "[Belote]", "unknown-game"),
        ("microgaming", "sitting in seat 1", "sitting in seat x", "seat"),
    ],
)
def test_what_cannot_be_read_is_rejected_with_its_reason(name: str, old: str, new: str, code: str) -> None:
    item = read(FORMAT, sample(name).replace(old, new, 1))[0]
    assert isinstance(item, Reject)
    assert item.code == code


def test_a_hand_without_its_seats_is_cut_off_and_says_whose_it_is() -> None:
    (item,) = read(FORMAT, sample("ipoker").partition("\n")[0])
    assert isinstance(item, Reject)
    assert item.code == "cut-off"
    assert "iPoker" in item.reason


@pytest.mark.parametrize(
    "line",
    [
        "Ada " * 12000,
        "*** FLOP *** [" * 3000,
        "Dealt to Ada [" * 4000,
        "Ada: wins 5 from " * 4000,
        "Uncalled bet of " * 8000,
        "Ada: " * 9000,
        "Total pot " * 5000,
    ],
)
def test_a_very_long_line_is_one_line_or_one_reject(line: str) -> None:
    first = read(FORMAT, sample("merge").replace("*** FLOP", line + "\n*** FLOP", 1))[0]
    assert isinstance(first, Account | Reject)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_another_reader_says_which_program_wrote_a_hand(path: Path) -> None:
    for item in read(formats.get("pokerstars"), path.read_bytes()):
        assert isinstance(item, Reject)
        assert item.code == "other-room"
        assert "exported by PokerTracker" in item.reason


def test_a_dealers_mark_at_the_small_blind_is_no_button_where_three_play() -> None:
    unmarked_text = sample("merge").replace("Ada ($475.00 in chips) DEALER", "Ada ($475.00 in chips)")
    marked = unmarked_text.replace("Bo Lee ($400.00 in chips)", "Bo Lee ($400.00 in chips) DEALER", 1)
    hand = hands(marked)[0]
    assert not events_of(hand, o.ButtonPlaced)
    assert not hand.opened.witnesses & Witness.BUTTON
    assert hands(sample("merge"))[0].opened.witnesses & Witness.BUTTON


def test_who_is_out_of_a_tournament_keeps_the_place_and_the_words_of_the_prize() -> None:
    people = new_people()
    text = sample("everest")
    last = text.rindex("Ada collects $6.65")
    changed_text = text[:last] + text[last:].replace(
        "Ada collects $6.65",
        "Ada collects $6.65\nBo Lee finished in place 2 and won 0,03 €\nDot finished in place 3 and won $$0\nNobody finished in place 4",
    )
    hand = [item for item in read(FORMAT, changed_text, people=people) if isinstance(item, Account)][-1]
    assert events_of(hand, e.PlayerFinished) == [e.PlayerFinished(2, 2), e.PlayerFinished(4, 3)]
    assert [people.words(event.text) for event in events_of(hand, e.RemarkNoted)][-2:] == ["won 0,03 €", "won $$0"]
    assert unread(hand, people) == ["Nobody finished in place 4"]


def test_microgamings_antes_are_posts() -> None:
    text = sample("microgaming").replace(
        "Ada B posted the small blind", "Ada posted ante - €0.02\nAda B posted the small blind", 1
    )
    assert events_of(hands(text)[0], o.AntePosted) == [o.AntePosted(2, 2)]


def test_chips_bought_before_the_hand_and_a_blind_that_took_all_of_them_are_read() -> None:
    text = sample("ipoker").replace(
        "Seat 3: Eve ($12,000.00 in chips)", "Seat 3: Eve ($12,000.00 in chips) (REBUY) (ADDON)", 1
    )
    text = text.replace("Fay: BB $100.00", "Fay: Post BB Allin $100.00", 1)
    first = hands(text)[0]
    assert {event.seat: event.stack for event in events_of(first, o.SeatDealtIn)}[3] == 1_200_000
    (big,) = [event for event in events_of(first, o.BlindPosted) if event.role == "big"]
    assert (big.live, big.all_in) == (10_000, True)


def test_at_a_table_with_a_jackpot_the_untold_rest_is_rake_and_jackpot_where_it_is_both_to_the_cent() -> None:
    """A twentieth of 6.00 and 0.50; of 2.50 the rake alone."""
    drops = [events_of(item, e.DropTaken) for item in read(FORMAT, sample("bad-beat")) if isinstance(item, Account)]
    assert drops == [[e.DropTaken("jackpot", 50), e.DropTaken("rake", 30)], [e.DropTaken("rake", 12)]]
    account = read_hand(FORMAT, sample("bad-beat").partition("\n\n\n")[0].replace("8.20", "8.19"))
    assert events_of(account, e.DropTaken) == []  # more than a tenth, and not what the table takes
