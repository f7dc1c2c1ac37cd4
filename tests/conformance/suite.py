"""The suite's files, read as anybody would read them: as JSON."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from tests.conftest import ROOT

SUITE = ROOT / "conformance"
Case = dict[str, Any]


@cache
def read_document(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


def button_files() -> list[Path]:
    return sorted((SUITE / "button").glob("*.json"))


def button_cases() -> list[Case]:
    return [case for path in button_files() for case in read_document(path)["cases"]]
