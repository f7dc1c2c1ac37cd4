"""The compiler of queries to SQL conditions on `hand_results`, `seat_results` and `kept_findings`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from math import ceil, floor
from typing import Final, Protocol

from sqlalchemy import ColumnElement, Select, Table, and_, case, false, func, not_, or_, select, true

from ledger.errors import HandledgerError
from ledger.hand.variants import VARIANTS
from ledger.text.language import phrase
from projections.addresses.room_days import Bound, parse_bound
from projections.queries.fields import CARD_PATTERN, FIELDS, FLAGS, GAME_NICKNAMES, WORDS, Level, QueryField
from projections.queries.query_checks import saved_query_error
from projections.queries.query_grammar import And, Not, Or, Query, QueryWord, Term, query_error
from projections.queries.query_terms import find_level, join_with_dot
from projections.queries.text_condition import build_finding_text_match
from projections.tables.finding_tables import kept_findings
from projections.tables.result_tables import hand_results, seat_results
from projections.tables.sittings import hand_dealers

Condition = ColumnElement[bool]
_TABLES: Final[dict[Level, Table]] = {"hand": hand_results, "seat": seat_results, "finding": kept_findings}
_EXPONENTS: Final = range(10)  # of the scales that tables use
_MAX_AMOUNT: Final = 2**63 - 1
"""The greatest integer that a database stores; recorded amounts are smaller."""


class NameResolver(Protocol):
    """Looks up names in a query that only a ledger knows."""

    def find_people(self, name: str) -> Iterable[str]:
        """Return the ids of the people with this name; raise if there are none."""
        ...

    def find_sources(self, name: str) -> Iterable[str]:
        """Return the SHA-256 of the files with this name; raise if there are none."""
        ...

    def find_hands(self, address: str) -> Iterable[int]:
        """Return the positions of the hands at an address; raise if there are none."""
        ...


class QueryCompiler:
    """Compiles one query to SQL conditions. Only findings that match `counted_findings` count; without it, none do."""

    def __init__(
        self, text: str, names: NameResolver, *, day_start: int, counted_findings: Condition | None = None
    ) -> None:
        """Create the compiler of a query. `text`: for errors. `day_start`: when a gaming day starts, in ms after midnight."""
        self._text = text
        self._names = names
        self._day_start = day_start
        self._counted_findings = false() if counted_findings is None else counted_findings

    def build_statement(self, query: Query) -> Select[tuple[int]]:
        """Return the statement that selects the positions of matching hands."""
        return select(hand_results.c.position).where(self.build_condition(query))

    def build_condition(self, query: Query) -> Condition:
        """Return the condition on a row of `hand_results`."""
        if isinstance(query, Or):
            return or_(*map(self.build_condition, query.operands))
        if isinstance(query, Not) and find_level(query.operand) in ("hand", None):
            return not_(self.build_condition(query.operand))
        return self._join_conditions(query.operands if isinstance(query, And) else (query,))

    def build_row_condition(self, level: Level, query: Query) -> Condition | None:
        """Return the condition on one seat or one finding, or None if any one matches."""
        conditions = [
            self._build_row_match(operand) for operand in _split_conjunction(query) if find_level(operand) == level
        ]
        return and_(*conditions) if conditions else None

    def build_population_condition(self, query: Query) -> Condition:
        """Return the condition on hands, without the terms about findings."""
        return self._join_conditions(
            [operand for operand in _split_conjunction(query) if find_level(operand) != "finding"]
        )

    def build_hands_with_seats_condition(self, query: Query) -> Condition:
        """Return the condition on hands whose seats are listed. Negated seat terms alone exclude seats, not hands."""
        seatless_terms = [operand for operand in _split_conjunction(query) if find_level(operand) != "seat"]
        names_seat = any(
            find_level(operand) == "seat" and not isinstance(operand, Not) for operand in _split_conjunction(query)
        )
        return self.build_condition(query) if names_seat else self._join_conditions(seatless_terms)

    def _join_conditions(self, operands: Sequence[Query]) -> Condition:
        """Join terms by `and`: one seat must match all seat terms, one finding all finding terms."""
        positives: dict[Level, list[Query]] = {"seat": [], "finding": []}
        negations: dict[Level, list[Query]] = {"seat": [], "finding": []}
        conditions: list[Condition] = []
        for operand in operands:
            level = find_level(operand)
            if level == "hand":
                conditions.append(self._build_row_match(operand))
            elif level is None:
                conditions.append(self._build_mixed_condition(operand))
            else:
                terms_by_level = negations if isinstance(operand, Not) else positives
                terms_by_level[level].append(operand)
        row_levels: tuple[Level, Level] = "seat", "finding"
        bound_levels: list[Level] = [level for level in row_levels if positives[level]]
        if bound_levels:
            row_operands = [operand for level in bound_levels for operand in (*positives[level], *negations[level])]
            conditions.append(
                self._build_exists_condition(bound_levels, and_(*map(self._build_row_match, row_operands)))
            )
        for row_level in row_levels:
            if not positives[row_level]:
                conditions += self._build_absence_conditions(row_level, negations[row_level])
        return and_(*conditions) if conditions else true()

    def _build_mixed_condition(self, operand: Query) -> Condition:
        """Return the condition of terms about several levels, such as a seat and a finding."""
        if isinstance(operand, Not):
            return not_(self.build_condition(operand.operand))
        return self.build_condition(operand)

    def _build_absence_conditions(self, level: Level, negations: Sequence[Query]) -> list[Condition]:
        """Return the conditions that no seat, or no finding, matches a negated term."""
        return [
            not_(self._build_exists_condition([level], self._build_row_match(negation.operand)))
            for negation in negations
            if isinstance(negation, Not)
        ]

    def _build_exists_condition(self, levels: Sequence[Level], condition: Condition) -> Condition:
        """Return the condition that a matching seat, finding, or finding of a matching seat exists."""
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

    def _build_row_match(self, query: Query) -> Condition:
        """Return the condition that one row, of a seat or a finding, matches."""
        match query:
            case Or():
                return or_(*map(self._build_row_match, query.operands))
            case And():
                return and_(*map(self._build_row_match, query.operands))
            case Not():
                return not_(self._build_row_match(query.operand))
            case QueryWord():
                return self._build_word_condition(query)
            case Term():
                return self._build_term_condition(query)

    def _build_word_condition(self, word: QueryWord) -> Condition:
        field = WORDS[word.word]
        if not field.column:
            return true()
        return _TABLES[field.level].c[field.column] > 0

    def _build_term_condition(self, term: Term) -> Condition:
        if term.field == "flag":
            return self._match_any_value(term, self._build_flag_condition)
        if term.field == "saved":  # saved queries were expanded before, so this term isn't written as one
            raise saved_query_error(self._text, term)
        field = FIELDS[term.field]
        if term.operator in (">", ">=", "<", "<=") and len(term.values) > 1:
            raise query_error(
                self._text,
                term.value_offsets[1],
                phrase("more than one value to compare with"),
                phrase("Write 1000, not 1,000."),
            )
        builders: dict[str, Callable[[Term, QueryField, str, int], Condition]] = {
            "text": self._build_text_condition,
            "number": self._build_number_condition,
            "money": self._build_money_condition,
            "day": self._build_day_condition,
            "cards": self._build_cards_condition,
            "choice": self._build_choice_condition,
            "person": self._build_person_condition,
            "source": self._build_source_condition,
            "clause": self._build_clause_condition,
            "finding-text": self._build_finding_text_condition,
            "game": self._build_game_condition,
        }
        build_value_condition = builders[field.kind]
        return self._match_any_value(term, lambda value, offset: build_value_condition(term, field, value, offset))

    def _match_any_value(self, term: Term, build_value_condition: Callable[[str, int], Condition]) -> Condition:
        """Return the condition that one of the values matches, or with `!=` that none does."""
        condition = or_(
            *[
                build_value_condition(value, offset)
                for value, offset in zip(term.values, term.value_offsets, strict=True)
            ]
        )
        return not_(condition) if term.operator == "!=" else condition

    def _build_flag_condition(self, value: str, offset: int) -> Condition:
        if value.lower() not in FLAGS:
            raise query_error(
                self._text,
                offset,
                phrase("{value} isn't a flag", value=repr(value)),
                phrase("Choose one of: {choices}.", choices=", ".join(FLAGS)),
            )
        column, threshold = FLAGS[value.lower()]
        return hand_results.c[column] > threshold

    def _require_equality(self, term: Term) -> None:
        if term.operator not in (":", "=", "!="):
            raise query_error(
                self._text,
                term.offset,
                phrase("{field} can't be compared with < or >", field=term.field),
                phrase("Write {field}:VALUE.", field=term.field),
            )

    def _build_text_condition(self, term: Term, field: QueryField, value: str, offset: int) -> Condition:
        self._require_equality(term)
        if term.field == "hand" and "/" in value:
            return self._build_address_condition(value, offset)
        return build_text_match(_TABLES[field.level].c[field.column], value)

    def _build_address_condition(self, value: str, offset: int) -> Condition:
        try:
            positions = sorted(self._names.find_hands(value))
        except HandledgerError as error:
            raise query_error(self._text, offset, error.message, error.hint) from None
        return hand_results.c.position.in_(positions)

    def _build_number_condition(self, term: Term, field: QueryField, value: str, offset: int) -> Condition:
        number = _parse_decimal(value)
        if number is None or number != number.to_integral_value():
            raise query_error(
                self._text,
                offset,
                phrase("{value} isn't a whole number", value=repr(value)),
                phrase("Example: {example}", example=field.example),
            )
        return build_comparison(_TABLES[field.level].c[field.column], term.operator, int(number))

    def _build_money_condition(self, term: Term, field: QueryField, value: str, offset: int) -> Condition:
        number = _parse_decimal(value.lstrip("$€£").replace("$", "", 1) if value[:1] in "$€£-" else value)
        if number is None:
            raise query_error(
                self._text,
                offset,
                phrase("{value} isn't an amount", value=repr(value)),
                phrase("Example: {example}", example=field.example),
            )
        column = _TABLES[field.level].c[field.column]
        scale = (seat_results if field.level == "seat" else hand_results).c.scale
        chips_by_scale = {10**exponent: Fraction(number) * 10**exponent for exponent in _EXPONENTS}
        if term.operator in (":", "=", "!="):
            return _build_amount_match(column, scale, chips_by_scale)
        return build_comparison(column, term.operator, case(_round_bounds(term.operator, chips_by_scale), value=scale))

    def _build_day_condition(self, term: Term, _field: QueryField, value: str, offset: int) -> Condition:
        self._require_equality(term)
        try:
            start, end = parse_bound(value, term.field), parse_bound(value, term.field, is_end=True)
        except HandledgerError as error:
            raise query_error(
                self._text, offset, phrase("{value} isn't a day or a time", value=repr(value)), error.hint
            ) from None
        assert start is not None  # noqa: S101 - only an empty text has no bound
        assert end is not None  # noqa: S101 - the same
        if term.field == "day" and start.clock != "day":
            raise query_error(
                self._text,
                offset,
                phrase("{value} isn't a day", value=repr(value)),
                phrase("Example: {example}", example="day:2026-11-20"),
            )
        is_after_start = self._build_start_condition(start)
        if term.field == "since":
            return is_after_start
        time_column = hand_results.c.wall if end.clock != "moment" else hand_results.c.started
        is_before_end = and_(time_column.is_not(None), not_(self._build_start_condition(end)))
        return is_before_end if term.field == "until" else and_(is_after_start, is_before_end)

    def _build_start_condition(self, day_bound: Bound) -> Condition:
        """Return the condition that a hand began at this time or later; a hand without a time doesn't match."""
        if day_bound.clock == "moment":
            return and_(hand_results.c.started.is_not(None), hand_results.c.started >= day_bound.millis)
        wall = hand_results.c.wall
        if day_bound.clock == "wall":
            return and_(wall.is_not(None), wall >= day_bound.millis)
        earliest_wall = case(
            (hand_results.c.zone.in_(["", "UTC"]), day_bound.millis), else_=day_bound.millis + self._day_start
        )
        return and_(wall.is_not(None), wall >= earliest_wall)

    def _build_cards_condition(self, term: Term, field: QueryField, value: str, offset: int) -> Condition:
        self._require_equality(term)
        text = "".join(f"{rank.upper()}{suit.lower()}" for rank, suit in zip(value[::2], value[1::2], strict=False))
        cards = CARD_PATTERN.findall(text)
        if "".join(cards) != text or len(value) % 2 or not cards:
            raise query_error(
                self._text,
                offset,
                phrase("{value} aren't cards", value=repr(value)),
                phrase("Example: {example}", example=field.example),
            )
        return and_(*[hand_results.c.board.contains(card, autoescape=True) for card in cards])

    def _build_choice_condition(self, term: Term, field: QueryField, value: str, offset: int) -> Condition:
        choices = [choice.lower() for choice in field.choices]
        wanted_choice = value.lower() if term.field != "note" else value.lower().replace("-", " ")
        if wanted_choice not in choices:
            choice_names = ", ".join(choice.replace(" ", "-") for choice in field.choices)
            raise query_error(
                self._text,
                offset,
                phrase("{value} isn't a {field}", value=repr(value), field=term.field),
                phrase("Choose one of: {choices}.", choices=choice_names),
            )
        if term.field == "note":
            self._require_equality(term)
            return _NOTE_CONDITIONS[wanted_choice]()
        column = _TABLES[field.level].c[field.column]
        rank = choices.index(wanted_choice)
        if term.field == "street":
            return build_comparison(column, term.operator, rank)
        if term.operator in (":", "=", "!="):
            return column == field.choices[rank]
        if term.field not in ("severity", "certainty"):
            self._require_equality(term)
        split_rank = {">": rank + 1, ">=": rank, "<": rank, "<=": rank + 1}[term.operator]
        return column.in_(field.choices[split_rank:] if ">" in term.operator else field.choices[:split_rank])

    def _build_person_condition(self, term: Term, field: QueryField, value: str, offset: int) -> Condition:
        self._require_equality(term)
        try:
            player_ids = sorted(self._names.find_people(value))
        except HandledgerError as error:
            raise query_error(self._text, offset, error.message, error.hint) from None
        if field.level == "hand":
            dealt_hands = select(hand_dealers.c.position).where(hand_dealers.c.dealer.in_(player_ids))
            return hand_results.c.position.in_(dealt_hands)
        return seat_results.c.player.in_(player_ids)

    def _build_source_condition(self, term: Term, _field: QueryField, value: str, offset: int) -> Condition:
        self._require_equality(term)
        try:
            digests = sorted(self._names.find_sources(value))
        except HandledgerError as error:
            raise query_error(self._text, offset, error.message, error.hint) from None
        return hand_results.c.source.in_(digests)

    def _build_clause_condition(self, term: Term, _field: QueryField, value: str, _offset: int) -> Condition:
        self._require_equality(term)
        book, clause = kept_findings.c.book, kept_findings.c.clause
        return or_(build_text_match(clause, value), build_text_match(book + "." + clause, join_with_dot(value)))

    def _build_finding_text_condition(self, term: Term, _field: QueryField, value: str, offset: int) -> Condition:
        self._require_equality(term)
        if not value.strip("* "):
            raise query_error(
                self._text,
                offset,
                phrase("no words to search for"),
                phrase("Example: {example}", example='text:"wrong seat"'),
            )
        return build_finding_text_match(kept_findings.c.finding, value)

    def _build_game_condition(self, term: Term, _field: QueryField, value: str, offset: int) -> Condition:
        self._require_equality(term)
        variant, betting = GAME_NICKNAMES.get(value.lower(), (value.lower(), ""))
        if "*" not in variant and variant not in VARIANTS:
            raise query_error(
                self._text,
                offset,
                phrase("{value} isn't a game", value=repr(value)),
                phrase("Choose one of: {choices}.", choices=", ".join([*GAME_NICKNAMES, *sorted(VARIANTS)])),
            )
        variant_condition = build_text_match(hand_results.c.variant, variant)
        return and_(variant_condition, hand_results.c.betting == betting) if betting else variant_condition


_NOTE_CONDITIONS: Final[dict[str, Callable[[], Condition]]] = {
    "voided": lambda: hand_results.c.voided > 0,
    "cut off": lambda: and_(hand_results.c.voided == 0, hand_results.c.completed == 0),
    "unread lines": lambda: hand_results.c.unread > 0,
    "unbalanced": lambda: hand_results.c.unbalanced > 0,
    "corrected": lambda: hand_results.c.corrected > 0,
}
"""Conditions of `note:`, by the values in `NOTES`."""


def _split_conjunction(query: Query) -> Sequence[Query]:
    return query.operands if isinstance(query, And) else (query,)


def build_comparison(column: ColumnElement[object], operator: str, value: object) -> Condition:
    """Return a comparison that is false where the column is null."""
    comparisons = {":": column == value, "=": column == value, "!=": column == value}
    comparisons |= {">": column > value, ">=": column >= value, "<": column < value, "<=": column <= value}
    return and_(column.is_not(None), comparisons[operator])


def build_text_match(column: ColumnElement[str], value: str) -> Condition:
    """Return the condition that a text equals the value, ignoring the case of A to Z; `*` matches any letters."""
    escaped = value.lower().replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_").replace("*", "%")
    return func.lower(column).like(escaped, escape="\\")


def _build_amount_match(
    column: ColumnElement[int], scale: ColumnElement[int], chips_by_scale: dict[int, Fraction]
) -> Condition:
    """Return the condition that a column equals an amount; at a scale where it isn't whole, no row matches."""
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


def _parse_decimal(text: str) -> Decimal | None:
    """Return the number that a text is; None for other texts, exponents, and more than 18 characters."""
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
