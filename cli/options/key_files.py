"""Find and load the key file that a command signs with, and ask for its passphrase."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import platformdirs
import typer

from ledger.errors import SigningKeyError, UsageError
from ledger.files.plain_files import read_contents

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_MAX_PASSPHRASE_BYTES: Final = 4096
_MAX_NOTE_BYTES: Final = 1 << 20
"""Bytes of a checkpoint or request."""

KeyFile = Annotated[
    Path | None,
    typer.Option(
        "--key",
        envvar="HANDLEDGER_KEY",
        metavar="FILE",
        help="The file of the signing key. Default: seal.key in your settings folder.",
    ),
]
AskPassphrase = Annotated[bool, typer.Option("--passphrase", help="Ask for the key's passphrase.")]
PassphraseFile = Annotated[
    Path | None, typer.Option("--passphrase-file", metavar="FILE", help="Read the key's passphrase from a file.")
]


def find_key_file(key_path: Path | None) -> Path:
    """Return the path of the key file; by default in the user's settings folder."""
    if key_path is not None:
        return key_path
    return Path(platformdirs.user_config_dir("handledger", appauthor=False)) / "seal.key"


def read_passphrase(*, ask: bool, file: Path | None, is_new: bool = False) -> bytes:
    """Return the passphrase from a file, or from the terminal without echo; b"" if neither is asked for."""
    if file is not None:
        try:
            file_passphrase = read_contents(file, _MAX_PASSPHRASE_BYTES).rstrip(b"\r\n")
        except OSError as error:
            raise SigningKeyError(f"the passphrase file {file} cannot be read: {error.strerror}") from None
        if not file_passphrase or len(file_passphrase) > _MAX_PASSPHRASE_BYTES:
            raise SigningKeyError(f"the passphrase file {file} is empty or too long")
        return file_passphrase
    if not ask:
        return b""
    if not sys.stdin.isatty():
        raise UsageError("there is no terminal to ask for a passphrase", "Use --passphrase-file.")
    import getpass

    typed_passphrase = getpass.getpass("Passphrase of the signing key: ")
    if is_new and getpass.getpass("Once more: ") != typed_passphrase:
        raise UsageError("the two passphrases differ")
    return typed_passphrase.encode()


def load_key(path: Path, *, new: bool, ask: bool, file: Path | None) -> Ed25519PrivateKey:
    """Return the key of a file; with `new`, create it."""
    from ledger.seal import keys

    key_passphrase = read_passphrase(ask=ask, file=file, is_new=new)
    return keys.create_key(path, key_passphrase) if new else keys.load_key(path, key_passphrase)


def read_note(path: Path) -> str:
    """Return the text of a checkpoint or request; raise an error for a file that isn't UTF-8."""
    try:
        return read_contents(path, _MAX_NOTE_BYTES).decode()
    except UnicodeDecodeError:
        from ledger.seal import proof_errors

        raise proof_errors.note_not_text(str(path)) from None
