"""One table judged under the books whose judgement of it is behind the log; here, or in another process."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.errors import StoreError
from ledger.store import open as open_ledger
from ledger.store.accounts import Place
from ledger.store.accounts import told as told_to
from ledger.table.order import in_order
from projections.audit import Audit
from projections.rulebook import BUILT_IN
from projections.tables.judgement import Base, Found, Judgement, Walk
from projections.tables.owing import owing
from projections.walk.hands import seated

if TYPE_CHECKING:
    from ledger.store import Ledger
    from projections.doubts import Spoiled
    from projections.rulebook import Rulebook
    from projections.table_context import Table


class Late(NamedTuple):
    """A table that is behind the log: its accounts of hands, what was not read of them, the judgements that are late."""

    accounts: int
    unread: dict[str, Spoiled]
    judgements: list[Judgement]


class Judged(NamedTuple):
    """What was found at a table and is not kept yet."""

    judgement: Judgement
    walk: Walk
    base: Base
    found: Found


def at_table(ledger: Ledger, place: Place, late: Late) -> Iterator[Judged]:
    """Judge a table as it is now."""
    rows, told = list(ledger.hands(**place._asdict(), standing=True)), told_to(ledger, place)
    walk = Walk(place, late.accounts, rows, told, [one.version for one in in_order(told)], late.unread)
    return _judged(walk, late.judgements)


def _judged(walk: Walk, judgements: Sequence[Judgement]) -> Iterator[Judged]:
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


def _walked(walk: Walk, some: Sequence[tuple[Judgement, Base]]) -> Iterator[Judged]:
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
        yield Judged(one, walk, base, Found(result, due.get(one.book.name)))


def _note_owing(due: dict[str, bytes], table: Table) -> None:
    due.update(owing(table))


def shared(judgements: Sequence[Judgement]) -> bool:
    """Whether other processes can read what these judgements rest on: not what lies in memory or beside the ledger."""
    return all(one.keeping is one.ledger.database and one.ledger.database.lasting for one in judgements)


class _Sent(NamedTuple):
    """What a process sends back of a table under one book."""

    at: int  # of the judgement
    walk: Walk
    base: Base
    found: Found


class _Child:
    """What a process that judges has open."""

    ledger: Ledger
    judgements: list[Judgement]


_child: Final = _Child()


def in_processes(wanted: Mapping[Place, Late], jobs: int) -> Iterator[list[Judged]]:
    """Judge tables in processes, those with the most hands first; yield them as they are done."""
    judgements = list(dict.fromkeys(one for late in wanted.values() for one in late.judgements))
    at = {one: number for number, one in enumerate(judgements)}
    ledger = judgements[0].ledger
    given = (ledger.database.url.render_as_string(hide_password=False), ledger.upto, [one.book for one in judgements])
    work = [
        (place, late.accounts, late.unread, [at[one] for one in late.judgements])
        for place, late in sorted(wanted.items(), key=lambda one: (-one[1].accounts, one[0]))
    ]
    context = multiprocessing.get_context("spawn")  # not forked: a connection must not be had twice
    with ProcessPoolExecutor(min(jobs, len(work)), context, initializer=_begin, initargs=given) as pool:
        try:
            for some in pool.map(_work, work):
                yield [Judged(judgements[one.at], one.walk, one.base, one.found) for one in some]
        except BrokenProcessPool:
            raise StoreError(
                "a process that was judging ended before it was done",
                "Ask again: it goes on where it stopped. With --jobs 1 it needs less memory.",
            ) from None


def _begin(url: str, upto: int | None, books: list[Rulebook]) -> None:
    ledger = _child.ledger = open_ledger(url, create=False, read_only=True)
    ledger.upto = upto
    _child.judgements = [Judgement(ledger, book, ledger.database) for book in books]


def _work(given: tuple[Place, int, dict[str, Spoiled], list[int]]) -> list[_Sent]:
    """Judge a table in a process; what comes back is as light as it can be."""
    place, accounts, unread, which = given
    late = Late(accounts, unread, [_child.judgements[at] for at in which])
    sent = []
    for one in at_table(_child.ledger, place, late):
        result = one.found.result
        result.findings = list(result.findings)
        result.differences = []
        named = {found.hand.stream for found in result.findings}
        rows = [row for row in one.walk.rows if row.stream.hex in named]
        walk = one.walk._replace(rows=rows, told=())
        found = one.found._replace(result=result)
        sent.append(_Sent(_child.judgements.index(one.judgement), walk, one.base._replace(wanted=[]), found))
    return sent
