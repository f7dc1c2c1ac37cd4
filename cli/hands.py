"""Hands out of a ledger, ready to be judged: one by one, or each in its place at its table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple, cast

from ledger.replay import PlayedHand

if TYPE_CHECKING:
    from ledger.hand.events import HandEvent
    from ledger.store import HandRow, Ledger
    from ledger.table.order import Told
    from projections.doubts import Spoiled
    from projections.rulebook import Rulebook
    from projections.sitting import Sittings


class Place(NamedTuple):
    """A table, by its names."""

    venue: str
    tournament: str
    table: str


def played(ledger: Ledger, rows: Iterable[HandRow]) -> Iterator[PlayedHand]:
    """Yield the hands of these rows, each with all its commits and its place in the ledger."""
    decode = ledger.mapper.decode
    for row in rows:
        commits = ledger.stream(row.stream)
        first = commits[0]
        if len(commits) == 1:
            events = cast("list[HandEvent]", decode("hand", first.data))
            yield PlayedHand(events, first.marks, row.stream,
                             position=first.position - first.count + 1, recorded=first.recorded)  # fmt: skip
            continue
        entries = [entry for commit in commits for entry in ledger.entries_of(commit)]
        yield PlayedHand(
            [cast("HandEvent", entry.event) for entry in entries], [entry.mark for entry in entries],
            row.stream, position=first.position - first.count + 1, recorded=first.recorded,
        )  # fmt: skip


def places(ledger: Ledger) -> list[Place]:
    """Return the tables in an order that does not hang on when they came."""
    return sorted(Place(row.venue, row.tournament, row.table) for row in ledger.tables())


def by_place(rows: Iterable[HandRow]) -> Iterator[tuple[Place, list[HandRow]]]:
    """Yield hands that were picked, table by table."""
    found: dict[Place, list[HandRow]] = {}
    for row in rows:
        found.setdefault(Place(row.venue, row.tournament, row.table), []).append(row)
    for place in sorted(found):
        yield place, list({row.stream: row for row in found[place]}.values())


def seated(
    ledger: Ledger, wanted: Iterable[tuple[Place, Iterable[HandRow]]], books: list[Rulebook]
) -> Iterator[tuple[PlayedHand, Sittings | None]]:
    """Yield the wanted hands of each table in the order in which it played them, each in its place.

    Whatever is wanted, a table is walked from its first hand: what is owed comes from before. Of the
    hands that are not wanted only what the table remembers of them is read. A hand of which the
    table was not told stands at the end, without a place.
    """
    from cli.spoiled import spoiled

    amended = ledger.continued("hand")
    unread = spoiled(ledger, amended)
    for place, rows in wanted:
        chosen = {row.stream.hex: row for row in rows}
        if chosen:
            yield from _at(ledger, place, chosen, books, amended, unread)


def _at(
    ledger: Ledger, place: Place, chosen: dict[str, HandRow], books: list[Rulebook], amended: set[str],
    unread: dict[str, Spoiled],
) -> Iterator[tuple[PlayedHand, Sittings | None]]:  # fmt: skip
    from ledger.streams import table_stream
    from ledger.table.events import HandPlayed
    from ledger.table.order import from_entries
    from ledger.table.played import played as remembered
    from projections.sitting import Table, of_tables

    told = from_entries(ledger.entries(table_stream(*place)))
    told = _as_corrected(ledger, told, amended)
    known = {one.event.hand for one in told if isinstance(one.event, HandPlayed)}
    others: dict[str, list[HandRow]] = {}  # other accounts of hands that the table knows
    for stream, row in chosen.items():
        if stream not in known:
            others.setdefault(row.number, []).append(row)
    table = Table(of_tables(books), unread)
    for sat in table.sittings(told):
        if not chosen:
            break
        found = chosen.pop(sat.hand.hand, None)
        if found is not None:
            yield next(played(ledger, [found])), sat
        for row in sorted(others.pop(sat.hand.number, ()), key=_account):
            del chosen[row.stream.hex]
            hand = next(played(ledger, [row]))
            yield hand, sat.other(remembered(hand.final, row.stream.hex))
    for row in sorted(chosen.values(), key=_account):
        yield next(played(ledger, [row])), None


def _account(row: HandRow) -> tuple[str, int]:
    return row.number, row.account


def _as_corrected(ledger: Ledger, told: list[Told], amended: set[str]) -> list[Told]:
    """Put what follows from hands as they were corrected later in the place of what was told first."""
    from uuid import UUID

    from ledger.hand.ending import CorrectionMade
    from ledger.hand.fold import fold
    from ledger.replay import corrected
    from ledger.table.events import HandPlayed
    from ledger.table.played import played as remembered

    def now(one: Told) -> Told:
        event = one.event
        if not isinstance(event, HandPlayed) or event.hand not in amended:
            return one
        events = cast("list[HandEvent]", ledger.events(UUID(hex=event.hand)))
        if not any(isinstance(told, CorrectionMade) for told in events):
            return one
        state = fold([event for _, event in corrected(events)])
        return one._replace(event=remembered(state, event.hand))

    return [now(one) for one in told] if amended else told
