"""Small evenings of the house's money as handscript, in a ledger of their own."""

from __future__ import annotations

from pathlib import Path

from ledger.intake import import_paths
from ledger.store import Ledger
from ledger.store import open as open_ledger

HEAD = """handscript 1
venue Riverside  table {table}
witness live-table except burns shuffles
game holdem no-limit cash blinds 1/2 unit USD 2
"""


def write_head(table: str = "T1") -> str:
    """Return the header of a table's file."""
    return HEAD.format(table=table)


def write_hand(number: int, started: str = "", *, pot: int = 20, drop: str = "rake 2", flop: bool = True) -> str:
    """Return a hand of three seats with a pot; `drop` are its lines about the drop, "" = none.

    `started`: "2026-11-29T20:00:00-05:00"; "" = no time. The pot without a flop is $3.
    """
    taken = sum(int(line.split()[-1]) for line in drop.splitlines())
    lines = [
        f"hand {number} {started}".strip(),
        "button 1 stacks 1:500 2:500 3:500",
        "2 posts small 1",
        "3 posts big 2",
    ]
    if flop:
        bet = pot // 2
        lines += ["deal done", f"1 raises to {bet}", "2 folds", f"3 calls {bet - 2}", "flop 7h 2c Kd", "3 checks"]
        lines += ["1 bets 20", "3 folds", "1 uncalled 20", f"1 wins {2 * bet + 1 - taken} from main"]
    else:
        lines += ["deal done", "1 folds", "2 folds", "3 uncalled 1", f"3 wins {2 - taken} from main"]
    return "\n".join([*lines, *drop.splitlines(), "end"]) + "\n\n"


def make_ledger(folder: Path, *texts: str) -> Ledger:
    """Return a new ledger with these files. Whoever asks closes it."""
    for index, text in enumerate(texts):
        (folder / f"{index}.hand").write_text(text)
    ledger = open_ledger(str(folder / "money.ledger"))
    summary = import_paths(ledger, [folder / f"{index}.hand" for index in range(len(texts))])
    assert summary.exit_code == 0, summary
    return ledger
