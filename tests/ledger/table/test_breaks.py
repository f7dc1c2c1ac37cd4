"""The short way past a table's walk says only what the walk says: no break where it finds none."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import pairwise
from random import Random
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ledger.table.breaks import find_breaks, is_plainly_chained, walk_breaks
from ledger.table.events import HandPlayed, LeftOut, TableEvent, TableOpened
from ledger.table.order import TableEntry, number_table_events
from ledger.vocabulary import Witness
from tests.evenings import ROOMS, Evening, evening
from tests.evenings.natural import natural
from tests.ledger.table.tables import hand

_PLAIN_WITNESSES: Final = ~int(Witness.MISSING_HANDS | Witness.SEATING)
_SEEDS: Final = 3


@cache
def _evening(room: str, seed: int) -> Evening:
    return evening(room, seed, 12)


def _bare_hands(evening: Evening) -> list[HandPlayed]:
    """The hands as a source that tells nothing but hands would have them."""
    return [
        replace(entry.event, witnesses=entry.event.witnesses & _PLAIN_WITNESSES, within=())
        for entry in evening.told()
        if isinstance(entry.event, HandPlayed)
    ]


Damage = Callable[[HandPlayed, HandPlayed, Random], HandPlayed]
"""Makes of a hand, and of another of its table, the hand as a damaged record has it."""


def _chips(hand: HandPlayed, _: HandPlayed, rng: Random) -> HandPlayed:
    index = rng.randrange(len(hand.dealt_in))
    dealt_seat = hand.dealt_in[index]
    new_stack: int | None = rng.choice([None, 0, (dealt_seat.before or 0) + rng.choice([-1, 1, 100])])
    new = replace(dealt_seat, before=new_stack) if rng.random() < 0.5 else replace(dealt_seat, after=new_stack)
    return replace(hand, dealt_in=(*hand.dealt_in[:index], new, *hand.dealt_in[index + 1 :]))


def _player(hand: HandPlayed, hand_played: HandPlayed, rng: Random) -> HandPlayed:
    index = rng.randrange(len(hand.dealt_in))
    new = replace(hand.dealt_in[index], player=rng.choice(hand_played.dealt_in).player)
    return replace(hand, dealt_in=(*hand.dealt_in[:index], new, *hand.dealt_in[index + 1 :]))


def _seat(hand: HandPlayed, _: HandPlayed, rng: Random) -> HandPlayed:
    index = rng.randrange(len(hand.dealt_in))
    new = replace(hand.dealt_in[index], seat=rng.randint(1, 10))
    return replace(hand, dealt_in=(*hand.dealt_in[:index], new, *hand.dealt_in[index + 1 :]))


def _left_out(hand: HandPlayed, _: HandPlayed, rng: Random) -> HandPlayed:
    index = rng.randrange(len(hand.dealt_in))
    dealt_seat = hand.dealt_in[index]
    line = LeftOut(dealt_seat.seat, dealt_seat.player, rng.choice([None, dealt_seat.before, dealt_seat.after]), "away")
    remaining = (*hand.dealt_in[:index], *hand.dealt_in[index + 1 :])
    return replace(hand, dealt_in=remaining or hand.dealt_in, left_out=(*hand.left_out, line))


def _options(hand: HandPlayed, _: HandPlayed, rng: Random) -> HandPlayed:
    return replace(hand, options=(*hand.options, ("other", rng.choice(["zoom", "fast"]))))


DAMAGES: Final[dict[str, Damage]] = {
    "stack": _chips,
    "player": _player,
    "seat": _seat,
    "left out": _left_out,
    "pool": _options,
    "number again": lambda hand, other, _: replace(hand, number=other.number),
    "number lost": lambda hand, _, __: replace(hand, number=""),
    "number reset": lambda hand, _, rng: replace(hand, number=str(rng.randint(1, 3))),
    "number far": lambda hand, _, rng: replace(hand, number=hand.number + str(rng.randint(0, 99))),
    "time lost": lambda hand, _, __: replace(hand, started=None),
    "own clock": lambda hand, _, __: replace(hand, started=None, clock=hand.started),
    "time of another": lambda hand, other, _: replace(hand, started=other.started),
    "button": lambda hand, _, rng: replace(hand, button=rng.choice([None, *range(1, 11)])),
    "voided": lambda hand, _, __: replace(hand, voided="misdeal"),
    "cut off": lambda hand, _, __: replace(hand, completed=False),
    "within": lambda hand, other, _: replace(hand, within=other.within),
    "witnesses": lambda hand, _, rng: replace(hand, witnesses=rng.getrandbits(int(max(Witness)).bit_length())),
}


def _record(evening: Evening, damages: list[str], rng: Random, *, facts: bool) -> list[TableEntry]:
    """A stretch of an evening with these things done to it; "" takes a hand away, "order" moves one."""
    entries = evening.told()
    all_hands = [entry.event for entry in entries if isinstance(entry.event, HandPlayed)]
    hands = all_hands if facts else _bare_hands(evening)
    start = rng.randrange(len(hands))
    hands = hands[start : start + rng.randint(1, len(hands))]
    for damage in damages:
        index = rng.randrange(len(hands))
        if damage == "":
            if len(hands) > 1:
                del hands[index]
        elif damage == "order":
            hands.insert(rng.randrange(len(hands)), hands.pop(index))
        elif hands[index].dealt_in:
            hands[index] = DAMAGES[damage](hands[index], rng.choice(all_hands), rng)
    events: list[TableEvent] = [TableOpened("Evening", "1"), *hands]
    if facts:
        events[1:1] = [entry.event for entry in entries[:3] if not isinstance(entry.event, HandPlayed)]
    return number_table_events(events)


@given(
    st.sampled_from(sorted(ROOMS)),
    st.integers(0, _SEEDS - 1),
    st.lists(st.sampled_from(["", "order", *DAMAGES]), max_size=3),
    st.booleans(),
    st.booleans(),
    st.randoms(use_true_random=False),
)
def test_where_the_short_way_passes_a_table_the_walk_finds_no_break(
    room: str, seed: int, damages: list[str], natural_order: bool, facts: bool, rng: Random
) -> None:
    evening = _evening(room, seed)
    entries = _record(natural(evening) if natural_order else evening, damages, rng, facts=facts)
    if is_plainly_chained(entries):
        assert not list(walk_breaks(entries)), damages


def test_two_players_in_one_seat_are_looked_at() -> None:
    """A table remembers one of them; what the other one has next does not follow from anything."""
    broken = []
    for seed in range(_SEEDS):
        hands = _bare_hands(_evening("rrop4-moving", seed))
        last, hand = next(pair for pair in pairwise(hands) if is_plainly_chained(number_table_events(pair)))
        first, second, *other_seats = last.dealt_in
        line = LeftOut(first.seat, second.player, second.after, "unknown")
        last = replace(last, dealt_in=(first, *other_seats), left_out=(*last.left_out, line))
        entries = number_table_events([last, hand])
        broken += walk_breaks(entries)
        assert not is_plainly_chained(entries)
    assert broken


def test_the_short_way_passes_much_and_the_walk_finds_breaks_in_much() -> None:
    """Else the law above would say nothing: both answers are drawn, with every damage."""
    rng = Random(7)
    passed: set[str] = set()
    broken: set[str] = set()
    for _ in range(800):
        if passed >= {"", *DAMAGES} and broken >= {"", "stack", "player", "left out"}:
            return
        damage = rng.choice(["", "order", *DAMAGES])
        evening = _evening(rng.choice(sorted(ROOMS)), rng.randrange(_SEEDS))
        entries = _record(evening, [damage], rng, facts=False)
        (passed if is_plainly_chained(entries) else broken if list(walk_breaks(entries)) else set()).add(damage)
    pytest.fail(f"passed were {passed}, broken {broken}")


def test_the_button_passes_who_came_in_between_it_and_the_small_blind() -> None:
    first = hand(12, 3, 6, 7, [3, 4, 6, 7, 8])
    assert not [*find_breaks(number_table_events([first, hand(13, 6, 7, 8, [3, 4, 6, 7, 8])]))]
    (jumped,) = find_breaks(number_table_events([first, hand(13, 7, 8, 3, [3, 4, 6, 7, 8])]))
    assert (jumped.how, jumped.seats) == ("button", [6])
