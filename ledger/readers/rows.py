"""Prepare the handlers in a room's tables of phrases: each gets the fields of its phrase in order."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

LineHandler: TypeAlias = Callable[..., bool | None]
"""Reads a phrase into a hand: gets the hand and the fields by name. Returns False if the phrase means something else."""


def pass_in_order(handler: LineHandler, fields: tuple[str, ...], leading_values: int) -> LineHandler:
    """Return a handler that takes the fields by position, after `leading_values` other arguments.

    A handler with `**fields`, or with the fields in another order, still gets them by name.
    """
    if not fields:
        return handler
    function = handler.func if isinstance(handler, partial) and not handler.args else handler
    if inspect.isfunction(function):
        code = function.__code__
        parameters = code.co_varnames[leading_values : code.co_argcount][: len(fields)]
        if not code.co_flags & inspect.CO_VARKEYWORDS and (parameters == fields or code.co_flags & inspect.CO_VARARGS):
            return handler
    return lambda *values: handler(*values[:leading_values], **dict(zip(fields, values[leading_values:], strict=True)))


def bind_values(handler: LineHandler, values: Sequence[object]) -> LineHandler:
    """Return a handler that takes only a hand, or a hand and a seat; the values are bound as its last arguments."""
    if not values:
        return handler
    if len(values) == 1:
        (value,) = values
        return lambda *hand: handler(*hand, value)
    return lambda *hand: handler(*hand, *values)
