"""Authenticate devices, and read their requests within bounds of size, time and rate."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Annotated, Final, TypeAlias, TypeVar

import anyio
import msgspec

from ledger.decoders import decode_json
from ledger.house.devices import ENROLMENTS, find_device, list_enrolled_devices, may_use_table
from ledger.recording.running_hand import find_last_version
from ledger.streams import HOUSE
from ledger.vocabulary import Millis
from web.api import api_errors
from web.api.api_errors import ProblemError

if TYPE_CHECKING:
    from starlette.requests import Request

    from ledger.house.events import DeviceEnrolled
    from ledger.store import Ledger

MAX_BODY_BYTES: Final = 64 * 1024
"""Bytes of a request."""
MAX_BODY_SECONDS: Final = 10.0
"""Seconds within which a body must arrive."""
MAX_BATCH: Final = 200
"""Lines or events of one request."""
_REQUESTS_PER_SECOND: Final = 20.0
_MAX_BURST: Final = 60.0
"""Requests that one device may send per second, and in one burst."""
_MAX_KEY_LENGTH: Final = 200
_LENGTH_DIGITS: Final = 18

_T = TypeVar("_T")

Moment: TypeAlias = Annotated[Millis, msgspec.Meta(ge=0, le=253_402_300_799_999)]
"""A time by a device's clock, in milliseconds since 1970, up to the year 9999."""
Version: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)]
"""A version that a device saw, 0 between hands."""


class Lines(msgspec.Struct, forbid_unknown_fields=True):
    """Lines or keys, recorded one after the other; the first that is refused ends it.

    `behind`: the version that the device has seen last, held against the first line that is new; `key`: of this
    device at this table: the same lines under it are recorded once, others are refused (409); `sent`: the device's own
    clock when it sent this, in milliseconds since 1970.
    """

    lines: list[str]
    seen_version: Version | None = msgspec.field(default=None, name="behind")
    key: str = ""
    sent: Moment | None = None


class Events(msgspec.Struct, forbid_unknown_fields=True):
    """Events as stored, all or none; `at`: when each was, by the device's clock, where it knows."""

    events: list[msgspec.Raw]
    seen_version: Version | None = msgspec.field(default=None, name="behind")
    key: str = ""
    sent: Moment | None = None
    times: list[Moment | None] = msgspec.field(default_factory=list, name="at")


class Undo(msgspec.Struct, forbid_unknown_fields=True):
    """The last event that holds falls, by a correction that says why."""

    seen_version: Version | None = msgspec.field(default=None, name="behind")
    key: str = ""
    sent: Moment | None = None
    reason: str = msgspec.field(default="typing error", name="why")


class NewTable(msgspec.Struct, forbid_unknown_fields=True):
    """The game of a table without hands, and the facts that its record will contain."""

    game: str  # as in a game line of handscript: "holdem no-limit cash blinds 2/5 unit USD 2"
    seats: int = 0
    records: str = "dealer-notes"
    options: list[str] = []  # lines of house options: "option button-method dead"


class Devices:
    """The enrolled devices, with each one's allowance of requests. They are reread when the house's stream grows."""

    def __init__(self, ledger: Ledger) -> None:
        """Take the ledger."""
        self._ledger = ledger
        self._lock = threading.Lock()
        self._devices_at_version: tuple[int, dict[str, DeviceEnrolled]] = (-1, {})
        self._allowances: dict[str, tuple[float, float]] = {}

    def authenticate(self, request: Request) -> DeviceEnrolled:
        """Return the device of a request's key. Raise `ProblemError`: 401 for an unknown key, 429 for too many requests."""
        scheme, _, key = request.headers.get("authorization", "").partition(" ")
        device = None
        if scheme.lower() == "bearer" and 0 < len(key) <= _MAX_KEY_LENGTH:
            device = find_device(self._read_devices().values(), key.strip())
        if device is None:
            raise api_errors.device_key_wrong()
        self._spend_allowance(device.device)
        return device

    def is_enrolled(self, device: DeviceEnrolled) -> bool:
        """Whether a device may still do what it could when it was authenticated, under the same key."""
        return self._read_devices().get(device.device) == device

    def _read_devices(self) -> dict[str, DeviceEnrolled]:
        version = find_last_version(self._ledger, HOUSE)
        with self._lock:
            if self._devices_at_version[0] != version:
                self._devices_at_version = (
                    version,
                    list_enrolled_devices(self._ledger.entries_of_types(HOUSE, *ENROLMENTS)),
                )
            return self._devices_at_version[1]

    def _spend_allowance(self, device: str) -> None:
        """Take one request from a device's allowance."""
        seconds_now = time.monotonic()
        with self._lock:
            requests, counted_at = self._allowances.get(device, (_MAX_BURST, seconds_now))
            requests = min(_MAX_BURST, requests + (seconds_now - counted_at) * _REQUESTS_PER_SECOND) - 1
            self._allowances[device] = max(requests, -1.0), seconds_now
        if requests < 0:
            raise api_errors.too_many_requests(int(_REQUESTS_PER_SECOND))


def require_table(device: DeviceEnrolled, venue: str, table: str) -> None:
    """Raise `ProblemError` 403 if a device may not record a table."""
    if not may_use_table(device, venue, table):
        raise api_errors.table_not_allowed(device.device)


async def read_body(request: Request, body_type: type[_T]) -> _T:
    """Return a request's body. Raise `ProblemError`: 413 too large, 408 too slow, 415 no JSON, 400 another shape."""
    length = request.headers.get("content-length", "")
    if length.isascii() and length.isdigit() and (len(length) > _LENGTH_DIGITS or int(length) > MAX_BODY_BYTES):
        raise api_errors.body_too_large(MAX_BODY_BYTES // 1024)
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise api_errors.body_not_json()
    received = bytearray()
    with anyio.move_on_after(MAX_BODY_SECONDS) as deadline:
        async for part in request.stream():
            received += part
            if len(received) > MAX_BODY_BYTES:
                raise api_errors.body_too_large(MAX_BODY_BYTES // 1024)
    if deadline.cancelled_caught:
        raise api_errors.body_too_slow()
    try:
        return decode_json(bytes(received), body_type)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _refuse_body(bytes(received), error) from None


def _refuse_body(body: bytes, error: Exception) -> ProblemError:
    """Return the refusal of a body that isn't JSON, or is JSON of another shape."""
    try:
        decode_json(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as syntax_error:
        return api_errors.json_invalid(str(syntax_error))
    return api_errors.schema_mismatch(str(error))
