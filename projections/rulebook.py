"""Rulebooks: data files of clauses in the book's own order, each with its detector or the reason why not.

The name is the path: `detector = "straddle.too_many"` is the function `too_many` of the module
`projections.detectors.straddle`. A wrong name or parameter fails when the book is loaded.
"""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from importlib import import_module, resources
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, get_args, get_type_hints

import msgspec

from ledger.errors import RulebookError
from ledger.hand.variants import VARIANTS
from ledger.vocabulary import witness_names
from projections.detector import Detector, Trait, trait
from projections.finding import Severity
from projections.policy import Policy, ruling

Kind: TypeAlias = Literal["detector", "restates", "defines", "permits", "undetectable", "not-built"]
"""What a clause does: it is judged, says what another clause of the book says, shapes how a state is
derived, says who may do something, cannot be seen in any record, or waits for its detector."""

_KINDS: Final = {
    "detector": "detector", "restates": "restates", "defines": "defines", "permits": "permits",
    "undetectable": "undetectable", "not_built": "not-built",
}  # fmt: skip
_NAMED: Final = frozenset({"using", "parameters", "applies_to"})  # tables that are no clauses
BUILT_IN: Final = "record"
"""The book that is always judged: what a record says must agree with itself. It is no house's rule."""


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
    games: dict[str, list[str]]
    notes: str = ""


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

    @property
    def why(self) -> str:
        """What stands in place of a detector."""
        entry = self.entry
        return (
            entry.defines
            or entry.permits
            or entry.undetectable
            or entry.not_built
            or entry.restates
        )


@dataclass(frozen=True, slots=True, eq=False)
class Rulebook:
    """A book with its clauses in the book's order. `digest` is the SHA-256 of its file, hex."""

    name: str
    title: str
    edition: str
    source: str
    digest: str
    clauses: dict[str, Clause]
    policy: Policy


def names() -> list[str]:
    """Return the names of the books that come with the program."""
    folder = resources.files("projections") / "rulebooks"
    found = (file.name for file in folder.iterdir() if file.name.endswith(".toml"))
    return sorted(name.removesuffix(".toml") for name in found if name != f"{BUILT_IN}.toml")


@cache
def load(name: str) -> Rulebook:
    """Load a book by its name, or by the path of a `.toml` file; `RulebookError` if it is wrong."""
    if name in names() or name == BUILT_IN:
        data = (resources.files("projections") / "rulebooks" / f"{name}.toml").read_bytes()
        return read(name, data)
    if name.endswith(".toml"):
        try:
            return read(Path(name).stem, Path(name).read_bytes())
        except OSError as error:
            raise RulebookError(
                f"the rulebook {name} cannot be read: {error.strerror or error}"
            ) from None
    raise RulebookError(
        f"there is no rulebook called {name!r}",
        f"Known: {', '.join(names())}. A path that ends in .toml names a book of your own.",
    )


def read(name: str, data: bytes) -> Rulebook:
    """Read a book from the bytes of its file; anything wrong with it raises `RulebookError`."""
    try:
        tables = tomllib.loads(data.decode("utf-8"))
        header = msgspec.convert(tables.pop("rulebook", {}), Header)
    except (
        tomllib.TOMLDecodeError,
        UnicodeDecodeError,
        RecursionError,
        msgspec.ValidationError,
    ) as error:
        raise RulebookError(f"the rulebook {name} cannot be read: {error}") from None
    rulings = {key: ruling(key, table) for key, table in tables.pop("policy", {}).items()}
    entries: dict[str, Entry] = {}
    for clause, table in _tables(tables, ""):
        try:
            entries[clause] = msgspec.convert(table, Entry)
        except msgspec.ValidationError as error:
            raise RulebookError(f"{name} {clause}: {error}") from None
    games = _games(name, header)
    also: dict[str, list[str]] = {}
    for clause, entry in entries.items():
        if entry.restates:
            if entries.get(entry.restates, entry).detector == "":
                raise RulebookError(
                    f"{name} {clause}: it restates {entry.restates}, which has no detector"
                )
            also.setdefault(entry.restates, []).append(clause)
    clauses = {
        clause: _clause(name, clause, entry, games, tuple(also.get(clause, ())))
        for clause, entry in entries.items()
    }
    digest = sha256(data).hexdigest()
    return Rulebook(
        name, header.title, header.edition, header.source, digest, clauses, Policy(rulings)
    )


def _tables(tables: Mapping[str, Any], path: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the clauses of nested tables: `[B8a.1]` is the table `1` of the table `B8a`."""
    for key, value in tables.items():
        name = f"{path}.{key}" if path else key
        if not isinstance(value, dict):
            raise RulebookError(f"{name}: not a clause: a clause is a table with `says`")
        own = {k: v for k, v in value.items() if not isinstance(v, dict) or k in _NAMED}
        inner = {k: v for k, v in value.items() if k not in own}
        if own:
            yield name, own
        yield from _tables(inner, name)


def _games(name: str, header: Header) -> dict[str, frozenset[str]]:
    for game, variants in header.games.items():
        for variant in variants:
            if variant not in VARIANTS:
                raise RulebookError(f"{name}: the game {game} names an unknown variant {variant!r}",
                                    f"Known: {', '.join(sorted(VARIANTS))}.")  # fmt: skip
    return {game: frozenset(variants) for game, variants in header.games.items()}


def _clause(
    book: str, clause: str, entry: Entry, games: dict[str, frozenset[str]], also: tuple[str, ...]
) -> Clause:
    told = [key for key in _KINDS if getattr(entry, key)]
    if len(told) != 1:
        raise RulebookError(
            f"{book} {clause}: it must have exactly one of {', '.join(_KINDS)}, it has {told}"
        )
    kind: Any = _KINDS[told[0]]
    if kind not in get_args(Kind):  # pragma: no cover - the two lists stand side by side
        raise RulebookError(f"{book} {clause}: {kind}")
    game = entry.applies_to.game
    if game != "all" and game not in games:
        raise RulebookError(f"{book} {clause}: the book does not say which games {game!r} means")
    if not entry.detector:
        if entry.using:
            raise RulebookError(f"{book} {clause}: `using` without a detector")
        return Clause(clause, book, kind, entry, games.get(game), None, None)
    function = detector(entry.detector, f"{book} {clause}")
    run = partial(function, **_arguments(function, entry, f"{book} {clause}"))
    return Clause(clause, book, kind, entry, games.get(game), run, trait(function), also)


def detector(path: str, where: str = "") -> Detector:
    """Return the function that `module.name` names; `RulebookError` if there is none."""
    module, _, name = path.partition(".")
    try:
        found = getattr(import_module(f"projections.detectors.{module}"), name)
    except (ImportError, AttributeError, ValueError):
        found = None
    if not inspect.isgeneratorfunction(found) or name.startswith("_"):
        raise RulebookError(f"{where}: there is no detector {path!r}".lstrip(": "))
    made: Detector = found
    return made


def _arguments(function: Detector, entry: Entry, where: str) -> dict[str, Any]:
    """Return the arguments of `using`, converted to what the detector takes."""
    hints = get_type_hints(function)
    wanted = [
        p for p in inspect.signature(function).parameters.values() if p.kind is p.KEYWORD_ONLY
    ]
    taken = {p.name for p in wanted}
    if strange := sorted(entry.using.keys() - taken):
        raise RulebookError(f"{where}: {entry.detector} takes no {', '.join(strange)}",
                            f"It takes: {', '.join(sorted(taken)) or 'nothing'}.")  # fmt: skip
    if lacking := [p.name for p in wanted if p.default is p.empty and p.name not in entry.using]:
        raise RulebookError(f"{where}: {entry.detector} needs {', '.join(lacking)}")
    try:
        return {
            key: msgspec.convert(value, hints[key], strict=True)
            for key, value in entry.using.items()
        }
    except msgspec.ValidationError as error:
        raise RulebookError(f"{where}: {entry.detector}: {error}") from None


class Explained(msgspec.Struct, frozen=True):
    """A clause as a person asks for it."""

    book: str
    clause: str
    title: str
    edition: str
    place: str
    says: str
    topic: str
    severity: Severity
    applies_to: AppliesTo
    kind: Kind
    detector: str
    wrong: str  # the detector's own sentence, or what would be wrong
    parameters: dict[str, Any]
    needs: list[str]  # facts that a source must record, or that judging it would take
    why: str  # what stands in place of a detector
    partly: str
    remedy: str
    note: str
    conflicts_with: list[str]
    also: list[str]
    worked: str  # a worked case: a Markdown page; "" = none yet


def explain(book: str, clause: str) -> Explained:
    """Return all that is known of a clause; `RulebookError` if the book has none of that id."""
    rules = load(book)
    found = rules.clauses.get(clause)
    if found is None:
        near = [id_ for id_ in rules.clauses if id_.lower().startswith(clause.lower()[:3])]
        raise RulebookError(f"{book} has no clause {clause!r}",
                            f"Near it: {', '.join(near[:12])}." if near else "")  # fmt: skip
    judged = rules.clauses[found.entry.restates] if found.entry.restates else found
    entry = found.entry
    doc = inspect.getdoc(detector(judged.entry.detector)) if judged.entry.detector else None
    return Explained(
        book=rules.name, clause=clause, title=rules.title, edition=rules.edition, place=entry.place,
        says=entry.says, topic=entry.topic, severity=entry.severity, applies_to=entry.applies_to,
        kind=found.kind, detector=judged.entry.detector, wrong=doc or entry.breach,
        parameters=dict(judged.entry.using) or dict(entry.parameters),
        needs=witness_names(judged.trait.needs) if judged.trait else list(entry.facts),
        why=found.why, partly=entry.partly, remedy=entry.remedy, note=entry.note,
        conflicts_with=list(entry.conflicts_with), also=list(judged.also),
        worked=worked_case(rules.name, judged.id),
    )  # fmt: skip


def worked_case(book: str, clause: str) -> str:
    """Return the page of worked cases of a clause: from the wheel, or from the checkout."""
    packed = resources.files("projections") / "cases" / book / f"{clause}.md"
    if packed.is_file():
        return packed.read_text(encoding="utf-8")
    beside = Path(__file__).resolve().parent.parent / "tests" / "cases" / book / f"{clause}.md"
    return beside.read_text(encoding="utf-8") if beside.is_file() else ""
