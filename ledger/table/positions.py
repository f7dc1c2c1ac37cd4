"""Where button and blinds belong on the next hand, by the two common ways of moving them.

`dead` (dead button): the big blind goes to the next player, the small blind to where the big blind
was, the button to where the small blind was, empty or not. `moving`: the button goes to the next
player, the blinds to the two after it. What only some rulebooks say is left open, with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias

from ledger.table.placing import big_of
from ledger.table.state import SeatState, TableState
from ledger.vocabulary import Seat

Method: TypeAlias = Literal["dead", "moving"]

Basis: TypeAlias = Literal["record", "method", "fallback", ""]
"""`record`: the record says it. `method`: it follows from the last hand. `fallback`: the usual answer
where rulebooks are silent or differ: to show, never to accuse. "" = open."""


class Position(NamedTuple):
    """Where a position belongs; None = open. `why` names the hand and seats it rests on."""

    seat: Seat | None
    why: str
    basis: Basis = "method"
    empty: bool = False  # nobody will be dealt in there: a dead button, a dead small blind


class Positions(NamedTuple):
    """Button and blinds of the next hand, and who is counted on to be dealt in."""

    method: Method
    button: Position
    small: Position
    big: Position
    after: str  # number of the hand it rests on; "" = none
    players: tuple[Seat, ...] = ()  # were dealt in and are still there
    waiting: tuple[Seat, ...] = ()  # there, but not dealt in last time
    out: tuple[Seat, ...] = ()  # occupied, but away, asked out, kept out or without chips

    @property
    def known(self) -> bool:
        """Whether all three positions have an answer."""
        return None not in (self.button.seat, self.small.seat, self.big.seat)


class _Table(NamedTuple):
    """Who can be dealt in, as the positions need it. All ascending, which is clockwise."""

    number: str
    players: tuple[Seat, ...]
    waiting: tuple[Seat, ...]
    patient: frozenset[Seat]  # those waiting who declared that they wait for the big blind
    out: tuple[Seat, ...]


def next_positions(state: TableState, method: Method) -> Positions:
    """Say where button and blinds belong on the hand after the last one of `state`."""
    table = _look(state)
    closed = _why_closed(state)
    if closed:
        return _open(method, table, closed)
    if state.last is None:
        return _first_hand(state, method, table)
    if state.bought is not None:
        bought = Position(
            state.bought, f"seat {state.bought} bought the button after hand {table.number}",
            "record",
        )  # fmt: skip
        return _open(
            method, table, "where the blinds go round a bought button is left to the book"
        )._replace(button=bought)
    if not state.last.completed:
        return _again(state, method, table)
    if method == "dead":
        return _dead(state, table)
    return _moving(state, table)


# Who is there


def _look(state: TableState) -> _Table:
    players, waiting, out = [], [], []
    number = state.number
    for seat, held in state.seats.items():
        if _is_out(held):
            out.append(seat)
        elif number and held.last_dealt == number:
            players.append(seat)
        else:
            waiting.append(seat)
    patient = frozenset(seat for seat in waiting if state.seats[seat].wait == "big-blind")
    return _Table(number, tuple(players), tuple(waiting), patient, tuple(out))


def _is_out(held: SeatState) -> bool:
    return (
        held.presence != "present"
        or held.asked_out
        or held.busted
        or held.stack == 0
        or held.deferred in ("button-passed", "unknown")
        or held.wait in ("button", "position")
    )


def _after(seat: Seat, seats: Iterable[Seat]) -> Seat | None:
    """Return the first of `seats` clockwise after `seat`; `seat` itself comes last."""
    ring = sorted(seats)
    if not ring:
        return None
    return next((one for one in ring if one > seat), ring[0])


# What stands in the way of any answer


def _why_closed(state: TableState) -> str:
    if state.broken:
        return "the game is over"
    gap = state.open_gap
    if gap is not None:
        return f"hands are missing after hand {gap.after}; no later hand is on record"
    return ""


def _open(method: Method, table: _Table, why: str) -> Positions:
    none = Position(None, why, "")
    return Positions(method, none, none, none, table.number, table.players, table.waiting,
                     table.out)  # fmt: skip


def _first_hand(state: TableState, method: Method, table: _Table) -> Positions:
    if state.drawn is None:
        return _open(method, table, "no hand of this game is on record, and no draw for the button")
    there = sorted({*table.players, *table.waiting})
    small = _after(state.drawn, [seat for seat in there if seat != state.drawn])
    button = Position(state.drawn, f"seat {state.drawn} drew the button", "record")
    answer = _open(method, table, "fewer than two players are there")._replace(button=button)
    if small is None:
        return answer
    why = f"the next seats clockwise from the button at seat {state.drawn}"
    if len(there) == 2:
        return answer._replace(small=_heads_up_small(state.drawn), big=Position(small, why))
    big = _after(small, [seat for seat in there if seat != state.drawn])
    return answer._replace(small=Position(small, why), big=Position(big, why))


def _again(state: TableState, method: Method, table: _Table) -> Positions:
    """Answer after a hand that was not played to its end."""
    last = state.last
    assert last is not None  # noqa: S101 - the caller asked
    if last.voided != "misdeal":
        what = f"was voided ({last.voided})" if last.voided else "has no end on record"
        return _open(
            method, table, f"hand {last.number} {what}: whether the positions move on is open"
        )
    why = f"hand {last.number} was a misdeal; the positions stay where they were"
    dealt = {one.seat for one in last.dealt_in}
    placed = [
        Position(one.seat, why, "fallback", empty=one.seat not in dealt)
        if one.seat is not None
        else Position(None, f"hand {last.number} does not tell it", "")
        for one in (state.button, state.small, state.big)
    ]
    return Positions(method, placed[0], placed[1], placed[2], table.number, table.players,
                     table.waiting, table.out)  # fmt: skip


# The two methods


def _dead(state: TableState, table: _Table) -> Positions:
    number, was = table.number, state.big.seat
    if was is None:
        return _open("dead", table, _untold(state, "big blind"))
    big = _after(was, (*table.players, *table.waiting))
    coming = {*table.players, big} if big is not None else set()
    if big is None or len(coming) < 2:
        return _open("dead", table, "fewer than two players are there")
    answer = Positions(
        "dead",
        Position(None, "", ""),
        Position(None, "", ""),
        Position(big, f"hand {number} had the big blind at seat {was}; seat {big} is next"),
        number, table.players, table.waiting, table.out,
    )  # fmt: skip
    if len(coming) == 2:
        return _dead_heads_up(answer, table, big, coming)
    small = Position(
        was, f"the big blind of hand {number} was at seat {was}", empty=was not in coming
    )
    button = _dead_button(state, coming)
    if big in (button.seat, was):
        clash = f"the button's place would be the big blind's, seat {big}"
        return answer._replace(
            button=Position(None, clash, ""),
            small=Position(None, clash, "") if was == big else small,
        )
    return answer._replace(small=small, button=button)


def _dead_heads_up(answer: Positions, table: _Table, big: Seat, coming: set[Seat]) -> Positions:
    unsure = [seat for seat in table.waiting if seat != big and seat not in table.patient]
    if unsure:
        why = f"two players or more, as seat {unsure[0]} waits or posts"
        return answer._replace(button=Position(None, why, ""), small=Position(None, why, ""))
    (other,) = coming - {big}
    why = f"two players: the big blind is at seat {big}, seat {other} has button and small blind"
    return answer._replace(button=Position(other, why), small=Position(other, why))


def _dead_button(state: TableState, coming: set[Seat]) -> Position:
    number, was = state.number, state.small.seat
    if was is not None:
        why = f"the small blind of hand {number} was at seat {was}"
        return Position(was, why, empty=was not in coming)
    before = state.before
    told = big_of(before).seat if before is not None else None
    if before is not None and told is not None:
        why = (f"hand {number} tells no small blind; "
               f"the big blind of hand {before.number} was at seat {told}")  # fmt: skip
        return Position(told, why, empty=told not in coming)
    return Position(None, _untold(state, "small blind"), "")


def _moving(state: TableState, table: _Table) -> Positions:
    number, was = table.number, state.button.seat
    if was is None:
        return _open("moving", table, _untold(state, "button"))
    at = _after(was, table.players)
    if at is None or len({*table.players, *table.waiting}) < 2:
        return _open("moving", table, "fewer than two players are there")
    barred = _made_up_between(state, at)
    if barred:
        return _open("moving", table, barred)
    button = Position(at, f"hand {number} had the button at seat {was}; seat {at} is next")
    answer = Positions("moving", button, Position(None, "", ""), Position(None, "", ""), number,
                       table.players, table.waiting, table.out)  # fmt: skip
    small = _after(at, [seat for seat in table.players if seat != at])
    reached = _after(at if small is None else small, (*table.players, *table.waiting))
    coming = {*table.players, reached}
    if len(coming) == 2:
        return _moving_heads_up(state, table, answer, coming)
    assert small is not None and reached is not None  # noqa: S101, PT018 - three are coming, two of them players
    if reached == at:
        why = f"the big blind's place would be the button's, seat {at}"
        return answer._replace(small=Position(None, why, ""), big=Position(None, why, ""))
    return answer._replace(
        small=Position(small, f"seat {small} is next after the button at seat {at}"),
        big=Position(reached, f"seat {reached} is next after the small blind at seat {small}"),
    )


def _made_up_between(state: TableState, seat: Seat) -> str:
    """Whether the next button made up a blind, or entered, between the last button and big blind."""
    last, button, big = state.last, state.button.seat, state.big.seat
    if last is None or button is None or big is None:
        return ""
    posted = {post.seat for post in last.posts if post.role.startswith(("entry", "makeup"))}
    span = (big - button) % 1000
    if seat in posted and 0 < (seat - button) % 1000 < span:
        return (f"seat {seat} is next, but posted between button and blinds on hand {last.number}: "
                "whether it may have the button is left to the book")  # fmt: skip
    return ""


def _moving_heads_up(
    state: TableState, table: _Table, answer: Positions, coming: set[Seat | None]
) -> Positions:
    button = answer.button.seat
    assert button is not None  # noqa: S101 - the caller placed it
    (other,) = coming - {button}
    assert other is not None  # noqa: S101 - two are coming
    unsure = [seat for seat in table.waiting if seat not in coming and seat not in table.patient]
    if unsure:
        why = f"two players or more, as seat {unsure[0]} waits or posts"
        return answer._replace(small=Position(None, why, ""), big=Position(None, why, ""))
    dealt = len(state.last.dealt_in) if state.last else 0
    was = state.big.seat
    if dealt > 2 and was is not None and _after(was, (button, other)) == button:
        # Literally the button moves on and the same player has the big blind again. The usual
        # answer moves the big blind on, so that nobody posts it twice running.
        why = (f"three or more became two: the big blind moves on from seat {was}, "
               "books leave open whether the button does")  # fmt: skip
        return answer._replace(
            button=Position(other, why, "fallback"),
            small=Position(other, why, "fallback"),
            big=Position(button, why, "fallback"),
        )
    return answer._replace(
        small=_heads_up_small(button),
        big=Position(other, f"two players: the big blind is opposite the button at seat {button}",
                     "fallback"),
    )  # fmt: skip


def _heads_up_small(button: Seat) -> Position:
    return Position(
        button, "two players: the small blind is on the button, where no book says otherwise",
        "fallback",
    )  # fmt: skip


def _untold(state: TableState, what: str) -> str:
    placed = state.big if what == "big blind" else state.small
    if what != "button" and placed.how == "several":
        return f"hand {state.number} has more than one {what}"
    return f"hand {state.number} does not tell where the {what} was"
