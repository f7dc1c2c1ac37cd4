"""Score a reader of hand histories: `python conformance/run_formats.py ADAPTER`. The README says what an adapter is."""

import importlib
import json
import sys
from collections import Counter
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


def list_differences(expected: dict, given: dict) -> list[str]:
    """Return the parts that differ. A part that the reader leaves out isn't compared."""
    different_parts = [name for name, value in given.items() if value != expected[name]]
    if "posts" in different_parts and sorted(given["posts"]) == sorted(expected["posts"]):
        different_parts.remove("posts")  # posts may be in any order
    return different_parts


def run(adapter, cases: list[dict]) -> tuple[Counter, list[str]]:
    score: Counter = Counter()
    wrong = []
    for case in cases:
        try:
            meaning = adapter.read_meaning(FOLDER / "formats" / case["file"], case["format"])
        except adapter.NotSupportedError as reason:
            score[f"not supported: {reason}"] += 1
            continue
        different_parts = list_differences(case["means"], meaning)
        score["wrong" if different_parts else "right"] += 1
        if different_parts:
            wrong.append(f"{case['id']} {case['title']}: {', '.join(different_parts)}")
    return score, wrong


if __name__ == "__main__":
    sys.path.insert(0, str(FOLDER / "adapters"))
    document = json.loads((FOLDER / "formats" / "cases.json").read_text(encoding="utf-8"))
    total, mistakes = run(importlib.import_module(sys.argv[1]), document["cases"])
    print(*mistakes, *(f"{count:5} {name}" for name, count in sorted(total.items())), sep="\n")
