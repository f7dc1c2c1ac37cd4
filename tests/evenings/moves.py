"""What may happen between two hands, and the words for why somebody gets no cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from ledger import presence as pr
from ledger.table import events as t
from tests.evenings.plan import Person, Plan, Posting
from tests.evenings.ring import clockwise, strictly
from tests.evenings.table import Table

if TYPE_CHECKING:
    from tests.evenings.generate import _Maker as Maker
    from tests.evenings.rooms import Room

__all__ = ["MOVES", "NEEDED", "Posting", "why_out"]


def why_out(table: Table, plan: Plan, seat: int) -> str:
    person = table.people[seat]
    if not person.stack or seat == plan.refused:
        return "no-chips"
    if not person.there:
        return "away"
    if strictly(plan.button, seat, plan.big) or seat == plan.button:
        return "between-button-and-blinds"
    if person.passing or person.passed_free:
        return "waiting-for-button"
    return "moved" if person.moved else "waiting-for-big-blind"


def _pick(maker: Maker, accepts: Callable[[Person], bool]) -> Person | None:
    persons = [person for _, person in sorted(maker.table.people.items()) if accepts(person)]
    return maker.rng.choice(persons) if persons else None


def _choose(maker: Maker, person: Person) -> None:
    """A person who is not in the game chooses how to get in."""
    person.how = maker.rng.choice(("wait", "post", "post", "straddle"))
    if person.how == "wait" and maker.rng.random() < 0.5:
        maker.facts.append(pr.WaitDeclared(person.seat))


# what has to happen


def broke(maker: Maker) -> None:
    """Who has no chips leaves at once in a tournament, sooner or later elsewhere."""
    for person in list(maker.table.people.values()):
        if person.stack:
            continue
        if maker.room.form == "tournament" or maker.rng.random() < 0.2:
            _leave(maker, person, "busted")


def top_up_short(maker: Maker) -> None:
    """Where a short blind or make-up would open a question, chips are added in time."""
    big = maker.room.big
    for person in maker.table.people.values():
        room = maker.room
        blind = (room.book == "bicycle" and not room.next_posts) or not person.plays
        blind = blind or room.variant != "holdem"  # nobody all-in before the draws
        if maker.room.form == "cash" and blind and 0 < person.stack < 4 * big:
            amount = 20 * big
            person.stack += amount
            maker.facts.append(pr.ChipsAdded(person.seat, amount, "top-up", player=maker.id(person)))


def _leave(maker: Maker, person: Person, reason: str) -> None:
    del maker.table.people[person.seat]
    if maker.room.form == "tournament":
        maker.facts.append(t.PlayerEliminated(maker.id(person), None, person.seat))
    maker.facts.append(pr.SeatLeft(person.seat, maker.id(person), reason, person.stack))


# what may happen


def join(maker: Maker) -> None:
    table, rng = maker.table, maker.rng
    free = [s for s in range(1, table.chairs + 1) if s not in table.people]
    if not free:
        return
    origin: pr.Origin = "table-balance" if maker.room.form == "tournament" else "walk-in"
    transferred = maker.room.transfers_free and rng.random() < 0.3
    if transferred:
        origin = "broken-game"
    person = maker.sit(rng.choice(free), origin)
    person.transferred = transferred
    if maker.room.form == "cash" and not transferred:
        _choose(maker, person)


def leave(maker: Maker) -> None:
    person = _pick(maker, lambda p: bool(p.stack))
    if person and maker.room.form == "cash":
        _leave(maker, person, "left")


def leave_blinds(maker: Maker) -> None:
    """The players of the last blinds and of the button are the ones that matter."""
    table = maker.table
    person = _pick(maker, lambda p: p.seat in (table.big, table.small, table.button) and p.stack > 0)
    if person and maker.room.form == "cash":
        _leave(maker, person, "left")


def go_away(maker: Maker) -> None:
    person = _pick(maker, lambda p: p.there and not p.transferred)
    if person and maker.room.form == "cash":
        person.there = False
        maker.facts.append(pr.PlayerAway(person.seat, maker.id(person), in_room=False, why="away"))


def next_big_away(maker: Maker) -> None:
    """Whoever is due the big blind stays away: it misses it."""
    table = maker.table
    ring = clockwise(table.big, table.base)
    if not ring or maker.room.form != "cash":
        return
    person = table.people[ring[0]]
    person.there = False
    maker.facts.append(pr.PlayerAway(person.seat, maker.id(person), in_room=False, why="away"))


def come_back(maker: Maker) -> None:
    person = _pick(maker, lambda p: not p.there)
    if person and _undecided(person):
        _leave(maker, person, "left")
    elif person:
        person.there = True
        maker.facts.append(pr.PlayerBack(person.seat, maker.id(person)))
        if person.missed:
            _choose(maker, person)


def _undecided(person: Person) -> bool:
    """Whether two played on without a player, so that no book says what it has missed."""
    return person.murky and not person.missed


def reconsider(maker: Maker) -> None:
    person = _pick(maker, lambda p: p.able and not p.plays and p.how == "wait" and not p.transferred)
    if person and maker.room.form == "cash":
        person.how = maker.rng.choice(("post", "straddle"))


def rebuy(maker: Maker) -> None:
    room = maker.room
    person = _pick(maker, lambda p: not p.stack)
    if person is None or room.form != "cash":
        return
    if _undecided(person):
        _leave(maker, person, "busted")
        return
    person.stack, person.rebought = 60 * room.big, True
    maker.facts.append(pr.ChipsAdded(person.seat, person.stack, "rebuy", player=maker.id(person)))
    if not person.missed:
        return
    if room.broke_is_new and "big" in person.missed and not person.murky:
        person.fresh = True
        person.missed.clear()
    elif room.broke_is_new or not room.broke_owes:
        person.murky = True
    _choose(maker, person)


def move_closer(maker: Maker) -> None:
    """Towards the big blind, passing nobody the other way: free in every book."""
    table = maker.table
    if maker.room.form != "cash" or table.last_dealt < 4:
        return
    ring = clockwise(table.big, range(1, table.chairs + 1))
    person = _pick(maker, lambda p: p.able and p.plays and p.settled and _far_from_blinds(table, p))
    if person is None:
        return
    place = ring.index(person.seat)
    nearest = next(i for i, s in enumerate(ring) if s in table.base)
    free = [s for s in ring[nearest + 1 : place] if s not in table.people]
    if free:
        _move(maker, person, maker.rng.choice(free))


def move_away(maker: Maker) -> None:
    """Away from the blinds: who passes enough players waits for the big blind, or posts it."""
    table = maker.table
    least = maker.room.far_from
    if maker.room.form != "cash" or table.last_dealt < 5 or maker.room.far == "free":
        return
    ring = clockwise(table.big, range(1, table.chairs + 1))
    person = _pick(maker, lambda p: p.able and p.plays and p.settled and _far_from_blinds(table, p))
    if person is None:
        return
    place, end = ring.index(person.seat), ring.index(table.button)
    free = [
        s
        for i, s in enumerate(ring[place + 1 : end], place + 1)
        if s not in table.people
        and _played_past(table, s)
        and sum(x in table.base for x in ring[place + 1 : i]) >= least
    ]
    if free:
        _move(maker, person, maker.rng.choice(free))
        person.plays, person.moved = False, True
        _choose(maker, person)


def pass_blinds(maker: Maker) -> None:
    """From the small blind or the button close to the next big blind: the blinds may pass once."""
    table, room = maker.table, maker.room
    places = {"small": table.small, "button": table.button}
    seats = {seat for place, seat in places.items() if place in room.free_pass}
    person = _pick(
        maker,
        lambda p: (
            p.seat in seats
            and p.able
            and p.plays
            and p.settled
            and p.played
            and not (p.moved_now or p.between or p.need)
        ),
    )
    if person is None or table.last_dealt < 5 or table.button == table.small:
        return
    ring = [s for s in clockwise(table.big, range(1, table.chairs + 1)) if s != person.seat]
    nearest = next(i for i, s in enumerate(ring) if s in table.people)
    if ring[nearest] not in table.base or nearest > ring.index(table.big):
        return
    free = [s for s in ring[nearest + 1 : nearest + 3] if s not in table.people and _played_past(table, s)]
    free = [s for s in free if strictly(table.big, s, table.button)]
    if free:
        _move(maker, person, free[0])
        person.plays, person.passing = False, set(room.roles)
        maker.facts.append(pr.WaitDeclared(person.seat, "button"))


def play_over(maker: Maker) -> None:
    """Somebody takes the chair of a player who is away, and who does not come back."""
    person = _pick(maker, lambda p: not p.there and bool(p.stack))
    if person is None:
        return
    del maker.table.people[person.seat]
    guest = maker.sit(person.seat, "playing-over")
    _choose(maker, guest)


def move_again(maker: Maker) -> None:
    """Who has moved away, and has had no cards since, moves on: where hands count, past somebody."""
    table = maker.table
    person = _pick(
        maker,
        lambda p: (
            p.able
            and p.moved
            and not (p.moved_now or p.missed or p.murky)
            and strictly(table.big, p.seat, table.button)
        ),
    )
    if person is None or table.last_dealt < 5 or maker.room.far == "free":
        return
    ring = clockwise(table.big, range(1, table.chairs + 1))
    counts = maker.room.far_from == 1
    place, end = ring.index(person.seat), ring.index(table.button)
    free = [
        s
        for i, s in enumerate(ring[place + 1 : end], place + 1)
        if s not in table.people
        and _played_past(table, s)
        and (not counts or any(x in table.base for x in ring[place + 1 : i]))
    ]
    if free:
        _move(maker, person, maker.rng.choice(free))


def _played_past(table: Table, seat: int) -> bool:
    """Whether a blind has gone past a seat: before that, in a new game, a change may be free."""
    return table.room.first_button != "drawn" or seat in table.passed


def _far_from_blinds(table: Table, person: Person) -> bool:
    """Neither the next big blind nor one of the last positions, nor between those."""
    ring = clockwise(table.big, table.base)
    is_behind = strictly(table.big, person.seat, table.button) and not person.moved_now
    return is_behind and person.seat != ring[0] and not person.need


def _move(maker: Maker, person: Person, new_seat: int) -> None:
    maker.facts.append(pr.SeatMoved(maker.id(person), person.seat, new_seat))
    del maker.table.people[person.seat]
    person.seat, person.moved_now = new_seat, True
    maker.table.people[new_seat] = person


def top_up(maker: Maker) -> None:
    person = _pick(maker, lambda p: 0 < p.stack < 30 * maker.room.big)
    if person and maker.room.form == "cash":
        amount = 20 * maker.room.big
        person.stack += amount
        maker.facts.append(pr.ChipsAdded(person.seat, amount, "top-up", player=maker.id(person)))


NEEDED: Final = (broke, top_up_short)
MOVES: Final = (
    (join, 2.0),
    (leave, 0.4),
    (leave_blinds, 0.5),
    (go_away, 0.7),
    (next_big_away, 0.5),
    (come_back, 1.5),
    (reconsider, 1.0),
    (rebuy, 1.5),
    (move_closer, 1.0),
    (move_away, 1.5),
    (top_up, 0.3),
)
"""Each with its weight."""


def list_room_moves(room: Room) -> tuple[tuple[Callable[[Maker], None], float], ...]:
    """What happens in some rooms only."""
    return (
        *(((pass_blinds, 2.0), (move_again, 2.0)) if room.free_pass else ()),
        *(((play_over, 2.0),) if room.playing_over else ()),
    )
