"""Signed notes, checkpoints, cosignatures and proofs: the text formats of c2sp.org.

signed-note, tlog-checkpoint, tlog-cosignature (Ed25519) and tlog-proof@v1, read strictly: what is not
written as the format asks is refused, so that one meaning has one spelling.
"""

from __future__ import annotations

import base64
import binascii
import re
from hashlib import sha256
from typing import Final, NamedTuple, Protocol

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from ledger.errors import ProofError, SigningKeyError
from ledger.seal.tree import HASH

ED25519: Final = 1
COSIGNATURE: Final = 4
SIGNATURES_MOST: Final = 64
NOTE_MOST: Final = 1 << 20  # characters

_DASH: Final = "\u2014 "
_NAME: Final = re.compile(r"[^\s+]{1,300}")
_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,17}")
_PROOF: Final = "c2sp.org/tlog-proof@v1"
_SIZES: Final = {ED25519: 64, COSIGNATURE: 72}


class Key(NamedTuple):
    """A public key that signs notes: its name, what kind of signature it makes, its 32 bytes."""

    name: str
    kind: int  # ED25519 or COSIGNATURE
    public: bytes

    @property
    def id(self) -> bytes:
        """The four bytes by which a signature names its key."""
        said = self.name.encode() + b"\n" + bytes([self.kind]) + self.public
        return sha256(said).digest()[:4]

    def __str__(self) -> str:
        """Return the key as people pass it on: `name+id+base64`."""
        told = _base64(bytes([self.kind]) + self.public)
        return f"{self.name}+{self.id.hex()}+{told}"


class Signer(Protocol):
    """What signs: a key file, or a device that never shows its key."""

    key: Key

    def sign(self, message: bytes) -> bytes:
        """Return the 64 bytes of an Ed25519 signature."""
        ...


class HeldKey:
    """A signer whose key is in memory."""

    def __init__(self, name: str, private: Ed25519PrivateKey, kind: int = ED25519) -> None:
        """Take the name under which it signs and the key."""
        self._private = private
        self.key = Key(_named(name), kind, private.public_key().public_bytes_raw())

    def sign(self, message: bytes) -> bytes:
        """Return the signature."""
        return self._private.sign(message)


class Checkpoint(NamedTuple):
    """What a log says of itself: who it is, how many leaves it has, and their root."""

    origin: str
    size: int
    root: bytes

    def __str__(self) -> str:
        """Return the text that is signed."""
        return f"{self.origin}\n{self.size}\n{_base64(self.root)}\n"


class Signature(NamedTuple):
    """One line of a note: by whom, and what follows the key's id."""

    name: str
    id: bytes
    signature: bytes


class Note(NamedTuple):
    """A text and its signatures, none of them verified."""

    text: str
    signatures: tuple[Signature, ...]


class Proof(NamedTuple):
    """That an entry stands in a log: where, the path to the root, and the checkpoint as written."""

    leaf: int  # its index in the log, 0 = the first
    path: tuple[bytes, ...]
    checkpoint: str
    extra: bytes | None = None

    def __str__(self) -> str:
        """Return the proof as a file."""
        lines = [_PROOF]
        if self.extra is not None:
            lines.append(f"extra {_base64(self.extra)}")
        lines += [f"index {self.leaf}", *map(_base64, self.path), ""]
        return "\n".join(lines) + "\n" + self.checkpoint


def read_key(text: str) -> Key:
    """Return the key that `name+id+base64` means; `SigningKeyError` if it is none."""
    parts = text.strip().split("+", 2)
    if len(parts) != 3:
        raise SigningKeyError("a key is written name+id+base64", "Pass it on as it was printed.")
    name, told, data = parts
    try:
        raw = _unbase64(data, "key")
    except ProofError as error:
        raise SigningKeyError(error.message, "Pass it on as it was printed.") from None
    if len(raw) != 33 or raw[0] not in _SIZES:
        raise SigningKeyError("a key of another kind than Ed25519 is not known here")
    key = Key(_named(name), raw[0], raw[1:])
    if key.id.hex() != told:
        raise SigningKeyError("the key is damaged: its id does not fit", "Pass it on as it was printed.")
    return key


def signed(text: str, signer: Signer) -> str:
    """Return the note of a text with one signature."""
    return f"{text}\n{line(signer.key, signer.sign(text.encode()))}"


def cosigned(note: str, signer: Signer, time: int) -> str:
    """Return a checkpoint with a witness's cosignature behind it; `time` in seconds since 1970."""
    text = read_note(note).text
    said = f"cosignature/v1\ntime {time}\n{text}".encode()
    return note + line(signer.key, time.to_bytes(8, "big") + signer.sign(said))


def line(key: Key, signature: bytes) -> str:
    """Return the line of a signature."""
    return _line(key.name, key.id + signature)


def _line(name: str, signature: bytes) -> str:
    return f"{_DASH}{name} {_base64(signature)}\n"


def read_note(note: str) -> Note:
    """Take a note apart; nothing is verified. `ProofError` if it is not written as one."""
    if len(note) > NOTE_MOST:
        raise ProofError("the note is too long")
    if any(sign < " " and sign != "\n" for sign in note):
        raise ProofError("the note holds control characters")
    text, gap, below = note.rpartition("\n\n")
    if not gap or not below.endswith("\n") or not text:
        raise ProofError("the note has no signatures: it may be cut off")
    lines = below[:-1].split("\n")
    if len(lines) > SIGNATURES_MOST:
        raise ProofError("the note has too many signatures")
    return Note(text + "\n", tuple(map(_signature, lines)))


def as_signed(note: str) -> bytes:
    """Return a checkpoint as its log gave it out: its text and the log's own signature.

    What witnesses put behind it later is left out, so that a time stamp over it goes on to fit.
    """
    taken = read_note(note)
    origin = taken.text.partition("\n")[0]
    for one in taken.signatures:
        if one.name == origin:
            return f"{taken.text}\n{_line(one.name, one.id + one.signature)}".encode()
    raise ProofError("the log itself did not sign this checkpoint")


def _signature(told: str) -> Signature:
    dash, name, data = told[:2], *_two(told[2:])
    if dash != _DASH or not _NAME.fullmatch(name):
        raise ProofError("a line of the note is no signature")
    raw = _unbase64(data, "signature")
    if len(raw) < 5:
        raise ProofError("a signature of the note is too short")
    return Signature(name, raw[:4], raw[4:])


def _two(text: str) -> tuple[str, str]:
    name, _, data = text.partition(" ")
    return name, data


def verified(note: Note, key: Key) -> int | None:
    """Whether `key` signed the note: None = it did not; otherwise the time it says, 0 = none.

    A line that names the key and does not verify makes the whole note worthless: `ProofError`.
    """
    found: int | None = None
    public = Ed25519PublicKey.from_public_bytes(key.public)
    for one in note.signatures:
        if one.name != key.name or one.id != key.id:
            continue
        if len(one.signature) != _SIZES[key.kind]:
            raise ProofError(f"a signature of {key.name} has a wrong length")
        time, message = 0, note.text
        if key.kind == COSIGNATURE:
            time = int.from_bytes(one.signature[:8], "big")
            message = f"cosignature/v1\ntime {time}\n{note.text}"
        try:
            public.verify(one.signature[-64:], message.encode())
        except InvalidSignature:
            raise ProofError(f"the signature of {key.name} does not fit the text") from None
        found = time
    return found


def read_checkpoint(note: Note) -> Checkpoint:
    """Return what a checkpoint says; `ProofError` if the text is none."""
    lines = note.text[:-1].split("\n")
    if len(lines) != 3:
        raise ProofError("a checkpoint has three lines: origin, size, root")
    origin, size, told = lines
    if not origin or not _NUMBER.fullmatch(size):
        raise ProofError("the checkpoint's origin or size is not written as it should be")
    return Checkpoint(origin, int(size), _hash(told))


def read_proof(text: str) -> Proof:
    """Take a proof apart; nothing is verified. `ProofError` if it is not written as one."""
    if len(text) > NOTE_MOST:
        raise ProofError("the proof is too long")
    above, gap, checkpoint = text.partition("\n\n")
    lines = above.split("\n")
    if not gap or lines.pop(0) != _PROOF:
        raise ProofError("the file is no proof of inclusion")
    extra = None
    if lines and lines[0].startswith("extra "):
        extra = _unbase64(lines.pop(0)[6:], "extra")
    index = lines.pop(0)[6:] if lines and lines[0].startswith("index ") else ""
    if not _NUMBER.fullmatch(index) or len(lines) > 63:
        raise ProofError("the proof's index or length is not written as it should be")
    return Proof(int(index), tuple(map(_hash, lines)), checkpoint, extra)


def _named(name: str) -> str:
    if not _NAME.fullmatch(name) or any(sign < " " for sign in name):
        raise SigningKeyError("a key's name is 1 to 300 characters without blanks and plus signs")
    return name


def _hash(text: str) -> bytes:
    found = _unbase64(text, "hash")
    if len(found) != HASH:
        raise ProofError("a hash has a wrong length")
    return found


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _unbase64(text: str, what: str) -> bytes:
    """Decode base64 that is written as it would be written anew."""
    try:
        found = base64.b64decode(text.encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError, ValueError):
        raise ProofError(f"a {what} is not written in base64") from None
    if _base64(found) != text:
        raise ProofError(f"a {what} is written in base64 in an unusual way")
    return found
