"""RFC 3161 time stamps: an outside authority confirms when a checkpoint existed.

A stamp covers the checkpoint with only its log's signature (`note.strip_cosignatures`). This module reads stamps
without a library. `rfc3161-client` checks whether a trusted authority signed them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Final, NamedTuple

from ledger.errors import MissingExtraError, ProofError
from ledger.seal import verify_errors

if TYPE_CHECKING:
    from cryptography.x509 import Certificate
    from rfc3161_client import TimeStampResponse
    from rfc3161_client.tsp import Accuracy

MOST_ANSWER_BYTES: Final = 1 << 16  # bytes of an answer; authorities give 1,000 to 8,000
MOST_PARTS: Final = 64  # sibling values; an answer has up to a dozen
MOST_ROOTS_BYTES: Final = 1 << 20  # bytes of a file of certificates

_SEQUENCE, _INTEGER, _OCTETS, _OID, _TIME, _ZERO = 0x30, 0x02, 0x04, 0x06, 0x18, 0xA0
_SIGNED_DATA_OID: Final = bytes.fromhex("2a864886f70d010702")  # id-signedData, RFC 5652 section 5.1
_STAMP_INFO_OID: Final = bytes.fromhex("2a864886f70d0109100104")  # id-ct-TSTInfo, RFC 3161 section 2.4.2
_HASHES_BY_OID: Final = {
    bytes.fromhex("608648016503040201"): "sha256",
    bytes.fromhex("608648016503040202"): "sha384",
    bytes.fromhex("608648016503040203"): "sha512",
}
_TIME_PATTERN: Final = re.compile(r"([0-9]{14})(?:\.([0-9]{1,6})[0-9]*)?Z")
_STATUS_TEXTS: Final = {
    0: "granted",
    1: "granted with changes",
    2: "rejected",
    3: "waiting",
    4: "a revocation is imminent",
    5: "revoked",
}


class TimeStamp(NamedTuple):
    """The content of an answer, without a check of its signature."""

    hash: str  # the name of it in hashlib
    imprint: bytes
    time: datetime  # UTC


class TrustedTime(NamedTuple):
    """A time from an authority whose certificate leads to a trusted root."""

    time: datetime  # UTC
    accuracy: timedelta  # the largest error by the authority's own statement; 0 = not stated
    authority: str  # the subject of its certificate, RFC 4514

    def __str__(self) -> str:
        """Return the end of the sentence "existed before"."""
        accuracy_text = f" (to {self.accuracy.total_seconds():g} s)" if self.accuracy else ""
        return f"{format_time(self.time)}{accuracy_text}, says {self.authority}"


class _DerValue(NamedTuple):
    """One value in DER: its tag, where it begins, and where its content begins and ends."""

    tag: int
    value_start: int
    start: int
    end: int


def format_time(moment: datetime) -> str:
    """Return a stamp's time for people."""
    return moment.strftime("%Y-%m-%d %H:%M:%S UTC")


def build_stamp_request(signed_bytes: bytes) -> bytes:
    """Return the request (TimeStampReq) for a stamp over the SHA-256 of `signed_bytes`.

    The nonce isn't stored. The hash ties an answer to its request, and an older answer can only prove an earlier time.
    """
    client = _import_client()
    request = client.TimestampRequestBuilder(
        data=signed_bytes, hash_algorithm=client.HashAlgorithm.SHA256, nonce=True, cert_req=True
    ).build()
    return bytes(request.as_bytes())


def read_stamp(answer: bytes) -> TimeStamp:
    """Return the content of an answer (TimeStampResp). Raise `ProofError` if it isn't one, or grants nothing."""
    info_parts = _read_stamp_info(answer, _read_signed_data(answer)[2])
    try:
        _version, _policy, imprint_part, _serial, time_part = info_parts[:5]
        algorithm_part, digest_part = _read_inside(answer, imprint_part, _SEQUENCE)[:2]
        hash_name = _HASHES_BY_OID.get(_read_bytes(answer, _read_inside(answer, algorithm_part, _SEQUENCE)[0], _OID))
        if hash_name is None:
            raise verify_errors.stamp_hash_unknown()
        time_match = _TIME_PATTERN.fullmatch(_read_bytes(answer, time_part, _TIME).decode("ascii"))
        if time_match is None:
            raise verify_errors.stamp_damaged()
        stamp_time = datetime.strptime(time_match[1], "%Y%m%d%H%M%S").replace(tzinfo=UTC)
        microseconds = int((time_match[2] or "0").ljust(6, "0"))
        return TimeStamp(
            hash_name, _read_bytes(answer, digest_part, _OCTETS), stamp_time.replace(microsecond=microseconds)
        )
    except (ValueError, IndexError):
        raise verify_errors.stamp_damaged() from None


def read_stamp_over(answer: bytes, signed_bytes: bytes) -> TimeStamp:
    """Return the content of an answer. Raise `ProofError` if it isn't over `signed_bytes`."""
    stamp = read_stamp(answer)
    if hashlib.new(stamp.hash, signed_bytes).digest() != stamp.imprint:
        raise verify_errors.stamp_of_other_checkpoint()
    return stamp


def verify_stamp(answer: bytes, signed_bytes: bytes, root_certificates: Sequence[Certificate]) -> TrustedTime:
    """Return the authority and time that prove when `signed_bytes` existed.

    Raise `ProofError` without a trusted authority.

    `root_certificates` are trusted and don't come with the answer. The authority's certificates must have been valid at
    the time of the stamp; they may have expired since.
    """
    client = _import_client()
    stamp = read_stamp_over(answer, signed_bytes)
    try:
        response = client.decode_timestamp_response(_sort_certificates(answer))
        verifier = client.VerifierBuilder(roots=list(root_certificates)).build()
        verifier.verify(response, hashlib.new(stamp.hash, signed_bytes).digest())
        stamp_info = response.tst_info
        is_same_stamp = stamp_info.message_imprint.message == stamp.imprint
        is_same_stamp &= stamp_info.gen_time == stamp.time.replace(microsecond=0)
        authority = _find_signer(response)
        accuracy = _read_accuracy(stamp_info.accuracy)
    except ProofError:
        raise
    except BaseException as error:
        # The library may raise anything for a stranger's bytes, and its panics aren't Exceptions.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        raise verify_errors.stamp_not_trusted(_describe_failure(error)) from None
    if not is_same_stamp:
        raise verify_errors.stamp_ambiguous()
    return TrustedTime(stamp.time, accuracy, authority)


def read_roots(pem_bytes: bytes) -> list[Certificate]:
    """Return the certificates of a PEM file. Raise `UsageError` if it has none."""
    from cryptography.x509 import load_pem_x509_certificates  # noqa: PLC0415 - rarely needed, slow to load

    if len(pem_bytes) > MOST_ROOTS_BYTES:
        raise verify_errors.roots_too_large()
    try:
        certificates = load_pem_x509_certificates(pem_bytes)
    except ValueError:
        certificates = []
    if not certificates:
        raise verify_errors.no_root_certificate()
    return list(dict.fromkeys(certificates))


def _import_client() -> ModuleType:
    try:
        return import_module("rfc3161_client")
    except ImportError:
        raise MissingExtraError("an RFC 3161 time stamp", "stamps") from None


def _find_signer(response: TimeStampResponse) -> str:
    """Return the name of the signer. Raise `ProofError` unless exactly one certificate is the signer's."""
    from cryptography.x509 import load_der_x509_certificate  # noqa: PLC0415 - slow to load

    (signer_info,) = response.signed_data.signer_infos
    certificates = [
        certificate
        for certificate in map(load_der_x509_certificate, response.signed_data.certificates)
        if (certificate.issuer, certificate.serial_number) == (signer_info.issuer, signer_info.serial_number)
    ]
    if len(certificates) != 1:
        raise verify_errors.stamp_signer_unknown()
    return certificates[0].subject.rfc4514_string()


def _read_accuracy(accuracy: Accuracy | None) -> timedelta:
    if accuracy is None:
        return timedelta()
    return timedelta(
        seconds=accuracy.seconds or 0, milliseconds=accuracy.millis or 0, microseconds=accuracy.micros or 0
    )


def _describe_failure(error: BaseException) -> str:
    """Return the library's message without the parts for its developers."""
    error_text = str(error)
    reason_match = re.search(r'Verify error:? ?([^"]{3,80})"', error_text) or re.search(
        r'reason: "([^"]{3,80})"', error_text
    )
    return reason_match[1] if reason_match else error_text.split(":", maxsplit=1)[0][:80]


# DER (X.690): values of definite length, one inside the other


def _read_values(der_bytes: bytes, start: int, end: int) -> list[_DerValue]:
    """Return the values that fill `der_bytes` from `start` to `end`. Raise `ProofError` if they don't."""
    der_values = []
    while start < end:
        if end - start < 2:
            raise verify_errors.stamp_damaged()
        value_start, value_length, start = start, der_bytes[start + 1], start + 2
        if value_length > 127:
            length_bytes = value_length & 127
            value_length = int.from_bytes(der_bytes[start : start + length_bytes], "big")
            start += length_bytes
            if not 1 <= length_bytes <= 3 or value_length < 128:
                raise verify_errors.stamp_damaged()
        if start + value_length > end:
            raise verify_errors.stamp_damaged()
        der_values.append(_DerValue(der_bytes[value_start], value_start, start, start + value_length))
        start += value_length
        if len(der_values) > MOST_PARTS:
            raise verify_errors.stamp_damaged()
    return der_values


def _read_inside(der_bytes: bytes, der_value: _DerValue, tag: int) -> list[_DerValue]:
    if der_value.tag != tag:
        raise verify_errors.stamp_damaged()
    return _read_values(der_bytes, der_value.start, der_value.end)


def _read_bytes(der_bytes: bytes, der_value: _DerValue, tag: int) -> bytes:
    if der_value.tag != tag:
        raise verify_errors.stamp_damaged()
    return der_bytes[der_value.start : der_value.end]


def _read_signed_data(answer: bytes) -> list[_DerValue]:
    """Return the parts of the signed data: version, digests, content, certificates, signers."""
    if len(answer) > MOST_ANSWER_BYTES:
        raise verify_errors.stamp_too_long()
    try:
        (response,) = _read_values(answer, 0, len(answer))
        status_part, *further_parts = _read_inside(answer, response, _SEQUENCE)
        status_number, *status_texts = _read_inside(answer, status_part, _SEQUENCE)
        status_code = int.from_bytes(_read_bytes(answer, status_number, _INTEGER), "big")
        if status_code:
            status_text = " ".join(
                _read_bytes(answer, text_part, 0x0C).decode("utf-8", "replace")
                for text_part in (_read_inside(answer, status_texts[0], _SEQUENCE) if status_texts else ())
            )
            raise verify_errors.stamp_refused(_STATUS_TEXTS.get(status_code, "an unknown status"), status_text[:200])
        (token_part,) = further_parts
        content_type, content = _read_inside(answer, token_part, _SEQUENCE)
        if _read_bytes(answer, content_type, _OID) != _SIGNED_DATA_OID:
            raise verify_errors.stamp_damaged()
        (signed_data,) = _read_inside(answer, content, _ZERO)
        signed_parts = _read_inside(answer, signed_data, _SEQUENCE)
        if len(signed_parts) < 4 or _read_bytes(answer, signed_parts[0], _INTEGER) != b"\3":
            raise verify_errors.stamp_damaged()
    except ValueError:
        raise verify_errors.stamp_damaged() from None
    return signed_parts


def _read_stamp_info(answer: bytes, der_value: _DerValue) -> list[_DerValue]:
    """Return the parts of the TSTInfo inside the signed data."""
    try:
        content_type, content = _read_inside(answer, der_value, _SEQUENCE)
        if _read_bytes(answer, content_type, _OID) != _STAMP_INFO_OID:
            raise verify_errors.stamp_damaged()
        (octets,) = _read_inside(answer, content, _ZERO)
        (info_value,) = _read_inside(answer, octets, _OCTETS)
    except ValueError:
        raise verify_errors.stamp_damaged() from None
    return _read_inside(answer, info_value, _SEQUENCE)


def _sort_certificates(answer: bytes) -> bytes:
    """Return the answer with its certificates in DER order, as the library requires.

    CMS allows any order, and OpenSSL puts the signer's first. The certificates aren't signed.
    """
    for signed_part in _read_signed_data(answer)[3:]:
        if signed_part.tag == _ZERO:
            certificates = sorted(
                answer[certificate.value_start : certificate.end]
                for certificate in _read_inside(answer, signed_part, _ZERO)
            )
            return answer[: signed_part.start] + b"".join(certificates) + answer[signed_part.end :]
    return answer
