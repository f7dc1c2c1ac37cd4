"""Score a reader of hand histories: `python conformance/run_formats.py ADAPTER`. The README says what an adapter is."""

import importlib
import json
import sys
from collections import Counter
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


def differences(means: dict, meaning: dict) -> list[str]:
    """Which parts differ; a part that the reader leaves out isn't compared. Posts may come in any order."""
    return [
        name
        for name, value in meaning.items()
        if (sorted(value) if name == "posts" else value) != (sorted(means[name]) if name == "posts" else means[name])
    ]


def run(adapter, cases: list[dict]) -> tuple[Counter, list[str]]:
    score: Counter = Counter()
    wrong = []
    for case in cases:
        try:
            parts = differences(case["means"], adapter.read_meaning(FOLDER / "formats" / case["file"], case["format"]))
        except adapter.NotSupportedError as reason:
            score[f"not supported: {reason}"] += 1
            continue
        score["wrong" if parts else "right"] += 1
        wrong += [f"{case['id']} {case['title']}: {', '.join(parts)}"] if parts else []
    return score, wrong


if __name__ == "__main__":
    sys.path.insert(0, str(FOLDER / "adapters"))
    document = json.loads((FOLDER / "formats" / "cases.json").read_text(encoding="utf-8"))
    total, mistakes = run(importlib.import_module(sys.argv[1]), document["cases"])
    print(*mistakes, *(f"{count:5} {name}" for name, count in sorted(total.items())), sep="\n")
