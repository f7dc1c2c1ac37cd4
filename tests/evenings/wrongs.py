"""The wrongs themselves: each changes a planned hand, or the facts told before it.

A function returns False where the hand offers no occasion, and changes nothing that the wrong does
not bring.
"""

from __future__ import annotations

from ledger import presence as pr
from tests.evenings.generate import Dealt
from tests.evenings.plan import Plan, Posting
from tests.evenings.ring import clockwise, is_within, next_seat, strictly
from tests.evenings.table import Table


def _settled_hand(table: Table, plan: Plan) -> bool:
    """An ordinary hand: three or more seats with chips, in a game that is under way."""
    deep = all(table.people[s].stack > 4 * table.room.big for s in plan.dealt)
    return table.hands > 0 and table.last_dealt > 2 and len(plan.dealt) > 3 and deep


def _under_way(table: Table, plan: Plan, *seats: int) -> bool:
    """A hand of a game that is under way, in which these seats have chips enough."""
    deep = all(table.people[s].stack > 4 * table.room.big for s in seats)
    return table.hands > 0 and table.last_dealt > 2 and len(plan.dealt) > 3 and deep


def _is_plain(table: Table, plan: Plan) -> bool:
    """Nobody enters, all positions are taken, as many blinds as there are positions."""
    return (
        _settled_hand(table, plan)
        and not plan.entering
        and not plan.straddlers
        and {plan.button, *(plan.at(place) for place in table.room.roles)} <= set(plan.dealt)
        and [p.role for p in plan.posts] == list(table.room.roles.values())
    )


def _post(plan: Plan, role: str, seat: int, live: int, dead: int = 0) -> None:
    """Put a post in the place of the one of its role."""
    plan.posts = [Posting(seat, role, live, dead) if p.role == role else p for p in plan.posts]


# positions


def button_too_far(table: Table, plan: Plan, _: Dealt) -> bool:
    """The button skips a player; the blinds are where they belong."""
    if not _is_plain(table, plan) or len(plan.dealt) < 6:
        return False
    plan.button = clockwise(plan.big, plan.dealt)[1]
    return plan.button != table.button


def blinds_too_far(table: Table, plan: Plan, _: Dealt) -> bool:
    """The blinds are posted one seat too far on; the button is where it belongs."""
    if not _is_plain(table, plan) or len(plan.dealt) < 5:
        return False
    plan.small = plan.big
    plan.big = next_seat(plan.big, plan.dealt)
    plan.posts = [Posting(plan.small, "small", table.room.small), Posting(plan.big, "big", table.room.big)]
    return True


def all_too_far(table: Table, plan: Plan, _: Dealt) -> bool:
    """Button and blinds skip a player together."""
    if not _is_plain(table, plan) or len(plan.dealt) < 5:
        return False
    ring = clockwise(plan.button, plan.dealt)
    if ring[:2] != [plan.small, plan.big]:
        return False
    plan.button, plan.small, plan.big = ring[:3]
    plan.posts = [Posting(plan.small, "small", table.room.small), Posting(plan.big, "big", table.room.big)]
    return True


def nothing_moves(table: Table, plan: Plan, _: Dealt) -> bool:
    """Button and blinds stay where they were."""
    last = (table.button, table.small, table.big)
    if not _is_plain(table, plan) or not set(last) <= set(plan.dealt):
        return False
    plan.button, plan.small, plan.big = last
    plan.posts = [Posting(plan.small, "small", table.room.small), Posting(plan.big, "big", table.room.big)]
    return True


def dead_blind_covered(table: Table, plan: Plan, _: Dealt) -> bool:
    """The small blind belongs at a chair where nobody is; the next player posts it."""
    if plan.small in plan.dealt or plan.small in table.people or not _settled_hand(table, plan):
        return False
    seat = next_seat(plan.big, plan.dealt)
    if seat in plan.entering or plan.straddlers or seat == plan.button:
        return False
    plan.posts.insert(0, Posting(seat, "small", table.room.small))
    plan.stepped_in = seat  # the last of the blinds clockwise: the betting opens behind it
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
    button, big = plan.button, plan.big
    plan.small, plan.big = big, button
    plan.posts = [Posting(big, "small", table.room.small), Posting(button, "big", table.room.big)]
    return True


def first_button_elsewhere(table: Table, plan: Plan, _: Dealt) -> bool:
    """The first button of a game lies one player too far on."""
    if table.hands or len(plan.dealt) < 4:
        return False
    plan.button, plan.small, plan.big = clockwise(plan.button, plan.dealt)[:3]
    plan.posts = [Posting(plan.small, "small", table.room.small), Posting(plan.big, "big", table.room.big)]
    return True


# entering


def _entering(table: Table, plan: Plan, *ways: str) -> int | None:
    entering_seat = next((seat for seat, entry_way in plan.entering.items() if entry_way in ways), None)
    return entering_seat if entering_seat is not None and _under_way(table, plan, entering_seat) else None


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


def mover_posts_half(table: Table, plan: Plan, _: Dealt) -> bool:
    seat = _entering(table, plan, "entry")
    if seat is None or not table.people[seat].moved:
        return False
    plan.posts = [p for p in plan.posts if p.seat != seat]
    plan.posts.append(Posting(seat, "entry", table.room.small))
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
        if (
            person.fresh
            and not person.transferred
            and person.stack > 4 * table.room.big
            and strictly(plan.button, seat, plan.big)
            and seat != plan.small
        ):
            if table.room.method != "dead" and is_within(table.button, seat, plan.button):
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


def _maker_up(table: Table, plan: Plan, *, both_blinds: bool = False) -> int | None:
    seat = _entering(table, plan, "makeup")
    if seat is None or table.people[seat].stack < 4 * table.room.big:
        return None
    return seat if not both_blinds or len(table.people[seat].missed) == 2 else None


def _replace_posts(plan: Plan, seat: int, *posts: tuple[str, int, int]) -> bool:
    plan.posts = [p for p in plan.posts if p.seat != seat]
    plan.posts += [Posting(seat, role, live, dead) for role, live, dead in posts]
    return True


def nothing_made_up(table: Table, plan: Plan, _: Dealt) -> bool:
    seat = _maker_up(table, plan)
    return seat is not None and any(p.seat == seat for p in plan.posts) and _replace_posts(plan, seat)


def too_little_made_up(table: Table, plan: Plan, _: Dealt) -> bool:
    seat = _maker_up(table, plan, both_blinds=True)
    room = table.room
    if seat is None:
        return False
    return _replace_posts(plan, seat, ("makeup-small", 0, 0), ("makeup-big", room.big - room.small, 0))


def all_made_up_live(table: Table, plan: Plan, _: Dealt) -> bool:
    seat = _maker_up(table, plan, both_blinds=True)
    room = table.room
    if seat is None:
        return False
    return _replace_posts(plan, seat, ("makeup-small", room.small, 0), ("makeup-big", room.big, 0))


def both_made_up_with_dead_money(table: Table, plan: Plan, _: Dealt) -> bool:
    """As in a limit game, where the big blind alone is due."""
    seat = _maker_up(table, plan, both_blinds=True)
    room = table.room
    if seat is None:
        return False
    return _replace_posts(plan, seat, ("makeup-small", 0, room.small), ("makeup-big", room.big, 0))


def made_up_between(table: Table, plan: Plan, _: Dealt) -> bool:
    """Missed blinds are made up from a seat after the button and before the big blind."""
    if not _under_way(table, plan):
        return False
    for seat in table.comers:
        person = table.people[seat]
        is_clear = person.missed == {"small", "big"} and not person.murky and not person.fresh
        if (
            is_clear
            and person.stack > 4 * table.room.big
            and strictly(plan.button, seat, plan.big)
            and seat != plan.small
        ):
            if table.room.method != "dead" and is_within(table.button, seat, plan.button):
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
    return next(p for p in plan.posts if p.role == "straddle") if _settled_hand(table, plan) else None


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
    if not _is_plain(table, plan):
        return False
    seat = next_seat(plan.big, plan.dealt)
    if seat == plan.button:
        return False
    plan.posts.append(Posting(seat, "straddle", 2 * table.room.big))
    plan.straddlers.append(seat)
    return True


def blind_too_large(table: Table, plan: Plan, _: Dealt) -> bool:
    if not _is_plain(table, plan):
        return False
    _post(plan, "big", plan.big, table.room.big + table.room.small)
    return True


# three blinds


def three_blinds_too_far(table: Table, plan: Plan, _: Dealt) -> bool:
    """Three blinds are posted one seat too far on; the button is where it belongs."""
    if not plan.middle or not _is_plain(table, plan) or len(plan.dealt) < 6:
        return False
    plan.small, plan.middle, plan.big = plan.middle, plan.big, next_seat(plan.big, plan.dealt)
    plan.posts = [Posting(plan.at(p), role, table.room.blind(p)) for p, role in table.room.roles.items()]
    return True


def _missed_three(table: Table, plan: Plan) -> int | None:
    seat = _maker_up(table, plan)
    return seat if seat is not None and len(table.people[seat].missed) == 3 else None


def third_alone_made_up(table: Table, plan: Plan, _: Dealt) -> bool:
    """Of three missed blinds the furthest is made up, and no other."""
    seat = _missed_three(table, plan)
    return seat is not None and _replace_posts(plan, seat, ("makeup", table.room.big, 0))


def three_made_up_live(table: Table, plan: Plan, _: Dealt) -> bool:
    seat = _missed_three(table, plan)
    return seat is not None and _replace_posts(plan, seat, ("makeup", sum(table.room.blinds), 0))


# lowball, playing over, free passes


def newcomer_posts_once(table: Table, plan: Plan, _: Dealt) -> bool:
    """The big blind, where it is due twice."""
    seat = _entering(table, plan, "entry")
    if seat is None or not _walked_in(table, seat):
        return False
    return _replace_posts(plan, seat, ("entry", table.room.big, 0))


def mover_does_not_kill(table: Table, plan: Plan, _: Dealt) -> bool:
    """A plain post in the place of a kill."""
    seat = _entering(table, plan, "kill")
    return seat is not None and _replace_posts(plan, seat, ("entry", table.room.big, 0))


def playing_over_for_nothing(table: Table, plan: Plan, hand: Dealt) -> bool:
    """Who plays over is new, and gets cards without a post."""
    if table.hands < table.chairs:
        return False  # in a new game who comes late is spoken of by another clause
    seats = [e.seat for e in hand.before if isinstance(e, pr.SeatTaken) and e.origin == "playing-over"]
    seat = _entering(table, plan, "entry")
    return seat in seats and _replace_posts(plan, seat)


def free_pass_charged(table: Table, plan: Plan, _: Dealt) -> bool:
    """Who might let the blinds go past once is asked for them on coming back."""
    seat = _entering(table, plan, "free")
    if seat is None or not table.people[seat].passed_free:
        return False
    return _replace_posts(plan, seat, ("makeup", table.room.big, table.room.small))


# pot limit and short blinds


def raise_above_the_pot(table: Table, plan: Plan, _: Dealt) -> bool:
    plan.above_pot = table.room.small
    return _is_plain(table, plan)


def nobody_steps_in(table: Table, plan: Plan, _: Dealt) -> bool:
    """A big blind is short of half, and the next player posts nothing."""
    if not plan.stepped_in or not _under_way(table, plan, plan.stepped_in):
        return False
    plan.posts = [p for p in plan.posts if p.seat != plan.stepped_in]
    plan.stepped_in = 0
    return True


def short_stack_refused(table: Table, plan: Plan, _: Dealt) -> bool:
    """Who is short of half of the big blind gets no cards."""
    if not plan.stepped_in or not _under_way(table, plan, plan.stepped_in):
        return False
    if plan.big in plan.entering:
        return False  # who is to come in may let the big blind go by
    plan.refused, plan.big, plan.stepped_in = plan.big, plan.stepped_in, 0
    plan.posts = [p for p in plan.posts if p.seat != plan.refused]
    plan.dealt.remove(plan.refused)
    return True


def stepped_in_for_half(table: Table, plan: Plan, _: Dealt) -> bool:
    """A big blind of half or more counts in full; the next player posts one all the same."""
    room = table.room
    if plan.stepped_in or not room.big // 2 <= table.people[plan.big].stack < room.big:
        return False
    seat = next_seat(plan.big, plan.dealt)
    if not _under_way(table, plan, seat) or seat in plan.entering or seat == plan.button:
        return False
    plan.posts.append(Posting(seat, "big", room.big))
    plan.stepped_in = seat
    return True
