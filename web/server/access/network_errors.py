"""Errors of the server's socket and certificate: which file, key or address can't be used, and what to give instead."""

from __future__ import annotations

from ledger.errors import UsageError
from ledger.text.language import phrase


def port_taken(address: str, port: int, reason: str) -> UsageError:
    """Return the error for a port that another program has; `reason`: what the system says."""
    return UsageError(
        phrase("nothing can listen on {address} port {port}: {reason}", address=address, port=port, reason=reason),
        phrase("Another program may have it. Name another port, or let the system choose: {option}", option="--port 0"),
    )


def address_not_ours(address: str, port: int, reason: str) -> UsageError:
    """Return the error for an address of another machine; `reason`: what the system says."""
    return UsageError(
        phrase("nothing can listen on {address} port {port}: {reason}", address=address, port=port, reason=reason),
        phrase("{option} is one of this machine's own addresses: 127.0.0.1, or 0.0.0.0 for all.", option="--address"),
    )


def no_such_file(path: str) -> UsageError:
    """Return the error for a certificate or key that isn't there."""
    return UsageError(
        phrase("{file}: there is no such file", file=path), phrase("Name the PEM files with --tls-cert and --tls-key.")
    )


def unreadable_file(path: str, reason: str) -> UsageError:
    """Return the error for a file that the system doesn't let us read; `reason`: what the system says."""
    return UsageError(
        phrase("{file}: this file can't be read: {reason}", file=path, reason=reason),
        phrase("Let the user who runs the server read it."),
    )


def not_a_certificate(path: str) -> UsageError:
    """Return the error for a file that isn't a certificate."""
    return UsageError(
        phrase("{file}: this isn't a certificate in PEM", file=path),
        phrase("Its first line is -----BEGIN CERTIFICATE-----."),
    )


def certificate_expired(path: str, day: str) -> UsageError:
    """Return the error for a certificate that is too old."""
    return UsageError(
        phrase("{file}: this certificate expired on {day}", file=path, day=day),
        phrase("Make a new one with the same authority: the tablets need nothing new."),
    )


def certificate_not_yet_valid(path: str, day: str) -> UsageError:
    """Return the error for a certificate that begins later."""
    return UsageError(
        phrase("{file}: this certificate isn't valid before {day}", file=path, day=day),
        phrase("Check this machine's clock."),
    )


def certificate_unusable(path: str, reason: str) -> UsageError:
    """Return the error for a certificate that TLS refuses; `reason`: why."""
    return UsageError(
        phrase("{file}: this certificate can't be used: {reason}", file=path, reason=reason),
        phrase("docs/serving.md shows how to make a certificate."),
    )


def key_readable_by_all(path: str) -> UsageError:
    """Return the error for a private key that every user can read."""
    return UsageError(
        phrase("{file}: every user of this machine can read this key", file=path),
        phrase("Run: chmod 600 {file}", file=path),
    )


def key_has_passphrase(path: str) -> UsageError:
    """Return the error for a private key with a passphrase."""
    return UsageError(
        phrase("{file}: this key has a passphrase", file=path),
        phrase("Remove it: openssl pkey -in {file} -out server.key", file=path),
    )


def not_a_private_key(path: str) -> UsageError:
    """Return the error for a file that isn't a private key."""
    return UsageError(
        phrase("{file}: this isn't a private key in PEM", file=path),
        phrase("Its first line is -----BEGIN PRIVATE KEY-----."),
    )


def key_of_other_certificate(key_path: str, path: str) -> UsageError:
    """Return the error for a private key that doesn't belong to the certificate."""
    return UsageError(
        phrase("{key}: this key doesn't fit the certificate {file}", key=key_path, file=path),
        phrase("In the file of the certificate, the server's own certificate comes first."),
    )
