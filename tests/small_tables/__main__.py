"""Walk small tables by hand: `python -m tests.small_tables GAME SEATS HANDS|any [most=CHANGES] [leaving] [apart] [wronged]`."""

from __future__ import annotations

import sys
from time import process_time

from tests.small_tables.tables import FURTHER, TABLES
from tests.small_tables.walking import ANY, Walker


def main(name: str, seats: str, hands: str, *more: str) -> None:
    """Walk one game, or all of them, and say what was found; progress goes to standard error."""
    max_changes = next((int(word.removeprefix("most=")) for word in more if word.startswith("most=")), 99)
    for game in TABLES.values() if name == "all" else [(TABLES | FURTHER)[name]]:
        walker = Walker(
            game.with_seats(int(seats)),
            most_changes=max_changes,
            leaving="leaving" in more,
            merged="apart" not in more,
            wronged="wronged" in more,
            on_progress=lambda line: sys.stderr.write(f"{process_time():6.1f} s  {line}\n") and None,
        )
        report = walker.run(ANY if hands == "any" else int(hands)).report()
        sys.stdout.write(f"# {game.name}, {seats} seats, {hands} hands, {process_time():.1f} s\n{report}\n")


main(*sys.argv[1:])
