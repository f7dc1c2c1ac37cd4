"""What strangers write is shown, never obeyed: terminals, spreadsheets, markup, look-alikes, lines."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ledger import safe
from ledger.intake import import_paths
from ledger.store import open as open_ledger
from ledger.text.lookalikes import lookalike_groups, name_skeleton
from tests.children import child
from tests.cli.conftest import Run
from tests.intake.hands import hand
from tests.security.conftest import MARKUP, NAMES, Hostile, evening

HARMLESS = re.compile(r"[^\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]*")
VERBS: list[list[str]] = [
    ["log"],
    ["log", "--source", "{name}"],
    ["rejects"],
    ["rejects", "--bytes"],
    ["verify"],
    ["people"],
    ["audit", "-r", "hilton"],
    ["due", "../../x", "-r", "hilton"],
    ["export", "--to", "jsonl", "-o", "{out}"],
    ["import", "{file}"],
    ["import", "--dry-run", "{file}"],
    ["show", "1"],
    ["show", "8@9"],
    ["replay", "9", "--all"],
    ["seal", "--key", "{key}"],
    ["evidence", "7", "-o", "{out}.hlev", "--purpose", "\x1b[2J\n"],
    ["show", "\x1b[2J"],
    ["seal", "--timestamped", "{file}", "--tsa", "\x1b[2J"],
    ["people", "hold", "\u202e"],
    ["verify", "\x9b.hlev", "--key", "k+00000000+AA=="],
    ["cosign", "\x1b[2J", "--log", "x", "--name", "y"],
    ["rules", "\x1b[2J"],
    ["schema", "\x1b[2J"],
    ["\x1b[2J"],
    ["log", "--table", "\u202e\n"],
    ["--help"],
]


def filled(args: list[str], hostile: Hostile, out: Path) -> list[str]:
    return [
        arg.replace("{file}", hostile.file)
        .replace("{out}", str(out))
        .replace("{key}", hostile.key)
        .replace("{name}", Path(hostile.file).name)
        for arg in args
    ]


@pytest.mark.parametrize("shape", ["text", "json"])
@pytest.mark.parametrize("args", VERBS, ids=ascii)
def test_no_verb_passes_an_escape_on_to_a_pipe(
    args: list[str], shape: str, hostile: Hostile, run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HANDLEDGER_URL", hostile.url)
    result = run(*filled(args, hostile, tmp_path / "o"), *(["--format", shape] if len(args) > 1 else []))
    assert result.code in (0, 1, 2, 3, 4)
    assert HARMLESS.fullmatch(result.out + result.err)
    assert "fault of handledger" not in result.out + result.err
    if shape == "json" and args != ["--help"] and len(args) > 1:
        json.loads(result.out)


@pytest.mark.parametrize("number", range(1, len(NAMES) + 1))
def test_no_name_passes_an_escape_on_from_any_view_of_its_hand(number: int, hostile: Hostile, run: Run) -> None:
    for args in (["show", f"{number}"], ["show", f"{number}@9"], ["replay", f"{number}@12"]):
        result = run(*args, "--ledger", hostile.url)
        assert result.code == 0
        assert HARMLESS.fullmatch(result.out + result.err)


DRIVER = """
import sys
from cli.main import run_program
for line in sys.stdin.read().split("\\0"):
    run_program(line.split("\\1"))
    sys.stdout.flush(); sys.stderr.flush()
"""


def on_terminal(commands: list[list[str]], url: str) -> str:
    """What a terminal is sent when these commands run on it one after the other, without colours."""
    our_end, terminal_end = pty.openpty()
    environment = os.environ | {"NO_COLOR": "1", "HANDLEDGER_URL": url, "TERM": "xterm"}
    text = "\0".join("\1".join(args) for args in commands)
    with child(
        [sys.executable, "-c", DRIVER], stdin=subprocess.PIPE, stdout=terminal_end, stderr=terminal_end, env=environment
    ) as running:
        os.close(terminal_end)
        assert running.stdin is not None
        running.stdin.write(text.encode("utf-8", "surrogateescape"))
        running.stdin.close()
        parts = []
        try:
            while data := os.read(our_end, 65536):
                parts.append(data)
        except OSError:  # the other end is closed
            pass
        os.close(our_end)
    return b"".join(parts).decode("utf-8")


@pytest.mark.slow
def test_no_verb_passes_an_escape_on_to_a_terminal(hostile: Hostile, tmp_path: Path) -> None:
    commands = [filled(args, hostile, tmp_path / "o") for args in VERBS]
    commands += [
        [verb, *arguments]
        for n in range(1, hostile.hands + 1)
        for verb, arguments in (("show", [f"{n}"]), ("replay", ["--all", f"{n}@13"]))
    ]
    commands += [
        ["export", "--to", format_name, "--lossy"]
        for format_name in ("original", "phh", "handscript", "jsonl", "pokerstars")
    ]
    sent = on_terminal(commands, hostile.url)
    assert sent.count("Traceback") == 0
    assert len(sent) > 100_000, "they all ran"
    sent = sent.replace("\r\n", "\n").replace("\r\x1b[K", "")  # the line of progress is ours
    odd = [line for line in sent.split("\n") if not HARMLESS.fullmatch(line)]
    assert odd == []


def test_an_export_is_exact_in_a_pipe_and_harmless_on_a_terminal(hostile: Hostile, run: Run, tmp_path: Path) -> None:
    out = tmp_path / "same.phhs"
    result = run(
        "export", "--to", "original", "--source", Path(hostile.file).name, "-o", str(out), "--ledger", hostile.url
    )
    assert (result.code, out.read_bytes()) == (0, Path(hostile.file).read_bytes())


@pytest.mark.parametrize("name", MARKUP)
def test_markup_is_shown_as_it_was_written(name: str, hostile: Hostile, run: Run) -> None:
    number = NAMES.index(name) + 1
    result = run("show", str(number), "--ledger", hostile.url)
    assert result.code == 0
    assert name in result.out
    failed = run("show", name, "--ledger", hostile.url)
    assert failed.code == 2
    assert safe.terminal(name) in failed.err or repr(name) in failed.err


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", "\0", "\uff1d", "\uff0b"])
@pytest.mark.parametrize("ending", ["1+1", 'HYPERLINK("http://e")', "cmd|'/C calc'!A0"])
def test_no_cell_for_a_spreadsheet_is_a_formula(start: str, ending: str) -> None:
    cell = safe.csv_cell(start + ending)
    assert cell.startswith("'")
    assert HARMLESS.fullmatch(cell)


def test_a_name_with_a_line_end_makes_no_line_of_its_own(run: Run, tmp_path: Path) -> None:
    shapes = []
    for folder, names in (("plain", ["Anna", "Bert"]), ("forged", ["two\nlines\r\n", '"},\n{"x": "'])):
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / "n.phhs"
        path.write_text(evening(names).replace("table = ", "club = "))
        url = str(tmp_path / folder / "l")
        with open_ledger(url) as opened:
            assert import_paths(opened, [path]).total.new == 2
        counts = [
            len(run(*args, "--ledger", url).out.splitlines())
            for args in (["log"], ["show", "1"], ["audit", "-r", "hilton"], ["people"])
        ]
        out = tmp_path / folder / "all.jsonl"
        run("export", "--to", "jsonl", "-o", str(out), "--ledger", url)
        records = [json.loads(line) for line in out.read_bytes().split(b"\n") if line]
        shapes.append((counts, len(records)))
    assert shapes[0] == shapes[1]


# names that look alike

CYRILLIC = "p\u0430yp\u0430l"


@pytest.mark.parametrize(
    ("name", "other_name"),
    [
        ("paypal", CYRILLIC),
        ("Bob", "B\u043eb"),
        ("Ille", "lIIe"),
        ("Zo\u00eb", "Zoe\u0308"),
        ("pay\u200bpal", "paypal"),
        ("modern", "modem"),
        ("ANNA", "\u0391NN\u0391"),
        ("x1", "xl"),
        ("\uff21nna", "Anna"),
        ("O0", "00"),
        ("A nna", "Anna"),
    ],
)
def test_names_that_look_alike_are_known_for_it(name: str, other_name: str) -> None:
    assert name_skeleton(name) == name_skeleton(other_name)
    assert lookalike_groups([name, "Somebody", other_name]) == [[name, other_name]]


@pytest.mark.parametrize(("name", "other_name"), [("Anna", "Anne"), ("Bob", "Rob"), ("x1", "x2")])
def test_names_that_differ_for_the_eye_are_left_alone(name: str, other_name: str) -> None:
    assert lookalike_groups([name, other_name]) == []


def test_look_alikes_are_two_people_and_people_are_warned(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "n.phh"
    path.write_text(hand(1, names=("paypal", CYRILLIC)))
    url = str(tmp_path / "l")
    with open_ledger(url) as opened:
        import_paths(opened, [path])
        assert opened.people.find_players("paypal") != opened.people.find_players(CYRILLIC)
        assert len(opened.people.find_players(CYRILLIC)) == 1
    for args in (["show", "1"], ["people"]):
        assert "look alike: paypal, p\\u0430yp\\u0430l" in run(*args, "--ledger", url).out
        document = run(*args, "--ledger", url, "--format", "json").document
        assert document["alike"] == [["paypal", CYRILLIC]]
