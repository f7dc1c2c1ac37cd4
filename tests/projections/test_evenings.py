"""Random legal evenings: nothing is found in them, and what was due is what was played.

The evenings are made by `tests.evenings`, which reads the rules for itself. HANDLEDGER_HANDS says
how many hands of each kind of game are played; `make long` plays 100,000.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.formats.handscript import read_with_comments
from ledger.presence import SeatMoved
from ledger.table.events import GameStarted, HandPlayed
from ledger.table.order import TableEntry
from projections.audit.auditor import Auditor
from projections.books.rulebook import load
from projections.obligations.dues import Due
from projections.table_walk.table_context import TableWalk
from tests.evenings import ROOMS, Evening, evening
from tests.evenings.generate import PEOPLE, Dealt
from tests.evenings.judging import complaints, judge
from tests.evenings.natural import as_told, forgetful, natural
from tests.evenings.script import script

HANDS = int(os.environ.get("HANDLEDGER_HANDS", "300"))
LENGTH = 30
PARTS = 1 if HANDS <= 1000 else 8
DEAD = [name for name, room in ROOMS.items() if room.method == "dead"]
POSITIONAL = [n for n, room in ROOMS.items() if room.method == "positional" and n != "house-burn"]

evenings = st.builds(evening, st.sampled_from(sorted(ROOMS)), st.integers(0, 10**6), st.integers(1, 25))
short_evenings = st.builds(evening, st.sampled_from(sorted(ROOMS)), st.integers(0, 10**6), st.integers(1, 10))


def shortest(name: str, seed: int, retell: Callable[[Evening], Evening] = as_told) -> str:
    """The evening up to its first wrong judgement, and what is wrong."""
    for hands in range(1, LENGTH + 1):
        drawn_evening = retell(evening(name, seed, hands))
        if complaint := complaints(drawn_evening):
            return f"{drawn_evening!r}\n" + "\n".join(complaint) + "\n\n" + script(drawn_evening)
    return f"evening({name!r}, seed={seed}): wrong only in full"


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("name", ROOMS)
def test_a_legal_evening_has_no_finding_and_its_obligations_are_those_it_kept(name: str, part: int) -> None:
    played, seed = 0, part * 1_000_000
    while played < HANDS // PARTS:
        drawn_evening = evening(name, seed, LENGTH)
        assert not complaints(drawn_evening), shortest(name, seed)
        assert not complaints(natural(drawn_evening)), shortest(name, seed, natural)
        certain_findings = [
            f for _, f in judge(forgetful(drawn_evening, random.Random(seed)))[0] if f.certainty == "certain"
        ]
        assert not certain_findings, f"{drawn_evening!r}, of whose absences some are not told: {certain_findings}"
        played += len(drawn_evening.hands)
        seed += 1


@pytest.mark.slow
@given(evenings)
def test_an_evening_is_written_and_read_as_it_was_told(drawn_evening: Evening) -> None:
    items = [item.told for item in read_with_comments(script(drawn_evening), PEOPLE)]
    hands = [told.events for told in items if hasattr(told, "opened")]
    facts = [event for told in items if not hasattr(told, "opened") for event in told.events]
    assert hands == [hand.events for hand in drawn_evening.hands]
    assert facts == [event for hand in drawn_evening.hands for event in hand.before]


@given(evenings)
def test_positions_never_collide(drawn_evening: Evening) -> None:
    for due in judge(drawn_evening)[1]:
        for place in due.placements:
            seats = [seat for seat in (place.button, place.small, place.big) if seat is not None]
            if place.heads_up:
                assert place.button != place.big
                assert place.small != place.big
            elif place.judged:
                assert len(set(seats)) == len(seats)
            first = [seat for seat in (place.first, place.last, place.opener) if seat is not None]
            assert set(first) <= set(due.dealt)


def _new_game(hand: Dealt) -> bool:
    return any(isinstance(event, GameStarted) for event in hand.before)


def rounds(evening: Evening, dues: list[Due]) -> Iterator[tuple[int, list[int]]]:
    """For each player who kept the chair and never missed a hand from one big blind to the next: the hands between."""
    hands_since: dict[str, list[int]] = {}
    for index, (hand, due) in enumerate(zip(evening.hands, dues, strict=True)):
        if hand.misdealt:
            continue
        place, table = due.place, {seat.player: seat for seat in due.seats}
        in_now = {player for player, seat in table.items() if seat.seat in due.dealt}
        in_now -= {event.player for event in hand.before if isinstance(event, SeatMoved)}
        hands_since = {player: hands for player, hands in hands_since.items() if player in in_now}
        if place is None or place.heads_up or not place.judged or _new_game(hand):
            hands_since = {}
            continue
        for player in in_now:
            seat = table[player].seat
            if player in hands_since:
                hands_since[player].append(index)
            if seat == place.big:
                if len(hands_since.get(player, ())) > 1:
                    yield seat, hands_since[player]
                hands_since[player] = [index]


@pytest.mark.slow
@pytest.mark.parametrize("name", DEAD)
def test_under_the_dead_button_everybody_pays_each_blind_once_in_a_round(name: str) -> None:
    whole_rounds = 0
    for seed in range(6):
        drawn_evening = evening(name, seed, 40)
        dues = judge(drawn_evening)[1]
        for seat, hands in rounds(drawn_evening, dues):
            places = [dues[index].place for index in hands]
            assert [p.big for p in places[:-1]].count(seat) == 1
            assert [p.small for p in places].count(seat) == 1
            assert [p.button for p in places].count(seat) == 1
            whole_rounds += 1
    assert whole_rounds > 5


@pytest.mark.slow
@pytest.mark.parametrize("name", POSITIONAL)
def test_under_the_moving_button_nobody_has_last_action_twice_running_save_by_absence(name: str) -> None:
    for seed in range(6):
        drawn_evening = evening(name, seed, 40)
        last: tuple[str, str] | None = None
        for hand, due in zip(drawn_evening.hands, judge(drawn_evening)[1], strict=True):
            place = due.place
            if place is None or place.last is None or not place.judged or hand.misdealt:
                last = None
                continue
            seat = due.seat(place.last)
            assert seat is not None
            assert last is None or last[0] != seat.player, f"{drawn_evening!r} hand {hand.number}"
            last = (seat.player, hand.number)


@given(evenings)
def test_who_has_posted_what_was_missed_owes_nothing_on_the_next_hand(drawn_evening: Evening) -> None:
    dues = judge(drawn_evening)[1]
    for hand, due in zip(drawn_evening.hands, dues[1:], strict=False):
        if hand.misdealt:
            continue
        for post in hand.plan.posts:
            if post.role != "makeup-big":
                continue
            player = next(e.player for e in hand.events if getattr(e, "seat", 0) == post.seat and hasattr(e, "player"))
            seat_now = next((seat for seat in due.seats if seat.player == player), None)
            if seat_now is not None and seat_now.seat in due.dealt:
                assert not seat_now.missed
                assert not seat_now.post


@pytest.mark.slow
@given(short_evenings, st.randoms(use_true_random=False))
def test_judging_does_not_depend_on_the_order_in_which_hands_come_in(
    drawn_evening: Evening, rng: random.Random
) -> None:
    book = load(drawn_evening.room.book)
    audit, table = Auditor([book]), TableWalk([book])
    entries = drawn_evening.told()
    straight = [str(due) for due in judge(drawn_evening)[1]]
    hands = {hand.number: played for hand, played in zip(drawn_evening.hands, drawn_evening.played, strict=True)}
    sats = [sat for sat in entries if isinstance(sat.event, HandPlayed)]
    facts = [sat for sat in entries if not isinstance(sat.event, HandPlayed)]
    rng.shuffle(sats)
    mixed = [TableEntry(n, o.event, o.time) for n, o in enumerate([*facts, *sats], 1)]
    dues = []
    for sat in table.contexts(mixed):
        assert not audit.judge_hand(hands[sat.hand.number], sat)
        dues.append(sat[book.name].due)
    assert [_drop_versions(str(due)) for due in dues] == [_drop_versions(due) for due in straight]


def _drop_versions(text: str) -> str:
    """Without the numbers of events in the stream, which the order of arrival gives."""
    return "".join(part.partition(",")[2] or ")" for part in text.split("version="))


@pytest.mark.slow
@given(short_evenings, short_evenings, st.booleans())
def test_other_tables_do_not_matter(drawn_evening: Evening, other_evening: Evening, first: bool) -> None:
    book = load(drawn_evening.room.book)
    audit = Auditor(
        [book, load(other_evening.room.book)] if other_evening.room.book != drawn_evening.room.book else [book]
    )
    alone = [_drop_versions(str(due)) for due in judge(drawn_evening)[1]]
    tables = [TableWalk(audit.books), TableWalk(audit.books)]
    walks = [iter(tables[0].contexts(drawn_evening.told())), iter(tables[1].contexts(other_evening.told()))]
    results = []
    turn = 0 if first else 1
    for index in range(max(len(drawn_evening.hands), len(other_evening.hands))):
        for which in (turn, 1 - turn):
            sat = next(walks[which], None)
            if sat is None:
                continue
            chosen_evening = (drawn_evening, other_evening)[which]
            audit.judge_hand(chosen_evening.played[index], sat)
            if which == 0:
                results.append(_drop_versions(str(sat[book.name].due)))
    assert results == alone
