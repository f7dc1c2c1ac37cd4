"""Which kept findings count: those under chosen books, or under the house's books where each was in force."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from sqlalchemy import ColumnElement, and_, false, or_, select, text, tuple_

from ledger.store.hands.hand_accounts import TableKey
from projections.audit.house_audit import AdoptionPeriod, House, has_adopted_books
from projections.books.rulebook import BUILT_IN
from projections.findings.finding import NOT_JUDGED, NOT_JUDGED_MARK
from projections.tables.clause_tallies import count_hands_lacking
from projections.tables.kept_findings import judged_tables, kept_findings
from projections.tables.kept_results import hand_results

if TYPE_CHECKING:
    from ledger.store import Ledger
    from projections.books.rulebook import Rulebook
    from projections.tables.lending import TableStore

Condition: TypeAlias = ColumnElement[bool]
_Spells: TypeAlias = tuple[AdoptionPeriod, ...]


def under_judgements(judgements: Sequence[int]) -> Condition:
    """Return the condition for findings of these judgements, given by number.

    Every judgement contains the findings of `record`: only the first judgement's count.
    """
    first_number, *other_numbers = judgements or [0]
    if not other_numbers:
        return kept_findings.c.judgement == first_number
    book_findings = kept_findings.c.judgement.in_(other_numbers) & (kept_findings.c.book != BUILT_IN)
    return or_(kept_findings.c.judgement == first_number, book_findings)


def count_overlong_hands(table_store: TableStore, judgements: Sequence[int]) -> dict[TableKey, int]:
    """Count the hands of each table that are too long to judge; omit tables without one."""
    columns = judged_tables.c
    rows = select(columns.venue, columns.tournament, columns.name, columns.result)
    hand_counts: dict[TableKey, int] = {}
    with table_store.core() as connection:
        has_fact = text(_HAS_FACT[connection.dialect.name == "sqlite"]).bindparams(fact=NOT_JUDGED_MARK.encode("ascii"))
        for *names, frame in connection.execute(rows.where(columns.judgement.in_(judgements), has_fact)):
            place = TableKey(*names)
            hand_counts[place] = max(hand_counts.get(place, 0), count_hands_lacking(NOT_JUDGED, bytes(frame)))
    return {place: hands for place, hands in hand_counts.items() if hands}


_HAS_FACT: Final = "position(:fact in result) > 0", "instr(result, :fact) > 0"
"""Whether a result's bytes contain a fact, in PostgreSQL and in SQLite."""


def under_house_books(ledger: Ledger, books: Sequence[Rulebook], judgements: Sequence[int]) -> Condition:
    """Return the condition for findings under the book in force at the table when the hand began.

    A hand without a time counts under every book that may have been in force. A hand under no adopted book
    counts only the findings of `record`. `books` come from `judging_books`, in the order of `judgements`.
    The results of hands must be in the same database.
    """
    if not has_adopted_books(ledger):
        return under_judgements(judgements)
    house = House(ledger)
    numbers = {book.digest: number for book, number in zip(books, judgements, strict=True)}
    tables: defaultdict[_Spells, list[tuple[str, str]]] = defaultdict(list)
    for venue, table in house.list_places():
        tables[house.list_periods(venue, table)].append((venue, table))
    if len(tables) == 1:
        return _during_spells(next(iter(tables)), numbers)
    main_spells = max(tables, key=lambda spells: len(tables[spells]), default=())
    other_tables = [
        place for spells, spell_tables in tables.items() if spells is not main_spells for place in spell_tables
    ]
    table_columns = tuple_(kept_findings.c.venue, kept_findings.c.name)
    return or_(
        false(),
        and_(table_columns.not_in(other_tables), _during_spells(main_spells, numbers)),
        *(
            and_(table_columns.in_(spell_tables), _during_spells(table_spells, numbers))
            for table_spells, spell_tables in tables.items()
            if table_spells is not main_spells
        ),
    )


def _during_spells(spells: _Spells, numbers: dict[str, int]) -> Condition:
    """Return the condition for findings during these spells. Findings of `record` count once."""
    if len(spells) == 1:
        return _under_spell_book(spells[0], numbers)
    untimed_spells = [spell for spell in spells if spell.is_undated]
    untimed_conditions = [
        _during_spell(spell, numbers) & (kept_findings.c.book != BUILT_IN) for spell in untimed_spells[1:]
    ]
    return or_(
        false(),
        *untimed_conditions,
        *(_during_spell(spell, numbers) for spell in spells if spell not in untimed_spells[1:]),
    )


def _under_spell_book(spell: AdoptionPeriod, numbers: dict[str, int]) -> Condition:
    """Return the condition for findings under a spell's book at any time; without a book, those of `record`."""
    if spell.digest:
        return kept_findings.c.judgement == numbers.get(spell.digest, 0)
    return (kept_findings.c.judgement == next(iter(numbers.values()), 0)) & (kept_findings.c.book == BUILT_IN)


def _during_spell(spell: AdoptionPeriod, numbers: dict[str, int]) -> Condition:
    spell_hands = hand_results.alias()
    started = spell_hands.c.started
    bounds = [] if spell.start is None else [started >= spell.start]
    bounds += [] if spell.end is None else [started < spell.end]
    time_condition = started.is_(None) if spell.is_undated else and_(started.is_not(None), *bounds)
    matching_hands = select(spell_hands.c.position).where(
        spell_hands.c.position == kept_findings.c.position, time_condition
    )
    return and_(_under_spell_book(spell, numbers), matching_hands.correlate(kept_findings).exists())


__all__ = ["Condition", "under_house_books", "under_judgements"]
