"""Enrol users of the pages, sign them in and out, and make their codes. Each step is an event of the house."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from ledger.entry import Provenance
from ledger.errors import NothingFoundError, UsageError
from ledger.house.events import SignInCodeIssued, SignInCodeUsed, UserEnrolled, UserRevoked, UserSignedIn, UserSignedOut
from ledger.house.users import (
    CODE_MILLIS,
    SESSION_MILLIS,
    SIGN_IN_EVENTS,
    UserAccess,
    create_code,
    create_secret,
    hash_code,
    hash_secret,
)
from ledger.store.commits import CommitDraft
from ledger.streams import HOUSE
from ledger.text.language import phrase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.event import Event
    from ledger.house.events import CodeUse, UserRole
    from ledger.store.ledger import Ledger
    from ledger.vocabulary import Millis, PlayerId

_WRITER: Final = "user"
_MAX_NAME_LENGTH: Final = 60


class IssuedCode(NamedTuple):
    """A code for a user, and until when it's good."""

    code: str
    expires: Millis


def enrol_user(ledger: Ledger, name: str, role: UserRole) -> tuple[PlayerId, str]:
    """Let a person sign in, or give an enrolled one another role and a new link; return the id and the link's secret."""
    is_printable = name.isprintable()
    name = normalize_name(name)
    if not name or len(name) > _MAX_NAME_LENGTH or not is_printable:
        raise UsageError(
            phrase("a name has 1 to {most} letters that can be printed", most=_MAX_NAME_LENGTH),
            phrase("As in: handledger user add Maria --role dealer"),
        )
    enrolled = [user for user in list_users(ledger) if ledger.people.name(user) == name]
    user = enrolled[0] if enrolled else ledger.people.player("", name)
    if not enrolled and ledger.people.is_forgotten(user):
        ledger.people.forget(user)
        raise UsageError(
            phrase("this name was erased from the ledger and can't be recorded again"),
            phrase("Choose another name, such as a badge number."),
        )
    secret = create_secret()
    _append(ledger, [UserEnrolled(user, role, hash_secret(secret))])
    return user, secret


def normalize_name(name: str) -> str:
    """Return a name as it's kept: composed letters, single blanks. Two names that look the same are one user's.

    >>> normalize_name("  Jose\u0301   Luis ")
    'José Luis'
    """
    return unicodedata.normalize("NFC", " ".join(name.split()))


def read_access(ledger: Ledger) -> UserAccess:
    """Return who may sign in and who is signed in, as the whole house's stream has it."""
    access = UserAccess()
    access.apply(entry.event for entry in ledger.entries_of_types(HOUSE, *SIGN_IN_EVENTS))
    return access


def list_users(ledger: Ledger) -> dict[PlayerId, UserEnrolled]:
    """Return the users who may sign in."""
    return read_access(ledger).users


def find_user(ledger: Ledger, name: str) -> UserEnrolled:
    """Return an enrolled user by name, or by the beginning of the id."""
    users = list_users(ledger)
    tidy = normalize_name(name)
    matches = [user for user in users if ledger.people.name(user) == tidy] or [
        user for user in users if name and user.startswith(name)
    ]
    if len(matches) != 1:
        raise NothingFoundError(
            phrase("no user is called {name}", name=repr(name)), phrase("handledger user lists them.")
        )
    return users[matches[0]]


def revoke_user(ledger: Ledger, user: PlayerId) -> None:
    """End a user's link, codes and sessions."""
    _append(ledger, [UserRevoked(user)])


def issue_code(ledger: Ledger, user: PlayerId, by: PlayerId = "") -> IssuedCode:
    """Return a new code for a user. `by`: the user who asked for it."""
    issued = IssuedCode(create_code(), ledger.now() + CODE_MILLIS)
    _append(ledger, [SignInCodeIssued(user, hash_code(issued.code, ledger.id), issued.expires, by)])
    return issued


def use_code(ledger: Ledger, user: PlayerId, digest: str, use: CodeUse, then: Sequence[Event] = ()) -> bool:
    """Spend a code, with further events of the house; return False if somebody else spent it first."""
    issues = [
        entry.version
        for entry in ledger.entries_of_types(HOUSE, SignInCodeIssued)
        if isinstance(entry.event, SignInCodeIssued) and entry.event.digest == digest
    ]
    events = [SignInCodeUsed(user, digest, use), *then]
    data = ledger.mapper.encode("house", events)
    recorded = Provenance(ledger.now(), writer=_WRITER, key=f"code-used:{max(issues)}")
    (outcome,) = ledger.append_all([CommitDraft("house", HOUSE, None, len(events), data, b"", recorded)], strict=True)
    return outcome.state == "new"


def open_session(ledger: Ledger, user: PlayerId, device: str, code_digest: str = "") -> str | None:
    """Sign a user in; return the session's secret, None if the code was spent meanwhile. Without a code, it was the link."""
    secret = create_secret()
    means: Literal["link", "code"] = "code" if code_digest else "link"
    expires = ledger.now() + SESSION_MILLIS
    signed_in = UserSignedIn(user, hash_secret(secret), means, expires, device)
    if not code_digest:
        _append(ledger, [signed_in])
        return secret
    return secret if use_code(ledger, user, code_digest, "sign-in", [signed_in]) else None


def close_session(ledger: Ledger, user: PlayerId, digest: str) -> None:
    """Sign a user out of one device."""
    _append(ledger, [UserSignedOut(user, digest)])


def _append(ledger: Ledger, events: Sequence[Event]) -> None:
    ledger.append("house", HOUSE, events, recorded=Provenance(ledger.now(), writer=_WRITER))
