"""Every command that the program prints can be pasted back, and every address names the hand that it stands beside."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import zipfile
from html import unescape
from pathlib import Path

import pytest

from cli.command_list import COMMANDS
from ledger.formats.handscript.tokens import write_word
from ledger.intake import import_paths
from ledger.store import open as open_ledger
from projections.addresses.address_book import AddressBook
from tests.cli.conftest import SAMPLES, Result, Run, copy_ledger
from tests.laws import size

HASH = """\
handscript 1
venue V  table {table}  seats 9
witness live-table
game holdem no-limit cash blinds 2/5 unit USD 2
hand 1 {day}T20:10:00-05:00
stacks 1:200 2:200 3:200
button 1
2 posts small 2
3 posts big 5
deal
1 folds
2 folds
3 uncalled 3
3 wins 4
end
hand 2 {day}T20:11:00-05:00
stacks 1:200 2:198 3:202
button 2
3 posts small 2
1 posts big 5
deal
2 folds
3 folds
1 uncalled 3
1 wins 4
end
hand 3 {day}T20:12:00-05:00
stacks 1:202 2:198 3:200
button 2
1 posts small 2
2 posts big 5
deal
3 folds
1 folds
2 uncalled 3
2 wins 4
end
"""
TABLES = ["7", "8", "3", "Alcor II", "a/b", 'high "low" $5', "-r", "7#3", "it's"]
"""Tables whose hands have the same numbers; of one whose name is a number of a hand, too."""

_NO_ARGUMENTS = frozenset(
    [
        "lists",
        "lists.",
        "says",
        "say",
        "shows",
        "shows.",
        "tells",
        "numbers",
        "judges",
        "makes",
        "has",
        "does",
        "is",
        "in",
        "for",
        "there",
        "can",
        "decides",
        "ends",
        "moves",
        "brings",
        "takes",
        "prints",
        "marks",
        "compares",
        "writes",
        "then",
        "signs",
        "allows",
        "tells.",
        "all",
        "that",
        "them",
        "the",
        "its",
        "it",
        "knows",
        "and",
        "with",
        "under",
    ]
)
_EXAMPLES = {
    "TABLE": "7",
    "HAND": "8/3",
    "BOOK": "hilton",
    "FILE": "{folder}/file",
    "PATH": "{night}",
    "TEXT": "so it is",
    "REASON": "so it is",
    "KEY": "{key}",
    "WHO.KEEPS.IT": "room.example",
    "ROLE": "floor",
    "LAST": "5",
    "...": "floor",
    "…": "said",
    "QUERY": "pot>0",
    "NAME": "mine",
    "LAKE": "{folder}/lake",
    "PAGE": "1",
}
_SERVES = frozenset(("serve", "record", "device"))
"""Commands that don't end, or wait for lines."""


def commands(text: str) -> list[list[str]]:
    """Return the commands in what was printed, each as its words: up to a mark, a gap or a word of prose."""
    command_lines = []
    for match in re.finditer(r"handledger (?=[a-z-]+)([^\n`·]+)", text):
        words = []
        line = re.split(r"; |\s{2,}|    #", match[1])[0]
        try:
            pieces = shlex.split(line)
        except ValueError:
            pieces = line.split()
        for index, piece in enumerate(pieces):
            if not index and piece.rstrip(".,:;)") not in COMMANDS:
                break
            if index and piece in _NO_ARGUMENTS:
                break
            words.append(piece)
        if words:
            words[-1] = words[-1].rstrip(".,:;)") or words[-1]
            command_lines.append(words)
    return command_lines


class Desk:
    """Somebody at a terminal, with a ledger that each command gets a fresh copy of."""

    def __init__(self, run: Run, ledger: Path, folder: Path, machine: pytest.MonkeyPatch) -> None:
        self._run, self._ledger, self.folder, self._machine = run, ledger, folder, machine
        self.ran: set[str] = set()
        self.wrong: list[str] = []

    def type(self, *args: str) -> Result:
        copy = self.folder / "copy.ledger"
        shutil.copy(self._ledger, copy)
        self._machine.setenv("HANDLEDGER_URL", str(copy))
        return self._run(*args)

    def keep(self, *args: str) -> Result:
        self._machine.setenv("HANDLEDGER_URL", str(self._ledger))
        return self._run(*args)

    def paste(self, printed: list[str]) -> None:
        """Run a command as it was printed, with something for each placeholder; it must be understood."""
        words = [self._filled(word) for word in printed]
        command_line = shlex.join(printed)
        if command_line in self.ran or words[0] in _SERVES or "--new-key" in words:
            return
        self.ran.add(command_line)
        result = self.type(*words)
        if result.code not in (0, 1) and "this ledger was never sealed" not in result.err:
            self.wrong.append(f"{command_line}\n{result.err}")

    def _filled(self, piece: str) -> str:
        for name, example in _EXAMPLES.items():
            if piece == name or piece.startswith((f"{name}@", f"{name}/")) or piece.endswith(f"@{name}"):
                piece = piece.replace(name, example)
        return piece.format(folder=self.folder, night=SAMPLES, key="none") if "{" in piece else piece


@pytest.fixture(scope="session")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ledger of tables that use the same numbers, one of them on two evenings, and the samples; for copies."""
    folder = tmp_path_factory.mktemp("desk")
    files = []
    for index, (table, day) in enumerate([*((name, "2026-11-27") for name in TABLES), ("7", "2026-11-28")]):
        files.append(folder / f"{index}.hand")
        files[-1].write_text(HASH.format(table=write_word(table), day=day))
    with open_ledger(folder / "night.ledger") as ledger:
        assert not import_paths(ledger, [*files, SAMPLES]).total.rejected
    return folder / "night.ledger"


@pytest.fixture
def desk(run: Run, imported: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A copy of that ledger, and somebody who works on it."""
    monkeypatch.chdir(tmp_path)
    return Desk(run, copy_ledger(imported, tmp_path), tmp_path, monkeypatch)


@pytest.mark.law
def test_every_printed_command_can_be_pasted_back(desk: Desk, tmp_path: Path) -> None:
    audit = ["audit", "-r", "hilton", "--frames", str(size(14, 500))]
    assert desk.keep("rules", "adopt", "hilton").code == 0
    desk.keep("findings")
    findings = desk.keep(*audit, "--format", "json").document["findings"]
    assert len({row["fingerprint"] for row in findings}) == len(findings), "one finding, one fingerprint"
    hands = desk.keep("log", "--format", "json", "-n", "0").document["hands"]
    assert len({row["address"] for row in hands}) == len(hands)
    outputs = [desk.keep(*typed) for typed in (audit, ["log"], ["findings"], ["due", "-r", "hilton"], ["show", "3"])]
    addresses = [row["address"] for row in hands][:: max(1, len(hands) // size(12, 10_000))]
    for address in [*addresses, *(row["show"].split("@")[0] for row in findings[: size(10, 10_000)])]:
        outputs += [desk.type(*typed, address) for typed in (["show"], ["why"], ["accounts"])]
        outputs += [desk.keep("case", "open", f"{address}@2", "--claim", "so", "--by", "floor")]
        outputs += [desk.type("aftermath", address, "-r", "hilton"), desk.type("correct", address, "--remove")]
    for table in TABLES:
        outputs += [desk.type("floor", "-r", "hilton", "--", table), desk.type("show", "--", f"{table}/99")]
        outputs += [desk.type("show", "--", table), desk.type("show", "--", f"{table}#3")]
    outputs += [desk.type("compare", "7/3/2026-11-27"), desk.type("evidence", "7/3/2nd", "-o", str(tmp_path / "x"))]
    outputs += [desk.type("report", "8/3@6", "-r", "hilton", "-o", str(tmp_path / "r.html"))]
    outputs += [desk.type("demo", "--keep", str(tmp_path / "demo")), desk.keep("import", str(SAMPLES))]
    printed = [command for row in outputs for command in commands(f"{row.out}\n{row.err}")]
    printed += commands(unescape((tmp_path / "r.html").read_text()))
    for command in printed:
        desk.paste(command)
    assert not desk.wrong, "\n".join(desk.wrong)
    assert len(desk.ran) > 60
    for row in findings[:: size(3, 1)]:
        document = desk.type("show", row["show"], "--format", "json").document
        assert (document["hand"]["id"], document["version"]) == (row["hand"]["stream"], row["version"])


def test_every_choice_that_is_named_is_an_address(desk: Desk) -> None:
    refused = desk.type("show", "3").err
    choices = re.split(r", | and \d", refused.partition("hands: ")[2].partition("\n")[0])
    assert len(choices) >= 5
    for choice in choices[:5]:
        assert desk.type("show", "--", choice).code == 0, choice


def test_a_finding_names_the_hand_that_it_is_in(desk: Desk) -> None:
    printed = desk.type("audit", "7/3/2026-11-27", "-r", "hilton").out
    assert printed.startswith("error: Button didn't move: still in seat 2")
    assert "= finding   certain, 7/3/2026-11-27@6, fingerprint " in printed
    corrected = desk.keep("correct", "7/3/2026-11-27@6", "button 3", "--by", "floor", "--why", "so it was")
    assert (corrected.code, corrected.out.splitlines()[0]) == (
        0,
        "Hand 7/3/2026-11-27 is corrected. The old event stays in the record.",
    )
    assert desk.keep("audit", "7/3/2026-11-27", "-r", "hilton").code == 0
    assert desk.keep("audit", "7/3/2026-11-28", "-r", "hilton").code == 1


ACCEPTED = [
    ["show", "{}"],
    ["show", "{}@6"],
    ["replay", "{}@6"],
    ["report", "{}", "-r", "hilton", "-o", "{folder}/r.html"],
    ["audit", "{}", "-r", "hilton"],
    ["why", "{}", "finding", "-r", "hilton"],
    ["why", "{}@6", "-r", "hilton"],
    ["aftermath", "{}", "-r", "hilton"],
    ["compare", "{}", "8/3"],
    ["accounts", "{}"],
    ["export", "{}", "--to", "handscript"],
    ["due", "V/7", "--before", "{}", "-r", "hilton"],
    ["log", "--where", "hand:{}"],
    ["log", "--where", "hand:{}@6", "--count"],
    ["results", "hand:{}"],
    ["case", "open", "{}@4-6", "--claim", "so", "--by", "floor"],
]


@pytest.mark.parametrize("typed", ACCEPTED, ids=" ".join)
@pytest.mark.parametrize("address", ["7/3/2026-11-28", "V/7/3/2nd"])
def test_every_command_takes_an_address(desk: Desk, typed: list[str], address: str) -> None:
    result = desk.type(*(word.replace("{}", address).replace("{folder}", str(desk.folder)) for word in typed))
    assert result.code in (0, 1), result.err
    assert typed[0] in ("compare", "accounts") or "2026-11-27" not in result.out


def test_an_address_is_the_same_in_each_output(desk: Desk) -> None:
    """The address of each hand and finding in JSON, CSV and text is the one that `AddressBook` prints."""
    with open_ledger(desk.folder / "night.ledger") as ledger:
        book = AddressBook(ledger)
        printed = {row.stream.hex: book.find_hand_address(row) for row in ledger.hands()}
    findings = desk.type("audit", "-r", "hilton", "--format", "json").document["findings"]
    lines = desk.type("log", "-n", "0").out
    cells = desk.type("audit", "-r", "hilton", "--format", "csv").out
    for finding in findings:
        own_address = printed[finding["hand"]["stream"]]
        assert finding["show"] == f"{own_address}@{finding['version']}"
        assert f"\n{own_address}  " in f"\n{lines}"
        assert f"{own_address}@{finding['version']}".replace('"', '""') in cells


def test_evidence_of_a_second_hand_has_the_fingerprint_of_that_hand(desk: Desk) -> None:
    key = desk.keep("seal", "--new-key", "--key", "k", "--name", "room.example", "--format", "json").document["key"]
    for address, session in (("7/3/2nd", 2), ("8/3", None)):
        assert desk.keep("evidence", address, "-o", "x.hlev", "-r", "hilton").code == 0
        assert desk.keep("verify", "x.hlev", "--key", key).code == 0
        with zipfile.ZipFile("x.hlev") as file:
            assert json.loads(file.read("findings.json")).get("session") == session
