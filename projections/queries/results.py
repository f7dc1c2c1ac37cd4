"""What the seats of hands that fit a query came to, by player, position, table, day."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from projections.queries.asked import InLedger, asked
from projections.queries.days import day_begins as since_midnight
from projections.queries.result_told import ResultTold
from projections.queries.summing import results
from projections.tables.results import seat_results

if TYPE_CHECKING:
    from ledger.store import Ledger
    from projections.queries.summing import By


def told(ledger: Ledger, text: str | None, by: str, one: list[str], day_begins: str) -> list[ResultTold]:
    """Return what the seats of hands that fit a query came to, those with the most in each currency first."""
    known = InLedger(ledger)
    people = [person for name in one for person in known.people(name)]
    first = dict.fromkeys(people, people[0] if people else "")
    rows = []
    with asked(ledger, text, day_begins, by=[by]) as found:
        of = found.meant.seats
        if people:
            mine = seat_results.c.player.in_(people)
            of = mine if of is None else of & mine
        for (name, purse), result in results(found, by, of, since_midnight(day_begins), first).items():
            rows.append(
                ResultTold(
                    name=named(ledger, by, name),
                    hands=result.hands,
                    net=result.net,
                    rake=result.rake,
                    won=result.won,
                    showdowns=result.showdowns,
                    all_ins=result.all_ins,
                    unit=purse.unit,
                    exponent=len(str(purse.scale)) - 1,
                    format=purse.format,
                    per_hundred=None if result.per_hundred is None else round(result.per_hundred, 1),
                    ids=(people or [name[0]]) if by == "player" else [],
                )
            )
    hands = Counter[tuple[str, str]]()
    for row in rows:
        hands[row.format, row.unit] += row.hands
    day = by == "day"
    return sorted(rows, key=lambda r: (-hands[r.format, r.unit], r.unit, r.name if day else "", -r.net, r.name))


def named(ledger: Ledger, by: str, name: By) -> str:
    """Return what a group is called, for people and programs."""
    if by in ("player", "dealer"):
        return ledger.people.name(name[0]) or name[0] or "?"
    return " ".join(part for part in name if part) or "?"
