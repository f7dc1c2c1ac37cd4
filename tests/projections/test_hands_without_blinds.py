"""Bomb pots and other hands without blinds: nobody is accused of a blind, an option or a button in them, nor after them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ledger.hand.opening import BlindPositionPlaced, BlindPosted, BlindSkipped, ButtonPlaced, StraddlePosted
from projections.audit.auditor import Auditor
from projections.books.rulebook import load
from projections.findings.finding import Finding
from projections.table_walk.table_context import TableWalk
from tests.laws import size
from tests.projections.pages import column, evening

BOOKS = ("hilton", "rrop4", "bicycle", "house-burn", "tda2024")
GAMES = (
    "holdem no-limit cash blinds 1/2",
    "omaha pot-limit cash blinds 1/2",
    "holdem limit cash blinds 1/2 bets 2/4",
    "holdem no-limit tournament blinds 1/2",
)
FIRST_HAND = """hand 1
seat 1 Ana 100
seat 3 Bo 100
seat 5 Cy 100
seat 7 Di 100
button 7
1 posts small 1
3 posts big 2
deal done
5 folds
7 folds
1 folds
3 uncalled 1
3 wins 2
end
"""
BLIND_EVENTS = {BlindPosted, StraddlePosted, ButtonPlaced, BlindPositionPlaced, BlindSkipped}
SEATS = "seat 1 Ana 99\nseat 3 Bo 101\nseat 5 Cy 100\nseat 7 Di 100\n"
OPENINGS = {
    "bomb pot": "option bomb-pot 6\n{bomb_antes}",
    "make-up": "option bomb-pot 6\n{bomb_antes}5 posts makeup-big 2\n",
    "entry": "option bomb-pot 6\n{bomb_antes}5 posts entry 2\n",
    "antes": "{antes}",
    "named only": "option bomb-pot 6\n{antes}",
    "nothing": "",
}


def _tell_hand(number: int, opening: str, button: int, seats: str, present: tuple[int, ...]) -> str:
    """Return a hand that is checked on the flop and won on the turn; without antes, nothing is bet at all."""
    antes = "".join(f"{seat} antes 6\n" for seat in present)
    posts = OPENINGS[opening].format(antes=antes, bomb_antes=antes.replace(" 6", " 6 bomb-pot"))
    lines = f"hand {number}\n{seats}button {button}\n{posts}deal done\n"
    if opening == "nothing":
        return f"{lines}end\n"
    first, *others = sorted(present, key=lambda seat: (seat <= button, seat))
    checks = "".join(f"{seat} checks\n" for seat in (first, *others))
    folds = "".join(f"{seat} folds\n" for seat in others)
    pot = 6 * len(present) + 2 * (opening in ("make-up", "entry"))
    return (
        f"{lines}burn\nflop 2c 7d Kh\n{checks}burn\nturn 3c\n{first} bets 4\n{folds}"
        f"{first} uncalled 4\n{first} wins {pot}\nend\n"
    )


def _tell_ordinary_hand(number: int, button: int, small: int, big: int, seats: str, present: tuple[int, ...]) -> str:
    """Return a hand that everybody but the big blind folds."""
    after_big = sorted(present, key=lambda seat: (seat <= big, seat))
    folds = "".join(f"{seat} folds\n" for seat in after_big if seat != big)
    return (
        f"hand {number}\n{seats}button {button}\n{small} posts small 1\n{big} posts big 2\ndeal done\n{folds}"
        f"{big} uncalled 1\n{big} wins 2\nend\n"
    )


def _judge(text: str, book: str) -> Iterator[tuple[int, Finding]]:
    told = evening(text, column(book))
    audit, walk = Auditor([load(book)]), TableWalk([load(book)])
    number = {hand.stream.hex: index for index, hand in enumerate(told.hands, 1) if hand.stream}
    for contexts in walk.contexts(told.table):
        index = number[contexts.hand.hand]
        for finding in audit.judge_hand(told.hands[index - 1], contexts):
            yield index, finding


def _head(game: str) -> str:
    return f"handscript 1\nvenue Test  table 1\nwitness everything\ngame {game} unit USD 2\n"


@pytest.mark.law
@pytest.mark.parametrize("opening", OPENINGS)
def test_a_hand_without_blinds_breaks_no_rule_about_blinds(opening: str) -> None:
    several = [(game, button) for game in GAMES for button in (1, 7, 3, 5)]
    for game, button in several[:: size(3, 1)]:
        text = _head(game) + FIRST_HAND + _tell_hand(2, opening, button, SEATS, (1, 3, 5, 7))
        for book in BOOKS:
            found = [f"{game} {button} {book} {finding.clause}: {finding.saw}" for _, finding in _judge(text, book)]
            assert not found


@pytest.mark.parametrize("opening", ["bomb pot", "antes"])
def test_a_hand_without_blinds_may_count_for_the_next_one_or_not(opening: str) -> None:
    everybody = (1, 3, 5, 7)
    for counts in (False, True):
        button, small, big = (3, 5, 7) if counts else (1, 3, 5)
        text = (
            _head(GAMES[0])
            + FIRST_HAND
            + _tell_hand(2, opening, 1, SEATS, everybody)
            + _tell_ordinary_hand(3, button, small, big, _stacks(1, 93, 119, 94, 94), everybody)
        )
        for book in BOOKS:
            assert not [(book, finding.clause, finding.saw) for _, finding in _judge(text, book)]


def test_nobody_misses_a_blind_in_a_bomb_pot() -> None:
    left_out = "seat 1 Ana 99\nseat 3 Bo 101\nleft-out 5 Cy 100 sitting-out\nseat 7 Di 100\n"
    present = (1, 3, 7)
    for button, small, big in ((1, 3, 7), (3, 5, 7), (3, 7, 1), (7, 1, 3)):
        seats = _stacks(1, 93, 113, 100, 94)
        text = (
            _head(GAMES[0])
            + FIRST_HAND
            + _tell_hand(2, "bomb pot", 1, left_out, present)
            + _tell_ordinary_hand(3, button, small, big, seats, (1, 3, 5, 7))
        )
        for book in ("hilton", "rrop4", "bicycle"):
            accused = [
                finding for _, finding in _judge(text, book) if "blinds" in finding.because and finding.seat == 5
            ]
            assert not [(book, finding.saw, finding.because) for finding in accused]


def test_real_wrongs_in_a_bomb_pot_are_still_found() -> None:
    text = _head(GAMES[0]) + FIRST_HAND + _tell_hand(2, "bomb pot", 1, SEATS, (1, 3, 5, 7))
    out_of_turn = text.replace("3 checks\n5 checks\n7 checks\n1 checks", "5 checks\n3 checks\n7 checks\n1 checks")
    assert out_of_turn != text
    assert [finding.clause for _, finding in _judge(out_of_turn, "hilton")]


def test_every_detector_with_an_event_of_blinds_is_about_blinds() -> None:
    """Otherwise it runs on bomb pots, where nobody owes a blind."""
    clauses = (clause for book in BOOKS for clause in load(book).clauses.values())
    specs = {clause.entry.detector: clause.spec for clause in clauses if clause.spec}
    blind_specs = {name: spec for name, spec in specs.items() if spec.events & BLIND_EVENTS}
    assert len(blind_specs) > 20
    missing = {name for name, spec in blind_specs.items() if not spec.is_about_blinds}
    assert not missing, "add them to _BLIND_DETECTORS in projections/findings/detector.py"


def _stacks(first: int, *chips: int) -> str:
    """Return the lines of the four seats with these stacks."""
    names = ("Ana", "Bo", "Cy", "Di")
    return "".join(
        f"seat {first + 2 * index} {name} {stack}\n"
        for index, (name, stack) in enumerate(zip(names, chips, strict=True))
    )
