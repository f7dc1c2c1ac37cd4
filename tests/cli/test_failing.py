"""What a mistyped command line is answered with: one sentence, and one next step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Run

SLIPS = [
    ("floor T3 --book hilton", "floor has no option --book. Did you mean --rulebook?", "Try: handledger floor --help"),
    ("log --limt 3", "log has no option --limt. Did you mean --limit?", "Try: handledger log --help"),
    ("log --json", "log has no option --json. Did you mean --format json?", "Try: handledger log --help"),
    ("demo --nonsense", "demo has no option --nonsense", "Try: handledger demo --help"),
    (
        "case cite T7 abc --boook x",
        "case cite has no option --boook. Did you mean --rulebook?",
        "Try: handledger case cite --help",
    ),
    ("floor T3 -n two", "--hands takes a number from 1 to 50", "For example: --hands 3"),
    ("floor T3 -n 0", "--hands takes a number from 1 to 50", "For example: --hands 3"),
    ("serve --port 99999999", "--port takes a number from 0 to 65,535", "For example: --port 8713"),
    ("case void 1 x", "case void takes a number, 1 or more", "For example: handledger case void"),
    ("floor T3 -n", "the value of -n is missing", "Try: handledger floor --help"),
    ("case open T3/712 --claim", "the value of --claim is missing", "Try: handledger case --help"),
    ("audit --coverage=yes", "--coverage takes no value", "Leave out the = and what follows it: --coverage"),
    (
        "audit --fail-on eror",
        "--fail-on can't be 'eror'. Did you mean error?",
        "Choose from: info, warning, error, never.",
    ),
    ("people frget", "people doesn't know 'frget'. Did you mean forget?", "Choose from: list, merge,"),
    ("people forget Anna --basis none", "--basis can't be 'none'", "Choose from: request, retention, court, other."),
    ("case opn", "case has no command 'opn'. Did you mean open?", "Try: handledger case --help"),
    ("lgo", "there is no command 'lgo'. Did you mean 'log'?", "Try: handledger --help"),
    ("floor", "floor needs a table", "For example: handledger floor T7 -r rrop4"),
    ("import", "import needs a file or a folder", "For example: handledger import hands/"),
    ("evidence T3/712", "evidence needs --output", "For example: handledger evidence"),
    (
        "case close 2026-1",
        "case close needs the outcome: upheld, partly-upheld, denied,",
        "For example: handledger case close",
    ),
    (
        "due friday night",
        "'night' is more than due takes",
        "Put a name with spaces in quotes: handledger due 'friday night'",
    ),
    ("demo x", "demo takes options only, not 'x'", "Try: handledger demo --help"),
]


@pytest.mark.parametrize(("typed", "sentence", "step"), SLIPS)
def test_a_slip_is_answered_in_one_sentence_with_one_next_step(run: Run, typed: str, sentence: str, step: str) -> None:
    refused = run(*typed.split())
    assert (refused.code, refused.out) == (2, "")
    first, second = refused.err.splitlines()
    assert first.startswith(f"handledger: {sentence}")
    assert second.startswith(f"  {step}")
    error = run(*typed.split(), "--format", "json").document["error"] if "--" not in typed else None
    assert error is None or error["code"] == "usage"


def test_no_command_answers_in_the_words_of_the_parser(run: Run) -> None:
    """Whatever the command: an unknown option, a word too many, a number that is none."""
    from cli.command_list import COMMANDS  # noqa: PLC0415 - the whole list, when it's asked for

    for command in COMMANDS:
        for typed in ([command, "--no-such-option"], [command, "a", "b", "c", "d", "e", "--limit", "many"]):
            answer = run(*typed).err
            for words in (
                "No such option",
                "Possible options",
                "Got unexpected",
                "Input should be",
                "Missing argument",
            ):
                assert words not in answer, (typed, answer)
