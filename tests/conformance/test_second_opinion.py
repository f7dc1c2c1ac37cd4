"""The cases agree with a second reading of the rulebooks, which knows nothing of the engine."""

from __future__ import annotations

import ast

from conformance.run import judge
from tests.conformance.second_opinion import answer_case
from tests.conformance.second_table import UnclearError
from tests.conformance.suite import button_cases
from tests.conftest import ROOT

# These have an answer only for a reader of the text: two players under a book without a rule for them, three who become
# two under the moving button, a method that nobody named, a first hand, a blind of less than half, a player who posted in
# front of the small blind, and blinds that jump.
UNCLEAR = {
    "h017", "h103", "h104", "h116", "h117", "h118", "h119", "h120", "h127", "h165", "h166", "h167", "h168", "h169", "h214", "h280", "h295",
}  # fmt: skip


def test_the_second_reading_knows_nothing_of_the_engine() -> None:
    for name in ("second_table", "second_opinion"):
        tree = ast.parse((ROOT / f"tests/conformance/{name}.py").read_text(encoding="utf-8"))
        modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        modules |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        assert not [
            module for module in modules if str(module).split(".")[0] in ("projections", "ledger", "handledger")
        ]


def test_the_second_reading_agrees_with_the_cases() -> None:
    unclear, wrong = set(), []
    for case in button_cases():
        try:
            answers = answer_case(case)
        except UnclearError:
            unclear.add(case["id"])
            continue
        if not all(judge(case, {"answers": answers}).values()):
            wrong.append(case["id"])
    assert wrong == []
    assert unclear == UNCLEAR
