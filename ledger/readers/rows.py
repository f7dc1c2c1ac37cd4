"""Rows of a room's tables, made once into what tells a line: the fields of its phrase, read, are handed over in their order."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

Tell: TypeAlias = Callable[..., bool | None]
"""Tells a phrase of a hand, which is given first and its fields by name; False where it was not meant."""


def pass_in_order(tell: Tell, fields: tuple[str, ...], leading_values: int) -> Tell:
    """Return what tells a phrase of which the fields are handed over in their order, behind so many other values.

    Most functions take them so. One that takes any fields by name, or these in another order, gets them by name.
    """
    if not fields:
        return tell
    function = tell.func if isinstance(tell, partial) and not tell.args else tell
    if inspect.isfunction(function):
        code = function.__code__
        parameters = code.co_varnames[leading_values : code.co_argcount][: len(fields)]
        if not code.co_flags & inspect.CO_VARKEYWORDS and (parameters == fields or code.co_flags & inspect.CO_VARARGS):
            return tell
    return lambda *values: tell(*values[:leading_values], **dict(zip(fields, values[leading_values:], strict=True)))


def bind_values(tell: Tell, values: Sequence[object]) -> Tell:
    """Return what tells a hand, or a hand and a seat, of these values behind them."""
    if not values:
        return tell
    if len(values) == 1:
        (value,) = values
        return lambda *hand: tell(*hand, value)
    return lambda *hand: tell(*hand, *values)
