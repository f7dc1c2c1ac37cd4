"""Sentences are read in one place: `pytest tests/wording --regen` writes them anew after a change."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path

import pytest

import projections.sentences
from tests.wording.rendering import public_functions, render_module

FOLDER = Path(__file__).resolve().parent
SUBJECTS = [module.name for module in pkgutil.iter_modules(projections.sentences.__path__)]


@pytest.mark.parametrize("subject", SUBJECTS)
def test_each_sentence_reads_as_it_was_read_last(subject: str, *, regen: bool) -> None:
    module = importlib.import_module(f"projections.sentences.{subject}")
    golden = FOLDER / f"{subject}.txt"
    rendered = render_module(module)
    if regen:
        golden.write_text(rendered)
    assert rendered == golden.read_text()


@pytest.mark.parametrize("subject", SUBJECTS)
def test_each_function_returns_text(subject: str) -> None:
    module = importlib.import_module(f"projections.sentences.{subject}")
    for name, function in public_functions(module):
        assert function.__annotations__["return"] == "str", name


def test_each_golden_has_its_module() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(SUBJECTS)
