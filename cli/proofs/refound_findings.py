"""Findings in evidence, found again: under the rulebooks that lie in it, which are compared with those that come with the program."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec

from ledger import __version__
from ledger.entry import EventOrigin
from ledger.errors import HandledgerError
from ledger.evidence import evidence_errors, offline
from ledger.marks import unpack_origins
from ledger.replay import HandReplay
from ledger.store.log.mapper import Mapper
from projections.audit.audit_result import AuditResult
from projections.audit.auditor import audit
from projections.books.rulebook import BUILT_IN, Rulebook, list_editions, list_names, load, read_house_book

NAME: Final = "findings.json"
VERSION: Final = f"the version that {NAME} names"
BASES_MOST: Final = 3
"""Files that a book extends which have room in evidence: as many members may lie under `view/`, beside the hand's text."""
EVENTS_MOST: Final = 2000
"""Events of a hand that is judged again; the time that some detectors take grows with the square of them."""
WORK_MOST: Final = 2_000_000
"""Events times clauses that are judged again: a second's work. A long hand under five books has 100,000."""


_editions: Final = cache(list_editions)
_MEMBERS: Final = frozenset(("books", "findings", "version", "session"))
_SESSIONS_MOST: Final = 10**9


class Refound(NamedTuple):
    """What was found again, and by name the members that nobody vouches for, each with why."""

    proven: list[str]
    uncovered: dict[str, str]


def findings_json(result: AuditResult, session: int = 1) -> bytes:
    """Return the member of evidence that holds findings, and under which books and by which version they were made.

    `session`: which hand of its number it is at its table; fingerprints of a second or later one depend on it.
    """
    content = {"books": result.books, "findings": result.findings, "version": __version__}
    return msgspec.json.encode(content if session == 1 else {**content, "session": session})


def member(book: str) -> str:
    """Return the name of the member that holds a rulebook."""
    plain_name = "".join(
        character if character.isascii() and (character.isalnum() or character in "._@-") else "-"
        for character in book.lower()
    )
    return f"rules/{plain_name.lstrip('._@-') or 'book'}.toml"[:100]


def bases(book: Rulebook) -> dict[str, bytes]:
    """Return the members that hold the house's files that a book extends.

    They lie under `view/`: earlier versions of the program refuse evidence with other books than its findings name.
    """
    files = book.own_files[1:] if len(book.own_files) <= 1 + BASES_MOST else ()
    return {
        f"{_bases_folder(book.name)}{file_number}.toml": own_file.file.data
        for file_number, own_file in enumerate(files, 1)
    }


def _bases_folder(book: str) -> str:
    return f"view/{member(book).removesuffix('.toml')}/"


def _list_files(name: str, files: Mapping[str, bytes]) -> tuple[bytes, ...]:
    """Return the file of a book, and those of the house that it extends, as far as they are there."""
    file_contents = [files[member(name)]]
    while (base_name := f"{_bases_folder(name)}{len(file_contents)}.toml") in files:
        file_contents.append(files[base_name])
    return tuple(file_contents)


def refound(evidence: offline.Checked) -> Refound:
    """Judge a hand of evidence again; `Refused` if its findings are not, to the last word, what comes out.

    `found` is what the single-file verifier returns. A rulebook that calls itself one of ours must be that one.
    """
    files = evidence["files"]
    try:
        stated = offline.parsed(files[NAME], "findings")
    except offline.Refused as refusal:
        raise offline.Refused("findings", f"{NAME}: {refusal}") from None
    if not isinstance(stated, dict) or not {"books", "findings"} <= set(stated) <= _MEMBERS:
        raise offline.Refused("findings", "the findings don't have the right form")
    rule_names = sorted(name for name in files if name.startswith("rules/"))
    try:
        books = [_read_book(name, _list_files(name, files)) for name in _list_stated_books(stated["books"], rule_names)]
        built_in_books = [_read_book(BUILT_IN, (files[name],)) for name in rule_names if name == member(BUILT_IN)]
    except HandledgerError as error:
        explanation = f"this version can't read it: {error.message.splitlines()[0]}"
        return Refound([], dict.fromkeys(rule_names, explanation) | {NAME: "this version can't judge the hand again"})
    unvouched = _find_unvouched([*books, *built_in_books])
    if stated.get("version", __version__) != __version__:
        unvouched[VERSION] = f"{str(stated['version'])[:40]!r}, and this is {__version__}"
    session = _read_session(stated)
    rejudged = _judge_again(evidence, books, session)
    if rejudged is None:
        explanation = "the hand wasn't judged again: it has too many events, or some that this version can't read"
        return Refound(
            [_describe_known_book(book) for book in books if member(book.name) not in unvouched],
            unvouched | {NAME: explanation},
        )
    if _canonical_text(rejudged) != _canonical_text(stated):
        raise offline.Refused(
            "findings", f"judging the hand again gives other findings or other books{_describe_version(stated)}"
        )
    count_text = _count_again(stated)
    if unvouched.keys() - {VERSION}:
        unvouched[NAME] = f"{count_text}; but handledger can't vouch for their rulebook"
        count_text = ""
    proven = [_describe_known_book(book) for book in books if member(book.name) not in unvouched]
    return Refound([*([count_text] if count_text else []), *proven], unvouched)


def _read_session(stated: dict[str, Any]) -> int:
    """Return which hand of its number evidence is about; `Refused` if that is not written as it should be."""
    session = stated.get("session", 1)
    if type(session) is not int or not 1 <= session < _SESSIONS_MOST or ("session" in stated) != (session > 1):
        raise offline.Refused("findings", "the findings don't say which of the hands with this number it is")
    return session


def _count_again(stated: dict[str, Any]) -> str:
    """Return how many findings were found again, in words."""
    finding_count = len(stated["findings"])
    return (
        f"{finding_count} finding{'s' * (finding_count != 1)} from this hand alone, confirmed by judging it again; "
        "findings that need earlier hands aren't in the file"
    )


def _read_book(name: str, files: tuple[bytes, ...]) -> Rulebook:
    """Read a rulebook that a stranger wrote; whatever is wrong with it is `RulebookError`."""
    try:
        return read_house_book(name, files)
    except HandledgerError:
        raise
    except Exception as error:  # noqa: BLE001 - what is wrong in a way that nobody thought of is wrong all the same
        raise evidence_errors.bad_book_in_evidence(name, type(error).__name__) from None


def _list_stated_books(stated_books: object, rules: list[str]) -> list[str]:
    """Return the names of the books that findings were made under, in their order, without the built-in one."""
    if not isinstance(stated_books, list) or not all(
        isinstance(stated_book, dict) and isinstance(stated_book.get("name"), str) for stated_book in stated_books
    ):
        raise offline.Refused("findings", "the findings don't name their rulebooks")
    book_names = [stated_book["name"] for stated_book in stated_books if stated_book["name"] != BUILT_IN]
    if sorted(map(member, book_names)) != [name for name in rules if name != member(BUILT_IN)]:
        raise offline.Refused("findings", "the findings are under other rulebooks than those in the file")
    return book_names


def _find_unvouched(books: Iterable[Rulebook]) -> dict[str, str]:
    """Return the books that nobody vouches for, each with why; `Refused` if one is not what it calls itself."""
    unvouched = {}
    for book in books:
        name, digest = book.name.partition("@")[0], f"SHA-256 {book.digest}"
        if name not in list_names() and name != BUILT_IN:
            explanation = f"the house's own rulebook {book.name}, edition {book.edition}: compare its {digest}"
            unvouched[member(book.name)] = explanation
            unvouched |= dict.fromkeys(bases(book), f"{book.name} extends it: the digest of {book.name} covers it")
        elif book.edition not in _editions(name):
            unvouched[member(book.name)] = f"handledger knows no edition {book.edition} of {name}: compare its {digest}"
        elif (known_digest := load(f"{name}@{book.edition}").digest) != book.digest:
            raise offline.Refused(
                "rules",
                f"a rulebook in the file claims to be {name}, edition {book.edition}, but has {digest}; the real book has {known_digest}",
            )
    return unvouched


def _describe_known_book(book: Rulebook) -> str:
    return f"the rulebook {book.name}, edition {book.edition}, is the one that comes with handledger: SHA-256 {book.digest}"


def _judge_again(evidence: offline.Checked, books: list[Rulebook], session: int = 1) -> dict[str, object] | None:
    """Return books and findings as they come out here; None if this version cannot read the events."""
    event_count = sum(entry["count"] for entry in evidence["entries"])
    if event_count > EVENTS_MOST or event_count * sum(len(book.clauses) for book in books) > WORK_MOST:
        return None
    mapper = Mapper()
    events: list[Any] = []  # of a hand
    marks: list[EventOrigin] = []
    try:
        for name, entry in zip(evidence["index"]["entries"], evidence["entries"], strict=True):
            data = evidence["files"][f"entries/{name}"]
            events += mapper.decode(entry["kind"], data[entry["data"] :])
            marks += unpack_origins(entry["marks"], entry["count"])
        hand = HandReplay(events, marks, UUID(evidence["index"]["stream"]), session=session)
        result = audit([hand], books)
        rejudged: dict[str, object] = json.loads(findings_json(result))
    except Exception:  # noqa: BLE001 - detectors are made for hands that a reader let in, and these are a stranger's
        return None
    return rejudged


def _canonical_text(content: dict[str, object]) -> str:
    """Return books and findings in one spelling: to Python true and 1 are the same, to a reader not."""
    return json.dumps([content["books"], content["findings"]], sort_keys=True)


def _describe_version(stated: dict[str, object]) -> str:
    """Return by which version findings were made, where it is another: it may judge differently."""
    version = stated.get("version", "an earlier version")
    if version == __version__:
        return ""
    return (
        f"; they were made with version {str(version)[:40]!r}, and this is {__version__}: check them with that version"
    )
