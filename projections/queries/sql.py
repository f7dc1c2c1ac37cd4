"""A query as a condition of the database over `hand_results`, `seat_results` and `kept_findings`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from math import ceil, floor
from typing import Final, Protocol

from sqlalchemy import ColumnElement, Select, Table, and_, case, false, func, not_, or_, select, true

from ledger.errors import HandledgerError
from ledger.hand.variants import VARIANTS
from projections.addresses.room_days import Bound, parse_bound
from projections.queries.fields import CARD, FIELDS, FLAGS, GAMES, NOTES, WORDS, Field, Level
from projections.queries.query_checks import saved_query_error
from projections.queries.query_grammar import And, Not, Or, Query, QueryWord, Term, query_error
from projections.queries.text_condition import match_finding_text
from projections.tables.kept_findings import kept_findings
from projections.tables.kept_results import hand_results, seat_results
from projections.tables.sittings import hand_dealers

Condition = ColumnElement[bool]
_TABLES: Final[dict[Level, Table]] = {"hand": hand_results, "seat": seat_results, "finding": kept_findings}
_EXPONENTS: Final = range(10)
_MAX_AMOUNT: Final = 2**63 - 1
"""The greatest integer that a database stores; every recorded amount is smaller."""


class NameResolver(Protocol):
    """Resolves names in a query that only the ledger knows."""

    def people(self, name: str) -> Iterable[str]:
        """Return the ids of the people with this name; raise if there are none."""
        ...

    def sources(self, name: str) -> Iterable[str]:
        """Return the SHA-256 of the files with this name; raise if there are none."""
        ...

    def hands(self, address: str) -> Iterable[int]:
        """Return the positions of the hands at an address; raise if there are none."""
        ...


class Compiler:
    """Compiles one query to SQL conditions. `counted_findings` selects among the kept findings."""

    def __init__(
        self, text: str, names: NameResolver, *, day_start: int, counted_findings: Condition | None = None
    ) -> None:
        """Take the text for errors, the resolver of names, and the start of a gaming day in milliseconds."""
        self._text = text
        self._names = names
        self._day_start = day_start
        self._counted_findings = false() if counted_findings is None else counted_findings

    def statement(self, query: Query) -> Select[tuple[int]]:
        """Return the statement that selects the positions of matching hands."""
        return select(hand_results.c.position).where(self.condition(query))

    def condition(self, query: Query) -> Condition:
        """Return the condition on a row of `hand_results`."""
        if isinstance(query, Or):
            return or_(*map(self.condition, query.operands))
        if isinstance(query, Not) and level_of(query.operand) in ("hand", None):
            return not_(self.condition(query.operand))
        return self._join_conditions(query.operands if isinstance(query, And) else (query,))

    def row_condition(self, level: Level, query: Query) -> Condition | None:
        """Return the condition on one seat or one finding; None = any."""
        conditions = [self._build_condition(operand) for operand in _conjuncts(query) if level_of(operand) == level]
        return and_(*conditions) if conditions else None

    def population(self, query: Query) -> Condition:
        """Return the condition on hands without the terms about findings."""
        return self._join_conditions([operand for operand in _conjuncts(query) if level_of(operand) != "finding"])

    def hands_with_seats(self, query: Query) -> Condition:
        """Return the condition on hands whose seats count. Negated seat terms alone exclude seats, not hands."""
        seatless_terms = [operand for operand in _conjuncts(query) if level_of(operand) != "seat"]
        names_seat = any(level_of(operand) == "seat" and not isinstance(operand, Not) for operand in _conjuncts(query))
        return self.condition(query) if names_seat else self._join_conditions(seatless_terms)

    def _join_conditions(self, operands: Sequence[Query]) -> Condition:
        """Join conditions: all seat terms on the same seat, all finding terms on the same finding."""
        rows: dict[Level, list[Query]] = {"seat": [], "finding": []}
        negations: dict[Level, list[Query]] = {"seat": [], "finding": []}
        conditions: list[Condition] = []
        for operand in operands:
            level = level_of(operand)
            if level == "hand":
                conditions.append(self._build_condition(operand))
            elif level is None:
                conditions.append(self._mixed_condition(operand))
            else:
                (negations if isinstance(operand, Not) else rows)[level].append(operand)
        row_levels: tuple[Level, Level] = "seat", "finding"
        bound_levels: list[Level] = [level for level in row_levels if rows[level]]
        if bound_levels:
            row_operands = [operand for level in bound_levels for operand in (*rows[level], *negations[level])]
            conditions.append(self._exists_condition(bound_levels, and_(*map(self._build_condition, row_operands))))
        for row_level in row_levels:
            if not rows[row_level]:
                conditions += self._absence_conditions(row_level, negations[row_level])
        return and_(*conditions) if conditions else true()

    def _mixed_condition(self, operand: Query) -> Condition:
        """Return the condition of terms about different levels."""
        return not_(self.condition(operand.operand)) if isinstance(operand, Not) else self.condition(operand)

    def _absence_conditions(self, level: Level, negations: Sequence[Query]) -> list[Condition]:
        """Return conditions that no seat, or no finding, matches the negated terms."""
        return [
            not_(self._exists_condition([level], self._build_condition(negation.operand)))
            for negation in negations
            if isinstance(negation, Not)
        ]

    def _exists_condition(self, levels: Sequence[Level], condition: Condition) -> Condition:
        """Return that a matching seat, finding, or finding of a matching seat exists."""
        if "finding" in levels:
            condition = and_(condition, self._counted_findings)
        if len(levels) == 1:
            table = _TABLES[levels[0]]
            return hand_results.c.position.in_(select(table.c.position).where(condition))
        is_same_seat = or_(kept_findings.c.seat.is_(None), kept_findings.c.seat == seat_results.c.seat)
        joined_tables = seat_results.join(
            kept_findings, and_(kept_findings.c.position == seat_results.c.position, is_same_seat)
        )
        return hand_results.c.position.in_(select(seat_results.c.position).select_from(joined_tables).where(condition))

    def _build_condition(self, query: Query) -> Condition:
        """Return the condition on a row of one table."""
        match query:
            case Or():
                return or_(*map(self._build_condition, query.operands))
            case And():
                return and_(*map(self._build_condition, query.operands))
            case Not():
                return not_(self._build_condition(query.operand))
            case QueryWord():
                return self._word_condition(query)
            case Term():
                return self._term_condition(query)

    def _word_condition(self, word: QueryWord) -> Condition:
        field = WORDS[word.word]
        if not field.column:
            return true()
        return _TABLES[field.level].c[field.column] > 0

    def _term_condition(self, term: Term) -> Condition:
        if term.field == "flag":
            return self._any_value(term, self._flag_condition)
        if term.field == "saved":  # every reference that can be replaced was replaced before compiling
            raise saved_query_error(self._text, term)
        field = FIELDS[term.field]
        if term.op in (">", ">=", "<", "<=") and len(term.values) > 1:
            raise query_error(
                self._text, term.value_offsets[1], "more than one value to compare with", "Write 1000, not 1,000."
            )
        builders: dict[str, Callable[[Term, Field, str, int], Condition]] = {
            "text": self._text_condition,
            "number": self._number_condition,
            "money": self._money_condition,
            "day": self._day_condition,
            "cards": self._cards_condition,
            "choice": self._choice_condition,
            "person": self._person_condition,
            "source": self._source_condition,
            "clause": self._clause_condition,
            "finding-text": self._finding_text_condition,
            "game": self._game_condition,
        }
        build_condition = builders[field.kind]
        return self._any_value(term, lambda value, offset: build_condition(term, field, value, offset))

    def _any_value(self, term: Term, build_condition: Callable[[str, int], Condition]) -> Condition:
        """Return that one of the values matches, or with `!=` that none does."""
        condition = or_(
            *[build_condition(value, offset) for value, offset in zip(term.values, term.value_offsets, strict=True)]
        )
        return not_(condition) if term.op == "!=" else condition

    def _flag_condition(self, value: str, offset: int) -> Condition:
        if value.lower() not in FLAGS:
            raise query_error(self._text, offset, f"{value!r} isn't a flag", f"Choose one of: {', '.join(FLAGS)}.")
        column, minimum = FLAGS[value.lower()]
        return hand_results.c[column] > minimum

    def _require_equality(self, term: Term) -> None:
        if term.op not in (":", "=", "!="):
            raise query_error(
                self._text, term.offset, f"{term.field} can't be compared with < or >", f"Write {term.field}:VALUE."
            )

    def _text_condition(self, term: Term, field: Field, value: str, offset: int) -> Condition:
        self._require_equality(term)
        if term.field == "hand" and "/" in value:
            return self._address_condition(value, offset)
        return match_text(_TABLES[field.level].c[field.column], value)

    def _address_condition(self, value: str, offset: int) -> Condition:
        try:
            positions = sorted(self._names.hands(value))
        except HandledgerError as error:
            raise query_error(self._text, offset, error.message, error.hint) from None
        return hand_results.c.position.in_(positions)

    def _number_condition(self, term: Term, field: Field, value: str, offset: int) -> Condition:
        number = _decimal(value)
        if number is None or number != number.to_integral_value():
            raise query_error(self._text, offset, f"{value!r} isn't a whole number", f"Example: {field.example}")
        return compare_column(_TABLES[field.level].c[field.column], term.op, int(number))

    def _money_condition(self, term: Term, field: Field, value: str, offset: int) -> Condition:
        number = _decimal(value.lstrip("$€£").replace("$", "", 1) if value[:1] in "$€£-" else value)
        if number is None:
            raise query_error(self._text, offset, f"{value!r} isn't an amount", f"Example: {field.example}")
        column = _TABLES[field.level].c[field.column]
        scale = (seat_results if field.level == "seat" else hand_results).c.scale
        chips_by_scale = {10**exponent: Fraction(number) * 10**exponent for exponent in _EXPONENTS}
        if term.op in (":", "=", "!="):
            return _equals_amount(column, scale, chips_by_scale)
        return compare_column(column, term.op, case(_round_bounds(term.op, chips_by_scale), value=scale))

    def _day_condition(self, term: Term, _field: Field, value: str, offset: int) -> Condition:
        self._require_equality(term)
        try:
            first, last = parse_bound(value, term.field), parse_bound(value, term.field, is_end=True)
        except HandledgerError as error:
            raise query_error(self._text, offset, f"{value!r} isn't a day or a time", error.hint) from None
        assert first is not None  # noqa: S101 - there is a text
        assert last is not None  # noqa: S101 - the same
        if term.field == "day" and first.clock != "day":
            raise query_error(self._text, offset, f"{value!r} isn't a day", "Example: day:2026-11-20")
        reached_first, reached_end = self._start_condition(first), self._start_condition(last)
        if term.field == "since":
            return reached_first
        timed = hand_results.c.wall if last.clock != "moment" else hand_results.c.started
        before_end = and_(timed.is_not(None), not_(reached_end))
        return before_end if term.field == "until" else and_(reached_first, before_end)

    def _start_condition(self, day_bound: Bound) -> Condition:
        """Return that a hand began at this time or later; a hand without a time doesn't match."""
        if day_bound.clock == "moment":
            return and_(hand_results.c.started.is_not(None), hand_results.c.started >= day_bound.millis)
        wall = hand_results.c.wall
        if day_bound.clock == "wall":
            return and_(wall.is_not(None), wall >= day_bound.millis)
        earliest_wall = case(
            (hand_results.c.zone.in_(["", "UTC"]), day_bound.millis), else_=day_bound.millis + self._day_start
        )
        return and_(wall.is_not(None), wall >= earliest_wall)

    def _cards_condition(self, term: Term, field: Field, value: str, offset: int) -> Condition:
        self._require_equality(term)
        text = "".join(f"{rank.upper()}{suit.lower()}" for rank, suit in zip(value[::2], value[1::2], strict=False))
        cards = CARD.findall(text)
        if "".join(cards) != text or len(value) % 2 or not cards:
            raise query_error(self._text, offset, f"{value!r} aren't cards", f"Example: {field.example}")
        return and_(*[hand_results.c.board.contains(card, autoescape=True) for card in cards])

    def _choice_condition(self, term: Term, field: Field, value: str, offset: int) -> Condition:
        choices = [choice.lower() for choice in field.choices]
        wanted_choice = value.lower() if term.field != "note" else value.lower().replace("-", " ")
        if wanted_choice not in choices:
            choice_names = ", ".join(choice.replace(" ", "-") for choice in field.choices)
            raise query_error(self._text, offset, f"{value!r} isn't a {term.field}", f"Choose one of: {choice_names}.")
        if term.field == "note":
            self._require_equality(term)
            return _NOTE_CONDITIONS[wanted_choice]()
        column = _TABLES[field.level].c[field.column]
        rank = choices.index(wanted_choice)
        if term.field == "street":
            return compare_column(column, term.op, rank)
        if term.op in (":", "=", "!="):
            return column == field.choices[rank]
        if term.field not in ("severity", "certainty"):
            self._require_equality(term)
        ranks = {">": rank + 1, ">=": rank, "<": rank, "<=": rank + 1}[term.op]
        return column.in_(field.choices[ranks:] if ">" in term.op else field.choices[:ranks])

    def _person_condition(self, term: Term, field: Field, value: str, offset: int) -> Condition:
        self._require_equality(term)
        try:
            ids = sorted(self._names.people(value))
        except HandledgerError as error:
            raise query_error(self._text, offset, error.message, error.hint) from None
        if field.level == "hand":
            dealt = select(hand_dealers.c.position).where(hand_dealers.c.dealer.in_(ids))
            return hand_results.c.position.in_(dealt)
        return seat_results.c.player.in_(ids)

    def _source_condition(self, term: Term, _field: Field, value: str, offset: int) -> Condition:
        self._require_equality(term)
        try:
            digests = sorted(self._names.sources(value))
        except HandledgerError as error:
            raise query_error(self._text, offset, error.message, error.hint) from None
        return hand_results.c.source.in_(digests)

    def _clause_condition(self, term: Term, _field: Field, value: str, _offset: int) -> Condition:
        self._require_equality(term)
        book, clause = kept_findings.c.book, kept_findings.c.clause
        return or_(match_text(clause, value), match_text(book + "." + clause, as_cited(value)))

    def _finding_text_condition(self, term: Term, _field: Field, value: str, offset: int) -> Condition:
        self._require_equality(term)
        if not value.strip("* "):
            raise query_error(self._text, offset, "no words to search for", 'Example: text:"wrong seat"')
        return match_finding_text(kept_findings.c.finding, value)

    def _game_condition(self, term: Term, _field: Field, value: str, offset: int) -> Condition:
        self._require_equality(term)
        variant, betting = GAMES.get(value.lower(), (value.lower(), ""))
        if "*" not in variant and variant not in VARIANTS:
            raise query_error(
                self._text,
                offset,
                f"{value!r} isn't a game",
                f"Choose one of: {', '.join([*GAMES, *sorted(VARIANTS)])}.",
            )
        variant_condition = match_text(hand_results.c.variant, variant)
        return and_(variant_condition, hand_results.c.betting == betting) if betting else variant_condition


_NOTE_CONDITIONS: Final[dict[str, Callable[[], Condition]]] = {
    NOTES[0]: lambda: hand_results.c.voided > 0,
    NOTES[1]: lambda: and_(hand_results.c.voided == 0, hand_results.c.completed == 0),
    NOTES[2]: lambda: hand_results.c.unread > 0,
    NOTES[3]: lambda: hand_results.c.unbalanced > 0,
    NOTES[4]: lambda: hand_results.c.corrected > 0,
}


def _conjuncts(query: Query) -> Sequence[Query]:
    return query.operands if isinstance(query, And) else (query,)


def level_of(query: Query) -> Level | None:
    """Return the level of a query; None if its terms have several."""
    match query:
        case Term():
            return FIELDS[query.field].level if query.field in FIELDS else "hand"
        case QueryWord():
            return WORDS[query.word].level
        case Not():
            return level_of(query.operand)
        case And() | Or():
            operands = query.operands
            levels = {level_of(operand) for operand in operands}
            return levels.pop() if len(levels) == 1 else None


def asks_findings(query: Query) -> bool:
    """Whether a query has a term about findings."""
    match query:
        case Term() | QueryWord():
            return level_of(query) == "finding"
        case Not():
            return asks_findings(query.operand)
        case And() | Or():
            return any(map(asks_findings, query.operands))


def asks_dealers(query: Query) -> bool:
    """Whether a query has a term about the dealer."""
    match query:
        case Term():
            return query.field == "dealer"
        case Not():
            return asks_dealers(query.operand)
        case And() | Or():
            return any(map(asks_dealers, query.operands))
    return False


def compare_column(column: ColumnElement[object], operator: str, value: object) -> Condition:
    """Return a comparison that is false where the value is missing."""
    comparisons = {":": column == value, "=": column == value, "!=": column == value}
    comparisons |= {">": column > value, ">=": column >= value, "<": column < value, "<=": column <= value}
    return and_(column.is_not(None), comparisons[operator])


def match_text(column: ColumnElement[str], value: str) -> Condition:
    """Return that a text equals the value, ignoring the case of A to Z; `*` matches any letters."""
    escaped = value.lower().replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_").replace("*", "%")
    return func.lower(column).like(escaped, escape="\\")


def _equals_amount(
    column: ColumnElement[int], scale: ColumnElement[int], chips_by_scale: dict[int, Fraction]
) -> Condition:
    """Return that a column equals an amount. At scales where the amount isn't a whole number, nothing equals it."""
    storable_chips = {
        scale_value: int(chips)
        for scale_value, chips in chips_by_scale.items()
        if chips.denominator == 1 and abs(chips) <= _MAX_AMOUNT
    }
    equals_amount = column == case(storable_chips, value=scale) if storable_chips else false()
    return and_(column.is_not(None), equals_amount, scale.in_(list(storable_chips)))


def _round_bounds(operator: str, chips_by_scale: dict[int, Fraction]) -> dict[int, int]:
    """Return the whole chips to compare with at each scale, within what a database stores."""
    round_chips = ceil if operator in (">=", "<") else floor
    return {
        scale_value: max(-_MAX_AMOUNT, min(round_chips(chips), _MAX_AMOUNT))
        for scale_value, chips in chips_by_scale.items()
    }


def _decimal(text: str) -> Decimal | None:
    stripped = text.strip()
    if (
        not stripped.isascii()
        or len(stripped) > 18
        or not any(char.isdigit() for char in stripped)
        or "e" in stripped.lower()
    ):
        return None
    try:
        number = Decimal(stripped)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None  # NaN1 is a number to Python


def as_cited(value: str) -> str:
    """Return a clause with its book as `hilton.B8a.1`; findings say `hilton B8a.1`."""
    return value.replace(" ", ".", 1)


def terms_of(query: Query, field: str) -> Iterator[Term]:
    """Yield all terms about a field."""
    match query:
        case Term():
            if query.field == field:
                yield query
        case Not():
            yield from terms_of(query.operand, field)
        case And() | Or():
            for operand in query.operands:
                yield from terms_of(operand, field)


def books_of(query: Query, known_books: Collection[str]) -> list[str]:
    """Return the names of the rulebooks in a query, in its order; those in clauses must be known."""
    match query:
        case Term(field="book"):
            return [value for value in query.values if "*" not in value]
        case Term(field="clause"):
            cited = [as_cited(value) for value in query.values]
            return [name for clause in cited for name in known_books if clause.startswith(f"{name}.")]
        case Not():
            return books_of(query.operand, known_books)
        case And() | Or():
            operands = query.operands
            return list(dict.fromkeys(name for operand in operands for name in books_of(operand, known_books)))
    return []
