"""Sentences are read in one place: `pytest tests/wording --regen` writes them anew after a change."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path

import pytest

import projections.sentences
from tests.wording.rendering import public_functions, render_module

FOLDER = Path(__file__).resolve().parent
ERROR_MODULES = [
    "handledger.door_errors",
    "handledger.mcp_server.tool_errors",
    "ledger.case.case_errors",
    "ledger.evidence.evidence_errors",
    "ledger.hand.correction_errors",
    "ledger.intake.import_errors",
    "ledger.lake.lake_errors",
    "ledger.recording.recording_errors",
    "ledger.seal.proof_errors",
    "ledger.seal.verify_errors",
    "projections.shards.shard_errors",
    "web.api.api_errors",
    "web.pages.report_errors",
    "web.server.access.network_errors",
    "web.server.page_errors",
    "web.server.request_errors",
    "projections.tape.tape_errors",
]
MODULES = {
    **{
        module.name: f"projections.sentences.{module.name}"
        for module in pkgutil.iter_modules(projections.sentences.__path__)
    },
    **{name.rpartition(".")[2]: name for name in ERROR_MODULES},
}
"""The module of each subject."""
SUBJECTS = [*MODULES]


@pytest.mark.parametrize("subject", SUBJECTS)
def test_each_sentence_reads_as_it_was_read_last(subject: str, *, regen: bool) -> None:
    module = importlib.import_module(MODULES[subject])
    golden = FOLDER / f"{subject}.txt"
    rendered = render_module(module)
    if regen:
        golden.write_text(rendered)
    assert rendered == golden.read_text()


@pytest.mark.parametrize("subject", SUBJECTS)
def test_each_function_returns_text_or_an_error(subject: str) -> None:
    module = importlib.import_module(MODULES[subject])
    for name, function in public_functions(module):
        returned = function.__annotations__["return"]
        assert returned.endswith("Error") if MODULES[subject] in ERROR_MODULES else returned == "str", name


@pytest.mark.parametrize("name", ERROR_MODULES)
def test_each_error_says_what_to_do(name: str) -> None:
    errors = render_module(importlib.import_module(name)).splitlines()
    assert errors[0].strip() == errors[0]
    for message, hint in zip(errors[::2], errors[1::2], strict=True):
        assert not message.startswith(" "), message
        assert hint.startswith("  "), f"no hint: {message}"
        assert hint.endswith((".", "?", "!")) or ": " in hint, f"no sentence: {hint}"


def test_each_golden_has_its_module() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(SUBJECTS)
