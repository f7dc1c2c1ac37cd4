"""Open the only socket that listens on the network. The program never connects to other machines."""

from __future__ import annotations

import errno
import socket

from ledger.errors import UsageError


def open_listener(address: str, port: int) -> socket.socket:
    """Return a listening socket. Port 0 picks a free port."""
    try:
        return socket.create_server((address, port), family=socket.AF_INET6 if ":" in address else socket.AF_INET)
    except OSError as error:
        is_port_unavailable = error.errno in (errno.EADDRINUSE, errno.EACCES)
        raise UsageError(
            f"nothing can listen on {address} port {port}: {error.strerror or error}".partition(" (while ")[0],
            "Another program may be there: say another --port, or --port 0."
            if is_port_unavailable
            else "--address is one of this machine's own addresses: 127.0.0.1, or 0.0.0.0 for all of them.",
        ) from None
