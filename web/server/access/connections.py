"""Limit connections: drop clients that send no whole request in time, or hold too many connections without a key.

Clients without a key never shut out those with one: their connections are counted by address, and the oldest
idle one makes room for the next.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

HEADER_SECONDS: Final = 10.0
"""How long a request line and its headers may take."""

KEYLESS_CONNECTIONS: Final = 32
"""How many connections without a key one address may hold."""

Client = tuple[str, int]


class Connections:
    """The open connections of one server."""

    def __init__(self, *, header_seconds: float = HEADER_SECONDS, keyless: int = KEYLESS_CONNECTIONS) -> None:
        self.header_seconds = header_seconds
        self._most_keyless = keyless
        self._keyless: dict[str, dict[Client, BoundedConnection]] = {}  # by address, the oldest first

    def opened(self, connection: BoundedConnection) -> None:
        """Add a connection. If its address has too many, drop that address's oldest idle one."""
        if connection.client is None:
            return
        of_address = self._keyless.setdefault(connection.client[0], {})
        of_address[connection.client] = connection
        if len(of_address) > self._most_keyless:
            idle = (
                connection_of_address
                for connection_of_address in of_address.values()
                if not connection_of_address.is_answering
            )
            next(idle, connection).drop()

    def closed(self, client: Client | None) -> None:
        """Forget a connection."""
        if client is not None:
            of_address = self._keyless.get(client[0], {})
            of_address.pop(client, None)
            if not of_address:
                self._keyless.pop(client[0], None)

    def watch(self, app: ASGIApp) -> ASGIApp:
        """Wrap the application, so that connections with a key are no longer counted."""

        async def watched(scope: Scope, receive: Receive, send: Send) -> None:
            try:
                await app(scope, receive, send)
            finally:
                if scope.get("role") and scope.get("client"):
                    self.closed(tuple(scope["client"]))

        return watched

    def protocol(self) -> type[asyncio.Protocol]:
        """Return the class of this server's connections, as uvicorn takes it."""

        class Connection(BoundedConnection):
            connections_of_server = self

        return Connection


class BoundedConnection(H11Protocol):
    """A connection that ends if a request is not complete in time."""

    connections_of_server: Connections
    _deadline: asyncio.TimerHandle | None = None

    @property
    def is_answering(self) -> bool:
        """Whether a complete request has no complete answer yet."""
        return self.cycle is not None and not self.cycle.response_complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn's own
        """Start to wait for a request."""
        super().connection_made(transport)
        self.connections_of_server.opened(self)
        self._wait_for_headers()

    def data_received(self, data: bytes) -> None:
        """Receive bytes. End the wait if they complete a request, else start it."""
        super().data_received(data)
        if self.is_answering:
            self._stop_waiting()
        elif self._deadline is None:
            self._wait_for_headers()

    def on_response_complete(self) -> None:
        """Go on to the next request of the connection. uvicorn ends an idle connection itself."""
        super().on_response_complete()
        self._stop_waiting()

    def send_400_response(self, msg: str) -> None:
        """Answer bytes that are no request. A running answer ends, since h11 accepts no more of it."""
        if self.is_answering:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop_waiting()
        self.connections_of_server.closed(self.client)
        super().connection_lost(exc)

    def drop(self) -> None:
        """End the connection at once."""
        self._stop_waiting()
        if not self.transport.is_closing():
            self.transport.abort()

    def _wait_for_headers(self) -> None:
        self._deadline = self.loop.call_later(self.connections_of_server.header_seconds, self.drop)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
