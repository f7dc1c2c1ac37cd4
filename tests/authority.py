"""A time stamping authority of the tests' own: its certificates, and `openssl ts`, which stamps."""

from __future__ import annotations

import shutil
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives import serialization as s
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

SETTINGS = """
[tsa]
default_tsa = one
[one]
serial = {folder}/serial
signer_digest = sha256
default_policy = 1.2.3.4
digests = sha256, sha384, sha512, sha1
accuracy = secs:1, millisecs:500
clock_precision_digits = 3
ess_cert_id_alg = sha256
"""
BEGAN = datetime(2020, 1, 1, tzinfo=UTC)
ENDS = datetime(2090, 1, 1, tzinfo=UTC)
STAMPS, SERVES = ExtendedKeyUsageOID.TIME_STAMPING, ExtendedKeyUsageOID.SERVER_AUTH


class NoOpensslError(Exception):
    """There is no openssl on this machine that can stamp."""


class Pair(NamedTuple):
    """A certificate and its key."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    def pem(self) -> bytes:
        return self.certificate.public_bytes(s.Encoding.PEM)


def pair(
    name: str,
    pair: Pair | None,
    *,
    usage: x509.ObjectIdentifier | None = None,
    critical: bool = True,
    valid_until: datetime = ENDS,
    key: ec.EllipticCurvePrivateKey | None = None,
    serial: int = 0,
) -> Pair:
    """A certificate that `by` signed, itself if None; with a `usage` it is no authority over others."""
    key = key or ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(pair.certificate.subject if pair else subject)
        .public_key(key.public_key())
        .serial_number(serial or x509.random_serial_number())
        .not_valid_before(BEGAN)
        .not_valid_after(valid_until)
        .add_extension(x509.BasicConstraints(ca=usage is None, path_length=None), critical=True)
    )
    if usage is not None:
        builder = builder.add_extension(x509.ExtendedKeyUsage([usage]), critical=critical)
    return Pair(builder.sign(pair.key if pair else key, hashes.SHA256()), key)


class Authority:
    """A root, what it signed between, and who stamps; `roots` is the file that is trusted."""

    def __init__(self, folder: Path, name: str = "Time Office", valid_until: datetime = ENDS) -> None:
        if shutil.which("openssl") is None:
            raise NoOpensslError("there is no openssl here")
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.root = pair(f"{name} Root", None)
        self.between = pair(f"{name} Between", self.root)
        self.stamper = pair(name, self.between, usage=STAMPS, valid_until=valid_until)
        self.roots = folder / "root.pem"
        self.roots.write_bytes(self.root.pem())
        (folder / "settings").write_text(SETTINGS.format(folder=folder))

    def answer(self, request: bytes, stamper: Pair | None = None, *chain: Pair) -> bytes:
        """What the authority answers to a request."""
        stamper = stamper or self.stamper
        chain = chain or (self.between,)
        files = {
            "signer": stamper.pem(),
            "chain": b"".join(certificate.pem() for certificate in chain),
            "request": request,
            "key": stamper.key.private_bytes(s.Encoding.PEM, s.PrivateFormat.PKCS8, s.NoEncryption()),
        }
        for name, data in files.items():
            (self.folder / name).write_bytes(data)
        self._openssl(
            "ts",
            "-reply",
            "-config",
            "settings",
            "-queryfile",
            "request",
            "-signer",
            "signer",
            "-inkey",
            "key",
            "-chain",
            "chain",
            "-out",
            "answer",
        )
        return (self.folder / "answer").read_bytes()

    def over(self, data: bytes, *options: str) -> bytes:
        """What the authority answers to somebody else's program that asks for a stamp over `data`."""
        (self.folder / "data").write_bytes(data)
        self._openssl("ts", "-query", "-data", "data", *(options or ("-sha256", "-cert")), "-out", "query")
        return self.answer((self.folder / "query").read_bytes())

    def holds(self, answer: bytes, *what: str) -> bool:
        """Whether openssl itself finds the stamp good, `what` being -data FILE or -digest HEX."""
        (self.folder / "told").write_bytes(answer)
        command = ["ts", "-verify", *what, "-in", "told", "-CAfile", "root.pem"]
        return self._run(command).returncode == 0

    def _openssl(self, *command: str) -> None:
        process = self._run(list(command))
        if process.returncode:
            raise NoOpensslError(f"openssl here cannot stamp: {process.stderr[-300:]}")

    def _run(self, command: list[str]) -> subprocess.CompletedProcess[str]:
        return subprocess.run(["openssl", *command], cwd=self.folder, capture_output=True, text=True, check=False)


def short_lived(folder: Path, seconds: int) -> Authority:
    """An authority whose own certificate ends so many seconds from now."""
    return Authority(folder, valid_until=datetime.now(UTC) + timedelta(seconds=seconds))
