"""The key of a ledger's ids: a file outside the ledger, as the signing key is.

With the key, a program recognizes a person by name, and an attacker can guess names of erased people.
With the ledger alone, neither works. The ledger holds only a digest of its secret, which tells whether
a key is the right one.
"""

from __future__ import annotations

import os
from hashlib import blake2b, sha256
from pathlib import Path
from secrets import token_bytes
from typing import Final, Literal, NamedTuple, TypeAlias

import platformdirs

from ledger.errors import PeopleKeyError
from ledger.files import key_files

VARIABLE: Final = "HANDLEDGER_PEOPLE_KEY"
"""The environment variable that names the key's file."""

IdMethod: TypeAlias = Literal["salted", "keyed"]
"""How a ledger makes ids: salted hashes, or hashes under the secret itself, as in older ledgers."""

_KEY_WORD: Final = "handledger-people-key-1"
_KEY_BYTES: Final = 32
_KEY_FILE_HEAD: Final = (
    "# The key behind the ids of players in a handledger ledger. You can't import without it, and\n"
    "# nobody can make it again: keep it, but apart from the ledger and its backups. Anyone who\n"
    "# has both can guess the names of forgotten people.\n"
)
KEY_HINT: Final = f"Name its file with --people-key or {VARIABLE}; it was made where the first hands were imported."
"""The hint of every error about a missing key."""


class KeyStatement(NamedTuple):
    """A ledger's statement about its key: how it makes ids, and a digest of the secret."""

    id_method: IdMethod
    key_digest: str

    def __str__(self) -> str:
        return f"{self.id_method}:{self.key_digest}"


class KeySearch(NamedTuple):
    """A ledger's secret and its key file, or the error."""

    secret: bytes | None
    path: Path | None = None
    trouble: PeopleKeyError | None = None


def read_key_statement(key_statement: str) -> KeyStatement:
    """Parse a ledger's statement about its key; `ValueError` if it isn't one."""
    id_method, _, key_digest = key_statement.partition(":")
    if id_method not in ("salted", "keyed") or len(bytes.fromhex(key_digest)) != 16:
        raise ValueError("it says nothing of the key of its ids")
    return KeyStatement("salted" if id_method == "salted" else "keyed", key_digest)


def build_key_statement(secret: bytes, id_method: IdMethod) -> KeyStatement:
    """Return the statement about its key for a ledger of this secret."""
    return KeyStatement(id_method, sha256(b"handledger/people-key/v1\0" + secret).hexdigest()[:32])


def derive_secret(key: bytes, ledger: str, id_method: IdMethod) -> bytes:
    """Return a ledger's secret: each ledger has its own, even if one key serves several.

    For a ledger whose key was moved out of it, the secret is the key itself.
    """
    if id_method == "keyed":
        return key
    return blake2b(ledger.encode(), key=key, person=b"ledger", digest_size=_KEY_BYTES).digest()


def find_default_path(ledger: str) -> Path:
    """Return the default path of a ledger's key."""
    folder = Path(platformdirs.user_config_dir("handledger", appauthor=False))
    if not folder.is_absolute():
        raise PeopleKeyError(
            "there is no home folder for the key of this ledger's ids",
            f"Say where its file is to be with --people-key or {VARIABLE}: outside the ledger's folder.",
        )
    return folder / "people" / f"{ledger}.key"


def find_named_path(key_path: str | os.PathLike[str] | None) -> Path | None:
    """Return the path that an option or the environment names."""
    chosen_path = key_path if key_path is not None else os.environ.get(VARIABLE)
    return Path(chosen_path) if chosen_path else None


def prepare_secret(ledger: str, key_path: str | os.PathLike[str] | None) -> tuple[bytes, Path | None]:
    """Return the secret of a new ledger, and the path of its key if this call made it."""
    path = find_named_path(key_path) or find_default_path(ledger)
    if path.exists():
        key, new_path = _load_key(path), None
    else:
        key, new_path = token_bytes(_KEY_BYTES), path
        write_key(path, key)
    return derive_secret(key, ledger, "salted"), new_path


def write_key(path: Path, key: bytes) -> None:
    """Write a key file that only its owner can read; never overwrite one."""
    try:
        key_files.write_key_file(path, f"{_KEY_FILE_HEAD}{_KEY_WORD} {key.hex()}\n".encode())
    except FileExistsError:
        raise PeopleKeyError(f"there is a file at {path} already", "Name another.") from None
    except OSError as error:
        raise PeopleKeyError(
            f"no key of ids can be made at {path}: {error.strerror}",
            f"Name another place with --people-key or {VARIABLE}: outside the ledger's folder.",
        ) from None


def find_secret(ledger: str, key_statement: KeyStatement, key_path: str | os.PathLike[str] | None) -> KeySearch:
    """Find the key of a ledger: at the option's path, else at the environment's or the default path."""
    try:
        candidates = (
            [Path(key_path)] if key_path else [*filter(None, [find_named_path(None)]), find_default_path(ledger)]
        )
    except PeopleKeyError as error:
        candidates = [*filter(None, [find_named_path(None)])]
        if not candidates:
            return KeySearch(None, None, error)
    trouble: PeopleKeyError | None = None
    for path in candidates:
        try:
            secret = derive_secret(_load_key(path), ledger, key_statement.id_method)
        except FileNotFoundError:
            next_trouble = PeopleKeyError(f"the key of this ledger's ids is not at {path}", KEY_HINT)
        except PeopleKeyError as error:
            next_trouble = error
        else:
            if build_key_statement(secret, key_statement.id_method) == key_statement:
                return KeySearch(secret, path)
            next_trouble = PeopleKeyError(f"{path} is the key of other ids, not of this ledger's", KEY_HINT)
        trouble = trouble or next_trouble
    return KeySearch(None, None, trouble)


def _load_key(path: Path) -> bytes:
    """Return the key in a file; `FileNotFoundError` if there is none."""
    try:
        file_bytes = key_files.read_key_file(path)
    except FileNotFoundError:
        raise
    except key_files.OpenToOthersError:
        raise PeopleKeyError(
            f"others may read the key of ids {path}", f"chmod 600 {path}, if nobody has read it."
        ) from None
    except OSError as error:
        raise PeopleKeyError(f"the key of ids {path} cannot be read: {error.strerror}", KEY_HINT) from None
    lines = [line for line in file_bytes.split(b"\n") if line.strip() and not line.startswith(b"#")]
    try:
        first_word, key_hex = lines[0].decode("ascii").split() if len(lines) == 1 else ("", "")
        key = bytes.fromhex(key_hex) if first_word == _KEY_WORD else b""
    except ValueError:
        key = b""
    if len(key) != _KEY_BYTES:
        raise PeopleKeyError(f"{path} holds no key of ids, or a damaged one", KEY_HINT)
    return key
