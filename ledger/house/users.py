"""Keep track of who may sign in to the pages, from the house's stream: users, their sessions, and valid codes.

The ledger contains no secrets. Links and sessions have 256 random bits, for which SHA-256 is enough. A code is short,
so its digest is scrypt's, it expires within minutes, and it works once.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Iterable
from hashlib import scrypt, sha256
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.house.events import (
    DeviceEnrolled,
    DeviceRetired,
    PersonErased,
    SignInCodeIssued,
    SignInCodeUsed,
    UserEnrolled,
    UserRevoked,
    UserSignedIn,
    UserSignedOut,
)

if TYPE_CHECKING:
    from ledger.event import Event
    from ledger.house.events import UserRole
    from ledger.vocabulary import Millis, PlayerId

SIGN_IN_EVENTS: Final = (
    UserEnrolled,
    UserRevoked,
    SignInCodeIssued,
    SignInCodeUsed,
    UserSignedIn,
    UserSignedOut,
    PersonErased,
    DeviceEnrolled,
    DeviceRetired,
)
"""The events that decide who is signed in.

An erased person isn't a user, and a device that lost its key has no sessions.
"""

CODE_MILLIS: Final = 10 * 60 * 1000
"""How long a code is valid."""
_CLOCK_TOLERANCE: Final = 60 * 1000
"""Milliseconds by which the clocks of two servers may differ."""
SESSION_MILLIS: Final = 30 * 24 * 60 * 60 * 1000
"""How long a user stays signed in."""
_CODE_DIGITS: Final = 8
_MAX_SECRET_LENGTH: Final = 100


class Session(NamedTuple):
    """A user who is signed in on a device."""

    user: PlayerId
    role: UserRole
    digest: str
    device: str


class UserAccess:
    """The users, sessions and codes of a ledger after some events of its house."""

    def __init__(self) -> None:
        """Start with nobody."""
        self.users: dict[PlayerId, UserEnrolled] = {}
        self._sessions: dict[str, UserSignedIn] = {}  # by digest
        self._codes: dict[str, SignInCodeIssued] = {}  # by digest

    def apply(self, events: Iterable[Event]) -> None:
        """Apply the next events of the house."""
        for event in events:
            if isinstance(event, UserEnrolled):
                self._remove(event.user)
                self.users[event.user] = event
            elif isinstance(event, UserRevoked):
                self._remove(event.user)
            elif isinstance(event, PersonErased):
                self._remove(event.person)
            elif isinstance(event, SignInCodeIssued):
                if event.user in self.users:
                    self._codes[event.digest] = event
            elif isinstance(event, SignInCodeUsed):
                self._codes.pop(event.digest, None)
            elif isinstance(event, UserSignedIn):
                if event.user in self.users:
                    self._sessions[event.digest] = event
            elif isinstance(event, UserSignedOut):
                self._sessions.pop(event.digest, None)

            elif isinstance(event, DeviceEnrolled | DeviceRetired):
                self._sessions = {
                    digest: session for digest, session in self._sessions.items() if session.device != event.device
                }

    def _remove(self, user: PlayerId) -> None:
        """Remove a user with all sessions and codes."""
        self.users.pop(user, None)
        self._sessions = {digest: session for digest, session in self._sessions.items() if session.user != user}
        self._codes = {digest: code for digest, code in self._codes.items() if code.user != user}

    def find_session(self, secret: str, moment: Millis) -> Session | None:
        """Return the session of a secret, or None if there is none or it has expired."""
        signed_in = self._sessions.get(hash_secret(secret))
        if signed_in is None or signed_in.expires <= moment:
            return None
        return Session(signed_in.user, self.users[signed_in.user].role, signed_in.digest, signed_in.device)

    def has_session(self, digest: str, moment: Millis) -> bool:
        """Whether the session with this digest is still valid."""
        signed_in = self._sessions.get(digest)
        return signed_in is not None and moment < signed_in.expires

    def find_user_of_link(self, secret: str) -> UserEnrolled | None:
        """Return the user whose link has this secret, in constant time."""
        link_digest, match = hash_secret(secret), None
        for user in self.users.values():
            if hmac.compare_digest(user.digest, link_digest):
                match = user
        return match

    def find_user_of_code(self, digest: str, moment: Millis) -> UserEnrolled | None:
        """Return the user of a valid code, in constant time.

        Setting the clock back makes no old code valid again.
        """
        match = None
        for code in self._codes.values():
            is_good = code.expires - CODE_MILLIS - _CLOCK_TOLERANCE <= moment < code.expires
            if hmac.compare_digest(code.digest, digest) and is_good:
                match = self.users[code.user]
        return match

    def count_sessions(self, user: PlayerId, moment: Millis) -> int:
        """Count the sessions of a user."""
        return sum(session.user == user and session.expires > moment for session in self._sessions.values())


def create_secret() -> str:
    """Return a secret for a link or a session."""
    return secrets.token_urlsafe(32)


def create_code() -> str:
    """Return a code that a person can type."""
    return "".join(secrets.choice("0123456789") for _ in range(_CODE_DIGITS))


def hash_secret(secret: str) -> str:
    """Return the stored digest of a secret: its SHA-256, hex."""
    return sha256(secret[:_MAX_SECRET_LENGTH].encode("utf-8", "surrogatepass")).hexdigest()


def read_code(text: str) -> str:
    """Return a typed code without its blanks; "" if it has another form.

    >>> read_code(" 1234 5678 "), read_code("x")
    ('12345678', '')
    """
    code = "".join(text.split()).replace("-", "")
    return code if len(code) == _CODE_DIGITS and code.isascii() and code.isdigit() else ""


def format_code(code: str) -> str:
    """Return a code in two groups, for people."""
    return f"{code[: _CODE_DIGITS // 2]} {code[_CODE_DIGITS // 2 :]}"


def hash_code(code: str, ledger_id: str) -> str:
    """Return the stored digest of a code. It takes about 30 ms, and differs in every ledger."""
    salt = b"handledger/sign-in-code/v1\0" + ledger_id.encode()
    return scrypt(code.encode(), salt=salt, n=2**14, r=8, p=1, dklen=32).hex()
