"""Answer the requests of the page in the pocket, as JSON. It runs in the browser's Python.

A table is the document of `Table.to_dict`. The last table stays in memory, so that a tap needn't replay its hands.
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

_MAX_BOOKS: Final = 20
_MAX_TEXT: Final = 500_000
_MAX_STEPS: Final = 5_000


class _LastTable:
    """The table of the last request, and its document."""

    def __init__(self) -> None:
        self.table: Table | None = None
        self.document: dict[str, Any] = {}

    def open(self, document: dict[str, Any]) -> Table:
        """Return the table of a document: the last table if the document only adds steps to it, otherwise a new one."""
        steps = document.get("steps")
        if not isinstance(steps, list) or len(steps) > _MAX_STEPS:
            raise door_errors.table_too_long(_MAX_STEPS)
        table = self._continue_table(document, steps)
        if table is None:
            table = Table.from_dict(document)
        self.table, self.document = table, table.to_dict()
        return table

    def _continue_table(self, document: dict[str, Any], steps: list[Any]) -> Table | None:
        """Add a document's new steps to the last table and return it; None if the document doesn't continue that table."""
        table, known_steps = self.table, self.document.get("steps", [])
        self.table = None  # a step that fails may leave it half changed
        if table is None or _drop_steps(document) != _drop_steps(self.document):
            return None
        if steps[: len(known_steps)] != known_steps:
            return None
        new_steps = steps[len(known_steps) :]
        if not all(map(_is_plain_step, new_steps)):
            return None
        for step in new_steps:
            _apply_step(table, step)
        return table


_STEP_FIELDS: Final = {
    "sit": ("seat", "name"),
    "leave": ("seat",),
    "away": ("seat",),
    "back": ("seat",),
    "choose": ("seat", "pick"),
}
"""Method of `Table` → its arguments, for the steps that a tap adds. `Table.from_dict` reads all others."""

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


def find_catalogue_folder(code: str) -> str:
    """Return the folder for the catalogue of a language."""
    return str(language.LOCALES / code / "LC_MESSAGES")


def _list_books(_: dict[str, Any]) -> dict[str, Any]:
    books = [rulebook.load(name) for name in rulebook.list_names()]
    return {"books": [{"name": book.name, "title": book.title} for book in books if book.policy.rulings]}


def _show_table(request: dict[str, Any]) -> dict[str, Any]:
    """Return a table, and what is due on its next hand under some books."""
    table = _LAST.open(request["table"])
    return {
        "table": _LAST.document,
        "game": table.game,  # the current one; the document has the first
        "number": table.number,
        "seated": msgspec.to_builtins(list(table.seated.values())),
        "exponent": table.exponent,
        "due": {name: _build_due(table, name) for name in request["books"][:_MAX_BOOKS]},
    }


def _build_due(table: Table, book_name: str) -> Any:  # noqa: ANN401 - JSON
    try:
        return msgspec.to_builtins(table.due(rulebook=book_name))
    except HandledgerError as error:
        return {"error": error.message, "hint": error.form_hint or error.hint}


def _check_deal(request: dict[str, Any]) -> dict[str, Any]:
    """Return the faults of a hand that isn't dealt yet, with the button and the posts that the player stated."""
    table = _LAST.open(request["table"])
    deal = request["deal"]
    stated_posts = {int(seat): chips for seat, chips in deal["posts"].items()} if "posts" in deal else None
    faults = table.check(button=deal.get("button"), posts=stated_posts, rulebook=request["table"].get("rulebook"))
    return {"faults": msgspec.to_builtins(faults)}


def _judge_last_hand(request: dict[str, Any]) -> dict[str, Any]:
    """Return the faults of a table's last hand under its book."""
    document = request["table"]
    steps = document["steps"]
    last_index = max((index for index, step in enumerate(steps) if step.get("do") == "deal"), default=None)
    if last_index is None:
        return {"faults": []}
    table = Table.from_dict({**document, "steps": steps[:last_index], "picks": {}})
    deal = steps[last_index]
    faults = table.check(button=deal["button"], posts=_group_posts(deal["posts"]), dealt=deal["dealt"])
    return {"faults": msgspec.to_builtins(faults)}


def _group_posts(recorded_posts: list[dict[str, Any]]) -> dict[int, dict[str, int]]:
    """Return the posts of a recorded hand by seat and kind, as `Table.check` takes them."""
    posts_by_seat: dict[int, dict[str, int]] = {}
    for post in recorded_posts:
        chips_by_kind = posts_by_seat.setdefault(post["seat"], {})
        chips_by_kind[post["kind"]] = post["chips"]
        if post["dead"]:
            chips_by_kind["dead"] = chips_by_kind.get("dead", 0) + post["dead"]
    return posts_by_seat


def _list_clauses(request: dict[str, Any]) -> dict[str, Any]:
    """Return the texts of some clauses of a book by their ids."""
    book = rulebook.load(str(request["book"]))
    entries = book.draft.entries
    return {"texts": {clause: entries[clause].says for clause in request["clauses"][:_MAX_BOOKS] if clause in entries}}


def _write_handscript(request: dict[str, Any]) -> dict[str, Any]:
    return {"text": _LAST.open(request["table"]).to_handscript()}


def _read_handscript(request: dict[str, Any]) -> dict[str, Any]:
    text = str(request["text"])
    if len(text) > _MAX_TEXT:
        raise door_errors.script_too_long(_MAX_TEXT)
    table = Table.from_handscript(text, rulebook=request["book"])
    return {"table": table.to_dict()}


_ANSWERS: Final[dict[str, Callable[[dict[str, Any]], dict[str, Any]]]] = {
    "begin": _list_books,
    "show": _show_table,
    "check": _check_deal,
    "faults": _judge_last_hand,
    "clauses": _list_clauses,
    "write": _write_handscript,
    "read": _read_handscript,
}


def _is_plain_step(step: object) -> bool:
    """Whether a step is one that the page adds, with all its arguments and nothing else."""
    if not isinstance(step, dict) or not isinstance(step.get("do"), str):
        return False
    if step["do"] == "deal":
        return set(step) <= {"do", "button"}
    field_names = _STEP_FIELDS.get(step["do"])
    return field_names is not None and set(step) == {"do", *field_names}


def _apply_step(table: Table, step: dict[str, Any]) -> None:
    method_name = step["do"]
    if method_name == "deal":
        table.deal(button=step.get("button"))
    else:
        getattr(table, method_name)(*(step[field_name] for field_name in _STEP_FIELDS[method_name]))


def _drop_steps(document: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name != "steps"}
