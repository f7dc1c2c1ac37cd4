"""One table judged under the books whose judgement of it is behind the log; here, or in another process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from ledger.errors import StoreError
from ledger.hand.opening import HandOpened
from ledger.processes import pool
from ledger.store import open as open_ledger
from ledger.store.accounts import Place
from ledger.store.table_streams import Stream
from ledger.store.table_streams import told as told_to
from ledger.table.order import in_order
from ledger.table.plain import InPlace
from projections.audit.auditor import Audit
from projections.table_walk.checkpoint import resting
from projections.table_walk.stored_hands import going_on, seated, standing_at
from projections.table_walk.table_dues import owing
from projections.tables import kept_checkpoints
from projections.tables.code import code_digest, same_code
from projections.tables.judgement import Base, Found, Judgement, OnTheWay, Rested, Walk
from projections.tables.kept_checkpoints import awake, in_that_order
from projections.tables.kept_dues import encoded

if TYPE_CHECKING:
    from ledger.replay import PlayedHand
    from ledger.store import Ledger
    from projections.books.rulebook import Rulebook
    from projections.findings.doubts import Spoiled
    from projections.table_walk.table_context import Table, TableContexts


class Late(NamedTuple):
    """A table that is behind the log: its accounts of hands, what was not read of them, the judgements that are late."""

    accounts: int
    unread: dict[str, Spoiled]
    judgements: list[Judgement]
    whole: bool  # something of what was there changed


class Judged(NamedTuple):
    """What was found at a table and is not kept yet."""

    judgement: Judgement
    walk: Walk
    base: Base
    found: Found


_LARGE: Final = 128 * 1024
"""Bytes of a walk of which one is kept each so many hands; of larger ones each second, fourth, and so on."""


class Audits:
    """The audits of the tables of a ledger: what hands have in common is worked out once for all of them."""

    def __init__(self) -> None:
        """Begin where nothing was judged."""
        self._of: dict[tuple[str, ...], Audit] = {}

    def under(self, books: Sequence[Rulebook]) -> Audit:
        """Return an audit of a table's hands under some books."""
        key = tuple([one.digest for one in books])
        if key not in self._of:
            self._of[key] = Audit(books, long=True, compared=False)
        return self._of[key].again()


def at_table(ledger: Ledger, place: Place, late: Late, audits: Audits) -> Iterator[Judged]:
    """Judge a table as it is now: from where its walk rests if only hands came behind it, else from its beginning."""
    whole = list(late.judgements)
    if not late.whole and late.accounts >= kept_checkpoints.LONG:
        for some in _rested(place, late):
            going = _going_on(ledger, place, late, some, audits)
            if going is not None:
                yield from going
                whole = [one for one in whole if all(one is not other for other, _ in some)]
    if whole:
        rows, told = standing_at(ledger, place), told_to(ledger, place)
        read, order = _order(told)
        yield from _judged(Walk(place, late.accounts, rows, order, late.unread), told, read, whole, audits)


def _order(told: Stream) -> tuple[InPlace, Sequence[int]]:
    """Return the reading of a table's stream, with which it can go on, and the versions of its events in its order."""
    read = told.in_place()
    if read.whole:
        return read, range(1, read.version + 1)
    arranged = [*in_order(told)]
    return InPlace.arranged(told, arranged), [one.version for one in arranged]


_Resting: TypeAlias = "list[tuple[Judgement, Rested]]"


def _rested(place: Place, late: Late) -> list[_Resting]:
    """Return where the walks of a table rest, those together that rest at the same place."""
    groups: dict[tuple[int, int], _Resting] = {}
    for one in late.judgements:
        rested = one.rested(place, late.unread)
        if rested is not None:
            books = [other.book.name for some in groups.values() for other, _ in some]
            groups.setdefault((rested.rest.version, books.count(one.book.name)), []).append((one, rested))
    return list(groups.values())


def _going_on(ledger: Ledger, place: Place, late: Late, some: _Resting, audits: Audits) -> Iterator[Judged] | None:
    """Judge what came in behind a walk at rest; None if it cannot go on from there."""
    books = [one.book for one, _ in some]
    going = awake(ledger, place, late.accounts, books, [rested.rest for _, rested in some], late.unread)
    if going is None:
        return None
    table, read, told, came = going
    before = in_that_order((some[0][1].base.before or {})["order"])
    if before is None:
        return None
    plain = isinstance(before, range)
    order = range(1, read.version + 1) if plain else [*before, *(one.version for one in told)]
    walk = Walk(place, late.accounts, came, order, late.unread)
    ends = _Ends(walk, read, books)
    running = audits.under(books)
    for hands, (hand, contexts) in enumerate(going_on(ledger, came, told, table), read.hands - len(came)):
        ends.passed(hands, contexts)
        _judge(running, hand, contexts)
    ends.take(table)
    return _of_each(running, walk, [(one, rested.base._replace(wanted=came)) for one, rested in some], ends)


class _Ends:
    """What is taken from a table that is walked to its end, and on the way."""

    def __init__(self, walk: Walk, read: InPlace, books: Sequence[Rulebook]) -> None:
        """Take the walk, what was read of its order, and the books under which it is made."""
        self._long = walk.accounts >= kept_checkpoints.LONG
        self._read = read
        self._books = [book.name for book in books]
        self.due: dict[str, bytes] = {}
        self.rests: dict[str, bytes | None] = {}
        self.on_the_way: dict[str, list[OnTheWay]] = {name: [] for name in self._books}

    def passed(self, hands: int, contexts: TableContexts | None) -> None:
        """Take what is remembered of the table before a hand, `hands` of it behind, now and then."""
        if contexts is None or not self._long or not self._read.whole or not hands or hands % kept_checkpoints.LONG:
            return
        for name, kept in self.on_the_way.items():
            walk = resting(contexts.table, name, None)
            if walk is not None and hands // kept_checkpoints.LONG % (1 << (len(walk) // _LARGE).bit_length()) == 0:
                stream, broken = bytes.fromhex(contexts.hand.hand), len(contexts.table.broken)
                kept.append(OnTheWay(hands, stream, contexts.version - 1, broken, walk))

    def take(self, table: Table) -> None:
        """Take what is remembered of it, and what is due next."""
        if self._long:
            self.rests = {name: resting(table, name, self._read) for name in self._books}
        self.due = {name: encoded(one) for name, one in owing(table).items()}


def _judged(
    walk: Walk, told: Stream, read: InPlace, judgements: Sequence[Judgement], audits: Audits
) -> Iterator[Judged]:
    """Judge a table under some books, those together that judge the same hands of it."""
    groups: list[list[tuple[Judgement, Base]]] = []
    for one in judgements:
        base = one.base(walk, told)
        for some in groups:
            alike = len(some[0][1].wanted) == len(base.wanted)
            if alike and all(other.book.name != one.book.name for other, _ in some):
                some.append((one, base))
                break
        else:
            groups.append([(one, base)])
    for some in groups:
        yield from _walked(walk, told, read, some, audits)


on_hand: Callable[[str], None] | None = None
"""Told of each hand before it is judged, where somebody wants to know."""


def _judge(running: Audit, hand: PlayedHand, contexts: TableContexts | None) -> None:
    if on_hand is not None:
        opened = hand.recorded_events[0]
        on_hand(f"{opened.table}, hand {opened.number}" if isinstance(opened, HandOpened) else "")
    running.add(hand, contexts)


def _walked(
    walk: Walk, told: Stream, read: InPlace, some: Sequence[tuple[Judgement, Base]], audits: Audits
) -> Iterator[Judged]:
    """Walk a table once for books that judge the same hands of it."""
    books = [one.book for one, _ in some]
    running = audits.under(books)
    ends = _Ends(walk, read, books)
    ledger, wanted = some[0][0].ledger, [(walk.place, some[0][1].wanted)]
    judged = seated(ledger, wanted, books, walk.unread, lambda *_: told, ends.take)
    for hands, (hand, contexts) in enumerate(judged, len(walk.rows) - len(some[0][1].wanted)):
        ends.passed(hands, contexts)
        _judge(running, hand, contexts)
    yield from _of_each(running, walk, some, ends)


def _of_each(running: Audit, walk: Walk, some: Sequence[tuple[Judgement, Base]], ends: _Ends) -> Iterator[Judged]:
    """Yield what was found under each of the books that judged together."""
    whole = running.result()
    for one, base in some:
        result = whole if len(some) == 1 else whole.under_book(one.book.name)
        name = one.book.name
        found = Found(result, ends.due.get(name), ends.rests.get(name), ends.on_the_way[name])
        yield Judged(one, walk, base, found)


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
    audits: Audits


_child: Final = _Child()


def in_processes(wanted: Mapping[Place, Late], jobs: int) -> Iterator[list[Judged]]:
    """Judge tables in processes, those with the most hands first; yield them as they are done."""
    judgements = list(dict.fromkeys(one for late in wanted.values() for one in late.judgements))
    at = {one: number for number, one in enumerate(judgements)}
    ledger = judgements[0].ledger
    given = (ledger.database.address.whole, ledger.upto, [one.book for one in judgements])
    code = code_digest()
    work = [
        (place, late._replace(judgements=[]), [at[one] for one in late.judgements], code)
        for place, late in sorted(wanted.items(), key=lambda one: (-one[1].accounts, one[0]))
    ]
    with pool(min(jobs, len(work)), [__name__], _begin, given) as processes:
        try:
            for some in processes.map(_work, work):
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
    _child.audits = Audits()


def _work(given: tuple[Place, Late, list[int], str]) -> list[_Sent]:
    """Judge a table in a process; what comes back is as light as it can be."""
    place, late, which, code = given
    same_code(code)
    late = late._replace(judgements=[_child.judgements[at] for at in which])
    sent = []
    for one in at_table(_child.ledger, place, late, _child.audits):
        result = one.found.result
        result.findings = list(result.findings)
        result.differences = []
        named = {found.hand.stream for found in result.findings}
        named |= {passed.stream.hex() for passed in one.found.on_the_way}
        rows = [row for row in one.walk.rows if row.id.hex() in named]
        walk = one.walk._replace(rows=rows)
        found = one.found._replace(result=result)
        sent.append(_Sent(_child.judgements.index(one.judgement), walk, one.base._replace(wanted=[]), found))
    return sent
