"""The acts that dealers asked a floor to approve, until a floor answers or the server ends.

Nothing of them is in the ledger: an act is recorded when it is approved, with the floor's name. After a restart the dealer
still has the act on the table's page, under what was not recorded.
"""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.house.events import DeviceEnrolled
    from ledger.store.hands.hand_accounts import TableKey
    from ledger.vocabulary import Millis, PlayerId, Seat

RequestState: TypeAlias = Literal["waiting", "approved", "refused"]

_MAX_REQUESTS: Final = 200
_MAX_OF_USER: Final = 20
"""Requests of one dealer that wait: who presses on and on pushes nobody else's off the list."""


class ApprovalRequest(NamedTuple):
    """An act that a dealer pressed and a floor has to approve."""

    id: str
    table_key: TableKey
    user: PlayerId
    device: DeviceEnrolled  # with its limits
    is_enrolled: bool  # the browser has a device's key
    line: str
    seat: Seat | None
    position: int  # of the table in the log, as the dealer saw it
    act: str  # what a floor has to approve: a message
    address: str  # of the page where a floor approves it with a code
    moment: Millis
    state: RequestState = "waiting"
    floor: PlayerId = ""  # who answered
    answered: Millis = 0


class ApprovalRequests:
    """The requests of a server, the oldest first."""

    def __init__(self, clock: Callable[[], Millis]) -> None:
        """`clock`: milliseconds since 1970."""
        self._clock = clock
        self._lock = threading.Lock()
        self._requests: OrderedDict[str, ApprovalRequest] = OrderedDict()

    def ask(self, request: ApprovalRequest) -> None:
        """Put a request on the list, unless the same act of the same dealer waits there already."""
        with self._lock:
            waiting = [asked for asked in self._requests.values() if asked.state == "waiting"]
            if any(_is_same_act(asked, request) for asked in waiting):
                return
            request_ids = [asked.id for asked in waiting if asked.user == request.user]
            for oldest in request_ids[: max(0, len(request_ids) - _MAX_OF_USER + 1)]:
                del self._requests[oldest]
            self._requests[request.id] = request
            while len(self._requests) > _MAX_REQUESTS:
                self._requests.popitem(last=False)

    def list_requests(self) -> list[ApprovalRequest]:
        """Return all requests, the oldest first."""
        with self._lock:
            return list(self._requests.values())

    def answer(self, request_id: str, state: RequestState, floor: PlayerId) -> ApprovalRequest | None:
        """Answer a request that waits and return it; None if it doesn't wait any more: one floor decides."""
        with self._lock:
            request = self._requests.get(request_id)
            if request is None or request.state != "waiting":
                return None
            self._requests[request_id] = request._replace(state=state, floor=floor, answered=self._clock())
            return request

    def put_back(self, request: ApprovalRequest) -> None:
        """Let a request wait again: what a floor approved couldn't be recorded."""
        with self._lock:
            if request.id in self._requests:
                self._requests[request.id] = request

    def remove(self, request_id: str) -> None:
        """Take a request off the list: its table went on."""
        with self._lock:
            self._requests.pop(request_id, None)


def new_request_id() -> str:
    """Return an id that nobody guesses."""
    return secrets.token_urlsafe(9)


def _is_same_act(first: ApprovalRequest, second: ApprovalRequest) -> bool:
    return (first.table_key, first.user, first.address) == (second.table_key, second.user, second.address)
