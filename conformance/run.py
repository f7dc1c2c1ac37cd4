"""Score an engine: `python conformance/run.py ADAPTER`. The README says what an adapter is."""

import importlib
import json
import sys
from collections import Counter
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
POSITIONS = ("button", "small_blind", "big_blind")


def match_parts(expected: dict, given: dict) -> dict[str, bool]:
    """Which parts of an answer agree; a part that either side leaves out isn't compared."""
    parts = {}
    common = [name for name in POSITIONS if name in expected and name in given]
    if common:
        parts["positions"] = all(expected[name] == given[name] for name in common)
    if "posts" in given:
        posts = [
            sorted((post["seat"], post["live"], post["dead"]) for post in side["posts"]) for side in (expected, given)
        ]
        parts["posts"] = posts[0] == posts[1]
    if "seats" in given and expected["seats"]:
        seats = {seat["seat"]: (seat["status"], seat.get("post")) for seat in given["seats"]}
        expected_seats = {seat["seat"]: (seat["status"], seat.get("post")) for seat in expected["seats"]}
        parts["seats"] = all(seats.get(seat, ("plays", None)) == status for seat, status in expected_seats.items())
    return parts


def judge(case: dict, reply: dict) -> dict[str, bool]:
    """Compare a reply with the expected answer that it comes nearest to; every answer of several must be expected."""
    if "cannot_tell" in case["expect"] or "cannot_tell" in reply:
        return {"positions": ("cannot_tell" in case["expect"]) == ("cannot_tell" in reply)}
    scores = []
    for given in reply.get("answers", [reply]):
        matches = [match_parts(expected, given) for expected in case["expect"]["answers"]]
        scores.append(max(matches, key=lambda parts: (all(parts.values()), sum(parts.values()))))
    return min(scores, key=lambda parts: (all(parts.values()), sum(parts.values())))


def run(adapter, cases: list[dict]) -> tuple[Counter, list[str]]:
    score: Counter = Counter()
    wrong = []
    for case in cases:
        try:
            reply = adapter.answer(case)
        except adapter.NotSupportedError as reason:
            score[f"not supported: {reason}"] += 1
            continue
        if "cannot_tell" in case["expect"] and "cannot_tell" not in reply:
            score["answered where the book has no answer"] += 1
            continue
        parts = judge(case, reply)
        names = ["all cases", f"{case['rules']['method']} button", *parts]
        marks = [all(parts.values())] * 2 + list(parts.values())
        score.update(f"{name}: {'right' if mark else 'wrong'}" for name, mark in zip(names, marks, strict=True))
        wrong += [] if all(parts.values()) else [f"{case['id']} {case['rules']['book']}: {case['title']}"]
    return score, wrong


if __name__ == "__main__":
    sys.path.insert(0, str(FOLDER / "adapters"))
    documents = [json.loads(path.read_text(encoding="utf-8")) for path in sorted((FOLDER / "button").glob("*.json"))]
    total, mistakes = run(
        importlib.import_module(sys.argv[1]), [case for document in documents for case in document["cases"]]
    )
    print(*mistakes, *(f"{count:5} {name}" for name, count in sorted(total.items())), sep="\n")
