"""Betclic's text becomes the right events, each at its place and time."""

from __future__ import annotations

import re

import pytest

from ledger.account import Account, Reject
from ledger.formats import recognise
from ledger.formats.betclic import FORMAT
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.presence import ConnectionLost, ConnectionRestored, PlayerAway, PlayerBack
from ledger.vocabulary import Witness
from tests.formats.support import events_of, new_people, read, read_hand, texts, unbalanced, unread

sample = texts("betclic")
SHOWS = re.compile(r"^(\w+) shows (\[[^\]]*\]).*\n", re.MULTILINE)


def hands(name: str = "cash") -> list[Account]:
    return [item for item in read(FORMAT, sample(name)) if isinstance(item, Account)]


def test_every_chip_is_accounted_for() -> None:
    for account in (*hands(), *hands("tournament")):
        assert unbalanced(account) == []


def test_marks_behind_a_seat_are_no_part_of_the_name() -> None:
    people = new_people()
    read(FORMAT, sample("cash"), people=people)
    assert {name for _, name in people.names.values()} == {"Ada", "Bo: Folds", "Cy (€1", "Di [BB]", "Newcomer"}


def test_the_owner_s_cards_are_known_before_and_others_after_the_hand() -> None:
    account = hands()[0]
    dealt = events_of(account, d.HoleCardsDealt)
    assert [(event.seat, event.how) for event in dealt] == [(1, "after"), (3, "owner")]
    assert account.opened.witnesses & Witness.OWN_CARDS


def test_cards_are_dealt_when_the_blinds_are_posted_though_they_stand_before() -> None:
    events = hands()[0].events
    last_post = max(index for index, event in enumerate(events) if isinstance(event, o.BlindPosted))
    first_cards = next(index for index, event in enumerate(events) if isinstance(event, d.HoleCardsDealt))
    assert last_post < first_cards < events.index(d.DealCompleted()) < events.index(b.Folded(5))


def test_a_small_blind_in_another_seat_is_dead() -> None:
    account = hands()[1]
    posts = events_of(account, o.BlindPosted)
    assert [(post.seat, post.role, post.live, post.dead) for post in posts] == [
        (5, "makeup-small", 0, 100),
        (3, "small", 100, 0),
        (5, "big", 200, 0),
    ]
    assert [event.seat for event in events_of(account, o.SeatLeftOut)] == [6]


def test_a_big_blind_in_another_seat_enters() -> None:
    text = sample("cash").split("------------")[1].strip() + "\n"
    text = text.replace(
        "23:58:33 - Ada: Folds",
        "23:58:31 - Newcomer: Posts BB €2.00\n23:58:33 - Ada: Folds\n23:58:34 - Newcomer: Folds",
    )
    posts = events_of(read_hand(FORMAT, text), o.BlindPosted)
    assert [(post.seat, post.role) for post in posts][-1] == (6, "entry")


def test_an_uncalled_bet_stays_in_a_pot_without_showdown_and_goes_back_at_one() -> None:
    assert [events_of(account, b.BetReturned) for account in hands()] == [[], []]
    account = hands("tournament")[0]
    (event,) = events_of(account, b.BetReturned)
    assert event == b.BetReturned(4, 18000)
    assert account.events.index(event) in account.inferred


def test_the_rake_is_told_before_the_hand_and_taken_at_its_end() -> None:
    first = hands()[0]
    assert events_of(first, e.DropTaken) == [e.DropTaken("rake", 350)]
    assert events_of(first, e.PotAwarded) == [e.PotAwarded(1, 19750, 0)]


def test_acts_have_their_times_past_midnight_too() -> None:
    account = hands()[0]
    times = [account.times[time] - account.opened.started for time in sorted(account.times)]  # type: ignore[operator] # the sample tells the moment
    assert times == sorted(times)
    assert (times[0], times[-1]) == (0, 59_000)
    assert len(times) == sum(" - " in line[8:11] for line in sample("cash").split("------------")[0].splitlines())


def test_who_is_away_and_who_lost_the_connection() -> None:
    assert [events_of(hands()[0], kind)[0].seat for kind in (ConnectionLost, ConnectionRestored)] == [5, 5]
    assert [events_of(hands("tournament")[0], kind)[0].seat for kind in (PlayerAway, PlayerBack)] == [5, 5]


def test_a_tournament_tells_price_bounties_and_places() -> None:
    knockout, spin = hands("tournament")
    assert events_of(knockout, o.TournamentSet)[0] == o.TournamentSet(
        "", 1000, currency="EUR", written="LE MARTEAU, SKO"
    )
    assert [seat.bounty for seat in events_of(knockout, o.SeatDealtIn)] == [500, 750, 500, 1000]
    assert events_of(knockout, e.BountyWon) == [
        e.BountyWon(4, 250, 1, "progressive"),
        e.BountyWon(4, 375, 2, "progressive"),
    ]
    assert events_of(knockout, e.PlayerFinished) == [e.PlayerFinished(1, 41), e.PlayerFinished(2, 40)]
    assert events_of(spin, e.PlayerFinished) == [e.PlayerFinished(1, 2), e.PlayerFinished(3, 1, 600)]
    assert events_of(spin, o.TournamentSet)[0].written == "Spin & Rush 2€, x3, 6.00€"


def test_pots_have_their_numbers() -> None:
    won = events_of(hands("tournament")[0], e.PotAwarded)
    assert [(award.amount, award.pot) for award in won] == [(12550, 0), (16000, 1)]


@pytest.mark.parametrize(
    ("line", "strange"),
    [
        ("Weather: fine\nBlinds: €1.00/€2.00", "Weather: fine"),
        ("Blinds: €1.00/€2.00\nBlinds: €5.00/€9.00", "Blinds: €5.00/€9.00"),
    ],
)
def test_a_fact_nobody_knows_is_kept(line: str, strange: str) -> None:
    people = new_people()
    account = read(FORMAT, sample("cash").replace("Blinds: €1.00/€2.00", line, 1), people=people)[0]
    assert isinstance(account, Account)
    assert unread(account, people) == [strange]


def test_what_is_shown_at_a_moment_is_shown() -> None:
    for account in hands():
        shown_cards = [(event.seat, event.cards) for event in events_of(account, e.CardsShown)]
        text = SHOWS.sub(r"23:59:59 - \1: Shows \2\n", sample("cash"))
        timed = next(item for item in read(FORMAT, text) if isinstance(item, Account) and item.opened == account.opened)
        assert [(event.seat, event.cards) for event in events_of(timed, e.CardsShown)] == shown_cards
        assert not events_of(timed, e.LineUnread)


def test_a_line_nobody_knows_is_kept() -> None:
    people = new_people()
    text = sample("cash").replace("23:59:58 - Ada:", "23:59:56 - Ada: Sings\n23:59:58 - Ada:")
    account = read(FORMAT, text, people=people)[0]
    assert isinstance(account, Account)
    assert unread(account, people) == ["23:59:56 - Ada: Sings"]


@pytest.mark.parametrize(
    ("intact_text", "damaged_text", "code"),
    [
        ("Hand ID: 01MADEUPHAND00000000000003", "Hand ID: -", "header"),
        ("Game Type: NL Texas Hold'em", "Game Type: NL Go Fish", "unknown-game"),
        ("Blinds: €1.00/€2.00", "Blinds: big", "header"),
        ("Seat 1: Ada (€100.00) [BTN]", "Seat 1: Ada", "seat"),
        ("(€180.50)", "(many)", "amount"),
    ],
)
def test_what_is_damaged_is_a_reject_and_the_next_hand_is_read(intact_text: str, damaged_text: str, code: str) -> None:
    torn, *following_items = read(FORMAT, sample("cash").replace(intact_text, damaged_text, 1))
    assert isinstance(torn, Reject)
    assert torn.code == code
    assert [type(item) for item in following_items] == [Account]


def test_a_hand_that_breaks_off_is_kept_without_its_end() -> None:
    text = sample("cash").split("*** TURN ***")[0]
    account = read_hand(FORMAT, text)
    assert events_of(account, e.HandCompleted) == []
    assert events_of(account, o.SeatLeftOut) == []
    (torn,) = read(FORMAT, text.split("*** PLAYERS ***")[0])
    assert isinstance(torn, Reject)
    assert torn.code == "cut-off"


def test_a_table_of_facts_without_a_hand_is_not_claimed() -> None:
    assert recognise(b"*** HEADER ***\nSite: elsewhere\n*** BODY ***\n") is None
    format_ = recognise(sample("cash").encode())
    assert format_ is not None
    assert format_.name == "betclic"
