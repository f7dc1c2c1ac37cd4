"""Hands out of a ledger, ready to be judged: one by one, or each in its place at its table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple, cast

from ledger.replay import PlayedHand
from ledger.store.accounts import Place

if TYPE_CHECKING:
    from uuid import UUID

    from ledger.hand.events import HandEvent
    from ledger.store import HandRow, Ledger
    from projections.doubts import Spoiled
    from projections.rulebook import Rulebook
    from projections.sitting import Sittings


class _Chosen(NamedTuple):
    """What is kept of a hand's row until the hand's turn comes: a table may have very many."""

    stream: UUID
    number: str
    account: int


def played(ledger: Ledger, rows: Iterable[HandRow | _Chosen]) -> Iterator[PlayedHand]:
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

    unread = spoiled(ledger)
    for place, rows in wanted:
        chosen = {row.stream.hex: _Chosen(row.stream, row.number, row.account) for row in rows}
        if chosen:
            yield from _at(ledger, place, chosen, books, unread)


def _at(
    ledger: Ledger, place: Place, chosen: dict[str, _Chosen], books: list[Rulebook],
    unread: dict[str, Spoiled],
) -> Iterator[tuple[PlayedHand, Sittings | None]]:  # fmt: skip
    from ledger.store.accounts import told as told_to
    from ledger.table.played import played as remembered
    from ledger.table.standing import hands_of, held
    from projections.sitting import Table, of_tables

    told = told_to(ledger, place)
    standing = {
        account.hand.hand: hand.stands.hand.hand
        for hand in hands_of(held(told)) for account in hand.accounts
    }  # fmt: skip
    others: dict[str, list[_Chosen]] = {}  # accounts that do not stand, by the one that does
    for stream, row in chosen.items():
        stands = standing.get(stream) or _by_number(ledger, place, row)
        if stands != stream:
            others.setdefault(stands, []).append(row)
    table = Table(of_tables(books), unread)
    for sat in table.sittings(told):
        if not chosen:
            break
        found = chosen.pop(sat.hand.hand, None)
        if found is not None:
            yield next(played(ledger, [found])), sat
        for row in sorted(others.pop(sat.hand.hand, ()), key=_account):
            del chosen[row.stream.hex]
            hand = next(played(ledger, [row]))
            yield hand, sat.other(remembered(hand.final, row.stream.hex))
    for row in sorted(chosen.values(), key=_account):
        yield next(played(ledger, [row])), None


def _by_number(ledger: Ledger, place: Place, row: _Chosen) -> str:
    """Return the account that stands for one of which the table was never told, "" if there is none."""
    rows = ledger.hands(**place._asdict(), number=row.number, standing=True)
    return next((one.stream.hex for one in rows if one.stream != row.stream), "")


def _account(row: _Chosen) -> tuple[str, int]:
    return row.number, row.account
