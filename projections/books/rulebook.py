"""Rulebooks: load a book by name, edition or path, with its clauses and their detectors.

`detector = "straddle.too_many"` names the function `too_many` of the module `projections.detectors.straddle`. Loading a
house book checks every name and parameter. A built-in book's detectors are looked up on first use; a test checks them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache, partial
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final, Literal, NamedTuple, Protocol, TypeAlias

import msgspec

import projections
from ledger.errors import RulebookError
from ledger.files.plain_files import read_contents
from ledger.hand.variants import VARIANTS
from ledger.text.language import join_sentences, phrase
from projections.addresses.suggestions import suggest_names
from projections.books.book_draft import (
    UNKNOWN_ORIGIN,
    AppliesTo,
    BookDraft,
    Entry,
    Header,
    Origin,
    extend_draft,
    read_draft,
    read_header,
)
from projections.books.book_file import MAX_BYTES, BookFile
from projections.books.clause_detector import ClauseError, convert_arguments, find_detector
from projections.findings.detector import Detector, DetectorSpec, find_detector_spec
from projections.obligations.policy import Policy

__all__ = [
    "AppliesTo",
    "Clause",
    "Entry",
    "Header",
    "Kind",
    "Rulebook",
    "list_names",
    "load",
    "read",
    "read_house_book",
]

Kind: TypeAlias = Literal["detector", "restates", "defines", "permits", "undetectable", "not-built", "off"]
"""What a clause is: judged by a detector, a repetition of another clause, a definition, a permission, impossible to
check against any record, without a detector so far, or switched off by the house."""

_KINDS: Final[dict[str, Kind]] = {
    "detector": "detector",
    "restates": "restates",
    "defines": "defines",
    "permits": "permits",
    "undetectable": "undetectable",
    "not_built": "not-built",
}
BUILT_IN: Final = "record"
"""The book under which every hand is judged. It has no poker rules: it only checks a record for contradictions."""
BOOK_SUFFIX: Final = ".toml"
"""A name with this suffix is the path of a house's own book."""
_RELEASED_FOLDER: Final = "released"
MAX_EXTENDS_DEPTH: Final = 5  # the longest chain of books that extend each other


@dataclass(frozen=True, slots=True, eq=False)
class Clause:
    """One numbered rule of a book, with its detector."""

    id: str
    book: str
    kind: Kind
    entry: Entry
    variants: frozenset[str] | None  # None = every game
    run: Detector | None  # with its parameters filled in; None = no detector
    spec: DetectorSpec | None
    restated_by: tuple[str, ...] = ()  # clauses that repeat this one and get its verdict
    origin: Origin = UNKNOWN_ORIGIN  # the clause of the book that a house's book extends
    using: tuple[tuple[str, object], ...] = ()  # parameters of the detector

    @property
    def no_detector_reason(self) -> str:
        """The reason why it has no detector; "" = it has one."""
        entry = self.entry
        return entry.off or entry.defines or entry.permits or entry.undetectable or entry.not_built or entry.restates


@dataclass(frozen=True, eq=False)
class Rulebook:
    """A book with its clauses in the book's order."""

    name: str
    title: str
    edition: str
    source: str  # where the rules were published
    digest: str  # SHA-256 of its file, hex; of a house book, over the base's digest and its own
    policy: Policy
    extends: str  # name and edition of the book that this one changes; "" = none
    data: bytes  # bytes of its file
    draft: BookDraft  # its contents before detectors are looked up
    argument: str = ""  # how a command names it, if not by `name`: the path of its file, or NAME@DIGEST

    @property
    def command_argument(self) -> str:
        """What a command takes to load this book again."""
        return self.argument or self.name

    @property
    def plain_name(self) -> str:
        """Its name without an added edition. Fingerprints use it."""
        return self.draft.name

    @property
    def own_files(self) -> tuple[BookDraft, ...]:
        """The drafts of the house's own files in it: its own, then those that it extends."""
        drafts = [self.draft]
        while (newest := drafts[-1]).base is not None and newest.header.extends.endswith(BOOK_SUFFIX):
            drafts.append(newest.base)
        return tuple(drafts)

    @cached_property
    def kinds(self) -> dict[str, Kind]:
        """The kind of each clause, in the book's order. No detector is loaded."""
        entries = self.draft.entries
        return {
            clause: "off" if entry.off or (entry.restates and entries[entry.restates].off) else _find_first_kind(entry)
            for clause, entry in entries.items()
        }

    @cached_property
    def clauses(self) -> dict[str, Clause]:
        """Its clauses with their detectors, looked up on first use."""
        return _build_clauses(self.draft, self.policy)


def _find_first_kind(entry: Entry) -> Kind:
    """Return the kind of a clause without checking that it has exactly one."""
    return next(kind for key, kind in _KINDS.items() if getattr(entry, key))


def list_names() -> list[str]:
    """Return the names of the built-in books, without `record`."""
    file_names = (file.name for file in _rulebooks_folder().iterdir() if file.name.endswith(".toml"))
    return sorted(name.removesuffix(".toml") for name in file_names if name != f"{BUILT_IN}.toml")


def list_editions(name: str) -> list[str]:
    """Return the editions of a built-in book, sorted as text."""
    start, released_folder = f"{name}@", _rulebooks_folder() / _RELEASED_FOLDER
    file_names = [file.name for file in released_folder.iterdir()] if released_folder.is_dir() else []
    released_editions = {
        file_name.removeprefix(start).removesuffix(".toml") for file_name in file_names if file_name.startswith(start)
    }
    return sorted(
        released_editions | {_read_edition_of_file(f"{name}.toml", (_rulebooks_folder() / f"{name}.toml").read_bytes())}
    )


@cache  # parsing a book is slow, and every lookup by edition needs this
def _read_edition_of_file(label: str, data: bytes) -> str:
    """Return the edition that a book's file states."""
    return read_header(BookFile(label, data))[0].edition


@cache
def load(name: str) -> Rulebook:
    """Load a book by `NAME`, `NAME@EDITION` or a path that ends in `.toml`.

    `RulebookError` lists all problems of a file, each with its line.
    """
    book = _build_rulebook(_load_draft(name, None, 0))
    return _load_clauses(replace(book, argument=name)) if name.endswith(BOOK_SUFFIX) else book


def read(name: str, data: bytes) -> Rulebook:
    """Read a house book from the bytes of its file; `RulebookError` lists all problems."""
    return read_house_book(name, (data,))


@lru_cache(maxsize=32)
def read_house_book(name: str, files: tuple[bytes, ...]) -> Rulebook:
    """Read a house book from the bytes of its file, followed by those of the files that it extends, in order."""
    return _load_clauses(
        _build_rulebook(_read_draft(name, BookFile(f"{name}.toml", files[0]), _make_supplied_locator(files[1:]), 0))
    )


class _LocatedFile(NamedTuple):
    """The file of an extended book, with its name and the locator for files that it extends in turn."""

    name: str
    file: BookFile
    locator: _FileLocator | None


class _FileLocator(Protocol):
    """Finds the file of an extended book by the path in `extends`."""

    def __call__(self, path: str, /) -> _LocatedFile:
        """Return the file at a path."""


def _make_folder_locator(folder: Path) -> _FileLocator:
    """Return the locator for files on disk, by paths relative to a folder."""

    def locate(path: str) -> _LocatedFile:
        full_path = folder / path
        try:
            data = read_contents(full_path, MAX_BYTES)
        except OSError as error:
            reason = error.strerror or error
            raise RulebookError(f"the rulebook {path} cannot be read: {reason}") from None
        return _LocatedFile(full_path.stem, BookFile(str(full_path), data), _make_folder_locator(full_path.parent))

    return locate


def _make_supplied_locator(files: tuple[bytes, ...]) -> _FileLocator | None:
    """Return the locator for files supplied with a book, in order, or None if there are none."""
    if not files:
        return None

    def locate(path: str) -> _LocatedFile:
        return _LocatedFile(Path(path).stem, BookFile(path, files[0]), _make_supplied_locator(files[1:]))

    return locate


def _rulebooks_folder() -> Traversable:
    return resources.files(projections) / "rulebooks"


def _load_draft(name: str, locator: _FileLocator | None, depth: int) -> BookDraft:
    """Read the book with a name. `locator` finds the file if the name is a path; `depth`: books that extend this one."""
    if name.endswith(BOOK_SUFFIX):
        located = (locator or _make_folder_locator(Path()))(name)
        return _read_draft(located.name, located.file, located.locator, depth)
    book_name, _, edition = name.partition("@")
    if book_name in list_names() or name == BUILT_IN:
        if edition:
            return _read_edition(book_name, edition)
        return _read_draft(
            name, BookFile(f"{name}.toml", (_rulebooks_folder() / f"{name}.toml").read_bytes()), None, depth
        )
    raise unknown_book_error(name, list_names())


def unknown_book_error(name: str, known_names: Iterable[str]) -> RulebookError:
    """Return the error for an unknown book."""
    names_to_choose = list(known_names)
    known = phrase(
        "Known: {names}. A path that ends in .toml names a book of your own.", names=", ".join(names_to_choose)
    )
    nearest = suggest_names(name, names_to_choose, "")
    return RulebookError(
        phrase("there is no rulebook called {name}", name=repr(name)), join_sentences([*filter(None, (nearest, known))])
    )


def _read_edition(book_name: str, edition: str) -> BookDraft:
    """Read one edition of a built-in book. The newest edition gets the plain name."""
    known_editions = list_editions(book_name)
    if edition not in known_editions:
        raise RulebookError(
            phrase("there is no edition {edition} of {book_name}", edition=repr(edition), book_name=book_name),
            phrase("Known: {editions}.", editions=", ".join(known_editions)),
        )
    newest = _read_draft(
        book_name, BookFile(f"{book_name}.toml", (_rulebooks_folder() / f"{book_name}.toml").read_bytes()), None, 0
    )
    if newest.header.edition == edition:
        return newest
    edition_name = f"{book_name}@{edition}"
    data = (_rulebooks_folder() / _RELEASED_FOLDER / f"{edition_name}.toml").read_bytes()
    return _read_draft(edition_name, BookFile(f"{edition_name}.toml", data), None, 0)


def _read_draft(name: str, file: BookFile, locator: _FileLocator | None, depth: int) -> BookDraft:
    """Read a file, and first the book that it extends; report a wrong `extends`."""
    header, _ = read_header(file)
    if not header.extends:
        return read_draft(name, file)
    path = ("rulebook", "extends")
    if depth >= MAX_EXTENDS_DEPTH:
        file.report_problem(
            path, f"more than {MAX_EXTENDS_DEPTH} books extend one another", "extend a book that stands by itself"
        )
        file.finish()
    is_own_file = header.extends.endswith(BOOK_SUFFIX)
    if is_own_file and locator is None:
        file.report_problem(
            path, "a book that was handed over cannot extend a file of this machine", "extend NAME@EDITION"
        )
        file.finish()
    if not is_own_file and "@" not in header.extends:
        edition_names = (
            ", ".join(f"{header.extends}@{edition}" for edition in list_editions(header.extends))
            if header.extends in list_names()
            else ""
        )
        file.report_problem(
            path,
            f"{header.extends!r} names no edition",
            f"a book extends one edition for good: {edition_names or 'NAME@EDITION'}",
        )
        file.finish()
    try:
        base = _load_draft(header.extends, locator if is_own_file else None, depth + 1)
    except RulebookError as error:
        file.report_problem(path, error.message, error.hint.rstrip("."))
        file.finish()
        raise
    return extend_draft(name, file, base)


def _build_rulebook(draft: BookDraft) -> Rulebook:
    """Return the book of a draft. Its clauses, and problems with them, come up on first use."""
    header = draft.header
    return Rulebook(
        draft.name,
        header.title,
        header.edition,
        header.source,
        draft.digest,
        Policy(draft.rulings),
        header.extends,
        draft.file.data,
        draft,
    )


def _load_clauses(book: Rulebook) -> Rulebook:
    """Load a book's clauses now, so that problems with them are raised."""
    _ = book.clauses
    return book


def _build_clauses(draft: BookDraft, policy: Policy) -> dict[str, Clause]:
    """Build the clauses of a book; `RulebookError` lists all problems."""
    games = _check_games(draft)
    for key, ruling in draft.rulings.items():
        for clause in ruling.clauses:
            if clause not in draft.entries:
                draft.positions[f"policy/{key}"].report(
                    RulebookError(f"{key}: the book has no clause {clause!r}"), "clauses"
                )
    restating_clauses: dict[str, list[str]] = {}
    for clause, entry in draft.entries.items():
        if entry.restates:
            restating_clauses.setdefault(entry.restates, []).append(clause)
    clauses = {}
    for clause, entry in draft.entries.items():
        try:
            clauses[clause] = _build_clause(
                draft, clause, entry, games, policy, tuple(restating_clauses.get(clause, ()))
            )
        except RulebookError as error:
            draft.positions[clause].report(error, *(error.keys if isinstance(error, ClauseError) else ()))
    for file in dict.fromkeys([draft.file, *(position.file for position in draft.positions.values())]):
        file.finish()
    return clauses


def _check_games(draft: BookDraft) -> dict[str, frozenset[str]]:
    """Return the variants of each game in [rulebook.games]; report unknown variants."""
    for game, variants in draft.header.games.items():
        for variant in variants:
            if variant not in VARIANTS:
                draft.file.report_problem(
                    ("rulebook", "games", game),
                    f"the game {game} names an unknown variant {variant!r}",
                    f"known: {', '.join(sorted(VARIANTS))}",
                )
    return {game: frozenset(variants) for game, variants in draft.header.games.items()}


def _require_single_kind(clause: str, entry: Entry) -> Kind:
    """Return the kind of a clause; `ClauseError` unless it has exactly one."""
    stated_kinds = [key for key in _KINDS if getattr(entry, key)]
    if len(stated_kinds) != 1:
        raise ClauseError(
            f"{clause}: it must have exactly one of {', '.join(_KINDS)}, it has {', '.join(stated_kinds) or 'none'}",
            *stated_kinds[1:],
        )
    return _KINDS[stated_kinds[0]]


def _resolve_references(draft: BookDraft, clause: str, entry: Entry) -> Entry:
    """Check that the clauses which an entry names exist. An entry that restates a switched-off clause is off too."""
    for yielded_clause in entry.yields_to:
        if yielded_clause not in draft.entries:
            raise ClauseError(f"{clause}: it yields to {yielded_clause}, which the book has not", "yields_to")
    if not entry.restates:
        return entry
    target = draft.entries.get(entry.restates)
    if target is None or not target.detector:
        raise ClauseError(f"{clause}: it restates {entry.restates}, which has no detector", "restates")
    return msgspec.structs.replace(entry, off=target.off) if target.off and not entry.off else entry


def _build_clause(
    draft: BookDraft,
    clause: str,
    entry: Entry,
    games: dict[str, frozenset[str]],
    policy: Policy,
    restating_clauses: tuple[str, ...],
) -> Clause:
    """Build a clause with its detector; `ClauseError` if anything in it is wrong."""
    kind = _require_single_kind(clause, entry)
    game = entry.applies_to.game
    if game != "all" and game not in games:
        raise ClauseError(
            f"{clause}: the book does not say which games {game!r} means",
            "applies_to",
            hint=f"known: {', '.join(games) or 'none'}",
        )
    entry = _resolve_references(draft, clause, entry)
    variants, origin = games.get(game), draft.origins[clause]
    if not entry.detector:
        if entry.using:
            raise ClauseError(f"{clause}: `using` without a detector", "using")
        return Clause(clause, draft.name, "off" if entry.off else kind, entry, variants, None, None, origin=origin)
    try:
        function = find_detector(entry.detector)
    except RulebookError as error:
        raise ClauseError(f"{clause}: {error.message}", "detector", hint=error.hint) from None
    using = convert_arguments(function, entry, clause, policy)
    if entry.off:
        return Clause(clause, draft.name, "off", entry, variants, None, None, origin=origin)
    return Clause(
        clause,
        draft.name,
        kind,
        entry,
        variants,
        partial(function, **using),
        find_detector_spec(function),
        restating_clauses,
        origin,
        tuple(using.items()),
    )
