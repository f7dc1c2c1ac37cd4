"""Write the signatures of the public names as text, for the API reference and the test that compares them."""

from __future__ import annotations

import inspect
import re
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterator

_OBJECT_ADDRESS = re.compile(r"<(?:function|class) '?(?:[\w.]*\.)?(\w+)[^>]*>")


def describe_signature(name: str, value: Any) -> str:  # noqa: ANN401 - any public name
    """Return the signature of a function, or of a class with its fields, as Python would write it."""
    if isinstance(value, type):
        if issubclass(value, msgspec.Struct):
            annotations = [f"    {field}: {_find_annotation(value, field)}" for field in value.__struct_fields__]
            return "\n".join([f"class {name}:", *annotations])
        if issubclass(value, Exception):
            code = getattr(value, "code", "")
            return f"class {name}({value.__mro__[1].__name__})  # code {code!r}"
        return f"class {name}{_write(value)}"
    if callable(value):
        return f"def {name}{_write(value)}"
    return f"{name}: {type(value).__name__}"


def list_members(value: object) -> Iterator[tuple[str, Any]]:
    """Yield the public methods and properties of a class of ours, in the order in which they are written."""
    if not isinstance(value, type) or issubclass(value, Exception):
        return
    for name, member in vars(value).items():
        member_function = member.__func__ if isinstance(member, classmethod | staticmethod) else member
        if not name.startswith("_") and (isinstance(member, property) or inspect.isfunction(member_function)):
            yield name, member if isinstance(member, property) else getattr(value, name)


def _find_annotation(kind: type, field: str) -> str:
    for base in kind.__mro__:
        annotation = inspect.get_annotations(base).get(field)
        if annotation is not None:
            return annotation if isinstance(annotation, str) else getattr(annotation, "__name__", str(annotation))
    return "Any"


class _Annotation(str):
    """An annotation as written, without quotes around it."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _write(value: Any) -> str:  # noqa: ANN401 - any public name
    """Return parameters and result, with annotations as they are in the code."""
    signature = inspect.signature(value)
    parameters = [
        parameter.replace(annotation=_unquote(parameter.annotation)) for parameter in signature.parameters.values()
    ]
    text = str(signature.replace(parameters=parameters, return_annotation=_unquote(signature.return_annotation)))
    return _OBJECT_ADDRESS.sub(r"\1", text)


def _unquote(annotation: object) -> object:
    return _Annotation(annotation) if isinstance(annotation, str) else annotation
