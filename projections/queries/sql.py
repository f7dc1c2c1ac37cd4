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
from projections.addresses.room_days import Bound, bound
from projections.queries.fields import CARD, FIELDS, FLAGS, GAMES, NOTES, WORDS, Field, Level
from projections.queries.grammar import And, Not, Or, Query, Term, Word, wrong
from projections.tables.kept_findings import kept_findings
from projections.tables.kept_results import hand_results, seat_results
from projections.tables.sittings import hand_dealers

Condition = ColumnElement[bool]
_TABLES: Final[dict[Level, Table]] = {"hand": hand_results, "seat": seat_results, "finding": kept_findings}
_EXPONENTS: Final = range(10)
_MONEY_MOST: Final = 2**63 - 1
"""No database holds a greater number; every amount on record is less."""


class Known(Protocol):
    """What a query names and only the ledger knows."""

    def people(self, name: str) -> Iterable[str]:
        """Return the ids of whoever is called so; an error if nobody is."""
        ...

    def sources(self, name: str) -> Iterable[str]:
        """Return the SHA-256 of the files that are called so; an error if none is."""
        ...

    def hands(self, address: str) -> Iterable[int]:
        """Return the positions of the hands that an address names; an error if it names none."""
        ...


class Compiler:
    """Makes conditions of one query. `judged`: which of the findings that are kept are asked."""

    def __init__(self, text: str, known: Known, *, day: int, judged: Condition | None = None) -> None:
        """Take the text, for errors; what the ledger knows; when a gaming day begins, in milliseconds."""
        self._text = text
        self._known = known
        self._day = day
        self._judged = false() if judged is None else judged

    def statement(self, query: Query) -> Select[tuple[int]]:
        """Return the question for the positions of the hands that fit."""
        return select(hand_results.c.position).where(self.condition(query))

    def condition(self, query: Query) -> Condition:
        """Return what must hold of a row of `hand_results`."""
        if isinstance(query, Or):
            return or_(*map(self.condition, query.either))
        if isinstance(query, Not) and level_of(query.one) in ("hand", None):
            return not_(self.condition(query.one))
        return self._all(query.every if isinstance(query, And) else (query,))

    def of(self, level: Level, query: Query) -> Condition | None:
        """Return which seats, or findings, a query means: what it says of one and the same; None = every one."""
        found = [self._row(one) for one in _beside(query) if level_of(one) == level]
        return and_(*found) if found else None

    def population(self, query: Query) -> Condition:
        """Return what must hold of a hand whatever was found in it."""
        return self._all([one for one in _beside(query) if level_of(one) != "finding"])

    def seated(self, query: Query) -> Condition:
        """Return what must hold of the hands whose seats are meant: terms that only say which not are of seats alone."""
        ones = [one for one in _beside(query) if level_of(one) != "seat"]
        named = any(level_of(one) == "seat" and not isinstance(one, Not) for one in _beside(query))
        return self.condition(query) if named else self._all(ones)

    def _all(self, ones: Sequence[Query]) -> Condition:
        """Return what must hold together: terms about a seat of one seat, about a finding of one finding."""
        levels = [level_of(one) for one in ones]
        rows: dict[Level, list[Query]] = {"seat": [], "finding": []}
        without: dict[Level, list[Query]] = {"seat": [], "finding": []}
        found: list[Condition] = []
        for one, level in zip(ones, levels, strict=True):
            if level == "hand":
                found.append(self._row(one))
            elif level is None:
                found.append(not_(self.condition(one.one)) if isinstance(one, Not) else self.condition(one))
            else:
                (without if isinstance(one, Not) else rows)[level].append(one)
        both: tuple[Level, Level] = "seat", "finding"
        bound_levels: list[Level] = [level for level in both if rows[level]]
        if bound_levels:
            of_row = [one for level in bound_levels for one in (*rows[level], *without[level])]
            found.append(self._some(bound_levels, and_(*map(self._row, of_row))))
        for level_ in both:
            gone = without[level_] if not rows[level_] else []
            found += [not_(self._some([level_], self._row(one.one))) for one in gone if isinstance(one, Not)]
        return and_(*found) if found else true()

    def _some(self, levels: Sequence[Level], condition: Condition) -> Condition:
        """Return that there is such a seat, or finding, or finding of such a seat."""
        if "finding" in levels:
            condition = and_(condition, self._judged)
        if len(levels) == 1:
            table = _TABLES[levels[0]]
            return hand_results.c.position.in_(select(table.c.position).where(condition))
        fits = or_(kept_findings.c.seat.is_(None), kept_findings.c.seat == seat_results.c.seat)
        both = seat_results.join(kept_findings, and_(kept_findings.c.position == seat_results.c.position, fits))
        return hand_results.c.position.in_(select(seat_results.c.position).select_from(both).where(condition))

    def _row(self, query: Query) -> Condition:
        """Return what must hold of a row of one table."""
        match query:
            case Or():
                return or_(*map(self._row, query.either))
            case And():
                return and_(*map(self._row, query.every))
            case Not():
                return not_(self._row(query.one))
            case Word():
                return self._word(query)
            case Term():
                return self._term(query)

    def _word(self, one: Word) -> Condition:
        field = WORDS[one.word]
        if not field.column:
            return true()
        return _TABLES[field.level].c[field.column] > 0

    def _term(self, term: Term) -> Condition:
        if term.field == "flag":
            return self._each(term, self._flag)
        field = FIELDS[term.field]
        if term.op in (">", ">=", "<", "<=") and len(term.values) > 1:
            raise wrong(self._text, term.values_at[1], "more than one value to compare with", "Write 1000, not 1,000.")
        makes: dict[str, Callable[[Term, Field, str, int], Condition]] = {
            "text": self._of_text,
            "number": self._of_number,
            "money": self._of_money,
            "day": self._of_day,
            "cards": self._of_cards,
            "choice": self._of_choice,
            "person": self._of_person,
            "source": self._of_source,
            "clause": self._of_clause,
            "game": self._of_game,
        }
        make = makes[field.kind]
        return self._each(term, lambda value, at: make(term, field, value, at))

    def _each(self, term: Term, make: Callable[[str, int], Condition]) -> Condition:
        """Return that one of the values fits; of `!=`, none."""
        found = or_(*[make(value, at) for value, at in zip(term.values, term.values_at, strict=True)])
        return not_(found) if term.op == "!=" else found

    def _flag(self, value: str, at: int) -> Condition:
        if value.lower() not in FLAGS:
            raise wrong(self._text, at, f"{value!r} is no flag", f"There are: {', '.join(FLAGS)}.")
        column, least = FLAGS[value.lower()]
        return hand_results.c[column] > least

    def _only_is(self, term: Term) -> None:
        if term.op not in (":", "=", "!="):
            raise wrong(self._text, term.at, f"{term.field} has no more and less", f"Write {term.field}:VALUE.")

    def _of_text(self, term: Term, field: Field, value: str, at: int) -> Condition:
        self._only_is(term)
        if term.field == "hand" and "/" in value:
            return self._of_address(value, at)
        return like(_TABLES[field.level].c[field.column], value)

    def _of_address(self, value: str, at: int) -> Condition:
        try:
            positions = sorted(self._known.hands(value))
        except HandledgerError as error:
            raise wrong(self._text, at, error.message, error.hint) from None
        return hand_results.c.position.in_(positions)

    def _of_number(self, term: Term, field: Field, value: str, at: int) -> Condition:
        number = _decimal(value)
        if number is None or number != number.to_integral_value():
            raise wrong(self._text, at, f"{value!r} is no whole number", f"Example: {field.example}")
        return compared(_TABLES[field.level].c[field.column], term.op, int(number))

    def _of_money(self, term: Term, field: Field, value: str, at: int) -> Condition:
        number = _decimal(value.lstrip("$€£").replace("$", "", 1) if value[:1] in "$€£-" else value)
        if number is None:
            raise wrong(self._text, at, f"{value!r} is no amount", f"Example: {field.example}")
        column = _TABLES[field.level].c[field.column]
        scale = hand_results.c.scale
        if field.level == "seat":
            scale = seat_results.c.scale
        exact = {10**exponent: Fraction(number) * 10**exponent for exponent in _EXPONENTS}
        if term.op in (":", "=", "!="):
            stored = {scale_: value_ for scale_, value_ in exact.items() if abs(value_) <= _MONEY_MOST}
            whole = {scale_: int(value_) for scale_, value_ in stored.items() if value_.denominator == 1}
            found = column == case(whole, value=scale) if whole else false()
            return and_(column.is_not(None), found, scale.in_(list(whole)))
        turn = ceil if term.op in (">=", "<") else floor
        bounds = {scale_: max(-_MONEY_MOST, min(turn(value_), _MONEY_MOST)) for scale_, value_ in exact.items()}
        return compared(column, term.op, case(bounds, value=scale))

    def _of_day(self, term: Term, _field: Field, value: str, at: int) -> Condition:
        self._only_is(term)
        try:
            first, last = bound(value, term.field), bound(value, term.field, end=True)
        except HandledgerError as error:
            raise wrong(self._text, at, f"{value!r} is no day and no time", error.hint) from None
        assert first is not None  # noqa: S101 - there is a text
        assert last is not None  # noqa: S101 - the same
        if term.field == "day" and first.how != "day":
            raise wrong(self._text, at, f"{value!r} is no day", "Example: day:2026-11-20")
        since, until = self._reached(first), self._reached(last)
        if term.field == "since":
            return since
        timed = hand_results.c.wall if last.how != "moment" else hand_results.c.started
        before = and_(timed.is_not(None), not_(until))
        return before if term.field == "until" else and_(since, before)

    def _reached(self, one: Bound) -> Condition:
        """Return that a hand began then or later; one without a time did not."""
        if one.how == "moment":
            return and_(hand_results.c.started.is_not(None), hand_results.c.started >= one.at)
        wall = hand_results.c.wall
        if one.how == "wall":
            return and_(wall.is_not(None), wall >= one.at)
        late = case((hand_results.c.zone.in_(["", "UTC"]), one.at), else_=one.at + self._day)
        return and_(wall.is_not(None), wall >= late)

    def _of_cards(self, term: Term, field: Field, value: str, at: int) -> Condition:
        self._only_is(term)
        text = "".join(f"{a.upper()}{b.lower()}" for a, b in zip(value[::2], value[1::2], strict=False))
        cards = CARD.findall(text)
        if "".join(cards) != text or len(value) % 2 or not cards:
            raise wrong(self._text, at, f"{value!r} are no cards", f"Example: {field.example}")
        return and_(*[hand_results.c.board.contains(card, autoescape=True) for card in cards])

    def _of_choice(self, term: Term, field: Field, value: str, at: int) -> Condition:
        choices = [one.lower() for one in field.choices]
        asked = value.lower() if term.field != "note" else value.lower().replace("-", " ")
        if asked not in choices:
            there = ", ".join(one.replace(" ", "-") for one in field.choices)
            raise wrong(self._text, at, f"{value!r} is no {term.field}", f"There are: {there}.")
        if term.field == "note":
            self._only_is(term)
            return _NOTED[asked]()
        column = _TABLES[field.level].c[field.column]
        rank = choices.index(asked)
        if term.field == "street":
            return compared(column, term.op, rank)
        if term.op in (":", "=", "!="):
            return column == field.choices[rank]
        if term.field not in ("severity", "certainty"):
            self._only_is(term)
        ranks = {">": rank + 1, ">=": rank, "<": rank, "<=": rank + 1}[term.op]
        return column.in_(field.choices[ranks:] if ">" in term.op else field.choices[:ranks])

    def _of_person(self, term: Term, field: Field, value: str, at: int) -> Condition:
        self._only_is(term)
        try:
            ids = sorted(self._known.people(value))
        except HandledgerError as error:
            raise wrong(self._text, at, error.message, error.hint) from None
        if field.level == "hand":
            dealt = select(hand_dealers.c.position).where(hand_dealers.c.dealer.in_(ids))
            return hand_results.c.position.in_(dealt)
        return seat_results.c.player.in_(ids)

    def _of_source(self, term: Term, _field: Field, value: str, at: int) -> Condition:
        self._only_is(term)
        try:
            digests = sorted(self._known.sources(value))
        except HandledgerError as error:
            raise wrong(self._text, at, error.message, error.hint) from None
        return hand_results.c.source.in_(digests)

    def _of_clause(self, term: Term, _field: Field, value: str, _at: int) -> Condition:
        self._only_is(term)
        book, clause = kept_findings.c.book, kept_findings.c.clause
        return or_(like(clause, value), like(book + "." + clause, as_cited(value)))

    def _of_game(self, term: Term, _field: Field, value: str, at: int) -> Condition:
        self._only_is(term)
        variant, betting = GAMES.get(value.lower(), (value.lower(), ""))
        if "*" not in variant and variant not in VARIANTS:
            raise wrong(
                self._text, at, f"{value!r} is no game", f"There are: {', '.join([*GAMES, *sorted(VARIANTS)])}."
            )
        found = like(hand_results.c.variant, variant)
        return and_(found, hand_results.c.betting == betting) if betting else found


_NOTED: Final[dict[str, Callable[[], Condition]]] = {
    NOTES[0]: lambda: hand_results.c.voided > 0,
    NOTES[1]: lambda: and_(hand_results.c.voided == 0, hand_results.c.completed == 0),
    NOTES[2]: lambda: hand_results.c.unread > 0,
    NOTES[3]: lambda: hand_results.c.unbalanced > 0,
    NOTES[4]: lambda: hand_results.c.corrected > 0,
}


def _beside(query: Query) -> Sequence[Query]:
    return query.every if isinstance(query, And) else (query,)


def level_of(query: Query) -> Level | None:
    """Return what a query speaks of, None where of several things."""
    match query:
        case Term():
            return "hand" if query.field == "flag" else FIELDS[query.field].level
        case Word():
            return WORDS[query.word].level
        case Not():
            return level_of(query.one)
        case And() | Or():
            ones = query.every if isinstance(query, And) else query.either
            levels = {level_of(one) for one in ones}
            return levels.pop() if len(levels) == 1 else None


def checked(query: Query, text: str) -> Query:
    """Return a query all of whose words are known; `QueryError` says which is not."""
    match query:
        case Term() if query.field not in FIELDS and query.field not in ("flag", "saved"):
            there = [*FIELDS, "flag", "saved"]
            raise wrong(text, query.at, f"there is no field {query.field!r}", _named(query.field, there))
        case Word() if query.word not in WORDS:
            raise wrong(text, query.at, f"there is no word {query.word!r}", _named(query.word, [*WORDS, *FIELDS]))
        case Not():
            checked(query.one, text)
        case And() | Or():
            for one in query.every if isinstance(query, And) else query.either:
                checked(one, text)
    return query


_DAYS: Final = "day:2026-11-20, since:2026-11-20 or until:2026-11-21T04:00"
_CALLED: Final = {
    **dict.fromkeys(("date", "time", "when", "at", "from", "to", "started", "before", "after", "on"), _DAYS),
    **dict.fromkeys(("hero", "me", "name", "who"), 'player:"Old Tom"'),
    **dict.fromkeys(("room", "site", "casino", "club"), "venue:PokerStars"),
    **dict.fromkeys(("rule", "rulebook"), "clause:hilton.B8* or book:hilton"),
    **dict.fromkeys(("file", "path"), "source:night.hand"),
    **dict.fromkeys(("profit", "lost", "loss"), "net<-100"),
}
"""What fields are called elsewhere, and how it is said here."""


def _named(word: str, there: Sequence[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - only in an error

    if word.casefold() in _CALLED:
        return f"Say {_CALLED[word.casefold()]}."
    near = get_close_matches(word, there, 1)
    return f"Did you mean {near[0]}?" if near else "`--where help` lists all words."


def asks_findings(query: Query) -> bool:
    """Whether a query asks what was found."""
    match query:
        case Term() | Word():
            return level_of(query) == "finding"
        case Not():
            return asks_findings(query.one)
        case And() | Or():
            return any(map(asks_findings, query.every if isinstance(query, And) else query.either))


def asks_dealers(query: Query) -> bool:
    """Whether a query asks who dealt."""
    match query:
        case Term():
            return query.field == "dealer"
        case Not():
            return asks_dealers(query.one)
        case And() | Or():
            return any(map(asks_dealers, query.every if isinstance(query, And) else query.either))
    return False


def compared(column: ColumnElement[object], op: str, value: object) -> Condition:
    """Return a comparison that does not hold where nothing is told."""
    ops = {":": column == value, "=": column == value, "!=": column == value}
    ops |= {">": column > value, ">=": column >= value, "<": column < value, "<=": column <= value}
    return and_(column.is_not(None), ops[op])


def like(column: ColumnElement[str], value: str) -> Condition:
    """Return that a text is this one, A to Z in either case; `*` stands for any letters."""
    escaped = value.lower().replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_").replace("*", "%")
    return func.lower(column).like(escaped, escape="\\")


def _decimal(text: str) -> Decimal | None:
    bare = text.strip()
    if not bare.isascii() or len(bare) > 18 or not any(char.isdigit() for char in bare) or "e" in bare.lower():
        return None
    try:
        number = Decimal(bare)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None  # NaN1 is a number to Python


def as_cited(value: str) -> str:
    """Return a clause with its book as `hilton.B8a.1`; findings say `hilton B8a.1`."""
    return value.replace(" ", ".", 1)


def terms_of(query: Query, field: str) -> Iterator[Term]:
    """Yield the terms about a field, wherever they stand."""
    match query:
        case Term():
            if query.field == field:
                yield query
        case Not():
            yield from terms_of(query.one, field)
        case And() | Or():
            for one in query.every if isinstance(query, And) else query.either:
                yield from terms_of(one, field)


def books_of(query: Query, known: Collection[str]) -> list[str]:
    """Return the names of the rulebooks that a query names, in its order; in a clause one of those that are known."""
    match query:
        case Term(field="book"):
            return [value for value in query.values if "*" not in value]
        case Term(field="clause"):
            cited = [as_cited(value) for value in query.values]
            return [name for one in cited for name in known if one.startswith(f"{name}.")]
        case Not():
            return books_of(query.one, known)
        case And() | Or():
            ones = query.every if isinstance(query, And) else query.either
            return list(dict.fromkeys(name for one in ones for name in books_of(one, known)))
    return []
