"""The same findings from a Spark cluster on this machine, also when one of its executors is killed."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from projections.books import rulebook
from projections.shards.lake_audit import audit_lake
from tests.children import child
from tests.projections.bulk.lakes import laid, ledger_of_everything

JVM = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Starts in a third of the time, as nothing runs for long."""
SETTINGS = {"spark.driver.extraJavaOptions": JVM, "spark.executor.extraJavaOptions": JVM}
HANDS_A_SHARD = 8

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        importlib.util.find_spec("pyspark") is None, reason="no pyspark: pip install 'handledger[spark]'"
    ),
    pytest.mark.skipif(
        not (shutil.which("java") or os.environ.get("JAVA_HOME")),
        reason="no Java on this machine: Spark needs 17 or newer",
    ),
]


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lake")
    lake_manifest = laid(ledger_of_everything(folder), folder / "lake", hands=HANDS_A_SHARD)
    assert len(lake_manifest.shards) > 15
    return folder / "lake"


@pytest.fixture(scope="module")
def digest(lake: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    return audit_lake(lake, [rulebook.load("hilton")], tmp_path_factory.mktemp("plain")).digest


def command(lake: Path, out: Path, master: str) -> list[str]:
    words = [word for name, value in SETTINGS.items() for word in ("--conf", f"{name}={value}")]
    arguments = ["lake", "audit", str(lake), "--out", str(out), "-r", "hilton", "--format", "json"]
    return [sys.executable, "-m", "cli.main", *arguments, "--engine", "spark", "--master", master, *words]


def descendants(parent: int) -> Iterator[tuple[int, str]]:
    """Every process that a process started, and those that these started, with what each was started as."""
    output = subprocess.run(["ps", "-wweo", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in output.splitlines()]
    known_processes = {parent}
    while fresh := [row for row in rows if int(row[1]) in known_processes and int(row[0]) not in known_processes]:
        for row in fresh:
            known_processes.add(int(row[0]))
            yield int(row[0]), row[2]


def listening(pids: set[int]) -> set[str]:
    """The addresses, hex, at which processes listen."""
    sockets = set()
    for pid in pids:
        for file in Path(f"/proc/{pid}/fd").glob("*"):
            try:
                name = str(file.readlink())
            except OSError:  # it was closed meanwhile
                continue
            if name.startswith("socket:["):
                sockets.add(name[8:-1])
    open_ports = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            parts = line.split()
            if parts[3] == "0A" and parts[9] in sockets:
                open_ports.add(parts[1].partition(":")[0])
    return open_ports


LOOPBACK = {"0100007F", "0000000000000000FFFF00000100007F", "00000000000000000000000001000000"}


def finished(out: Path, code: int, errors: str) -> dict[str, object]:
    assert code == 1, errors[-2000:]
    run_document: dict[str, object] = json.loads((out / "run.json").read_text())
    return run_document


def test_spark_on_one_machine_finds_the_same(lake: Path, digest: str, tmp_path: Path) -> None:
    arguments = command(lake, tmp_path / "out", "local[2]")
    with child(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        _, errors = program.communicate(timeout=280)
    assert finished(tmp_path / "out", program.returncode, errors)["digest"] == digest


def test_an_executor_that_is_killed_in_the_middle_changes_nothing(lake: Path, digest: str, tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = command(lake, out, "local-cluster[2,1,1024]")
    with child(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        while not list(out.glob("receipts/*.json")):
            assert program.poll() is None, program.communicate()[1][-2000:]
            time.sleep(0.02)
        executors = [pid for pid, words in descendants(program.pid) if "CoarseGrainedExecutorBackend" in words]
        assert len(executors) == 2, [*descendants(program.pid)]
        assert listening({program.pid, *(pid for pid, _ in descendants(program.pid))}) <= LOOPBACK
        os.kill(executors[0], signal.SIGKILL)
        receipt_count = len(list(out.glob("receipts/*.json")))
        _, errors = program.communicate(timeout=280)
    finished_run = finished(out, program.returncode, errors)
    receipts = finished_run["receipts"]
    assert isinstance(receipts, list)
    assert receipt_count < len(receipts), "all was judged before the executor was killed"
    assert finished_run["digest"] == digest
    assert finished_run["troubles"] == []
