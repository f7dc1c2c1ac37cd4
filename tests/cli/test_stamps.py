"""Time stamps from the command line: asked for, taken in, given out with evidence, and checked by strangers."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
import zipfile
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import jsonschema
import pytest

from ledger.evidence import offline as untyped
from ledger.evidence.bundle import pack_members
from ledger.intake import import_paths
from ledger.store import open as open_ledger
from ledger.store.seals import sealer, time_stamps
from tests.authority import Authority
from tests.cli.conftest import Run, sealed
from tests.conftest import ROOT
from tests.intake.hands import hands
from tests.ledger.store.plain import plain_sqlite

offline: Any = untyped


class Room(NamedTuple):
    """A sealed ledger: its options, its public key, its newest checkpoint as a file."""

    run: Run
    url: str
    key: str
    folder: Path

    def seal(self, *more: str) -> Any:
        return self.run("seal", *more, "--key", str(self.folder / "k"), "--ledger", self.url)

    def stamp_request(self) -> bytes:
        path = self.folder / "request.tsq"
        assert self.run("seal", "--for-timestamp", "-o", str(path), "--ledger", self.url).code == 0
        return path.read_bytes()

    def take(self, answer: bytes, roots: Path, *more: str) -> Any:
        path = self.folder / "answer.tsr"
        path.write_bytes(answer)
        return self.run("seal", "--timestamped", str(path), "--tsa", str(roots), "--ledger", self.url, *more)

    def evidence(self, *more: str) -> Path:
        path = self.folder / "hand.hlev"
        assert self.run("evidence", "2", "-o", str(path), "--ledger", self.url, *more).code == 0
        return path

    def add(self, *numbers: int) -> None:
        text = self.folder / f"more{numbers[0]}.phhs"
        text.write_text(hands(*numbers))
        with open_ledger(self.url) as opened:
            import_paths(opened, [text])


@pytest.fixture
def room(run: Run, book: str, tmp_path: Path) -> Room:
    url = str(tmp_path / "own.ledger")
    shutil.copy(book, url)
    return Room(run, url, sealed(run, url, tmp_path / "k"), tmp_path)


@pytest.fixture
def stamped(room: Room, authority: Authority) -> Room:
    result = room.take(authority.answer(room.stamp_request()), authority.roots)
    assert result.code == 0
    assert "existed before 2" in result.out
    assert "says CN=Time Office" in result.out
    return room


def single(room: Room, path: Path) -> subprocess.CompletedProcess[str]:
    """What the verifier says that is given out with evidence, in a Python of its own."""
    return subprocess.run(
        [sys.executable, "-I", offline.__file__, str(path), "--key", room.key],
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_checkpoint_is_stamped_kept_and_checked_with_the_whole_ledger(stamped: Room, authority: Authority) -> None:
    answer = (stamped.folder / "answer.tsr").read_bytes()
    assert stamped.take(answer, authority.roots).out.startswith("kept already")
    document = stamped.take(answer, authority.roots, "--format", "json").document
    jsonschema.validate(document, json.loads((ROOT / "schemas/stamp.json").read_text()))
    assert (document["new"], document["authority"], document["within_ms"]) == (False, "CN=Time Office", 1500)
    sound = stamped.run("verify", "--ledger", stamped.url, "--tsa", str(authority.roots))
    assert sound.code == 0
    assert "✓ the checkpoint of" in sound.out
    assert "says CN=Time Office" in sound.out
    result = stamped.run("verify", "--ledger", stamped.url)
    assert result.code == 0
    assert "! not proved: who made the time stamps (no --tsa): 1" in result.out
    verdict = stamped.run("verify", "--ledger", stamped.url, "--tsa", str(authority.roots), "--format", "json").document
    assert [stamp["authority"] for stamp in verdict["stamps"]] == ["CN=Time Office"]


def test_the_checkpoints_own_file_is_what_was_stamped(room: Room, authority: Authority) -> None:
    """Whoever has the file and openssl needs nothing of ours."""
    point = authority.folder / "tonight.checkpoint"
    assert room.seal("-o", str(point)).code == 0
    assert authority.holds(authority.answer(room.stamp_request()), "-data", str(point))
    elsewhere = authority.over(point.read_bytes(), "-sha512", "-cert")
    assert room.take(elsewhere, authority.roots).code == 0, "and may ask for the stamp without us"


def test_evidence_carries_the_stamp_and_both_verifiers_take_it(stamped: Room, authority: Authority) -> None:
    path = stamped.evidence()
    proven = stamped.run("verify", str(path), "--key", stamped.key, "--tsa", str(authority.roots))
    assert proven.code == 0
    line = next(output_line for output_line in proven.out.splitlines() if "existed before" in output_line)
    assert line.startswith("proven:")
    assert line.endswith("says CN=Time Office")
    claimed = stamped.run("verify", str(path), "--key", stamped.key)
    assert claimed.code == 0
    line = next(output_line for output_line in claimed.out.splitlines() if "existed before" in output_line)
    assert line.startswith("claimed:")
    assert line.endswith("not checked: give --tsa")
    process = single(stamped, path)
    assert (process.returncode, process.stderr) == (0, "")
    assert "Not checked: who says so" in process.stdout
    digest = process.stdout.split("-digest ")[1].split()[0]
    with zipfile.ZipFile(path) as file:
        assert authority.holds(file.read("stamps/0001.tsr"), "-digest", digest), "as it says"


def test_evidence_is_proved_by_the_first_stamped_checkpoint_that_covers_it(stamped: Room, authority: Authority) -> None:
    with open_ledger(stamped.url) as opened:
        first = max(size for size, _ in time_stamps.list_all_stamps(opened))
    stamped.add(31, 32)
    stamped.seal()
    assert stamped.take(authority.answer(stamped.stamp_request()), authority.roots).code == 0
    stamped.add(33)
    stamped.seal()

    def size(*what: str) -> tuple[int, int]:
        document = stamped.run(
            "evidence", *what, "-o", str(stamped.folder / "x.hlev"), "--ledger", stamped.url, "--format", "json"
        ).document
        return document["size"], document["stamps"]

    assert size("2") == (first, 1), "the earliest time that an authority names"
    later, stamps = size("31")
    assert later > first
    assert stamps == 1
    newest, none = size("33")
    assert newest > later
    assert none == 0
    assert size("2", "--checkpoint", str(newest)) == (newest, 0)


def test_two_authorities_may_stamp_one_checkpoint(stamped: Room, authority: Authority, tmp_path: Path) -> None:
    other_authority = Authority(tmp_path / "other", "Other Office")
    assert stamped.take(other_authority.answer(stamped.stamp_request()), other_authority.roots).code == 0
    path = stamped.evidence()
    authority_options = ["--tsa", str(authority.roots), "--tsa", str(other_authority.roots)]
    result = stamped.run("verify", str(path), "--key", stamped.key, *authority_options)
    assert [name in result.out for name in ("CN=Time Office", "CN=Other Office")] == [True, True]
    single_result = stamped.run("verify", str(path), "--key", stamped.key, *authority_options[:2])
    assert single_result.code == 0, "whoever trusts one of them has what it says"
    assert "CN=Other Office" not in single_result.out
    assert stamped.run("verify", "--ledger", stamped.url, *authority_options).code == 0
    assert stamped.run("verify", "--ledger", stamped.url, *authority_options[:2]).code == 4, "the keeper names all"


def test_what_no_trusted_authority_said_is_not_kept(room: Room, authority: Authority, tmp_path: Path) -> None:
    answer = authority.answer(room.stamp_request())
    stranger = Authority(tmp_path / "stranger", "Stranger")
    wrong_root = room.take(answer, stranger.roots)
    assert wrong_root.code == 4
    assert "no trusted authority" in wrong_root.err
    other_result = room.take(authority.over(b"something else"), authority.roots)
    assert other_result.code == 4
    assert "over no checkpoint of this ledger" in other_result.err
    for odd in (b"", b"<html>", b"0" * 70_000, answer[:-1], answer + b"\0"):
        result = room.take(odd, authority.roots)
        assert result.code == 4
        assert "Traceback" not in result.err
    assert room.take(answer, tmp_path / "none.pem").code == 2
    assert room.take(answer, room.folder / "answer.tsr").code == 2, "no certificate in it"
    none = room.run("seal", "--timestamped", str(room.folder / "answer.tsr"), "--ledger", room.url)
    assert none.code == 2
    assert "--tsa" in none.err
    for args in (["--for-timestamp", "--for-witness", "0"], ["--tsa", str(authority.roots)]):
        assert room.run("seal", *args, "--ledger", room.url).code == 2
    with open_ledger(room.url, read_only=True) as opened:
        assert time_stamps.list_all_stamps(opened) == []
    demanded = room.run("verify", "--ledger", room.url, "--tsa", str(authority.roots))
    assert demanded.code == 4
    assert "requires one" in demanded.out


def test_a_ledger_that_was_never_sealed_has_nothing_to_stamp(run: Run, book: str) -> None:
    result = run("seal", "--for-timestamp", "--ledger", book)
    assert result.code == 4
    assert "Sign one: handledger seal" in result.err


def test_without_the_extra_the_command_says_what_to_install(
    room: Room, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = authority.answer(room.stamp_request())
    monkeypatch.setitem(sys.modules, "rfc3161_client", None)
    for result in (room.run("seal", "--for-timestamp", "--ledger", room.url), room.take(answer, authority.roots)):
        assert result.code == 2
        assert "pip install 'handledger[stamps]'" in result.err
        assert "Traceback" not in result.err


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("UPDATE stamps SET answer = zeroblob(length(answer))", "answer of a time stamping"),
        ("UPDATE stamps SET size = size + 1", "there is no such checkpoint"),
        (
            "UPDATE checkpoints SET note = replace(note, 'room.example', 'root.example') WHERE size IN (SELECT size FROM stamps)",
            "over this checkpoint",
        ),
    ],
)
def test_a_stamp_that_does_not_fit_its_checkpoint_is_found(stamped: Room, statement: str, message: str) -> None:
    with plain_sqlite(Path(stamped.url)) as connection:
        connection.execute(statement)
    result = stamped.run("verify", "--ledger", stamped.url)
    assert result.code == 4
    assert message in result.out
    assert "(stamp)" in result.out


def contents(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as file:
        return {name: file.read(name) for name in file.namelist()}


def repack(path: Path, files: dict[str, bytes]) -> None:
    """Pack members again as somebody does who knows the format."""
    index = json.loads(files["bundle.json"])
    index["files"] = {
        n: sha256(d).hexdigest()
        for n, d in files.items()
        if n.split("/")[0] in ("stamps", "view", "source", "rules", "findings.json")
    }
    path.write_bytes(pack_members(files | {"bundle.json": json.dumps(index).encode()}))


def test_a_forged_stamp_in_evidence_is_refused(stamped: Room, authority: Authority) -> None:
    path = stamped.evidence()
    files, name = contents(path), "stamps/0001.tsr"
    tsa = ["--tsa", str(authority.roots)]
    other_stamp = authority.over(b"another checkpoint")
    for forged in (other_stamp, b"", b"0" * 70_000, files[name][:-1], files[name] + b"\0"):
        repack(path, files | {name: forged})
        result = stamped.run("verify", str(path), "--key", stamped.key, *tsa)
        assert result.code == 4
        assert "NOT VERIFIED (stamp)" in result.out
        with pytest.raises(offline.Refused, match=r"time stamp|something else|too long"):
            offline.check(path.read_bytes(), offline.read_key(stamped.key))
    repack(path, files | {name: other_stamp})
    process = single(stamped, path)
    assert (process.returncode, process.stderr) == (4, "")
    assert "NOT VERIFIED (stamp)" in process.stdout
    repack(path, {n: d for n, d in files.items() if n != name})
    assert stamped.run("verify", str(path), "--key", stamped.key).code == 0
    without_stamp = stamped.run("verify", str(path), "--key", stamped.key, *tsa)
    assert without_stamp.code == 4, "left out where it is demanded"
    assert "--tsa requires one" in without_stamp.out


def test_an_altered_stamp_in_evidence_is_refused_where_the_authority_is_asked_for(
    stamped: Room, authority: Authority
) -> None:
    path = stamped.evidence()
    files, name = contents(path), "stamps/0001.tsr"
    chance = random.Random(3)
    for _ in range(6):
        data = bytearray(files[name])
        data[-chance.randrange(1, 60)] ^= 1 << chance.randrange(8)  # within its signature
        repack(path, files | {name: bytes(data)})
        result = stamped.run("verify", str(path), "--key", stamped.key, "--tsa", str(authority.roots))
        assert result.code == 4
        assert "NOT VERIFIED (stamp)" in result.out


def test_a_stamp_goes_on_to_fit_when_a_witness_cosigns_later(
    stamped: Room, authority: Authority, tmp_path: Path
) -> None:
    request, cosigned = tmp_path / "request.txt", tmp_path / "seen.checkpoint"
    stamped.run("seal", "--for-witness", "0", "--ledger", stamped.url, "-o", str(request))
    stamped.run(
        "cosign",
        str(request),
        "--log",
        stamped.key,
        "--name",
        "auditor.example",
        "--new-key",
        "--key",
        str(tmp_path / "a.key"),
        "-o",
        str(cosigned),
    )
    assert stamped.run("seal", "--cosigned", str(cosigned), "--ledger", stamped.url).code == 0
    path = stamped.evidence()
    result = stamped.run("verify", str(path), "--key", stamped.key, "--tsa", str(authority.roots))
    assert result.code == 0
    assert single(stamped, path).returncode == 0


def test_a_ledger_of_before_is_stamped_and_stays_sound(stamped: Room) -> None:
    """The table comes with the first stamp; nothing else of the file's layout changes."""
    with open_ledger(stamped.url, read_only=True) as opened:
        assert opened.verify() == []
        assert len(time_stamps.list_stamps(opened, int(sealer.checkpoint(opened).split("\n")[1]))) == 1
    with plain_sqlite(Path(stamped.url)) as connection:
        connection.execute("DROP TABLE stamps")
    with open_ledger(stamped.url, read_only=True) as opened:
        assert opened.verify() == []
        assert time_stamps.list_all_stamps(opened) == []


def test_an_authoritys_name_is_shown_and_not_obeyed(room: Room, tmp_path: Path) -> None:
    hostile = Authority(tmp_path / "hostile", "Office\x1b[2J\u202e\nproven: all")
    stamp_result = room.take(hostile.answer(room.stamp_request()), hostile.roots)
    path = room.evidence()
    tsa = ["--tsa", str(hostile.roots)]
    for result in (
        stamp_result,
        room.run("verify", "--ledger", room.url, *tsa),
        room.run("verify", str(path), "--key", room.key, *tsa),
    ):
        assert result.code == 0
        assert not {"\x1b", "\u202e"} & set(result.out)
        assert not any(line.startswith("proven: all") for line in result.out.splitlines())
