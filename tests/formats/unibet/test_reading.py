"""Unibet's text becomes the right events, each at its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from ledger.account import Account, Reject
from ledger.formats.unibet import FORMAT
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.fold import fold
from ledger.presence import ConnectionLost
from ledger.vocabulary import Witness
from tests.formats.support import events_of, new_people, read, read_hand, unread


def sample(name: str = "young-form") -> str:
    return (Path(__file__).parent / "samples" / f"{name}.txt").read_text(encoding="utf-8")


def hands(name: str = "young-form") -> list[Account]:
    return [item for item in read(FORMAT, sample(name)) if isinstance(item, Account)]


def test_the_owner_s_token_is_no_part_of_the_name() -> None:
    people = new_people()
    for item in read(FORMAT, sample(), people=people):
        assert isinstance(item, Account)
    names = {name for _, name in people.names.values()}
    assert names == {"Ada", "Bo folds", "Bo", "Cy (€1", "Newcomer", "Di", "Ed"}


def test_the_owner_s_cards_are_known_before_and_others_after_the_hand() -> None:
    dealt = events_of(hands()[0], d.HoleCardsDealt)
    assert [(event.seat, event.how) for event in dealt] == [(2, "after"), (3, "after"), (1, "owner")]
    assert all(hand.opened.witnesses & Witness.OWN_CARDS for hand in hands())


def test_a_missed_blind_is_dead_and_a_new_player_s_is_live() -> None:
    posts = events_of(hands()[0], o.BlindPosted)
    assert [(post.seat, post.role, post.live, post.dead) for post in posts] == [
        (4, "makeup-small", 0, 100),
        (4, "entry", 200, 0),
        (2, "small", 100, 0),
        (3, "big", 200, 0),
    ]


def test_a_raise_tells_the_street_s_total_behind_to() -> None:
    assert [(act.seat, act.to, act.all_in) for act in events_of(hands()[0], b.Raised)] == [
        (1, 800, None),
        (2, 2000, True),
        (1, 18000, None),
    ]


def test_pots_are_told_in_two_ways() -> None:
    assert [(won.seat, won.amount, won.pot) for won in events_of(hands()[0], e.PotAwarded)] == [
        (2, 6100, 0),
        (1, 16400, 1),
    ]


def test_why_somebody_folded_is_told_before_the_fold() -> None:
    events = hands()[0].events
    index = events.index(b.ClockExpired(6))
    assert events[index + 1] == b.Folded(6)
    assert [lost.seat for lost in events_of(hands()[0], ConnectionLost)] == [4]


def test_who_is_left_alone_without_a_word_is_paid_and_that_is_inferred() -> None:
    account = hands()[1]
    (won,) = events_of(account, e.PotAwarded)
    assert (won.seat, won.amount) == (2, 8)
    assert account.events.index(won) in account.inferred


def test_a_bet_that_the_pot_counts_stays_in_and_goes_to_the_winner() -> None:
    elder = hands("elder-form")[0]
    assert events_of(elder, b.BetReturned) == []
    assert events_of(elder, e.PotAwarded)[0].amount == 165


def test_a_tournament_tells_its_price_prizes_and_places() -> None:
    account = hands()[2]
    (costs,) = events_of(account, o.TournamentSet)
    assert (costs.buy_in, costs.fee, costs.currency) == (186, 14, "EUR")
    assert (account.opened.tournament, account.opened.seats) == ("80000001", 3)
    assert events_of(account, e.BountyWon) == [e.BountyWon(1, 80, 5)]
    assert events_of(account, e.PlayerFinished) == [e.PlayerFinished(5, 2, 240), e.PlayerFinished(1, 1)]


def test_stacks_without_a_currency_are_a_tournament_s_in_the_elder_form() -> None:
    cash, tournament = hands("elder-form")
    assert (events_of(cash, o.GameSet)[0].unit, events_of(tournament, o.GameSet)[0].unit) == ("EUR", "chips")
    assert events_of(tournament, o.TournamentSet)[0].written == "€8 Own - Live Freeroll"
    assert [ante.amount for ante in events_of(tournament, o.AntePosted)] == [15, 15]


def test_moments_have_a_zone_in_the_young_form_alone() -> None:
    assert [hand.opened.started for hand in hands()] == [1787154492000, 1776975997000, 1776976314000]
    assert hands("elder-form")[0].opened.started is None


def test_what_every_seat_won_is_what_its_net_says() -> None:
    for account in [*hands(), *hands("elder-form")]:
        won = net(account)
        for declared in events_of(account, e.ResultDeclared):
            if declared.what == "net":
                assert declared.amount == won[declared.seat]


def net(account: Account) -> dict[int, int]:
    state = fold(account.events)
    return {seat: state.chips.awarded.get(seat, 0) - state.chips.put_in.get(seat, 0) for seat in state.seats}


def test_a_net_result_that_breaks_off_costs_its_line_and_not_the_hand() -> None:
    people = new_people()
    text = sample("elder-form").split("\n\n\n")[0]
    (line,) = (line for line in text.split("\n") if line.startswith("Seat 4: ") and "net result" in line)
    torn = line.partition(" result")[0]
    assert unread(read_hand(FORMAT, text.replace(line, torn), people=people), people) == [torn]


def test_a_line_nobody_knows_is_kept_and_the_hand_is_incomplete() -> None:
    people = new_people()
    text = sample("elder-form").split("\n\n\n")[0].replace("Cy folds", "Cy sings\nCy folds")
    assert unread(read_hand(FORMAT, text, people=people), people) == ["Cy sings"]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("No Limit Hold", "No Limit Belote", "unknown-game"),
        ("Seat ", "Chair ", "cut-off"),
        ("(€6.35)", "(€6_35)", "amount"),
        ("calls €0.10", "calls x", "amount"),
        ("Seat 4: Ada (", "Seat 99: Ada (", "seat"),
        ("0.10/0.20", "0.10", "header"),
    ],
)
def test_what_cannot_be_read_is_rejected_with_its_reason(old: str, new: str, code: str) -> None:
    (item,) = read(FORMAT, sample("elder-form").split("\n\n\n")[0].replace(old, new))
    assert isinstance(item, Reject)
    assert item.code == code


def test_summaries_of_tournaments_in_the_same_file_are_no_hands() -> None:
    summary = "=== TOURNAMENT SUMMARIES ===\n\nUnibet Tournament #8, No Limit Holdem\nBuy-In: €1\n"
    *accounts, rejected, second = read(FORMAT, sample() + "\n\n" + summary)
    assert len(accounts) == 3
    assert isinstance(rejected, Reject)
    assert isinstance(second, Reject)
    assert {rejected.code, second.code} == {"not-a-hand"}


def test_a_bet_that_nobody_answers_and_a_pot_that_nobody_gets_show_that_acts_are_missing() -> None:
    """As people cut what is not their own: whose turn it was, nobody can tell of such a hand."""
    hand_text = sample()[: sample().index("Unibet Hand #2000000004")]
    last = "Bo folds raises €12 to €20, and is all-in\n"
    cut = hand_text[: hand_text.index(last)] + last + "*** Summary ***\nTotal pot €33 Rake €0\n"
    assert read_hand(FORMAT, hand_text).opened.witnesses & Witness.ACTS
    assert not read_hand(FORMAT, cut).opened.witnesses & Witness.ACTS
