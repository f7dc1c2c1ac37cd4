"""What holds for every command: exit codes, one JSON document, no traceback, harmless output."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cli import command_list
from cli.documents.published import find_documents, find_tag
from cli.output.failures import report_interruption
from ledger.case.events import CaseLinked, CaseOpened
from ledger.errors import IntegrityError
from ledger.evidence.bundle import make_bundle
from ledger.intake import import_paths
from ledger.seal import keys
from ledger.seal.note import HeldKey
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.store.seals import sealer
from ledger.streams import case_stream
from projections.books import rulebook
from projections.shards.lake_audit import audit_lake as run_lake
from projections.shards.lake_builder import build_lake
from tests.children import child
from tests.cli.commands import BAD, GOING_ON, GOOD
from tests.cli.conftest import Run
from tests.intake.hands import hand, hands

COUNTED_HAND = """\
handscript 1
venue "Testing room"  table T1
witness dealer-notes
game holdem no-limit cash blinds 1/2 unit USD 2

hand 1  2026-11-20T20:00:00-05:00
seat 1 Ann 200
seat 2 Bob 200
button 1
1 posts small 1
2 posts big 2
deal done
1 calls
2 checks
flop Kd 7s 2c
2 bets 5
1 folds
2 uncalled 5
2 wins 3 from main
rake 1
end
drop-box 1 shift swing at 2026-11-20T21:00:00-05:00
"""
HARMLESS = re.compile(r"[^\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]*")


@pytest.fixture(scope="module")
def contract_folder(book: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A folder with a sealed ledger, keys, a request and evidence, and what names in them are."""
    folder = tmp_path_factory.mktemp("contract")
    (folder / "empty").mkdir()
    (folder / "diary.txt").write_text("Dear diary,\n")
    own_ledger, key = str(folder / "own.ledger"), str(folder / "room.key")
    private = keys.create_key(Path(key))
    keys.create_key(folder / "auditor.key")
    shutil.copy(book, own_ledger)
    with open_ledger(own_ledger) as opened:
        signer = HeldKey(sealer.origin(opened), private)
        sealer.seal(opened, signer, keys.SignatureMemory(Path(key)))
        (folder / "request.txt").write_text(str(sealer.build_witness_request(opened, 0)), encoding="utf-8")
        hand = next(opened.hands(number="1")).stream
        opened.append("case", case_stream("X1"), [CaseOpened("X1", "other", "player"), CaseLinked(hand.hex)])
        with opened.database.reading() as link:
            person = next(opened.people.all_names(link))[0]
        build_lake(opened, folder / "lake", day_start="06:00")
        run_lake(folder / "lake", [rulebook.load("hilton")], folder / "found")
        (folder / "hand.hlev").write_bytes(make_bundle(opened, hand, sealer.checkpoint(opened)))
    (folder / "counted.hand").write_text(COUNTED_HAND, encoding="utf-8")
    with open_ledger(folder / "counted.ledger") as opened:
        assert not sum(summary.rejected for summary in import_paths(opened, [folder / "counted.hand"]).files)
    return folder, {"person": person, "log": str(signer.key)}


@pytest.fixture
def places(contract_folder: tuple[Path, dict[str, str]], night: Path, book: str, tmp_path: Path) -> dict[str, str]:
    """All that the lines of the tables name, in a copy of its own for each test."""
    folder, named_values = contract_folder
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    files = {
        "own": "own.ledger",
        "counted": "counted.ledger",
        "key": "room.key",
        "wkey": "auditor.key",
        "request": "request.txt",
        "hlev": "hand.hlev",
        "new": "new.ledger",
        "empty": "empty",
        "lake": "lake",
        "found": "found",
        "text": "diary.txt",
    }
    local_paths = {name: str(tmp_path / file) for name, file in files.items()}
    return {**named_values, **local_paths, "night": str(night), "book": book}


def filled(args: list[str], places: dict[str, str]) -> list[str]:
    return [arg.format(**places) for arg in args]


def cases(table: dict[str, list[list[str]]]) -> list[Any]:
    return [
        pytest.param(args, id=" ".join(args), marks=pytest.mark.slow if "--jobs" in args else ())
        for commands in table.values()
        for args in commands
    ]


def test_every_command_is_in_the_tables() -> None:
    advice = "tests/cli/commands.py needs command lines that work (GOOD) and that fail (BAD) for each command"
    assert {*GOOD, *GOING_ON} == set(command_list.COMMANDS), advice
    assert set(BAD) == set(command_list.COMMANDS), advice


@pytest.mark.parametrize("args", cases(GOOD))
def test_json_is_one_document_of_a_known_schema(args: list[str], places: dict[str, str], run: Run) -> None:
    text = run(*filled(args, places))
    assert text.code in (0, 1, 3)
    if args[0] == "import":
        places["new"] += "2"
    result = run(*filled(args, places), "--format", "json")
    assert result.code == text.code, "the exit code never depends on the format"
    assert result.err == ""
    document = result.document
    if args[:2] in (["schema", "import"], ["schema", "hand.blind-posted"]):
        assert document["$schema"]
        return
    kinds = {find_tag(kind): kind for kind in find_documents()}
    msgspec.convert(document, kinds[document["schema"]])


@pytest.mark.slow
@pytest.mark.parametrize("args", cases(BAD))
def test_failure_is_one_sentence_with_code_2_and_one_document_in_json(
    args: list[str], places: dict[str, str], run: Run
) -> None:
    args = filled(args, places)
    text = run(*args)
    assert text.code == 2
    output = text.err + text.out
    assert "Traceback" not in output
    assert "fault of handledger" not in output
    assert output.strip()
    result = run(*args, "--format", "json")
    assert result.code == 2
    document = result.document
    if document["schema"] == "handledger/error/1":
        assert document["error"]["code"] != "fault"
        assert document["error"]["message"]
    else:
        assert args[0] == "import", "an import that read nothing says file by file why"


def test_commands_are_listed_in_groups_a_line_each(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    lines = run("--help").out.splitlines()
    indexes = [lines.index(f"{group}:") for group in command_list.GROUPS]
    assert indexes == sorted(indexes)
    for group, commands in command_list.GROUPS.items():
        start = lines.index(f"{group}:") + 1
        assert [line.split(maxsplit=1) for line in lines[start : start + len(commands)]] == [
            *map(list, commands.items())
        ]


def test_no_command_shows_the_help(run: Run) -> None:
    result = run()
    assert result.code == 2
    assert "import" in result.err


def test_a_mistyped_command_gets_a_suggestion(run: Run) -> None:
    assert "'log'" in run("lgo").err


@pytest.mark.parametrize(("former", "name"), command_list.FORMER_NAMES.items())
def test_a_former_name_runs_nothing_but_says_the_new_one(former: str, name: str, run: Run) -> None:
    result = run(former, "T3")
    assert (result.code, result.err) == (
        2,
        f"handledger: `{former}` is now `{name}`\n  Try: handledger {name} --help\n",
    )
    assert run(former, "--format", "json").document["error"]["code"] == "usage"
    assert name in command_list.COMMANDS
    assert former not in command_list.COMMANDS


@pytest.mark.parametrize(("former", "name"), [("erase", "forget"), ("part", "unmerge")])
def test_a_former_verb_of_people_says_the_new_one(former: str, name: str, run: Run) -> None:
    result = run("people", former, "Anna")
    assert (result.code, f"`people {former}` is now `people {name}`" in result.err) == (2, True)


@pytest.mark.parametrize("command", list(command_list.COMMANDS))
def test_every_command_has_help_with_its_options(command: str, run: Run) -> None:
    result = run(command, "--help")
    assert result.code == 0
    assert ("--format" in result.out) == (command != "mcp")  # whose output is the protocol's
    assert HARMLESS.fullmatch(result.out)


# exit codes


def test_exit_0_when_all_is_read(tmp_path: Path, run: Run) -> None:
    (tmp_path / "a.phhs").write_text(hands(1, 2))
    assert run("import", str(tmp_path / "a.phhs"), "--ledger", str(tmp_path / "l")).code == 0


def test_exit_3_when_something_is_rejected(night: Path, tmp_path: Path, run: Run) -> None:
    result = run("import", str(night), "--ledger", str(tmp_path / "l"))
    assert result.code == 3
    assert f"{night.name}:" in result.out
    assert "rejected" in result.out


def test_exit_4_when_the_ledger_is_broken(book: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_self: Ledger, _stream: object) -> None:
        raise IntegrityError("a block of a source is damaged")

    monkeypatch.setattr(Ledger, "events", broken)
    assert run("log", "--ledger", book).code == 4


def test_exit_130_when_interrupted(book: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Ledger, "hands", stopped)
    result = run("log", "--ledger", book)
    assert (result.code, "Run the command again" in result.err) == (130, True)
    assert run("log", "--ledger", book, "--format", "json").document["error"]["code"] == "interrupted"


def test_a_stopped_server_says_that_nothing_was_lost(capsys: pytest.CaptureFixture[str]) -> None:
    assert report_interruption(["serve", "--port", "0"]) == 130
    assert capsys.readouterr().err == "handledger: stopped; nothing was lost\n"


def test_a_fault_of_ours_is_no_traceback(book: str, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(*_: object, **__: object) -> None:
        raise ZeroDivisionError("\x1b[2J")

    monkeypatch.setattr(Ledger, "hands", faulty)
    result = run("log", "--ledger", book)
    assert result.code == 2
    assert "Please report" in result.err
    assert "Traceback" not in result.err
    assert HARMLESS.fullmatch(result.err)
    monkeypatch.setenv("HANDLEDGER_DEBUG", "1")
    assert "Traceback" in run("log", "--ledger", book).err


@pytest.mark.parametrize("kept", [["results"], ["audit", "-r", "hilton"], ["audit", "-r", "hilton", "-r", "rrop4"]])
def test_a_fault_of_ours_empties_nothing_that_is_kept(
    night: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, kept: list[str]
) -> None:
    def faulty(*_: object, **__: object) -> None:
        raise ZeroDivisionError("\x1b[2J")

    ledger = str(tmp_path / "own.ledger")
    run("import", str(night), "--ledger", ledger)
    assert run(*kept, "--ledger", ledger).code in (0, 1)
    data = Path(ledger).read_bytes()
    for method in ("hands", "events", "entries_of_types"):
        with monkeypatch.context() as patch:
            patch.setattr(Ledger, method, faulty)
            answer = run("log", "--ledger", ledger)
        assert "damaged" not in answer.err, method
        assert Path(ledger).read_bytes() == data


# what strangers write

NAMES = [
    "\x1b]0;owned\x07\x1b[2J",
    "\x9b31mred",
    "[/][red]x[/red]",
    "[link=http://e]x[/link]",
    "a\u202eb",
    "two\nlines\r",
    "x" * 10_000,
    "<script>alert(1)</script>",
    "=HYPERLINK(1)",
    "\u200bzero",
    "..",
    "-rf",
    "%s{0}",
]


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A ledger whose players, table, file name and rejects are all hostile."""
    folder = tmp_path_factory.mktemp("hostile")
    path = folder / "a\x1b[2J\u202e.phhs"
    parts = []
    for number, name in enumerate(NAMES, 1):
        escaped_name = "".join(f"\\u{ord(c):04X}" for c in name) if len(name) < 100 else name
        parts.append(f"[{number}]\n" + hand(number, names=(escaped_name, "Bob"), table=f"T{number}{escaped_name}"))
    parts.append(f'[99]\nvariant = "{"y" * 50}\x9b\x1b[1m"\nactions = []\n')
    path.write_text("\n".join(parts))
    with open_ledger(folder / "l") as ledger:
        summary = import_paths(ledger, [path])
        assert summary.total.new == len(NAMES), [f.rejects for f in summary.files]
        assert summary.total.rejected == 1
    return str(path), str(folder / "l")


@pytest.mark.parametrize(
    "args",
    [
        ["log"],
        ["rejects"],
        ["rejects", "--bytes"],
        ["verify"],
        ["audit", "--rulebook", "hilton"],
        *(
            [command, f"{number}{at}"]
            for number in range(1, len(NAMES) + 1)
            for command, at in (("show", ""), ("show", "@9"), ("replay", ""))
        ),
        ["show", "\x1b[2J"],
        ["show", "1@\x9b"],
        ["log", "--table", "\u202e"],
        ["export", "--to", "\x1b"],
        ["import", "{path}"],
        ["import", "\x1b[2J"],
        ["rules", "\x1b[2J"],
        ["rules", "hilton", "\x1b[2J"],
        ["schema", "\x1b[2J"],
        ["\x1b[2J"],
    ],
    ids=ascii,
)
@pytest.mark.parametrize("shape", ["text", "json"])
def test_what_strangers_write_reaches_no_output_as_it_is(
    args: list[str], shape: str, hostile: tuple[str, str], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, url = hostile
    monkeypatch.setenv("HANDLEDGER_URL", url)
    result = run(*[arg.replace("{path}", path) for arg in args], "--format", shape)
    assert result.code in (0, 1, 2, 3)
    assert HARMLESS.fullmatch(result.out)
    assert HARMLESS.fullmatch(result.err)
    assert "fault of handledger" not in result.out + result.err
    if shape == "json":
        assert result.document
    else:
        assert all(len(line) < 2500 for line in result.out.splitlines())


# processes


def program(*args: str, **environment: str) -> list[str]:
    return [sys.executable, "-m", "cli.main", *args]


def test_a_reader_that_goes_away_is_no_error_message(book: str) -> None:
    with child(program("replay", "1", "--ledger", book), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as command:
        assert command.stdout is not None
        assert command.stderr is not None
        command.stdout.close()
        assert command.stderr.read() == b""
        assert command.wait(60) in (0, 141)


@pytest.mark.slow
def test_standard_input_is_read(tmp_path: Path, night: Path) -> None:
    with night.open("rb") as stream:
        result = subprocess.run(
            program("import", "-", "--ledger", str(tmp_path / "l")), stdin=stream, capture_output=True, check=False
        )
    assert result.returncode == 3
    assert result.stderr == b"", "no progress where there is no terminal"
    assert b"phh" in result.stdout


def test_the_start_imports_nothing_heavy() -> None:
    code = (
        "import sys; from cli import main; main.run_program(['--version']); "
        "print(*sorted({m.split('.')[0] for m in sys.modules}))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(result.stdout.splitlines()[-1].split())
    assert not loaded & {"sqlalchemy", "msgspec", "eventsourcing", "rich", "phevaluator", "sqlite3"}


@pytest.mark.slow
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shell_completes_commands_hands_and_rulebooks(shell: str, book: str) -> None:
    def offered(line: str) -> str:
        environment = {
            **os.environ,
            "_HANDLEDGER_COMPLETE": f"complete_{shell}",
            "COMP_WORDS": line,
            "COMP_CWORD": str(len(line.split(" ")) - 1),
            "_TYPER_COMPLETE_ARGS": line,
            "_TYPER_COMPLETE_FISH_ACTION": "get-args",
            "HANDLEDGER_URL": book,
        }
        result = subprocess.run(
            [sys.executable, "-c", "from cli.main import run; run()"],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        return result.stdout

    assert "verify" in offered("handledger ver")
    assert "hilton" in offered("handledger rules hil")
    assert "3" in offered("handledger show 3")
