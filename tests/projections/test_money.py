"""The money of a finding: who has whose chips, and nothing where the record cannot tell."""

from __future__ import annotations

import pytest

from ledger.formats.handscript import read_case
from ledger.people import People
from ledger.replay import HandReplay
from projections.audit.auditor import Auditor
from projections.books.rulebook import list_names, load
from projections.table_walk.table_context import TableWalk
from projections.timeline.chip_flows import (
    build_flow,
    build_payment_flow,
    build_post_flow,
    build_pot_flow,
    build_refund_flow,
    build_split_flow,
)
from projections.timeline.hand_timeline import Timeline
from tests.laws import size
from tests.projections.pages import cases

SEATS = """\
game holdem limit cash blinds 5/10 bets 10/20
seat 1 Ann 500
seat 2 Bo 500
seat 3 Cy 500
seat 4 Dee 500
button 1
2 posts small 5
3 posts big 10
"""


def course(text: str) -> Timeline:
    account, _ = read_case(SEATS + text, People(b"m" * 32))
    return Timeline(HandReplay(account.events))


def walk(post: str, *acts: str, winner: int = 3) -> Timeline:
    return course("\n".join([post, "deal done", *acts, f"{winner} wins 20", "end"]) + "\n")


@pytest.mark.law
@pytest.mark.slow
def test_the_money_of_every_finding_sums_to_zero() -> None:
    for case in cases()[:: size(2, 1)]:
        audit = Auditor([load(name) for name in list_names()])
        for index, sat in enumerate(TableWalk(audit.books).contexts(case.told.table)):
            for finding in audit.judge_hand(case.told.hands[index], sat):
                assert sum(share.amount for share in finding.money) == 0, (case.name, finding.clause)
                seats = [share.seat for share in finding.money]
                assert len(seats) == len(set(seats)), (case.name, finding.clause)


def test_what_a_folder_kept_is_the_winners_loss() -> None:
    hand = walk("4 posts makeup 10", "4 folds", "1 folds", "2 folds")
    assert build_post_flow(hand, {4: (10, 5)}) == ((3, -5), (4, 5))
    assert build_post_flow(hand, {4: (15, 0)}) == ((3, -5), (4, 5))
    assert build_post_flow(hand, {4: (10, 0)}) == ()


def test_a_live_chip_is_not_lost_by_who_called_as_much_later() -> None:
    hand = walk("4 posts entry 5", "4 calls 5", "1 folds", "2 folds", "3 checks")
    assert build_post_flow(hand, {4: (10, 0)}) == ()
    assert build_post_flow(hand, {4: (10, 5)}) == ((3, -5), (4, 5))


def test_where_nobody_knows_what_would_have_been_nothing_is_said() -> None:
    checked = walk("4 posts entry 10", "4 checks", "1 folds", "2 folds", "3 checks")
    assert build_post_flow(checked, {4: (20, 0)}) == ()
    two = course("deal done\n4 folds\n1 folds\n2 wins 10\n3 wins 5\nend\n")
    assert build_pot_flow(two, {4: 5}) == ()


def test_two_seats_that_changed_places_need_no_winner() -> None:
    hand = course("deal done\n4 folds\n1 folds\n2 folds\n3 wins 5\n2 wins 5\nend\n")
    assert build_pot_flow(hand, {2: 5, 3: -5}) == ((2, 5), (3, -5))


def test_the_winner_of_the_pot_owes_nobody_what_it_put_in_too_little() -> None:
    hand = walk("4 posts makeup 10", "1 folds", "2 folds", "3 folds", winner=4)
    assert build_pot_flow(hand, {4: 5}) == ()


def test_chips_that_came_back_after_an_event_belong_to_the_pot() -> None:
    hand = course("4 straddles 20\ndeal done\n1 folds\n4 takes-back 20 straddle\n2 folds\n3 wins 15\nend\n")
    back = next(version for version, e in hand.numbered_events if type(e).__name__ == "PostReturned")
    assert build_refund_flow(hand, 4, back - 1) == ((3, -20), (4, 20))
    assert build_refund_flow(hand, 4, back) == ()


SHOWDOWN = """\
deal done
4 folds
1 folds
2 calls
3 checks
showdown
{}
{} wins 20
end
"""


@pytest.mark.parametrize(
    ("cards_shown", "seat", "money"),
    [
        ("2 shows AhAd\n3 shows KhKd", 3, ((2, -20), (3, 20))),
        ("2 mucks\n3 shows KhKd", 3, ()),
        ("3 mucks", 3, ((2, -20), (3, 20))),
    ],
)
def test_a_pot_paid_to_the_wrong_hand_is_the_only_rivals(
    cards_shown: str, seat: int, money: tuple[tuple[int, int], ...]
) -> None:
    assert build_payment_flow(course(SHOWDOWN.format(cards_shown, seat)), seat) == money


def test_shares_that_do_not_balance_are_not_told() -> None:
    assert build_flow({1: 5, 2: -5, 3: 0}) == ((1, 5), (2, -5))
    assert build_flow({1: 5, 2: -4}) == ()
    assert build_split_flow([(1, 10, 15), (2, 10, 5)]) == ((1, 5), (2, -5))
    assert build_split_flow([(1, 10, 15)]) == ()
