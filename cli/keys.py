"""The key file that a command signs with, and how its passphrase is asked for."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import platformdirs
import typer

from ledger.errors import ProofError, SigningKeyError, UsageError
from ledger.plain import contents

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_MOST: Final = 4096  # bytes of a passphrase file
_NOTE_MOST: Final = 1 << 20  # of a checkpoint or request

KeyFile = Annotated[
    Path | None,
    typer.Option(
        "--key",
        envvar="HANDLEDGER_KEY",
        metavar="FILE",
        help="The file of the signing key. Without it: seal.key in your settings folder.",
    ),
]
AskPassphrase = Annotated[bool, typer.Option("--passphrase", help="Ask for the key's passphrase on the terminal.")]
PassphraseFile = Annotated[
    Path | None, typer.Option("--passphrase-file", metavar="FILE", help="Read the key's passphrase from a file.")
]


def place(told: Path | None) -> Path:
    """Return where the key lies."""
    if told is not None:
        return told
    return Path(platformdirs.user_config_dir("handledger", appauthor=False)) / "seal.key"


def passphrase(*, ask: bool, file: Path | None, anew: bool = False) -> bytes:
    """Return the passphrase: from a file, from the terminal without echo, or none."""
    if file is not None:
        try:
            found = contents(file, _MOST).rstrip(b"\r\n")
        except OSError as error:
            raise SigningKeyError(f"the passphrase file {file} cannot be read: {error.strerror}") from None
        if not found or len(found) > _MOST:
            raise SigningKeyError(f"the passphrase file {file} is empty or too long")
        return found
    if not ask:
        return b""
    if not sys.stdin.isatty():
        raise UsageError("there is no terminal to ask for a passphrase", "Use --passphrase-file.")
    import getpass

    said = getpass.getpass("Passphrase of the signing key: ")
    if anew and getpass.getpass("Once more: ") != said:
        raise UsageError("the two passphrases differ")
    return said.encode()


def load(path: Path, *, new: bool, ask: bool, file: Path | None) -> Ed25519PrivateKey:
    """Return the key of a file, made now if `new`."""
    from ledger.seal import keys

    words = passphrase(ask=ask, file=file, anew=new)
    return keys.create(path, words) if new else keys.load(path, words)


def note(path: Path) -> str:
    """Return the text of a checkpoint or request; a file that is no text is none of these."""
    try:
        return contents(path, _NOTE_MOST).decode()
    except UnicodeDecodeError:
        raise ProofError(f"{path} is no checkpoint and no request: it is not even text") from None
