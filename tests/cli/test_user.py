"""`handledger user` lets people sign in, and shows a secret once."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ledger.house.users import hash_code, hash_secret
from ledger.store import open as open_ledger
from ledger.store.requests.erasure import erase
from ledger.store.requests.sign_ins import find_user, read_access
from tests.cli.conftest import Run


@pytest.fixture
def url(tmp_path: Path) -> str:
    path = tmp_path / "room.ledger"
    open_ledger(path).close()
    return str(path)


def test_a_link_stands_alone_on_its_line_and_a_list_has_none(run: Run, url: str) -> None:
    added = run("user", "add", "Maria", "--role", "dealer", "--server", "https://room.lan:8713/", "--ledger", url)
    assert added.code == 0
    (link,) = [line for line in added.out.splitlines() if line.startswith("https://")]
    assert re.fullmatch(r"https://room\.lan:8713/\?key=[\w-]{43}", link)
    listed = run("user", "--ledger", url)
    assert "Maria" in listed.out
    assert "dealer" in listed.out
    assert link.partition("key=")[2] not in listed.out
    with open_ledger(url) as ledger:
        assert find_user(ledger, "Maria").digest == hash_secret(link.partition("key=")[2])


def test_a_code_is_for_an_enrolled_person(run: Run, url: str) -> None:
    run("user", "add", "Maria", "--role", "dealer", "--ledger", url)
    answer = run("user", "code", "Maria", "--ledger", url, "--format", "json")
    document = json.loads(answer.out)
    with open_ledger(url) as ledger:
        digest = hash_code(document["code"].replace(" ", ""), ledger.id)
        user = read_access(ledger).find_user_of_code(digest, ledger.now())
        assert user is not None
        assert ledger.people.name(user.user) == "Maria"
        assert 0 < document["expires"] - ledger.now() <= 600_000
        assert read_access(ledger).find_user_of_code(digest, document["expires"]) is None
    assert run("user", "code", "Jo", "--ledger", url).code == 2


def test_a_revoked_or_forgotten_person_is_no_user(run: Run, url: str) -> None:
    for name in ("Maria", "Jo", "Flo"):
        run("user", "add", name, "--role", "dealer", "--ledger", url)
    assert "signed out everywhere" in run("user", "revoke", "Maria", "--ledger", url).out
    with open_ledger(url) as ledger:
        erase(ledger, find_user(ledger, "Jo").user, role="manager", basis="request")
    users = json.loads(run("user", "--ledger", url, "--format", "json").out)["users"]
    assert [user["name"] for user in users] == ["Flo"]
    again = run("user", "add", "Jo", "--role", "dealer", "--ledger", url)
    assert again.code == 2
    assert "erased" in again.err


def test_the_same_name_is_the_same_person_with_another_role(run: Run, url: str) -> None:
    for role in ("dealer", "floor"):
        run("user", "add", "Maria", "--role", role, "--ledger", url)
    users = json.loads(run("user", "--ledger", url, "--format", "json").out)["users"]
    assert [(user["name"], user["role"], user["sessions"]) for user in users] == [("Maria", "floor", 0)]


@pytest.mark.parametrize("name", ["", " ", "x" * 61, "a\nb", "a\x1b[31mb", "a\u202eb"])
def test_a_name_can_be_printed(run: Run, url: str, name: str) -> None:
    refused = run("user", "add", name, "--role", "dealer", "--ledger", url)
    assert refused.code == 2
    assert "Traceback" not in refused.err
