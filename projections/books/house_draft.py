"""Write a house's own rulebook from answers, and load it as its file would be loaded."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from ledger.errors import RulebookError
from ledger.text.language import is_english, phrase
from projections.books import rulebook
from projections.books.adoption import RESERVED_WORDS
from projections.books.book_draft import iter_clauses
from projections.books.draft_answers import LEFT_OPEN, describe_value
from projections.books.house_clauses import list_clause_numbers, update_clauses
from projections.books.house_questions import QUESTIONS
from projections.books.house_template import key_to_toml, shorten, to_toml
from projections.books.policy_conflicts import find_conflicts
from projections.books.rulebook import BOOK_SUFFIX, BUILT_IN, Rulebook, read_house_book
from projections.books.shelf import BOOK_NAME_PATTERN, MAX_NAME_LENGTH
from projections.obligations.house_points import HOUSE_POINTS
from projections.obligations.policy import POINTS

DRAFT_NAME: Final = "draft"
"""The name of a draft that has none yet."""
MAX_TITLE_LENGTH: Final = 120
_MAX_INLINE_LENGTH: Final = 900
_LINE_LABEL: Final = re.compile(r"^[^\n:]{0,300}:\d{1,9}: ", re.MULTILINE)
_TRAILING_NUMBER: Final = re.compile(r"(\d{1,9})$", re.ASCII)
_HEADING: Final = "# Written from the answers on the page “house rules”."


class HouseDraft(NamedTuple):
    """A house's own book in the making: the book it starts from, and the points that it changes."""

    base: Rulebook
    is_own_base: bool  # the base is the house's own book, and the draft its next edition
    changes: Mapping[str, Any]  # by point; `LEFT_OPEN` or a value of the point's type
    title: str
    edition: str

    def write(self) -> str:
        """Return the text of its file."""
        return "\n".join(_iter_lines(self)) + "\n"

    def load(self, name: str = DRAFT_NAME) -> Rulebook:
        """Load it as its file would be loaded; `RulebookError` lists what is wrong."""
        base_files = [draft.file.data for draft in self.base.own_files[1:]] if self.is_own_base else []
        return read_house_book(name, (self.write().encode(), *base_files))

    def find_problems(self) -> dict[str, str]:
        """Return what is wrong with the changed points, by point. A problem without a point has the key ""."""
        try:
            policy = self.load().policy
        except RulebookError as error:
            return self._find_unloadable_points() or {"": _describe_error(error)}
        problems: dict[str, str] = {}
        base_conflicts = find_conflicts(self.base.policy)
        for conflict in find_conflicts(policy):
            changed_points = [point for point in conflict.points if point in self.changes]
            if changed_points and conflict not in base_conflicts:
                problems.setdefault(changed_points[0], conflict.describe())
        return problems

    def _find_unloadable_points(self) -> dict[str, str]:
        problems = {}
        for key, value in self.changes.items():
            try:
                self._replace(changes={key: value}).load()
            except RulebookError as error:
                problems[key] = _describe_error(error)
        return problems


def find_naming_problems(name: str, title: str, edition: str) -> dict[str, str]:
    """Return what is wrong with the name, title or edition of a house's own book, by field."""
    problems = {}
    if name in (*rulebook.list_names(), BUILT_IN, *RESERVED_WORDS):
        problems["name"] = phrase("The program uses the name {name}. Choose another, such as our-{name}.", name=name)
    elif not BOOK_NAME_PATTERN.fullmatch(name):
        problems["name"] = phrase(
            "Write a name of up to {number} letters, digits, - and _, such as my-room.", number=MAX_NAME_LENGTH
        )
    if not title or not title.isprintable() or len(title) > MAX_TITLE_LENGTH:
        problems["title"] = phrase("Write a title of up to {number} characters.", number=MAX_TITLE_LENGTH)
    if not edition or not edition.isprintable() or len(edition) > MAX_NAME_LENGTH:
        problems["edition"] = phrase(
            "Write an edition of up to {number} characters, such as 1.", number=MAX_NAME_LENGTH
        )
    return problems


def find_open_points(base: Rulebook) -> set[str]:
    """Return the points that a house may leave open: the book decides them, and no check of it needs the answer."""
    needed_points = find_needed_points(base)
    return {key for key in POINTS if base.policy.get(key) is not None and key not in needed_points}


def find_needed_points(base: Rulebook) -> set[str]:
    """Return the points whose answers the book's checks need."""
    return {
        argument["policy"]
        for entry in base.draft.entries.values()
        for argument in entry.using.values()
        if isinstance(argument, dict) and "policy" in argument
    }


def suggest_edition(base: Rulebook, *, is_own_base: bool) -> str:
    """Return the edition to suggest: the number after that of the house's own book, or 1."""
    if not is_own_base:
        return "1"
    number = _TRAILING_NUMBER.search(base.edition)
    return f"{base.edition[: number.start()]}{int(number[1]) + 1}" if number else f"{base.edition}-2"[:MAX_NAME_LENGTH]


def suggest_title(base: Rulebook, *, is_own_base: bool) -> str:
    """Return the title to suggest."""
    return base.title if is_own_base else phrase("Our room, after {title}", title=base.title)[:MAX_TITLE_LENGTH]


def _describe_error(error: RulebookError) -> str:
    """Return that a book can't be loaded; in English also why, without the lines of its file."""
    if not is_english():  # what is wrong with a file is explained in English only
        return phrase("The book can't be loaded with this answer.")
    reason = _LINE_LABEL.sub("", error.message).replace("\n", " ")
    return phrase("The book can't be loaded with this answer: {reason}", reason=reason)


def _iter_lines(draft: HouseDraft) -> Iterator[str]:
    base = draft.base
    yield from (_HEADING, "", "[rulebook]")
    if draft.is_own_base:
        tables = dict(base.draft.file.tables)
        header = {**_copy_table(tables.pop("rulebook", {})), "title": draft.title, "edition": draft.edition}
    else:
        tables = {}
        extends = f"{base.plain_name.partition('@')[0]}@{base.edition}"
        header = {"title": draft.title, "edition": draft.edition, "source": "House rules", "extends": extends}
    yield from _iter_table_lines(("rulebook",), header)
    policy_table, cite_table = _copy_table(tables.pop("policy", {})), _copy_table(tables.pop("cite", {}))
    if cite_table:
        yield from ("", "[cite]", *_iter_table_lines(("cite",), cite_table))
    own_clauses = {".".join(path): (path, fields) for path, fields in iter_clauses(tables, base.draft.file)}
    house_clauses = update_clauses({number: fields for number, (_, fields) in own_clauses.items()}, draft.changes)
    yield from ("", "[policy]", *_iter_policy_lines(draft, policy_table, house_clauses))
    for number, (path, fields) in own_clauses.items():
        yield from ("", _format_heading(path), *_iter_table_lines(path, house_clauses.pop(number, fields)))
    for number, fields in house_clauses.items():
        new_path = tuple(number.split("."))
        yield from ("", _format_heading(new_path), *_iter_table_lines(new_path, fields))


def _iter_policy_lines(
    draft: HouseDraft, policy_table: Mapping[str, object], house_clauses: Mapping[str, Mapping[str, Any]]
) -> Iterator[str]:
    # A book that extends no other one has nothing to switch off.
    can_be_off = not draft.is_own_base or draft.base.draft.base is not None
    for key in POINTS:
        if key not in draft.changes:
            if key in policy_table:
                yield from _iter_point_lines(key, _copy_table(policy_table[key]))
            continue
        value = draft.changes[key]
        if value is not LEFT_OPEN:
            entry = {"is": msgspec.to_builtins(value), "says": shorten(describe_value(key, value, translate=str))}
            clauses = _copy_table(policy_table.get(key)).get("clauses") or list_clause_numbers(house_clauses, key)
            if clauses:
                entry["clauses"] = clauses
        elif can_be_off:
            entry = {"off": "the room leaves this open"}
        else:
            continue
        yield f"# {QUESTIONS[key].text}"
        yield from _iter_point_lines(key, entry)


def _iter_point_lines(key: str, ruling: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of a point. The entries of a house's list get a line each."""
    entries = ruling.get("is")
    if key not in HOUSE_POINTS or not isinstance(entries, list):
        yield f"{key_to_toml(key)} = {to_toml(dict(ruling))}"
        return
    other_fields = "".join(
        f", {key_to_toml(name)} = {to_toml(value)}" for name, value in ruling.items() if name != "is"
    )
    yield f"{key_to_toml(key)} = {{ is = ["
    yield from (f"  {to_toml(entry)}," for entry in entries)
    yield f"]{other_fields} }}"


def _copy_table(value: object) -> dict[str, Any]:
    return dict(value) if isinstance(value, dict) else {}


def _format_heading(path: tuple[str, ...]) -> str:
    return f"[{'.'.join(map(key_to_toml, path))}]"


def _iter_table_lines(path: tuple[str, ...], fields: Mapping[str, object]) -> Iterator[str]:
    """Yield the lines of a table. Large tables inside it get a heading of their own, long lists a line per member."""
    tables = {}
    for key, value in fields.items():
        line = f"{key_to_toml(key)} = {to_toml(value)}"
        if len(line.encode()) <= _MAX_INLINE_LENGTH or not isinstance(value, dict | list):
            yield line
        elif isinstance(value, list):
            yield from (f"{key_to_toml(key)} = [", *(f"  {to_toml(member)}," for member in value), "]")
        else:
            tables[key] = value
    for key, table in tables.items():
        yield from ("", _format_heading((*path, key)), *_iter_table_lines((*path, key), table))


def name_draft_file(name: str) -> str:
    """Return the name of a draft's file."""
    return f"{name or DRAFT_NAME}{BOOK_SUFFIX}"
