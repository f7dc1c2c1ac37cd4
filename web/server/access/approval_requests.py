"""The acts that dealers asked a floor to approve, as a running server sees them.

Requests and answers are events in the house's stream, like the users: they outlast the server, and all servers of a ledger
share them. The act itself is recorded at its table when a floor approves it.
"""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias
from urllib.parse import urlencode

from ledger.house.events import (
    ApprovalAnswered,
    ApprovalAsked,
    DeviceEnrolled,
    DeviceRetired,
    PersonErased,
    UserEnrolled,
    UserRevoked,
)
from ledger.recording.running_hand import find_last_version
from ledger.store.hands.hand_accounts import TableKey
from ledger.store.requests import approvals
from ledger.streams import HOUSE
from web.server.access.floor_acts import FloorAct

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.entry import Entry
    from ledger.store import Ledger
    from ledger.vocabulary import Millis, PlayerId, Seat, TextRef

RequestState: TypeAlias = Literal["waiting", "approved", "refused"]

_EVENTS: Final = (
    ApprovalAsked,
    ApprovalAnswered,
    UserEnrolled,
    UserRevoked,
    PersonErased,
    DeviceEnrolled,
    DeviceRetired,
)
_MAX_REQUESTS: Final = 200
_MAX_OF_USER: Final = 20
"""Requests of one dealer that wait: who presses on and on pushes nobody else's off the list."""
_LIFETIME: Final = 12 * 60 * 60 * 1000
"""Milliseconds after which a request is forgotten, if its table never went on."""


class ApprovalRequest(NamedTuple):
    """An act that a dealer pressed and a floor has to approve."""

    id: str
    table_key: TableKey
    user: PlayerId
    device: str  # an enrolled one, "" for any browser
    line: str
    seat: Seat | None
    position: int  # of the table in the log, as the dealer saw it
    act: str  # what a floor has to approve: a message
    moment: Millis
    state: RequestState = "waiting"
    floor: PlayerId = ""  # who answered
    answered: Millis = 0
    is_asker_current: bool = True  # neither the dealer nor the device was revoked or enrolled again since

    @property
    def address(self) -> str:
        """The page on which a floor approves it with a code."""
        return build_approval_address(self.table_key, self.line, self.position, self.seat)


class ApprovalRequests:
    """The requests of a ledger, the oldest first. New events are read before each answer, as in the directory of users."""

    def __init__(self, ledger: Ledger) -> None:
        """Take the ledger."""
        self._ledger = ledger
        self._lock = threading.Lock()
        self._asking = threading.Lock()
        self._requests: OrderedDict[str, ApprovalRequest] = OrderedDict()
        self._lines: dict[str, TextRef] = {}  # by request; a person in a line may be forgotten
        self._claimed: set[str] = set()
        self._version = 0

    def ask(
        self,
        ledger: Ledger,
        table_key: TableKey,
        user: PlayerId,
        device: str,
        act: str,
        line: str,
        seat: Seat | None,
        position: int,
    ) -> None:
        """Put an act on the list, unless the same act of the same dealer waits there already.

        `ledger`: open for writing. `act`: a message of `FloorAct`. `position`: of the table, as the dealer saw it.
        """
        address = build_approval_address(table_key, line, position, seat)
        with self._asking:
            is_waiting = any(
                request.is_asker_current
                and (request.state, request.user, request.address) == ("waiting", user, address)
                for request in self.list_requests()
            )
            if not is_waiting:
                approvals.record_request(
                    ledger,
                    secrets.token_urlsafe(9),
                    table_key,
                    user,
                    device,
                    FloorAct(act).name.lower(),
                    line,
                    seat,
                    position,
                )

    def list_requests(self) -> list[ApprovalRequest]:
        """Return all requests of the last hours, the oldest first."""
        oldest = self._ledger.now() - _LIFETIME
        with self._lock:
            self._read()
            requests = [request for request in self._requests.values() if request.moment > oldest]
            lines = dict(self._lines)
        return [
            request._replace(line=line)
            for request in requests
            if (line := self._ledger.people.words(lines[request.id])) is not None
        ]

    def claim(self, request_id: str) -> bool:
        """Reserve a waiting request for one floor; return False if another floor has it, or it's answered."""
        with self._lock:
            self._read()
            request = self._requests.get(request_id)
            if request is None or request.state != "waiting" or request_id in self._claimed:
                return False
            self._claimed.add(request_id)
            return True

    def release(self, request_id: str) -> None:
        """End the claim of a floor who answered, or couldn't."""
        with self._lock:
            self._claimed.discard(request_id)

    def remove(self, request_id: str) -> None:
        """Take a request off the list: its table went on."""
        with self._lock:
            self._drop(request_id)

    def _read(self) -> None:
        """Apply the new events of the house's stream. Call it with the lock held."""
        version = find_last_version(self._ledger, HOUSE)
        if version != self._version:
            entries = list(self._ledger.entries_of_types(HOUSE, *_EVENTS, after=self._version))
            for entry in entries:
                self._apply(entry)
            self._version = max([version, *(entry.version for entry in entries)])

    def _apply(self, entry: Entry) -> None:
        event = entry.event
        if isinstance(event, ApprovalAsked):
            self._take(event, entry.recorded.time)
        elif isinstance(event, ApprovalAnswered):
            request = self._requests.get(event.request)
            is_recorded = event.answer == "approved"  # at its table: a refusal of the same moment changes nothing
            if request is not None and (request.state == "waiting" or (is_recorded and request.state == "refused")):
                self._requests[request.id] = request._replace(
                    state=event.answer, floor=event.floor, answered=entry.recorded.time
                )
        elif isinstance(event, DeviceEnrolled | DeviceRetired):
            self._distrust(lambda request: request.device == event.device)
        elif isinstance(event, UserEnrolled | UserRevoked):
            self._distrust(lambda request: request.user == event.user)
        elif isinstance(event, PersonErased):
            self._distrust(lambda request: request.user == event.person)

    def _take(self, event: ApprovalAsked, moment: Millis) -> None:
        """Add a request. The oldest of the same dealer, then the oldest of all, make room for it."""
        waiting_ids = [
            asked.id for asked in self._requests.values() if asked.state == "waiting" and asked.user == event.user
        ]
        for oldest_id in waiting_ids[: max(0, len(waiting_ids) - _MAX_OF_USER + 1)]:
            self._drop(oldest_id)
        table_key = TableKey(event.venue, event.tournament, event.table)
        self._requests[event.request] = ApprovalRequest(
            event.request,
            table_key,
            event.user,
            event.device,
            "",
            event.seat,
            event.position,
            _MESSAGES.get(event.act, event.act),
            moment,
        )
        self._lines[event.request] = event.line
        while len(self._requests) > _MAX_REQUESTS:
            self._drop(next(iter(self._requests)))

    def _drop(self, request_id: str) -> None:
        self._requests.pop(request_id, None)
        self._lines.pop(request_id, None)

    def _distrust(self, is_concerned: Callable[[ApprovalRequest], bool]) -> None:
        """Mark requests whose dealer or device was revoked or enrolled again: no floor can approve them."""
        for request in self._requests.values():
            if is_concerned(request):
                self._requests[request.id] = request._replace(is_asker_current=False)


_MESSAGES: Final = {floor_act.name.lower(): floor_act.value for floor_act in FloorAct}
"""Act in an event → what a floor has to approve, as a message."""


def build_approval_address(table_key: TableKey, line: str, position: int, seat: Seat | None) -> str:
    """Return the address of the page where a floor approves an act at a table."""
    address = {"venue": table_key.venue, "tournament": table_key.tournament, "name": table_key.table}
    query = {**address, "line": line, "since": position, "seat": "" if seat is None else seat}
    return f"/approve?{urlencode(query, errors='replace')}"
