"""One wrong put into a legal evening, and the clause that each book has about it.

An injection changes the facts before a hand or deals the hand otherwise; the evening ends there. It
returns None where the hand offers no occasion. Nothing is changed that the wrong does not bring.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from random import Random

from ledger import presence as pr
from tests.evenings.generate import Dealt, Evening, begun
from tests.evenings.play import play
from tests.evenings.table import (
    MurkyError,
    Plan,
    Posting,
    Table,
    after,
    clockwise,
    strictly,
    within,
)

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
        must = set(self.must[room].split())
        return must, must | set(self.may.get(room, "").split())


def inject(evening: Evening, injection: Injection, at: int) -> Evening | None:
    """The evening up to hand number `at` (from 0), with the wrong in that hand."""
    hand = evening.hands[at]
    if hand.misdealt or hand.table is None:
        return None
    table, plan = deepcopy(hand.table), deepcopy(hand.plan)
    other = Dealt(hand.number, [], plan, list(hand.before))
    try:
        if not injection.wrong(table, plan, other):
            return None
    except MurkyError:
        return None
    other.events = begun(table, plan, hand.number, hand.started)
    other.events += play(table, plan, Random(at))
    return Evening(evening.room, evening.seed, [*evening.hands[:at], other])


def _settled_hand(table: Table, plan: Plan) -> bool:
    """An ordinary hand: three or more seats with chips, in a game that is under way."""
    deep = all(table.people[s].stack > 4 * table.room.big for s in plan.dealt)
    return table.hands > 0 and table.last_dealt > 2 and len(plan.dealt) > 3 and deep


def _under_way(table: Table, plan: Plan, *seats: int) -> bool:
    """A hand of a game that is under way, in which these seats have chips enough."""
    deep = all(table.people[s].stack > 4 * table.room.big for s in seats)
    return table.hands > 0 and table.last_dealt > 2 and len(plan.dealt) > 3 and deep


def _plain(table: Table, plan: Plan) -> bool:
    """Nobody enters, all positions are taken, as many blinds as there are positions."""
    return (
        _settled_hand(table, plan)
        and not plan.entering
        and not plan.straddlers
        and {plan.button, plan.small, plan.big} <= set(plan.dealt)
        and [p.role for p in plan.posts] == ["small", "big"]
    )


def _post(plan: Plan, role: str, seat: int, live: int, dead: int = 0) -> None:
    """Put a post in the place of the one of its role."""
    plan.posts = [Posting(seat, role, live, dead) if p.role == role else p for p in plan.posts]


# positions


def button_too_far(table: Table, plan: Plan, _: Dealt) -> bool:
    """The button skips a player; the blinds are where they belong."""
    if not _plain(table, plan) or len(plan.dealt) < 6:
        return False
    plan.button = clockwise(plan.big, plan.dealt)[1]
    return plan.button != table.button


def blinds_too_far(table: Table, plan: Plan, _: Dealt) -> bool:
    """The blinds are posted one seat too far on; the button is where it belongs."""
    if not _plain(table, plan) or len(plan.dealt) < 5:
        return False
    plan.small = plan.big
    plan.big = after(plan.big, plan.dealt)
    plan.posts = [Posting(plan.small, "small", table.room.small), Posting(plan.big, "big", table.room.big)]  # fmt: skip
    return True


def all_too_far(table: Table, plan: Plan, _: Dealt) -> bool:
    """Button and blinds skip a player together."""
    if not _plain(table, plan) or len(plan.dealt) < 5:
        return False
    ring = clockwise(plan.button, plan.dealt)
    if ring[:2] != [plan.small, plan.big]:
        return False
    plan.button, plan.small, plan.big = ring[:3]
    plan.posts = [Posting(plan.small, "small", table.room.small), Posting(plan.big, "big", table.room.big)]  # fmt: skip
    return True


def nothing_moves(table: Table, plan: Plan, _: Dealt) -> bool:
    """Button and blinds stay where they were."""
    last = (table.button, table.small, table.big)
    if not _plain(table, plan) or not set(last) <= set(plan.dealt):
        return False
    plan.button, plan.small, plan.big = last
    plan.posts = [Posting(plan.small, "small", table.room.small), Posting(plan.big, "big", table.room.big)]  # fmt: skip
    return True


def dead_blind_covered(table: Table, plan: Plan, _: Dealt) -> bool:
    """The small blind belongs at a chair where nobody is; the next player posts it."""
    if plan.small in plan.dealt or plan.small in table.people or not _settled_hand(table, plan):
        return False
    seat = after(plan.big, plan.dealt)
    if seat in plan.entering or plan.straddlers or seat == plan.button:
        return False
    plan.posts.insert(0, Posting(seat, "small", table.room.small))
    return True


def owed_blind_forgotten(table: Table, plan: Plan, _: Dealt) -> bool:
    """Two players owe the big blind; the one who was skipped does not pay it."""
    big = [p for p in plan.posts if p.role == "big" and p.seat != plan.big]
    if not big or not _settled_hand(table, plan):
        return False
    plan.posts.remove(big[0])
    return True


def heads_up_reversed(table: Table, plan: Plan, _: Dealt) -> bool:
    """Two players: the small blind comes from the seat opposite the button."""
    if not plan.heads_up or table.last_dealt != 2 or any(p.short for p in plan.posts):
        return False
    if any(table.people[s].stack < 4 * table.room.big for s in plan.dealt):
        return False
    button, other = plan.button, plan.big
    plan.small, plan.big = other, button
    plan.posts = [Posting(other, "small", table.room.small), Posting(button, "big", table.room.big)]
    return True


def first_button_elsewhere(table: Table, plan: Plan, _: Dealt) -> bool:
    """The first button of a game lies one player too far on."""
    if table.hands or len(plan.dealt) < 4:
        return False
    plan.button, plan.small, plan.big = clockwise(plan.button, plan.dealt)[:3]
    plan.posts = [Posting(plan.small, "small", table.room.small), Posting(plan.big, "big", table.room.big)]  # fmt: skip
    return True


# entering


def _entering(table: Table, plan: Plan, *ways: str) -> int | None:
    found = next((seat for seat, way in plan.entering.items() if way in ways), None)
    return found if found is not None and _under_way(table, plan, found) else None


def _walked_in(table: Table, seat: int) -> bool:
    person = table.people[seat]
    return person.fresh and not person.moved and not person.rebought


def newcomer_posts_nothing(table: Table, plan: Plan, _: Dealt) -> bool:
    seat = _entering(table, plan, "entry")
    if seat is None or not _walked_in(table, seat):
        return False
    plan.posts = [p for p in plan.posts if p.seat != seat]
    return True


def newcomer_posts_dead(table: Table, plan: Plan, _: Dealt) -> bool:
    seat = _entering(table, plan, "entry")
    if seat is None or not _walked_in(table, seat):
        return False
    plan.posts = [p for p in plan.posts if p.seat != seat]
    plan.posts.append(Posting(seat, "entry", 0, table.room.big))
    return True


def newcomer_posts_half(table: Table, plan: Plan, _: Dealt) -> bool:
    seat = _entering(table, plan, "entry")
    if seat is None or not _walked_in(table, seat):
        return False
    plan.posts = [p for p in plan.posts if p.seat != seat]
    plan.posts.append(Posting(seat, "entry", table.room.small))
    return True


def mover_posts_nothing(table: Table, plan: Plan, _: Dealt) -> bool:
    seat = _entering(table, plan, "entry")
    if seat is None or not table.people[seat].moved:
        return False
    plan.posts = [p for p in plan.posts if p.seat != seat]
    return True


def mover_comes_in_at_once(table: Table, plan: Plan, hand: Dealt) -> bool:
    """A player who just moved away past three others gets cards without waiting."""
    moved = [e.to for e in hand.before if isinstance(e, pr.SeatMoved)]
    if len(moved) != 1 or not _under_way(table, plan) or moved[0] in plan.dealt:
        return False
    if table.hands < table.chairs:
        return False  # in a new game a seat may be changed before a blind has passed it
    person = table.people.get(moved[0])
    if person is None or not person.moved or not person.there or person.stack < 4 * table.room.big:
        return False
    if not strictly(plan.big, person.seat, plan.button):
        return False
    plan.dealt = sorted({*plan.dealt, person.seat})
    return True


def newcomer_between(table: Table, plan: Plan, _: Dealt) -> bool:
    """A newcomer between the button and the big blind posts and gets cards."""
    if not _under_way(table, plan):
        return False
    for seat in table.comers:
        person = table.people[seat]
        if person.fresh and not person.transferred and person.stack > 4 * table.room.big and strictly(plan.button, seat, plan.big) and seat != plan.small:  # fmt: skip
            if table.room.method != "dead" and within(table.button, seat, plan.button):
                return False
            plan.dealt = sorted({*plan.dealt, seat})
            plan.posts.append(Posting(seat, "entry", table.room.big))
            return True
    return False


def transferred_posts(table: Table, plan: Plan, _: Dealt) -> bool:
    """A player of a broken game is made to post."""
    seat = _entering(table, plan, "free")
    if seat is None or not table.people[seat].transferred:
        return False
    plan.posts.append(Posting(seat, "entry", table.room.big))
    return True


def back_without_rebuy_post(table: Table, plan: Plan, _: Dealt) -> bool:
    """Broke, missed blinds, bought chips again, and gets cards without a post."""
    seat = _entering(table, plan, "entry", "makeup")
    if seat is None or not table.people[seat].rebought:
        return False
    plan.posts = [p for p in plan.posts if p.seat != seat]
    return True


# missed blinds


def _maker_up(table: Table, plan: Plan, *, both: bool = False) -> int | None:
    seat = _entering(table, plan, "makeup")
    if seat is None or table.people[seat].stack < 4 * table.room.big:
        return None
    return seat if not both or len(table.people[seat].missed) == 2 else None


def _instead(plan: Plan, seat: int, *posts: tuple[str, int, int]) -> bool:
    plan.posts = [p for p in plan.posts if p.seat != seat]
    plan.posts += [Posting(seat, role, live, dead) for role, live, dead in posts]
    return True


def nothing_made_up(table: Table, plan: Plan, _: Dealt) -> bool:
    seat = _maker_up(table, plan)
    return seat is not None and any(p.seat == seat for p in plan.posts) and _instead(plan, seat)


def too_little_made_up(table: Table, plan: Plan, _: Dealt) -> bool:
    seat = _maker_up(table, plan, both=True)
    room = table.room
    if seat is None:
        return False
    return _instead(plan, seat, ("makeup-small", 0, 0), ("makeup-big", room.big - room.small, 0))


def all_made_up_live(table: Table, plan: Plan, _: Dealt) -> bool:
    seat = _maker_up(table, plan, both=True)
    room = table.room
    if seat is None:
        return False
    return _instead(plan, seat, ("makeup-small", room.small, 0), ("makeup-big", room.big, 0))


def both_made_up_with_dead_money(table: Table, plan: Plan, _: Dealt) -> bool:
    """As in a limit game, where the big blind alone is due."""
    seat = _maker_up(table, plan, both=True)
    room = table.room
    if seat is None:
        return False
    return _instead(plan, seat, ("makeup-small", 0, room.small), ("makeup-big", room.big, 0))


def made_up_between(table: Table, plan: Plan, _: Dealt) -> bool:
    """Missed blinds are made up from a seat after the button and before the big blind."""
    if not _under_way(table, plan):
        return False
    for seat in table.comers:
        person = table.people[seat]
        known = person.missed == {"small", "big"} and not person.murky and not person.fresh
        if known and person.stack > 4 * table.room.big and strictly(plan.button, seat, plan.big) and seat != plan.small:  # fmt: skip
            if table.room.method != "dead" and within(table.button, seat, plan.button):
                return False
            plan.dealt = sorted({*plan.dealt, seat})
            plan.posts += [
                Posting(seat, "makeup-small", 0, table.room.small),
                Posting(seat, "makeup-big", table.room.big),
            ]
            return True
    return False


def no_marker(table: Table, plan: Plan, hand: Dealt) -> bool:
    markers = [e for e in hand.before if isinstance(e, pr.MarkerGiven)]
    if not markers or not table.hands:
        return False
    seat = markers[0].seat
    if seat not in table.people or seat in plan.dealt or not table.people[seat].stack:
        return False
    hand.before.remove(markers[0])
    return True


# straddles and amounts


def _straddle(table: Table, plan: Plan) -> Posting | None:
    if len(plan.straddlers) != 1 or "straddle" in plan.entering.values():
        return None
    return (
        next(p for p in plan.posts if p.role == "straddle") if _settled_hand(table, plan) else None
    )


def straddle_too_small(table: Table, plan: Plan, _: Dealt) -> bool:
    post = _straddle(table, plan)
    if post is None:
        return False
    _post(plan, "straddle", post.seat, post.live - table.room.small)
    return True


def straddle_too_large(table: Table, plan: Plan, _: Dealt) -> bool:
    post = _straddle(table, plan)
    if post is None:
        return False
    _post(plan, "straddle", post.seat, post.live + table.room.small)
    return True


def straddle_out_of_place(table: Table, plan: Plan, _: Dealt) -> bool:
    post = _straddle(table, plan)
    seats = [s for s in clockwise(plan.big, plan.dealt)[1:] if s not in plan.entering]
    if post is None or len(plan.dealt) < 6:
        return False
    seat = seats[1]
    if seat in (plan.button, plan.small, plan.big):
        return False
    _post(plan, "straddle", seat, post.live)
    plan.straddlers = [seat]
    return True


def straddles_without_leave(table: Table, plan: Plan, _: Dealt) -> bool:
    if len(plan.straddlers) < 2 or not plan.permits or not _settled_hand(table, plan):
        return False
    plan.permits.clear()
    return True


def straddle_where_barred(table: Table, plan: Plan, _: Dealt) -> bool:
    if not _plain(table, plan):
        return False
    seat = after(plan.big, plan.dealt)
    if seat == plan.button:
        return False
    plan.posts.append(Posting(seat, "straddle", 2 * table.room.big))
    plan.straddlers.append(seat)
    return True


def blind_too_large(table: Table, plan: Plan, _: Dealt) -> bool:
    if not _plain(table, plan):
        return False
    _post(plan, "big", plan.big, table.room.big + table.room.small)
    return True


# which clause of which book


def _by(**rooms: str) -> dict[str, str]:
    """By room; `hilton_limit` is hilton-limit."""
    return {room.replace("_", "-"): clauses for room, clauses in rooms.items()}


_PLACES = _by(
    hilton_limit="B11b.1", hilton_low="B11b.1", hilton_nl="B11b.2 B10", hilton_nl_bring_in="B11b.2 B10",
    hilton_tournament="B11a", rrop4_dead="blinds.1b.1", rrop4_dead_nl="blinds.1b.1",
    rrop4_moving="blinds.1a.1 blinds.1.1 blinds.7.1", bicycle="p24a p24b",
)  # fmt: skip
_BESIDE = _by(
    hilton_limit="B12a.1 B12a.3 B10 B5.2 B13.1", hilton_low="B12a.1 B12a.3 B10 B5.2 B13.1",
    hilton_nl="B12b.1 B12b.2 B10 B5.2 B13.1 B12b.3 B16.3", hilton_nl_bring_in="B12b.1 B12b.2 B10 B5.2 B13.1 B12b.3",
    hilton_tournament="B12a.1 B12a.3 B13.1",
    rrop4_dead="blinds.1.1 blinds.intro.8 blinds.intro.4", rrop4_dead_nl="blinds.1.1 blinds.intro.8 blinds.intro.4",
    rrop4_moving="blinds.intro.8 blinds.1.1 blinds.1a.1 blinds.intro.4", bicycle="p03a",
)  # fmt: skip
_RROP4 = ("rrop4-dead", "rrop4-moving", "rrop4-dead-nl")


def _rrop4(clauses: str) -> dict[str, str]:
    return dict.fromkeys(_RROP4, clauses)


INJECTIONS = (
    Injection("the button skips a player", button_too_far, _PLACES, _BESIDE),
    Injection("the blinds come one seat too far", blinds_too_far, _PLACES, _BESIDE),
    Injection(
        # "The button always moves forward" (bicycle): past a player is forward too.
        "button and blinds skip a player", all_too_far,
        {room: clauses for room, clauses in _PLACES.items() if room != "bicycle"}, _BESIDE,
    ),
    Injection("nothing moves", nothing_moves, _PLACES, _BESIDE),
    Injection(
        "a dead small blind is posted by the next player", dead_blind_covered,
        _by(hilton_limit="B12a.3", hilton_low="B12a.3",
            rrop4_dead="blinds.1b.1", rrop4_dead_nl="blinds.1b.1"),
        _by(hilton_limit="B11b.1 B13.1", hilton_low="B11b.1 B13.1",
            rrop4_dead="blinds.intro.8", rrop4_dead_nl="blinds.intro.8"),
    ),
    Injection(
        "an owed big blind is forgotten", owed_blind_forgotten,
        _by(rrop4_moving="blinds.1.1"), _by(rrop4_moving="blinds.intro.8 blinds.1a.1"),
    ),
    Injection(
        "two players, the small blind opposite the button", heads_up_reversed,
        _rrop4("blinds.3"), _rrop4("blinds.1b.1 blinds.1a.1 blinds.1.1 blinds.intro.8"),
    ),
    Injection(
        "the first button lies elsewhere", first_button_elsewhere,
        _by(hilton_limit="B4.1", hilton_nl="B4.1"),
        _by(hilton_limit="B11b.1 B5.2", hilton_nl="B11b.2 B5.2"),
    ),
    Injection(
        "a newcomer posts nothing", newcomer_posts_nothing,
        _by(hilton_limit="B17.2", hilton_nl="B4.2 B18") | _rrop4("blinds.4.1 blinds.12.2"),
        _by(hilton_limit="B18 B4.2 B19.3", hilton_nl="B17.2 B19.3") | _rrop4("blinds.4b"),
    ),
    Injection(
        "a newcomer posts dead money", newcomer_posts_dead,
        _by(hilton_limit="B17.2") | _rrop4("blinds.intro.7 blinds.4b"),
        _by(hilton_limit="B18 B4.2 B19.3 B6 B13.3") | _rrop4("blinds.4.1 blinds.4b"),
    ),
    Injection(
        "a newcomer posts half", newcomer_posts_half,
        _by(hilton_limit="B17.2") | _rrop4("blinds.4b"),
        _by(hilton_limit="B18 B4.2 B19.3") | _rrop4("blinds.4.1"),
    ),
    Injection("a mover posts nothing", mover_posts_nothing, _by(hilton_limit="B20"), {}, ("move_away", "join")),
    Injection(
        "a mover does not wait", mover_comes_in_at_once,
        _by(hilton_limit="B20") | _rrop4("blinds.13.1 blinds.13.2"),
        _rrop4("blinds.13.4"), ("move_away", "join"),
    ),
    Injection(
        "a newcomer between button and blinds", newcomer_between,
        _by(hilton_limit="B5.1", hilton_nl="B5.1") | _rrop4("blinds.7.1"),
        _by(hilton_limit="B11b.1 B12a.1", hilton_nl="B11b.2") | _rrop4("blinds.1b.1 blinds.1a.1 blinds.1.1 blinds.intro.8"),
    ),
    Injection(
        "a player of a broken game is made to post", transferred_posts,
        _by(hilton_limit="B17.3", hilton_nl="B17.3"), {},
    ),
    Injection(
        "broke, back, and no post", back_without_rebuy_post,
        _by(hilton_limit="B19.3", rrop4_dead="blinds.11.1", rrop4_dead_nl="blinds.11.1"),
        _by(hilton_limit="B17.2 B18 B4.2", rrop4_dead="blinds.9.1 blinds.12.1", rrop4_dead_nl="blinds.9.1 blinds.12.1"),
        ("rebuy",),
    ),
    Injection(
        "nothing is made up", nothing_made_up,
        _by(hilton_limit="B14.2", hilton_nl="B14.2", bicycle="p23a p21a") | _rrop4("blinds.9.1"),
        _by(bicycle="p21a p23a") | _rrop4("blinds.11.1 blinds.12.1"),
    ),
    Injection(
        "too little is made up", too_little_made_up,
        _by(hilton_limit="B15a.1", hilton_nl="B15b.1", bicycle="p23a p21a p23b") | _rrop4("blinds.9.1"),
        _by(hilton_limit="B15a.2 B14.2", hilton_nl="B14.2", bicycle="p23b p23a p21a")
        | _rrop4("blinds.9.2 blinds.9.3 blinds.11.1 blinds.12.1"),
    ),
    Injection(
        "all is made up live", all_made_up_live,
        _by(hilton_limit="B15a.2", bicycle="p23b") | _rrop4("blinds.9.2 blinds.9.3"),
        _rrop4("blinds.9.2 blinds.9.3"),
    ),
    Injection(
        "dead money where the big blind alone is due", both_made_up_with_dead_money,
        _by(hilton_nl="B15b.1"), _by(hilton_nl="B14.2"),
    ),
    Injection(
        "made up between button and blinds", made_up_between,
        _by(hilton_limit="B16.1") | _rrop4("blinds.7.2"),
        _by(hilton_limit="B11b.1 B12a.1") | _rrop4("blinds.1b.1 blinds.1a.1 blinds.1.1 blinds.intro.8"),
        ("next_big_away", "come_back"),
    ),
    Injection(
        "no marker for a missed blind", no_marker,
        _by(hilton_limit="B14.1", hilton_nl="B14.1", hilton_low="B14.1"),
        _by(hilton_limit="B17.4", hilton_nl="B17.4", hilton_low="B17.4"),
    ),
    Injection("the straddle is too small", straddle_too_small,
              _by(hilton_limit="B8b.2", hilton_nl="B8b.2"), {}),
    Injection("the straddle is too large", straddle_too_large,
              _by(hilton_limit="B8b.3", hilton_nl="B8b.3"), {}),
    Injection("a straddle out of its place", straddle_out_of_place,
              _by(hilton_limit="B8h", hilton_nl="B8h"), {}),
    Injection("straddles without leave", straddles_without_leave,
              _by(hilton_limit="B8a.1 B8a.2", hilton_nl="B8a.1 B8a.2"),
              _by(hilton_limit="B8a.1 B8a.2 B8b.3", hilton_nl="B8a.1 B8a.2 B8b.3")),
    Injection("a straddle where they are barred", straddle_where_barred,
              _by(rrop4_dead="blinds.15", rrop4_moving="blinds.15"), {}),
    Injection("the big blind is too large", blind_too_large,
              _by(hilton_limit="B7", hilton_low="B7", hilton_nl="B7", hilton_tournament="B7"), {}),
)  # fmt: skip
"""Every wrong that is put into evenings."""
