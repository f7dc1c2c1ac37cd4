"""Judgement that is kept: what a book finds at each table, made once and brought up to the end of the log.

A table is judged again from its beginning when anything of its past changed: a late hand, a correction,
another account, a line that was read after all. Where hands only came behind the last one, it is walked and
only they are judged. What is kept is what a judgement from the beginning would give, to the byte.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.store.accounts import Place
from ledger.store.accounts import told as told_to
from ledger.table.order import in_order
from projections.audit import Audit
from projections.rulebook import BUILT_IN
from projections.tables.judgement import Base, Found, Judgement, Walk
from projections.tables.owing import owing
from projections.walk.hands import seated
from projections.walk.spoiled import spoiled

if TYPE_CHECKING:
    from ledger.store import Ledger
    from projections.doubts import Spoiled
    from projections.table_context import Table

_AT_ONCE: Final = 2_000
"""Hands whose findings are kept in one transaction, or those of one table."""


class _Late(NamedTuple):
    """A table that is behind the log: its accounts of hands, and the judgements that are."""

    accounts: int
    judgements: list[Judgement]


class _Judged(NamedTuple):
    """What was found at a table and is not kept yet."""

    judgement: Judgement
    walk: Walk
    base: Base
    found: Found


def current(judgements: Sequence[Judgement], only: Collection[Place] | None = None) -> list[int]:
    """Judge what is new, table by table, or at these; return the numbers of the judgements.

    Nothing is judged twice, and what several books ask of one hand is worked out once.
    """
    late = [one for one in judgements if not one.at_end()]
    if late:
        ledger, unread = late[0].ledger, by_place(late[0].ledger, spoiled(late[0].ledger))
        head = late[0].head()
        wanted: dict[Place, _Late] = {}
        for one in late:
            for place, accounts in one.to_judge(head, unread):
                if only is None or place in only:
                    wanted.setdefault(place, _Late(accounts, [])).judgements.append(one)
        while wanted:
            wanted = _brought_up(ledger, wanted, unread, head)
        if only is None:
            for one in late:
                one.reached(head)
    return [one.number for one in judgements]


def _brought_up(
    ledger: Ledger, wanted: dict[Place, _Late], unread: Mapping[Place, dict[str, Spoiled]], head: int
) -> dict[Place, _Late]:
    """Judge tables; return those that another process judged meanwhile: what it made is where this one goes on."""
    left: dict[Place, _Late] = {}
    waiting: list[_Judged] = []
    hands = 0
    for place in sorted(wanted):
        accounts, judgements = wanted[place]
        rows, told = list(ledger.hands(**place._asdict(), standing=True)), told_to(ledger, place)
        walk = Walk(place, accounts, rows, told, [one.version for one in in_order(told)], unread.get(place, {}))
        waiting += _judged(walk, judgements)
        hands += len(rows)
        if hands >= _AT_ONCE:
            _keep(waiting, head, left)
            waiting, hands = [], 0
    _keep(waiting, head, left)
    return left


def _keep(waiting: Sequence[_Judged], head: int, left: dict[Place, _Late]) -> None:
    """Keep what was found, in one transaction; note what another process judged meanwhile."""
    if not waiting:
        return
    with waiting[0].judgement.keeping.core(write=True) as connection:
        for one in waiting:
            if not one.judgement.keep(connection, one.walk, one.base, one.found, head):
                left.setdefault(one.walk.place, _Late(one.walk.accounts, [])).judgements.append(one.judgement)


def _judged(walk: Walk, judgements: Sequence[Judgement]) -> Iterator[_Judged]:
    """Judge a table under some books, those together that judge the same hands of it."""
    groups: list[list[tuple[Judgement, Base]]] = []
    for one in judgements:
        base = one.base(walk)
        for some in groups:
            alike = len(some[0][1].wanted) == len(base.wanted)
            if alike and all(other.book.name != one.book.name for other, _ in some):
                some.append((one, base))
                break
        else:
            groups.append([(one, base)])
    for some in groups:
        yield from _walked(walk, some)


def _walked(walk: Walk, some: Sequence[tuple[Judgement, Base]]) -> Iterator[_Judged]:
    """Walk a table once for books that judge the same hands of it."""
    books = [one.book for one, _ in some]
    running = Audit(books, long=True, compared=False)
    due: dict[str, bytes] = {}
    ledger, wanted = some[0][0].ledger, [(walk.place, some[0][1].wanted)]
    ends = partial(_note_owing, due)
    for hand, contexts in seated(ledger, wanted, books, walk.unread, lambda *_: walk.told, ends):
        running.add(hand, contexts)
    whole = running.result()
    for one, base in some:
        result = whole if len(some) == 1 else whole.under({BUILT_IN, one.book.name})
        yield _Judged(one, walk, base, Found(result, due.get(one.book.name)))


def _note_owing(due: dict[str, bytes], table: Table) -> None:
    due.update(owing(table))


def by_place(ledger: Ledger, unread: Mapping[str, Spoiled]) -> dict[Place, dict[str, Spoiled]]:
    """Return what was not read of hands, table by table."""
    found: dict[Place, dict[str, Spoiled]] = {}
    for stream, what in unread.items():
        row = next(ledger.hands(beginning=stream), None)
        if row is not None:
            found.setdefault(Place(row.venue, row.tournament, row.table), {})[stream] = what
    return found
