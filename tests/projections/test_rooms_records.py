"""What rooms' programs write is no surer than they are: what real texts showed, told with invented people."""

from __future__ import annotations

from collections.abc import Sequence

from ledger import formats
from ledger.account import Account
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.agreement import is_contradictory
from ledger.hand.fold import fold
from ledger.presence import PlayerAway, PlayerBack
from ledger.replay import HandReplay
from ledger.vocabulary import Witness
from projections.audit.auditor import judge
from projections.books.rulebook import load
from projections.findings.finding import Finding
from tests.formats.support import read

HEAD = """PokerStars Hand #7000000001:  Hold'em No Limit ($0.05/$0.10 USD) - 2026/01/02 20:00:00 ET
Table 'Lamp II' 6-max Seat #1 is the button
Seat 1: Ada ($10 in chips)
Seat 2: Bo ($10 in chips)
Seat 3: Cy ($10 in chips)
Seat 4: Di ($10 in chips)
Bo: posts small blind $0.05
Cy: posts big blind {big}
*** HOLE CARDS ***
"""
END = """*** SUMMARY ***
Total pot {pot} | Rake $0
"""


def read_acts(acts: str, *, big: str = "$0.10", pot: str = "$0.25") -> HandReplay:
    text = HEAD.format(big=big) + acts + END.format(pot=pot)
    (hand,) = (i for i in read(formats.get("pokerstars"), text) if isinstance(i, Account))
    return HandReplay(hand.events)


def findings_by_clause(hand: HandReplay, book: str) -> dict[str, Finding]:
    return {finding.clause: finding for finding in judge(hand, load(book)).findings}


OUT_OF_TURN = "Ada: folds\nDi: raises $0.20 to $0.30\nBo: folds\nCy: folds\nUncalled bet ($0.20) returned to Di\nDi collected $0.25 from pot\n"


def test_an_act_out_of_turn_in_a_sound_record_is_certain() -> None:
    assert findings_by_clause(read_acts(OUT_OF_TURN), "hilton")["B9.1"].certainty == "certain"


def test_who_lost_the_connection_may_have_been_taken_for_all_in() -> None:
    finding = findings_by_clause(
        read_acts(
            "Di is disconnected \n"
            + OUT_OF_TURN.replace("Di: raises", "Bo: raises")
            .replace("Bo: folds\n", "")
            .replace("to Di", "to Bo")
            .replace("Di collected", "Bo collected")
        ),
        "hilton",
    )["B9.1"]
    assert finding.certainty == "likely"
    assert "There " in finding.because or "connection" in finding.because


def test_blinds_of_another_game_than_the_head_tells_make_the_rest_unsure() -> None:
    finding = findings_by_clause(
        read_acts(OUT_OF_TURN.replace("0.25", "0.21").replace("0.20", "0.22"), big="$0.08", pot="$0.21"), "hilton"
    )
    assert finding["B9.1"].certainty == "likely"
    assert "blinds" in finding["B9.1"].because
    assert finding["B7"].certainty == "certain"  # of the post itself the record is plain


def test_a_board_that_breaks_off_within_its_cards_is_a_line_that_was_not_read() -> None:
    cut = HEAD.format(big="$0.10") + "Di: folds\nAda: folds\nBo: calls $0.05\nCy: checks\n*** FLOP *** [2c 7d \n"
    (hand,) = (i for i in read(formats.get("pokerstars"), cut) if isinstance(i, Account))
    kinds = {type(event) for event in hand.events}
    assert e.LineUnread in kinds
    assert d.BoardDealt not in kinds
    assert "intro.1a" not in findings_by_clause(HandReplay(hand.events), "hilton")


def test_a_pot_that_was_paid_while_a_fold_is_missing_is_no_pot_paid_without_cards() -> None:
    judged = judge(
        read_acts(
            "Di: folds\nAda: folds\nUncalled bet ($0.05) returned to Cy\nCy collected $0.10 from pot\n", pot="$0.10"
        ),
        load("bicycle"),
    )
    assert "p20" not in {finding.clause for finding in judged.findings}
    row = next(row for row in judged.coverage if row.clause == "p20")
    assert [finding.fact for finding in row.missing] == ["how the other hands left the pot"]


def test_who_opens_later_rounds_of_two_is_told_by_the_small_blind_where_no_button_is() -> None:
    witnesses = int(Witness.BUTTON | Witness.POSTS | Witness.ACTS | Witness.BOARD | Witness.STACKS_BEFORE)
    hand = HandReplay(
        [
            o.HandOpened("Room", "T", "1", witnesses),
            o.GameSet("omaha", "pot-limit", "cash", "USD", 2, (50, 100)),
            o.SeatDealtIn(3, "player-three-000", 9000),
            o.SeatDealtIn(8, "player-eight-000", 9000),
            o.BlindPosted(8, "small", 50),
            o.BlindPosted(3, "big", 100),
            d.DealCompleted(),
            b.Raised(8, 250, 300),
            b.Called(3, 200, 300),
            d.BoardDealt("flop", "2c7dKh"),
            b.Checked(3),
            b.Bet(8, 400, 400),
            b.Folded(3),
        ]
    )
    assert "intro.4d" not in findings_by_clause(hand, "hilton")
    assert "blinds.intro.11" not in findings_by_clause(hand, "rrop4")


def short_of_time(*before: object) -> HandReplay:
    """Three players; seat 1 is all-in for its blind of 20 and folds; `before` it, what is told of it."""
    witnesses = int(
        Witness.BUTTON | Witness.POSTS | Witness.ACTS | Witness.STACKS_BEFORE | Witness.AWARDS | Witness.RETURNED_BETS
    )
    return HandReplay(
        [
            o.HandOpened("Room", "T", "1", witnesses),
            o.GameSet("holdem", "no-limit", "tournament", "", 0, (50, 100)),
            o.SeatDealtIn(1, "player-one-00000", 20),
            o.SeatDealtIn(2, "player-two-00000", 9000),
            o.SeatDealtIn(3, "player-three-000", 9000),
            *before,
            o.ButtonPlaced(3),
            o.BlindPosted(1, "small", 20, 0, True),
            o.BlindPosted(2, "big", 100),
            d.DealCompleted(),
            b.Raised(3, 300, 300),
            b.Folded(1),
            b.Called(2, 200, 300),
            d.BoardDealt("flop", "2c7dKh"),
            b.Checked(2),
            b.Checked(3),
        ]
    )


def test_an_all_in_hand_of_a_player_who_is_away_may_have_been_killed_for_that() -> None:
    assert findings_by_clause(short_of_time(), "bicycle")["p31b"].certainty == "certain"
    p31b = findings_by_clause(short_of_time(PlayerAway(1, "player-one-00000", why="sits-out")), "bicycle")["p31b"]
    assert p31b.certainty == "likely"
    assert "away" in p31b.because
    back = findings_by_clause(
        short_of_time(PlayerAway(1, "player-one-00000"), PlayerBack(1, "player-one-00000")), "bicycle"
    )["p31b"]
    assert back.certainty == "certain"


def heads_up_fold(returned: Witness) -> HandReplay:
    """The button folds on the flop with nothing to call, and before its turn."""
    witnesses = int(Witness.BUTTON | Witness.POSTS | Witness.ACTS | Witness.BOARD | Witness.STACKS_BEFORE)
    return HandReplay(
        [
            o.HandOpened("Room", "T", "1", witnesses | int(returned)),
            o.GameSet("holdem", "no-limit", "cash", "USD", 2, (50, 100)),
            o.SeatDealtIn(1, "player-one-00000", 9000),
            o.SeatDealtIn(2, "player-two-00000", 9000),
            o.SeatDealtIn(3, "player-three-000", 9000),
            o.ButtonPlaced(3),
            o.BlindPosted(1, "small", 50),
            o.BlindPosted(2, "big", 100),
            d.DealCompleted(),
            b.Raised(3, 300, 300),
            b.Folded(1),
            b.Called(2, 200, 300),
            d.BoardDealt("flop", "2c7dKh"),
            b.Folded(3),
        ]
    )


def test_a_fold_with_nothing_to_call_may_follow_a_bet_that_nobody_recorded() -> None:
    for book, clause in (("hilton", "intro.4d"), ("bicycle", "p02c"), ("rrop4", "blinds.intro.11")):
        assert findings_by_clause(heads_up_fold(Witness.RETURNED_BETS), book)[clause].certainty == "certain"
        finding = findings_by_clause(heads_up_fold(Witness(0)), book)[clause]
        assert finding.certainty == "likely"
        assert "nothing to call" in finding.because


def capped(bets: tuple[int, ...]) -> HandReplay:
    """The second of four raises before the flop is an all-in."""
    witnesses = int(Witness.BUTTON | Witness.POSTS | Witness.ACTS | Witness.STACKS_BEFORE)
    return HandReplay(
        [
            o.HandOpened("Room", "T", "1", witnesses),
            o.GameSet("holdem", "limit", "cash", "USD", 2, (50, 100), 0, bets),
            *(o.SeatDealtIn(seat, f"player{seat:010d}", 380 if seat == 4 else 9000) for seat in (1, 2, 3, 4, 5)),
            o.ButtonPlaced(3),
            o.BlindPosted(4, "small", 50),
            o.BlindPosted(5, "big", 100),
            d.DealCompleted(),
            b.Raised(1, 200, 200),
            b.Raised(2, 300, 300),
            b.Folded(3),
            b.Raised(4, 330, 380, all_in=True),
            b.Raised(5, 380, 480),
            b.Raised(1, 380, 580),
        ]
    )


def test_how_many_raises_count_is_open_where_the_bets_are_not_told() -> None:
    assert findings_by_clause(capped((100, 200)), "bicycle")["p06b"].certainty == "certain"
    p06b = findings_by_clause(capped(()), "bicycle")["p06b"]
    assert p06b.certainty == "likely"
    assert "aren't on record" in p06b.because


def short_paid(paid: int, *more: Witness) -> HandReplay:
    """A flop that the wrong seat opens; 300 went in, no drop is told."""
    witnesses = Witness.BUTTON | Witness.POSTS | Witness.ACTS | Witness.BOARD | Witness.STACKS_BEFORE
    for witness in (Witness.AWARDS, Witness.RETURNED_BETS, *more):
        witnesses |= witness
    return HandReplay(
        [
            o.HandOpened("Room", "T", "1", int(witnesses)),
            o.GameSet("holdem", "no-limit", "cash", "USD", 2, (50, 100)),
            *(o.SeatDealtIn(seat, f"player{seat:010d}", 9000) for seat in (1, 2, 3)),
            o.ButtonPlaced(3),
            o.BlindPosted(1, "small", 50),
            o.BlindPosted(2, "big", 100),
            d.DealCompleted(),
            b.Called(3, 100, 100),
            b.Called(1, 50, 100),
            b.Checked(2),
            d.BoardDealt("flop", "2c7dKh"),
            b.Bet(3, 200, 200),
            b.Folded(1),
            b.Folded(2),
            b.BetReturned(3, 200),
            e.PotAwarded(3, paid),
            e.HandCompleted(),
        ]
    )


def test_a_pot_of_which_more_is_missing_than_a_drop_makes_the_rest_unsure() -> None:
    clause = "intro.4d"
    assert findings_by_clause(short_paid(300), "hilton")[clause].certainty == "certain"
    assert findings_by_clause(short_paid(270), "hilton")[clause].certainty == "certain"  # a drop, maybe
    finding = findings_by_clause(short_paid(200), "hilton")[clause]
    assert finding.certainty == "likely"
    assert "missing" in finding.because
    state = fold([event for _, event in short_paid(200).numbered])
    assert is_contradictory(state)
    assert not is_contradictory(fold([event for _, event in short_paid(270).numbered]))


def paid_by(
    contributions: Sequence[object], awards: Sequence[e.PotAwarded], witnesses_more: int = 0, river: str = "2h"
) -> Finding | None:
    """What R9 finds of two seats all-in, aces behind seat 1 and kings behind seat 2."""
    rooms = Witness.POSTS | Witness.ACTS | Witness.AWARDS | Witness.SHOWDOWN | Witness.BOARD | Witness.STACKS_BEFORE
    hand = HandReplay(
        [
            o.HandOpened("Lamp", "I", "1", int(rooms | witnesses_more)),
            o.GameSet("holdem", "no-limit", "tournament", "chips", 0, (10, 20)),
            o.SeatDealtIn(1, "ada", 900),
            o.SeatDealtIn(2, "bo", 600),
            o.ButtonPlaced(1),
            *contributions,
            d.BoardDealt("flop", "3d8s9c"),
            d.BoardDealt("turn", "Js"),
            d.BoardDealt("river", river),
            *awards,
            e.HandCompleted(),
        ]
    )
    return findings_by_clause(hand, "record").get("R9")


def show_cards(first: str, second: str) -> list[object]:
    return [
        o.AntePosted(1, 900, False, "ante", True),
        o.AntePosted(2, 600, False, "ante", True),
        d.DealCompleted(),
        e.CardsShown(1, first),
        e.CardsShown(2, second),
    ]


def test_an_ante_that_nobody_could_match_may_have_come_back_without_a_word() -> None:
    lost = show_cards("KcKd", "AcAd")
    paid = [e.PotAwarded(2, 1200)]
    assert paid_by(lost, paid) is None
    wrong = paid_by(lost, [e.PotAwarded(1, 1200)])
    assert wrong is not None
    assert wrong.certainty == "certain"
    finding_told = paid_by(lost, paid, Witness.RETURNED_BETS)
    assert finding_told is not None
    assert "Seat 1" in finding_told.saw


def test_winners_who_were_paid_in_the_parts_that_are_due_are_no_wrong_award() -> None:
    split = [*show_cards("AcKd", "AdKc")]
    even = [e.PotAwarded(1, 450), e.PotAwarded(2, 450)]
    short_posts = [o.AntePosted(1, 600, False, "ante"), *split[1:]]
    assert paid_by(short_posts, even) is None  # 300 are missing, and that is R1's
    uneven = paid_by(short_posts, [e.PotAwarded(1, 700), e.PotAwarded(2, 200)])
    assert uneven is not None
    assert uneven.certainty == "certain"


def test_who_wins_by_the_cards_is_not_sure_where_a_card_is_on_record_twice() -> None:
    finding = paid_by(show_cards("KcKd", "AcAd"), [e.PotAwarded(1, 1200)], river="Ac")
    assert finding is not None
    assert finding.certainty == "likely"
    assert "twice" in finding.because


def test_more_paid_than_went_in_may_be_a_post_that_the_room_does_not_write_down() -> None:
    def paid(*seen: Witness) -> Finding:
        witnesses = Witness.AWARDS | Witness.ACTS
        for witness in seen:
            witnesses |= witness
        return findings_by_clause(
            HandReplay(
                [
                    o.HandOpened("Lamp", "I", "1", int(witnesses)),
                    o.GameSet("holdem", "no-limit", "cash", "USD", 2, (5, 10)),
                    *(o.SeatDealtIn(seat, name, 1000) for seat, name in ((1, "ada"), (2, "bo"), (3, "cy"))),
                    o.ButtonPlaced(1),
                    o.BlindPosted(2, "small", 5),
                    o.BlindPosted(3, "big", 10),
                    d.DealCompleted(),
                    b.Folded(1),
                    b.Folded(2),
                    e.PotAwarded(3, 18),
                    e.HandCompleted(),
                ]
            ),
            "record",
        )["R1"]

    assert paid().certainty == "likely"
    assert "post" in paid().because
    assert paid(Witness.POSTS).certainty == "certain"
