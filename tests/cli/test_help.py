"""`--help` of every command: one sentence, two examples that work when pasted, options in groups."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer._click import Context
from typer.main import get_command

from cli.main import COMMANDS, app
from cli.output import help_page, next_steps
from tests.cli.conftest import SAMPLES, Result, Run

WITH_VERBS = frozenset(("case", "lake"))
GOING_ON = frozenset(("serve", "record", "pocket", "mcp"))
"""Commands that go on until they are stopped, or fetch what they need: their examples are parsed, not run."""

MAX_OPTIONS_IN_A_GROUP = 10

_SEAL = "handledger seal --new-key --key room.key --name room.example"
_SHARD = "handledger shard -o lake"
_CASE = 'handledger case open T7/408@17-20 --number T7-408 --claim "a straddle" --by player'
_RULED = [_CASE, 'handledger case rule T7-408 --decision "it counts" --by floor']
PREPARATIONS = {
    "read": ['handledger new friday.hand --table T7 --game "limit 10/20"'],
    "compare": ["handledger import second.hand"],
    "accounts": ["handledger import second.hand"],
    "case": [_CASE],
    "case open": [],
    "case lift": [_CASE, "handledger case hold T7-408 table T7", "handledger case hold T7-408 hand T7/408"],
    "case appeal": _RULED,
    "case close": _RULED,
    "case reopen": [*_RULED, "handledger case close T7-408 upheld"],
    "case tape": [
        _CASE,
        "handledger case attach T7-408 --kind video --camera 12 --label tape --from 2026-11-21T01:15Z",
    ],
    "case void": [_CASE, *(f'handledger case note T7-408 "{word}" --by dealer' for word in ("one", "two", "three"))],
    "seal": [],
    "cosign": [
        _SEAL,
        "handledger seal --for-witness 0 -o request.txt",
        'handledger cosign request.txt --log "$ROOM_KEY" --name auditor.example --key auditor.key --new-key -o x.txt',
    ],
    "evidence": [_SEAL, "handledger seal --key room.key"],
    "verify": [_SEAL, "handledger evidence T7/408 -o hand.hlev"],
    "lake": [_SHARD, "handledger lake audit lake --out judged -r hilton"],
    "lake audit": [_SHARD],
    "lake rejects": ["handledger import --to-shards files hands/"],
}
"""What was typed before the examples of a command, or of a verb, work."""


def pages() -> list[str]:
    """Every command and verb that has examples."""
    return [path for path in help_page.load_pages() if path not in WITH_VERBS]


def contexts() -> dict[str, tuple[Any, Context]]:
    """Every command and verb with a context of its own, by how it is typed."""
    root = get_command(app)
    top = Context(root, info_name="handledger", **root.context_settings)
    command_contexts: dict[str, tuple[Any, Context]] = {}
    for name in COMMANDS:
        command = root.get_command(top, name)
        parent = Context(command, parent=top, info_name=name, **command.context_settings)
        command_contexts[name] = command, parent
        for verb, below in getattr(command, "commands", {}).items():
            command_contexts[f"{name} {verb}"] = (
                below,
                Context(below, parent=parent, info_name=verb, **below.context_settings),
            )
    return command_contexts


def test_every_command_and_verb_has_a_page_with_one_sentence_and_two_examples() -> None:
    assert set(help_page.load_pages()) == set(contexts()), (
        "cli/help.toml needs a table with two examples for each command and verb, and no other"
    )
    for path, page in help_page.load_pages().items():
        summary = page.summary or COMMANDS[path]
        assert (bool(page.summary), summary[-1], summary.count(". ")) == (" " in path, ".", 0), path
        assert len(summary.split()) <= 20, path
        assert len(set(page.examples)) == (0 if path in WITH_VERBS else 2), path
        assert all(example.startswith(f"handledger {path}") for example in page.examples), path


def test_options_are_in_groups() -> None:
    crowded = []
    for path, (command, context) in contexts().items():
        options = {
            max(parameter.opts, key=len)
            for parameter in command.get_params(context)
            if parameter.param_type_name == "option"
        }
        parts = " ".join(help_page.load_pages()[path].options.values()).split()
        assert len(parts) == len(set(parts)), path
        assert set(parts) <= options, f"{path}: cli/help.toml names an option that there is not"
        groups = help_page.group_options(command, context)
        assert sum(map(len, groups.values())) == len(options), path
        crowded += [f"{path}: {group}" for group, records in groups.items() if len(records) > MAX_OPTIONS_IN_A_GROUP]
        crowded += [path] * (len(options) > MAX_OPTIONS_IN_A_GROUP and help_page.OTHER_GROUP in groups)
    assert not crowded, "cli/help.toml: name groups of at most ten options"
    assert len(help_page.group_options(*contexts()["audit"])) == 3


@pytest.mark.parametrize("columns", [80, 120])
def test_help_fits_80_columns_and_uses_120(columns: int, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("TERMINAL_WIDTH", str(columns))
    lengths = []
    for path in help_page.load_pages():
        text = run(*path.split(), "--help").out
        assert "…" not in text.replace('"…"', ""), path
        assert not re.search(r"[a-z]-$", text, re.MULTILINE), f"{path}: a line breaks inside a word"
        lengths += [len(line) for line in text.splitlines()]
        examples = [" ".join(example.split()) for example in help_page.load_pages()[path].examples]
        assert all(example in " ".join(text.replace("\\\n", " ").split()) for example in examples), path
    assert columns * 0.9 < max(lengths) <= columns


class Desk:
    """Somebody who pastes what the help shows, in a folder with the files that it names."""

    def __init__(self, run: Run, folder: Path, ledger: Path, machine: pytest.MonkeyPatch) -> None:
        self._run, self._machine = run, machine
        self.folder = folder
        folder.mkdir()
        shutil.copy(ledger, folder / "x.ledger")
        shutil.copytree(SAMPLES, folder / "hands")
        evening = (SAMPLES / "riverside-nl-evening.hand").read_text()
        (folder / "second.hand").write_text(evening.replace('2 "Bo Lee" 386', "2 Bo 386"))
        (folder / "more").mkdir()
        for name in ("night.zip", "cam12.mp4", "more/a.txt"):
            shutil.copy(next(SAMPLES.glob("*.txt")), folder / name)
        machine.chdir(folder)
        machine.setenv("HANDLEDGER_URL", str(folder / "x.ledger"))

    def paste(self, line: str) -> Result:
        if (self.folder / "room.key").exists() and "$ROOM_KEY" in line:
            sealed = self._run("seal", "--key", "room.key", "--format", "json").document
            self._machine.setenv("ROOM_KEY", sealed["key"])
        return self._run(*map(os.path.expandvars, shlex.split(line)[1:]))


@pytest.mark.slow
def test_each_answer_on_a_terminal_ends_with_a_next_command_that_works(
    run: Run, sampled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(next_steps, "is_for_people", lambda: True)
    wrong = []
    for path in next_steps.NEXT_STEPS:
        desk = Desk(run, tmp_path / re.sub(r"\W", "-", path), sampled, monkeypatch)
        for line in PREPARATIONS.get(path, PREPARATIONS.get(path.partition(" ")[0], [])):
            desk.paste(line)
        example = help_page.load_pages()[path].examples[0]
        answer = desk.paste(example)
        _, _, next_step = answer.out.rstrip().rpartition("\nNext: ")
        if "\n" in next_step or not next_step.startswith("handledger "):
            wrong.append(f"{example} ends without one: {answer.out[-200:]}{answer.err}")
        elif (result := desk.paste(next_step)).code not in (0, 1, 3):
            wrong.append(f"{example} ends with {next_step}: {result.err}")
        if "Next: " in desk.paste(f"{example} --format json").out:
            wrong.append(f"{example}: JSON has a next command")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - {*next_steps.NEXT_STEPS, *GOING_ON, *WITH_VERBS}))
def test_the_other_answers_name_a_next_command_themselves_or_are_data(name: str) -> None:
    says_next = {"import", "handscript", "new", "read", "rules", "demo", "correct", "evidence"}
    writes_a_file = {"cosign", "report", "shard"}
    assert name in says_next | writes_a_file, (
        "add the command that people run next to NEXT_STEPS in cli/output/next_steps.py"
    )


@pytest.mark.slow
@pytest.mark.parametrize("group", ["", "case", "lake"])
def test_examples_work_when_pasted(
    group: str, run: Run, sampled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command_contexts, wrong = contexts(), []
    for path in pages():
        command, _, verb = path.partition(" ")
        if (command if verb else "") != group:
            continue
        examples = help_page.load_pages()[path].examples
        if path in GOING_ON:
            for example in examples:
                command_contexts[path][0].make_context(path, shlex.split(example)[2:])
            continue
        for number, example in enumerate(examples):
            if not number or command == "case":  # of a case, one example may rule out the other
                desk = Desk(run, tmp_path / re.sub(r"\W", "-", f"{path} {number}"), sampled, monkeypatch)
                for line in PREPARATIONS.get(path, PREPARATIONS.get(command, [])):
                    assert desk.paste(line).code in (0, 1), line
            result = desk.paste(example)
            if result.code not in (0, 1, 3) or result.err.startswith("handledger:"):
                wrong.append(f"{example}\n{result.out[:300]}{result.err}")
    assert not wrong, "\n".join(wrong)
