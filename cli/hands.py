"""Hands out of a ledger, ready to be judged: one by one, or each in its place at its table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, cast
from uuid import UUID

from cli.streams import Streams
from ledger.replay import PlayedHand
from ledger.store.accounts import Place

if TYPE_CHECKING:
    from ledger.hand.events import HandEvent
    from ledger.store import HandRow, Ledger
    from ledger.table.standing import Told
    from projections.doubts import Spoiled
    from projections.rulebook import Rulebook
    from projections.table_context import TableContexts


def played(ledger: Ledger, streams: Iterable[UUID]) -> Iterator[PlayedHand]:
    """Yield the hands of these streams, each with all its commits and its place in the ledger."""
    decode = ledger.mapper.decode
    for stream in streams:
        commits = ledger.stream(stream)
        first = commits[0]
        if len(commits) == 1:
            events = cast("list[HandEvent]", decode("hand", first.data))
            yield PlayedHand(
                events, first.marks, stream, position=first.position - first.count + 1, recorded=first.recorded
            )
            continue
        entries = [entry for commit in commits for entry in ledger.entries_of(commit)]
        yield PlayedHand(
            [cast("HandEvent", entry.event) for entry in entries],
            [entry.mark for entry in entries],
            stream,
            position=first.position - first.count + 1,
            recorded=first.recorded,
        )


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
) -> Iterator[tuple[PlayedHand, TableContexts | None]]:
    """Yield the wanted hands of each table in the order in which it played them, each in its place.

    Whatever is wanted, a table is walked from its first hand: what is owed comes from before. Of the
    hands that are not wanted only what the table remembers of them is read. A hand of which the
    table was not told stands at the end, without a place.
    """
    from cli.spoiled import spoiled

    unread = spoiled(ledger)
    for place, rows in wanted:
        chosen = Streams(row.stream for row in rows)
        if chosen:
            yield from _at(ledger, place, chosen, books, unread)


def _at(
    ledger: Ledger, place: Place, chosen: Streams, books: list[Rulebook], unread: dict[str, Spoiled]
) -> Iterator[tuple[PlayedHand, TableContexts | None]]:
    from ledger.store.accounts import told as told_to
    from ledger.table.played import played as remembered
    from projections.table_context import Table, of_tables

    told = told_to(ledger, place)
    others = _others(ledger, place, chosen, told)
    table = Table(of_tables(books), unread)
    for sat in table.contexts(told) if chosen or others else ():
        stream = UUID(hex=sat.hand.hand)
        if chosen.take(stream):
            yield next(played(ledger, [stream])), sat
        for row in sorted(others.pop(stream, ()), key=_account):
            hand = next(played(ledger, [row.stream]))
            yield hand, sat.other(remembered(hand.final, row.stream.hex))
        if not chosen and not others:
            break
    assert not chosen  # noqa: S101 - the table was told of each that is left
    left = [row for rows in others.values() for row in rows]
    for hand in played(ledger, (row.stream for row in sorted(left, key=_account))):
        yield hand, None


def _others(ledger: Ledger, place: Place, chosen: Streams, told: Iterable[Told]) -> dict[UUID | None, list[HandRow]]:
    """Take the accounts that do not stand out of those that were chosen; return them by the one that does.

    None: there is none, of which the table was told.
    """
    from ledger.table.events import HandPlayed
    from ledger.table.plain import plain
    from ledger.table.standing import hands_of, held

    standing: dict[str, str] = {}
    left = Streams(chosen)
    if plain(told):
        for one in told:
            if isinstance(one.event, HandPlayed):
                left.take(UUID(hex=one.event.hand))
    else:
        for hand in hands_of(held(told)):
            stands = hand.stands.hand.hand
            standing.update((account.hand.hand, stands) for account in hand.accounts)
            left.take(UUID(hex=stands))
    found: dict[UUID | None, list[HandRow]] = {}
    for row in ledger.hands(**place._asdict()) if left else ():
        if left.take(row.stream):
            chosen.take(row.stream)
            stands = standing.get(row.stream.hex) or _by_number(ledger, place, row)
            found.setdefault(UUID(hex=stands) if stands else None, []).append(row)
    return found


def _by_number(ledger: Ledger, place: Place, row: HandRow) -> str:
    """Return the account that stands for one of which the table was never told, "" if there is none."""
    rows = ledger.hands(**place._asdict(), number=row.number, standing=True)
    return next((one.stream.hex for one in rows if one.stream != row.stream), "")


def _account(row: HandRow) -> tuple[str, int]:
    return row.number, row.account
