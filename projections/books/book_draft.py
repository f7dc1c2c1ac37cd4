"""A rulebook as its file has it, before its detectors are looked up; a house's book over another.

A house's book says `extends = "rrop4@4-r1"` and holds only what it does otherwise. Its clauses may
carry the house's own numbers (`[cite]`); everything that speaks of the book then uses those.
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
from projections.obligations.policy import POINTS, Ruling, known, ruling

_NAMED: Final = frozenset({"using", "parameters", "applies_to"})  # tables that are no clauses
_NUMBER_MOST: Final = 40  # characters of a house's own number


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
    partly: str = ""  # what of the clause the detector does not judge
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
    """Which clause of which book a clause is, whatever number it carries."""

    book: str
    clause: str


NOWHERE: Final = Origin("", "")


class Place(NamedTuple):
    """Where a clause or a point stands, for whoever finds something wrong with it."""

    file: BookFile
    path: tuple[str, ...]

    def wrong(self, error: RulebookError, *inner: str) -> None:
        """Note an error as wrong at this place."""
        self.file.wrong((*self.path, *inner), error.message, error.hint.rstrip("."))


@dataclass(slots=True)
class Draft:
    """Everything a book says, converted, but nothing looked up yet."""

    name: str
    header: Header
    file: BookFile
    digest: str
    entries: dict[str, Entry] = field(default_factory=dict)
    rulings: dict[str, Ruling] = field(default_factory=dict)
    origins: dict[str, Origin] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)  # of clauses and of `policy/POINT`
    base: Draft | None = None


def draft(name: str, file: BookFile) -> Draft:
    """Read a whole book of its own: one that extends none."""
    header, tables = head(file)
    made = Draft(name, header, file, sha256(file.data).hexdigest())
    policy = tables.pop("policy", {})
    _rulings(made, policy)
    for path, table in clauses(tables, file):
        _entry(made, path, table)
    file.finish()
    return made


def head(file: BookFile) -> tuple[Header, dict[str, object]]:
    """Return the table [rulebook], and the other tables of a file."""
    tables = dict(file.tables)
    header = file.converted(("rulebook",), tables.pop("rulebook", {}), Header)
    if header is None:
        file.finish()
    assert header is not None  # noqa: S101 - `finish` has raised what is wrong with it
    return header, tables


def extended(name: str, file: BookFile, base: Draft) -> Draft:
    """Return the book that a house's file makes of the book it extends."""
    header, tables = head(file)
    games = {**base.header.games, **header.games}
    digest = sha256(f"{base.digest}\n{sha256(file.data).hexdigest()}".encode()).hexdigest()
    made = Draft(name, msgspec.structs.replace(header, games=games), file, digest, base=base)
    made.entries, made.rulings = dict(base.entries), dict(base.rulings)
    made.origins, made.places = dict(base.origins), dict(base.places)
    policy, cite = tables.pop("policy", {}), tables.pop("cite", {})
    _rulings(made, policy)
    for path, table in clauses(tables, file):
        if ".".join(path) in base.entries:
            _change(made, path, table)
        else:
            _addition(made, path, table, base)
    numbers = _numbers(made, cite, base)
    file.finish()
    return _renumbered(made, numbers) if numbers else made


def clauses(
    tables: Mapping[str, object], file: BookFile, above: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], dict[str, object]]]:
    """Yield the clauses of nested tables: `[B8a.1]` is the table `1` of the table `B8a`."""
    for key, value in tables.items():
        path = (*above, key)
        if not isinstance(value, dict):
            file.wrong(path, f"{'.'.join(path)} is no clause", "a clause is a table with `says`")
            continue
        own = {k: v for k, v in value.items() if not isinstance(v, dict) or k in _NAMED}
        inner = {k: v for k, v in value.items() if k not in own}
        if own:
            yield path, own
        yield from clauses(inner, file, path)


def _rulings(made: Draft, policy: object) -> None:
    if not isinstance(policy, dict):
        made.file.wrong(("policy",), "policy is no table", "[policy] holds the points, one a line")
        return
    for key, table in policy.items():
        place = Place(made.file, ("policy", key))
        try:
            found = _ruling(made, key, table)
        except RulebookError as error:
            place.wrong(error)
            continue
        made.places[f"policy/{key}"] = place
        if found is None:
            made.rulings.pop(key, None)
        else:
            made.rulings[key] = found
    order = [key for key in POINTS if key in made.rulings]
    made.rulings = {key: made.rulings[key] for key in order}


def _ruling(made: Draft, key: str, table: object) -> Ruling | None:
    """Return a ruling; of a house's book one that takes over the clauses it does not name."""
    if made.base and isinstance(table, dict) and set(table) == {"off"}:
        known(key)
        if not table["off"] or not isinstance(table["off"], str):
            raise RulebookError(f"{key}: `off` gives no reason", 'Write off = "why".')
        return None
    found = ruling(key, table)
    before = made.rulings.get(key)
    if made.base and before and not found.clauses:
        says = found.says or (before.says if found.value == before.value else "")
        return Ruling(found.value, before.clauses, says, before.literal)
    return found


def _entry(made: Draft, path: tuple[str, ...], table: dict[str, object]) -> None:
    clause = ".".join(path)
    made.places[clause] = Place(made.file, path)
    made.origins[clause] = Origin(made.name, clause)
    if (found := made.file.converted(path, table, Entry)) is not None:
        made.entries[clause] = found


def _addition(made: Draft, path: tuple[str, ...], table: dict[str, object], base: Draft) -> None:
    """Take a clause of the house's own, or say that the other book has none of that name."""
    if "says" in table:
        _entry(made, path, table)
        return
    from difflib import get_close_matches  # noqa: PLC0415 - only to tell of an error

    near = get_close_matches(".".join(path), base.entries, 4, 0.5)
    may = f"near it: {', '.join(near)}; " if near else ""
    made.file.wrong(path, f"{base.name} has no clause {'.'.join(path)}", f"{may}a clause of your own needs `says`")


def _change(made: Draft, path: tuple[str, ...], table: dict[str, object]) -> None:
    clause = ".".join(path)
    found = made.file.converted(path, table, Change)
    if found is None:
        return
    before = made.entries[clause]
    told = {
        name: value
        for name in ("says", "severity", "applies_to", "remedy", "note", "off")
        if (value := getattr(found, name))
    }
    made.entries[clause] = msgspec.structs.replace(before, **told, using={**before.using, **found.using})
    made.places[clause] = Place(made.file, path)


def _numbers(made: Draft, cite: object, base: Draft) -> dict[str, str]:
    """Return the house's own number of each clause that has one."""
    if not isinstance(cite, dict):
        made.file.wrong(("cite",), "cite is no table", '[cite] holds lines as "4.2" = "7.1"')
        return {}
    numbers: dict[str, str] = {}
    for clause, number in cite.items():
        if clause not in made.entries:
            from difflib import get_close_matches  # noqa: PLC0415 - only to tell of an error

            near = get_close_matches(clause, made.entries, 4, 0.5)
            made.file.wrong(
                ("cite", clause), f"{base.name} has no clause {clause}", f"near it: {', '.join(near)}" if near else ""
            )
        elif (
            not isinstance(number, str)
            or not number.strip().isprintable()
            or not 0 < len(number.strip()) <= _NUMBER_MOST
        ):
            made.file.wrong(
                ("cite", clause),
                f"{number!r} is no number of a clause",
                f"allowed: a text of up to {_NUMBER_MOST} characters",
            )
        else:
            numbers[clause] = number.strip()
    taken: dict[str, str] = {}
    for clause in made.entries:
        number = numbers.get(clause, clause)
        if number in taken:
            at = clause if clause in numbers else taken[number]
            made.file.wrong(
                ("cite", at), f"{number} is the number of {taken[number]} and of {clause}", "a number names one clause"
            )
        taken[number] = clause
    return numbers


def _renumbered(made: Draft, numbers: Mapping[str, str]) -> Draft:
    """Return the book with the house's own numbers wherever it names a clause of its own."""

    def own(clause: str) -> str:
        return numbers.get(clause, clause)

    entries = {
        own(clause): msgspec.structs.replace(
            entry, restates=own(entry.restates), yields_to=[own(one) for one in entry.yields_to]
        )
        for clause, entry in made.entries.items()
    }
    rulings = {
        key: msgspec.structs.replace(found, clauses=tuple(own(one) for one in found.clauses))
        for key, found in made.rulings.items()
    }
    made.origins = {own(clause): origin for clause, origin in made.origins.items()}
    made.places = {own(clause): place for clause, place in made.places.items()}
    made.entries, made.rulings = entries, rulings
    return made
