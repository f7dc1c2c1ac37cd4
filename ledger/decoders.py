"""Make msgspec's decoders, in one thread at a time.

msgspec describes a class when a decoder for it is first made. A second thread that decodes such a class meanwhile reads a
half-made description, and the process crashes (msgspec 0.22). So all code of the program decodes and converts through
here: a class is described under a lock, before anybody decodes it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache
from typing import Any, Final, TypeAlias, TypeVar, overload

import msgspec

Value = TypeVar("Value")
JsonDecoder: TypeAlias = msgspec.json.Decoder[Value]

_building_lock: Final = threading.RLock()


@overload
def build_json_decoder(
    value_type: type[Value], *, float_hook: Callable[[str], Any] | None = None
) -> JsonDecoder[Value]: ...
@overload
def build_json_decoder(
    value_type: object = Any, *, float_hook: Callable[[str], Any] | None = None
) -> JsonDecoder[Any]: ...
def build_json_decoder(value_type: object = Any, *, float_hook: Callable[[str], Any] | None = None) -> JsonDecoder[Any]:
    """Return the decoder of JSON for a type, the same one each time. Any number of threads may use it."""
    return _make_json_decoder(value_type, float_hook)


@cache
def _make_json_decoder(value_type: Any, float_hook: Callable[[str], Any] | None) -> JsonDecoder[Any]:  # noqa: ANN401 - a union is no `type`
    with _building_lock:
        return msgspec.json.Decoder(value_type, float_hook=float_hook)


@overload
def build_msgpack_decoder(value_type: type[Value]) -> msgspec.msgpack.Decoder[Value]: ...
@overload
def build_msgpack_decoder(value_type: object) -> msgspec.msgpack.Decoder[Any]: ...
def build_msgpack_decoder(value_type: Any) -> msgspec.msgpack.Decoder[Any]:
    """Return a decoder of MessagePack for a type. Any number of threads may use it."""
    with _building_lock:
        return msgspec.msgpack.Decoder(value_type)


@overload
def decode_json(data: bytes | str, value_type: type[Value]) -> Value: ...
@overload
def decode_json(data: bytes | str, value_type: object = Any) -> Any: ...  # noqa: ANN401 - any JSON
def decode_json(data: bytes | str, value_type: object = Any) -> Any:
    """Return the value of a JSON text. Raise `msgspec.DecodeError`, or `ValidationError` for another shape."""
    return build_json_decoder(value_type).decode(data)


@overload
def convert(value: object, value_type: type[Value], *, strict: bool = True, str_keys: bool = False) -> Value: ...
@overload
def convert(value: object, value_type: object, *, strict: bool = True, str_keys: bool = False) -> Any: ...  # noqa: ANN401 - a union's value
def convert(value: object, value_type: object, *, strict: bool = True, str_keys: bool = False) -> Any:
    """Return a value of plain parts as a value of another type. Raise `msgspec.ValidationError` for another shape."""
    build_json_decoder(value_type)  # describes the type
    return msgspec.convert(value, value_type, strict=strict, str_keys=str_keys)
