"""Which kept findings count: those under the books that were asked for, or under the house's where each was in force."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from sqlalchemy import ColumnElement, and_, false, or_, select, text, tuple_

from ledger.store.accounts import Place
from projections.audit.house_audit import House, Spell, any_in
from projections.books.rulebook import BUILT_IN
from projections.findings.finding import NOT_JUDGED, NOT_JUDGED_MARK
from projections.tables.clause_tallies import hands_lacking
from projections.tables.kept_findings import judged_tables, kept_findings
from projections.tables.kept_results import hand_results

if TYPE_CHECKING:
    from ledger.store import Ledger
    from projections.books.rulebook import Rulebook
    from projections.tables.lending import Keeping

Condition: TypeAlias = ColumnElement[bool]
_Spells: TypeAlias = tuple[Spell, ...]


def named(judgements: Sequence[int]) -> Condition:
    """Return which findings are under some books, by the numbers of their judgements.

    Every judgement has the findings of `record`: those of the first are counted.
    """
    first, *others = judgements or [0]
    if not others:
        return kept_findings.c.judgement == first
    again = kept_findings.c.judgement.in_(others) & (kept_findings.c.book != BUILT_IN)
    return or_(kept_findings.c.judgement == first, again)


def overlong_hands(keeping: Keeping, judgements: Sequence[int]) -> dict[Place, int]:
    """Return how many hands of each table have more events or players than are judged; tables without one are left out."""
    columns = judged_tables.c
    rows = select(columns.venue, columns.tournament, columns.name, columns.result)
    found: dict[Place, int] = {}
    with keeping.core() as connection:
        has_fact = text(_HAS_FACT[connection.dialect.name == "sqlite"]).bindparams(fact=NOT_JUDGED_MARK.encode("ascii"))
        for *names, frame in connection.execute(rows.where(columns.judgement.in_(judgements), has_fact)):
            place = Place(*names)
            found[place] = max(found.get(place, 0), hands_lacking(NOT_JUDGED, bytes(frame)))
    return {place: hands for place, hands in found.items() if hands}


_HAS_FACT: Final = "position(:fact in result) > 0", "instr(result, :fact) > 0"
"""Whether the bytes of a result name a fact, in PostgreSQL and in SQLite."""


def of_house(ledger: Ledger, books: Sequence[Rulebook], judgements: Sequence[int]) -> Condition:
    """Return which findings are those of the book that was in force at the table when the hand began.

    Of a hand without a time they are those of every book that may have been; of one for which the house had adopted
    none, whether its record agrees with itself. `books` are those of `judging_books`, each with the
    number of its judgement; results of hands lie beside their findings.
    """
    if not any_in(ledger):
        return named(judgements)
    house = House(ledger)
    numbers = {book.digest: number for book, number in zip(books, judgements, strict=True)}
    tables: defaultdict[_Spells, list[tuple[str, str]]] = defaultdict(list)
    for venue, table in house.places():
        tables[house.spells(venue, table)].append((venue, table))
    if len(tables) == 1:
        return _of_spells(next(iter(tables)), numbers)
    most = max(tables, key=lambda spells: len(tables[spells]), default=())
    rest = [place for spells, some in tables.items() if spells is not most for place in some]
    where = tuple_(kept_findings.c.venue, kept_findings.c.name)
    return or_(
        false(),
        and_(where.not_in(rest), _of_spells(most, numbers)),
        *(and_(where.in_(some), _of_spells(one, numbers)) for one, some in tables.items() if one is not most),
    )


def _of_spells(spells: _Spells, numbers: dict[str, int]) -> Condition:
    """Return what counts in the course of some spells; every judgement says whether a record agrees with itself."""
    if len(spells) == 1:
        return _under(spells[0], numbers)
    untold = [one for one in spells if one.untold]
    once = [_of_spell(one, numbers) & (kept_findings.c.book != BUILT_IN) for one in untold[1:]]
    return or_(false(), *once, *(_of_spell(one, numbers) for one in spells if one not in untold[1:]))


def _under(one: Spell, numbers: dict[str, int]) -> Condition:
    """Return what is found under the book of a spell, whenever; without a book, whether records agree with themselves."""
    if one.digest:
        return kept_findings.c.judgement == numbers.get(one.digest, 0)
    return (kept_findings.c.judgement == next(iter(numbers.values()), 0)) & (kept_findings.c.book == BUILT_IN)


def _of_spell(one: Spell, numbers: dict[str, int]) -> Condition:
    at = hand_results.alias()
    started = at.c.started
    bounds = [] if one.since is None else [started >= one.since]
    bounds += [] if one.until is None else [started < one.until]
    when = started.is_(None) if one.untold else and_(started.is_not(None), *bounds)
    of_hand = select(at.c.position).where(at.c.position == kept_findings.c.position, when)
    return and_(_under(one, numbers), of_hand.correlate(kept_findings).exists())


__all__ = ["Condition", "named", "of_house"]
