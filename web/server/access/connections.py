"""Limit connections: drop clients that send no whole request in time, or hold too many connections without a key.

Clients without a key never shut out those with one: their connections are counted by address, and the oldest
idle one makes room for the next. With TLS they count from the first byte: the handshake has a deadline too.
"""

from __future__ import annotations

import asyncio
import ssl
from typing import TYPE_CHECKING, Any, Final, Protocol, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER_SECONDS: Final = 10.0
"""Seconds within which a request line and its headers must arrive."""

KEYLESS_CONNECTIONS: Final = 32
"""Connections without a key from one address."""

Client = tuple[str, int]


class _Countable(Protocol):
    """A connection that `Connections` counts."""

    @property
    def client(self) -> Client | None: ...

    @property
    def is_answering(self) -> bool: ...

    def drop(self) -> None: ...


class Connections:
    """The open connections of one server."""

    def __init__(self, *, header_seconds: float = HEADER_SECONDS, keyless: int = KEYLESS_CONNECTIONS) -> None:
        self.header_seconds = header_seconds
        self._max_keyless = keyless
        self._keyless: dict[str, dict[Client, _Countable]] = {}  # by address, the oldest first
        self._streaming: set[Client] = set()

    def count_connection(self, connection: _Countable) -> None:
        """Add a connection. If its address has too many, drop that address's oldest idle one."""
        if connection.client is None:
            return
        connections = self._keyless.setdefault(connection.client[0], {})
        connections[connection.client] = connection
        if len(connections) > self._max_keyless:
            idle_connections = (candidate for candidate in connections.values() if not candidate.is_answering)
            next(idle_connections, connection).drop()

    def forget_connection(self, client: Client | None) -> None:
        """Forget a connection."""
        if client is not None:
            connections = self._keyless.get(client[0], {})
            connections.pop(client, None)
            if not connections:
                self._keyless.pop(client[0], None)

    def watch(self, app: ASGIApp) -> ASGIApp:
        """Wrap the application, so that connections with a key are no longer counted, and streams are known."""

        async def run_watched(scope: Scope, receive: Receive, send: Send) -> None:
            client = tuple(scope["client"]) if scope.get("client") else None

            async def send_watched(message: Message) -> None:
                if client is not None and message["type"] == "http.response.start" and _is_stream(message):
                    self._streaming.add(client)
                await send(message)

            try:
                await app(scope, receive, send_watched)
            finally:
                if client is not None:
                    self._streaming.discard(client)
                    if scope.get("role"):
                        self.forget_connection(client)

        return run_watched

    def is_streaming(self, client: Client | None) -> bool:
        """Whether a connection carries a stream of events, which has no end of its own."""
        return client in self._streaming

    def build_protocol(self, tls: ssl.SSLContext | None = None) -> type[asyncio.Protocol]:
        """Return the class of this server's connections for uvicorn; with `tls`, of TLS connections."""

        class Connection(BoundedConnection):
            connections_of_server = self

        if tls is None:
            return Connection
        return cast("type[asyncio.Protocol]", _build_tls_factory(Connection, tls))  # uvicorn only calls it


def _is_stream(start: Message) -> bool:
    return any(name == b"content-type" and value.startswith(b"text/event-stream") for name, value in start["headers"])


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
        self.connections_of_server.count_connection(self)
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
        self.connections_of_server.forget_connection(self.client)
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """End the connection as the server stops: after a running answer, but at once if that is a stream of events."""
        super().shutdown()
        if self.connections_of_server.is_streaming(self.client):
            self.transport.close()

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


def _build_tls_factory(connection_type: type[BoundedConnection], tls: ssl.SSLContext) -> Callable[..., TlsHandshake]:
    def make(**parameters: Any) -> TlsHandshake:  # noqa: ANN401 - uvicorn's own
        return TlsHandshake(connection_type(**parameters), tls)

    return make


class TlsHandshake(asyncio.Protocol):
    """A connection until TLS is agreed. It counts as one without a key, and has the time of a request's headers.

    uvicorn's own TLS would count a connection only after its handshake, and wait a minute for it.
    """

    is_answering: Final = False

    def __init__(self, connection: BoundedConnection, tls: ssl.SSLContext) -> None:
        """Take the connection that goes on when TLS is agreed."""
        self._connection, self._tls = connection, tls
        self.client: Client | None = None
        self._early_data = bytearray()
        self._transport: asyncio.Transport | None = None
        self._task: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn's own
        """Start the handshake."""
        peer = transport.get_extra_info("peername")
        self.client = (str(peer[0]), int(peer[1])) if isinstance(peer, tuple) else None
        self._transport = transport
        self._connection.connections_of_server.count_connection(self)
        self._task = self._connection.loop.create_task(self._shake_hands(transport))

    async def _shake_hands(self, transport: asyncio.Transport) -> None:
        connections = self._connection.connections_of_server
        try:
            tls_transport = await self._connection.loop.start_tls(
                transport, self, self._tls, server_side=True, ssl_handshake_timeout=connections.header_seconds
            )
        except OSError:  # of the connection, of TLS, or because it took too long
            tls_transport = None
        if tls_transport is None:
            connections.forget_connection(self.client)
            transport.abort()
            return
        tls_transport.set_protocol(self._connection)
        self._connection.connection_made(tls_transport)
        if self._early_data:
            self._connection.data_received(bytes(self._early_data))

    def data_received(self, data: bytes) -> None:
        """Keep what comes in the moment between the handshake and the connection."""
        self._early_data += data

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio passes it
        """Forget the connection."""
        self._connection.connections_of_server.forget_connection(self.client)

    def drop(self) -> None:
        """End the connection at once."""
        if self._transport is not None:
            self._transport.abort()
