"""Collect the modules that work out dues, and the data that they read, for the Python in the browser.

The modules are those that the entry imports, directly or through others, at the top of a module or in a function.
"""

from __future__ import annotations

import ast
import io
import struct
import zipfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

import ledger
from ledger.text.language import DOMAIN, LOCALES

ENTRY: Final = "handledger.pocket"
"""The module that answers the page. It's above this package, so it's named and not imported."""
_NOT_INCLUDED: Final = ("ledger/store", "ledger/intake", "ledger/evidence", "ledger/lake", "cli", "web")
"""Packages that some functions import and the page never calls: they need a database, a disk or another library."""
_BY_NAME: Final = "projections/detectors/*.py"
"""Modules that a rulebook's clauses name: no module imports them."""
_DATA: Final = ("projections/rulebooks/*.toml",)
_DEPTH: Final = ledger.__name__.count(".")
_ROOT: Final = Path(ledger.__file__).parents[_DEPTH + 1]
"""The folder that holds our packages, or in a wheel the package above them."""
_PREFIX: Final = ledger.__name__.removesuffix("ledger")
"""What is before the names of our packages: nothing in a checkout, `handledger.` in a wheel."""
_HOME: Final = _ROOT / _PREFIX.removesuffix(".")
"""The folder of our packages themselves."""
_MO_MAGIC: Final = 0x950412DE
_EARLIEST: Final = (1980, 1, 1, 0, 0, 0)
"""The time of each file in an archive: the same sources give the same bytes."""


def build_engine_archive() -> bytes:
    """Return a zip of the modules and rulebooks that the page needs."""
    paths = {path.relative_to(_ROOT).as_posix(): path for path in _find_engine_modules().values()}
    for pattern in _DATA:
        paths |= {path.relative_to(_ROOT).as_posix(): path for path in _HOME.glob(pattern)}
    return write_zip({name: path.read_bytes() for name, path in paths.items()})


@cache
def _find_engine_modules() -> dict[str, Path]:
    """Return the modules that the page needs, by name."""
    detectors = [_find_module_name(path) for path in _HOME.glob(_BY_NAME)]
    return find_modules(ENTRY, *detectors)


def build_catalogue(language: str) -> bytes:
    """Return the compiled catalogue of a language, with the messages of the modules that the page needs."""
    texts = _list_texts()
    catalogue = (LOCALES / language / "LC_MESSAGES" / f"{DOMAIN}.mo").read_bytes()
    return _write_catalogue(
        [
            (key, translation)
            for key, translation in _read_catalogue(catalogue)
            if not key or key.split(b"\0")[0].rpartition(b"\x04")[2].decode() in texts
        ]
    )


@cache
def _list_texts() -> frozenset[str]:
    """Return all texts in the modules that the page needs: each message of theirs is one."""
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in _find_engine_modules().values())
    return frozenset(
        node.value
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def _read_catalogue(catalogue: bytes) -> list[tuple[bytes, bytes]]:
    """Return the keys and translations of a compiled catalogue (GNU gettext manual, "The Format of GNU MO Files")."""
    count, keys_at, translations_at = struct.unpack_from("<3I", catalogue, 8)

    def read_text(table: int, index: int) -> bytes:
        length, start = struct.unpack_from("<2I", catalogue, table + 8 * index)
        return catalogue[start : start + length]

    return [(read_text(keys_at, index), read_text(translations_at, index)) for index in range(count)]


def _write_catalogue(entries: list[tuple[bytes, bytes]]) -> bytes:
    """Return a compiled catalogue of entries, which are in the order of their keys."""
    count = len(entries)
    keys_at, header_size = 28, 28 + 16 * count
    tables, texts = b"", b""
    for column in (0, 1):
        for entry in entries:
            tables += struct.pack("<2I", len(entry[column]), header_size + len(texts))
            texts += entry[column] + b"\0"
    return struct.pack("<7I", _MO_MAGIC, 0, count, keys_at, keys_at + 8 * count, 0, header_size) + tables + texts


def write_zip(files: Mapping[str, bytes]) -> bytes:
    """Return files as a zip, in the order of their names."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, _EARLIEST), files[name], zipfile.ZIP_DEFLATED, 9)
    return buffer.getvalue()


def find_modules(*names: str) -> dict[str, Path]:
    """Return the modules of ours that some modules need, themselves included, by name."""
    modules: dict[str, Path] = {}
    pending = list(names)
    skipped = tuple(f"{_PREFIX}{path}".replace("/", ".") for path in _NOT_INCLUDED)
    while pending:
        name = pending.pop()
        if name in modules or any(name == package or name.startswith(f"{package}.") for package in skipped):
            continue
        path = _find_module(name)
        if path is None:
            continue
        modules[name] = path
        pending.extend(_list_parents(name))
        pending.extend(_list_imports(ast.parse(path.read_bytes())))
    return modules


def _find_module_name(path: Path) -> str:
    return ".".join(path.relative_to(_ROOT).with_suffix("").parts).removesuffix(".__init__")


def _find_module(name: str) -> Path | None:
    """Return the file of a module of ours, or None for a name in a module and for modules of others."""
    path = _ROOT.joinpath(*name.split("."))
    candidates = (path / "__init__.py", path.with_suffix(".py"))
    return next((candidate for candidate in candidates if candidate.is_file()), None)


def _list_parents(name: str) -> list[str]:
    parts = name.split(".")
    return [".".join(parts[:count]) for count in range(1, len(parts))]


def _list_imports(tree: ast.AST) -> Iterator[str]:
    """Return the names that a module imports when it runs: modules, and names that may be modules."""
    pending = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        pending.extend(ast.iter_child_nodes(node))
