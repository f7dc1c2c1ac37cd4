"""Measure the names of the product: how many say nothing, how long they are, and which are taken twice.

A name says nothing if every word in it is a bare participle, pronoun, preposition or adverb: `found`, `told_by`.
`tests/test_names.py` holds each package against `tests/names.toml`.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

import pytest

from tests.conftest import ROOT

Repeats = dict[str, dict[str, list[str]]]  # scope, name, its places
CODE = ("handledger", "ledger", "projections", "web", "cli")

# Words that hold nothing of what a name stands for. Python's and the card room's own words are not among them.
DIALECT = frozenset((ROOT / "tests" / "dialect.txt").read_text().split())
BOUNDS = ("at_least", "at_most")
PREDICATES = ("is_", "has_", "was_", "can_")  # is_known says what is asked, known doesn't


@dataclass
class Survey:
    """What the names of one package come to."""

    names: int = 0
    letters: int = 0
    empty: Counter[str] = field(default_factory=Counter)  # names that say nothing

    @property
    def share(self) -> float:
        """The share of names that say nothing, in percent."""
        return 100 * self.empty.total() / max(self.names, 1)

    @property
    def mean_length(self) -> float:
        return self.letters / max(self.names, 1)


class Name(NamedTuple):
    """A name that a file binds, and the class whose field it is."""

    text: str
    field_of: str = ""
    is_class: bool = False


def says_nothing(name: str) -> bool:
    """Whether each word of a name is of the dialect."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().strip("_")
    if words in BOUNDS or words.startswith(PREDICATES):
        return False
    return all(word in DIALECT for word in words.split("_"))


def names_of(tree: ast.Module) -> Iterator[Name]:
    """Every name that a file binds: functions, parameters, variables, classes, fields and attributes of self."""
    fields: dict[int, str] = {}
    for node in ast.walk(tree):
        kind = type(node)
        if kind is ast.Name:
            if type(node.ctx) is ast.Store:
                yield Name(node.id, fields.get(id(node), ""))
        elif kind is ast.Attribute:
            if type(node.ctx) is ast.Store and type(node.value) is ast.Name and node.value.id in ("self", "cls"):
                yield Name(node.attr)
        elif kind is ast.arg:
            yield Name(node.arg)
        elif kind is ast.FunctionDef or kind is ast.AsyncFunctionDef:
            yield Name(node.name)
        elif kind is ast.ClassDef:
            yield Name(node.name, is_class=True)
            fields |= {id(part.target): node.name for part in node.body if type(part) is ast.AnnAssign}
        elif kind is ast.ExceptHandler or kind is ast.MatchAs or kind is ast.MatchStar:
            if node.name:
                yield Name(node.name)
        elif kind is ast.alias and node.asname:
            yield Name(node.asname)


def is_counted(name: str) -> bool:
    """Whether a name is ours to choose: Python's own are not."""
    return name not in ("self", "cls") and not name.startswith("__") and bool(name.strip("_"))


def package_of(path: str) -> str:
    """Return the package that a file counts for: its room, or the folder at the top."""
    parts = path.split("/")
    return "/".join(parts[: min(2, len(parts) - 1)])


@cache
def product_files() -> tuple[str, ...]:
    """Every Python file of the product, below the root of the checkout."""
    listing = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "--", *CODE],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listing.returncode:
        pytest.skip("not a git checkout")
    return tuple(path for path in listing.stdout.splitlines() if path.endswith(".py") and (ROOT / path).is_file())


@cache
def published_classes() -> frozenset[str]:
    """Classes whose name and fields are published: in a schema of a document, or as an event's payload."""
    classes: set[str] = set()
    for file in (ROOT / "schemas").rglob("*.json"):
        schema = json.loads(file.read_bytes())
        classes |= {name.rpartition(".")[2] for name in schema.get("$defs", ())}
        if file.parent.name == "events":
            classes |= set(schema["prefixItems"][0]["enum"])
    for path in product_files():
        for node in ast.walk(ast.parse((ROOT / path).read_bytes())):
            if isinstance(node, ast.ClassDef) and any(map(_is_document_tag, node.keywords)):
                classes.add(node.name)
    return frozenset(classes)


def _is_document_tag(keyword: ast.keyword) -> bool:
    """Whether a class is a whole document: its tag is the name of a schema."""
    value = keyword.value
    return keyword.arg == "tag" and isinstance(value, ast.Constant) and str(value.value).startswith("handledger/")


class Product:
    """The names of all packages; each file is parsed once."""

    def __init__(self, exempt: Iterable[str]) -> None:
        self.exempt = frozenset(exempt)
        self.used_exemptions: set[str] = set()
        self.packages: defaultdict[str, Survey] = defaultdict(Survey)
        self.classes: defaultdict[str, list[str]] = defaultdict(list)
        for path in product_files():
            self._add_file(path)

    def _add_file(self, path: str) -> None:
        survey = self.packages[package_of(path)]
        for name in names_of(ast.parse((ROOT / path).read_bytes())):
            if not is_counted(name.text) or name.field_of in published_classes():
                continue
            survey.names += 1
            survey.letters += len(name.text.strip("_"))
            if name.is_class:
                self.classes[name.text].append(path)
            if says_nothing(name.text) and not self._is_exempt(path, name):
                survey.empty[name.text] += 1

    def repeated_classes(self) -> Repeats:
        """Return names of classes that are taken more than once, with their places: in projections, and anywhere."""
        projections = {name: [path for path in paths if "projections/" in path] for name, paths in self.classes.items()}
        return {"projections": _repeated(projections), "anywhere": _repeated(self.classes)}

    def _is_exempt(self, path: str, name: Name) -> bool:
        if name.is_class and name.text in published_classes():
            return True
        full_name = f"{path}::{name.field_of}.{name.text}" if name.field_of else f"{path}::{name.text}"
        self.used_exemptions |= {full_name} & self.exempt
        return full_name in self.exempt


def repeated_modules() -> Repeats:
    """Return names of modules that are taken more than once below a folder at the top, with their places.

    `projections/sentences` is parallel to other rooms by design: a module for each subject, called as the module
    whose findings it words.
    """
    places: defaultdict[str, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for path in product_files():
        if not path.endswith(("/__init__.py", "/__main__.py")) and not path.startswith("projections/sentences/"):
            places[path.partition("/")[0]][path.rpartition("/")[2].removesuffix(".py")].append(path)
    return {top: _repeated(places[top]) for top in CODE}


def _repeated(places: dict[str, list[str]]) -> dict[str, list[str]]:
    return {name: paths for name, paths in places.items() if len(paths) > 1}
