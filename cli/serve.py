"""`handledger serve`: serve the ledger as pages for a browser."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli.documents.command_documents import Address, ServeDocument
from cli.options import common_options, ledger_options
from cli.output import console
from ledger.errors import MissingExtraError, UsageError
from ledger.text.language import phrase

if TYPE_CHECKING:
    from web.server.access.certificates import Certificate

PORT: Final = 8713
_LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
_EVERY_ADDRESS: Final = ("0.0.0.0", "::")  # noqa: S104 - the user may choose it; the default is this machine
_SWITCH_SECONDS: Final = 0.001
"""Seconds between thread switches. With Python's 5 ms an act would wait too long: it waits for many answers of pages."""
_MAX_REQUESTS: Final = 1_000
"""Concurrent connections; a further one gets the answer to try again later."""


class _Role(StrEnum):
    """The role of a user of the pages."""

    AUDITOR = "auditor"
    DEALER = "dealer"
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
_TlsCert = Annotated[
    Path | None,
    typer.Option(
        "--tls-cert", metavar="FILE", help="Serve https with this certificate (PEM, its authority behind it)."
    ),
]
_TlsKey = Annotated[Path | None, typer.Option("--tls-key", metavar="FILE", help="The certificate's private key (PEM).")]
_Pocket = Annotated[
    Path | None,
    typer.Option(
        "--pocket",
        metavar="DIR",
        help="Also serve the page for phones at /pocket/, from this folder of `handledger pocket`.",
    ),
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
    tls_cert: _TlsCert = None,
    tls_key: _TlsKey = None,
    pocket: _Pocket = None,
    url: common_options.LedgerUrl = None,
    format_: common_options.Format = "text",
) -> None:
    """Show the ledger in a browser."""
    try:
        import uvicorn

        from ledger.store.requests.sign_ins import list_users
        from web.server.access.bodies import IntakeBounds
        from web.server.access.certificates import describe_uncovered
        from web.server.access.connections import Connections
        from web.server.access.listening_socket import open_listener
        from web.server.access.visitors import create_keys
        from web.server.application import build_application
        from web.server.judging_worker import judging_in_process
    except ModuleNotFoundError:
        raise MissingExtraError("The web server", "web") from None
    certificate = _load_certificate(tls_cert, tls_key)
    if write:
        ledger_options.create_missing_ledger(url)
    with ledger_options.open_ledger(url) as ledger, judging_in_process(ledger), open_listener(address, port) as sock:
        has_users = write and bool(list_users(ledger))
        keys = create_keys([role.value for role in roles or _choose_roles(write=write, has_users=has_users)])
        bound_port = sock.getsockname()[1]
        hosts = [f"[{address}]" if ":" in address else address, *_LOOPBACK, *(names or ())]
        host = _find_covered_host(certificate, [*(names or ()), *hosts]) or _choose_host(hosts, names or ())
        app = build_application(
            ledger,
            Path(ledger_options.name_ledger(ledger)).name,
            keys,
            _list_host_names(hosts, bound_port, is_secure=certificate is not None),
            is_writable=write,
            intake_bounds=IntakeBounds(file=largest * 1024 * 1024),
            books=books or (),
            hides_cards=hide,
            is_secure=certificate is not None,
            pocket_folder=pocket,
        )
        connections = Connections()
        config = uvicorn.Config(
            connections.watch(app),
            http=connections.build_protocol(None if certificate is None else certificate.context),
            log_level="error",
            server_header=False,
            timeout_keep_alive=15,
            limit_concurrency=_MAX_REQUESTS,
        )
        origin = f"{'http' if certificate is None else 'https'}://{host}:{bound_port}"
        addresses = [Address(key.role, f"{origin}/?key={key.secret}") for key in keys]
        sys.setswitchinterval(_SWITCH_SECONDS)
        gc.collect()
        gc.freeze()  # these objects live to the end: the garbage collector needn't check them during requests
        is_local_only = host == _LOOPBACK[0] and address in _EVERY_ADDRESS
        document = ServeDocument(
            ledger=ledger_options.name_ledger(ledger),
            addresses=addresses,
            warning="" if certificate is None else describe_uncovered(certificate, [host, *(names or ())]),
            sign_in=f"{origin}/sign-in" if has_users else "",
            pocket=f"{origin}/pocket/" if pocket is not None else "",
        )
        _write_addresses(document, format_, is_local_only)
        uvicorn.Server(config).run(sockets=[sock])


def _choose_roles(*, write: bool, has_users: bool) -> list[_Role]:
    """Return the roles whose addresses are printed by default: none if people can sign in."""
    if has_users:
        return []
    return [_Role.FLOOR, _Role.AUDITOR] if write else [_Role.AUDITOR]


def _load_certificate(cert_path: Path | None, key_path: Path | None) -> Certificate | None:
    """Return the certificate to serve, None without TLS. `UsageError` if one file is missing or can't be used."""
    from web.server.access.certificates import load_certificate

    if cert_path is None and key_path is None:
        return None
    if cert_path is None or key_path is None:
        raise UsageError(
            phrase("TLS needs a certificate and its key"), phrase("Name both: --tls-cert FILE --tls-key FILE")
        )
    return load_certificate(cert_path, key_path)


def _list_host_names(hosts: Sequence[str], port: int, *, is_secure: bool) -> list[str]:
    """Return the hosts as browsers send them: with the port, and also without it if it's the default port."""
    is_usual_port = port == (443 if is_secure else 80)
    return [*(f"{host}:{port}" for host in hosts), *(hosts if is_usual_port else ())]


def _find_covered_host(certificate: Certificate | None, hosts: Sequence[str]) -> str:
    """Return the first of some hosts that a certificate is for; "" if there is none."""
    return next(iter(certificate.find_covered(hosts)), "") if certificate is not None else ""


def _choose_host(hosts: list[str], names: Sequence[str]) -> str:
    """Return the host of the printed addresses; for 0.0.0.0, which browsers can't open, a name of this machine."""
    if hosts[0].strip("[]") not in _EVERY_ADDRESS:
        return hosts[0]
    return names[0] if names else _LOOPBACK[0]


def _write_addresses(document: ServeDocument, format_: str, is_local_only: bool) -> None:
    """Print the addresses of the pages. `is_local_only`: other machines may connect, but no name of this one is known."""
    if format_ == "json":
        console.write_document(document, None)
        return
    lines = [f"Showing {document.ledger}. Open in a browser:"]
    if document.sign_in:
        lines += [f"  {document.sign_in}    for people who sign in (handledger user)"]
    lines += [f"  {address.url}    for the {address.role}" for address in document.addresses]
    if document.pocket:
        lines += [f"  {document.pocket}    for everybody's phone: who posts what"]
    if is_local_only:
        lines += ["For other machines, run it again with --name and this machine's host name or IP address."]
    if document.warning:
        lines += [f"! {document.warning}"]
    has_keys = bool(document.addresses)
    lines += [
        "Anyone with an address can use that role. Press Ctrl-C to stop." if has_keys else "Press Ctrl-C to stop."
    ]
    console.write_text("\n".join(lines), None)
