"""An evening of a card room whose money adds up: three cash tables, and a tournament of two tables that break to one.

`Evening().write(folder)` writes a file for each table, as the room keeps them. Each planted error changes one thing.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Final

from tests.money.cash_table import CashTable, TableErrors
from tests.money.played_table import Stakes
from tests.money.tournament import Tournament, TournamentErrors

BEGINS: Final = datetime(2026, 11, 20, 18, 0, tzinfo=timezone(timedelta(hours=-5)))
HANDS: Final = {"T1": 66, "T2": 67, "T3": 67}
DEALERS: Final = ("Maria", "Tran", "Wes")
NAMES: Final = {
    "T1": ["Ana", "Bo", "Cy", "Di", "Eli", "Fay", "Gus", "Hal", "Ida", "Jo"],
    "T2": ["Kim", "Lou", "Mo", "Ned", "Oz", "Pat", "Quin", "Ray", "Sue", "Ted"],
    "T3": ["Uma", "Vic", "Wilma", "Xena", "Yan", "Zoe", "Abe", "Bea", "Cal", "Dot"],
    "88": ["Ed", "Flo", "Gil", "Hope", "Ian", "Jill", "Ken", "Lena", "Max", "Nora", "Olga", "Phil"],
}
_STAKES: Final = {"T1": Stakes(2, 5), "T2": Stakes(1, 3), "T3": Stakes(5, 10)}


@dataclass(frozen=True)
class Evening:
    """What goes wrong at each table and in the tournament."""

    tables: tuple[tuple[str, TableErrors], ...] = ()
    tournament: TournamentErrors = field(default_factory=TournamentErrors)

    def plant(self, table: str, **errors: object) -> Evening:
        """Return the evening with further errors at a table."""
        known = dict(self.tables)
        known[table] = replace(known.get(table, TableErrors()), **errors)  # type: ignore[arg-type]  # the test names fields
        return replace(self, tables=tuple(sorted(known.items())))

    def plant_in_tournament(self, **errors: object) -> Evening:
        """Return the evening with further errors in the tournament."""
        return replace(self, tournament=replace(self.tournament, **errors))  # type: ignore[arg-type]  # the test names fields

    def write(self, folder: Path) -> list[Path]:
        """Write the record of each table; return the files."""
        errors = dict(self.tables)
        texts = {}
        for index, (name, hand_count) in enumerate(HANDS.items()):
            table = CashTable(name, _STAKES[name], NAMES[name], DEALERS[index:] + DEALERS[:index], BEGINS, seed=index)
            texts[name] = table.write_evening(hand_count, errors.get(name, TableErrors()))
        tournament = Tournament(NAMES["88"], BEGINS).write_evening(self.tournament)
        texts |= {f"tournament-{name or 'desk'}": text for name, text in tournament.items()}
        for name, text in texts.items():
            (folder / f"{name}.hand").write_text(text, encoding="utf-8")
        return [folder / f"{name}.hand" for name in texts]
