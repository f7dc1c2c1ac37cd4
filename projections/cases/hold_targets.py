"""Resolve the target of a hold: a hand, a table, a source file or a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.case import case_errors
from ledger.streams import table_stream
from projections.addresses import hand_address, source_names
from projections.addresses.person_address import unknown_person_error
from projections.cases.case_people import resolve_person

if TYPE_CHECKING:
    from ledger.store import HandRow, Ledger


def resolve_target(ledger: Ledger, held_kind: str, stated_target: str, rows: list[HandRow], venue: str) -> str:
    """Return the target of a hold, by its kind.

    It's the stream id (hex) of a hand or table, the SHA-256 of a source file, or else a player id.
    """
    if held_kind == "hand":
        return hand_address.find(ledger, stated_target).row.stream.hex
    if held_kind == "table":
        row = hand_address.find_table(ledger, stated_target)
        return table_stream(row.venue, row.tournament, row.table).hex
    if held_kind == "source":
        digests = list(dict.fromkeys(source_names.find_sources(ledger, stated_target)))
        if len(digests) != 1:
            raise case_errors.ambiguous_source(stated_target, len(digests))
        return digests[0]
    player, is_new = resolve_person(ledger, stated_target, venue, rows)
    if is_new:
        ledger.people.forget(player)  # undo the registration of the new name
        raise unknown_person_error(ledger, stated_target)
    return player
