"""Files that are none, and a ledger that another program holds: a sentence and an exit code, at once."""

from __future__ import annotations

import os
import shutil
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ledger.seal.note import HeldKey
from ledger.store.database.sqlite import SqliteDatabase
from tests.cli.conftest import Run

COMMANDS = {
    "import": ["import", "FILE", "--format", "json"],
    "import, looking first": ["import", "--dry-run", "FILE", "--format", "json"],
    "import, sealing": ["import", "NIGHT", "--key", "FILE"],
    "verify, evidence": ["verify", "FILE"],
    "verify, a checkpoint": ["verify", "--against", "FILE"],
    "verify, an authority": ["verify", "--tsa", "FILE"],
    "audit": ["audit", "-r", "FILE.toml"],
    "due": ["due", "Alcor", "-r", "FILE.toml"],
    "rules": ["rules", "FILE.toml"],
    "seal": ["seal", "--key", "FILE"],
    "seal, what was signed": ["seal", "--key", "SIGNED"],
    "seal, a passphrase": ["seal", "--key", "KEY", "--passphrase-file", "FILE"],
    "seal, a cosignature": ["seal", "--cosigned", "FILE"],
    "seal, a time stamp": ["seal", "--timestamped", "FILE", "--tsa", "FILE"],
    "seal, an authority": ["seal", "--timestamped", "NIGHT", "--tsa", "FILE"],
    "cosign": ["cosign", "FILE", "--log", "LOG", "--name", "y"],
    "the ledger": ["log", "--ledger", "FILE"],
    "the ledger, for writing": ["import", "NIGHT", "--ledger", "FILE"],
    "who was erased": ["import", "NIGHT", "--ledger", "ERASED"],
}


@pytest.fixture
def own_ledger(book: str, tmp_path: Path) -> str:
    """The path of a ledger of this test's own."""
    path = tmp_path / "own.ledger"
    source = sqlite3.connect(book.removeprefix("sqlite:///"))
    with closing(source) as source_link, closing(sqlite3.connect(path)) as copy_link:
        source_link.backup(copy_link)
    return str(path)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["pipe", "socket", "device"])
@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.timeout(60)
def test_what_is_no_file_is_refused_before_it_is_opened(
    run: Run, own_ledger: str, night: Path, tmp_path: Path, command: str, kind: str
) -> None:
    """A pipe that nobody writes to, and a device without end, held a command for ever."""
    strange = {name: tmp_path / name for name in ("x", "x.toml", "signed.signed", "y.erased")}
    shutil.copy(own_ledger, tmp_path / "y")
    for key in ("key", "signed"):
        result = run("seal", "--new-key", "--key", str(tmp_path / key), "--ledger", str(tmp_path / "y"))
        assert result.code == 0, result
    (tmp_path / "signed.signed").unlink()
    for path in strange.values():
        make(path, kind)
    places = {
        "FILE": strange["x"],
        "FILE.toml": strange["x.toml"],
        "NIGHT": night,
        "KEY": tmp_path / "key",
        "SIGNED": tmp_path / "signed",
        "ERASED": tmp_path / "y",
        "LOG": HeldKey("x", Ed25519PrivateKey.generate()).key,
    }
    args = [str(places.get(word, word)) for word in COMMANDS[command]]
    if "--ledger" not in args and args[0] not in ("rules", "cosign") and command != "verify, evidence":
        args += ["--ledger", own_ledger]
    outcome = run(*args)
    assert outcome.code in (2, 3, 4), outcome
    assert "fault of handledger" not in outcome.err + outcome.out
    assert any(words in outcome.err + outcome.out for words in ("no file", "no regular file", "isn't a file")), outcome


def make(path: Path, kind: str) -> None:
    """Make a file that is none."""
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    else:
        with socket.socket(socket.AF_UNIX) as end:
            folder_before = Path.cwd()
            os.chdir(path.parent)  # the name of a socket may not be long
            try:
                end.bind(path.name)
            finally:
                os.chdir(folder_before)


def test_what_is_open_already_is_read(run: Run, night: Path, tmp_path: Path) -> None:
    """A shell's `<(command)` names a pipe that somebody writes to."""
    out, into = os.pipe()
    os.write(into, night.read_bytes())
    os.close(into)
    try:
        result = run("import", f"/dev/fd/{out}", "--ledger", str(tmp_path / "x.ledger"))
    finally:
        os.close(out)
    assert "4" in result.out
    assert result.code == 3  # one hand of that night is damaged


@pytest.fixture
def locked(own_ledger: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A ledger that another program is writing to; nobody waits long for it."""
    connect = SqliteDatabase.connect

    def impatient(self: SqliteDatabase) -> sqlite3.Connection:
        connection = connect(self)
        connection.execute("PRAGMA busy_timeout = 50")
        return connection

    monkeypatch.setattr(SqliteDatabase, "connect", impatient)
    other_connection = sqlite3.connect(own_ledger, isolation_level=None)
    yield own_ledger
    other_connection.close()


WRITING = {
    "seal": ["seal", "--key", "KEY"],
    "seal with a new key": ["seal", "--new-key", "--key", "NEW"],
    "import": ["import", "OTHER"],
    "forget": ["people", "forget", "Anna", "--basis", "request", "--by", "manager"],
    "hold": ["people", "hold", "Anna", "--reason", "case"],
    "case": ["case", "open", "1", "--claim", "no", "--by", "player"],
    "correct": ["correct", "1@5", "2 folds", "--by", "floor", "--why", "so"],
    "evidence": ["evidence", "1", "-o", "OUT"],
}


@pytest.mark.slow
@pytest.mark.parametrize("command", WRITING)
def test_a_ledger_that_another_program_writes_to_is_no_fault_of_ours(
    run: Run, locked: str, night: Path, tmp_path: Path, command: str
) -> None:
    assert run("seal", "--new-key", "--key", str(tmp_path / "key"), "--ledger", locked).code == 0
    other_file = tmp_path / "other.phhs"
    other_file.write_bytes(night.read_bytes().replace(b"hand = ", b"hand = 9"))
    places = {"KEY": "key", "NEW": "new", "OTHER": "other.phhs", "OUT": "out.hlev"}
    args = [str(tmp_path / places[word]) if word in places else word for word in WRITING[command]]
    holding = sqlite3.connect(locked, isolation_level=None)
    holding.execute("BEGIN IMMEDIATE")
    try:
        result = run(*args, "--ledger", locked)
    finally:
        holding.close()
    assert result.code == 2, result
    assert "fault of handledger" not in result.err
    assert "sqlalche" not in result.err
    if command in ("seal", "seal with a new key", "import"):
        assert "another program is writing to this ledger" in result.err
    second_result = run(*args, "--ledger", locked)
    assert "another program" not in second_result.err
