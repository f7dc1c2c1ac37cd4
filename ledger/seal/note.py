"""Read and write signed notes, checkpoints, cosignatures and proofs in the text formats of c2sp.org.

These are signed-note, tlog-checkpoint, tlog-cosignature (Ed25519) and tlog-proof@v1. Reading is strict: only the
canonical form is accepted, so one meaning has one spelling.
"""

from __future__ import annotations

import base64
import binascii
import re
from hashlib import sha256
from typing import Final, NamedTuple, Protocol

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from ledger.errors import ProofError
from ledger.seal import proof_errors, verify_errors
from ledger.seal.tree import HASH_SIZE

ED25519: Final = 1
COSIGNATURE: Final = 4
MOST_SIGNATURES: Final = 64
MOST_NOTE_LENGTH: Final = 1 << 20  # characters

_DASH_PREFIX: Final = "\u2014 "
_NAME_PATTERN: Final = re.compile(r"[^\s+]{1,300}")
_NUMBER_PATTERN: Final = re.compile(r"0|[1-9][0-9]{0,17}")
_PROOF_HEADER: Final = "c2sp.org/tlog-proof@v1"
_SIGNATURE_SIZES: Final = {ED25519: 64, COSIGNATURE: 72}


class PublicKey(NamedTuple):
    """A public key that signs notes: its name, the kind of its signatures, its 32 bytes."""

    name: str
    kind: int  # ED25519 or COSIGNATURE
    public: bytes

    @property
    def id(self) -> bytes:
        """The four bytes that identify the key in a signature."""
        key_text = self.name.encode() + b"\n" + bytes([self.kind]) + self.public
        return sha256(key_text).digest()[:4]

    def __str__(self) -> str:
        """Return the key in the form for people: `name+id+base64`."""
        key_base64 = _encode_base64(bytes([self.kind]) + self.public)
        return f"{self.name}+{self.id.hex()}+{key_base64}"


class Signer(Protocol):
    """An object that signs: a key file, or a device that never shows its key."""

    key: PublicKey

    def sign(self, message: bytes) -> bytes:
        """Return the 64 bytes of an Ed25519 signature."""
        ...


class HeldKey:
    """A signer whose key is in memory."""

    def __init__(self, name: str, private_key: Ed25519PrivateKey, kind: int = ED25519) -> None:
        """Take the name under which it signs and the key."""
        self._private = private_key
        self.key = PublicKey(_check_name(name), kind, private_key.public_key().public_bytes_raw())

    def sign(self, message: bytes) -> bytes:
        """Return the signature."""
        return self._private.sign(message)


class Checkpoint(NamedTuple):
    """A log's name, its number of leaves, and their root."""

    origin: str
    size: int
    root: bytes

    def __str__(self) -> str:
        """Return the text that is signed."""
        return f"{self.origin}\n{self.size}\n{_encode_base64(self.root)}\n"


class Signature(NamedTuple):
    """One signature line of a note: the signer, and the bytes after the key's id."""

    name: str
    id: bytes
    signature: bytes


class SignedNote(NamedTuple):
    """A text and its signatures, not verified."""

    text: str
    signatures: tuple[Signature, ...]


class InclusionProof(NamedTuple):
    """The proof that a log contains an entry: its index, the path to the root, and the checkpoint as text."""

    leaf: int  # its index in the log, 0 = the first
    path: tuple[bytes, ...]
    checkpoint: str
    extra: bytes | None = None

    def __str__(self) -> str:
        """Return the proof as a file."""
        lines = [_PROOF_HEADER]
        if self.extra is not None:
            lines.append(f"extra {_encode_base64(self.extra)}")
        lines += [f"index {self.leaf}", *map(_encode_base64, self.path), ""]
        return "\n".join(lines) + "\n" + self.checkpoint


def read_key(text: str) -> PublicKey:
    """Return the key in `name+id+base64`. Raise `SigningKeyError` if it isn't one."""
    parts = text.strip().split("+", 2)
    if len(parts) != 3:
        raise verify_errors.not_a_public_key()
    name, id_text, key_base64 = parts
    try:
        key_bytes = _decode_base64(key_base64, "key")
    except ProofError as error:
        raise verify_errors.public_key_damaged(error.message) from None
    if len(key_bytes) != 33 or key_bytes[0] not in _SIGNATURE_SIZES:
        raise verify_errors.other_kind_of_key()
    key = PublicKey(_check_name(name), key_bytes[0], key_bytes[1:])
    if key.id.hex() != id_text:
        raise verify_errors.public_key_id_wrong()
    return key


def sign_text(text: str, signer: Signer) -> str:
    """Return the note of a text with one signature."""
    return f"{text}\n{format_signature(signer.key, signer.sign(text.encode()))}"


def cosign_note(note: str, signer: Signer, timestamp: int) -> str:
    """Return a checkpoint with a witness's cosignature added. `timestamp` is in seconds since 1970."""
    text = read_note(note).text
    signed_bytes = f"cosignature/v1\ntime {timestamp}\n{text}".encode()
    return note + format_signature(signer.key, timestamp.to_bytes(8, "big") + signer.sign(signed_bytes))


def format_signature(key: PublicKey, signature: bytes) -> str:
    """Return the line of a signature."""
    return _format_line(key.name, key.id + signature)


def _format_line(name: str, signature: bytes) -> str:
    return f"{_DASH_PREFIX}{name} {_encode_base64(signature)}\n"


def read_note(note: str) -> SignedNote:
    """Parse a note without verifying it. Raise `ProofError` if it is malformed."""
    if len(note) > MOST_NOTE_LENGTH:
        raise proof_errors.note_too_long()
    if any(character < " " and character != "\n" for character in note):
        raise proof_errors.note_not_plain()
    text, separator, signature_text = note.rpartition("\n\n")
    if not separator or not signature_text.endswith("\n") or not text:
        raise proof_errors.note_without_signatures()
    signature_lines = signature_text[:-1].split("\n")
    if len(signature_lines) > MOST_SIGNATURES:
        raise proof_errors.too_many_signatures()
    return SignedNote(text + "\n", tuple(map(_parse_signature, signature_lines)))


def strip_cosignatures(note: str) -> bytes:
    """Return a checkpoint with only the log's own signature.

    A time stamp covers this text, so it stays valid when witnesses add cosignatures.
    """
    parsed_note = read_note(note)
    origin = parsed_note.text.partition("\n")[0]
    for signature in parsed_note.signatures:
        if signature.name == origin:
            return f"{parsed_note.text}\n{_format_line(signature.name, signature.id + signature.signature)}".encode()
    raise proof_errors.log_signature_missing()


def _parse_signature(line_text: str) -> Signature:
    prefix, name, signature_base64 = line_text[:2], *_split_line(line_text[2:])
    if prefix != _DASH_PREFIX or not _NAME_PATTERN.fullmatch(name):
        raise proof_errors.signature_line_wrong()
    signature_bytes = _decode_base64(signature_base64, "signature")
    if len(signature_bytes) < 5:
        raise proof_errors.signature_too_short()
    return Signature(name, signature_bytes[:4], signature_bytes[4:])


def _split_line(text: str) -> tuple[str, str]:
    signer_name, _, signature_base64 = text.partition(" ")
    return signer_name, signature_base64


def verify_signature(note: SignedNote, key: PublicKey) -> int | None:
    """Return the time of `key`'s signature of the note, 0 = without a time, or None if it didn't sign.

    If a line names the key and its signature is wrong, the note is worthless: `ProofError`.
    """
    cosigned_at: int | None = None
    public_key = Ed25519PublicKey.from_public_bytes(key.public)
    for signature in note.signatures:
        if signature.name != key.name or signature.id != key.id:
            continue
        if len(signature.signature) != _SIGNATURE_SIZES[key.kind]:
            raise proof_errors.signature_length_wrong(key.name)
        timestamp, message = 0, note.text
        if key.kind == COSIGNATURE:
            timestamp = int.from_bytes(signature.signature[:8], "big")
            message = f"cosignature/v1\ntime {timestamp}\n{note.text}"
        try:
            public_key.verify(signature.signature[-64:], message.encode())
        except InvalidSignature:
            raise proof_errors.signature_wrong(key.name) from None
        cosigned_at = timestamp
    return cosigned_at


def read_checkpoint(note: SignedNote) -> Checkpoint:
    """Parse the checkpoint in a note. Raise `ProofError` if it isn't one."""
    text_lines = note.text[:-1].split("\n")
    if len(text_lines) != 3:
        raise proof_errors.checkpoint_lines_wrong()
    origin, size_text, root_text = text_lines
    if not origin or not _NUMBER_PATTERN.fullmatch(size_text):
        raise proof_errors.checkpoint_malformed()
    return Checkpoint(origin, int(size_text), _decode_hash(root_text))


def read_proof(text: str) -> InclusionProof:
    """Parse a proof without verifying it. Raise `ProofError` if it is malformed."""
    if len(text) > MOST_NOTE_LENGTH:
        raise proof_errors.proof_too_long()
    header_text, separator, checkpoint = text.partition("\n\n")
    header_lines = header_text.split("\n")
    if not separator or header_lines.pop(0) != _PROOF_HEADER:
        raise proof_errors.not_a_proof()
    extra = None
    if header_lines and header_lines[0].startswith("extra "):
        extra = _decode_base64(header_lines.pop(0)[6:], "extra")
    index_text = header_lines.pop(0)[6:] if header_lines and header_lines[0].startswith("index ") else ""
    if not _NUMBER_PATTERN.fullmatch(index_text) or len(header_lines) > 63:
        raise proof_errors.proof_malformed()
    return InclusionProof(int(index_text), tuple(map(_decode_hash, header_lines)), checkpoint, extra)


def _check_name(name: str) -> str:
    if not _NAME_PATTERN.fullmatch(name) or any(sign < " " for sign in name):
        raise verify_errors.bad_key_name()
    return name


def _decode_hash(text: str) -> bytes:
    hash_bytes = _decode_base64(text, "hash")
    if len(hash_bytes) != HASH_SIZE:
        raise proof_errors.hash_length_wrong()
    return hash_bytes


def _encode_base64(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _decode_base64(text: str, part_name: str) -> bytes:
    """Decode base64 and accept only its canonical spelling."""
    try:
        decoded_bytes = base64.b64decode(text.encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError, ValueError):
        raise proof_errors.not_base64(part_name) from None
    if _encode_base64(decoded_bytes) != text:
        raise proof_errors.base64_unusual(part_name)
    return decoded_bytes
