"""What is written reads back as the same events, less what is listed as lost."""

from __future__ import annotations

import msgspec.structs
import pytest

from ledger.formats.pokerstars import FORMAT
from ledger.formats.pokerstars.event_writer import write
from ledger.formats.pokerstars.header import format_english_date
from ledger.hand.betting import Called, CashOutTaken, Raised
from ledger.hand.dealing import BoardDealt, CardBurned, DealCompleted, HoleCardsLearned
from ledger.hand.ending import BountyWon, CardsMucked, PlayerFinished, RemarkNoted
from ledger.hand.opening import BlindPosted, BlindRole, GameSet, HandOpened, SeatDealtIn, SeatLeftOut, TournamentSet
from ledger.people import People
from tests.formats.pokerstars.support import NAMES, new_people, read_hand, sample

BOARDS = """\
PokerStars Hand #900000000501:  Hold'em No Limit ($1/$2 USD) - 2026/02/11 12:00:00 ET
Table 'Pollux' 6-max Seat #1 is the button
Seat 1: Ada ($100 in chips)
Seat 2: Bo ($100 in chips)
Ada: posts small blind $1
Bo: posts big blind $2
*** HOLE CARDS ***
Ada: calls $1
Bo: checks
*** FLOP *** [2h 3h 4h]
"""
REMARKS = {"tournament-bounty", "portuguese-brazil"}  # what a knock-out adds to the winner's own bounty


UNUSUAL = ("old-without-returns", "splashed-pots", "gross-collected", "rush-and-cash", "lost-boards")
SINGLE = [name for name in NAMES if name not in UNUSUAL]
"""Samples of one hand that PokerStars could have written itself."""


@pytest.mark.parametrize("name", SINGLE)
def test_read_write_read_gives_the_same_events(name: str) -> None:
    people = new_people()
    account = read_hand(sample(name), people)
    export = write(account.events, people)
    events = read_hand(export.text, people).events
    expected = [event for event in account.events if name not in REMARKS or not isinstance(event, RemarkNoted)]
    opened = expected[0]
    assert isinstance(opened, HandOpened)
    expected[0] = msgspec.structs.replace(opened, written=format_english_date(opened.written))
    assert events == expected
    assert bool(export.losses) == (name in REMARKS)


@pytest.mark.parametrize("name", ["dead-blinds", "razz", "six-plus", "hostile-names", "courchevel-straddle"])
def test_a_hand_of_today_is_written_to_the_byte(name: str) -> None:
    people = new_people()
    text = sample(name).replace("$1,400.50", "$1400.50")
    assert write(read_hand(text, people).events, people).text == text


def test_a_derived_return_is_written_so_that_pots_add_up() -> None:
    people = new_people()
    text = write(read_hand(sample("old-without-returns"), people).events, people).text
    assert "Uncalled bet ($10) returned to Bo\n" in text
    assert "Total pot $13 | Rake $0.50 \n" in text


def test_what_the_text_cannot_say_is_listed() -> None:
    people = new_people()
    events = [*read_hand(sample("razz"), people).events]
    events.insert(8, CardBurned("fourth"))
    assert write(events, people).losses == ["burns (1)"]


def test_an_erased_player_is_written_without_a_name() -> None:
    people = new_people()
    account = read_hand(sample("razz"), people)
    text = write(account.events, People(bytes(32))).text
    assert "Ada" not in text
    assert len(read_hand(text).events) == len(account.events)


def test_the_format_writes() -> None:
    assert FORMAT.write is write


def test_posts_that_the_record_tells_behind_the_cards_stand_before_them() -> None:
    people = new_people()
    events = [*read_hand(sample("dead-blinds"), people).events]
    posts = [event for event in events if isinstance(event, BlindPosted)]
    dealt = next(index for index, event in enumerate(events) if isinstance(event, DealCompleted))
    events_with_late_posts = (
        [event for event in events[: dealt + 1] if event not in posts] + posts + events[dealt + 1 :]
    )
    assert events_with_late_posts != events
    assert write(events_with_late_posts, people).text == write(events, people).text


@pytest.mark.parametrize(
    "buy_in", ["Holdem Multi Normal Tournament No Limit 10", "4,57 $ + 0,43 $", '"Freeroll 150€" buyIn: Gratuit']
)
def test_another_rooms_words_for_a_buy_in_are_not_taken_for_the_games_name(buy_in: str) -> None:
    people = new_people()
    events = [*read_hand(sample("tournament-bounty"), people).events]
    index = next(index for index, event in enumerate(events) if isinstance(event, TournamentSet))
    events[index] = TournamentSet("I", 457, 43, None, "USD", buy_in)
    export = write(events, people)
    tournaments = [event for event in read_hand(export.text, people).events if isinstance(event, TournamentSet)]
    assert tournaments == [TournamentSet("I", 457, 43, None, "USD", "$4.57+$0.43 USD")]
    assert "the buy-in as the room writes it (1)" in export.losses
    events[index] = TournamentSet("I", None, None, None, "", buy_in)
    (again_unknown,) = [
        event for event in read_hand(write(events, people).text, people).events if isinstance(event, TournamentSet)
    ]
    assert again_unknown.buy_in is None, "what is not told is not said to be free"


def test_a_second_board_is_listed_and_not_written_as_a_run() -> None:
    people = new_people()
    events = [*read_hand(BOARDS, people).events]
    export = write([*events, BoardDealt("flop", "2c3c4c", 2)], people)
    assert export.losses == ["second boards (1)"]
    assert read_hand(export.text, people).events == events


def test_a_board_that_was_run_more_often_than_the_text_has_words_for_is_listed_and_not_written() -> None:
    events = [*read_hand(BOARDS).events]
    export = write([*events, *(BoardDealt("turn", "5h", run=run) for run in range(1, 6))], new_people())
    assert export.text == ""
    assert export.losses == ["a board that was run more than three times"]


def test_a_cash_out_without_a_price_is_not_one_for_nothing() -> None:
    people = new_people()
    events = [*read_hand(BOARDS, people).events]
    export = write([*events, CashOutTaken(1, None, 0)], people)
    assert export.losses == ["cash-outs without a price (1)"]
    assert read_hand(export.text, people).events == events


def test_who_is_out_without_a_rank_is_not_the_last_of_none() -> None:
    people = new_people()
    events = [*read_hand(sample("tournament-bounty"), people).events]
    index = next(index for index, event in enumerate(events) if isinstance(event, PlayerFinished))
    events[index] = PlayerFinished(3)
    round_trip = read_hand(write(events, people).text, people).events
    assert next(event for event in round_trip if isinstance(event, PlayerFinished)) == PlayerFinished(3)


@pytest.mark.parametrize(
    ("unit", "expected_unit", "lost"), [("SEK", "SEK", []), ("mBTC", "play", ["the currency (1)"])]
)
def test_a_currency_without_a_sign_is_written_by_its_code_or_listed(
    unit: str, expected_unit: str, lost: list[str]
) -> None:
    people = new_people()
    events = [
        msgspec.structs.replace(event, unit=unit) if isinstance(event, GameSet) else event
        for event in read_hand(BOARDS, people).events
    ]
    export = write(events, people)
    assert export.losses == lost
    assert [event.unit for event in read_hand(export.text, people).events if isinstance(event, GameSet)] == [
        expected_unit
    ]


@pytest.mark.parametrize(
    ("role", "live", "dead"), [("makeup-small", 0, 100), ("entry", 200, 0), ("makeup-big", 200, 0)]
)
def test_a_post_that_would_be_taken_for_the_first_blind_is_listed(role: BlindRole, live: int, dead: int) -> None:
    people = new_people()
    events = [*read_hand(BOARDS, people).events]
    first = next(index for index, event in enumerate(events) if isinstance(event, BlindPosted))
    events[first : first + 2] = [BlindPosted(2, role, live, dead, False)]
    assert "the kind of a blind (1)" in write(events, people).losses


def test_a_second_small_blind_that_counts_is_listed_as_it_would_be_taken_for_a_dead_one() -> None:
    people = new_people()
    events = [*read_hand(BOARDS, people).events]
    blinds = [index for index, event in enumerate(events) if isinstance(event, BlindPosted)]
    events.insert(blinds[-1] + 1, BlindPosted(2, "makeup-small", 100, 0, False))
    assert "that a second small blind counts (1)" in write(events, people).losses


def test_who_got_no_cards_in_a_tournament_is_listed_as_all_who_sit_out_there_get_some() -> None:
    people = new_people()
    events = [*read_hand(sample("tournament-bounty"), people).events]
    last = max(index for index, event in enumerate(events) if isinstance(event, SeatDealtIn))
    events.insert(last + 1, SeatLeftOut(9, people.player("PokerStars", "Gil"), 100, "sitting-out"))
    assert "that a seat of a tournament got no cards (1)" in write(events, people).losses


def test_a_tournaments_name_without_a_level_is_written_so_that_it_is_read_again() -> None:
    people = new_people()
    events = [*read_hand(sample("tournament-bounty"), people).events]
    index = next(index for index, event in enumerate(events) if isinstance(event, TournamentSet))
    events[index] = TournamentSet("", 100, 10, None, "USD", "$1+$0.10 - On Demand")
    export = write(events, people)
    assert "the buy-in as the room writes it (1)" in export.losses
    (tournament,) = [event for event in read_hand(export.text, people).events if isinstance(event, TournamentSet)]
    assert (tournament.buy_in, tournament.fee) == (100, 10)


SHOWDOWN = """\
Bo: checks
Ada: checks
*** SHOW DOWN ***
Ada: shows [Ah Kh] (a flush)
Bo: mucks hand
Ada collected $4 from pot
*** SUMMARY ***
Total pot $4 | Rake $0
Board [2h 3h 4h]
Seat 1: Ada (button) (small blind) showed [Ah Kh] and won ($4) with a flush
Seat 2: Bo (big blind) mucked
"""


def test_mucked_cards_stand_in_the_summary() -> None:
    people = new_people()
    shown_events = read_hand(BOARDS + SHOWDOWN, people).events
    events = [CardsMucked(2, "7h7s") if isinstance(event, CardsMucked) else event for event in shown_events]
    export = write(events, people)
    assert "Seat 2: Bo (big blind) mucked [7h 7s]\n" in export.text
    round_trip = read_hand(export.text, people).events
    assert HoleCardsLearned(2, "7h7s", "after") in round_trip
    assert [event for event in round_trip if not isinstance(event, HoleCardsLearned)] == shown_events


def test_a_bounty_for_a_hand_is_none_for_an_elimination() -> None:
    people = new_people()
    events = [*read_hand(BOARDS, people).events, BountyWon(1, 500, None, "seven-deuce")]
    export = write(events, people)
    assert export.losses == ["bounties that are for nobody's elimination (1)"]
    assert read_hand(export.text, people).events == events[:-1]


def test_a_raise_below_the_bet_is_listed_and_written_as_the_chips_that_it_put_in() -> None:
    people = new_people()
    events = [
        Raised(1, 100, 300) if isinstance(event, Called) else event
        for event in read_hand(BOARDS.replace("Bo: posts big blind $2", "Bo: posts big blind $4"), people).events
    ]
    export = write(events, people)
    assert export.losses == ["a raise below the bet (1)"]
    assert Called(1, 100, 200, all_in=False) in read_hand(export.text, people).events


def test_blinds_are_no_bets_of_a_limit_without_a_word() -> None:
    people = new_people()
    events = [
        msgspec.structs.replace(event, betting="limit") if isinstance(event, GameSet) else event
        for event in read_hand(BOARDS, people).events
    ]
    assert write(events, people).losses == ["bets of a limit that nobody told (1)"]


def test_a_game_that_the_text_has_no_word_for_is_named_and_not_written() -> None:
    export = write([HandOpened("R", "1", "1", 0), GameSet("drawmaha-27", "limit", "cash", "USD", 2)], new_people())
    assert export.text == ""
    assert export.losses == ["the game: PokerStars' text has no word for drawmaha-27"]
