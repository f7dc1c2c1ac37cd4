"""Repeat the findings in evidence under its rulebooks, and compare those with the program's own."""

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
MAX_BASES: Final = 3
"""Files of the house that a book in evidence may extend: `view/` has room for as many members besides the hand's text."""
MAX_EVENTS: Final = 2000
"""Events of a hand that is judged again: some detectors take time in proportion to their square."""
MAX_WORK: Final = 2_000_000
"""Events times clauses that are judged again: a second's work. A long hand under five books has 100,000."""


_editions: Final = cache(list_editions)
_MEMBERS: Final = frozenset(("books", "findings", "version", "session"))
_MAX_SESSION: Final = 10**9


class RepeatedFindings(NamedTuple):
    """The result: what was proven again, and the members that nothing proves, by name with the reason."""

    proven: list[str]
    uncovered: dict[str, str]


def encode_findings(result: AuditResult, session: int = 1) -> bytes:
    """Return the member with the findings of an audit, its books, and the program's version.

    `session`: 1 for the first hand of a number at its table, 2 for the second; fingerprints depend on it from 2 on.
    """
    content = {"books": result.books, "findings": result.findings, "version": __version__}
    return msgspec.json.encode(content if session == 1 else {**content, "session": session})


def name_rule_member(book: str) -> str:
    """Return the name of a rulebook's member."""
    plain_name = "".join(
        character if character.isascii() and (character.isalnum() or character in "._@-") else "-"
        for character in book.lower()
    )
    return f"rules/{plain_name.lstrip('._@-') or 'book'}.toml"[:100]


def build_base_members(book: Rulebook) -> dict[str, bytes]:
    """Return the members with the house's files that a book extends.

    They are under `view/`: earlier versions of the program refuse other members under `rules/`.
    """
    files = book.own_files[1:] if len(book.own_files) <= 1 + MAX_BASES else ()
    return {
        f"{_name_base_folder(book.name)}{file_number}.toml": own_file.file.data
        for file_number, own_file in enumerate(files, 1)
    }


def _name_base_folder(book: str) -> str:
    return f"view/{name_rule_member(book).removesuffix('.toml')}/"


def _list_files(name: str, files: Mapping[str, bytes]) -> tuple[bytes, ...]:
    """Return the file of a book, then the house's files that it extends, as many as the evidence has."""
    file_contents = [files[name_rule_member(name)]]
    while (base_name := f"{_name_base_folder(name)}{len(file_contents)}.toml") in files:
        file_contents.append(files[base_name])
    return tuple(file_contents)


def repeat_findings(evidence: offline.Checked) -> RepeatedFindings:
    """Judge the hand in evidence again; `Refused` if the findings aren't identical.

    `evidence`: as the single-file verifier returns it. A rulebook with the name of a built-in book must be that book.
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
        built_in_books = [
            _read_book(BUILT_IN, (files[name],)) for name in rule_names if name == name_rule_member(BUILT_IN)
        ]
    except HandledgerError as error:
        explanation = f"this version can't read it: {error.message.splitlines()[0]}"
        return RepeatedFindings(
            [], dict.fromkeys(rule_names, explanation) | {NAME: "this version can't judge the hand again"}
        )
    unvouched = _find_unvouched([*books, *built_in_books])
    if stated.get("version", __version__) != __version__:
        unvouched[VERSION] = f"{str(stated['version'])[:40]!r}, and this is {__version__}"
    session = _read_session(stated)
    rejudged = _judge_again(evidence, books, session)
    if rejudged is None:
        explanation = "the hand wasn't judged again: it has too many events, or some that this version can't read"
        return RepeatedFindings(
            [_describe_known_book(book) for book in books if name_rule_member(book.name) not in unvouched],
            unvouched | {NAME: explanation},
        )
    if _encode_canonically(rejudged) != _encode_canonically(stated):
        raise offline.Refused(
            "findings", f"judging the hand again gives other findings or other books{_describe_version(stated)}"
        )
    count_text = _describe_count(stated)
    if unvouched.keys() - {VERSION}:
        unvouched[NAME] = f"{count_text}; but handledger can't vouch for their rulebook"
        count_text = ""
    proven = [_describe_known_book(book) for book in books if name_rule_member(book.name) not in unvouched]
    return RepeatedFindings([*([count_text] if count_text else []), *proven], unvouched)


def _read_session(stated: dict[str, Any]) -> int:
    """Return the session of the stated findings; `Refused` if its value is invalid."""
    session = stated.get("session", 1)
    if type(session) is not int or not 1 <= session < _MAX_SESSION or ("session" in stated) != (session > 1):
        raise offline.Refused("findings", "the findings don't say which of the hands with this number it is")
    return session


def _describe_count(stated: dict[str, Any]) -> str:
    """Return the sentence with the number of repeated findings."""
    finding_count = len(stated["findings"])
    return (
        f"{finding_count} finding{'s' * (finding_count != 1)} from this hand alone, confirmed by judging it again; "
        "findings that need earlier hands aren't in the file"
    )


def _read_book(name: str, files: tuple[bytes, ...]) -> Rulebook:
    """Read a rulebook from a stranger; `RulebookError` for anything wrong with it."""
    try:
        return read_house_book(name, files)
    except HandledgerError:
        raise
    except Exception as error:  # noqa: BLE001 - a hostile book may raise anything
        raise evidence_errors.bad_book_in_evidence(name, type(error).__name__) from None


def _list_stated_books(stated_books: object, rules: list[str]) -> list[str]:
    """Return the names of the findings' books, in their order, without the built-in one."""
    if not isinstance(stated_books, list) or not all(
        isinstance(stated_book, dict) and isinstance(stated_book.get("name"), str) for stated_book in stated_books
    ):
        raise offline.Refused("findings", "the findings don't name their rulebooks")
    book_names = [stated_book["name"] for stated_book in stated_books if stated_book["name"] != BUILT_IN]
    if sorted(map(name_rule_member, book_names)) != [name for name in rules if name != name_rule_member(BUILT_IN)]:
        raise offline.Refused("findings", "the findings are under other rulebooks than those in the file")
    return book_names


def _find_unvouched(books: Iterable[Rulebook]) -> dict[str, str]:
    """Return the unproven books with the reasons; `Refused` for a book that isn't the built-in one of its name."""
    unvouched = {}
    for book in books:
        name, digest = book.name.partition("@")[0], f"SHA-256 {book.digest}"
        if name not in list_names() and name != BUILT_IN:
            explanation = f"the house's own rulebook {book.name}, edition {book.edition}: compare its {digest}"
            unvouched[name_rule_member(book.name)] = explanation
            unvouched |= dict.fromkeys(
                build_base_members(book), f"{book.name} extends it: the digest of {book.name} covers it"
            )
        elif book.edition not in _editions(name):
            unvouched[name_rule_member(book.name)] = (
                f"handledger knows no edition {book.edition} of {name}: compare its {digest}"
            )
        elif (known_digest := load(f"{name}@{book.edition}").digest) != book.digest:
            raise offline.Refused(
                "rules",
                f"a rulebook in the file claims to be {name}, edition {book.edition}, but has {digest}; the real book has {known_digest}",
            )
    return unvouched


def _describe_known_book(book: Rulebook) -> str:
    return f"the rulebook {book.name}, edition {book.edition}, is the one that comes with handledger: SHA-256 {book.digest}"


def _judge_again(evidence: offline.Checked, books: list[Rulebook], session: int = 1) -> dict[str, object] | None:
    """Return the books and findings of judging the hand again; None if it's too long or this version can't read it."""
    event_count = sum(entry["count"] for entry in evidence["entries"])
    if event_count > MAX_EVENTS or event_count * sum(len(book.clauses) for book in books) > MAX_WORK:
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
        rejudged: dict[str, object] = json.loads(encode_findings(result))
    except Exception:  # noqa: BLE001 - a stranger's events may break rules that readers enforce
        return None
    return rejudged


def _encode_canonically(content: dict[str, object]) -> str:
    """Return books and findings as canonical JSON. Comparing objects isn't enough: to Python, true equals 1."""
    return json.dumps([content["books"], content["findings"]], sort_keys=True)


def _describe_version(stated: dict[str, object]) -> str:
    """Return a note if another version made the findings: it may judge differently."""
    version = stated.get("version", "an earlier version")
    if version == __version__:
        return ""
    return (
        f"; they were made with version {str(version)[:40]!r}, and this is {__version__}: check them with that version"
    )
