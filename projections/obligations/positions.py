"""Where button and blinds belong on the next hand, by the three methods of moving them.

Dead: the blinds go on by seats and the button follows, onto empty seats if need be. Moving: the
button goes to the next player, the blinds to the players after it. Owed: as moving, but whom the
big blind has reached or gone past this round posts what is not paid yet, the largest blind first.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ledger.vocabulary import Seat
from projections.obligations.button_round import Where
from projections.obligations.dues import Basis, Ground, Method
from projections.obligations.game import BlindName
from projections.obligations.position_inputs import Ask, Cites, Draft, MayHave
from projections.obligations.ring import after, between, goes_back, reaches

_TITLES: Final[dict[str, str]] = {"small": "small blind", "big": "big blind", "extra": "third blind"}


def drafts(ask: Ask, method: Method, cites: Cites) -> list[Draft] | str:
    """Return the readings of a method, the likeliest first; a sentence where there is no answer."""
    if method == "dead" and ask.roles:
        return _dead(ask, cites)
    found = _moving(ask, method, cites)
    if method != "owed" or isinstance(found, str):
        return found
    out: list[Draft] = []
    for one in found:
        out += _owed(ask, one, spared=cites.small_off_button and len(ask.roles) > 2)
    return out


# The reasons, shared with the short way of quiet tables


def big_moves(hand: str, role: BlindName, was: Seat, seat: Seat, cites: Cites, came: Seat | None = None) -> Ground:
    """Say why the last blind is where it is under the dead button."""
    had = f"seat {was}" if came is None else f"seat {came}, whose player went to seat {was} past nobody"
    return Ground(
        f"hand {hand} had the {_TITLES[role]} at {had}; seat {seat} is next of those dealt in", cites.method, hand=hand
    )


def follows(hand: str, seat: Seat, what: str, before: str, cites: Cites) -> Ground:
    """Say why a position is where the one before it was on the last hand."""
    return Ground(f"the {before} of hand {hand} was at seat {seat}: the {what} follows it", cites.method, hand=hand)


def button_moves(where: Where, was: Seat, seat: Seat, cites: Cites) -> Ground:
    """Say why the button is where it is under the moving button."""
    basis: Basis = "assumed" if where.assumed else "book"
    return Ground(
        f"hand {where.hand} had the button at seat {was}; seat {seat} is next"
        + (f" ({where.assumed})" if where.assumed else ""),
        cites.method,
        basis,
        where.hand,
    )


def blind_after(seat: Seat, behind: str, at: Seat, cites: Cites) -> Ground:
    """Say why a blind is where it is behind a moving button."""
    return Ground(f"seat {seat} is next after the {behind} at seat {at}", cites.moved)


# Dead button


def _dead(ask: Ask, cites: Cites) -> list[Draft] | str:
    was, roles = ask.was, ask.roles
    back = was.back if was.roles else []
    if not back or back[0] is None:
        return _untold(was.hand, roles[-1])
    origin = back[0]
    furthest = after(origin, [seat for seat in ask.everybody if seat not in ask.posters])
    if furthest is None:
        return "fewer than two players are there"
    dealt = ask.everybody if ask.given else tuple(sorted({*ask.core, *ask.free, furthest}))
    if len(dealt) < 2:
        comer = after(furthest, [seat for seat in ask.coming if seat not in ask.posters])
        if comer is None or furthest not in ask.core or len(roles) != 2:
            return "fewer than two players are there"
        return [_comer_has_big(ask, cites, tuple(sorted((furthest, comer))), comer)]
    why = big_moves(was.hand, was.roles[-1], origin, furthest, cites, was.came)
    if len(dealt) == 2 and len(roles) > 1:
        return _dead_heads_up(ask, cites, dealt, furthest, why)
    places = [furthest, *back[: len(roles)]]
    places += [None] * (len(roles) + 1 - len(places))
    grounds: list[tuple[Ground, ...]] = [(why,)]
    grounds += [
        _follows(was, place, at, dealt, cites, button=at == len(roles)) for at, place in enumerate(places[1:], 1)
    ]
    button, button_why = places.pop(), grounds.pop()
    if furthest in (button, *places[1:]) or _out_of_order(button, places[-1], furthest):
        says = f"the button or a blind would be at seat {furthest}, where the big blind is"
        if furthest not in (button, *places[1:]):
            says = f"the button would be at seat {button}, between the small blind and the big blind"
        clash = Ground(says, (), "fallback")
        return [
            Draft(
                "dead",
                None,
                (*([None] * (len(roles) - 1)), furthest),
                dealt,
                (clash,),
                (*([(clash,)] * (len(roles) - 1)), (why,)),
                judged=False,
                folded=True,
            )
        ]
    draft = Draft("dead", button, tuple(reversed(places)), dealt, button_why, tuple(reversed(grounds)))
    if len(was.dealt) == 2 and _between(button, places[-1], dealt):
        draft = draft._replace(judged=False)  # two players had the small blind on the button: no text says who follows
    if was.small_went not in dealt or button != was.small:
        return [draft]
    went = Ground(f"the player of the small blind of hand {was.hand} went to seat {was.small_went} past nobody")
    return [draft, draft._replace(button=was.small_went, button_why=(went,), reading="the button goes with its player")]


def _out_of_order(button: Seat | None, small: Seat | None, furthest: Seat) -> bool:
    """Whether the button would lie between the blinds: two players had it with the small blind."""
    if button is None or small is None or button in (small, furthest) or small == furthest:
        return False
    return between(small, button, furthest)


def _between(button: Seat | None, small: Seat | None, dealt: tuple[Seat, ...]) -> bool:
    """Whether somebody is dealt in between the button and the small blind."""
    if button is None or small is None or button == small:
        return False
    return any(seat != small and between(button, seat, small) for seat in dealt)


def _follows(
    was: Where, place: Seat | None, back: int, dealt: tuple[Seat, ...], cites: Cites, *, button: bool
) -> tuple[Ground, ...]:
    """Say why a position is where the one before it was on the last hand."""
    if place is None:
        what = "small blind" if button else "blind"
        return (Ground(f"hand {was.hand} does not tell where its {what} was", (), "record", was.hand),)
    before = "small blind" if button else "big blind" if back == 1 else "blind"
    if back == 1 and was.came is not None:
        says = f"the {before} of hand {was.hand} went along with its player from seat {was.came} to seat {place}"
        why = Ground(f"{says}: the {'button' if button else 'blind'} follows it", cites.method, hand=was.hand)
    else:
        why = follows(was.hand, place, "button" if button else "blind", before, cites)
    if place in dealt:
        return (why,)
    if button:
        return (why, Ground(f"nobody is dealt in at seat {place}: the button is dead", cites.dead_button))
    return (why, Ground(f"nobody is dealt in at seat {place}: this blind is not posted", cites.dead_blind))


def _dead_heads_up(ask: Ask, cites: Cites, dealt: tuple[Seat, ...], big: Seat, why: Ground) -> list[Draft] | str:
    if len(ask.roles) > 2:
        return "no book says where three blinds are with two players"
    (other,) = (seat for seat in dealt if seat != big)
    if other in ask.coming and other not in ask.posters and ask.may_have(other)[0] in ("no", "rather-no"):
        return [_comer_has_big(ask, cites, dealt, other)]
    own = Ground(
        f"two players: the big blind is at seat {big}, so seat {other} has button and small blind",
        cites.heads_up or cites.method,
        "book" if cites.heads_up_known else "fallback",
    )
    return [
        Draft("dead", other, (other, big), dealt, (own,), ((own,), (why,)), heads_up=True, judged=cites.heads_up_known)
    ]


def _comer_has_big(ask: Ask, cites: Cites, dealt: tuple[Seat, ...], comer: Seat) -> Draft:
    """Give who comes in the big blind of two players, though it is the other's turn: nothing else lets one in."""
    (other,) = (seat for seat in dealt if seat != comer)
    _, bar = ask.may_have(comer)
    why = Ground(
        f"two players, and seat {comer} comes in: it has the big blind, seat {other} button and small blind",
        bar.clauses if bar is not None else cites.method,
        "fallback",
    )
    return Draft("dead", other, (other, comer), dealt, (why,), ((why,), (why,)), heads_up=True, judged=False)


# Moving button


class _Button(NamedTuple):
    seat: Seat
    why: tuple[Ground, ...]
    reading: str = ""
    settled: bool = True  # False: every other player is barred from it, and it would stay


def _moving(ask: Ask, method: Method, cites: Cites) -> list[Draft] | str:
    was = ask.was
    if was.button is None:
        return _untold(was.hand, "button")
    if len(ask.everybody) < 2:
        return "fewer than two players are there"
    found: list[Draft] = []
    for button in _buttons(ask, was.button, cites):
        if ask.given and len(ask.everybody) == 2 and len(ask.roles) > 1:
            found += _moving_heads_up(ask, method, cites, button, ask.everybody)
            continue
        settled = [seat for seat in sorted({*ask.core, *ask.in_turn}) if seat != button.seat]
        taking = [seat for seat in settled if seat not in ask.excused]
        placed = _blinds(ask, method, cites, button, taking)
        if placed is None and taking != settled:  # somebody who takes no blind this round has to: two rules collide
            placed = _blinds(ask, method, cites, button, settled)
            placed = None if placed is None else placed._replace(judged=False)
        if placed is None:
            found += _no_room(ask, method, cites, button)
        else:
            found.append(placed if button.settled else placed._replace(judged=False))
        if ask.given and ask.coming:
            others = [s for s in ask.everybody if s not in ask.posters and s != button.seat]
            placed = _blinds(ask, method, cites, button, others)
            if placed is not None and all(placed.blinds != one.blinds for one in found):
                found.append(placed._replace(reading="who came in takes a blind in turn"))
    if len(ask.roles) > 2 and not found and len({*ask.core, *ask.in_turn}) > 2:
        return "no book says where three blinds are with three players and a moving button"
    if len(ask.roles) > 2 and any(len(one.blinds) < len(ask.roles) for one in found):
        return "no book says where three blinds are with two players"
    return found or "fewer than two players are there"


def _buttons(ask: Ask, was: Seat, cites: Cites) -> list[_Button]:
    """Return where the button may go: the next who may have it, and before him those who perhaps may."""
    active = {*ask.core, *ask.in_turn}
    pool = ask.everybody if ask.given else active
    order = sorted(pool, key=lambda seat: (seat <= was, seat))
    passed: list[Ground] = []
    perhaps: list[tuple[_Button, MayHave]] = []
    for seat in order:
        if seat == was and any(one.seat in active for one, _ in perhaps):
            break  # it goes forward, if only to one of whom the book does not say whether he may have it
        may, why = ask.may_have(seat)
        if may == "no":
            passed += [why] if why is not None else []
            continue
        here = _Button(seat, (button_moves(ask.was, was, seat, cites), *passed))
        if may != "yes":
            perhaps.append((here, may))
            passed += [why] if why is not None else []
            continue
        stays = seat == was and len(order) > 1
        return _either(perhaps, [here._replace(settled=not stays)])
    if perhaps:
        return _either(perhaps, [])
    seat = (order or ask.everybody)[0]
    why = Ground(f"nobody else may have the button: seat {seat} is next", (), "fallback")
    return [_Button(seat, (why, *passed), settled=False)]


def _either(perhaps: list[tuple[_Button, MayHave]], sure: list[_Button]) -> list[_Button]:
    """Return the readings of who has the button: those who rather may, who may, who rather may not."""
    rather = [one for one, held in perhaps if held == "rather-yes"]
    found = [*rather, *sure, *(one for one, held in perhaps if held != "rather-yes")]
    if len(found) == 1:
        return found
    return [one._replace(reading=f"the button at seat {one.seat}") for one in found]


def _blinds(ask: Ask, method: Method, cites: Cites, button: _Button, settled: list[Seat]) -> Draft | None:
    """Put the blinds behind the button; None if there is no room for them."""
    at = button.seat
    blinds: list[Seat] = []
    grounds: list[tuple[Ground, ...]] = []
    everybody = [seat for seat in ask.everybody if seat != button.seat and seat not in ask.posters]
    for index in range(len(ask.roles)):
        last = index == len(ask.roles) - 1
        seat = after(at, everybody if last else settled)
        if seat is None or seat in blinds or (blinds and between(at, button.seat, seat)):
            return None
        behind = "button" if not blinds else _TITLES[ask.roles[index - 1]]
        grounds.append((blind_after(seat, behind, at, cites),))
        blinds.append(seat)
        at = seat
    dealt = ask.everybody if ask.given else tuple(sorted({*ask.core, *ask.free, *blinds}))
    if len(dealt) == 2 and len(ask.roles) > 1:
        return None
    return Draft(method, button.seat, tuple(blinds), dealt, button.why, tuple(grounds), reading=button.reading)


def _no_room(ask: Ask, method: Method, cites: Cites, button: _Button) -> list[Draft]:
    """Two settled players, and others between them or not at all: they play heads-up."""
    if len(ask.roles) < 2:
        return []
    pair = ask.core
    if len(pair) == 1 and (other := after(pair[0], ask.coming)) is not None:
        pair = tuple(sorted((pair[0], other)))
    if len(pair) != 2 or button.seat not in pair:
        return []
    found = _moving_heads_up(ask, method, cites, button, pair)
    if not ask.given:
        return found
    # Somebody was dealt in between the two: where the blinds belong then, no text says.
    return [one._replace(dealt=ask.everybody, heads_up=False, judged=False) for one in found]


def _moving_heads_up(ask: Ask, method: Method, cites: Cites, button: _Button, pair: tuple[Seat, ...]) -> list[Draft]:
    at = button.seat
    (big,) = (seat for seat in pair if seat != at)
    basis: Basis = "book" if cites.heads_up_known else "fallback"

    def draft(small: Seat, big: Seat, why: tuple[Ground, ...], reading: str) -> Draft:
        own = Ground(f"two players: the small blind is on the button at seat {small}", cites.heads_up, basis)
        opposite = Ground(f"two players: the big blind is opposite the button, at seat {big}", cites.heads_up, basis)
        return Draft(
            method,
            small,
            (small, big),
            pair,
            why,
            ((own,), (opposite,)),
            heads_up=True,
            judged=cites.heads_up_known,
            reading=reading,
        )

    if not ask.had_last_blind(big):
        return [draft(at, big, button.why, button.reading)]
    moved = Ground(
        f"seat {big} had the big blind on hand {ask.was.hand}: it moves on to seat {at}, "
        f"and seat {big} has button and small blind",
        (),
        "fallback",
        ask.was.hand,
    )
    on = draft(big, at, (moved,), "the big blind moves on")
    if cites.transition:
        return [on]
    letter = draft(at, big, button.why, "the button moves on")
    if not cites.heads_up_known:
        return [on, letter]
    return [letter, on._replace(doubtful=True)]  # that the button waits for the big blind, no text says


# Owed blinds


_LATE_OFF = "what was left out on the last hand is not made good"
_NEW_FIRST = "the blinds of the new round come before what is left of the last"
_NO_BUTTON = "the button owes nothing"
_BY_PLACE = "each blind from its position"
_ON_BUTTON = "the button posts the smallest blind, which it owes"


def _owed(ask: Ask, draft: Draft, *, spared: bool) -> list[Draft]:
    """Say who posts what: each of those whom the big blind has reached, one blind per hand.

    `spared`: the button does not post the smallest blind, though it may owe it.
    """
    if draft.heads_up or not draft.judged or len(ask.roles) < 2 or ask.was.furthest is None:
        return [draft]
    if goes_back(ask.was.furthest, draft.furthest, draft.dealt, most=len(ask.roles)):
        return [draft._replace(reading=_BY_PLACE)]  # by the record the last blind lay ahead of its turn
    found: list[Draft] = []
    for reading, late, old_first in ((draft.reading, True, True), (_LATE_OFF, False, True), (_NEW_FIRST, True, False)):
        owes = _owing(ask, draft, late=late, old_first=old_first, spared=spared)
        if all(owes != one.owes for one in found):
            found.append(draft._replace(owes=owes, reading=reading))
    if len(ask.was.dealt) == 2 and len(draft.dealt) > 2:
        # How the debts of two players carry over, the text does not say: whether the button still
        # pays its small blind, or each blind comes from its position.
        plain = tuple(one for one in found[0].owes or () if one[0] != draft.button)
        found.insert(0, found[0]._replace(owes=plain, reading=_NO_BUTTON))
        found.append(draft._replace(reading=_BY_PLACE))
    owes = _owing(ask, draft, late=True, old_first=True, spared=False)
    if spared and all(owes != one.owes for one in found):
        found.append(draft._replace(owes=owes, reading=_ON_BUTTON, doubtful=True))
    return found


def _owing(ask: Ask, draft: Draft, *, late: bool, old_first: bool, spared: bool) -> tuple[tuple[Seat, BlindName], ...]:
    start, end = ask.was.furthest, draft.furthest
    assert start is not None and end is not None  # noqa: S101, PT018 - the caller asked
    full = tuple(reversed(ask.roles))
    owes: dict[Seat, BlindName] = {}
    for seat in draft.dealt:
        player = ask.players[seat]
        if seat in ask.posters or (seat in ask.coming and seat not in draft.blinds):
            continue  # comes in by a post of its own
        old = ask.debts.get(player, ()) if late or player not in ask.late else ()
        new = full if reaches(ask.was.button, start, seat, draft.button, end) else ()
        left = [role for role in ((*old, *new) if old_first else (*new, *old)) if role in ask.roles]
        if left and not (spared and seat == draft.button and left[0] == full[-1]):
            owes[seat] = left[0]
    if full[0] not in owes.values():
        owes[end] = full[0]  # somebody has to post the largest
    button = draft.button or 0
    order = sorted(owes.items(), key=lambda one: (-full.index(one[1]), one[0] <= button, one[0]))
    return tuple(order)


def _untold(hand: str, what: str) -> str:
    title = _TITLES.get(what, what)  # or the button
    return f"hand {hand} does not tell where the {title} was"
