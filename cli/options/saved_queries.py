"""Save queries in the ledger under names: `saved:NAME` in a query is replaced by the saved one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ledger.errors import UsageError

if TYPE_CHECKING:
    from ledger.store import Ledger

Save = Annotated[
    str | None,
    typer.Option("--save", metavar="NAME", help="Save the query in the ledger; use it as `--where saved:NAME`."),
]


def save(ledger: Ledger, name: str, query: str | None) -> None:
    """Save a query under a name, instead of an earlier one of that name."""
    from ledger.entry import Provenance
    from ledger.house.events import QuerySaved
    from ledger.streams import HOUSE
    from projections.queries.ledger_query import parse_query
    from projections.queries.saved_queries import expand_saved_queries

    if query is None:
        raise UsageError("--save needs a query to save", "Add it with --where.")
    if not name.strip() or '"' in name:
        raise UsageError(f"{name!r} is no name for a query", "A name has letters, and no quotes.")
    full_query = expand_saved_queries(ledger, query)
    parse_query(full_query)
    event = QuerySaved(ledger.people.text(name.strip()), ledger.people.text(full_query))
    ledger.append("house", HOUSE, [event], recorded=Provenance(ledger.now(), writer="log"))
