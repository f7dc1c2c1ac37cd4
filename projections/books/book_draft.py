"""Read rulebook files into drafts: entries and rulings without their detectors. House books extend another book.

A house book says `extends = "rrop4@4-r1"` and contains only its changes. `[cite]` may give its clauses the house's own
numbers, and every citation then uses those.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final, Literal, NamedTuple, TypeGuard

import msgspec

from ledger.errors import RulebookError
from projections.books.book_file import BookFile
from projections.findings.finding import Severity
from projections.obligations.policy import POINTS, Ruling, find_point, parse_ruling

_NON_CLAUSE_TABLES: Final = frozenset({"using", "parameters", "applies_to"})  # tables inside a clause's table
_MAX_NUMBER_LENGTH: Final = 40  # characters


class AppliesTo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The hands that a clause is about."""

    format: Literal["cash", "tournament", "both"] = "both"
    betting: Literal["limit", "pot_limit", "no_limit", "big_bet", "all"] = "all"
    game: str = "all"  # a key of [rulebook.games]


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table [rulebook] of a file."""

    title: str
    edition: str
    source: str
    games: dict[str, list[str]] = {}
    notes: str = ""
    extends: str = ""  # NAME@EDITION of the book that this one changes, or the path of its file


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A clause as written in the file.

    Exactly one of `detector`, `restates`, `defines`, `permits`, `undetectable` and `not_built` is set.
    """

    says: str
    topic: str
    severity: Severity
    place: str = ""  # where it is in the printed book
    applies_to: AppliesTo = AppliesTo()
    detector: str = ""
    using: dict[str, Any] = {}  # parameters of the detector
    restates: str = ""  # the clause that it repeats
    defines: str = ""
    permits: str = ""
    undetectable: str = ""  # why no record can show a breach
    not_built: str = ""  # why it has no detector yet
    partly: str = ""  # the part of the clause that the detector doesn't judge
    parameters: dict[str, Any] = {}  # policy values of a clause that has no detector yet
    breach: str = ""  # what would be wrong
    remedy: str = ""
    note: str = ""
    facts: list[str] = []  # the facts that judging it would need, for a clause without a detector
    conflicts_with: list[str] = []  # clauses of other books that say otherwise: BOOK.NUMBER
    see: list[str] = []  # numbers of worked examples
    yields_to: list[str] = []  # clauses that take precedence if they find the same violation
    off: str = ""  # why the house doesn't enforce it


class Change(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A house book's changes to a clause of the book it extends. An empty field leaves the clause's field as it is."""

    says: str = ""
    severity: Severity | None = None
    applies_to: AppliesTo | None = None
    using: dict[str, Any] = {}  # replaces single parameters; the others stay
    remedy: str = ""
    note: str = ""
    off: str = ""  # why the house doesn't enforce it


class Origin(NamedTuple):
    """The book in which a clause was first written, and its number there."""

    book: str
    clause: str


UNKNOWN_ORIGIN: Final = Origin("", "")


class FilePosition(NamedTuple):
    """The position of a clause or a policy point in its file, for error messages."""

    file: BookFile
    path: tuple[str, ...]

    def report(self, error: RulebookError, *inner: str) -> None:
        """Report an error at this position."""
        self.file.report_problem((*self.path, *inner), error.message, error.hint.rstrip("."))


@dataclass(slots=True)
class BookDraft:
    """The contents of a rulebook before its detectors are looked up."""

    name: str
    header: Header
    file: BookFile
    digest: str  # hex SHA-256 of the file; for a house book, of the base's digest and the file's
    entries: dict[str, Entry] = field(default_factory=dict)  # by clause number
    rulings: dict[str, Ruling] = field(default_factory=dict)  # by policy point
    origins: dict[str, Origin] = field(default_factory=dict)  # by clause number
    positions: dict[str, FilePosition] = field(default_factory=dict)  # by clause number, or `policy/POINT`
    base: BookDraft | None = None  # the book that it extends


def read_draft(name: str, file: BookFile) -> BookDraft:
    """Read a book that doesn't extend another."""
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
    header = file.convert_table(("rulebook",), tables.pop("rulebook", {}), Header)
    if header is None:  # `convert_table` has reported why
        file.fail()
    return header, tables


def extend_draft(name: str, file: BookFile, base: BookDraft) -> BookDraft:
    """Apply a house book's file to the book that it extends."""
    header, tables = read_header(file)
    games = {**base.header.games, **header.games}
    digest = sha256(f"{base.digest}\n{sha256(file.data).hexdigest()}".encode()).hexdigest()
    book_draft = BookDraft(name, msgspec.structs.replace(header, games=games), file, digest, base=base)
    book_draft.entries, book_draft.rulings = dict(base.entries), dict(base.rulings)
    book_draft.origins, book_draft.positions = dict(base.origins), dict(base.positions)
    policy, cite = tables.pop("policy", {}), tables.pop("cite", {})
    _add_rulings(book_draft, policy)
    for path, table in iter_clauses(tables, file):
        if ".".join(path) in base.entries:
            _apply_change(book_draft, path, table)
        else:
            _add_house_clause(book_draft, path, table, base)
    numbers = _read_house_numbers(book_draft, cite, base)
    file.finish()
    return _renumber(book_draft, numbers) if numbers else book_draft


def iter_clauses(
    tables: Mapping[str, object], file: BookFile, parent_path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], dict[str, object]]]:
    """Yield each clause's path and its own fields. TOML nests them: `[B8a.1]` is the table `1` in the table `B8a`."""
    for key, value in tables.items():
        path = (*parent_path, key)
        if not isinstance(value, dict):
            file.report_problem(path, f"{'.'.join(path)} isn't a clause", "a clause is a table with `says`")
            continue
        own_fields: dict[str, object] = {}
        nested_clauses: dict[str, object] = {}
        for child_key, child in value.items():
            if isinstance(child, dict) and child_key not in _NON_CLAUSE_TABLES:
                nested_clauses[child_key] = child
            else:
                own_fields[child_key] = child
        if own_fields:
            yield path, own_fields
        yield from iter_clauses(nested_clauses, file, path)


def _add_rulings(book_draft: BookDraft, policy: object) -> None:
    """Add the rulings of the table [policy] of any book, in the order of `POINTS`, and report wrong ones."""
    if not isinstance(policy, dict):
        book_draft.file.report_problem(("policy",), "policy isn't a table", "[policy] holds the points, one a line")
        return
    for key, table in policy.items():
        position = FilePosition(book_draft.file, ("policy", key))
        try:
            ruling = _read_ruling(book_draft, key, table)
        except RulebookError as error:
            position.report(error)
            continue
        book_draft.positions[f"policy/{key}"] = position
        if ruling is None:
            book_draft.rulings.pop(key, None)
        else:
            book_draft.rulings[key] = ruling
    order = [key for key in POINTS if key in book_draft.rulings]
    book_draft.rulings = {key: book_draft.rulings[key] for key in order}


def _read_ruling(book_draft: BookDraft, point_key: str, table: object) -> Ruling | None:
    """Return a ruling of a book, or None if a house book switches the point off.

    A house book's ruling that names no clauses keeps those of the base book.
    """
    if book_draft.base and isinstance(table, dict) and set(table) == {"off"}:
        find_point(point_key)
        if not table["off"] or not isinstance(table["off"], str):
            raise RulebookError(f"{point_key}: `off` gives no reason", 'Write off = "why".')
        return None
    ruling = parse_ruling(point_key, table)
    base_ruling = book_draft.rulings.get(point_key)
    if book_draft.base and base_ruling and not ruling.clauses:
        # The base's wording describes the base's value, so it's kept only with that value.
        wording = ruling.says or (base_ruling.says if ruling.value == base_ruling.value else "")
        return Ruling(ruling.value, base_ruling.clauses, wording, base_ruling.literal)
    return ruling


def _add_entry(book_draft: BookDraft, path: tuple[str, ...], table: dict[str, object]) -> None:
    """Add a clause that the book itself writes. Its file reports a wrong one, which isn't added."""
    clause = ".".join(path)
    book_draft.positions[clause] = FilePosition(book_draft.file, path)
    book_draft.origins[clause] = Origin(book_draft.name, clause)
    if (entry := book_draft.file.convert_table(path, table, Entry)) is not None:
        book_draft.entries[clause] = entry


def _add_house_clause(book_draft: BookDraft, path: tuple[str, ...], table: dict[str, object], base: BookDraft) -> None:
    """Add a clause of the house's own. One without `says` is reported as a change to an unknown clause."""
    if "says" in table:
        _add_entry(book_draft, path, table)
        return
    clause = ".".join(path)
    suggestion = _suggest_clauses(clause, base.entries)
    hint = f"{suggestion}; a clause of your own needs `says`" if suggestion else "a clause of your own needs `says`"
    book_draft.file.report_problem(path, f"{base.name} has no clause {clause}", hint)


def _suggest_clauses(clause: str, known_clauses: Iterable[str]) -> str:
    """Return the known clauses with a number like this one as a hint, or "" if there are none."""
    from difflib import get_close_matches  # noqa: PLC0415 - only for an error message

    similar_clauses = get_close_matches(clause, known_clauses, 4, 0.5)
    return f"near it: {', '.join(similar_clauses)}" if similar_clauses else ""


def _apply_change(book_draft: BookDraft, path: tuple[str, ...], table: dict[str, object]) -> None:
    """Apply a house's change to a clause of the base."""
    clause = ".".join(path)
    change = book_draft.file.convert_table(path, table, Change)
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
    book_draft.positions[clause] = FilePosition(book_draft.file, path)


def _read_house_numbers(book_draft: BookDraft, cite: object, base: BookDraft) -> dict[str, str]:
    """Return the house's own number of each clause in the table [cite], by the clause's number in the book.

    Report wrong numbers, and numbers that two clauses of the book would share.
    """
    if not isinstance(cite, dict):
        book_draft.file.report_problem(("cite",), "cite isn't a table", '[cite] holds lines as "4.2" = "7.1"')
        return {}
    numbers: dict[str, str] = {}
    for clause, number in cite.items():
        if clause not in book_draft.entries:
            book_draft.file.report_problem(
                ("cite", clause), f"{base.name} has no clause {clause}", _suggest_clauses(clause, book_draft.entries)
            )
        elif not _is_clause_number(number):
            book_draft.file.report_problem(
                ("cite", clause),
                f"{number!r} is no number of a clause",
                f"allowed: a text of up to {_MAX_NUMBER_LENGTH} characters",
            )
        else:
            numbers[clause] = number.strip()
    _report_shared_numbers(book_draft, numbers)
    return numbers


def _is_clause_number(number: object) -> TypeGuard[str]:
    """Whether a value of [cite] can be the number of a clause."""
    return isinstance(number, str) and number.strip().isprintable() and 0 < len(number.strip()) <= _MAX_NUMBER_LENGTH


def _report_shared_numbers(book_draft: BookDraft, numbers: Mapping[str, str]) -> None:
    """Report numbers that two clauses of the book would share. Clauses that [cite] leaves out keep their numbers."""
    clause_by_number: dict[str, str] = {}
    for clause in book_draft.entries:
        number = numbers.get(clause, clause)
        if number in clause_by_number:
            # Report it where [cite] gave the number. At least one of the two clauses has its number from there.
            other_clause = clause_by_number[number]
            renumbered_clause = clause if clause in numbers else other_clause
            book_draft.file.report_problem(
                ("cite", renumbered_clause),
                f"{number} is the number of {other_clause} and of {clause}",
                "a number names one clause",
            )
        clause_by_number[number] = clause


def _renumber(book_draft: BookDraft, numbers: Mapping[str, str]) -> BookDraft:
    """Replace the draft's own clause numbers by the house's, and return the same draft."""

    def find_house_number(clause: str) -> str:
        return numbers.get(clause, clause)

    entries = {
        find_house_number(clause): msgspec.structs.replace(
            entry,
            restates=find_house_number(entry.restates),
            yields_to=[find_house_number(other_clause) for other_clause in entry.yields_to],
        )
        for clause, entry in book_draft.entries.items()
    }
    rulings = {
        key: msgspec.structs.replace(
            ruling, clauses=tuple(find_house_number(other_clause) for other_clause in ruling.clauses)
        )
        for key, ruling in book_draft.rulings.items()
    }
    book_draft.origins = {find_house_number(clause): origin for clause, origin in book_draft.origins.items()}
    book_draft.positions = {find_house_number(clause): position for clause, position in book_draft.positions.items()}
    book_draft.entries, book_draft.rulings = entries, rulings
    return book_draft
