"""Forged evidence at the command line: what each verifier says of it, in words that are true to a stranger."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from cli.proofs import refound_findings
from ledger import __version__
from ledger.evidence import offline as untyped
from ledger.evidence.bundle import pack_members
from ledger.store import open as open_ledger
from projections.books import rulebook
from tests.cli.conftest import Run, sealed
from tests.conftest import ROOT
from tests.ledger.store.plain import plain_sqlite
from tests.torture import genuine
from tests.torture.genuine import Genuine, consistent, contents

offline: Any = untyped
Files = dict[str, bytes]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Genuine:
    return genuine.make_room(tmp_path_factory.mktemp("room"))


def verify_both(run: Run, path: Path, files: Files, *args: str) -> tuple[int, str, int, str]:
    """What both programs say of members, with exit codes: the main one and the single file."""
    path.write_bytes(pack_members(consistent(files)))
    single = io.StringIO()
    with redirect_stdout(single), redirect_stderr(single):
        try:
            code = offline.main([str(path), *args])
        except SystemExit as ended:
            code = int(str(ended.code))
    main = run("verify", str(path), *args)
    assert "Traceback" not in main.err
    return main.code, main.out + main.err, code, single.getvalue()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "forged.hlev"


Finding = dict[str, Any]


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    [
        lambda f: f.update(severity="info" if f["severity"] != "info" else "error"),
        lambda f: f.update(seat=9),
        lambda f: f.update(saw="he cheated"),
        lambda f: f.update(should="pay 500"),
        lambda f: f.update(asks="nothing"),
        lambda f: f.update(because="x"),
        lambda f: f.update(certainty="likely"),
        lambda f: f.update(money=[{"seat": 1, "amount": 500}, {"seat": 2, "amount": -500}]),
        lambda f: f.update(remedy="followed"),
        lambda f: f["lines"].pop(),
        lambda f: f.update(more="x"),
        lambda f: f.pop("saw"),
        lambda f: f["hand"].update(number="1"),
        lambda f: f.update(edition="2"),
        lambda f: f.update(version=f["version"] + 1),
        lambda f: f.update(exponent=bool(f["exponent"])),
        lambda f: f["hand"].update(more=1),
    ],
)
def test_any_word_of_a_finding_that_is_not_found_again_is_refused(
    room: Genuine, run: Run, path: Path, change: Callable[[Finding], object]
) -> None:
    files = contents(room.files["hand"])
    document = json.loads(files["findings.json"])
    change(document["findings"][0])
    code, out, single, words = verify_both(
        run, path, files | {"findings.json": json.dumps(document).encode()}, "--key", room.key
    )
    assert (code, "NOT VERIFIED (findings)" in out) == (4, True)
    assert single == 0
    assert "findings.json" in words.splitlines()[0].partition("Not covered: ")[2]


def raised(data: bytes) -> bytes:
    """A rulebook in which a number of the house is another."""
    assert data.count(b"limit = 3") or data.count(b"= 3")
    return data.replace(b"limit = 3", b"limit = 9") if b"limit = 3" in data else data.replace(b"= 3", b"= 9")


def refounded(files: Files, name: str, data: bytes) -> Files:
    """Evidence with another text of a rulebook, its digest put right, and what is found under it."""
    book = rulebook.read(name, data)
    files = files | {refound_findings.name_rule_member(name): data}
    names = sorted(n for n in files if n.startswith("entries/"))
    findings_file = {
        "files": files,
        "entries": [offline.read_entry(files[n]) for n in names],
        "index": {"entries": [n[8:] for n in names], "stream": json.loads(files["bundle.json"])["stream"]},
    }
    other_books = [
        rulebook.read(n, files[refound_findings.name_rule_member(n)])
        for n in ("house-burn", "bicycle")
        if n != name and refound_findings.name_rule_member(n) in files
    ]
    judged_again = refound_findings._judge_again(findings_file, [book, *other_books])
    return files | {"findings.json": json.dumps(judged_again).encode()}


def test_a_rulebook_that_is_not_what_it_calls_itself_is_refused_with_both_digests(
    room: Genuine, run: Run, path: Path
) -> None:
    files = contents(room.files["hand"])
    ours = rulebook.load("hilton")
    data = raised(ours.data)
    other_files = refounded(files, "hilton", data)
    code, out, single, words = verify_both(run, path, other_files, "--key", room.key)
    assert (code, single) == (4, 0)
    assert "NOT VERIFIED (rules)" in out
    assert rulebook.read("hilton", data).digest in out
    assert ours.digest in out
    assert "rules/hilton.toml" in words.splitlines()[0].partition("Not covered: ")[2]
    true = refounded(files, "hilton", ours.data)
    code, out, _, _ = verify_both(run, path, true, "--key", room.key)
    assert (code, f"the one that comes with handledger: SHA-256 {ours.digest}" in out) == (0, True)
    assert "hilton" not in out.splitlines()[0]


@pytest.mark.parametrize(
    ("name", "change"),
    [("hilton", lambda data: raised(data).replace(b'edition = "', b'edition = "the-real-', 1)), ("hilton-2", raised)],
)
def test_a_rulebook_that_nobody_knows_is_named_in_the_verdict_and_so_is_what_rests_on_it(
    room: Genuine, run: Run, path: Path, name: str, change: Callable[[bytes], bytes]
) -> None:
    data = change(rulebook.load("hilton").data)
    files = refounded(contents(room.files["hand"]), name, data)
    code, out, single, words = verify_both(run, path, files, "--key", room.key)
    assert (code, single) == (0, 0)
    verdict = out.splitlines()[0].partition("Not covered: ")[2]
    assert "findings.json" in verdict
    assert f"rules/{name}.toml" in verdict
    assert "rules/bicycle.toml" not in verdict
    assert rulebook.read(name, data).digest in out
    assert f"rules/{name}.toml" in words.splitlines()[0]


@pytest.mark.parametrize("error", [RecursionError, TypeError, ValueError])
def test_a_rulebook_that_is_wrong_in_a_way_nobody_thought_of_ends_in_no_traceback(
    room: Genuine, run: Run, path: Path, error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise error

    monkeypatch.setattr(refound_findings, "read_house_book", fails)
    code, out, _, _ = verify_both(run, path, contents(room.files["hand"]), "--key", room.key)
    assert (code, error.__name__ in out) == (0, True)
    assert {"findings.json", "rules/bicycle.toml"} <= set(out.splitlines()[0].partition("Not covered: ")[2].split(", "))


def test_a_rulebook_in_evidence_reads_no_file_of_this_machine(
    room: Genuine, run: Run, path: Path, tmp_path: Path
) -> None:
    (tmp_path / "secret.toml").write_text("[rulebook]\npassword = 1\n")
    house = f'[rulebook]\ntitle = "x"\nedition = "1"\nsource = "x"\nextends = "{tmp_path}/secret.toml"\n'
    files = contents(room.files["hand"])
    document = json.loads(files["findings.json"])
    document["books"][1]["name"] = "own"
    del files["rules/house-burn.toml"]
    files |= {"rules/own.toml": house.encode(), "findings.json": json.dumps(document).encode()}
    code, out, single, _ = verify_both(run, path, files, "--key", room.key)
    assert (code, single) == (0, 0)
    assert "password" not in out
    assert "cannot extend a file of this machine" in out
    assert {"findings.json", "rules/own.toml", "rules/bicycle.toml"} <= set(
        out.splitlines()[0].partition("Not covered: ")[2].split(", ")
    )


def test_findings_of_another_version_say_so(room: Genuine, run: Run, path: Path) -> None:
    files = contents(room.files["hand"])
    document = json.loads(files["findings.json"])
    other_version = {"findings.json": json.dumps(document | {"version": "0.0.7"}).encode()}
    code, out, _, _ = verify_both(run, path, files | other_version, "--key", room.key)
    assert (code, "the version that findings.json names: '0.0.7'" in out) == (0, True)
    assert "the version that findings.json names" in out.splitlines()[0].partition("Not covered: ")[2]
    document["findings"][0]["saw"] = "something else"
    for version, words in (
        ("0.0.7", f"they were made with version '0.0.7', and this is {__version__}"),
        (__version__, "or other books\n"),
    ):
        other_version = {"findings.json": json.dumps(document | {"version": version}).encode()}
        code, out, _, _ = verify_both(run, path, files | other_version, "--key", room.key)
        assert (code, words in out) == (4, True)
    del document["version"]
    code, out, _, _ = verify_both(
        run, path, files | {"findings.json": json.dumps(document).encode()}, "--key", room.key
    )
    assert (code, "made with version 'an earlier version'" in out) == (4, True)


@pytest.mark.parametrize("bound", ["MAX_EVENTS", "MAX_WORK"])
def test_what_would_take_too_long_to_judge_is_named_and_not_judged(
    room: Genuine, run: Run, path: Path, bound: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object) -> None:
        raise AssertionError("this was not to be judged at all")

    monkeypatch.setattr(refound_findings, bound, 36)
    monkeypatch.setattr(refound_findings, "audit", never)
    code, out, single, _ = verify_both(run, path, contents(room.files["hand"]), "--key", room.key)
    assert (code, single) == (0, 0)
    verdict = out.splitlines()[0].partition("Not covered: ")[2]
    assert "findings.json" in verdict
    assert "rules/" not in verdict


@pytest.mark.parametrize("name", ["view/hand.txt", "source"])
def test_what_is_under_no_signature_stands_in_the_verdict(room: Genuine, run: Run, path: Path, name: str) -> None:
    files = contents(room.files["online"])
    [name] = [n for n in files if n.startswith(name)]
    code, out, single, words = verify_both(run, path, files | {name: files[name].swapcase()}, "--key", room.key)
    assert (code, single) == (0, 0)
    assert name in out.splitlines()[0].partition("Not covered: ")[2]
    assert name in words.splitlines()[0].partition("Not covered: ")[2]


def test_the_logs_own_key_is_no_witness_under_any_name_nor_is_one_counted_twice(
    room: Genuine, run: Run, path: Path
) -> None:
    files = contents(room.files["bare hand"])
    first_witness, second_witness, stranger = (str(witness.key) for witness in genuine.WITNESSES)
    same_key_renamed = str(genuine.HeldKey("other.example", genuine.WITNESSES[0]._private, genuine.COSIGNATURE).key)
    refused = [
        ["--key", room.key, "--witness", room.key],
        ["--key", room.key, "--witness", room.own_key_as_witness],
        ["--key", room.key, "--witness", first_witness, "--witness", first_witness],
        ["--key", room.key, "--witness", first_witness, "--witness", same_key_renamed],
        ["--key", room.key, "--quorum", "1"],
        ["--key", room.key, "--witness", first_witness, "--quorum", "0"],
        ["--key", room.key, "--witness", first_witness, "--quorum", "-1"],
        ["--key", room.key, "--witness", first_witness, "--quorum", "2"],
        ["--witness", first_witness],
        ["--key", "garbage"],
        ["--key", room.key, "--witness", "garbage"],
    ]
    for args in refused:
        code, out, single, words = verify_both(run, path, files, *args)
        assert (code, single) == (2, 2), args
        assert "VERIFIED" not in out + words
    for args, expected_code in (
        (["--witness", first_witness], 0),
        (["--witness", first_witness, "--witness", second_witness], 0),
        (["--witness", stranger], 4),
        (["--witness", first_witness, "--witness", stranger], 4),
        (["--witness", first_witness, "--witness", stranger, "--quorum", "1"], 0),
    ):
        code, out, single, words = verify_both(run, path, files, "--key", room.key, *args)
        assert (code, single) == (expected_code, expected_code), args
        assert ("NOT VERIFIED (witness)" in out) == ("NOT VERIFIED (witness)" in words) == bool(expected_code)


def test_without_a_key_nothing_is_called_verified(room: Genuine, run: Run, path: Path) -> None:
    for files in (contents(room.files["hand"]), contents(room.files["case"])):
        code, out, single, words = verify_both(run, path, files)
        assert (code, single) == (0, 0)
        assert out.startswith("CONSISTENT, SIGNER NOT CHECKED: without a key, anyone could have made this file.\n")
        assert words.startswith("CONSISTENT, SIGNER NOT CHECKED: ")
        assert "To check the signer, add --key KEY" in out
        assert not any(line.startswith("proven") for line in (out + words).splitlines())
        assert "VERIFIED" not in out + words
        document = run("verify", str(path), "--format", "json").document
        jsonschema.validate(document, json.loads((ROOT / "schemas/checked.json").read_text()))
        assert (document["holds"], document["verdict"], document["proven"]) == (False, "consistent", [])
    bent = contents(room.files["hand"])
    bent["entries/0001"] += b" "
    code, out, single, words = verify_both(run, path, bent)
    assert (code, single) == (4, 4)
    assert "NOT VERIFIED (inclusion)" in out
    assert "NOT VERIFIED (inclusion)" in words


def test_options_that_cannot_take_effect_are_refused(room: Genuine, run: Run, path: Path) -> None:
    path.write_bytes(room.files["hand"])
    for args in (["--against", str(path)], ["--ledger", "x"], ["--key", room.key, "--key", room.key]):
        assert run("verify", str(path), *args).code == 2


@pytest.fixture
def live(run: Run, tmp_path: Path) -> tuple[str, str]:
    """The address of a sealed ledger whose hidden cards lie in its vault, and its key."""
    book = str(tmp_path / "x.ledger")
    with open_ledger(book) as opened:
        genuine.live(opened, "5", seal=True)
    return book, sealed(run, book, tmp_path / "k")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE openings SET card = 'As' WHERE commitment LIKE '{%' AND card = 'Ah'",
        "UPDATE openings SET salt = '00' WHERE commitment LIKE '{%'",
        "UPDATE checkpoints SET note = replace(note, 'room.example', 'roon.example')",
        "UPDATE checkpoints SET note = replace(note, ' AA', ' AB') || ' '",
        "UPDATE checkpoints SET note = substr(note, 1, length(note) - 9)",
        "UPDATE log SET data = replace(data, '500', '900') WHERE kind = 1",
        "UPDATE log SET marks = x'00' WHERE kind = 1",
        "UPDATE tiles SET data = zeroblob(length(data))",
    ],
)
def test_a_ledger_whose_evidence_would_be_refused_gives_none(
    run: Run, live: tuple[str, str], tmp_path: Path, statement: str
) -> None:
    book, key = live
    out = tmp_path / "out"
    out.mkdir()
    assert run("evidence", "5", "-o", str(out / "a.hlev"), "--ledger", book).code == 0
    assert run("verify", str(out / "a.hlev"), "--key", key).code == 0
    (out / "a.hlev").unlink()
    with plain_sqlite(Path(book)) as connection:
        for (trigger,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f'DROP TRIGGER "{trigger}"')
        connection.execute(statement)
    for audience in ("house", "public"):
        result = run("evidence", "5", "-o", str(out / "b.hlev"), "--as", audience, "--ledger", book)
        assert result.code == 4, result.out + result.err
        assert "Traceback" not in result.err
        assert list(out.iterdir()) == [], "not even a draft"


def test_a_ledger_that_was_never_sealed_says_so(run: Run, tmp_path: Path) -> None:
    book = str(tmp_path / "x.ledger")
    with open_ledger(book) as opened:
        genuine.live(opened, "5", seal=True)
    result = run("evidence", "5", "-o", str(tmp_path / "a.hlev"), "--ledger", book)
    assert result.code == 2
    assert "Seal it first" in result.err
    assert not (tmp_path / "a.hlev").exists()
