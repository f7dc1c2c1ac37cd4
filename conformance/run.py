"""Score an engine: `python conformance/run.py ADAPTER`. The README says what an adapter is."""

import importlib
import json
import sys
from collections import Counter
from operator import itemgetter
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


def compare(expected: dict, given: dict) -> dict[str, bool]:
    """Return for each part of an answer whether it's right. A part that either side leaves out isn't compared."""
    parts, read_post = {}, itemgetter("seat", "live", "dead")
    positions = [name for name in ("button", "small_blind", "big_blind") if name in expected and name in given]
    if positions:
        parts["positions"] = all(given[name] == expected[name] for name in positions)
    if "posts" in given:
        parts["posts"] = sorted(map(read_post, given["posts"])) == sorted(map(read_post, expected["posts"]))
    if "seats" in given and expected["seats"]:
        seats = {seat["seat"]: (seat["status"], seat.get("post")) for seat in given["seats"]}
        expected_seats = {seat["seat"]: (seat["status"], seat.get("post")) for seat in expected["seats"]}
        parts["seats"] = all(seats.get(seat, ("plays", None)) == state for seat, state in expected_seats.items())
    return parts


def rank(parts: dict[str, bool]) -> tuple[bool, int]:
    return all(parts.values()), sum(parts.values())


def judge(case: dict, reply: dict) -> dict[str, bool]:
    """Compare a reply with the nearest expected answer. If it has several answers, the worst counts."""
    if "cannot_tell" in case["expect"] or "cannot_tell" in reply:
        return {"positions": "cannot_tell" in case["expect"] and "cannot_tell" in reply}
    right_answers = case["expect"]["answers"]
    answers = reply.get("answers", [reply])
    return min((max((compare(right, given) for right in right_answers), key=rank) for given in answers), key=rank)


def run(adapter, cases: list[dict]) -> tuple[Counter, list[str]]:
    """Return the score of an engine, and the cases that it answers wrongly."""
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
        parts |= dict.fromkeys(("all cases", f"{case['rules']['method']} button"), all(parts.values()))
        score.update(f"{name}: {'right' if is_right else 'wrong'}" for name, is_right in parts.items())
        if not parts["all cases"]:
            wrong.append(f"{case['id']} {case['rules']['book']}: {case['title']}")
    return score, wrong


if __name__ == "__main__":
    sys.path.insert(0, str(FOLDER / "adapters"))
    documents = [json.loads(path.read_text("utf-8")) for path in sorted((FOLDER / "button").glob("*.json"))]
    all_cases = [case for document in documents for case in document["cases"]]
    total, mistakes = run(importlib.import_module(sys.argv[1]), all_cases)
    print(*mistakes, *(f"{count:5} {name}" for name, count in sorted(total.items())), sep="\n")
