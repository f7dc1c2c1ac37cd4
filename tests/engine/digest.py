"""One digest of all that the hand engine says: states, acts and findings.

    python -m tests.engine.digest [--stride N] [--small] [--states] [--only PART,PART] [FOLDER ...]

It prints, for each part, how many hands there are and the digests of their states after each event, of
their acts as detectors see them, and of all findings with the coverage. A change of the engine keeps all of
them to the byte. FOLDERs hold real hands; by default the sample hands beside the checkout, each N-th file.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import msgspec

from ledger.hand.fold import iterate_states
from projections.audit.auditor import Auditor
from projections.books.rulebook import load
from projections.table_walk.table_context import TableWalk as JudgedTable
from projections.timeline.hand_timeline import Timeline
from tests.conftest import sample_hands
from tests.engine import hands
from tests.engine.views import end_view, state_view, timeline_view


class Digest(NamedTuple):
    """What a part of the hands comes to."""

    hands: int
    events: int
    states: str
    acts: str
    findings: str


def digest(tables: Iterable[hands.Table], *, judge: bool = True) -> Digest:
    """Return the digests of these tables' hands."""
    of_states, of_acts, of_findings = sha256(), sha256(), sha256()
    hand_count = event_count = 0
    audits: dict[tuple[str, ...], Auditor] = {}
    for table in tables:
        for hand in table.hands:
            hand_count += 1
            event_count += len(hand.events)
            for state in iterate_states(hand.events):
                of_states.update(repr(state_view(state)).encode())
            of_states.update(repr(end_view(hand.final_state)).encode())
            of_acts.update(repr(timeline_view(Timeline(hand))).encode())
        if judge:
            if table.books not in audits:
                audits[table.books] = Auditor([load(name) for name in table.books])
            audit = audits[table.books].fork()
            _judge(audit, table)
            result = audit.result()
            for part in (result.findings, result.coverage, result.differences):
                of_findings.update(msgspec.json.encode(part))
    return Digest(
        hand_count, event_count, *(part_hash.hexdigest()[:16] for part_hash in (of_states, of_acts, of_findings))
    )


def _judge(audit: Auditor, table: hands.Table) -> None:
    by_stream = {hand.stream.hex: hand for hand in table.hands if hand.stream}
    for context in JudgedTable([load(name) for name in table.books]).contexts(table.told):
        audit.judge_hand(by_stream[context.hand.hand], context)


def own_parts(evenings: int = 1, damaged: int = 1) -> dict[str, Iterable[hands.Table]]:
    """Return the parts that need nothing from outside."""
    return {
        "pages": hands.pages(),
        "samples": hands.own_samples(),
        "evenings": hands.evenings(evenings),
        "damaged": hands.damaged(damaged),
    }


def main() -> None:
    """Print the digests."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n", maxsplit=1)[0])
    parser.add_argument("folders", nargs="*", type=Path, help="folders of real hands")
    parser.add_argument("--stride", type=int, default=1, help="take each n-th file of a folder")
    parser.add_argument("--states", action="store_true", help="leave out what is found")
    parser.add_argument("--only", default="", help="parts whose names begin so")
    parser.add_argument("--small", action="store_true", help="only what a test of CI takes")
    options = parser.parse_args()
    parts = own_parts() if options.small else own_parts(4, 25)
    path = sample_hands()
    folders = options.folders or ([] if path is None else [path, path.parent / "second-sample"])
    if not options.small:
        parts |= {f"{folder.name}/{options.stride}": hands.real(folder, options.stride) for folder in folders}
    for name, tables in parts.items():
        if not name.startswith(tuple(options.only.split(","))):
            continue
        engine_digest = digest(tables, judge=not options.states)
        sys.stdout.write(
            f"{name}: {engine_digest.hands} hands, {engine_digest.events} events, states {engine_digest.states}, acts {engine_digest.acts}, "
            f"findings {engine_digest.findings}\n"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main()
