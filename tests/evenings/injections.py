"""One wrong put into a legal evening, and the clauses that each book has about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from tests.evenings import wrongs
from tests.evenings.generate import Dealt, Evening, begin_events, evening
from tests.evenings.plan import Plan
from tests.evenings.play import play
from tests.evenings.table import MurkyError, Table

Wrong = Callable[[Table, Plan, Dealt], bool]
"""Changes table, plan or the facts before the hand; False = no occasion."""


@dataclass(frozen=True)
class Injection:
    """What is done wrong, and by room which clauses must speak (one of them) and which may."""

    name: str
    wrong: Wrong
    must: dict[str, str]  # room → clauses, one of which speaks
    may: dict[str, str]
    favour: tuple[str, ...] = ()  # moves that make the occasion

    def clauses(self, room: str) -> tuple[set[str], set[str]]:
        parts = set(self.must[room].split())
        return parts, parts | set(self.may.get(room, "").split())


def inject(evening: Evening, injection: Injection, index: int) -> Evening | None:
    """The evening up to hand number `at` (from 0), with the wrong in that hand."""
    hand = evening.hands[index]
    if hand.misdealt or hand.table is None:
        return None
    table, plan = hand.table.copy(), hand.plan.copy()
    dealt = Dealt(hand.number, [], plan, list(hand.before))
    try:
        if not injection.wrong(table, plan, dealt):
            return None
    except MurkyError:
        return None
    dealt.events = begin_events(table, plan, hand.number, hand.started)
    dealt.events += play(table, plan, Random(index))
    return Evening(evening.room, evening.seed, [*evening.hands[:index], dealt])


@lru_cache(maxsize=400)
def _evening(room: str, seed: int, favour: tuple[str, ...]) -> Evening:
    return evening(room, seed, 30, keep=True, favour=favour)


def occasions(room: str, injection: Injection, enough: int = 1) -> Iterator[tuple[Evening, int]]:
    """A few evenings that end with the wrong, and the index of its hand."""
    occasion_count = 0
    for seed in range(250):
        evening = _evening(room, seed, injection.favour)
        for index in range(len(evening.hands)):
            wrong = inject(evening, injection, index)
            if wrong is not None:
                yield wrong, index
                occasion_count += 1
                break
        if occasion_count == enough:
            return


# which clause of which book


def _by_room(**rooms: str) -> dict[str, str]:
    """By room; `hilton_limit` is hilton-limit."""
    return {room.replace("_", "-"): clauses for room, clauses in rooms.items()}


_PLACES = _by_room(
    hilton_limit="B11b.1",
    hilton_low="B11b.1",
    hilton_nl="B11b.2 B10",
    hilton_nl_bring_in="B11b.2 B10",
    hilton_tournament="B11a",
    tda2024="32",
    rrop4_dead="blinds.1b.1",
    rrop4_dead_nl="blinds.1b.1",
    rrop4_moving="blinds.1a.1 blinds.1.1 blinds.7.1",
    bicycle="p24a p24b",
)
_FURTHER_CLAUSES = _by_room(
    hilton_limit="B12a.1 B12a.3 B10 B5.2 B13.1",
    hilton_low="B12a.1 B12a.3 B10 B5.2 B13.1",
    hilton_nl="B12b.1 B12b.2 B10 B5.2 B13.1 B12b.3 B16.3",
    hilton_nl_bring_in="B12b.1 B12b.2 B10 B5.2 B13.1 B12b.3",
    hilton_tournament="B12a.1 B12a.3 B13.1",
    rrop4_dead="blinds.1.1 blinds.intro.8 blinds.intro.4",
    rrop4_dead_nl="blinds.1.1 blinds.intro.8 blinds.intro.4",
    rrop4_moving="blinds.intro.8 blinds.1.1 blinds.1a.1 blinds.intro.4",
    bicycle="p03a",
)
_RROP4 = ("rrop4-dead", "rrop4-moving", "rrop4-dead-nl")


def _rrop4(clauses: str) -> dict[str, str]:
    return dict.fromkeys(_RROP4, clauses)


INJECTIONS = (
    Injection("the button skips a player", wrongs.button_too_far, _PLACES, _FURTHER_CLAUSES),
    Injection("the blinds come one seat too far", wrongs.blinds_too_far, _PLACES, _FURTHER_CLAUSES),
    Injection(
        # "The button always moves forward" (bicycle): past a player is forward too.
        "button and blinds skip a player",
        wrongs.all_too_far,
        {room: clauses for room, clauses in _PLACES.items() if room != "bicycle"},
        _FURTHER_CLAUSES,
    ),
    Injection("nothing moves", wrongs.nothing_moves, _PLACES, _FURTHER_CLAUSES),
    Injection(
        "a dead small blind is posted by the next player",
        wrongs.dead_blind_covered,
        _by_room(hilton_limit="B12a.3", hilton_low="B12a.3", rrop4_dead="blinds.1b.1", rrop4_dead_nl="blinds.1b.1"),
        _by_room(
            hilton_limit="B11b.1 B13.1",
            hilton_low="B11b.1 B13.1",
            rrop4_dead="blinds.intro.8",
            rrop4_dead_nl="blinds.intro.8",
        ),
    ),
    Injection(
        "an owed big blind is forgotten",
        wrongs.owed_blind_forgotten,
        _by_room(rrop4_moving="blinds.1.1"),
        _by_room(rrop4_moving="blinds.intro.8 blinds.1a.1"),
    ),
    Injection(
        "two players, the small blind opposite the button",
        wrongs.heads_up_reversed,
        _rrop4("blinds.3") | _by_room(tda2024="34b.1"),
        _by_room(tda2024="32 34b.3 34b.4") | _rrop4("blinds.1b.1 blinds.1a.1 blinds.1.1 blinds.intro.8"),
    ),
    Injection(
        "the first button lies elsewhere",
        wrongs.first_button_elsewhere,
        _by_room(hilton_limit="B4.1", hilton_nl="B4.1"),
        _by_room(hilton_limit="B11b.1 B5.2", hilton_nl="B11b.2 B5.2"),
    ),
    Injection(
        "a newcomer posts nothing",
        wrongs.newcomer_posts_nothing,
        _by_room(hilton_limit="B17.2", hilton_nl="B4.2 B18") | _rrop4("blinds.4.1 blinds.12.2"),
        _by_room(hilton_limit="B18 B4.2 B19.3", hilton_nl="B17.2 B19.3") | _rrop4("blinds.4b"),
    ),
    Injection(
        "a newcomer posts dead money",
        wrongs.newcomer_posts_dead,
        _by_room(hilton_limit="B17.2") | _rrop4("blinds.intro.7 blinds.4b"),
        _by_room(hilton_limit="B18 B4.2 B19.3 B6 B13.3") | _rrop4("blinds.4.1 blinds.4b"),
    ),
    Injection(
        "a newcomer posts half",
        wrongs.newcomer_posts_half,
        _by_room(hilton_limit="B17.2") | _rrop4("blinds.4b"),
        _by_room(hilton_limit="B18 B4.2 B19.3") | _rrop4("blinds.4.1"),
    ),
    Injection(
        "a mover posts nothing",
        wrongs.mover_posts_nothing,
        _by_room(hilton_limit="B20") | _rrop4("blinds.13.1 blinds.13.2"),
        _rrop4("blinds.13.4"),
        ("move_away", "join"),
    ),
    Injection(
        "a mover posts half",
        wrongs.mover_posts_half,
        _by_room(hilton_limit="B20") | _rrop4("blinds.13.4"),
        _rrop4("blinds.4b blinds.13.1 blinds.13.2"),
        ("move_away", "join"),
    ),
    Injection(
        "a mover does not wait",
        wrongs.mover_comes_in_at_once,
        _by_room(hilton_limit="B20") | _rrop4("blinds.13.1 blinds.13.2"),
        _rrop4("blinds.13.4"),
        ("move_away", "join"),
    ),
    Injection(
        "a newcomer between button and blinds",
        wrongs.newcomer_between,
        _by_room(hilton_limit="B5.1", hilton_nl="B5.1") | _rrop4("blinds.7.1"),
        _by_room(hilton_limit="B11b.1 B12a.1", hilton_nl="B11b.2")
        | _rrop4("blinds.1b.1 blinds.1a.1 blinds.1.1 blinds.intro.8"),
    ),
    Injection(
        "a player of a broken game is made to post",
        wrongs.transferred_posts,
        _by_room(hilton_limit="B17.3", hilton_nl="B17.3"),
        {},
    ),
    Injection(
        "broke, back, and no post",
        wrongs.back_without_rebuy_post,
        _by_room(hilton_limit="B19.3", rrop4_dead="blinds.11.1", rrop4_dead_nl="blinds.11.1"),
        _by_room(
            hilton_limit="B17.2 B18 B4.2", rrop4_dead="blinds.9.1 blinds.12.1", rrop4_dead_nl="blinds.9.1 blinds.12.1"
        ),
        ("rebuy",),
    ),
    Injection(
        "nothing is made up",
        wrongs.nothing_made_up,
        _by_room(hilton_limit="B14.2", hilton_nl="B14.2", bicycle="p23a p21a") | _rrop4("blinds.9.1"),
        _by_room(bicycle="p21a p23a") | _rrop4("blinds.11.1 blinds.12.1"),
    ),
    Injection(
        "too little is made up",
        wrongs.too_little_made_up,
        _by_room(hilton_limit="B15a.1", hilton_nl="B15b.1", bicycle="p23a p21a p23b") | _rrop4("blinds.9.1"),
        _by_room(hilton_limit="B15a.2 B14.2", hilton_nl="B14.2", bicycle="p23b p23a p21a")
        | _rrop4("blinds.9.2 blinds.9.3 blinds.11.1 blinds.12.1"),
    ),
    Injection(
        "all is made up live",
        wrongs.all_made_up_live,
        _by_room(hilton_limit="B15a.2", bicycle="p23b") | _rrop4("blinds.9.2 blinds.9.3"),
        _rrop4("blinds.9.2 blinds.9.3"),
    ),
    Injection(
        "dead money where the big blind alone is due",
        wrongs.both_made_up_with_dead_money,
        _by_room(hilton_nl="B15b.1"),
        _by_room(hilton_nl="B14.2"),
    ),
    Injection(
        "made up between button and blinds",
        wrongs.made_up_between,
        _by_room(hilton_limit="B16.1") | _rrop4("blinds.7.2"),
        _by_room(hilton_limit="B11b.1 B12a.1") | _rrop4("blinds.1b.1 blinds.1a.1 blinds.1.1 blinds.intro.8"),
        ("next_big_away", "come_back"),
    ),
    Injection(
        "no marker for a missed blind",
        wrongs.no_marker,
        _by_room(hilton_limit="B14.1", hilton_nl="B14.1", hilton_low="B14.1"),
        _by_room(hilton_limit="B17.4", hilton_nl="B17.4", hilton_low="B17.4"),
    ),
    Injection(
        "the straddle is too small", wrongs.straddle_too_small, _by_room(hilton_limit="B8b.2", hilton_nl="B8b.2"), {}
    ),
    Injection(
        "the straddle is too large", wrongs.straddle_too_large, _by_room(hilton_limit="B8b.3", hilton_nl="B8b.3"), {}
    ),
    Injection(
        "a straddle out of its place", wrongs.straddle_out_of_place, _by_room(hilton_limit="B8h", hilton_nl="B8h"), {}
    ),
    Injection(
        "straddles without leave",
        wrongs.straddles_without_leave,
        _by_room(hilton_limit="B8a.1 B8a.2", hilton_nl="B8a.1 B8a.2"),
        _by_room(hilton_limit="B8a.1 B8a.2 B8b.3", hilton_nl="B8a.1 B8a.2 B8b.3"),
    ),
    Injection(
        "a straddle where they are barred",
        wrongs.straddle_where_barred,
        _by_room(rrop4_dead="blinds.15", rrop4_moving="blinds.15"),
        {},
    ),
    Injection(
        "the big blind is too large",
        wrongs.blind_too_large,
        _by_room(hilton_limit="B7", hilton_low="B7", hilton_nl="B7", hilton_tournament="B7"),
        {},
    ),
    Injection(
        "three blinds come one seat too far",
        wrongs.three_blinds_too_far,
        _by_room(hilton_three="B11b.1", rrop4_three="blinds.1b.1"),
        _by_room(hilton_three=_FURTHER_CLAUSES["hilton-limit"], rrop4_three=_FURTHER_CLAUSES["rrop4-dead"]),
    ),
    Injection(
        "of three blinds missed one is made up",
        wrongs.third_alone_made_up,
        _by_room(hilton_three="B15a.1", rrop4_three="blinds.9.1"),
        _by_room(hilton_three="B15a.2 B14.2", rrop4_three="blinds.9.2 blinds.9.3 blinds.11.1 blinds.12.1"),
    ),
    Injection(
        "three blinds made up live",
        wrongs.three_made_up_live,
        _by_room(hilton_three="B15a.2", rrop4_three="blinds.9.2 blinds.9.3"),
        _by_room(rrop4_three="blinds.9.2 blinds.9.3"),
    ),
    Injection(
        "a newcomer to lowball posts the big blind once",
        wrongs.newcomer_posts_once,
        _by_room(rrop4_low="blinds.4c"),
        {},
    ),
    Injection(
        "a mover in lowball does not kill the pot",
        wrongs.mover_does_not_kill,
        _by_room(rrop4_low="blinds.13.5"),
        {},
        ("move_away", "join"),
    ),
    Injection(
        "who plays over posts nothing",
        wrongs.playing_over_for_nothing,
        _by_room(rrop4_pass="blinds.6", rrop4_dead_pl="blinds.6"),
        _by_room(rrop4_pass="blinds.4.1 blinds.4b", rrop4_dead_pl="blinds.4.1 blinds.4b"),
        ("play_over", "go_away"),
    ),
    Injection(
        "who let the blinds pass once is charged",
        wrongs.free_pass_charged,
        _by_room(hilton_pass="B21", rrop4_pass="blinds.14", hilton_pl="B21"),
        _by_room(hilton_pl="B12b.3"),
        ("pass_blinds",),
    ),
    Injection(
        "a raise above the pot", wrongs.raise_above_the_pot, _by_room(bicycle_pl="p27b"), _by_room(bicycle_pl="p29a")
    ),
    Injection("nobody posts for a short blind", wrongs.nobody_steps_in, _by_room(bicycle_short="p04b"), {}),
    Injection("a short stack gets no cards", wrongs.short_stack_refused, _by_room(bicycle_short="p04a"), {}),
    Injection(
        "somebody posts for half a blind",
        wrongs.stepped_in_for_half,
        _by_room(bicycle_short="p04e"),
        _by_room(bicycle_short="p24b"),
    ),
)
"""Every wrong that is put into evenings."""
