"""Nobody guesses a code or a key, and neither the ledger nor a page gives one away."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing
from html import escape
from http.client import HTTPConnection
from pathlib import Path
from unittest.mock import patch

import pytest

from ledger.house.users import create_code, create_secret
from ledger.store import open as open_ledger
from ledger.store.requests import sign_ins
from tests.web.serving import KEYS, Served, listening
from tests.web.test_users import Tablet, code_of, enrolled
from web.server.access.code_tries import LOCK_SECONDS, WRONG_CODES, WRONG_CODES_IN_ALL, CodeTries
from web.server.application import build_application


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with open_ledger(tmp_path / "x.ledger") as ledger, socket.create_server(("127.0.0.1", 0)) as sock:
        port = sock.getsockname()[1]
        with listening(build_application(ledger, "x.ledger", KEYS, [f"127.0.0.1:{port}"], is_writable=True), sock):
            yield Served(ledger, port)


def test_after_some_wrong_codes_a_right_one_is_refused_too(served: Served) -> None:
    secret, code = enrolled(served.ledger, "Maria"), code_of(served.ledger, "Maria")
    tablet = Tablet(served)
    wrong = [f"{(int(code) + step) % 10**8:08}" for step in range(1, WRONG_CODES)]
    assert {tablet.sign_in(guess) for guess in [*wrong, "x"]} == {403}  # what is no code counts as well
    assert tablet.sign_in(code) == 429
    assert "Too many wrong codes" in tablet.ask("/sign-in")[1]
    assert tablet.open_link(secret) == 303  # who has the link is not locked out


def test_right_codes_never_lock(served: Served) -> None:
    enrolled(served.ledger, "Maria")
    for _ in range(2 * WRONG_CODES):
        assert Tablet(served).sign_in(code_of(served.ledger, "Maria")) == 303


def test_addresses_are_locked_by_themselves_and_all_together_for_a_while() -> None:
    moment = [0.0]
    tries = CodeTries(lambda: moment[0])
    assert [tries.spend("a") for _ in range(WRONG_CODES + 1)] == [True] * WRONG_CODES + [False]
    assert not tries.is_locked("b")
    others = [f"10.0.0.{number}" for number in range(WRONG_CODES_IN_ALL)]
    assert sum(tries.spend(other) for other in others) == WRONG_CODES_IN_ALL - WRONG_CODES
    assert tries.is_locked("somebody new")
    moment[0] = LOCK_SECONDS + 1
    assert not tries.is_locked("a")
    assert tries.spend("a")


def test_an_expired_code_is_nothing(served: Served) -> None:
    enrolled(served.ledger, "Maria")
    code = code_of(served.ledger, "Maria")
    ahead = served.ledger.now() + sign_ins.CODE_MILLIS
    served.ledger._clock = lambda: ahead  # type: ignore[method-assign]  # ten minutes later
    assert Tablet(served).sign_in(code) == 403


def test_no_secret_is_in_the_ledger(served: Served, tmp_path: Path) -> None:
    secrets = [enrolled(served.ledger, "Maria"), code_of(served.ledger, "Maria")]
    tablet = Tablet(served)
    assert tablet.sign_in(secrets[1]) == 303
    link_tablet = Tablet(served)
    assert link_tablet.open_link(secrets[0]) == 303
    secrets += [tablet.cookies["handledger"], link_tablet.cookies["handledger"]]
    stored = b"".join(file.read_bytes() for file in tmp_path.iterdir() if file.is_file())
    events = repr([entry.event for entry in served.ledger.entries(sign_ins.HOUSE)])
    for secret in secrets:
        assert secret.encode() not in stored
        assert secret not in events
    assert len(set(secrets)) == len(secrets)


def test_secrets_are_long_and_codes_are_digits() -> None:
    assert len({create_secret() for _ in range(100)}) == 100
    assert min(len(create_secret()) for _ in range(100)) == 43  # 256 bits
    assert all(len(code) == 8 and code.isdigit() for code in (create_code() for _ in range(100)))


@pytest.mark.parametrize("headers", [{"Origin": "https://evil.test"}, {"Sec_Fetch_Site": "cross-site"}, {}])
def test_another_page_signs_nobody_in_or_out(served: Served, headers: dict[str, str]) -> None:
    secret = enrolled(served.ledger, "Maria")
    tablet = Tablet(served)
    tablet.ask(f"/?key={secret}")
    before = served.ledger.head()[0]
    for path in ("/sign-in", "/sign-out", "/me", "/approve", "/dealer"):
        status, _, _ = tablet.ask(
            path, "POST", b"link=yes", Content_Type="application/x-www-form-urlencoded", **headers
        )
        assert status in (401, 403)
    assert served.ledger.head()[0] == before


@pytest.mark.parametrize("path", ["/sign-out", "/me", "/approve", "/dealer", "/keep"])
def test_a_form_needs_the_token_of_its_own_session(served: Served, path: str) -> None:
    for name in ("Maria", "Jo"):
        enrolled(served.ledger, name)
    maria, jo = Tablet(served), Tablet(served)
    assert maria.sign_in(code_of(served.ledger, "Maria")) == 303
    assert jo.sign_in(code_of(served.ledger, "Jo")) == 303
    before = served.ledger.head()[0]
    for token in ("", jo.token()):
        assert maria.send(path, with_token=False, token=token)[0] == 403
    assert served.ledger.head()[0] == before


@pytest.mark.parametrize("key", ["", "x", "null", "é" * 50, "a" * 5000, "%00", "../../x"])
def test_a_strange_key_is_nobodys(served: Served, key: str) -> None:
    enrolled(served.ledger, "Maria")
    for path in (f"/?key={key}", f"/?device={key}"):
        status, text, _ = Tablet(served).ask(
            path.encode().decode("latin-1").replace(" ", "") if key.isascii() else "/?key=%C3%A9"
        )
        assert status == 401
        assert "Traceback" not in text


@pytest.mark.parametrize("name", ["<img src=x onerror=alert(1)>", '"><script>x</script>', "{{7*7}}", "O'Brien & Söhne"])
def test_a_hostile_name_is_only_a_name(served: Served, name: str) -> None:
    secret = enrolled(served.ledger, name, "floor")
    enrolled(served.ledger, f"{name}2")
    tablet = Tablet(served)
    tablet.ask(f"/?key={secret}")
    pages = [tablet.ask("/sign-in")[1]]
    assert tablet.open_link(secret) == 303
    pages += [tablet.ask("/tables")[1], tablet.ask("/me")[1], tablet.send("/me")[1]]
    for page in pages:
        assert escape(name, quote=False).replace("'", "&#39;").replace('"', "&#34;") in page
        assert "<img src=x" not in page
        assert "<script>x" not in page
        assert ">49<" not in page


def test_a_sign_in_page_names_nobody(served: Served) -> None:
    enrolled(served.ledger, "Maria")
    assert "Maria" not in Tablet(served).ask("/sign-in")[1]


def test_an_open_page_hears_nothing_more_once_its_person_is_revoked(served: Served) -> None:
    secret = enrolled(served.ledger, "Maria")
    tablet = Tablet(served)
    assert tablet.open_link(secret) == 303
    link = HTTPConnection("127.0.0.1", served.port, timeout=30)
    cookie = f"handledger={tablet.cookies['handledger']}"
    link.request("GET", "/live", headers={"Host": f"127.0.0.1:{served.port}", "Cookie": cookie})
    with closing(link), link.getresponse() as stream:
        assert stream.readline().startswith(b"id: ")
        sign_ins.revoke_user(served.ledger, sign_ins.find_user(served.ledger, "Maria").user)
        assert b"id: " not in stream.read()  # it ends


def test_who_signs_in_ends_the_session_before_on_that_browser(served: Served) -> None:
    for name in ("Maria", "Jo"):
        enrolled(served.ledger, name)
    tablet = Tablet(served)
    assert tablet.sign_in(code_of(served.ledger, "Maria")) == 303
    session = tablet.cookies["handledger"]
    assert tablet.sign_in(code_of(served.ledger, "Jo")) == 303
    assert tablet.cookies["handledger"] != session
    thief = Tablet(served)
    thief.cookies["handledger"] = session
    assert thief.ask("/tables")[0] == 401


def test_long_cookies_cost_a_stranger_no_time(served: Served) -> None:
    """The standard library's parser needs time that grows with the square of the backslashes."""
    with patch("http.cookies._unquote", side_effect=AssertionError("it reads cookies")):
        for cookie in ("handledger-link", "handledger-device", "handledger"):
            tablet = Tablet(served)
            tablet.cookies[cookie] = '"' + "\\" * 8_000 + '"'
            assert tablet.ask("/sign-in")[0] == 200
            assert tablet.sign_in("12345678") == 403
