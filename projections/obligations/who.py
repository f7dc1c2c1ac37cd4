"""Who is dealt in: as recorded, or, for the coming hand, who is there and settled."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ledger.table.events import HandPlayed
from ledger.table.state import SeatState, TableState
from ledger.vocabulary import Chips, PlayerId, Seat
from projections.obligations.asking import MayHave
from projections.obligations.due import Ground
from projections.obligations.memory import Memory
from projections.policy import Policy

_OWN = frozenset({"big", "small", "extra"})
_LESSER = frozenset({"entry", "makeup", "makeup-small", "makeup-big"})


class There(NamedTuple):
    """Who is, or may be, dealt in on a hand."""

    core: tuple[Seat, ...]  # settled: were dealt in last time, or owe nothing
    coming: tuple[Seat, ...]  # come in, or may come in where the big blind falls
    posters: frozenset[Seat]  # of those coming: post to enter or to make up
    players: dict[Seat, PlayerId]
    stacks: dict[Seat, Chips | None]
    given: bool  # as recorded


def recorded(hand: HandPlayed, state: TableState, memory: Memory) -> There:
    """Return who was dealt in on a recorded hand; `state` is the table before it."""
    core, coming = [], []
    players: dict[Seat, PlayerId] = {}
    stacks: dict[Seat, Chips | None] = {}
    number = state.number
    for one in sorted(hand.dealt_in, key=lambda one: one.seat):
        players[one.seat] = one.player
        stacks[one.seat] = one.before
        held = state.seats.get(one.seat)
        if held is None or held.player != one.player:
            held = state.seat_of(one.player)
        if number == "" or (held is not None and _settled(held, number, memory)):
            core.append(one.seat)
        else:
            coming.append(one.seat)
    own = {post.seat for post in hand.posts if post.role in _OWN}
    posters = frozenset(
        post.seat for post in hand.posts if post.role in _LESSER and post.seat not in own
    )
    return There(tuple(core), tuple(coming), posters & frozenset(coming), players, stacks,
                 given=True)  # fmt: skip


def present(state: TableState, memory: Memory, also: frozenset[Seat] = frozenset()) -> There:
    """Return who is there for the coming hand; `also` are dealt in without more ado."""
    core, coming = [], []
    players: dict[Seat, PlayerId] = {}
    stacks: dict[Seat, Chips | None] = {}
    number = state.number
    for seat, held in sorted(state.seats.items()):
        players[seat] = held.player
        stacks[seat] = held.stack
        if seat in also:
            core.append(seat)
        elif is_out(held):
            continue
        elif number == "" or _settled(held, number, memory):
            core.append(seat)
        else:
            coming.append(seat)
    return There(tuple(core), tuple(coming), frozenset(), players, stacks, given=False)


def is_out(held: SeatState) -> bool:
    """Whether a seat gets no cards on the coming hand, wherever the blinds fall."""
    return (
        held.presence != "present"
        or held.asked_out
        or held.busted
        or held.stack == 0
        or held.deferred in ("button-passed", "unknown")
        or held.wait in ("button", "position")
    )


def _settled(held: SeatState, number: str, memory: Memory) -> bool:
    """Whether a player takes blinds in turn: was in the last hand, or has missed none since."""
    if held.last_dealt == number:
        return True
    tab = memory.of(held.player)
    return bool(held.first_dealt) and tab.settled


def chooser(
    policy: Policy, memory: Memory, there: There
) -> Callable[[Seat], tuple[MayHave, Ground | None]]:
    """Return what says whether a seat may have the button under the book."""
    barred = policy.value("button.eligibility") or ()
    barred_by = policy.clauses("button.eligibility")

    def may_have(seat: Seat) -> tuple[MayHave, Ground | None]:
        tab = memory.of(there.players[seat])
        new = not tab.established or (seat in there.coming and not tab.missed)
        for kinds, holds, why, silent in (
            (("new", "no-big-blind"), new, "has not taken the big blind yet", "rather-no"),
            (("made-up-between",), tab.made_up_between, "made up a blind between the blinds", "rather-yes"),
            (("missed-blind",), bool(tab.missed), "has missed a blind", "rather-yes"),
            (("short-blind",), tab.short_big, "posted less than half of the big blind", "rather-yes"),
        ):  # fmt: skip
            if holds:
                if any(kind in barred for kind in kinds):
                    return "no", Ground(f"seat {seat} is passed over: it {why}", barred_by)
                return silent, None  # type: ignore[return-value]  # one of the two above
        return "yes", None

    return may_have
