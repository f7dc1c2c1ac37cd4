"""The keys under which the acts of devices are recorded: each belongs to one table and one device, part by part.

Colons part a key, and no part holds one: it is written as in an address (`dev:1` as `dev%3A1`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from ledger.streams import table_stream
from web.api.problems import ProblemError

if TYPE_CHECKING:
    from ledger.store.hands.hand_accounts import TableKey

MAX_KEY_LENGTH: Final = 100
"""Characters of a key as a device sends it."""


def device_key(table_key: TableKey, device: str, key: str, index: int) -> str:
    """Return the key of one act of a device's request; "" for a request without a key."""
    check_key(key)
    return _join_parts("act", table_stream(*table_key).hex, device, key, str(index)) if key else ""


def page_key(table_key: TableKey, sender: str, number: int) -> str:
    """Return the key of a numbered act of one browser that keeps the table on its page."""
    check_key(sender)
    return _join_parts("page", table_stream(*table_key).hex, sender, str(number))


def former_key(device: str, key: str, index: int) -> str:
    """Return the key under which an older program recorded such an act: without the table, its parts not kept apart."""
    return f"device:{device}:{key}:{index}" if key else ""


def check_key(key: str) -> None:
    """Refuse a key that is too long, or that PostgreSQL can't look up: each store answers alike."""
    if len(key) > MAX_KEY_LENGTH:
        raise ProblemError(422, f"a key has {MAX_KEY_LENGTH} characters at most")
    if "\0" in key:
        raise ProblemError(422, "a key can't hold a NUL byte", "Send a key without that byte.")


def _join_parts(*parts: str) -> str:
    return ":".join(quote(part, safe="", errors="surrogatepass") for part in parts)
