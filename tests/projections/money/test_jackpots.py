"""Jackpots and high-hand promotions: what qualified and wasn't paid, and what was paid and didn't qualify."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.hand.hand_strength import find_best_rank
from ledger.hand.variants import VARIANTS
from ledger.replay import HandReplay
from ledger.store.hands.hand_accounts import TableKey
from ledger.table.events import HandPlayed
from ledger.table.money_events import FundPaid
from projections.books.rulebook import Rulebook, load
from projections.money import jackpots
from projections.money.jackpots import JackpotCheck, JackpotInput, check_jackpots
from projections.money.qualifying_hands import Qualified, Unclear, Unqualified, judge_hand
from projections.obligations.house_points import JACKPOT_POINT, QualifyingHand
from projections.timeline.hand_timeline import Timeline
from tests.projections.pages import HOUSE_CASES, column, evening, load_book

START = """game holdem no-limit cash blinds 1/2 unit USD 2
seat 1 Ann 200; seat 2 Bo 200; seat 3 Cy 200; button 3
1 posts small 1; 2 posts big 2; deal done
"""
BETS = "3 raises to 40; 1 calls 39; 2 folds\n"


def qualifying_hand(winner: str, loser: str, board: str = "flop Ac Ad Jd; turn Jh; river 2c", bets: str = BETS) -> str:
    """Return a hand at the showdown: seat 1 wins, seat 3 loses."""
    shows = "\n".join(f"{seat} shows {cards}" for seat, cards in ((1, winner), (3, loser)) if cards)
    return f"{START}{bets}{board}; 1 checks; 3 checks\n{shows}\n1 wins 82\n"


RULE = QualifyingHand("bad-beat", "aces full of jacks", "", both_hole_cards=True, pot_min=20, players_min=3)


QUADS = "flop Ac Kd Jd; turn Jh; river 2c"


def judged(text: str, rule: QualifyingHand = RULE) -> Qualified | Unqualified | Unclear:
    (hand,) = evening(f"hand 1\n{text}end\n", column("house-list")).hands
    return judge_hand(Timeline(hand), rule)


def changed(**fields: object) -> QualifyingHand:
    return QualifyingHand(**{**{name: getattr(RULE, name) for name in RULE.__struct_fields__}, **fields})


def test_a_beaten_hand_that_is_good_enough_qualifies() -> None:
    qualification = judged(qualifying_hand("Jc Js", "Ah As", "flop Ac Kd Jd; turn Jh; river 2c"))
    assert isinstance(qualification, Qualified)
    assert (qualification.seat, qualification.winner) == (3, 1)


def test_the_hand_must_be_good_enough() -> None:
    assert judged(qualifying_hand("Jc Js", "2d 2h")).reason == "Nobody lost with aces full of jacks or better."


def test_both_hole_cards_must_play() -> None:
    text = qualifying_hand("Jc Js", "Ah 3c")  # aces full of jacks with one hole card
    assert judged(text).reason == "Both hole cards must play. Seat 3 plays fewer."
    assert isinstance(judged(text, changed(both_hole_cards=False)), Qualified)


def test_the_winner_must_be_good_enough() -> None:
    text = qualifying_hand("Jc Js", "Ah As", QUADS)
    assert isinstance(judged(text, changed(beaten_by="four jacks")), Qualified)
    assert judged(text, changed(beaten_by="four queens")).reason == (
        "The winning hand must be four queens or better. Seat 1 has less."
    )


def test_the_pot_and_the_players_must_be_enough() -> None:
    text = qualifying_hand("Jc Js", "Ah As", QUADS)
    assert isinstance(judged(text, changed(pot_min=82)), Qualified)
    assert judged(text, changed(pot_min=82.5)).reason == "The pot must be $82.50 or more. It was $82."
    assert judged(text, changed(players_min=4)).reason == "4 players must be dealt in. There were 3."
    assert isinstance(judged(text.replace("1 wins 82", "1 wins 80"), changed()), Unclear)


def test_other_games_and_tournaments_do_not_qualify() -> None:
    text = qualifying_hand("Jc Js", "Ah As", QUADS)
    assert judged(text, changed(game="omaha")).reason == "The house pays only for Omaha."
    assert judged(text, changed(stakes=["2/5"])).reason == "The house pays only for 2/5."
    tournament = text.replace("no-limit cash", "no-limit tournament").replace("unit USD 2", "")
    assert judged(tournament).reason == "Hands of a tournament don't qualify."


@pytest.mark.parametrize(
    ("winner", "loser", "board", "is_unclear"),
    [
        ("Jc Js", "", "flop Ac Ad Jd; turn Jh; river 2c", True),  # seat 3 may have had an ace and a king
        ("Jc Js", "", "flop Ac 9d Jd; turn 4h; river 2c", False),  # nobody can have a full house here
        ("Ah As", "", "flop Ac Ad Jd; turn Jh; river 2c", True),
        ("Kc Qs", "", "flop Ac Ad Jd; turn Jh; river 2c", False),  # whatever seat 3 had was beaten by two pair
    ],
)
def test_unknown_cards_that_matter_are_named(winner: str, loser: str, board: str, is_unclear: bool) -> None:
    qualification = judged(qualifying_hand(winner, loser, board))
    assert isinstance(qualification, Unclear if is_unclear else Unqualified)


def test_a_high_hand_must_be_shown() -> None:
    rule = QualifyingHand("high-hand", "four jacks", both_hole_cards=True)
    assert isinstance(judged(qualifying_hand("Jc Js", "Kc Qs"), rule), Qualified)
    unshown = qualifying_hand("", "Kc Qs").replace("deal done", "deal done; 1 gets Jc Js")
    assert judged(unshown, rule).reason == "Nobody showed four jacks or better."
    assert (
        judged(qualifying_hand("Jc 3s", "Kc Qs", "flop Jd Js Jh; turn Ah; river 2c"), rule).reason
        == "Both hole cards must play. Seat 1 plays fewer."
    )


# Payments


def checked(*parts: str, book: Rulebook | None = None) -> JackpotCheck:
    hands = iter(range(1, 10))
    lines = [part if "-paid" in part else f"hand {next(hands)}\n{part}end\n" for part in parts]
    read = evening(START.splitlines()[0] + "\n" + "".join(lines), column("house-list"))
    by_stream = {hand.stream.hex: hand for hand in read.hands if hand.stream}
    return check_jackpots(
        JackpotInput(
            TableKey("Room", "", "1"),
            read.table,
            by_stream.__getitem__,
            book or load_book("house-list"),
            lambda _player: "Bo",
        )
    )


WON = qualifying_hand("Jc Js", "Ah As", QUADS)
SMALL = START + "3 1 fold; 2 uncalled 1; 2 wins 2\n"


def test_a_jackpot_that_is_paid_is_right() -> None:
    payments = "jackpot-paid Cy 500\njackpot-paid Ann 250\njackpot-paid Bo 50\npromotion-paid Ann 100\n"
    assert checked(SMALL, WON, payments, SMALL) == ([], [])
    assert checked(SMALL, WON, SMALL, payments, SMALL) == ([], [])


def test_a_jackpot_that_is_not_paid_is_a_difference() -> None:
    (bad_beat, high_hand), gaps = checked(WON, SMALL)
    assert bad_beat.says == "Seat 3 lost with Ah As, which wins the jackpot; no payment is on record"
    assert bad_beat.because.startswith("Seat 1 won with Jc Js. The pot was $82. 3 players were dealt in. Aces full of")
    assert (bad_beat.kind, bad_beat.clause, bad_beat.seat) == ("fund", "house-list J1", 3)
    assert bad_beat.events[0].name == "1/1"
    assert high_hand.says == "Seat 1 showed Jc Js, which wins the high-hand promotion; no payment is on record"
    assert not gaps


@pytest.mark.parametrize("has_own_clauses", [True, False])
def test_a_high_hand_cites_its_own_clause(tmp_path: Path, has_own_clauses: bool) -> None:
    text = (HOUSE_CASES / "house-list.toml").read_text(encoding="utf-8")
    if has_own_clauses:
        text = text.replace('clauses = ["J1"]', 'clauses = ["J1", "J2"]')
        text += '\n[J2]\nsays = "Four twos win $50."\ntopic = "jackpot"\nseverity = "error"\ndefines = "high hands"\n'
    path = tmp_path / "room.toml"
    path.write_text(text, encoding="utf-8")
    (bad_beat, high_hand), _ = checked(WON, SMALL, book=load(str(path)))
    assert bad_beat.clause == "room J1"
    assert high_hand.clause == ("room J2" if has_own_clauses else "room J1")
    assert high_hand.because.endswith("Four twos win $50.") is has_own_clauses


def test_the_last_hand_of_a_record_may_still_be_paid() -> None:
    differences, gaps = checked(SMALL, WON)
    assert not differences
    assert [gap.missing.rpartition(". ")[2] for gap in gaps] == [
        "The record ends with this hand: the payment may follow."
    ] * 2


def test_a_payment_without_a_hand_that_qualifies_is_a_difference() -> None:
    (payment,), gaps = checked(SMALL, "jackpot-paid Bo 500\n", SMALL)
    assert payment.says == "The jackpot paid $500 after a hand that doesn't qualify"
    assert payment.because.startswith(
        "Should be: a payment only if aces full of jacks or better is beaten. Nobody lost with aces full of jacks or better."
    )
    assert (payment.recorded, payment.expected, payment.player) == (50000, 0, "Bo")
    assert [event.name for event in payment.events] == ["1@3", "1/1"]
    assert not gaps


def test_a_hand_is_paid_once() -> None:
    paid = "jackpot-paid Cy 500\npromotion-paid Ann 50\n"
    (payment,), _ = checked(WON, paid, SMALL, "jackpot-paid Cy 500\n", SMALL)
    assert payment.says == "The jackpot paid $500 after a hand that doesn't qualify"


def test_a_payment_that_names_its_hand_belongs_to_it() -> None:
    """Two hands qualified; without a number the payment would belong to the last."""
    high_hand = "promotion-paid Ann 50 hand 1\npromotion-paid Ann 50 hand 2\n"
    (unpaid,), gaps = checked(WON, WON, f"jackpot-paid Cy 500 hand 1\n{high_hand}", SMALL)
    assert unpaid.events[0].name == "1/2"
    assert unpaid.says.startswith("Seat 3 lost with Ah As, which wins the jackpot; no payment")
    assert not gaps
    late = f"jackpot-paid Cy 500 hand 2\njackpot-paid Cy 500 hand 1\njackpot-paid Ann 250 hand 1\n{high_hand}"
    assert checked(WON, WON, SMALL, late, SMALL) == ([], [])


def test_a_payment_for_a_hand_that_does_not_qualify_names_it() -> None:
    differences, gaps = checked(SMALL, WON, "jackpot-paid Cy 500 hand 1\npromotion-paid Ann 50 hand 2\n", SMALL)
    says = {difference.says: difference for difference in differences}
    payment = says["The jackpot paid $500 for hand 1, which doesn't qualify"]
    assert [event.name for event in payment.events] == ["1@4", "1/1"]
    assert (payment.expected, payment.recorded) == (0, 50000)
    assert "Nobody lost with aces full of jacks or better." in payment.because
    assert "Seat 3 lost with Ah As, which wins the jackpot; no payment is on record" in says, "hand 2 is unpaid"
    assert not gaps


def test_a_payment_for_a_hand_that_is_not_on_record_is_a_gap() -> None:
    differences, gaps = checked(SMALL, "jackpot-paid Cy 500 hand 1041\n", SMALL)
    assert not differences
    assert [gap.missing for gap in gaps] == [
        "The payment is for hand 1041, which isn't on record before it. Nobody can say whether it was right."
    ]


def test_a_payment_for_a_hand_with_unknown_cards_is_a_gap_of_that_hand() -> None:
    differences, gaps = checked(
        qualifying_hand("Jc Js", ""), SMALL, "promotion-paid Ann 50 hand 1\njackpot-paid Cy 500 hand 1\n", SMALL
    )
    assert not differences
    (gap,) = [gap for gap in gaps if len(gap.events) > 1]
    assert [event.name for event in gap.events] == ["1@5", "1/1"]


def test_a_payment_after_unknown_cards_is_a_gap() -> None:
    differences, (gap, hands) = checked(
        qualifying_hand("Jc Js", ""), "promotion-paid Ann 50\njackpot-paid Cy 500\n", SMALL
    )
    assert not differences
    assert hands.missing == ("1 hand may have won the jackpot. The record lacks the cards of a hand at the showdown.")
    assert [event.name for event in hands.events] == ["1/1"]
    assert gap.missing == (
        "Nobody can tell whether the jackpot was paid for a hand that qualifies. "
        "The record lacks the cards of a hand at the showdown."
    )


def test_only_what_is_wanted_is_reported() -> None:
    text = "".join(f"hand {number}\n{hand}end\n" for number, hand in enumerate((WON, SMALL), 1))
    read = evening(text, column("house-list"))
    by_stream = {hand.stream.hex: hand for hand in read.hands if hand.stream}
    record = JackpotInput(TableKey("Room", "", "1"), read.table, by_stream.__getitem__, load_book("house-list"))
    second = [entry for entry in read.table if isinstance(entry.event, HandPlayed)][1]
    assert check_jackpots(record, lambda entry: entry is second) == ([], [])
    assert check_jackpots(record._replace(book=load_book("rrop4"))) == ([], [])
    assert load_book("rrop4").policy.value(JACKPOT_POINT) is None


STRONG_CARDS = [f"{rank}{suit}" for rank in "AKJ" for suit in "shdc"]
RULES = [RULE, changed(both_hole_cards=False), changed(beaten_by="four jacks"), changed(hand="any full house")]


@given(cards=st.permutations(STRONG_CARDS), rule=st.sampled_from(RULES), hidden=st.sampled_from([(1,), (3,), (1, 3)]))
def test_hidden_cards_never_make_a_bad_beat_unqualified(
    cards: list[str], rule: QualifyingHand, hidden: tuple[int, ...]
) -> None:
    board, holes = cards[:5], {1: cards[5:7], 3: cards[7:9]}
    ranks = {seat: find_best_rank("high", hole, board, VARIANTS["holdem"]) for seat, hole in holes.items()}
    winners = [seat for seat, rank in ranks.items() if rank == min(filter(None, ranks.values()))]

    def played(shown: Iterable[int]) -> str:
        shows = "".join(f"{seat} shows {' '.join(holes[seat])}\n" for seat in shown)
        awards = "".join(f"{seat} wins {82 // len(winners)}\n" for seat in winners)
        flop = f"flop {' '.join(board[:3])}; turn {board[3]}; river {board[4]}"
        return f"{START}{BETS}{flop}; 1 checks; 3 checks\n{shows}{awards}"

    known, partly_known = judged(played(holes), rule), judged(played(holes.keys() - {*hidden}), rule)
    assert isinstance(known, Qualified | Unqualified)
    if isinstance(known, Qualified):
        assert isinstance(partly_known, Unclear)
    else:
        assert isinstance(partly_known, Unclear | Unqualified)


def test_only_hands_near_the_wanted_ones_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jackpots, "NEAR_HANDS", 2)
    parts = (WON, SMALL, SMALL, SMALL, SMALL, SMALL)
    text = "".join(f"hand {number}\n{hand}end\n" for number, hand in enumerate(parts, 1))
    read = evening(text, column("house-list"))
    by_stream = {hand.stream.hex: hand for hand in read.hands if hand.stream}
    streams: list[str] = []

    def read_hand(stream: str) -> HandReplay:
        streams.append(stream)
        return by_stream[stream]

    record = JackpotInput(TableKey("Room", "", "1"), read.table, read_hand, load_book("house-list"))
    hands = [entry for entry in read.table if isinstance(entry.event, HandPlayed)]
    assert len(check_jackpots(record, lambda entry: entry is hands[0]).differences) == 2
    assert streams == [entry.event.hand for entry in hands[:3]]
    streams.clear()
    assert check_jackpots(record, lambda entry: entry is hands[4]) == ([], [])
    assert streams == [entry.event.hand for entry in hands[2:]]


@pytest.mark.parametrize(
    ("wanted", "saw"),
    [
        ("hand", []),  # its payments come three hands later
        ("first payment", []),
        ("last payment", ["The jackpot paid $500 for hand 104, which doesn't qualify"]),  # the number was used again
    ],
)
def test_a_payment_may_name_a_hand_of_long_ago(wanted: str, saw: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jackpots, "NEAR_HANDS", 1)
    paid, others = "jackpot-paid Cy 500 hand 104\n", [(2, SMALL), (3, SMALL)]
    first, second = (
        "".join(f"hand {number}\n{hand}end\n" for number, hand in hands)
        for hands in ([(104, WON), *others], [(104, SMALL), *others])
    )
    game = START.splitlines()[0]
    read = evening(f"{game}\n{first}{paid}promotion-paid Ann 50 hand 104\n{second}{paid}", column("house-list"))
    by_stream = {hand.stream.hex: hand for hand in read.hands if hand.stream}
    record = JackpotInput(TableKey("Room", "", "1"), read.table, by_stream.__getitem__, load_book("house-list"))
    payments = [entry for entry in read.table if isinstance(entry.event, FundPaid) and entry.event.kind == "jackpot"]
    won = next(entry for entry in read.table if isinstance(entry.event, HandPlayed))
    wanted_entry = {"hand": won, "first payment": payments[0], "last payment": payments[1]}[wanted]
    differences, gaps = check_jackpots(record, lambda entry: entry is wanted_entry)
    assert ([difference.says for difference in differences], gaps) == (saw, [])
