"""Open the only socket that listens on the network. The program never connects to other machines."""

from __future__ import annotations

import errno
import socket

from web.server.access import network_errors


def open_listener(address: str, port: int) -> socket.socket:
    """Return a listening socket. Port 0 picks a free port."""
    try:
        return socket.create_server((address, port), family=socket.AF_INET6 if ":" in address else socket.AF_INET)
    except OSError as error:
        reason = (error.strerror or str(error)).partition(" (while ")[0]
        if error.errno in (errno.EADDRINUSE, errno.EACCES):
            raise network_errors.port_taken(address, port, reason) from None
        raise network_errors.address_not_ours(address, port, reason) from None
