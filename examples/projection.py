"""A table of your own beside handledger's: how often each player showed a hand, kept up to date as hands come in.

Run: python examples/projection.py
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from sqlalchemy import Column, Integer, MetaData, String, Table, func, insert, select

import handledger

SAMPLE = Path(__file__).resolve().parents[1] / "cli" / "samples" / "riverside-limit-evening.hand"
METADATA = MetaData()
SHOWN_HANDS = Table("my_shown_hands", METADATA, Column("seat", Integer), Column("stream", String))


class ShownHands:
    """Notes each shown hand. `catch_up` calls `project` with each page of commits, in one transaction with its place."""

    name = "my-shown-hands/1"  # another name whenever the rows would be others
    tables = METADATA

    def project(self, commits, connection) -> None:
        """Add the rows of some commits; each comes once."""
        rows = [
            {"seat": event[1], "stream": commit.stream_bytes.hex()}
            for commit in commits
            for event in json.loads(commit.data)  # as docs/vocabulary.md writes them: tag, then fields
            if event[0] == "CardsShown"
        ]
        if rows:
            connection.execute(insert(SHOWN_HANDS), rows)


def main() -> None:
    """Fill a ledger, bring the table up to date twice, and print it."""
    with handledger.open("sqlite://") as ledger:
        handledger.import_files(ledger, SAMPLE)
        for _ in range(2):  # the second time there is nothing new
            ledger.catch_up(ShownHands())
        with ledger.database.core() as connection:
            rows = connection.execute(select(SHOWN_HANDS.c.seat, func.count()).group_by(SHOWN_HANDS.c.seat))
            counts = Counter({row[0]: row[1] for row in rows})
    for seat, count in counts.most_common(3):
        print(f"seat {seat} showed {count} hands")


if __name__ == "__main__":
    main()
