"""The library's door: a document of a table, as a link of the pocket page or an assistant brings it."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Final

from handledger.table import Table
from ledger.errors import HandledgerError
from tests.fuzz.target import Target

_BOOKS: Final = ("hilton", "rrop4", "bicycle", "tda2024")
_LONGEST: Final = 20_000


def targets() -> list[Target]:
    """Return the one target."""
    modules = ("handledger.table_document", "handledger.table", "handledger.hand_plan", "handledger.games")
    return [Target("door", seeds, run, modules, work=6_000_000, work_per_byte=4_000, seconds_per_byte=1e-3)]


def seeds() -> list[bytes]:
    """Return documents of tables: new and running, with choices, owed blinds and hands as due and as stated."""
    documents = []
    for book in _BOOKS:
        table = Table("no-limit 1/2", rulebook=book, running=book == "bicycle", tournament=book == "tda2024")
        for seat in range(1, 5):
            table.sit(seat, f"P{seat}", 100 * seat)
        if table.is_running:
            table.owes(2, "small blind")
        table.deal(button=1)
        table.away(3)
        table.deal()
        table.sit(6, "Eve")
        documents.append(table.to_dict())
    stated = {"do": "deal", "button": 2, "posts": {"3": 1, "4": {"big blind": 2, "dead": 1}}, "dealt": [1, 2, 3, 4]}
    sits = [{"do": "sit", "seat": seat, "name": f"P{seat}"} for seat in range(1, 5)]
    documents.append({**documents[0], "steps": [*sits, {"do": "deal"}, stated], "picks": {}})
    return [json.dumps(document).encode() for document in documents]


def run(data: bytes) -> None:
    """Read a table, ask what is due and what would be wrong, write it and read it again."""
    try:
        document = json.loads(data[:_LONGEST])
    except (ValueError, RecursionError):
        return
    try:
        table = Table.from_dict(document)
        due = table.due()
    except HandledgerError:
        return
    again = Table.from_dict(json.loads(json.dumps(table.to_dict())))
    assert again.due() == due, "what was written says something else"
    with suppress(HandledgerError):
        table.check(posts={})
