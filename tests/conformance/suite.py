"""The suite's files, read as anybody would read them: as JSON."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from tests.conftest import ROOT

SUITE = ROOT / "conformance"
VERSION = "1.0"
Case = dict[str, Any]


@cache
def read_document(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


def button_files() -> list[Path]:
    return sorted((SUITE / "button").glob("*.json"))


def button_cases() -> list[Case]:
    return [case for path in button_files() for case in read_document(path)["cases"]]


def write_document(path: Path, cases: list[Case]) -> None:
    """Write a file of cases: a line for each part of a case, so that a change shows what changed."""
    editions = {case["rules"]["book"]: case["rules"]["edition"] for case in cases}
    head = [f'"suite": "button-and-blinds",\n"version": "{VERSION}",\n"editions": {json.dumps(editions)},\n"cases": [']
    blocks = []
    for case in cases:
        lines = [f'  "{name}": {json.dumps(case[name])}' for name in ("id", "title", "drawn", "rules", "game")]
        lines.append('  "history": [\n' + ",\n".join(f"    {json.dumps(event)}" for event in case["history"]) + "\n  ]")
        lines.append(f'  "expect": {write_expect(case["expect"])}')
        blocks.append(" {\n" + ",\n".join(lines) + "\n }")
    path.write_text("{\n" + "\n".join([*head, ",\n".join(blocks), "]\n}\n"]), encoding="utf-8")


def write_expect(expect: Case) -> str:
    if "answers" not in expect:
        return json.dumps(expect)
    answers = [
        "    {" + ",\n     ".join(f'"{name}": {json.dumps(value)}' for name, value in answer.items()) + "}"
        for answer in expect["answers"]
    ]
    return '{"answers": [\n' + ",\n".join(answers) + "\n  ]}"
