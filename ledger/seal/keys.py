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

from ledger.files import key_files
from ledger.files.plain_files import read_contents, refuse_strange
from ledger.seal import verify_errors

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
        raise verify_errors.key_file_exists(str(file_path)) from None
    except OSError as error:
        raise verify_errors.key_file_not_made(str(file_path), error.strerror or str(error)) from None
    return private_key


def load_key(file_path: Path, passphrase: bytes = b"") -> Ed25519PrivateKey:
    """Return the key of a file; `SigningKeyError` if others can read the file or it is no such key."""
    refuse_strange(file_path)
    try:
        key_bytes = key_files.read_key_file(file_path)
    except key_files.OpenToOthersError:
        raise verify_errors.key_file_open(str(file_path), shlex.quote(str(file_path))) from None
    except OSError as error:
        raise verify_errors.key_file_unreadable(
            str(file_path), shlex.quote(str(file_path)), error.strerror or str(error)
        ) from None
    try:
        private_key = s.load_pem_private_key(key_bytes, passphrase or None)
    except TypeError:
        path = str(file_path)
        raise (verify_errors.no_passphrase(path) if passphrase else verify_errors.passphrase_needed(path)) from None
    except (ValueError, UnsupportedAlgorithm):
        raise verify_errors.key_file_damaged(str(file_path)) from None
    if not isinstance(private_key, Ed25519PrivateKey):
        raise verify_errors.key_file_of_other_kind(str(file_path))
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
            raise verify_errors.signed_note_unreadable(str(self.path), str(error)) from None

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
            raise verify_errors.signed_note_unwritable(str(self.path), error.strerror or str(error)) from None
