"""Signing keys in files of their own, and the last note that each key signed.

A key is a PKCS #8 file outside the ledger that only its owner can read. With a passphrase it is encrypted. The file
next to it has the last signed note, so that a signer never signs a contradiction.
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

_MOST_NOTE_BYTES: Final = 1 << 20  # of the last signed note


def create_key(file_path: Path, passphrase: bytes = b"") -> Ed25519PrivateKey:
    """Create a key and its file. An existing file is never overwritten."""
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
    """Return the key in a file. Raise `SigningKeyError` if others can read the file, or if it isn't such a key."""
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
    """The last note signed with a key, in a file next to it."""

    def __init__(self, key_path: Path) -> None:
        """Take the path of the key's file."""
        self.path = key_path.with_name(key_path.name + ".signed")

    def read_last(self) -> str:
        """Return the note that was signed last; "" = none."""
        try:
            return read_contents(self.path, _MOST_NOTE_BYTES).decode()
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeDecodeError) as error:
            raise verify_errors.signed_note_unreadable(str(self.path), str(error)) from None

    def keep(self, note: str) -> None:
        """Store a note durably before it is published."""
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
