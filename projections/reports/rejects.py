"""What could not be read of sources and still stands: where, why, what to do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from ledger.account import Problem, read_detail
from projections.addresses import source_names
from projections.addresses.source_names import SourcePlace
from projections.table_walk.rejected_lines import standing

if TYPE_CHECKING:
    from ledger.store import Ledger


class RejectTold(msgspec.Struct):
    """A span of a source that is no hand anybody could read."""

    place: SourcePlace
    code: str
    reason: str
    hint: str = ""
    problems: tuple[Problem, ...] = ()  # every line of it that is wrong, if its reader says so


def rejects(ledger: Ledger) -> Iterator[RejectTold]:
    """Yield the rejected spans that still stand, as the list tells them."""
    files = source_names.files(ledger)
    for event in standing(ledger):
        file = files.get(event.source, source_names.UNKNOWN)
        place = source_names.place_of(file, event.source, event.line, event.start, event.length)
        yield RejectTold(place, event.code, *read_detail(ledger.people.words(event.detail) or ""))
