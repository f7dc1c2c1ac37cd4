"""Rulebooks as parsed from their files, before their detectors are looked up; also house books over another book.

A house book has `extends = "rrop4@4-r1"` and holds only its changes. Its clauses may have the house's own numbers
(`[cite]`), and every citation then uses those.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final, Literal, NamedTuple

import msgspec

from ledger.errors import RulebookError
from projections.books.book_file import BookFile
from projections.findings.finding import Severity
from projections.obligations.policy import POINTS, Ruling, find_point, ruling

_NON_CLAUSE_TABLES: Final = frozenset({"using", "parameters", "applies_to"})  # tables that are no clauses
_MAX_NUMBER_LENGTH: Final = 40  # characters


class AppliesTo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The hands that a clause is about."""

    format: Literal["cash", "tournament", "both"] = "both"
    betting: Literal["limit", "pot_limit", "no_limit", "big_bet", "all"] = "all"
    game: str = "all"  # a key of [rulebook.games]


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table [rulebook] of a book."""

    title: str
    edition: str
    source: str
    games: dict[str, list[str]] = {}
    notes: str = ""
    extends: str = ""  # NAME@EDITION of the book that this one changes, or a path beside it


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A clause as it stands in the file."""

    says: str
    topic: str
    severity: Severity
    place: str = ""  # where in the book
    applies_to: AppliesTo = AppliesTo()
    detector: str = ""
    using: dict[str, Any] = {}
    restates: str = ""
    defines: str = ""
    permits: str = ""
    undetectable: str = ""
    not_built: str = ""
    partly: str = ""  # the part of the clause that the detector does not judge
    parameters: dict[str, Any] = {}  # policy values of a clause that has no detector yet
    breach: str = ""  # what would be wrong
    remedy: str = ""
    note: str = ""
    facts: list[str] = []  # what judging it would need, for clauses without a detector
    conflicts_with: list[str] = []
    see: list[str] = []  # numbers of worked examples
    yields_to: list[str] = []  # clauses that are more to the point where both see the same wrong
    off: str = ""  # why the house does not keep it


class Change(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a house's book changes in a clause of the book it extends."""

    says: str = ""
    severity: Severity | None = None
    applies_to: AppliesTo | None = None
    using: dict[str, Any] = {}  # laid over those of the clause, one by one
    remedy: str = ""
    note: str = ""
    off: str = ""  # why the house does not keep it


class Origin(NamedTuple):
    """The book and clause that a clause comes from, under any number."""

    book: str
    clause: str


NO_ORIGIN: Final = Origin("", "")


class ClausePosition(NamedTuple):
    """The position of a clause or a point in its file, for error messages."""

    file: BookFile
    path: tuple[str, ...]

    def wrong(self, error: RulebookError, *inner: str) -> None:
        """Report an error at this position."""
        self.file.wrong((*self.path, *inner), error.message, error.hint.rstrip("."))


@dataclass(slots=True)
class BookDraft:
    """The converted contents of a book, with no detector looked up yet."""

    name: str
    header: Header
    file: BookFile
    digest: str
    entries: dict[str, Entry] = field(default_factory=dict)
    rulings: dict[str, Ruling] = field(default_factory=dict)
    origins: dict[str, Origin] = field(default_factory=dict)
    places: dict[str, ClausePosition] = field(default_factory=dict)  # of clauses and of `policy/POINT`
    base: BookDraft | None = None


def read_draft(name: str, file: BookFile) -> BookDraft:
    """Read a book that extends no other."""
    header, tables = read_header(file)
    book_draft = BookDraft(name, header, file, sha256(file.data).hexdigest())
    policy = tables.pop("policy", {})
    _add_rulings(book_draft, policy)
    for path, table in iter_clauses(tables, file):
        _add_entry(book_draft, path, table)
    file.finish()
    return book_draft


def read_header(file: BookFile) -> tuple[Header, dict[str, object]]:
    """Return the table [rulebook] and the other tables of a file."""
    tables = dict(file.tables)
    header = file.converted(("rulebook",), tables.pop("rulebook", {}), Header)
    if header is None:
        file.finish()
    assert header is not None  # noqa: S101 - `finish` has raised what is wrong with it
    return header, tables


def extend_draft(name: str, file: BookFile, base: BookDraft) -> BookDraft:
    """Apply a house's file to the book that it extends."""
    header, tables = read_header(file)
    games = {**base.header.games, **header.games}
    digest = sha256(f"{base.digest}\n{sha256(file.data).hexdigest()}".encode()).hexdigest()
    book_draft = BookDraft(name, msgspec.structs.replace(header, games=games), file, digest, base=base)
    book_draft.entries, book_draft.rulings = dict(base.entries), dict(base.rulings)
    book_draft.origins, book_draft.places = dict(base.origins), dict(base.places)
    policy, cite = tables.pop("policy", {}), tables.pop("cite", {})
    _add_rulings(book_draft, policy)
    for path, table in iter_clauses(tables, file):
        if ".".join(path) in base.entries:
            _change_clause(book_draft, path, table)
        else:
            _add_house_clause(book_draft, path, table, base)
    numbers = _house_numbers(book_draft, cite, base)
    file.finish()
    return _renumber(book_draft, numbers) if numbers else book_draft


def iter_clauses(
    tables: Mapping[str, object], file: BookFile, parent_path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], dict[str, object]]]:
    """Yield the clauses of nested tables: `[B8a.1]` is the table `1` of the table `B8a`."""
    for key, value in tables.items():
        path = (*parent_path, key)
        if not isinstance(value, dict):
            file.wrong(path, f"{'.'.join(path)} isn't a clause", "a clause is a table with `says`")
            continue
        clause_keys = {
            child_key: child
            for child_key, child in value.items()
            if not isinstance(child, dict) or child_key in _NON_CLAUSE_TABLES
        }
        nested_tables = {child_key: child for child_key, child in value.items() if child_key not in clause_keys}
        if clause_keys:
            yield path, clause_keys
        yield from iter_clauses(nested_tables, file, path)


def _add_rulings(book_draft: BookDraft, policy: object) -> None:
    if not isinstance(policy, dict):
        book_draft.file.wrong(("policy",), "policy isn't a table", "[policy] holds the points, one a line")
        return
    for key, table in policy.items():
        place = ClausePosition(book_draft.file, ("policy", key))
        try:
            house_ruling = _house_ruling(book_draft, key, table)
        except RulebookError as error:
            place.wrong(error)
            continue
        book_draft.places[f"policy/{key}"] = place
        if house_ruling is None:
            book_draft.rulings.pop(key, None)
        else:
            book_draft.rulings[key] = house_ruling
    order = [key for key in POINTS if key in book_draft.rulings]
    book_draft.rulings = {key: book_draft.rulings[key] for key in order}


def _house_ruling(book_draft: BookDraft, key: str, table: object) -> Ruling | None:
    """Return a ruling; a house's ruling without clauses takes those of its base."""
    if book_draft.base and isinstance(table, dict) and set(table) == {"off"}:
        find_point(key)
        if not table["off"] or not isinstance(table["off"], str):
            raise RulebookError(f"{key}: `off` gives no reason", 'Write off = "why".')
        return None
    house_ruling = ruling(key, table)
    base_ruling = book_draft.rulings.get(key)
    if book_draft.base and base_ruling and not house_ruling.clauses:
        wording = house_ruling.says or (base_ruling.says if house_ruling.value == base_ruling.value else "")
        return Ruling(house_ruling.value, base_ruling.clauses, wording, base_ruling.literal)
    return house_ruling


def _add_entry(book_draft: BookDraft, path: tuple[str, ...], table: dict[str, object]) -> None:
    clause = ".".join(path)
    book_draft.places[clause] = ClausePosition(book_draft.file, path)
    book_draft.origins[clause] = Origin(book_draft.name, clause)
    if (entry := book_draft.file.converted(path, table, Entry)) is not None:
        book_draft.entries[clause] = entry


def _add_house_clause(book_draft: BookDraft, path: tuple[str, ...], table: dict[str, object], base: BookDraft) -> None:
    """Add a clause of the house's own, or report that the base has no such clause."""
    if "says" in table:
        _add_entry(book_draft, path, table)
        return
    from difflib import get_close_matches  # noqa: PLC0415 - only to tell of an error

    similar_clauses = get_close_matches(".".join(path), base.entries, 4, 0.5)
    suggestion = f"near it: {', '.join(similar_clauses)}; " if similar_clauses else ""
    book_draft.file.wrong(
        path, f"{base.name} has no clause {'.'.join(path)}", f"{suggestion}a clause of your own needs `says`"
    )


def _change_clause(book_draft: BookDraft, path: tuple[str, ...], table: dict[str, object]) -> None:
    clause = ".".join(path)
    change = book_draft.file.converted(path, table, Change)
    if change is None:
        return
    base_entry = book_draft.entries[clause]
    changed_fields = {
        name: value
        for name in ("says", "severity", "applies_to", "remedy", "note", "off")
        if (value := getattr(change, name))
    }
    book_draft.entries[clause] = msgspec.structs.replace(
        base_entry, **changed_fields, using={**base_entry.using, **change.using}
    )
    book_draft.places[clause] = ClausePosition(book_draft.file, path)


def _house_numbers(book_draft: BookDraft, cite: object, base: BookDraft) -> dict[str, str]:
    """Return the house's own numbers by clause."""
    if not isinstance(cite, dict):
        book_draft.file.wrong(("cite",), "cite isn't a table", '[cite] holds lines as "4.2" = "7.1"')
        return {}
    numbers: dict[str, str] = {}
    for clause, number in cite.items():
        if clause not in book_draft.entries:
            from difflib import get_close_matches  # noqa: PLC0415 - only to tell of an error

            similar_clauses = get_close_matches(clause, book_draft.entries, 4, 0.5)
            book_draft.file.wrong(
                ("cite", clause),
                f"{base.name} has no clause {clause}",
                f"near it: {', '.join(similar_clauses)}" if similar_clauses else "",
            )
        elif (
            not isinstance(number, str)
            or not number.strip().isprintable()
            or not 0 < len(number.strip()) <= _MAX_NUMBER_LENGTH
        ):
            book_draft.file.wrong(
                ("cite", clause),
                f"{number!r} is no number of a clause",
                f"allowed: a text of up to {_MAX_NUMBER_LENGTH} characters",
            )
        else:
            numbers[clause] = number.strip()
    clause_by_number: dict[str, str] = {}
    for clause in book_draft.entries:
        number = numbers.get(clause, clause)
        if number in clause_by_number:
            renumbered_clause = clause if clause in numbers else clause_by_number[number]
            book_draft.file.wrong(
                ("cite", renumbered_clause),
                f"{number} is the number of {clause_by_number[number]} and of {clause}",
                "a number names one clause",
            )
        clause_by_number[number] = clause
    return numbers


def _renumber(book_draft: BookDraft, numbers: Mapping[str, str]) -> BookDraft:
    """Replace clause numbers by the house's own, wherever the book names a clause."""

    def house_number(clause: str) -> str:
        return numbers.get(clause, clause)

    entries = {
        house_number(clause): msgspec.structs.replace(
            entry,
            restates=house_number(entry.restates),
            yields_to=[house_number(other_clause) for other_clause in entry.yields_to],
        )
        for clause, entry in book_draft.entries.items()
    }
    rulings = {
        key: msgspec.structs.replace(
            base_ruling, clauses=tuple(house_number(other_clause) for other_clause in base_ruling.clauses)
        )
        for key, base_ruling in book_draft.rulings.items()
    }
    book_draft.origins = {house_number(clause): origin for clause, origin in book_draft.origins.items()}
    book_draft.places = {house_number(clause): place for clause, place in book_draft.places.items()}
    book_draft.entries, book_draft.rulings = entries, rulings
    return book_draft
