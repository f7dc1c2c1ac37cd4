"""RFC 3161 time stamps: an authority outside the house says when a checkpoint was already there.

A stamp is over the checkpoint as its log gave it out (`note.as_signed`). What it says is read here
without any library; whether an authority that is trusted said so, `rfc3161-client` finds out.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.errors import MissingExtraError, ProofError, UsageError

if TYPE_CHECKING:
    from cryptography.x509 import Certificate
    from rfc3161_client import TimeStampResponse
    from rfc3161_client.tsp import Accuracy

MOST: Final = 1 << 16  # bytes of an answer; authorities give 1,000 to 8,000
PARTS_MOST: Final = 64  # values beside one another; an answer has up to a dozen
ROOTS_MOST: Final = 1 << 20  # bytes of a file of certificates

_SEQUENCE, _INTEGER, _OCTETS, _OID, _TIME, _ZERO = 0x30, 0x02, 0x04, 0x06, 0x18, 0xA0
_SIGNED: Final = bytes.fromhex("2a864886f70d010702")  # id-signedData, RFC 5652 section 5.1
_TOLD: Final = bytes.fromhex("2a864886f70d0109100104")  # id-ct-TSTInfo, RFC 3161 section 2.4.2
_HASHES: Final = {
    bytes.fromhex("608648016503040201"): "sha256",
    bytes.fromhex("608648016503040202"): "sha384",
    bytes.fromhex("608648016503040203"): "sha512",
}
_WHEN: Final = re.compile(r"([0-9]{14})(?:\.([0-9]{1,6})[0-9]*)?Z")
_STATUS: Final = {
    0: "granted",
    1: "granted with changes",
    2: "rejected",
    3: "waiting",
    4: "a revocation is imminent",
    5: "revoked",
}


class Stamp(NamedTuple):
    """What an answer says of itself; nobody has looked at its signature."""

    hash: str  # the name of it in hashlib
    imprint: bytes
    time: datetime  # UTC


class Vouched(NamedTuple):
    """What an authority said whose certificate leads to a trusted root."""

    time: datetime  # UTC
    within: timedelta  # how far off the authority says it may be; 0 = it does not say
    authority: str  # the subject of its certificate, RFC 4514

    def __str__(self) -> str:
        """Return it as the end of the sentence "existed before"."""
        off = f" (to {self.within.total_seconds():g} s)" if self.within else ""
        return f"{clock(self.time)}{off}, says {self.authority}"


class _Part(NamedTuple):
    """One value in DER: its tag, where it begins, and where its content begins and ends."""

    tag: int
    at: int
    start: int
    end: int


def clock(time: datetime) -> str:
    """Return a time of a stamp for people."""
    return time.strftime("%Y-%m-%d %H:%M:%S UTC")


def asked(signed: bytes) -> bytes:
    """Return the request (TimeStampReq) for a stamp over the SHA-256 of `signed`.

    Its nonce is kept nowhere: an answer is bound by the hash, and one that somebody got before can
    only say an earlier time, which is as true.
    """
    client = _client()
    request = client.TimestampRequestBuilder(
        data=signed, hash_algorithm=client.HashAlgorithm.SHA256, nonce=True, cert_req=True
    ).build()
    return bytes(request.as_bytes())


def told(answer: bytes) -> Stamp:
    """Return what an answer (TimeStampResp) says; `ProofError` if it is none, or grants nothing."""
    info = _content(answer, _token(answer)[2])
    try:
        _version, _policy, imprint, _serial, time = info[:5]
        algorithm, digest = _inside(answer, imprint, _SEQUENCE)[:2]
        name = _HASHES.get(_bytes(answer, _inside(answer, algorithm, _SEQUENCE)[0], _OID))
        if name is None:
            raise ProofError("the time stamp is over another kind of hash than SHA-256, 384 or 512")
        found = _WHEN.fullmatch(_bytes(answer, time, _TIME).decode("ascii"))
        if found is None:
            raise _broken()
        at = datetime.strptime(found[1], "%Y%m%d%H%M%S").replace(tzinfo=UTC)
        parts = int((found[2] or "0").ljust(6, "0"))
        return Stamp(name, _bytes(answer, digest, _OCTETS), at.replace(microsecond=parts))
    except (ValueError, IndexError):
        raise _broken() from None


def over(answer: bytes, signed: bytes) -> Stamp:
    """Return what an answer says; `ProofError` if it is not over `signed`."""
    stamp = told(answer)
    if hashlib.new(stamp.hash, signed).digest() != stamp.imprint:
        raise ProofError("the time stamp is over something else than this checkpoint")
    return stamp


def checked(answer: bytes, signed: bytes, roots: Sequence[Certificate]) -> Vouched:
    """Return who says since when `signed` was there; `ProofError` if no trusted authority does.

    `roots` are the certificates that are trusted, got from elsewhere than the answer. Those of the
    authority must have been valid at the time of the stamp; today they may have expired.
    """
    client = _client()
    stamp = over(answer, signed)
    try:
        response = client.decode_timestamp_response(_sorted(answer))
        verifier = client.VerifierBuilder(roots=list(roots)).build()
        verifier.verify(response, hashlib.new(stamp.hash, signed).digest())
        info = response.tst_info
        same = info.message_imprint.message == stamp.imprint
        same &= info.gen_time == stamp.time.replace(microsecond=0)
        authority = _signer(response)
        within = _within(info.accuracy)
    except ProofError:
        raise
    except BaseException as error:
        # What strangers wrote ends in whatever the library raises; a panic of it is no Exception.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        raise ProofError(
            f"no authority that is trusted here made the time stamp: {_reason(error)}",
            "Give its root certificate, got from the authority itself, with --tsa.",
        ) from None
    if not same:
        raise ProofError("the time stamp can be read in two ways")
    return Vouched(stamp.time, within, authority)


def read_roots(data: bytes) -> list[Certificate]:
    """Return the certificates of a PEM file; `UsageError` if it holds none."""
    from cryptography.x509 import load_pem_x509_certificates  # noqa: PLC0415 - rarely needed, slow to load

    if len(data) > ROOTS_MOST:
        raise UsageError("the file of root certificates is too large")
    try:
        found = load_pem_x509_certificates(data)
    except ValueError:
        found = []
    if not found:
        raise UsageError(
            "the file holds no certificate that can be read",
            "It must hold the authority's root certificate in PEM, -----BEGIN CERTIFICATE-----.",
        )
    return list(dict.fromkeys(found))


def _client() -> ModuleType:
    try:
        return import_module("rfc3161_client")
    except ImportError:
        raise MissingExtraError("an RFC 3161 time stamp", "stamps") from None


def _signer(response: TimeStampResponse) -> str:
    """Return whose certificate signed; `ProofError` if more than one could be meant."""
    from cryptography.x509 import load_der_x509_certificate  # noqa: PLC0415 - slow to load

    (signer,) = response.signed_data.signer_infos
    found = [
        one
        for one in map(load_der_x509_certificate, response.signed_data.certificates)
        if (one.issuer, one.serial_number) == (signer.issuer, signer.serial_number)
    ]
    if len(found) != 1:
        raise ProofError("the time stamp does not say which certificate signed it")
    return found[0].subject.rfc4514_string()


def _within(accuracy: Accuracy | None) -> timedelta:
    if accuracy is None:
        return timedelta()
    return timedelta(
        seconds=accuracy.seconds or 0, milliseconds=accuracy.millis or 0, microseconds=accuracy.micros or 0
    )


def _reason(error: BaseException) -> str:
    """Return what the library said without what only its authors read."""
    said = str(error)
    found = re.search(r'Verify error:? ?([^"]{3,80})"', said) or re.search(r'reason: "([^"]{3,80})"', said)
    return found[1] if found else said.split(":", maxsplit=1)[0][:80]


# DER (X.690): values of definite length, one inside the other


def _broken() -> ProofError:
    return ProofError(
        "the file is no answer of a time stamping authority, or a damaged one",
        "It must be what the authority sent, as it was sent (application/timestamp-reply).",
    )


def _parts(data: bytes, start: int, end: int) -> list[_Part]:
    """Return the values that fill `data` from `start` to `end`; `ProofError` if none do."""
    found = []
    while start < end:
        if end - start < 2:
            raise _broken()
        at, size, start = start, data[start + 1], start + 2
        if size > 127:
            length = size & 127
            size = int.from_bytes(data[start : start + length], "big")
            start += length
            if not 1 <= length <= 3 or size < 128:
                raise _broken()
        if start + size > end:
            raise _broken()
        found.append(_Part(data[at], at, start, start + size))
        start += size
        if len(found) > PARTS_MOST:
            raise _broken()
    return found


def _inside(data: bytes, part: _Part, tag: int) -> list[_Part]:
    if part.tag != tag:
        raise _broken()
    return _parts(data, part.start, part.end)


def _bytes(data: bytes, part: _Part, tag: int) -> bytes:
    if part.tag != tag:
        raise _broken()
    return data[part.start : part.end]


def _token(answer: bytes) -> list[_Part]:
    """Return the parts of the signed data: version, digests, content, certificates, signers."""
    if len(answer) > MOST:
        raise ProofError("the answer of the time stamping authority is too long")
    try:
        (whole,) = _parts(answer, 0, len(answer))
        status, *rest = _inside(answer, whole, _SEQUENCE)
        number, *words = _inside(answer, status, _SEQUENCE)
        granted = int.from_bytes(_bytes(answer, number, _INTEGER), "big")
        if granted:
            said = " ".join(
                _bytes(answer, one, 0x0C).decode("utf-8", "replace")
                for one in (_inside(answer, words[0], _SEQUENCE) if words else ())
            )
            raise ProofError(
                f"the authority gave no time stamp: {_STATUS.get(granted, 'an unknown status')}"
                + (f": {said[:200]}" if said else "")
            )
        (token,) = rest
        kind, held = _inside(answer, token, _SEQUENCE)
        if _bytes(answer, kind, _OID) != _SIGNED:
            raise _broken()
        (signed,) = _inside(answer, held, _ZERO)
        parts = _inside(answer, signed, _SEQUENCE)
        if len(parts) < 4 or _bytes(answer, parts[0], _INTEGER) != b"\3":
            raise _broken()
    except ValueError:
        raise _broken() from None
    return parts


def _content(answer: bytes, part: _Part) -> list[_Part]:
    """Return the parts of the TSTInfo inside the signed data."""
    try:
        kind, held = _inside(answer, part, _SEQUENCE)
        if _bytes(answer, kind, _OID) != _TOLD:
            raise _broken()
        (octets,) = _inside(answer, held, _ZERO)
        (info,) = _inside(answer, octets, _OCTETS)
    except ValueError:
        raise _broken() from None
    return _inside(answer, info, _SEQUENCE)


def _sorted(answer: bytes) -> bytes:
    """Return the answer with its certificates in the order of DER, which the library demands.

    CMS lets authorities put them in any order, and OpenSSL's puts the signer's first. They are no
    part of what is signed.
    """
    for part in _token(answer)[3:]:
        if part.tag == _ZERO:
            held = sorted(answer[one.at : one.end] for one in _inside(answer, part, _ZERO))
            return answer[: part.start] + b"".join(held) + answer[part.end :]
    return answer
