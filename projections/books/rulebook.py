"""Rulebooks: data files of clauses in the book's own order, each with its detector or the reason why not.

The name is the path: `detector = "straddle.too_many"` is the function `too_many` of the module
`projections.detectors.straddle`. A wrong name or parameter fails when the book is loaded; of the books that
come with the program a test says that none is wrong, and their detectors are looked up when one is asked for.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, partial
from importlib import import_module, resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final, Literal, NamedTuple, Protocol, TypeAlias, get_type_hints

import msgspec

import projections
from ledger.errors import RulebookError
from ledger.hand.variants import VARIANTS
from ledger.plain import contents
from projections.books.book_draft import NOWHERE, AppliesTo, Draft, Entry, Header, Origin, draft, extended, head
from projections.books.book_file import BYTES_MOST, BookFile, explained
from projections.findings.detector import Detector, Trait, trait
from projections.obligations.policy import Policy, allowed, known

__all__ = ["AppliesTo", "Clause", "Entry", "Header", "Kind", "Rulebook", "load", "names", "of_house", "read"]

Kind: TypeAlias = Literal["detector", "restates", "defines", "permits", "undetectable", "not-built", "off"]
"""What a clause does: it is judged, says what another clause of the book says, shapes how a state is
derived, says who may do something, cannot be seen in any record, waits for its detector, or is
switched off by the house."""

_KINDS: Final[dict[str, Kind]] = {
    "detector": "detector",
    "restates": "restates",
    "defines": "defines",
    "permits": "permits",
    "undetectable": "undetectable",
    "not_built": "not-built",
}
BUILT_IN: Final = "record"
"""The book that is always judged: what a record says must agree with itself. It is no house's rule."""
FILE: Final = ".toml"
"""How a name ends that is the path of a book of one's own."""
_RELEASED: Final = "released"
DEPTH_MOST: Final = 5  # books that extend one another


@dataclass(frozen=True, slots=True, eq=False)
class Clause:
    """One numbered sentence of a book, ready to be judged."""

    id: str
    book: str
    kind: Kind
    entry: Entry
    variants: frozenset[str] | None  # None: every game
    run: Detector | None  # with its parameters filled in
    trait: Trait | None
    also: tuple[str, ...] = ()  # clauses that say the same and are judged with this one
    origin: Origin = NOWHERE  # the clause of the book that a house's book extends
    using: tuple[tuple[str, object], ...] = ()  # parameters of the detector

    @property
    def why(self) -> str:
        """What stands in place of a detector."""
        entry = self.entry
        return entry.off or entry.defines or entry.permits or entry.undetectable or entry.not_built or entry.restates


@dataclass(frozen=True, eq=False)
class Rulebook:
    """A book with its clauses in the book's order.

    `digest` is the SHA-256 of its file, hex; of a house's book that of the other's and its own.
    """

    name: str
    title: str
    edition: str
    source: str
    digest: str
    policy: Policy
    extends: str  # name and edition of the book that this one changes
    data: bytes  # its file
    made: Draft  # what its clauses are looked up from

    @property
    def plain_name(self) -> str:
        """Its name without what may tell it from an edition beside it: what is kept of it goes by this."""
        return self.made.name

    @property
    def own_files(self) -> tuple[Draft, ...]:
        """The files of a house's own that it is made of: itself, and those that it extends."""
        found = [self.made]
        while (last := found[-1]).base is not None and last.header.extends.endswith(FILE):
            found.append(last.base)
        return tuple(found)

    @cached_property
    def kinds(self) -> dict[str, Kind]:
        """What each clause does, in the book's order: known without the detectors. Of a sound book."""
        entries = self.made.entries
        return {
            clause: "off" if entry.off or (entry.restates and entries[entry.restates].off) else _kind(entry)
            for clause, entry in entries.items()
        }

    @cached_property
    def clauses(self) -> dict[str, Clause]:
        """Its clauses with their detectors, looked up when they are first asked for."""
        return _clauses(self.made, self.policy)


def _kind(entry: Entry) -> Kind:
    """Return what a clause does that is not switched off: the first of the keys that say so."""
    return next(kind for key, kind in _KINDS.items() if getattr(entry, key))


def names() -> list[str]:
    """Return the names of the books that come with the program."""
    found = (file.name for file in _folder().iterdir() if file.name.endswith(".toml"))
    return sorted(name.removesuffix(".toml") for name in found if name != f"{BUILT_IN}.toml")


def editions(name: str) -> list[str]:
    """Return the editions of a book that can be asked for as NAME@EDITION, sorted by name."""
    start, kept = f"{name}@", _folder() / _RELEASED
    found = [file.name for file in kept.iterdir()] if kept.is_dir() else []
    old = {one.removeprefix(start).removesuffix(".toml") for one in found if one.startswith(start)}
    return sorted(old | {_named(f"{name}.toml", (_folder() / f"{name}.toml").read_bytes())})


@cache  # a book is long, and this is asked of each that is looked for by its edition
def _named(shown: str, data: bytes) -> str:
    return head(BookFile(shown, data))[0].edition


@cache
def load(name: str) -> Rulebook:
    """Load a book: `NAME`, `NAME@EDITION` or a path that ends in `.toml`.

    Whatever is wrong with it raises `RulebookError`, which says where: `file:line`.
    """
    book = _built(_draft(name, None, 0))
    return _checked(book) if name.endswith(FILE) else book


def read(name: str, data: bytes) -> Rulebook:
    """Read a book from the bytes of its file; anything wrong with it raises `RulebookError`."""
    return of_house(name, (data,))


@lru_cache(maxsize=32)
def of_house(name: str, files: tuple[bytes, ...]) -> Rulebook:
    """Read a book of a house's own from the bytes of its file, and of those files that it extends, in this order."""
    return _checked(_built(_read(name, BookFile(f"{name}.toml", files[0]), _behind(files[1:]), 0)))


class _Found(NamedTuple):
    """The file of a book that another names: what it is called, and where what itself names is found."""

    name: str
    file: BookFile
    beside: _Beside | None


class _Beside(Protocol):
    """Where the files lie that a book may extend by their paths."""

    def __call__(self, path: str, /) -> _Found:
        """Return the file at a path."""


def _in(folder: Path) -> _Beside:
    def found(path: str) -> _Found:
        whole = folder / path
        try:
            data = contents(whole, BYTES_MOST)
        except OSError as error:
            why = error.strerror or error
            raise RulebookError(f"the rulebook {path} cannot be read: {why}") from None
        return _Found(whole.stem, BookFile(str(whole), data), _in(whole.parent))

    return found


def _behind(files: tuple[bytes, ...]) -> _Beside | None:
    """Return where a book that was handed over finds the files that were handed over with it."""
    if not files:
        return None

    def found(path: str) -> _Found:
        return _Found(Path(path).stem, BookFile(path, files[0]), _behind(files[1:]))

    return found


def _folder() -> Traversable:
    return resources.files(projections) / "rulebooks"


def _draft(name: str, beside: _Beside | None, depth: int) -> Draft:
    """Read the book that a person or another book names. `beside`: where the files lie that it may name."""
    if name.endswith(FILE):
        found = (beside or _in(Path()))(name)
        return _read(found.name, found.file, found.beside, depth)
    stem, _, edition = name.partition("@")
    if stem in names() or name == BUILT_IN:
        if edition:
            return _edition(stem, edition)
        return _read(name, BookFile(f"{name}.toml", (_folder() / f"{name}.toml").read_bytes()), None, depth)
    raise unknown(name, names())


def unknown(name: str, among: Iterable[str]) -> RulebookError:
    """Return the error of a name that no book has."""
    return RulebookError(
        f"there is no rulebook called {name!r}",
        f"Known: {', '.join(among)}. A path that ends in .toml names a book of your own.",
    )


def _edition(stem: str, edition: str) -> Draft:
    """Read one edition of a book of ours; the newest carries the plain name."""
    known_ = editions(stem)
    if edition not in known_:
        raise RulebookError(f"there is no edition {edition!r} of {stem}", f"Known: {', '.join(known_)}.")
    newest = _read(stem, BookFile(f"{stem}.toml", (_folder() / f"{stem}.toml").read_bytes()), None, 0)
    if newest.header.edition == edition:
        return newest
    kept = f"{stem}@{edition}"
    data = (_folder() / _RELEASED / f"{kept}.toml").read_bytes()
    return _read(kept, BookFile(f"{kept}.toml", data), None, 0)


def _read(name: str, file: BookFile, beside: _Beside | None, depth: int) -> Draft:
    header, _ = head(file)
    if not header.extends:
        return draft(name, file)
    path = ("rulebook", "extends")
    if depth >= DEPTH_MOST:
        file.wrong(path, f"more than {DEPTH_MOST} books extend one another", "extend a book that stands by itself")
        file.finish()
    own = header.extends.endswith(FILE)
    if own and beside is None:
        file.wrong(path, "a book that was handed over cannot extend a file of this machine", "extend NAME@EDITION")
        file.finish()
    if not own and "@" not in header.extends:
        may = (
            ", ".join(f"{header.extends}@{one}" for one in editions(header.extends))
            if header.extends in names()
            else ""
        )
        file.wrong(
            path,
            f"{header.extends!r} names no edition",
            f"a book extends one edition for good: {may or 'NAME@EDITION'}",
        )
        file.finish()
    try:
        base = _draft(header.extends, beside if own else None, depth + 1)
    except RulebookError as error:
        file.wrong(path, error.message, error.hint.rstrip("."))
        file.finish()
        raise
    return extended(name, file, base)


def _built(made: Draft) -> Rulebook:
    """Return a book; its clauses are looked up later, and what is wrong is raised then."""
    header = made.header
    return Rulebook(
        made.name,
        header.title,
        header.edition,
        header.source,
        made.digest,
        Policy(made.rulings),
        header.extends,
        made.file.data,
        made,
    )


def _checked(book: Rulebook) -> Rulebook:
    """Return a book of which everything that it names was found; raise all that is wrong."""
    _ = book.clauses
    return book


def _clauses(made: Draft, policy: Policy) -> dict[str, Clause]:
    """Look up everything that a book names; raise all that is wrong."""
    games = _games(made)
    for key, ruled in made.rulings.items():
        for clause in ruled.clauses:
            if clause not in made.entries:
                made.places[f"policy/{key}"].wrong(
                    RulebookError(f"{key}: the book has no clause {clause!r}"), "clauses"
                )
    also: dict[str, list[str]] = {}
    for clause, entry in made.entries.items():
        if entry.restates:
            also.setdefault(entry.restates, []).append(clause)
    found = {}
    for clause, entry in made.entries.items():
        try:
            found[clause] = _clause(made, clause, entry, games, policy, tuple(also.get(clause, ())))
        except RulebookError as error:
            made.places[clause].wrong(error, *getattr(error, "inner", ()))
    for file in dict.fromkeys([made.file, *(place.file for place in made.places.values())]):
        file.finish()
    return found


def _games(made: Draft) -> dict[str, frozenset[str]]:
    for game, variants in made.header.games.items():
        for variant in variants:
            if variant not in VARIANTS:
                made.file.wrong(
                    ("rulebook", "games", game),
                    f"the game {game} names an unknown variant {variant!r}",
                    f"known: {', '.join(sorted(VARIANTS))}",
                )
    return {game: frozenset(variants) for game, variants in made.header.games.items()}


def _wrong(message: str, *inner: str, hint: str = "") -> RulebookError:
    """Return an error that says at which key of its table the wrong stands."""
    error = RulebookError(message, hint)
    error.__dict__["inner"] = inner
    return error


def _clause(
    made: Draft, clause: str, entry: Entry, games: dict[str, frozenset[str]], policy: Policy, also: tuple[str, ...]
) -> Clause:
    told = [key for key in _KINDS if getattr(entry, key)]
    if len(told) != 1:
        raise _wrong(
            f"{clause}: it must have exactly one of {', '.join(_KINDS)}, it has {', '.join(told) or 'none'}", *told[1:]
        )
    kind = _KINDS[told[0]]
    game = entry.applies_to.game
    if game != "all" and game not in games:
        raise _wrong(
            f"{clause}: the book does not say which games {game!r} means",
            "applies_to",
            hint=f"known: {', '.join(games) or 'none'}",
        )
    for other in entry.yields_to:
        if other not in made.entries:
            raise _wrong(f"{clause}: it yields to {other}, which the book has not", "yields_to")
    if entry.restates:
        target = made.entries.get(entry.restates)
        if target is None or not target.detector:
            raise _wrong(f"{clause}: it restates {entry.restates}, which has no detector", "restates")
        if target.off and not entry.off:
            entry = msgspec.structs.replace(entry, off=target.off)
    variants, origin = games.get(game), made.origins[clause]
    if not entry.detector:
        if entry.using:
            raise _wrong(f"{clause}: `using` without a detector", "using")
        return Clause(clause, made.name, "off" if entry.off else kind, entry, variants, None, None, origin=origin)
    try:
        function = detector(entry.detector)
    except RulebookError as error:
        raise _wrong(f"{clause}: {error.message}", "detector", hint=error.hint) from None
    using = _arguments(function, entry, clause, policy)
    if entry.off:
        return Clause(clause, made.name, "off", entry, variants, None, None, origin=origin)
    return Clause(
        clause,
        made.name,
        kind,
        entry,
        variants,
        partial(function, **using),
        trait(function),
        also,
        origin,
        tuple(using.items()),
    )


def detector(path: str) -> Detector:
    """Return the function that `module.name` names; `RulebookError` if there is none."""
    module, _, name = path.partition(".")
    try:
        there = import_module(f"{projections.__name__}.detectors.{module}")
        found = getattr(there, name)
    except (ImportError, AttributeError, ValueError):
        found = None
    if not inspect.isgeneratorfunction(found) or name.startswith("_"):
        raise RulebookError(f"there is no detector {path!r}", _near(module))
    made: Detector = found
    return made


def _near(module: str) -> str:
    """Return which detectors there are in a module, or which modules there are."""
    try:
        there = import_module(f"{projections.__name__}.detectors.{module}")
    except (ImportError, ValueError):
        folder = resources.files(projections) / "detectors"
        found = sorted(
            file.name.removesuffix(".py")
            for file in folder.iterdir()
            if file.name.endswith(".py") and file.name[0] != "_"
        )
        return f"modules of detectors: {', '.join(found)}"
    own = (name for name, one in vars(there).items() if inspect.isgeneratorfunction(one) and name[0] != "_")
    return f"known in {module}: {', '.join(sorted(own))}"


def _arguments(function: Detector, entry: Entry, clause: str, policy: Policy) -> dict[str, object]:
    """Return the arguments of `using`, converted to what the detector takes."""
    hints = get_type_hints(function) if entry.using else {}  # half of a book's loading
    wanted = [p for p in inspect.signature(function).parameters.values() if p.kind is p.KEYWORD_ONLY]
    taken = {p.name for p in wanted}
    if strange := sorted(entry.using.keys() - taken):
        raise _wrong(
            f"{clause}: {entry.detector} takes no {', '.join(strange)}",
            "using",
            strange[0],
            hint=f"it takes: {', '.join(sorted(taken)) or 'nothing'}",
        )
    if lacking := [p.name for p in wanted if p.default is p.empty and p.name not in entry.using]:
        raise _wrong(
            f"{clause}: {entry.detector} needs {', '.join(lacking)}",
            "using",
            hint=f"it takes: {', '.join(sorted(taken))}",
        )
    found = {}
    for key, value in entry.using.items():
        meant = _decided(value, clause, key, policy)
        try:
            found[key] = msgspec.convert(meant, hints[key], strict=True)
        except msgspec.ValidationError as error:
            what = explained(error, hints[key])[1]
            raise _wrong(
                f"{clause}: {entry.detector}: {key} = {meant!r}: {what}",
                "using",
                key,
                hint=f"allowed: {allowed(hints[key])}",
            ) from None
    return found


def _decided(value: object, clause: str, key: str, policy: Policy) -> object:
    """Return a parameter; one written `{ policy = "POINT" }` is what the book decides there."""
    if not isinstance(value, dict) or set(value) - {"policy", "part"} or "policy" not in value:
        return value
    try:
        point = known(str(value["policy"]))
    except RulebookError as error:
        raise _wrong(f"{clause}: {error.message}", "using", key, hint=error.hint) from None
    found = policy.value(point.key)
    if part := value.get("part"):
        table = msgspec.to_builtins(found)
        found = table.get(part) if isinstance(table, dict) else None
    if found is None:
        raise _wrong(f"{clause}: {key} is what the book decides on {point.key}, and it is silent there", "using", key)
    return found
