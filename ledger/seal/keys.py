"""Signing keys in files of their own, and what their signer remembers of its last signature.

A key is a PKCS #8 file that only its owner can read, outside the ledger; with a passphrase it is
encrypted. Beside it lies what it signed last: a signer never signs what contradicts that.
"""

from __future__ import annotations

import os
import shlex
import tempfile
from pathlib import Path
from typing import Final

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization as s
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ledger.errors import SigningKeyError
from ledger.files import key_files
from ledger.files.plain_files import read_contents, refuse_strange

_MOST_NOTE_BYTES: Final = 1 << 20  # of what was signed


def create_key(file_path: Path, passphrase: bytes = b"") -> Ed25519PrivateKey:
    """Make a key and write its file; one that is there is never overwritten."""
    private_key = Ed25519PrivateKey.generate()
    key_bytes = private_key.private_bytes(
        s.Encoding.PEM, s.PrivateFormat.PKCS8, s.BestAvailableEncryption(passphrase) if passphrase else s.NoEncryption()
    )
    try:
        key_files.write_key_file(file_path, key_bytes)
    except FileExistsError:
        raise SigningKeyError(f"there is a key file at {file_path} already", "Name another, or use this one.") from None
    except OSError as error:
        raise SigningKeyError(f"no key file can be made at {file_path}: {error.strerror}") from None
    return private_key


def load_key(file_path: Path, passphrase: bytes = b"") -> Ed25519PrivateKey:
    """Return the key of a file; `SigningKeyError` if others can read the file or it is no such key."""
    refuse_strange(file_path)
    try:
        key_bytes = key_files.read_key_file(file_path)
    except key_files.OpenToOthersError:
        raise SigningKeyError(
            f"other users can read the key file {file_path}",
            f"If nobody has read it: chmod 600 {shlex.quote(str(file_path))}. Otherwise make a new key.",
        ) from None
    except OSError as error:
        raise SigningKeyError(
            f"the key file {file_path} can't be read: {error.strerror}",
            f"To make a new key: handledger seal --new-key --key {shlex.quote(str(file_path))}",
        ) from None
    try:
        private_key = s.load_pem_private_key(key_bytes, passphrase or None)
    except TypeError:
        complaint = "has no passphrase" if passphrase else "needs its passphrase"
        raise SigningKeyError(f"the key file {file_path} {complaint}") from None
    except (ValueError, UnsupportedAlgorithm):
        raise SigningKeyError(f"{file_path} holds no key, or the passphrase is another") from None
    if not isinstance(private_key, Ed25519PrivateKey):
        raise SigningKeyError(f"{file_path} holds another kind of key than Ed25519")
    return private_key


class SignatureMemory:
    """What was signed last with a key, in a file beside it."""

    def __init__(self, key_path: Path) -> None:
        """Take the path of the key's file."""
        self.path = key_path.with_name(key_path.name + ".signed")

    def last(self) -> str:
        """Return the note that was signed last; "" = none."""
        try:
            return read_contents(self.path, _MOST_NOTE_BYTES).decode()
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeDecodeError) as error:
            raise SigningKeyError(f"what was signed last cannot be read: {self.path}: {error}") from None

    def keep(self, note: str) -> None:
        """Write down, durably, what is about to be given out."""
        folder = self.path.parent
        try:
            descriptor, draft_path = tempfile.mkstemp(dir=folder, prefix=f".{self.path.name}-")
            with os.fdopen(descriptor, "w", encoding="utf-8") as draft_file:
                draft_file.write(note)
                draft_file.flush()
                os.fsync(draft_file.fileno())
            Path(draft_path).replace(self.path)
            key_files.sync_folder(folder)
        except OSError as error:
            raise SigningKeyError(
                f"what is signed cannot be written down at {self.path}: {error.strerror}", "Nothing was signed."
            ) from None
