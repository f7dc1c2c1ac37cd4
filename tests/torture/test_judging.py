"""The judge of evidence would see a verifier that is weaker than it should be: each weakness alone is found."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any
from unittest.mock import ANY

import pytest

from cli.proofs import refound_findings
from ledger.evidence import offline as untyped
from tests.torture import bundles, forging, genuine
from tests.torture.genuine import Genuine
from tests.torture.judging import DIFFER, Reader

pytestmark = pytest.mark.slow
offline: Any = untyped


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Genuine:
    return genuine.make_room(tmp_path_factory.mktemp("room"))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offline, "ed25519", offline.ed25519)
    monkeypatch.setattr(refound_findings, "read_house_book", refound_findings.read_house_book)
    bundles.quick()


def wrong(room: Genuine, mutants: int) -> list[str]:
    """What the judge finds wrong in so many forgeries."""
    reader, chance = Reader(room), random.Random(5)
    problems = []
    for _ in range(mutants):
        _, _, data = forging.forged(room, chance)
        try:
            problems.append(reader.wrong(data, chance.choice(reader.asks)))
        except (KeyError, TypeError, ValueError, AttributeError) as error:  # of what a weak one let in
            problems.append(f"a traceback: {error!r}")
    return [problem for problem in problems if problem]


true_verdict, true_rest = offline.verdict, offline.check_stream
WEAK: dict[str, tuple[Any, str, Callable[..., Any], str]] = {
    "books are not compared": (refound_findings, "_find_unvouched", lambda _: {}, "the book"),
    "findings are not found again": (
        refound_findings,
        "repeat_findings",
        lambda _: refound_findings.RepeatedFindings([], {}),
        "findings",
    ),
    "openings are not looked at": (offline, "openings", lambda *_: 4, "an opened card"),
    "commits may be left out": (offline, "check_stream", lambda *_: None, "other events"),
    "signatures are not verified": (offline, "signed_by", lambda *_: True, DIFFER),
    "any signature fits": (offline, "ed25519", lambda *_: True, DIFFER),
    "paths are not followed": (offline, "included", lambda *_: ANY, DIFFER),
    "the verdict does not say what is not covered": (
        offline,
        "verdict",
        lambda found, _: true_verdict(found, []),
        "is taken for covered",
    ),
}


def test_nothing_is_wrong_with_the_verifiers_as_they_are(room: Genuine) -> None:
    assert wrong(room, 700) == []


@pytest.mark.parametrize("weakness", WEAK)
def test_a_weaker_verifier_is_seen(room: Genuine, weakness: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, name, weaker, expected = WEAK[weakness]
    monkeypatch.setattr(module, name, weaker)
    assert any(expected in problem for problem in wrong(room, 700))
