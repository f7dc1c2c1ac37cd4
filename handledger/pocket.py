"""Answer the page in the pocket: requests and answers are JSON, and a table is what `Table.to_dict` makes of it.

It runs in the browser's Python. Nothing is kept but the last table, so that a further tap needn't walk its hands again.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

import msgspec

from handledger import door_errors
from handledger.table import Table
from ledger.errors import HandledgerError
from ledger.text import language
from projections.books import rulebook

_MOST_BOOKS: Final = 20
_MOST_TEXT: Final = 500_000
_MAX_STEPS: Final = 5_000


class _LastTable:
    """The table of the last request, with the steps that made it."""

    def __init__(self) -> None:
        self.table: Table | None = None
        self.document: dict[str, Any] = {}

    def open(self, document: dict[str, Any]) -> Table:
        """Return the table of a document: the last one with further steps if it's that, otherwise a new one."""
        steps = document.get("steps")
        if not isinstance(steps, list) or len(steps) > _MAX_STEPS:
            raise door_errors.table_too_long(_MAX_STEPS)
        table = self._extend(document, steps)
        if table is None:
            table = Table.from_dict(document)
        self.table, self.document = table, table.to_dict()
        return table

    def _extend(self, document: dict[str, Any], steps: list[Any]) -> Table | None:
        """Return the last table with the steps that a document adds to it, or None if the document isn't its continuation."""
        table, known_steps = self.table, self.document.get("steps", [])
        self.table = None  # a step that can't be may have changed it
        if table is None or _without_steps(document) != _without_steps(self.document):
            return None
        if steps[: len(known_steps)] != known_steps:
            return None
        further_steps = steps[len(known_steps) :]
        if not all(map(_is_plain_step, further_steps)):
            return None
        for further_step in further_steps:
            _apply_step(table, further_step)
        return table


_STEP_FIELDS: Final = {
    "sit": ("seat", "name"),
    "leave": ("seat",),
    "away": ("seat",),
    "back": ("seat",),
    "choose": ("seat", "pick"),
}
"""What the page adds: the name of a method of `Table` → its arguments. Any other step is read by `Table.from_dict`."""

_LAST: Final = _LastTable()


def answer_request(request_text: str) -> str:
    """Return the answer to a request, as JSON. An error is an answer with `error` and `hint`."""
    request = json.loads(request_text)
    with language.use_language(request.get("language", language.ENGLISH)):
        try:
            answer = _ANSWERS[request["ask"]](request)
        except HandledgerError as error:
            answer = {"error": error.message, "hint": error.form_hint or error.hint, "code": error.code}
    return json.dumps(answer)


def catalogue_folder(code: str) -> str:
    """Return the folder in which the catalogue of a language is looked for."""
    return str(language.LOCALES / code / "LC_MESSAGES")


def _list_books(_: dict[str, Any]) -> dict[str, Any]:
    books = [rulebook.load(name) for name in rulebook.names()]
    return {"books": [{"name": book.name, "title": book.title} for book in books if book.policy.rulings]}


def _show_table(request: dict[str, Any]) -> dict[str, Any]:
    """Return a table, and what is due on its next hand under some books."""
    table = _LAST.open(request["table"])
    return {
        "table": _LAST.document,
        "game": table.game,  # as it is now; the document has the first
        "number": table.number,
        "seated": msgspec.to_builtins(list(table.seated.values())),
        "exponent": table.exponent,
        "due": {name: _build_due(table, name) for name in request["books"][:_MOST_BOOKS]},
    }


def _build_due(table: Table, book_name: str) -> Any:  # noqa: ANN401 - JSON
    try:
        return msgspec.to_builtins(table.due(rulebook=book_name))
    except HandledgerError as error:
        return {"error": error.message, "hint": error.form_hint or error.hint}


def _check_deal(request: dict[str, Any]) -> dict[str, Any]:
    """Return what a book finds wrong with a hand that isn't dealt yet: with its button and posts, where they're stated."""
    table = _LAST.open(request["table"])
    deal = request["deal"]
    stated_posts = {int(seat): chips for seat, chips in deal["posts"].items()} if "posts" in deal else None
    faults = table.check(button=deal.get("button"), posts=stated_posts, rulebook=request["table"].get("rulebook"))
    return {"faults": msgspec.to_builtins(faults)}


def _judge_last(request: dict[str, Any]) -> dict[str, Any]:
    """Return what the table's book finds wrong with its last hand."""
    document = request["table"]
    index = max((index for index, step in enumerate(document["steps"]) if step.get("do") == "deal"), default=None)
    if index is None:
        return {"faults": []}
    table, deal = (
        Table.from_dict({**document, "steps": document["steps"][:index], "picks": {}}),
        document["steps"][index],
    )
    posts_by_seat: dict[int, dict[str, int]] = {}
    for recorded_post in deal["posts"]:
        chips_by_kind = posts_by_seat.setdefault(recorded_post["seat"], {})
        chips_by_kind[recorded_post["kind"]] = recorded_post["chips"]
        if recorded_post["dead"]:
            chips_by_kind["dead"] = chips_by_kind.get("dead", 0) + recorded_post["dead"]
    faults = table.check(button=deal["button"], posts=posts_by_seat, dealt=deal["dealt"])
    return {"faults": msgspec.to_builtins(faults)}


def _list_clauses(request: dict[str, Any]) -> dict[str, Any]:
    """Return what clauses of a book say, by their ids."""
    book = rulebook.load(str(request["book"]))
    entries = book.draft.entries
    return {"texts": {clause: entries[clause].says for clause in request["clauses"][:_MOST_BOOKS] if clause in entries}}


def _write_handscript(request: dict[str, Any]) -> dict[str, Any]:
    return {"text": _LAST.open(request["table"]).to_handscript()}


def _read_handscript(request: dict[str, Any]) -> dict[str, Any]:
    text = str(request["text"])
    if len(text) > _MOST_TEXT:
        raise door_errors.script_too_long(_MOST_TEXT)
    table = Table.from_handscript(text, rulebook=request["book"])
    return {"table": table.to_dict()}


_ANSWERS: Final[dict[str, Callable[[dict[str, Any]], dict[str, Any]]]] = {
    "begin": _list_books,
    "show": _show_table,
    "check": _check_deal,
    "faults": _judge_last,
    "clauses": _list_clauses,
    "write": _write_handscript,
    "read": _read_handscript,
}


def _is_plain_step(further_step: object) -> bool:
    """Whether a step is one that the page adds, with all its arguments and nothing else."""
    if not isinstance(further_step, dict) or not isinstance(further_step.get("do"), str):
        return False
    if further_step["do"] == "deal":
        return set(further_step) <= {"do", "button"}
    field_names = _STEP_FIELDS.get(further_step["do"])
    return field_names is not None and set(further_step) == {"do", *field_names}


def _apply_step(table: Table, further_step: dict[str, Any]) -> None:
    method_name = further_step["do"]
    if method_name == "deal":
        table.deal(button=further_step.get("button"))
    else:
        getattr(table, method_name)(*(further_step[field_name] for field_name in _STEP_FIELDS[method_name]))


def _without_steps(document: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name != "steps"}
