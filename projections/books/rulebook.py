"""Rulebooks: files of clauses in the book's own order, each with its detector or the reason why it has none.

A detector's name is its path: `detector = "straddle.too_many"` is the function `too_many` of the module
`projections.detectors.straddle`. A wrong name or parameter fails when a house's book is loaded. A test checks the
books of the program, whose detectors are looked up only when needed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
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
from projections.books.book_draft import (
    NO_ORIGIN,
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
from projections.findings.detector import Detector, DetectorSpec, detector_spec
from projections.obligations.policy import Policy

__all__ = ["AppliesTo", "Clause", "Entry", "Header", "Kind", "Rulebook", "load", "names", "read", "read_house_book"]

Kind: TypeAlias = Literal["detector", "restates", "defines", "permits", "undetectable", "not-built", "off"]
"""What a clause does: a detector judges it, it restates another clause, it defines how states are derived, it
permits something, no record can show it, its detector is not built yet, or the house switched it off."""

_KINDS: Final[dict[str, Kind]] = {
    "detector": "detector",
    "restates": "restates",
    "defines": "defines",
    "permits": "permits",
    "undetectable": "undetectable",
    "not_built": "not-built",
}
BUILT_IN: Final = "record"
"""The book that is always judged: a record must agree with itself. It holds no house's rules."""
BOOK_SUFFIX: Final = ".toml"
"""The ending of a name that is the path of a house's own book."""
_RELEASED: Final = "released"
MAX_EXTENDS_DEPTH: Final = 5  # books that extend one another


@dataclass(frozen=True, slots=True, eq=False)
class Clause:
    """One numbered sentence of a book, ready to be judged."""

    id: str
    book: str
    kind: Kind
    entry: Entry
    variants: frozenset[str] | None  # None: every game
    run: Detector | None  # with its parameters filled in
    spec: DetectorSpec | None
    restated_by: tuple[str, ...] = ()  # clauses that say the same and are judged with this one
    origin: Origin = NO_ORIGIN  # the clause of the book that a house's book extends
    using: tuple[tuple[str, object], ...] = ()  # parameters of the detector

    @property
    def no_detector_reason(self) -> str:
        """The reason why it has no detector."""
        entry = self.entry
        return entry.off or entry.defines or entry.permits or entry.undetectable or entry.not_built or entry.restates


@dataclass(frozen=True, eq=False)
class Rulebook:
    """A book with its clauses in the book's order.

    `digest` is the SHA-256 of its file, hex; for a house's book, of the base's digest and its own.
    """

    name: str
    title: str
    edition: str
    source: str
    digest: str
    policy: Policy
    extends: str  # name and edition of the book that this one changes
    data: bytes  # its file
    draft: BookDraft  # the source of its clauses

    @property
    def plain_name(self) -> str:
        """Its name without a suffix that distinguishes editions; stored findings use it."""
        return self.draft.name

    @property
    def own_files(self) -> tuple[BookDraft, ...]:
        """The house's own files that it consists of: its own, and those that it extends."""
        drafts = [self.draft]
        while (newest := drafts[-1]).base is not None and newest.header.extends.endswith(BOOK_SUFFIX):
            drafts.append(newest.base)
        return tuple(drafts)

    @cached_property
    def kinds(self) -> dict[str, Kind]:
        """The kind of each clause of a sound book, in the book's order, without loading detectors."""
        entries = self.draft.entries
        return {
            clause: "off" if entry.off or (entry.restates and entries[entry.restates].off) else _kind(entry)
            for clause, entry in entries.items()
        }

    @cached_property
    def clauses(self) -> dict[str, Clause]:
        """Its clauses with their detectors, looked up on first use."""
        return _build_clauses(self.draft, self.policy)


def _kind(entry: Entry) -> Kind:
    """Return the kind of a clause that is not switched off: the first key that is set."""
    return next(kind for key, kind in _KINDS.items() if getattr(entry, key))


def names() -> list[str]:
    """Return the names of the books that come with the program."""
    file_names = (file.name for file in _folder().iterdir() if file.name.endswith(".toml"))
    return sorted(name.removesuffix(".toml") for name in file_names if name != f"{BUILT_IN}.toml")


def editions(name: str) -> list[str]:
    """Return the editions of a book, for NAME@EDITION, sorted by name."""
    start, released_folder = f"{name}@", _folder() / _RELEASED
    file_names = [file.name for file in released_folder.iterdir()] if released_folder.is_dir() else []
    released_editions = {
        file_name.removeprefix(start).removesuffix(".toml") for file_name in file_names if file_name.startswith(start)
    }
    return sorted(released_editions | {_edition_in_file(f"{name}.toml", (_folder() / f"{name}.toml").read_bytes())})


@cache  # a book is long, and every look-up by edition needs this
def _edition_in_file(label: str, data: bytes) -> str:
    return read_header(BookFile(label, data))[0].edition


@cache
def load(name: str) -> Rulebook:
    """Load a book: `NAME`, `NAME@EDITION` or a path that ends in `.toml`.

    Any problem raises `RulebookError` with its place: `file:line`.
    """
    book = _build_rulebook(_load_draft(name, None, 0))
    return _require_sound(book) if name.endswith(BOOK_SUFFIX) else book


def read(name: str, data: bytes) -> Rulebook:
    """Read a book from the bytes of its file; any problem raises `RulebookError`."""
    return read_house_book(name, (data,))


@lru_cache(maxsize=32)
def read_house_book(name: str, files: tuple[bytes, ...]) -> Rulebook:
    """Read a house's own book from the bytes of its file, then of the files that it extends, in order."""
    return _require_sound(
        _build_rulebook(_read_draft(name, BookFile(f"{name}.toml", files[0]), _supplied_locator(files[1:]), 0))
    )


class _LocatedFile(NamedTuple):
    """The file of an extended book: its name, and the locator for files that it extends in turn."""

    name: str
    file: BookFile
    locator: _FileLocator | None


class _FileLocator(Protocol):
    """Finds the files that a book extends by their paths."""

    def __call__(self, path: str, /) -> _LocatedFile:
        """Return the file at a path."""


def _folder_locator(folder: Path) -> _FileLocator:
    def locate(path: str) -> _LocatedFile:
        full_path = folder / path
        try:
            data = read_contents(full_path, MAX_BYTES)
        except OSError as error:
            reason = error.strerror or error
            raise RulebookError(f"the rulebook {path} cannot be read: {reason}") from None
        return _LocatedFile(full_path.stem, BookFile(str(full_path), data), _folder_locator(full_path.parent))

    return locate


def _supplied_locator(files: tuple[bytes, ...]) -> _FileLocator | None:
    """Return the locator for files that were supplied with a book."""
    if not files:
        return None

    def locate(path: str) -> _LocatedFile:
        return _LocatedFile(Path(path).stem, BookFile(path, files[0]), _supplied_locator(files[1:]))

    return locate


def _folder() -> Traversable:
    return resources.files(projections) / "rulebooks"


def _load_draft(name: str, locator: _FileLocator | None, depth: int) -> BookDraft:
    """Read the book of a name; `locator` finds files that it may extend."""
    if name.endswith(BOOK_SUFFIX):
        located = (locator or _folder_locator(Path()))(name)
        return _read_draft(located.name, located.file, located.locator, depth)
    book_name, _, edition = name.partition("@")
    if book_name in names() or name == BUILT_IN:
        if edition:
            return _read_edition(book_name, edition)
        return _read_draft(name, BookFile(f"{name}.toml", (_folder() / f"{name}.toml").read_bytes()), None, depth)
    raise unknown_book_error(name, names())


def unknown_book_error(name: str, known_names: Iterable[str]) -> RulebookError:
    """Return the error for an unknown book."""
    return RulebookError(
        f"there is no rulebook called {name!r}",
        f"Known: {', '.join(known_names)}. A path that ends in .toml names a book of your own.",
    )


def _read_edition(book_name: str, edition: str) -> BookDraft:
    """Read one edition of a program's book; the newest has the plain name."""
    known_editions = editions(book_name)
    if edition not in known_editions:
        raise RulebookError(f"there is no edition {edition!r} of {book_name}", f"Known: {', '.join(known_editions)}.")
    newest = _read_draft(
        book_name, BookFile(f"{book_name}.toml", (_folder() / f"{book_name}.toml").read_bytes()), None, 0
    )
    if newest.header.edition == edition:
        return newest
    edition_name = f"{book_name}@{edition}"
    data = (_folder() / _RELEASED / f"{edition_name}.toml").read_bytes()
    return _read_draft(edition_name, BookFile(f"{edition_name}.toml", data), None, 0)


def _read_draft(name: str, file: BookFile, locator: _FileLocator | None, depth: int) -> BookDraft:
    header, _ = read_header(file)
    if not header.extends:
        return read_draft(name, file)
    path = ("rulebook", "extends")
    if depth >= MAX_EXTENDS_DEPTH:
        file.wrong(
            path, f"more than {MAX_EXTENDS_DEPTH} books extend one another", "extend a book that stands by itself"
        )
        file.finish()
    is_own_file = header.extends.endswith(BOOK_SUFFIX)
    if is_own_file and locator is None:
        file.wrong(path, "a book that was handed over cannot extend a file of this machine", "extend NAME@EDITION")
        file.finish()
    if not is_own_file and "@" not in header.extends:
        edition_names = (
            ", ".join(f"{header.extends}@{edition}" for edition in editions(header.extends))
            if header.extends in names()
            else ""
        )
        file.wrong(
            path,
            f"{header.extends!r} names no edition",
            f"a book extends one edition for good: {edition_names or 'NAME@EDITION'}",
        )
        file.finish()
    try:
        base = _load_draft(header.extends, locator if is_own_file else None, depth + 1)
    except RulebookError as error:
        file.wrong(path, error.message, error.hint.rstrip("."))
        file.finish()
        raise
    return extend_draft(name, file, base)


def _build_rulebook(draft: BookDraft) -> Rulebook:
    """Return a book whose clauses are looked up later; only then are their problems raised."""
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


def _require_sound(book: Rulebook) -> Rulebook:
    """Look up everything that a book names; raise all problems."""
    _ = book.clauses
    return book


def _build_clauses(draft: BookDraft, policy: Policy) -> dict[str, Clause]:
    """Look up the clauses of a book; raise all problems."""
    games = _check_games(draft)
    for key, ruled in draft.rulings.items():
        for clause in ruled.clauses:
            if clause not in draft.entries:
                draft.places[f"policy/{key}"].wrong(
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
            draft.places[clause].wrong(error, *(error.keys if isinstance(error, ClauseError) else ()))
    for file in dict.fromkeys([draft.file, *(place.file for place in draft.places.values())]):
        file.finish()
    return clauses


def _check_games(draft: BookDraft) -> dict[str, frozenset[str]]:
    for game, variants in draft.header.games.items():
        for variant in variants:
            if variant not in VARIANTS:
                draft.file.wrong(
                    ("rulebook", "games", game),
                    f"the game {game} names an unknown variant {variant!r}",
                    f"known: {', '.join(sorted(VARIANTS))}",
                )
    return {game: frozenset(variants) for game, variants in draft.header.games.items()}


def _kind_of(clause: str, entry: Entry) -> Kind:
    """Return what a clause is; it must be exactly one thing."""
    stated_kinds = [key for key in _KINDS if getattr(entry, key)]
    if len(stated_kinds) != 1:
        raise ClauseError(
            f"{clause}: it must have exactly one of {', '.join(_KINDS)}, it has {', '.join(stated_kinds) or 'none'}",
            *stated_kinds[1:],
        )
    return _KINDS[stated_kinds[0]]


def _resolve_references(draft: BookDraft, clause: str, entry: Entry) -> Entry:
    """Check the clauses that a clause names. One that restates a clause turned off is off itself."""
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
    kind = _kind_of(clause, entry)
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
        detector_spec(function),
        restating_clauses,
        origin,
        tuple(using.items()),
    )
