"""Open the ledger for writing, only if its file is still there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ledger.store import open as open_ledger

if TYPE_CHECKING:
    from ledger.store import Ledger
    from web.server.answers import Server


@contextmanager
def open_for_writing(server: Server) -> Iterator[Ledger]:
    """Yield the ledger for writing. When the context ends without an error, all writes are durable.

    Each writer opens the ledger anew, so that no other request sees what isn't stored yet.
    Raise `LedgerBusyError` if another program holds it too long, `StoreError` if the file is gone.
    """
    server.presence.check()
    with open_ledger(server.ledger.database.address.full_url, create=False) as ledger:
        yield ledger
    server.presence.check()  # if the file vanished meanwhile, so did these writes: don't report them as stored
