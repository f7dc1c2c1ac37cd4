"""Random evenings that are dealt through the library: people come, go and move, hands are dealt as due or wrongly."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from handledger.answers import Fault
from handledger.table import Table
from ledger.errors import PostsError

GAMES = (
    ("limit 10/20", "hilton", {}),
    ("no-limit 1/3", "hilton", {"entry-post-required": 1}),
    ("no-limit 2/5", "rrop4", {"button-method": "dead"}),
    ("no-limit 2/5", "rrop4", {"button-method": "moving"}),
    ("limit 4/8", "rrop4", {}),
    ("pot-limit omaha 5/5", "bicycle", {}),
    ("limit 10/20", "bicycle", {}),
)
TOURNAMENTS = (("no-limit 100/200", "tda2024", {}), ("no-limit 100/200 ante 25", "hilton", {}))


@dataclass
class Played:
    """A table, and what `check` found in each of its hands before it was dealt."""

    table: Table
    faults: dict[str, tuple[Fault, ...]] = field(default_factory=dict)


def play(seed: int, hands: int = 12) -> Played:
    """Return a random table; the same seed gives the same."""
    rng = Random(seed)
    is_tournament = rng.random() < 0.2
    game, book, options = rng.choice(TOURNAMENTS if is_tournament else GAMES)
    seats = rng.choice((4, 6, 9))
    played = Played(Table(game, seats=seats, rulebook=book, tournament=is_tournament, options=options))
    table = played.table
    for seat in sorted(rng.sample(range(1, seats + 1), rng.randint(3, seats))):
        table.sit(seat, f"Player {seat}")
    stated: dict[str, Any] = {} if table.due().button else {"button": rng.choice(list(table.seated))}
    for number in range(1, hands + 1):
        try:
            faults = table.check(**stated)
        except PostsError:
            stated = {}
        else:
            played.faults[table.deal(**stated).number] = faults
        for _ in range(rng.choice((0, 0, 1, 1, 2))):
            change(table, rng, number)
        stated = wrong(table, rng) if rng.random() < 0.25 else {}
    return played


def change(table: Table, rng: Random, number: int) -> None:
    """Let something happen to a random seat."""
    seat = rng.randint(1, table.seats)
    player = table.seated.get(seat)
    if player is None:
        table.sit(seat, f"Guest {number} {seat}", origin=rng.choice((None, None, "broken-game")))
        return
    if player.presence == "away":
        table.back(seat)
        return
    seat_due = table.due().seat(seat)
    if seat_due is not None and seat_due.choices and rng.random() < 0.7:
        table.choose(seat, rng.choice(seat_due.choices))
        return
    empty_seats = [empty_seat for empty_seat in range(1, table.seats + 1) if empty_seat not in table.seated]
    deeds = ["away", "away", "leave", *(["move"] if empty_seats else []), *(["broke"] if table.is_tournament else [])]
    deed = rng.choice(deeds)
    if deed == "move":
        table.move(seat, rng.choice(empty_seats))
    elif deed == "broke":
        table.set_stack(seat, 0)
    elif deed == "away":
        table.away(seat)
    else:
        table.leave(seat)


def wrong(table: Table, rng: Random) -> dict[str, Any]:
    """Return a hand that may be dealt wrongly."""
    present = [seat for seat, player in table.seated.items() if player.presence == "present" and player.stack != 0]
    if not present:
        return {}
    kind = rng.choice(("button", "dealt", "post"))
    if kind == "button":
        return {"button": rng.choice(present)}
    if kind == "dealt":
        return {"dealt": sorted(rng.sample(present, max(1, len(present) - 1)))}
    due = table.due()
    posts = {post.seat: {post.kind: post.chips or 0} for post in due.posts}  # without the dead chips
    return {"posts": posts} if posts else {}
