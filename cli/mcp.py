"""`handledger mcp`: the ledger for an assistant, over standard input and output."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Literal

import typer

from cli.options import common_options
from ledger.errors import MissingExtraError, UsageError
from ledger.text.language import phrase

_SERVER = "handledger.mcp_server"
"""The package of the server. It uses the library's `Table`, which is above this layer, so it's loaded by name."""
_MIN_CHARACTERS, _DEFAULT_CHARACTERS, _MAX_CHARACTERS = 4_000, 20_000, 1_000_000

_Naming = Annotated[
    Literal["keep", "position", "pseudonym"],
    typer.Option("--names", help="Names as they are, positions (BTN, SB), or fixed pseudonyms."),
]
_MaxCharacters = Annotated[
    int,
    typer.Option(
        "--max-characters",
        metavar="N",
        min=_MIN_CHARACTERS,
        max=_MAX_CHARACTERS,
        help="The most characters of an answer. It says what was left out.",
    ),
]

_Demo = Annotated[bool, typer.Option("--demo", help="Use a ledger of sample hands, which is deleted at the end.")]


def command(
    *,
    naming: _Naming = "keep",
    books: common_options.Books = None,
    max_characters: _MaxCharacters = _DEFAULT_CHARACTERS,
    demo: _Demo = False,
    people_key: common_options.PeopleKey = None,
    url: common_options.LedgerUrl = None,
) -> None:
    """Let an assistant look things up in the ledger and in rulebooks."""
    if sys.stdin is not None and sys.stdin.isatty():
        raise UsageError(
            phrase("An assistant starts this command and talks to it; a terminal can't."),
            phrase("In its settings, the command is handledger and the argument mcp: docs/mcp.md"),
        )
    try:
        import_module("mcp.server")
    except ModuleNotFoundError:
        raise MissingExtraError("The server for assistants", "mcp") from None
    server, tools = import_module(f"{_SERVER}.server"), import_module(f"{_SERVER}.tools")
    with _open_samples() if demo else nullcontext((url, people_key)) as (ledger_url, key_path):
        server.run_server(tools.ServerOptions(ledger_url, naming, tuple(books or ()), key_path), max_characters)


@contextmanager
def _open_samples() -> Iterator[tuple[str, Path]]:
    """Yield the URL and the key of a temporary ledger with the sample hands."""
    from cli.demo import copy_samples
    from ledger.intake import import_paths
    from ledger.store import open as open_ledger

    with TemporaryDirectory(prefix="handledger-demo-") as folder:
        url, key_path = str(Path(folder, "demo.ledger")), Path(folder, "demo.key")
        with open_ledger(url, people_key=key_path) as ledger:
            import_paths(ledger, [copy_samples(Path(folder, "samples"))])
        yield url, key_path
