"""Build the keys under which acts are recorded. Each belongs to one table and one device.

Colons separate the parts of a key. Each part is percent-encoded, so it holds no colon (`dev:1` is `dev%3A1`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from ledger.streams import table_stream
from web.api import api_errors

if TYPE_CHECKING:
    from ledger.store.hands.hand_accounts import TableKey

MAX_KEY_LENGTH: Final = 100
"""Characters of a key as a device sends it."""


def build_device_key(table_key: TableKey, device: str, key: str, index: int) -> str:
    """Return the key of one act in a device's request; "" if the request has no key."""
    check_key(key)
    return _join_parts("act", table_stream(*table_key).hex, device, key, str(index)) if key else ""


def build_page_key(table_key: TableKey, sender: str, number: int) -> str:
    """Return the key of a numbered act from one browser's page."""
    check_key(sender)
    return _join_parts("page", table_stream(*table_key).hex, sender, str(number))


def build_approval_key(table_key: TableKey, form_id: str) -> str:
    """Return the key of an act that a floor approved on a page."""
    check_key(form_id)
    return _join_parts("approved", table_stream(*table_key).hex, form_id)


def build_former_key(device: str, key: str, index: int) -> str:
    """Return an act's key in older versions, without the table and with unescaped parts."""
    return f"device:{device}:{key}:{index}" if key else ""


def check_key(key: str) -> None:
    """Refuse a key that is too long, or that PostgreSQL can't look up, so that every store answers alike."""
    if len(key) > MAX_KEY_LENGTH:
        raise api_errors.key_too_long(MAX_KEY_LENGTH)
    if "\0" in key:
        raise api_errors.key_with_nul()


def _join_parts(*parts: str) -> str:
    return ":".join(quote(part, safe="", errors="surrogatepass") for part in parts)
