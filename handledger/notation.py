"""Write the corrections that errors suggest: as Python calls for programs, or as JSON for assistants."""

from __future__ import annotations

import json
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_WRITES_JSON: ContextVar[bool] = ContextVar("writes_json", default=False)
_PARAMETERS: Final = {"move": {"to": "new_seat"}}
"""Method → its parameters whose names differ from the document's fields, by field."""


@contextmanager
def write_json() -> Iterator[None]:
    """Write steps and arguments as JSON within a `with` block, for callers that write a document and no Python."""
    token = _WRITES_JSON.set(True)
    try:
        yield
    finally:
        _WRITES_JSON.reset(token)


def show_step(method: str, **arguments: Any) -> str:  # noqa: ANN401 - JSON
    """Return a step of a table, as a call or as JSON.

    >>> show_step("sit", seat=3, name="Ana")
    'sit(seat=3, name="Ana")'
    >>> with write_json():
    ...     show_step("sit", seat=3, name="Ana")
    '{"do": "sit", "seat": 3, "name": "Ana"}'
    """
    if _WRITES_JSON.get():
        return json.dumps({"do": method, **arguments}, ensure_ascii=False)
    names = _PARAMETERS.get(method, {})
    return f"{method}({_write_arguments({names.get(name, name): value for name, value in arguments.items()})})"


def show_value(value: Any) -> str:  # noqa: ANN401 - JSON
    """Return a value of an argument, such as posts by seat."""
    if _WRITES_JSON.get():
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_write(key)}: {show_value(item)}" for key, item in value.items()) + "}"
    return _write(value)


def show_option(owner: str, **arguments: Any) -> str:  # noqa: ANN401 - JSON
    """Return an argument of a function, such as `Table(..., rulebook="hilton")`; in JSON a field of the document."""
    if _WRITES_JSON.get():
        return json.dumps(arguments, ensure_ascii=False)
    return f"{owner}(..., {_write_arguments(arguments)})"


def _write_arguments(arguments: dict[str, Any]) -> str:
    return ", ".join(f"{name}={show_value(value)}" for name, value in arguments.items())


def _write(value: Any) -> str:  # noqa: ANN401 - JSON
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)
