"""`handledger serve`: the ledger as pages, for a browser on this machine."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import typer

from cli.documents.command_documents import Address, ServeDocument
from cli.options import common_options, ledger_options
from cli.output import console
from ledger.errors import MissingExtraError

PORT: Final = 8713
_LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
_EVERY_ADDRESS: Final = ("0.0.0.0", "::")  # noqa: S104 - what somebody may ask for; the default is this machine
_MAX_REQUESTS: Final = 1_000
"""Connections at once: whoever comes then is asked to come again."""


class _Role(StrEnum):
    """For whom the pages are."""

    AUDITOR = "auditor"
    FLOOR = "floor"
    VIEWER = "viewer"


_Port = Annotated[int, typer.Option("--port", min=0, max=65_535, help="The port; 0 = any free one.")]
_Address = Annotated[
    str,
    typer.Option(
        "--address",
        metavar="IP",
        help="Listen on this address, so that others can reach it. Default: this machine only.",
    ),
]
_Names = Annotated[
    list[str] | None,
    typer.Option("--name", metavar="HOST", help="With --address: a host name that reaches it. Repeatable."),
]
_Roles = Annotated[
    list[_Role] | None,
    typer.Option(
        "--role", help="Print an address for this role. A viewer sees no hidden cards and no findings. Repeatable."
    ),
]
_Write = Annotated[
    bool,
    typer.Option(
        "--write", help="Let the floor record tables, work on cases and import files, and auditors open hidden cards."
    ),
]
_Largest = Annotated[
    int, typer.Option("--largest", metavar="MB", min=1, max=1_000_000, help="The largest file you can import, in MB.")
]
_Hide = Annotated[bool, typer.Option("--hide-cards", help="With --write: store hidden cards only as commitments.")]


def command(
    *,
    port: _Port = PORT,
    address: _Address = "127.0.0.1",
    names: _Names = None,
    roles: _Roles = None,
    write: _Write = False,
    largest: _Largest = 1024,
    books: common_options.Books = None,
    hide: _Hide = False,
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
) -> None:
    """Show the ledger in a browser."""
    try:
        import uvicorn

        from web.server.access.access_guard import new_keys
        from web.server.access.bodies import IntakeBounds
        from web.server.access.connections import Connections
        from web.server.access.listening_socket import open_listener
        from web.server.application import application
        from web.server.judging_worker import judging_in_process
    except ModuleNotFoundError:
        raise MissingExtraError("The web server", "web") from None
    chosen_roles = roles or ([_Role.FLOOR, _Role.AUDITOR] if write else [_Role.AUDITOR])
    keys = new_keys([role.value for role in chosen_roles])
    with ledger_options.opened(url) as ledger, judging_in_process(ledger), open_listener(address, port) as sock:
        bound_port = sock.getsockname()[1]
        hosts = [f"[{address}]" if ":" in address else address, *_LOOPBACK, *(names or ())]
        name = Path(ledger_options.name_of(ledger)).name
        bounds = IntakeBounds(file=largest * 1024 * 1024)
        app = application(
            ledger,
            name,
            keys,
            [f"{host}:{bound_port}" for host in hosts],
            is_writable=write,
            intake_bounds=bounds,
            books=books or (),
            hides_cards=hide,
        )
        connections = Connections()
        config = uvicorn.Config(
            connections.watch(app),
            http=connections.protocol(),
            log_level="error",
            server_header=False,
            timeout_keep_alive=15,
            limit_concurrency=_MAX_REQUESTS,
        )
        host = _choose_host(hosts, names or ())
        addresses = [Address(key.role, f"http://{host}:{bound_port}/?key={key.secret}") for key in keys]
        gc.collect()
        gc.freeze()  # what is there now stays to the end: it need not be looked through while many ask
        is_local_only = host == _LOOPBACK[0] and address in _EVERY_ADDRESS
        _tell(ServeDocument(ledger=ledger_options.name_of(ledger), addresses=addresses), format_, is_local_only)
        uvicorn.Server(config).run(sockets=[sock])


def _choose_host(hosts: list[str], names: Sequence[str]) -> str:
    """Return the host of the printed addresses. Nobody can open 0.0.0.0: then it's a name that reaches this machine."""
    if hosts[0].strip("[]") not in _EVERY_ADDRESS:
        return hosts[0]
    return names[0] if names else _LOOPBACK[0]


def _tell(document: ServeDocument, format_: str, is_local_only: bool) -> None:
    """Say where the pages are. `is_local_only`: the server listens for other machines, but no name of this one is known."""
    if format_ == "json":
        console.document(document, None)
        return
    lines = [f"Showing {document.ledger}. Open in a browser:"]
    lines += [f"  {address.url}    for the {address.role}" for address in document.addresses]
    if is_local_only:
        lines += ["For other machines, run it again with --name and this machine's host name or IP address."]
    lines += ["Anyone with an address can use that role. Press Ctrl-C to stop."]
    console.write_text("\n".join(lines), None)
