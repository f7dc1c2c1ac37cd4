"""The documents of rejected spans: parts of sources that couldn't be read, each with the reason and a hint."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from ledger.account import Problem, read_detail
from ledger.store.requests.open_rejects import iter_open_rejects
from projections.addresses import source_names
from projections.addresses.source_names import SourcePlace

if TYPE_CHECKING:
    from ledger.store import Ledger


class RejectDocument(msgspec.Struct):
    """A span of a source that couldn't be read as a hand."""

    place: SourcePlace
    code: str
    reason: str
    hint: str = ""
    problems: tuple[Problem, ...] = ()  # the faulty lines, if the reader names them


def list_rejects(ledger: Ledger) -> Iterator[RejectDocument]:
    """Yield the rejected spans that no later import replaced."""
    source_files = source_names.load_source_files(ledger)
    for rejection in iter_open_rejects(ledger):
        source_file = source_files.get(rejection.source, source_names.UNKNOWN)
        source_place = source_names.build_source_place(
            source_file, rejection.source, rejection.line, rejection.start, rejection.length
        )
        yield RejectDocument(source_place, rejection.code, *read_detail(ledger.people.words(rejection.detail) or ""))
