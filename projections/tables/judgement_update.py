"""Judgement that is kept: what a book finds at each table, made once and brought up to the end of the log.

A table is judged again from its beginning when anything of its past changed: a late hand, a correction,
another account, a line that was read after all. Where hands only came behind the last one, it is walked and
only they are judged. What is kept is what a judgement from the beginning would give, to the byte.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from ledger.store.accounts import Place
from projections.table_walk.unread_lines import by_place, spoiled
from projections.tables.judgement import Judgement, Rows, keep_rows
from projections.tables.table_judge import Audits, Judged, Late, at_table, in_processes, shared

if TYPE_CHECKING:
    from ledger.store import Ledger

Progress: TypeAlias = "Callable[[int, int], None]"

_AT_ONCE: Final = 2_000
"""Hands whose findings are kept in one transaction, or those of one table."""


def current(
    judgements: Sequence[Judgement],
    only: Collection[Place] | None = None,
    *,
    jobs: int = 1,
    progress: Progress | None = None,
) -> list[int]:
    """Judge what is new, table by table, or at these; return the numbers of the judgements.

    Nothing is judged twice, and what several books ask of one hand is worked out once. `jobs`: in so many
    processes, each of which takes a table at a time; what is kept is the same. `progress` is told of how many
    hands of the tables that are to be judged it is done with, and how many there are.
    """
    late = [one for one in judgements if not one.at_end()]
    if late:
        ledger, unread = late[0].ledger, by_place(late[0].ledger, spoiled(late[0].ledger))
        head = late[0].head()
        wanted: dict[Place, Late] = {}
        for one in late:
            for table in one.to_judge(head, unread):
                place = table.place
                if only is None or place in only:
                    behind = wanted.get(place) or Late(table.accounts, unread.get(place, {}), [], whole=False)
                    behind.judgements.append(one)
                    wanted[place] = behind._replace(whole=behind.whole or table.whole)
        while wanted:
            in_several = jobs > 1 and len(wanted) > 1 and shared(late)
            made = in_processes(wanted, jobs) if in_several else _in_turn(ledger, wanted)
            wanted = _brought_up(_counted(made, wanted, progress) if progress else made, head)
        if only is None:
            for one in late:
                one.reached(head)
    return [one.number for one in judgements]


def _counted(made: Iterator[list[Judged]], wanted: Mapping[Place, Late], progress: Progress) -> Iterator[list[Judged]]:
    """Yield what was found at each table, and say how far it is."""
    hands, whole = 0, sum(late.accounts for late in wanted.values())
    progress(0, whole)
    for some in made:
        hands += max((one.walk.accounts for one in some), default=0)
        progress(hands, whole)
        yield some


def _in_turn(ledger: Ledger, wanted: Mapping[Place, Late]) -> Iterator[list[Judged]]:
    """Judge tables one after the other."""
    audits = Audits()
    for place in sorted(wanted):
        yield [*at_table(ledger, place, wanted[place], audits)]


def _brought_up(made: Iterator[list[Judged]], head: int) -> dict[Place, Late]:
    """Keep what was found at tables; return those that somebody else judged meanwhile: there it goes on."""
    left: dict[Place, Late] = {}
    waiting: list[Judged] = []
    hands = 0
    for some in made:
        waiting += some
        hands += max((one.walk.accounts for one in some), default=0)
        if hands >= _AT_ONCE:
            _keep(waiting, head, left)
            waiting, hands = [], 0
    _keep(waiting, head, left)
    return left


def _keep(waiting: Sequence[Judged], head: int, left: dict[Place, Late]) -> None:
    """Keep what was found, in one transaction; note what another process judged meanwhile."""
    if not waiting:
        return
    rows: Rows = defaultdict(list)
    with waiting[0].judgement.keeping.core(write=True) as connection:
        for one in waiting:
            if not one.judgement.keep(connection, one.walk, one.base, one.found, head, rows):
                late = left.setdefault(one.walk.place, Late(one.walk.accounts, one.walk.unread, [], whole=True))
                late.judgements.append(one.judgement)
        keep_rows(connection, rows)
