"""What every table owes on its coming hand, as it is kept, under one book or those that the house adopted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from projections.tables.keeping import kept
from projections.tables.owing import Owing, kept_owing
from projections.walk.adopted import House
from projections.walk.hands import places

if TYPE_CHECKING:
    from ledger.store import Ledger
    from ledger.store.accounts import Place
    from projections.rulebook import Rulebook


def everywhere(ledger: Ledger, chosen: Sequence[Rulebook]) -> Iterator[tuple[Rulebook, Place, Owing]]:
    """Yield what each table owes, under the book that was asked for or that is the house's there now."""
    there = places(ledger)
    under: dict[Rulebook, list[Place]] = {}
    if chosen:
        under[chosen[0]] = there
    else:
        house = House(ledger)
        for place in there:
            for book in house.in_force(place.venue, place.table, ledger.now()):
                under.setdefault(book, []).append(place)
    found = []
    with kept(ledger, list(under), results=False) as (keeping, numbers):
        for (book, at), number in zip(under.items(), numbers, strict=True):
            found += [(book, place, one) for place, one in kept_owing(keeping, number, at)]
    yield from sorted(found, key=lambda one: (one[1], one[0].name))
