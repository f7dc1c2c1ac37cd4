"""A ledger with all that judgement looks at, and lakes of it: what the tests of lakes share."""

from __future__ import annotations

import os
import re
import signal
from pathlib import Path

from cli.main import run_program
from ledger.entry import Provenance
from ledger.house.events import RulebookAdopted
from ledger.intake import import_paths
from ledger.lake.layout import LakeManifest
from ledger.store import Ledger
from ledger.store import open as open_ledger
from ledger.streams import HOUSE
from projections.books import rulebook
from projections.shards.lake_builder import build_lake
from projections.shards.shard_judge import Task, judge_shard
from tests.cli.conftest import SAMPLES
from tests.evenings.script import script
from tests.intake.hands import hands
from tests.projections.test_doubts import wrong_evenings


def ledger_of_everything(folder: Path) -> Path:
    """Make a ledger: samples, wrong evenings, spans that nobody could read, hands told twice, a hand corrected."""
    path = folder / "x.ledger"
    (folder / "night.phhs").write_text(hands(1, 2, 3, 4) + '\n[5]\nvariant = "NT"\nactions = [\n\n' + hands(6))
    online = (SAMPLES / "evening-online.txt").read_text().replace("Table '", "Table 'Other ")
    (folder / "online.txt").write_text(online.replace("*** FLOP ***", "somebody sings\n*** FLOP ***", 1))
    files = [SAMPLES, folder / "night.phhs", folder / "online.txt"]
    for index, (_, evening) in enumerate(wrong_evenings()[::9], 1):
        text = re.sub(r"\btable 1\b", f"table {index}", script(evening))
        files.append(folder / f"{index}.hand")
        files[-1].write_text(text)
    with open_ledger(path) as ledger:
        import_paths(ledger, files)
        lines = files[5].read_text().splitlines()
        removed_index = next(index for index, line in enumerate(lines) if line.endswith((" folds", " calls")))
        files[5].write_text("\n".join([*lines[:removed_index], *lines[removed_index + 1 :]]) + "\n")
        import_paths(ledger, [files[5]])
        number = next(ledger.hands(venue="Evening", table="4")).stream.hex
    stated_command = ["--insert", "--by", "floor", "--why", "forgotten", "--ledger", str(path)]
    assert run_program(["correct", f"{number}@1", 'remark "as told"', *stated_command]) == 0
    return path


def adopt(path: Path, book: str, table: str = "") -> None:
    """Let the house adopt a rulebook."""
    rulebook_found = rulebook.load(book)
    event = RulebookAdopted(book, edition=rulebook_found.edition, digest=rulebook_found.digest, table=table)
    with open_ledger(path) as ledger:
        ledger.append("house", HOUSE, [event], recorded=Provenance(1, writer="test"))


def laid(ledger: Path, folder: Path, query: str = "", hands: int = 40) -> LakeManifest:
    """Write a lake of a ledger."""
    with open_ledger(ledger, read_only=True) as opened:
        return build_lake(opened, folder, query, day_start="06:00", hands_per_shard=hands)


def grown(path: Path, table: str, folder: Path) -> None:
    """Add hands to a ledger, at one table."""
    (folder / "more.phhs").write_text(hands(77, 78, table=table))
    with open_ledger(path) as ledger:
        import_paths(ledger, [folder / "more.phhs"])


def opened(path: Path) -> Ledger:
    """Open a ledger for reading."""
    return open_ledger(path, read_only=True)


def killed_once(task: Task, out: str, flag: str) -> bytes:
    """Judge a shard; the first process to come to this is ended by the system, as by one that is out of memory."""
    if task.name == "00002":
        try:
            Path(flag).touch(exist_ok=False)
        except FileExistsError:
            return judge_shard(task, out)
        os.kill(os.getpid(), signal.SIGKILL)
    return judge_shard(task, out)


def always_killed(task: Task, out: str) -> bytes:
    """End the process that is to judge."""
    os.kill(os.getpid(), signal.SIGKILL)
    return judge_shard(task, out)
