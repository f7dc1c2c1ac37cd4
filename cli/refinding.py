"""Findings in evidence, found again: under the rulebooks that lie in it, which are compared with those that come with the program."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec

from ledger import __version__
from ledger.entry import Mark
from ledger.errors import HandledgerError, RulebookError
from ledger.evidence import offline
from ledger.marks import unpack
from ledger.replay import PlayedHand
from ledger.store.mapper import Mapper
from projections.audit.audit_result import AuditResult
from projections.audit.auditor import audit
from projections.books.rulebook import BUILT_IN, Rulebook, editions, load, names, read_house_book

NAME: Final = "findings.json"
VERSION: Final = f"the version that {NAME} names"
BASES_MOST: Final = 3
"""Files that a book extends which have room in evidence: as many members may lie under `view/`, beside the hand's text."""
EVENTS_MOST: Final = 2000
"""Events of a hand that is judged again; the time that some detectors take grows with the square of them."""
WORK_MOST: Final = 2_000_000
"""Events times clauses that are judged again: a second's work. A long hand under five books has 100,000."""


_editions: Final = cache(editions)
_MEMBERS: Final = frozenset(("books", "findings", "version", "session"))
_SESSIONS_MOST: Final = 10**9


class Refound(NamedTuple):
    """What was found again, and by name the members that nobody vouches for, each with why."""

    proven: list[str]
    uncovered: dict[str, str]


def written(result: AuditResult, session: int = 1) -> bytes:
    """Return the member of evidence that holds findings, and under which books and by which version they were made.

    `session`: which hand of its number it is at its table; fingerprints of a second or later one depend on it.
    """
    told = {"books": result.books, "findings": result.findings, "version": __version__}
    return msgspec.json.encode(told if session == 1 else {**told, "session": session})


def member(book: str) -> str:
    """Return the name of the member that holds a rulebook."""
    plain = "".join(sign if sign.isascii() and (sign.isalnum() or sign in "._@-") else "-" for sign in book.lower())
    return f"rules/{plain.lstrip('._@-') or 'book'}.toml"[:100]


def bases(book: Rulebook) -> dict[str, bytes]:
    """Return the members that hold the house's files that a book extends.

    They lie under `view/`: earlier versions of the program refuse evidence with other books than its findings name.
    """
    files = book.own_files[1:] if len(book.own_files) <= 1 + BASES_MOST else ()
    return {f"{_under(book.name)}{at}.toml": one.file.data for at, one in enumerate(files, 1)}


def _under(book: str) -> str:
    return f"view/{member(book).removesuffix('.toml')}/"


def _files(name: str, files: Mapping[str, bytes]) -> tuple[bytes, ...]:
    """Return the file of a book, and those of the house that it extends, as far as they are there."""
    found = [files[member(name)]]
    while (one := f"{_under(name)}{len(found)}.toml") in files:
        found.append(files[one])
    return tuple(found)


def refound(found: offline.Checked) -> Refound:
    """Judge a hand of evidence again; `Refused` if its findings are not, to the last word, what comes out.

    `found` is what the single-file verifier returns. A rulebook that calls itself one of ours must be that one.
    """
    files = found["files"]
    try:
        told = offline.parsed(files[NAME], "findings")
    except offline.Refused as refusal:
        raise offline.Refused("findings", f"{NAME}: {refusal}") from None
    if not isinstance(told, dict) or not {"books", "findings"} <= set(told) <= _MEMBERS:
        raise offline.Refused("findings", "the findings are not written as they should be")
    rules = sorted(name for name in files if name.startswith("rules/"))
    try:
        books = [_read(name, _files(name, files)) for name in _named(told["books"], rules)]
        beside = [_read(BUILT_IN, (files[name],)) for name in rules if name == member(BUILT_IN)]
    except HandledgerError as error:
        why = f"it cannot be read here: {error.message.splitlines()[0]}"
        return Refound([], dict.fromkeys(rules, why) | {NAME: "they cannot be found again here"})
    strange = _strange([*books, *beside])
    if told.get("version", __version__) != __version__:
        strange[VERSION] = f"{str(told['version'])[:40]!r}, and this is {__version__}"
    session = told.get("session", 1)
    if type(session) is not int or not 1 <= session < _SESSIONS_MOST or ("session" in told) != (session > 1):
        raise offline.Refused("findings", "the findings do not say which hand of its number this is")
    again = _again(found, books, session)
    if again is None:
        why = "the events are more, or of another make, than is judged here: they are not found again"
        return Refound([_said(book) for book in books if member(book.name) not in strange], strange | {NAME: why})
    if _spelled(again) != _spelled(told):
        raise offline.Refused(
            "findings", f"judging the hand again gives other findings, or under other books{_by(told)}"
        )
    many = len(told["findings"])
    count = f"{many} finding{'s' * (many != 1)}, found again here, of the hand by itself"
    if strange.keys() - {VERSION}:
        strange[NAME] = f"{count}; but they rest on a rulebook that nobody vouches for"
        count = ""
    proven = [_said(book) for book in books if member(book.name) not in strange]
    return Refound([*([count] if count else []), *proven], strange)


def _read(name: str, files: tuple[bytes, ...]) -> Rulebook:
    """Read a rulebook that a stranger wrote; whatever is wrong with it is `RulebookError`."""
    try:
        return read_house_book(name, files)
    except HandledgerError:
        raise
    except Exception as error:  # noqa: BLE001 - what is wrong in a way that nobody thought of is wrong all the same
        raise RulebookError(f"{name}: it is no rulebook ({type(error).__name__})") from None


def _named(told: object, rules: list[str]) -> list[str]:
    """Return the names of the books that findings were made under, in their order, without the built-in one."""
    if not isinstance(told, list) or not all(
        isinstance(one, dict) and isinstance(one.get("name"), str) for one in told
    ):
        raise offline.Refused("findings", "the findings do not say under which books they were made")
    own = [one["name"] for one in told if one["name"] != BUILT_IN]
    if sorted(map(member, own)) != [name for name in rules if name != member(BUILT_IN)]:
        raise offline.Refused("findings", "the findings were made under other rulebooks than those here")
    return own


def _strange(books: Iterable[Rulebook]) -> dict[str, str]:
    """Return the books that nobody vouches for, each with why; `Refused` if one is not what it calls itself."""
    found = {}
    for book in books:
        name, digest = book.name.partition("@")[0], f"SHA-256 {book.digest}"
        if name not in names() and name != BUILT_IN:
            own = f"a rulebook of the house's own, {book.name}, edition {book.edition}: compare its {digest}"
            found[member(book.name)] = own
            found |= dict.fromkeys(bases(book), f"what {book.name} extends: it counts in the digest of that")
        elif book.edition not in _editions(name):
            found[member(book.name)] = f"handledger knows no edition {book.edition} of {name}: compare its {digest}"
        elif (ours := load(f"{name}@{book.edition}").digest) != book.digest:
            raise offline.Refused(
                "rules",
                f"a rulebook here calls itself {name}, edition {book.edition}, and is another: {digest}; that book's is {ours}",
            )
    return found


def _said(book: Rulebook) -> str:
    return f"the rulebook {book.name}, edition {book.edition}, is the one that comes with handledger: SHA-256 {book.digest}"


def _again(found: offline.Checked, books: list[Rulebook], session: int = 1) -> dict[str, object] | None:
    """Return books and findings as they come out here; None if this version cannot read the events."""
    count = sum(entry["count"] for entry in found["entries"])
    if count > EVENTS_MOST or count * sum(len(book.clauses) for book in books) > WORK_MOST:
        return None
    mapper = Mapper()
    events: list[Any] = []  # of a hand
    marks: list[Mark] = []
    try:
        for name, entry in zip(found["index"]["entries"], found["entries"], strict=True):
            data = found["files"][f"entries/{name}"]
            events += mapper.decode(entry["kind"], data[entry["data"] :])
            marks += unpack(entry["marks"], entry["count"])
        hand = PlayedHand(events, marks, UUID(found["index"]["stream"]), session=session)
        result = audit([hand], books)
        told: dict[str, object] = json.loads(written(result))
    except Exception:  # noqa: BLE001 - detectors are made for hands that a reader let in, and these are a stranger's
        return None
    return told


def _spelled(told: dict[str, object]) -> str:
    """Return books and findings in one spelling: to Python true and 1 are the same, to a reader not."""
    return json.dumps([told["books"], told["findings"]], sort_keys=True)


def _by(told: dict[str, object]) -> str:
    """Return by which version findings were made, where it is another: it may judge differently."""
    version = told.get("version", "an earlier version")
    if version == __version__:
        return ""
    return f"; they say that {str(version)[:40]!r} made them and this is {__version__}: ask that version"
