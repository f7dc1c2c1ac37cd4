"""What every table owes on its coming hand, as it is kept, under one book or those that the house adopted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from projections.amount_text import amount
from projections.audit.house_audit import House
from projections.table_walk.played_tables import places
from projections.tables.kept_dues import kept_owing
from projections.tables.table_set import kept

if TYPE_CHECKING:
    from ledger.store import Ledger
    from ledger.store.accounts import Place
    from ledger.vocabulary import PlayerId, Seat
    from projections.books.rulebook import Rulebook
    from projections.obligations.dues import SeatDue
    from projections.table_walk.table_dues import Owing
    from projections.tables.judgement_update import Progress


def everywhere(
    ledger: Ledger, chosen: Sequence[Rulebook], only: Sequence[Place] | None = None, progress: Progress | None = None
) -> Iterator[tuple[Rulebook, Place, Owing]]:
    """Yield what each table owes, or each of some, under the book that was asked for or that is the house's there now.

    `progress`: as for `judging.current`.
    """
    there = places(ledger) if only is None else list(only)
    under: dict[Rulebook, list[Place]] = {}
    if chosen:
        under[chosen[0]] = there
    else:
        house = House(ledger)
        for place in there:
            for book in house.in_force(place.venue, place.table, ledger.now()):
                under.setdefault(book, []).append(place)
    found = []
    with kept(ledger, list(under), results=False, progress=progress) as (keeping, numbers):
        for (book, at), number in zip(under.items(), numbers, strict=True):
            found += [(book, place, one) for place, one in kept_owing(keeping, number, at)]
    yield from sorted(found, key=lambda one: (one[1], one[0].name))


class Debt(NamedTuple):
    """Who owes, waits or may not play, and what. `player` is the name, raw."""

    seat: Seat
    player: str
    what: str


def debts(ledger: Ledger, one: Owing) -> Iterator[Debt]:
    """Yield who owes, waits or may not play at a table, and what."""
    for seat in one.due.seats:
        what = _debt(seat, one)
        if what:
            yield Debt(seat.seat, name_of(ledger, seat.player), what)


def name_of(ledger: Ledger, player: PlayerId) -> str:
    """Return a player's name, or the beginning of the id where there is none."""
    return ledger.people.name(player) or f"({player[:6]})"


def _debt(seat: SeatDue, one: Owing) -> str:
    def chips(count: int | None) -> str:
        return "?" if count is None else amount(count, one.unit, one.exponent)

    parts = []
    if seat.post:
        dead = f" and {chips(seat.dead)} dead" if seat.dead != 0 else ""
        parts.append(f"posts {chips(seat.live)} live{dead}")
    elif seat.missed:
        parts.append(f"missed {', '.join(missed.role for missed in seat.missed)}")
    if seat.either:
        parts.append("may have to post: the record leaves it open")
    if seat.standing in ("waiting", "away", "broke"):
        parts.append(seat.standing)
    return ", ".join(parts)
