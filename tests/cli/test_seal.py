"""Sealing from the command line: what a keeper, an auditor and a stranger type, and what they see."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from uuid import uuid4

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from ledger.hand.ending import HandCompleted
from ledger.hand.opening import HandOpened
from ledger.intake import import_paths
from ledger.seal.note import HeldKey
from ledger.store import open as open_ledger
from ledger.store.seals import sealer
from ledger.streams import HOUSE, table_stream
from ledger.table.events import GameBroken
from tests.cli.conftest import Run
from tests.intake.hands import hands


@pytest.fixture
def own_ledger(book: str, tmp_path: Path) -> Path:
    path = tmp_path / "own.ledger"
    shutil.copy(book, path)
    return path


@pytest.fixture
def room(run: Run, own_ledger: Path, tmp_path: Path) -> tuple[list[str], str]:
    """The options that this room seals with, and its public key."""
    seal_options = ["--key", str(tmp_path / "room.key"), "--ledger", str(own_ledger)]
    first = run("seal", "--new-key", "--name", "room.example", *seal_options, "--format", "json").document
    assert first["new"]
    assert first["origin"].startswith("room.example/")
    return seal_options, first["key"]


def import_more(own_ledger: Path, tmp_path: Path, *numbers: int) -> None:
    text = tmp_path / f"more{numbers[0]}.phhs"
    text.write_text(hands(*numbers))
    with open_ledger(own_ledger) as opened:
        import_paths(opened, [text])


def test_a_new_ledger_can_be_sealed_from_its_first_hand_on(run: Run, tmp_path: Path) -> None:
    """The key may come first: what asks for it says how, and that works without a ledger."""
    seal_options = ["--key", str(tmp_path / "room.key"), "--ledger", str(tmp_path / "new.ledger")]
    text = tmp_path / "first.phhs"
    text.write_text(hands(1))
    refused = run("import", str(text), *seal_options)
    assert refused.code == 2
    assert "seal --new-key" in refused.err
    document = run("seal", "--new-key", "--name", "room.example", *seal_options, "--format", "json").document
    assert document["size"] == 1  # the ledger's own beginning
    assert run("import", str(text), *seal_options).code == 0
    assert run("verify", "--key", document["key"], "--ledger", str(tmp_path / "new.ledger")).code == 0


def test_an_auditors_copy_finds_a_restored_backup(
    run: Run, room: tuple[list[str], str], own_ledger: Path, tmp_path: Path
) -> None:
    seal_options, key = room
    old = tmp_path / "old.ledger"
    shutil.copy(own_ledger, old)
    import_more(own_ledger, tmp_path, 11, 12)
    kept_checkpoint = tmp_path / "tonight.checkpoint"
    assert run("seal", *seal_options, "-o", str(kept_checkpoint)).code == 0
    sound = run("verify", "--against", str(kept_checkpoint), "--key", key, "--ledger", str(own_ledger))
    assert sound.code == 0
    assert "✓ begins with tonight.checkpoint" in sound.out
    shutil.copy(old, own_ledger)
    import_more(own_ledger, tmp_path, 21, 22, 23, 24)
    broken = run("verify", "--against", str(kept_checkpoint), "--key", key, "--ledger", str(own_ledger))
    assert broken.code == 4
    assert re.search(r"✗ the first \d+ commits are not those of tonight\.checkpoint \(checkpoint\)", broken.out)
    assert "begins with tonight.checkpoint" not in broken.out
    assert broken.out.splitlines()[-1] == "  Keep it as it is. Compare it with a backup that verifies, and report this."
    refused = run("seal", *seal_options)
    assert refused.code == 4
    assert "what was signed before" in refused.err
    assert kept_checkpoint.read_text() in refused.err
    error = run("seal", *seal_options, "--format", "json").document["error"]
    assert error["code"] == "fork"
    assert kept_checkpoint.read_text() in error["evidence"]


def test_a_ledger_that_was_put_back_on_purpose_says_so_and_is_signed_on_by_another_key(
    run: Run, own_ledger: Path, room: tuple[list[str], str], tmp_path: Path
) -> None:
    seal_options, book, key = room[0], ["--ledger", str(own_ledger)], ["--key", str(tmp_path / "second.pem")]
    old = tmp_path / "old.ledger"
    shutil.copy(own_ledger, old)
    import_more(own_ledger, tmp_path, 8, 9)
    assert run("seal", *seal_options).code == 0
    shutil.copy(old, own_ledger)
    for new in ((), (31, 32, 33, 34)):
        if new:
            import_more(own_ledger, tmp_path, *new)
        refused = run("seal", *seal_options)
        assert (refused.code, "--restored --new-key" in refused.err) == (4, True)
    assert run("seal", "--restored", *book, *key).code == 2  # a new key is needed
    document = run(
        "seal", "--restored", "--new-key", *key, "--name", "room.example", *book, "--format", "json"
    ).document
    assert document["origin"].endswith("/2")
    with open_ledger(own_ledger, read_only=True) as ledger:
        assert [type(event).__name__ for event in ledger.events(HOUSE)][-2:] == ["BackupRestored", "CheckpointSigned"]
    assert run("verify", *book).code == 0
    import_more(own_ledger, tmp_path, 10)
    assert run("seal", *key, *book).code == 0
    assert run("seal", *seal_options).code == 2  # the old key signs for the ledger as it was before


def test_a_table_that_breaks_up_is_sealed_at_once(
    own_ledger: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[None] = []
    stream = uuid4()

    def play(_seconds: float) -> None:
        looks.append(None)
        with open_ledger(own_ledger) as live:
            if len(looks) == 1:
                live.append("hand", stream, [HandOpened("V", "T", "77", 7)])
                live.append("hand", stream, [HandCompleted()])
            elif len(looks) == 2:
                live.append("table", table_stream("V", "", "T"), [GameBroken()])
            elif len(looks) == 3:
                raise KeyboardInterrupt

    monkeypatch.setattr("time.sleep", play)
    key = str(tmp_path / "k")
    result = run("seal", "--new-key", "--key", key, "--every", "3600", "--ledger", str(own_ledger))
    assert result.code == 130
    assert result.out.count("sealed ") == 2, "once at the start, once when the table broke up"
    with open_ledger(own_ledger) as ledger:
        assert [type(event).__name__ for event in ledger.events(stream)][2:] == ["HandSealed"]
        seal = ledger.stream(stream)[-1]
        assert sealer.prove(ledger, seal.position, sealer.checkpoint(ledger)).leaf > 0
        assert ledger.verify() == []
    monkeypatch.undo()
    run("seal", "--key", key, "--ledger", str(own_ledger))
    with open_ledger(own_ledger) as ledger:
        assert len(ledger.events(stream)) == 3, "a sealed hand is not sealed again"


def test_a_checkpoint_signed_by_another_key_proves_nothing(
    run: Run, room: tuple[list[str], str], own_ledger: Path, tmp_path: Path
) -> None:
    seal_options, key = room
    kept_checkpoint = tmp_path / "a.checkpoint"
    run("seal", *seal_options, "-o", str(kept_checkpoint))
    forged = tmp_path / "b.checkpoint"
    lines = kept_checkpoint.read_text().split("\n")
    forged.write_text("\n".join([lines[0], "1", *lines[2:]]))
    for path in (forged, tmp_path / "room.key"):
        result = run("verify", "--against", str(path), "--key", key, "--ledger", str(own_ledger))
        assert result.code == 4
        assert "Traceback" not in result.err
    unsigned = run("verify", "--against", str(kept_checkpoint), "--ledger", str(own_ledger))
    assert "who signed the checkpoints you compared (no --key)" in " ".join(unsigned.out.split())


def test_a_witness_and_the_room_work_hand_in_hand(
    run: Run, room: tuple[list[str], str], own_ledger: Path, tmp_path: Path
) -> None:
    seal_options, key = room
    request, cosigned = tmp_path / "request.txt", tmp_path / "seen.checkpoint"
    witness = ["--log", key, "--name", "auditor.example", "--key", str(tmp_path / "auditor.key")]
    assert run("seal", "--for-witness", "0", "--ledger", str(own_ledger), "-o", str(request)).code == 0
    assert run("cosign", str(request), *witness, "--new-key", "-o", str(cosigned)).code == 0
    assert "auditor.example" in cosigned.read_text()
    assert run("seal", "--cosigned", str(cosigned), "--ledger", str(own_ledger)).out == "1 new cosignature kept\n"
    size = cosigned.read_text().split("\n")[1]
    import_more(own_ledger, tmp_path, 31)
    run("seal", *seal_options)
    run("seal", "--for-witness", size, "--ledger", str(own_ledger), "-o", str(request))
    assert run("cosign", str(request), *witness, "-o", str(cosigned)).code == 0
    assert int(cosigned.read_text().split("\n")[1]) > int(size)


def test_a_key_signs_for_one_ledger_under_one_name(
    run: Run, room: tuple[list[str], str], night: Path, tmp_path: Path
) -> None:
    seal_options, _ = room
    assert "not as other" in run("seal", "--name", "other.example", *seal_options).err
    run("import", str(night), "--ledger", str(tmp_path / "b.ledger"))
    result = run("seal", *seal_options[:2], "--ledger", str(tmp_path / "b.ledger"))
    assert result.code == 2
    assert "Use the key of this ledger" in result.err


def test_a_passphrase_comes_from_a_file_and_shows_nowhere(run: Run, own_ledger: Path, tmp_path: Path) -> None:
    words, key = tmp_path / "words", tmp_path / "room.key"
    words.write_text("correct horse\n")
    seal_options = ["--key", str(key), "--passphrase-file", str(words), "--ledger", str(own_ledger)]
    assert run("seal", "--new-key", *seal_options).code == 0
    assert "ENCRYPTED" in key.read_text()
    result = run("seal", *seal_options)
    assert result.code == 0
    assert "correct horse" not in result.out + result.err
    assert run("seal", *seal_options[:2], "--ledger", str(own_ledger)).code == 2
    words.write_text("wrong\n")
    wrong = run("seal", *seal_options)
    assert wrong.code == 2
    assert "wrong" not in wrong.err
    assert run("seal", "--passphrase", *seal_options[:2], "--ledger", str(own_ledger)).code == 2, "no terminal"


def test_an_import_that_is_to_be_sealed_looks_at_the_key_first(run: Run, night: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.ledger"
    refused = run("import", str(night), "--key", str(tmp_path / "none"), "--ledger", str(new))
    assert refused.code == 2
    assert not new.exists(), "nothing was read"


def test_a_file_that_is_no_text_is_no_checkpoint(
    run: Run, room: tuple[list[str], str], own_ledger: Path, tmp_path: Path
) -> None:
    odd = tmp_path / "odd"
    odd.write_bytes(b"\xff\xfe\x00")
    _, key = room
    for args in (["verify", "--against", str(odd)], ["seal", "--cosigned", str(odd)]):
        result = run(*args, "--ledger", str(own_ledger))
        assert result.code == 4
        assert "isn't text, so it can't be a checkpoint" in result.err
    assert run("cosign", str(odd), "--log", key, "--name", "x", "--key", str(tmp_path / "room.key")).code == 4


def test_a_key_is_held_against_the_checkpoints_that_the_ledger_keeps(run: Run, tmp_path: Path) -> None:
    (tmp_path / "n.phhs").write_text(hands(1, 2))
    url, key = str(tmp_path / "l"), str(tmp_path / "k")
    assert run("import", str(tmp_path / "n.phhs"), "--ledger", url).code == 0
    result = run("seal", "--new-key", "--key", key, "--name", "a.example", "--ledger", url, "--format", "json")
    verdict = run("verify", "--key", result.document["key"], "--ledger", url)
    assert verdict.code == 0
    assert "signed by the key you gave" in " ".join(verdict.out.split())
    foreign = HeldKey("a.example/x/1", Ed25519PrivateKey.generate()).key
    verdict = run("verify", "--key", str(foreign), "--ledger", url)
    assert verdict.code == 4
    assert "not signed by a key that was given" in verdict.out
    assert run("verify", "--key", "garbage", "--ledger", url).code == 2
    assert run("verify", "--witness", str(foreign), "--ledger", url).code == 2
    assert run("verify", "--quorum", "0", "--ledger", url).code == 2


def test_a_checkpoint_in_a_file_is_checked_by_what_was_printed_beside_it(
    run: Run, own_ledger: Path, tmp_path: Path
) -> None:
    """The key that checks a checkpoint is shown when it is written, not only when it is printed."""
    file = tmp_path / "tonight.checkpoint"
    seal_options = ["--key", str(tmp_path / "room.key"), "--ledger", str(own_ledger)]
    result = run("seal", "--new-key", "--name", "room.example", *seal_options, "-o", str(file))
    assert result.code == 0
    key = next(line.split()[-1] for line in result.out.splitlines() if line.startswith("public key"))
    command = next(line for line in result.out.splitlines() if "handledger verify" in line).split()
    assert command[-1] == "KEY"
    assert run(*command[1:-1], key, "--ledger", str(own_ledger)).code == 0
    assert len(file.read_text().splitlines()) == 5  # the file is the checkpoint and nothing else


def test_the_verdict_of_a_ledger_stays_within_100_columns(run: Run, own_ledger: Path) -> None:
    lines = run("verify", "--ledger", str(own_ledger)).out.splitlines()
    assert any(line.startswith("SOUND: ") for line in lines)
    assert not [line for line in lines if len(line) > 100]


def test_a_log_that_was_cut_is_said_in_one_line(
    run: Run, room: tuple[list[str], str], own_ledger: Path, tmp_path: Path
) -> None:
    seal_options, _ = room
    old, kept = tmp_path / "old.ledger", tmp_path / "a.checkpoint"
    shutil.copy(own_ledger, old)
    import_more(own_ledger, tmp_path, 11, 12)
    assert run("seal", *seal_options, "-o", str(kept)).code == 0
    sound = run("verify", "--against", str(kept), "--ledger", str(own_ledger))
    assert "not proved: who signed the checkpoints you compared (no --key)" in sound.out
    cut = run("verify", "--against", str(kept), "--ledger", str(old))
    assert cut.code == 4
    (line,) = (line for line in cut.out.splitlines() if "a.checkpoint" in line)
    assert re.fullmatch(
        r"✗ a\.checkpoint covers \d+ commits, but the log has only \d+: its end was cut off \(checkpoint\)", line
    )


def test_what_is_no_evidence_names_the_option_that_takes_it(
    run: Run, room: tuple[list[str], str], own_ledger: Path, tmp_path: Path
) -> None:
    seal_options, key = room
    kept = tmp_path / "a.checkpoint"
    assert run("seal", *seal_options, "-o", str(kept)).code == 0
    for path, sentence, step in (
        (kept, "is a checkpoint, not evidence", f"Use: handledger verify --against {kept}"),
        (own_ledger, "is a ledger, not evidence", f"Use: handledger verify --ledger {own_ledger}"),
        (tmp_path, "is a folder, but not a lake", ""),
    ):
        refused = run("verify", str(path))
        assert (refused.code, sentence in refused.err, step in refused.err) == (2, True, True), refused.err
    signed = run("verify", "--key", key, "--ledger", str(own_ledger)).out
    assert "the newest checkpoint of this ledger is signed by the key you gave" in " ".join(signed.split())
    assert "checkpoint you compared" not in signed
