"""Keys stay where they are; a player's papers show nobody else's cards, salts or names of no concern."""

from __future__ import annotations

import base64
import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest

from ledger.entry import Provenance
from ledger.errors import SigningKeyError
from ledger.hand.betting import Folded
from ledger.hand.dealing import HoleCardsDealt
from ledger.hand.ending import CardsMucked, CardsShown, HandCompleted, PotAwarded
from ledger.hand.opening import GameSet, HandOpened, SeatDealtIn
from ledger.hidden_cards import hide_cards
from ledger.intake import import_paths
from ledger.seal import keys
from ledger.seal.note import HeldKey
from ledger.store import open as open_ledger
from ledger.store.seals import sealer
from ledger.streams import hand_stream
from tests.children import child
from tests.cli.conftest import Run
from tests.intake.hands import hands

posix = pytest.mark.skipif(os.name != "posix", reason="rights of files are POSIX's here")
WORDS = "correct horse battery staple 77"


# keys


@pytest.fixture
def place(tmp_path: Path) -> tuple[str, Path, Path]:
    """A ledger, its key with a passphrase, the file of the passphrase."""
    (tmp_path / "n.phhs").write_text(hands(1, 2))
    url, key, words = tmp_path / "x.ledger", tmp_path / "keys" / "k", tmp_path / "keys" / "words"
    with open_ledger(url) as book:
        import_paths(book, [tmp_path / "n.phhs"])
    keys.create_key(key, WORDS.encode())
    words.write_text(WORDS + "\n")
    return str(url), key, words


def secrets_of(key: Path) -> list[bytes]:
    """The private key as it could turn up: raw, in hex, in base64, in its file's lines."""
    private = keys.load_key(key, WORDS.encode()).private_bytes_raw()
    lines = [line for line in key.read_bytes().split(b"\n") if len(line) > 30]
    return [private, private.hex().encode(), base64.b64encode(private), WORDS.encode(), *lines]


@posix
@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o660, 0o666, 0o601])
def test_a_key_that_others_may_read_is_refused(mode: int, place: tuple[str, Path, Path], run: Run) -> None:
    url, key, words = place
    key.chmod(mode)
    result = run("seal", "--key", str(key), "--passphrase-file", str(words), "--ledger", url)
    assert result.code == 2
    assert "other users can read" in result.err
    with pytest.raises(SigningKeyError):
        keys.load_key(key, WORDS.encode())


def test_no_secret_is_in_the_ledger_its_copies_its_papers_or_its_messages(
    place: tuple[str, Path, Path], run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, key, words = place
    monkeypatch.setenv("HANDLEDGER_DEBUG", "1")
    seal = ["seal", "--key", str(key), "--passphrase-file", str(words), "--ledger", url]
    outputs = []
    for args in (
        [*seal, "-o", str(tmp_path / "point")],
        [*seal, "--format", "json"],
        ["evidence", "1", "-o", str(tmp_path / "e.hlev"), "--verifier", "--ledger", url],
        ["export", "--to", "jsonl", "-o", str(tmp_path / "all.jsonl"), "--ledger", url],
        ["verify", "--ledger", url],
        ["people", "--ledger", url],
    ):
        result = run(*args)
        assert result.code == 0, result.err
        outputs.append((result.out + result.err).encode())
    words.write_text("another passphrase\n")
    outputs.append(run(*seal).err.encode())
    key.write_bytes(key.read_bytes()[:-60])
    outputs.append(run(*seal).err.encode())
    words.write_text(WORDS + "\n")
    outputs.append(run(*seal).err.encode())
    key.unlink()
    keys.create_key(key, WORDS.encode())
    datas = [p.read_bytes() for p in tmp_path.rglob("*") if p.is_file() and p not in (key, words)]
    for secret in secrets_of(key):
        assert not any(secret in data for data in [*outputs, *datas])


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="there is no /proc here")
def test_a_passphrase_is_in_no_command_line_and_in_no_environment(place: tuple[str, Path, Path]) -> None:
    url, key, words = place
    with child(
        [
            sys.executable,
            "-m",
            "cli.main",
            "seal",
            "--key",
            str(key),
            "--passphrase-file",
            str(words),
            "--every",
            "60",
            "--ledger",
            url,
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline().startswith(b"sealed")
        for name in ("cmdline", "environ"):
            data = Path(f"/proc/{running.pid}/{name}").read_bytes()
            assert not any(secret in data for secret in secrets_of(key))
        running.kill()


def test_no_command_takes_a_secret_as_an_argument(run: Run) -> None:
    for command in ("seal", "cosign", "import", "evidence", "verify"):
        output = run(command, "--help").out
        assert "--password" not in output
        assert "--secret" not in output
        assert "--passphrase TEXT" not in output


# what a player is given


class Table(NamedTuple):
    """A hand at a live table: what Ann holds, what Bob mucked, what Cyd showed."""

    url: str
    key: str
    own: tuple[str, str]
    hidden: list[str]  # of the others, never shown
    salts: dict[str, str]  # salt → card


CARDS = {"Ann": "AhKd", "Bob": "7c2d", "Cyd": "QsQc"}


@pytest.fixture
def table(tmp_path: Path) -> Table:
    url = tmp_path / "live.ledger"
    with open_ledger(url) as book:
        people = [book.people.player("Room", name) for name in CARDS]
        events = hide_cards(
            [
                HandOpened("Room", "T", "9", 7),
                GameSet("holdem", "no-limit", "cash", "USD", 2, (50, 100)),
                *(SeatDealtIn(seat, person, 9000) for seat, person in enumerate(people, 1)),
                *(HoleCardsDealt(seat, cards) for seat, cards in enumerate(CARDS.values(), 1)),
                Folded(1, CARDS["Ann"]),
                CardsMucked(2, CARDS["Bob"]),
                CardsShown(3, CARDS["Cyd"]),
                PotAwarded(3, 150),
                HandCompleted(),
            ],
            book.people,
        )
        salts = {opening[1]: opening[2] for opening in book.people.openings.values()}
        stream = hand_stream("Room", "T", "9", None, bytes(32))
        book.append("hand", stream, events, recorded=Provenance(1))
        key = keys.create_key(tmp_path / "k")
        sealer.seal(book, HeldKey(sealer.origin(book), key), keys.SignatureMemory(tmp_path / "k"))
    return Table(str(url), str(tmp_path / "k"), ("Ah", "Kd"), ["7c", "2d"], salts)


def spelled(card: str) -> list[str]:
    """A card as it could be written."""
    suit = {"h": "\u2665", "d": "\u2666", "c": "\u2663", "s": "\u2660"}[card[1]]
    return [f'"{card}"', f"[{card}", f" {card} ", f"{card}]", card[0] + suit, "7c2d", "7c 2d"]


def leaks(data: bytes, table: Table, *, but: str = "") -> list[str]:
    """Which hidden cards and salts of others stand in an output."""
    text = data.decode("utf-8", "replace")
    words = re.sub(r"[0-9a-f]{16,}", "", text)  # a digest may hold 7c2d by chance
    cards_shown = [card for card in table.hidden for spelling in spelled(card) if spelling in words]
    return cards_shown + [card for salt, card in table.salts.items() if salt in text and card not in but]


OUTPUTS: list[list[str]] = [
    ["log"],
    ["show", "9"],
    ["show", "9@8"],
    ["replay", "9", "--all"],
    ["audit", "-r", "hilton", "--coverage"],
    ["due", "T", "-r", "hilton"],
    ["verify"],
    ["people"],
    ["rejects"],
    ["export", "9", "--to", "jsonl"],
    ["export", "9", "--to", "handscript", "--lossy"],
    ["export", "9", "--to", "phh", "--lossy"],
    ["export", "9", "--to", "pokerstars", "--lossy"],
    ["seal", "--key", "{key}"],
    ["show", "nobody"],
    ["evidence", "9", "-o", "{out}", "--as", "Nobody"],
]


@pytest.mark.parametrize("shape", ["text", "json"])
@pytest.mark.parametrize("args", OUTPUTS, ids=" ".join)
def test_no_output_shows_a_hidden_card_or_a_salt_unasked(
    args: list[str], shape: str, table: Table, run: Run, tmp_path: Path
) -> None:
    filled_args = [arg.format(key=table.key, out=tmp_path / "o") for arg in args]
    result = run(*filled_args, "--ledger", table.url, "--format", shape)
    assert leaks((result.out + result.err).encode(), table, but="") == []


@pytest.mark.parametrize(("reader", "own_cards"), [("Ann", "AhKd"), ("Cyd", "QsQc"), ("public", "")])
def test_a_players_evidence_shows_that_player_no_more_than_the_own_cards(
    reader: str, own_cards: str, table: Table, run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "e.hlev"
    result = run("evidence", "9", "-o", str(path), "--as", reader, "-r", "hilton", "--ledger", table.url)
    assert result.code == 0, result.err
    with zipfile.ZipFile(path) as file:
        files = {name: file.read(name) for name in file.namelist()}
    for name, data in files.items():
        if not name.startswith("rules/"):
            assert leaks(data, table, but=own_cards) == [], name
    opened = json.loads(files.get("openings.json", b"[]"))
    assert {opening["value"] for opening in opened} == {own_cards[index : index + 2] for index in (0, 2) if own_cards}
    evidence = b"\n".join(files.values())
    words = set(re.findall(rb"[A-Za-z0-9]+", evidence))  # three letters within a signature are no name
    for other_player in set(CARDS) - {reader}:
        assert other_player.encode() not in words, "nobody is named to a player"
    assert reader == "public" or b"hilton" in words


def test_the_house_sees_all_and_that_is_written_down(table: Table, run: Run, tmp_path: Path) -> None:
    path = tmp_path / "e.hlev"
    assert run("evidence", "9", "-o", str(path), "--ledger", table.url).code == 0
    with zipfile.ZipFile(path) as file:
        values = {opening["value"] for opening in json.loads(file.read("openings.json"))}
    assert values == {"Ah", "Kd", "7c", "2d", "Qs", "Qc"}
