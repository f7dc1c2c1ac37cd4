"""The users and devices of a ledger as a running server sees them."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from ledger.house.devices import find_device, list_enrolled_devices
from ledger.house.users import SIGN_IN_EVENTS, UserAccess, hash_code
from ledger.recording.running_hand import find_last_version
from ledger.streams import HOUSE

if TYPE_CHECKING:
    from ledger.house.events import DeviceEnrolled, UserEnrolled
    from ledger.house.users import Session
    from ledger.store import Ledger
    from ledger.vocabulary import PlayerId
    from web.server.access.visitors import Visitor


class UserDirectory:
    """The users and devices of a ledger. It reads what is new before each answer, so that a revocation counts at once."""

    def __init__(self, ledger: Ledger) -> None:
        """Take the ledger."""
        self._ledger = ledger
        self._lock = threading.Lock()
        self._access, self._devices, self._version = UserAccess(), dict[str, "DeviceEnrolled"](), 0

    def _read(self) -> tuple[UserAccess, dict[str, DeviceEnrolled]]:
        """Return users and devices as they are now. Call it with the lock held."""
        version = find_last_version(self._ledger, HOUSE)
        if version != self._version:
            entries = list(self._ledger.entries_of_types(HOUSE, *SIGN_IN_EVENTS, after=self._version))
            self._access.apply(entry.event for entry in entries)
            self._devices = list_enrolled_devices(entries, self._devices)
            self._version = max([version, *(entry.version for entry in entries)])
        return self._access, self._devices

    def list_users(self) -> list[UserEnrolled]:
        """Return the users who may sign in."""
        with self._lock:
            return list(self._read()[0].users.values())

    def count_sessions(self, user: PlayerId) -> int:
        """Count where a user is signed in."""
        with self._lock:
            return self._read()[0].count_sessions(user, self._ledger.now())

    def find_session(self, secret: str) -> Session | None:
        """Return the session of a secret, None if there is none."""
        with self._lock:
            return self._read()[0].find_session(secret, self._ledger.now())

    def may_stay(self, visitor: Visitor) -> bool:
        """Whether a visitor's session still holds; a printed key holds as long as the server."""
        if not visitor.session:
            return True
        with self._lock:
            return self._read()[0].has_session(visitor.session, self._ledger.now())

    def find_user_of_link(self, secret: str) -> UserEnrolled | None:
        """Return the user whose link has this secret."""
        with self._lock:
            return self._read()[0].find_user_of_link(secret)

    def find_device(self, key: str) -> DeviceEnrolled | None:
        """Return the enrolled device that has this key."""
        with self._lock:
            return find_device(self._read()[1].values(), key)

    def find_named_device(self, name: str) -> DeviceEnrolled | None:
        """Return the enrolled device of a name."""
        with self._lock:
            return self._read()[1].get(name)

    def find_user_of_code(self, code: str) -> tuple[UserEnrolled, str] | None:
        """Return the user of a code, and its digest; None if it isn't a valid code."""
        digest = hash_code(code, self._ledger.id)  # slow: not under the lock
        with self._lock:
            user = self._read()[0].find_user_of_code(digest, self._ledger.now())
        return None if user is None else (user, digest)
