"""Who asks for a page: a printed key of a role, or a person who is signed in."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ledger.house.events import DeviceEnrolled
    from ledger.vocabulary import PlayerId
    from web.server.access.roles import Role


class Key(NamedTuple):
    """The secret that opens the pages for one role."""

    role: Role
    secret: str

    @property
    def token(self) -> str:
        """The token that our own pages send with each form. No other page can know it."""
        return build_form_token(self.secret)


def build_form_token(secret: str) -> str:
    """Return the token of forms on pages that a secret opened."""
    return hmac.new(secret.encode("utf-8", "replace"), b"handledger form", "sha256").hexdigest()


def create_keys(roles: Iterable[Role]) -> list[Key]:
    """Return a new key for each role. Keys are valid as long as the program runs."""
    return [Key(role, secrets.token_urlsafe(24)) for role in dict.fromkeys(roles)]


class Visitor(NamedTuple):
    """The sender of a request. `user` and `session` are "" for a printed key."""

    role: Role
    user: PlayerId = ""
    session: str = ""  # digest of the session's secret
    device: DeviceEnrolled | None = None  # the enrolled device that the browser is on
