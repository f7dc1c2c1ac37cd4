"""The events of one hand that is played as it was offered: its posts, a walk for the big blind, the pot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ledger.formats.handscript.witnesses import read_witnesses
from ledger.hand import betting as b
from ledger.hand import dealing as d
from ledger.hand import ending as e
from ledger.hand import opening as o
from ledger.hand.events import HandEvent
from ledger.people import People
from tests.evenings.ring import clockwise
from tests.small_tables.keys import PLAYERS, seat_number
from tests.small_tables.tables import SmallTable

START = 1_795_000_000_000
PEOPLE = People(b"s" * 32)
WITNESSES = read_witnesses("live-table", "except", "burns", "shuffles")
STACK = 200


@dataclass(frozen=True)
class Post:
    """What a seat puts in before the cards."""

    seat: int
    role: str
    live: int
    dead: int = 0


@dataclass(frozen=True)
class Plan:
    """One hand as somebody deals it."""

    button: int | None
    small: int | None
    big: int | None
    dealt: tuple[int, ...]
    posts: tuple[Post, ...]
    opener: int
    left_out: tuple[tuple[int, o.NotDealtIn], ...] = ()
    judged: bool = True
    choices: int = 0  # how many came in by a choice: the plan with fewest is the simplest
    method: str = ""  # by which button and blinds moved
    extra: int | None = None  # who has the third blind
    lost: tuple[int, int] | None = None  # who loses all on this hand, and to whom


def player(name: str) -> str:
    """Return the id of a player of these tables."""
    player_id = PEOPLE.player("Evening", name)
    PLAYERS.add(player_id)
    return player_id


def events_of(
    table: SmallTable, plan: Plan, number: int, seated: dict[int, tuple[str, int]]
) -> tuple[list[HandEvent], dict[int, int]]:
    """Return the events of a hand and the stacks behind it; `seated`: player and stack by seat."""
    stacks = {seat: stack for seat, (_, stack) in seated.items()}
    reasons = dict(plan.left_out)
    unit = "chips"
    events: list[HandEvent] = [
        o.HandOpened("Evening", "1", str(number), WITNESSES, START + number * 120_000, seats=table.seats),
        o.GameSet("holdem", table.betting, table.form, unit, 0, table.blinds, 0, table.bets),
        *(o.OptionSet(name, value) for name, value in table.options),
    ]
    for seat, (player_name, stack) in sorted(seated.items()):
        if seat in plan.dealt:
            events.append(o.SeatDealtIn(seat_number(seat), player_name, stack))
        else:
            events.append(o.SeatLeftOut(seat_number(seat), player_name, stack, reasons.get(seat, "unknown")))
    if plan.button is not None:
        events.append(o.ButtonPlaced(seat_number(plan.button)))
    if plan.small is not None:
        events.append(o.BlindPositionPlaced("small", seat_number(plan.small)))
    if plan.big is not None:
        events.append(o.BlindPositionPlaced("big", seat_number(plan.big)))
    posting = {post.seat for post in plan.posts if post.role == "small"}
    if plan.small is not None and not posting:
        not_posted: o.NotPosted = "absent" if plan.small in seated else "dead-small-blind"
        events.append(o.BlindSkipped("small", seat_number(plan.small), not_posted))
    live: dict[int, int] = {}
    pot = 0
    for post in plan.posts:
        events.append(o.BlindPosted(seat_number(post.seat), post.role, post.live, post.dead))  # type: ignore[arg-type]  # a role that `due` names
        stacks[post.seat] -= post.live + post.dead
        live[post.seat] = live.get(post.seat, 0) + post.live
        pot += post.live + post.dead
    events.append(d.DealCompleted())
    order = [plan.opener, *(seat for seat in clockwise(plan.opener, plan.dealt) if seat != plan.opener)]
    if plan.lost is not None:
        return events + _lost(plan.lost, order, live, pot, stacks), stacks
    winner = order[-1]
    events += [b.Folded(seat_number(seat)) for seat in order[:-1]]
    back = live.get(winner, 0) - max((chips for seat, chips in live.items() if seat != winner), default=0)
    if back > 0:
        events.append(b.BetReturned(seat_number(winner), back))
        stacks[winner] += back
        pot -= back
    stacks[winner] += pot
    events += [e.PotAwarded(seat_number(winner), pot), e.HandCompleted()]
    return events, stacks


BOARD: Final = (("flop", "2c7d9h"), ("turn", "Jc"), ("river", "3s"))


def _lost(
    lost: tuple[int, int], order: list[int], live: dict[int, int], pot: int, stacks: dict[int, int]
) -> list[HandEvent]:
    """Return how a seat loses all it has to another; stacks go along."""
    loser, winner = lost
    stake = stacks[loser] + live.get(loser, 0)
    added = {seat: min(stake - live.get(seat, 0), stacks[seat]) for seat in (loser, winner)}
    bet_totals = {seat: live.get(seat, 0) + added[seat] for seat in (loser, winner)}
    events: list[HandEvent] = []
    for seat in order:
        if seat not in added:
            events.append(b.Folded(seat_number(seat)))
            continue
        act = b.Called if any(isinstance(event, b.Raised) for event in events) else b.Raised
        events.append(act(seat_number(seat), added[seat], bet_totals[seat], added[seat] == stacks[seat]))
        stacks[seat] -= added[seat]
        pot += added[seat]
    events += [d.BoardDealt(street, cards) for street, cards in BOARD]  # type: ignore[arg-type]  # words of the table above
    events += [e.ShowdownBegun()]
    events += [e.CardsShown(seat_number(seat), "AhAd" if seat == winner else "KhKd") for seat in order if seat in added]
    back = bet_totals[loser] - bet_totals[winner]
    if back > 0:
        events.insert(len(order), b.BetReturned(seat_number(loser), back))
        stacks[loser] += back
        pot -= back
    stacks[winner] += pot
    events += [b.HandKilled(seat_number(loser), "lost"), e.PotAwarded(seat_number(winner), pot, 0), e.HandCompleted()]
    return events
