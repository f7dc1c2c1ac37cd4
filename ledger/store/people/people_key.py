"""The key of a ledger's ids: a file outside the ledger, as the signing key is.

Whoever has it knows somebody again by name, and can therefore guess names of people who were
forgotten; whoever has the ledger alone can do neither. The ledger holds a digest of what follows from
the key, by which it knows its own, and nothing more of it.
"""

from __future__ import annotations

import os
from hashlib import blake2b, sha256
from pathlib import Path
from secrets import token_bytes
from typing import Final, Literal, NamedTuple, TypeAlias

import platformdirs

from ledger import keyfiles
from ledger.errors import PeopleKeyError

VARIABLE: Final = "HANDLEDGER_PEOPLE_KEY"
"""The variable that names the key's file."""

Way: TypeAlias = Literal["salted", "keyed"]
"""How ids are made: salted hashes, or hashes under the secret itself, as older ledgers do."""

_WORD: Final = "handledger-people-key-1"
_BYTES: Final = 32
_HEAD: Final = (
    "# The key behind the ids of players in a handledger ledger. Nothing can be imported without it,\n"
    "# and it cannot be made again: keep it, but never beside the ledger or its backups. With it\n"
    "# and the ledger together, names of people who were forgotten can be guessed.\n"
)
HOW: Final = f"Name its file with --people-key or {VARIABLE}; it was made where the first hands were imported."
"""The hint of whatever needs the key and has it not."""


class Own(NamedTuple):
    """What a ledger says of its key: how ids are made with it, and a digest of the secret."""

    way: Way
    check: str

    def __str__(self) -> str:
        return f"{self.way}:{self.check}"


class Found(NamedTuple):
    """A ledger's secret, and the file of the key; or why there is none."""

    secret: bytes | None
    path: Path | None = None
    trouble: PeopleKeyError | None = None


def read_own(told: str) -> Own:
    """Return what a ledger says of its key; `ValueError` if it says nothing of the kind."""
    way, _, check = told.partition(":")
    if way not in ("salted", "keyed") or len(bytes.fromhex(check)) != 16:
        raise ValueError("it says nothing of the key of its ids")
    return Own("salted" if way == "salted" else "keyed", check)


def own(secret: bytes, way: Way) -> Own:
    """Return what a ledger of this secret says of its key."""
    return Own(way, sha256(b"handledger/people-key/v1\0" + secret).hexdigest()[:32])


def secret_of(key: bytes, ledger: str, way: Way) -> bytes:
    """Return a ledger's secret: each ledger has its own, also where one key serves several.

    The secret of a ledger whose key was taken out of it is the key itself.
    """
    if way == "keyed":
        return key
    return blake2b(ledger.encode(), key=key, person=b"ledger", digest_size=_BYTES).digest()


def place(ledger: str) -> Path:
    """Return where the key of a ledger lies where nobody says otherwise."""
    folder = Path(platformdirs.user_config_dir("handledger", appauthor=False))
    if not folder.is_absolute():
        raise PeopleKeyError(
            "there is no home folder for the key of this ledger's ids",
            f"Say where its file is to be with --people-key or {VARIABLE}: outside the ledger's folder.",
        )
    return folder / "people" / f"{ledger}.key"


def named(told: str | os.PathLike[str] | None) -> Path | None:
    """Return the file that was named, by an option or by the environment."""
    said = told if told is not None else os.environ.get(VARIABLE)
    return Path(said) if said else None


def for_new(ledger: str, told: str | os.PathLike[str] | None) -> tuple[bytes, Path | None]:
    """Return the secret of a new ledger, and the file of its key if that was made now."""
    path = named(told) or place(ledger)
    if path.exists():
        key, made = _load(path), None
    else:
        key, made = token_bytes(_BYTES), path
        write(path, key)
    return secret_of(key, ledger, "salted"), made


def write(path: Path, key: bytes) -> None:
    """Make a key's file, which only its owner can read; one that is there is never overwritten."""
    try:
        keyfiles.make(path, f"{_HEAD}{_WORD} {key.hex()}\n".encode())
    except FileExistsError:
        raise PeopleKeyError(f"there is a file at {path} already", "Name another.") from None
    except OSError as error:
        raise PeopleKeyError(
            f"no key of ids can be made at {path}: {error.strerror}",
            f"Name another place with --people-key or {VARIABLE}: outside the ledger's folder.",
        ) from None


def find(ledger: str, mine: Own, told: str | os.PathLike[str] | None) -> Found:
    """Look for the key of a ledger: where an option says; else where the environment says, or at home."""
    try:
        candidates = [Path(told)] if told else [*filter(None, [named(None)]), place(ledger)]
    except PeopleKeyError as error:
        candidates = [*filter(None, [named(None)])]
        if not candidates:
            return Found(None, None, error)
    trouble: PeopleKeyError | None = None
    for path in candidates:
        try:
            secret = secret_of(_load(path), ledger, mine.way)
        except FileNotFoundError:
            wrong = PeopleKeyError(f"the key of this ledger's ids is not at {path}", HOW)
        except PeopleKeyError as error:
            wrong = error
        else:
            if own(secret, mine.way) == mine:
                return Found(secret, path)
            wrong = PeopleKeyError(f"{path} is the key of other ids, not of this ledger's", HOW)
        trouble = trouble or wrong
    return Found(None, None, trouble)


def _load(path: Path) -> bytes:
    """Return the key of a file. `FileNotFoundError`: there is none."""
    try:
        data = keyfiles.read(path)
    except FileNotFoundError:
        raise
    except keyfiles.OpenToOthersError:
        raise PeopleKeyError(
            f"others may read the key of ids {path}", f"chmod 600 {path}, if nobody has read it."
        ) from None
    except OSError as error:
        raise PeopleKeyError(f"the key of ids {path} cannot be read: {error.strerror}", HOW) from None
    lines = [line for line in data.split(b"\n") if line.strip() and not line.startswith(b"#")]
    try:
        word, told = lines[0].decode("ascii").split() if len(lines) == 1 else ("", "")
        key = bytes.fromhex(told) if word == _WORD else b""
    except ValueError:
        key = b""
    if len(key) != _BYTES:
        raise PeopleKeyError(f"{path} holds no key of ids, or a damaged one", HOW)
    return key
