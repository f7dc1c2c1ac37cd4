"""The server speaks TLS with a certificate of the room's own authority, made as the documentation says."""

from __future__ import annotations

import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from http.client import HTTPSConnection
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from playwright.sync_api import sync_playwright

from cli.serve import _list_host_names
from handledger import Client
from ledger.errors import UsageError
from ledger.store import open as open_ledger
from tests.children import child
from tests.web.browser import CHROMIUM, OTHER_MACHINE, needs_chromium
from tests.web.serving import FLOOR, KEYS, Served, listening
from web.server.access.certificates import describe_uncovered, load_certificate
from web.server.access.connections import Connections
from web.server.application import build_application

needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="there is no openssl on this machine")
pytestmark = needs_openssl

SERVING = Path(__file__).parents[2] / "docs" / "serving.md"


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an authority and a server's certificate, made by the commands of the documentation."""
    folder = tmp_path_factory.mktemp("room")
    commands = re.findall(r"```sh\n(.*?)```", SERVING.read_text(encoding="utf-8"), re.DOTALL)[0]
    assert "HOST=ledger.room.lan" in commands
    commands = commands.replace("HOST=ledger.room.lan", f"HOST={OTHER_MACHINE}")
    subprocess.run(["sh", "-euc", commands], cwd=folder, check=True, capture_output=True, timeout=60)
    return folder


@pytest.fixture(scope="module")
def served(room: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server under a name that isn't localhost."""
    certificate = load_certificate(room / "server.pem", room / "server.key")
    with (
        open_ledger(tmp_path_factory.mktemp("tls") / "x.ledger") as ledger,
        socket.create_server(("127.0.0.1", 0)) as sock,
    ):
        port = sock.getsockname()[1]
        app = build_application(ledger, "x.ledger", KEYS, [f"{OTHER_MACHINE}:{port}"], is_writable=True, is_secure=True)
        with listening(app, sock, Connections(header_seconds=0.5, keyless=8), tls=certificate.context):
            yield Served(ledger, port)


class Connection(HTTPSConnection):
    """A connection to this machine under the server's name."""

    def connect(self) -> None:
        """Connect to loopback; the certificate has to be for the name."""
        link = socket.create_connection(("127.0.0.1", self.port), timeout=20)
        self.sock = self._context.wrap_socket(link, server_hostname=OTHER_MACHINE)  # type: ignore[attr-defined]  # of the class above


def trusting(room: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=room / "authority.pem")


def ask(served: Served, room: Path, method: str, path: str, **headers: str) -> tuple[int, dict[str, str], str]:
    with closing(Connection(OTHER_MACHINE, served.port, context=trusting(room))) as link:
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        link.request(method, path, headers={"Host": f"{OTHER_MACHINE}:{served.port}", **sent})
        answer = link.getresponse()
        cookie_headers = {name.lower(): value for name, value in answer.getheaders()}
        return answer.status, cookie_headers, answer.read().decode()


def test_pages_are_answered_over_tls_and_cookies_stay_there(served: Served, room: Path) -> None:
    status, headers, _ = ask(served, room, "GET", f"/?key={FLOOR}")
    assert status == 303
    assert {"Secure", "HttpOnly", "SameSite=strict"} <= set(headers["set-cookie"].split("; "))
    status, headers, body = ask(served, room, "GET", "/tables?language=es", Cookie=f"handledger={FLOOR}")
    assert status == 200
    assert headers["set-cookie"].endswith("; Secure")
    assert "strict-transport-security" not in headers  # docs/decisions/web.md
    assert "x.ledger" in body


@pytest.mark.parametrize(("scheme", "status"), [("https", 303), ("http", 403)])
def test_the_origin_of_the_pages_is_https(served: Served, room: Path, scheme: str, status: int) -> None:
    origin = f"{scheme}://{OTHER_MACHINE}:{served.port}"
    assert ask(served, room, "GET", "/", Cookie=f"handledger={FLOOR}", Origin=origin)[0] == status


def test_nothing_older_than_tls_1_2_is_spoken(served: Served, room: Path) -> None:
    context = trusting(room)
    with pytest.warns(DeprecationWarning, match="TLSv1_1"):
        context.maximum_version = ssl.TLSVersion.TLSv1_1
    with closing(Connection(OTHER_MACHINE, served.port, context=context)) as link, pytest.raises(ssl.SSLError):
        link.connect()
    for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        context = trusting(room)
        context.minimum_version = context.maximum_version = version
        with closing(Connection(OTHER_MACHINE, served.port, context=context)) as link:
            link.connect()


def test_without_the_rooms_authority_nobody_trusts_it(served: Served) -> None:
    with (
        closing(Connection(OTHER_MACHINE, served.port, context=ssl.create_default_context())) as link,
        pytest.raises(ssl.SSLCertVerificationError),
    ):
        link.connect()


@pytest.mark.parametrize("opening", [b"", b"\x16\x03\x01", b"GET / HTTP/1.1\r\n\r\n"])
def test_who_does_not_finish_the_handshake_is_dropped(served: Served, opening: bytes) -> None:
    with socket.create_connection(("127.0.0.1", served.port), timeout=20) as link:
        link.sendall(opening)
        try:
            while link.recv(4096):
                pass
        except ConnectionError:
            pass


def test_many_who_never_say_hello_keep_nobody_out(served: Served, room: Path) -> None:
    idle = [socket.create_connection(("127.0.0.1", served.port), timeout=20) for _ in range(40)]
    try:
        assert ask(served, room, "GET", "/tables", Cookie=f"handledger={FLOOR}")[0] == 200
        ended = 0
        for link in idle[:30]:  # more than one address may hold: the oldest made room
            try:
                ended += link.recv(1) == b""
            except ConnectionError:
                ended += 1
        assert ended == 30
    finally:
        for link in idle:
            link.close()


@pytest.mark.slow
@needs_chromium
def test_a_browser_at_the_rooms_name_may_register_a_worker(served: Served, room: Path) -> None:
    authority = x509.load_pem_x509_certificate((room / "authority.pem").read_bytes())
    public_key = authority.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    trusted = b64encode(sha256(public_key).digest()).decode()
    arguments = [
        "--no-sandbox",
        f"--host-resolver-rules=MAP {OTHER_MACHINE} 127.0.0.1",
        f"--ignore-certificate-errors-spki-list={trusted}",
    ]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        page = browser.new_page()
        page.goto(f"https://{OTHER_MACHINE}:{served.port}/?key={FLOOR}")
        assert page.url == f"https://{OTHER_MACHINE}:{served.port}/start"
        assert page.evaluate("isSecureContext")
        registered = """async () => {
          const worker = await navigator.serviceWorker.register("/static/keep_worker.js", {scope: "/keep"});
          return worker.scope;
        }"""
        assert page.evaluate(registered) == f"https://{OTHER_MACHINE}:{served.port}/keep"
        browser.close()
        stranger = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments[:2])
        with pytest.raises(Exception, match="ERR_CERT_AUTHORITY_INVALID"):
            stranger.new_page().goto(f"https://{OTHER_MACHINE}:{served.port}/")
        stranger.close()


def test_a_program_trusts_the_rooms_authority(served: Served, room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client(
        f"https://{OTHER_MACHINE}:{served.port}", "x", venue="V", table="T", authority=str(room / "authority.pem")
    )
    loopback = socket.getaddrinfo("127.0.0.1", served.port, type=socket.SOCK_STREAM)
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: loopback)
    with pytest.raises(Exception, match="the key of a device is missing"):
        client.stands()


# what can't be served


def test_a_file_that_is_not_there_is_named(room: Path) -> None:
    with pytest.raises(UsageError, match=r"nowhere\.pem: there is no such file"):
        load_certificate(room / "nowhere.pem", room / "server.key")


@pytest.mark.parametrize(
    ("certificate", "key", "reason"),
    [
        ("server.key", "server.key", r"server\.key: this isn't a certificate"),
        ("server.pem", "server.csr", r"server\.csr: this isn't a private key"),
        ("server.pem", "authority.key", r"authority\.key: this key doesn't fit the certificate .*server\.pem"),
    ],
)
def test_what_does_not_fit_is_named(room: Path, certificate: str, key: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason) as error:
        load_certificate(room / certificate, room / key)
    assert error.value.hint


def test_a_certificate_has_to_be_valid_now(room: Path) -> None:
    files = room / "server.pem", room / "server.key"
    with pytest.raises(UsageError, match=r"server\.pem: this certificate expired on 20\d\d-") as error:
        load_certificate(*files, now=datetime.now(UTC) + timedelta(days=366))
    assert "same authority" in error.value.hint
    with pytest.raises(UsageError, match=r"isn't valid before 20\d\d-"):
        load_certificate(*files, now=datetime.now(UTC) - timedelta(days=2))


def test_a_key_that_is_locked_or_open_to_all_is_refused(room: Path, tmp_path: Path) -> None:
    locked = tmp_path / "locked.key"
    command = ["openssl", "pkey", "-in", str(room / "server.key"), "-aes256", "-passout", "pass:x", "-out", str(locked)]
    subprocess.run(command, check=True, capture_output=True)
    locked.chmod(0o600)
    with pytest.raises(UsageError, match="has a passphrase"):
        load_certificate(room / "server.pem", locked)
    bare = tmp_path / "bare.key"
    bare.write_bytes((room / "server.key").read_bytes())
    bare.chmod(0o644)
    with pytest.raises(UsageError, match="every user of this machine can read") as error:
        load_certificate(room / "server.pem", bare)
    assert error.value.hint == f"Run: chmod 600 {bare}"


def test_a_host_that_the_certificate_is_not_for_is_named(room: Path) -> None:
    certificate = load_certificate(room / "server.pem", room / "server.key")
    assert describe_uncovered(certificate, [OTHER_MACHINE]) == ""
    assert describe_uncovered(certificate, [OTHER_MACHINE, "192.0.2.7"]).startswith(
        "The certificate isn't for 192.0.2.7:"
    )


def test_the_usual_port_is_left_out_of_the_name() -> None:
    assert _list_host_names(["a.test"], 443, is_secure=True) == ["a.test:443", "a.test"]
    assert _list_host_names(["a.test"], 443, is_secure=False) == ["a.test:443"]
    assert _list_host_names(["a.test"], 80, is_secure=False) == ["a.test:80", "a.test"]


@pytest.mark.slow
def test_the_command_prints_https_and_refuses_half_of_it(room: Path, tmp_path: Path) -> None:
    with open_ledger(tmp_path / "x.ledger"):
        pass
    serve = [sys.executable, "-m", "cli.main", "serve", "--port", "0", "--ledger", str(tmp_path / "x.ledger")]
    files = ["--tls-cert", str(room / "server.pem"), "--tls-key", str(room / "server.key")]
    with child(
        [*serve, *files, "--name", OTHER_MACHINE], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as program:
        program.stdout.readline()
        assert program.stdout.readline().strip().startswith(f"https://{OTHER_MACHINE}:")
        program.send_signal(signal.SIGINT)
        program.communicate(timeout=30)
    half = subprocess.run([*serve, *files[:2]], capture_output=True, text=True, timeout=60, check=False)
    assert half.returncode == 2
    assert "Name both" in half.stderr
    assert "Traceback" not in half.stderr
