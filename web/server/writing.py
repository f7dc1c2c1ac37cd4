"""How the server adds to the ledger: opened for writing by whoever writes, and only if it is still there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ledger.store import open as open_ledger

if TYPE_CHECKING:
    from ledger.store import Ledger
    from web.server.answering import Server


@contextmanager
def open_for_writing(server: Server) -> Iterator[Ledger]:
    """Lend the ledger for writing; what is done is durable when this is left without an error.

    Each who writes has it opened of their own: what one of them learns before it is stored is nobody else's.
    `LedgerBusyError` if another program holds it for too long, `StoreError` if it is not there any more.
    """
    server.presence.check()
    with open_ledger(server.ledger.database.address.full_url, create=False) as ledger:
        yield ledger
    server.presence.check()  # whoever took it away meanwhile took this, too: it is not said that it was kept
