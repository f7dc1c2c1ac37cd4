"""What the seats of hands that fit a query came to, by player, position, table, day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from projections.addresses.room_days import day_begins as since_midnight
from projections.queries.ledger_query import InLedger, asked
from projections.queries.result_row import ResultTold
from projections.queries.sums import results
from projections.tables.kept_results import seat_results

if TYPE_CHECKING:
    from ledger.store import Ledger
    from projections.queries.query_run import Asked
    from projections.queries.sums import By
    from projections.tables.judgement_update import Progress

NameOf: TypeAlias = Callable[[str], str | None]
"""Gives the name of an id; None where it has none, or none is known."""


def told(
    ledger: Ledger,
    text: str | None,
    by: str,
    one: list[str],
    day_begins: str,
    *,
    progress: Progress | None = None,
    followed: Progress | None = None,
) -> list[ResultTold]:
    """Return what the seats of hands that fit a query came to, those with the most in each currency first.

    `progress` and `followed`: as for `kept`.
    """
    known = InLedger(ledger)
    people = [person for name in one for person in known.people(name)]
    with asked(ledger, text, day_begins, by=[by], progress=progress, followed=followed) as found:
        rows = of(found, by, people, day_begins, ledger.people.name)
    return rows if by != "player" else apart(rows, ledger.people.names)


def apart(rows: list[ResultTold], names: Mapping[str, tuple[str, str]]) -> list[ResultTold]:
    """Say of players of one name, who are not one person, in which room each plays."""
    called: dict[str, set[str]] = {}
    for row in rows:
        called.setdefault(row.name, set()).update(row.ids)
    for row in rows:
        if len(called[row.name]) > len(row.ids):
            row.room = " + ".join(sorted({names[one][0] for one in row.ids if one in names}))
    return rows


def of(found: Asked, by: str, people: list[str], day_begins: str, name_of: NameOf) -> list[ResultTold]:
    """Return the same of hands that were asked for; `people`: ids that are one person, whose seats alone are summed up."""
    first = dict.fromkeys(people, people[0] if people else "")
    rows = []
    seats = found.meant.seats
    if people:
        mine = seat_results.c.player.in_(people)
        seats = mine if seats is None else seats & mine
    for (name, purse), result in results(found, by, seats, since_midnight(day_begins), first).items():
        rows.append(
            ResultTold(
                name=named(name_of, by, name),
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
                unsure=result.unsure,
                unraked=result.unraked,
            )
        )
    hands = Counter[tuple[str, str]]()
    for row in rows:
        hands[row.format, row.unit] += row.hands
    day = by == "day"
    return sorted(rows, key=lambda r: (-hands[r.format, r.unit], r.unit, r.name if day else "", -r.net, r.name))


def named(name_of: NameOf, by: str, name: By) -> str:
    """Return what a group is called, for people and programs."""
    if by in ("player", "dealer"):
        return name_of(name[0]) or name[0] or "?"
    return " ".join(part for part in name if part) or "?"
