"""Read the certificate and the key with which the server speaks TLS."""

from __future__ import annotations

import ipaddress
import ssl
import stat
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key

from ledger.text.language import join_and, phrase
from web.server.access import network_errors

if TYPE_CHECKING:
    from collections.abc import Iterable

_MAX_FILE_BYTES: Final = 1024 * 1024


class Certificate(NamedTuple):
    """A certificate that is ready to serve, and the host names and addresses that it's for."""

    context: ssl.SSLContext
    names: frozenset[str]

    def find_covered(self, hosts: Iterable[str]) -> list[str]:
        """Return the hosts that the certificate is for. A browser warns of the others."""
        return [host for host in hosts if any(_covers(name, host.strip("[]").lower()) for name in self.names)]


def load_certificate(cert_path: Path, key_path: Path, now: datetime | None = None) -> Certificate:
    """Return the certificate of two PEM files. Raise `UsageError` if it can't be served."""
    cert_bytes, key_bytes = _read_file(cert_path), _read_file(key_path)
    certificate = _parse_certificate(cert_path, cert_bytes)
    _check_dates(cert_path, certificate, now or datetime.now(UTC))
    _check_key(cert_path, key_path, certificate, key_bytes)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    try:
        context.load_cert_chain(cert_path, key_path)
    except (ssl.SSLError, OSError) as error:
        raise network_errors.certificate_unusable(str(cert_path), _describe_reason(error)) from None
    return Certificate(context, _list_names(certificate))


def _read_file(path: Path) -> bytes:
    try:
        if not path.is_file():
            raise network_errors.no_such_file(str(path))
        with path.open("rb") as file:
            return file.read(_MAX_FILE_BYTES)
    except OSError as error:
        raise network_errors.unreadable_file(str(path), error.strerror or str(error)) from None


def _parse_certificate(path: Path, content: bytes) -> x509.Certificate:
    try:
        return x509.load_pem_x509_certificates(content)[0]
    except ValueError:
        raise network_errors.not_a_certificate(str(path)) from None


def _check_dates(path: Path, certificate: x509.Certificate, now: datetime) -> None:
    if certificate.not_valid_after_utc <= now:
        raise network_errors.certificate_expired(str(path), certificate.not_valid_after_utc.date().isoformat())
    if certificate.not_valid_before_utc > now:
        raise network_errors.certificate_not_yet_valid(str(path), certificate.not_valid_before_utc.date().isoformat())


def _check_key(cert_path: Path, key_path: Path, certificate: x509.Certificate, content: bytes) -> None:
    """Refuse a key that isn't one, has a passphrase, is for another certificate, or is open to everybody."""
    if key_path.stat().st_mode & stat.S_IROTH:
        raise network_errors.key_readable_by_all(str(key_path))
    try:
        key = load_pem_private_key(content, None)
    except TypeError:
        raise network_errors.key_has_passphrase(str(key_path)) from None
    except (ValueError, UnsupportedAlgorithm):
        raise network_errors.not_a_private_key(str(key_path)) from None
    key_form = (Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    if key.public_key().public_bytes(*key_form) != certificate.public_key().public_bytes(*key_form):
        raise network_errors.key_of_other_certificate(str(key_path), str(cert_path))


def _list_names(certificate: x509.Certificate) -> frozenset[str]:
    try:
        names = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (x509.ExtensionNotFound, ValueError):
        return frozenset()
    addresses = names.get_values_for_type(x509.IPAddress)
    return frozenset(name.lower() for name in names.get_values_for_type(x509.DNSName)) | {
        str(address) for address in addresses
    }


def _covers(name: str, host: str) -> bool:
    """Whether a name of a certificate covers a host: itself, or with a star its first label."""
    try:
        return ipaddress.ip_address(host) == ipaddress.ip_address(name)
    except ValueError:
        return name == host or (name.startswith("*.") and host.partition(".")[2] == name[2:])


def _describe_reason(error: Exception) -> str:
    return getattr(error, "reason", None) or getattr(error, "strerror", None) or str(error)


def describe_uncovered(certificate: Certificate, hosts: list[str]) -> str:
    """Return a warning for the hosts that the certificate isn't for; "" if it's for all of them."""
    covered = certificate.find_covered(hosts)
    uncovered = [host for host in dict.fromkeys(hosts) if host not in covered]
    if not uncovered:
        return ""
    return phrase("The certificate isn't for {hosts}: browsers warn there.", hosts=join_and(uncovered))
